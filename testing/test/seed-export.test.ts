import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf } from '../../client/test/clients.ts'
import { fixtureOf } from '../../server/doors/powers/bundles/fixture.ts'
import { localApi } from '../../server/doors/powers/bundles/store-api.ts'
import { exportFixture } from '../../server/doors/powers/bundles/store-bundles.ts'
import { bundleParts } from '../../server/test/fixtures/content/bundles.ts'
import { openShop } from '../../server/test/fixtures/shop.ts'
import { dbOf } from '../../server/test/fixtures/webhooks.ts'
import { openPort, type Port } from '../../test/port.ts'
import { plant } from '../src/index.ts'

// `storeward seed export` writes a fixture, and `plant` creates it.

const parts = await bundleParts()
let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** A fixture whose resources refer to each other in all ways that a fixture knows. */
const FIXTURE = {
  brands: { halden: { name: 'Halden', page_title: '@@home' } },
  categories: {
    lighting: { name: 'Lighting', parent_id: 0, description: 'Lamps' },
    'floor-lamps': { name: 'Floor lamps', parent_id: '@lighting' },
  },
  products: {
    lamp: {
      name: 'Lamp',
      type: 'physical',
      weight: 4,
      price: 185,
      sku: 'LAMP',
      brand_id: '@halden',
      categories: ['@lighting', '@floor-lamps'],
      custom_fields: [{ name: 'Colour', value: 'Red' }],
    },
    // The second of this name.
    'lighting-2': {
      name: 'Lighting',
      type: 'physical',
      weight: 1,
      price: 10,
      variants: [{ sku: 'S', option_values: [{ option_display_name: 'Size', label: 'Small' }] }],
    },
  },
  'v2.customerGroups': {
    trade: { name: 'Trade', category_access: { type: 'specific', categories: ['@lighting'] } },
  },
  'v2.customers': {
    'ann-lee-example-com': {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann.lee@example.com',
      customer_group_id: '@trade',
    },
  },
} as const

test('a planted fixture is exported with its names, and the export can be planted, too', {
  timeout: 120_000,
}, async () => {
  const [first, second] = [await openShop(), await openShop()]
  await plant(clientOf(port, first), structuredClone(FIXTURE))
  const exported = await exportFixture(parts, first.store.hash)
  expect(exported).toMatchObject(FIXTURE)
  expect(Object.fromEntries(Object.entries(exported).map(([group, bodies]) => [group, Object.keys(bodies)]))).toEqual(
    Object.fromEntries(Object.entries(FIXTURE).map(([group, bodies]) => [group, Object.keys(bodies)])),
  )
  await plant(clientOf(port, second), exported)
  expect(await exportFixture(parts, second.store.hash)).toEqual(exported)
})

test('a store without resources has an empty fixture, and one with too many is refused', async () => {
  const shop = await openShop()
  expect(await exportFixture(parts, shop.store.hash)).toEqual({})
  const api = localApi(parts, { db: await dbOf(shop) })
  const rows = (path: string) => {
    const after = Number(/id:greater=(\d+)/.exec(path)?.[1])
    return Array.from({ length: 250 }, (_, i) => ({ id: after + i + 1, name: 'Brand' }))
  }
  const endless = { ...api, send: async ({ path }: { path: string }) => ({ status: 200, body: { data: rows(path) } }) }
  await expect(fixtureOf(endless)).rejects.toThrow(
    'A fixture has at most 2000 resources. Write a bundle: "storeward export".',
  )
  api.end()
})
