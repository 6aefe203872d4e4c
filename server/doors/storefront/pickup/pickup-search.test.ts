import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/pickup.md section 7.

const NEAR = { latitude: 30.2672, longitude: -97.7431 }
const FAR = { latitude: 31.2672, longitude: -97.7431 }
/** Near and visible, near and hidden, far and visible, near and disabled: the ids 2 to 5. */
const LOCATIONS = [
  { code: 'near', geo_coordinates: NEAR },
  { code: 'hidden', geo_coordinates: NEAR, storefront_visibility: false },
  { code: 'far', geo_coordinates: FAR },
  { code: 'disabled', geo_coordinates: NEAR, enabled: false },
]
const address = { address1: '1 Main Street', city: 'Austin', state: 'TX', zip: '78701', country_code: 'US' }

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  for (const { geo_coordinates, ...fields } of LOCATIONS) {
    const place = { ...address, email: 'shop@example.com', geo_coordinates }
    await shop.call('POST', '/inventory/locations', [{ label: 'A shop', address: place, ...fields, enabled: true }])
  }
  const methods = [2, 3, 4, 5].map((location_id) => ({
    location_id,
    display_name: `Counter of ${location_id}`,
    collection_instructions: 'Ring twice',
  }))
  expect((await shop.call('POST', '/pickup/methods', methods)).status).toBe(200)
  await shop.call('PUT', '/inventory/locations', [{ id: 5, enabled: false }])
  const product = { name: 'Print', type: 'physical', weight: 1, price: 1, inventory_tracking: 'none' }
  expect((await shop.call('POST', '/catalog/products', product)).status).toBe(200)
})

const within = (value: number, unit = 'KM') => ({ coordinates: NEAR, radius: { value, unit } })
const items = [{ variantId: 1, quantity: 2 }]

async function search(
  body: unknown = { searchArea: within(10), items },
  {
    host,
    origin,
    path = '',
    ip = '192.0.2.1',
    method = 'POST' as const,
  }: { host?: string; origin?: string | null; path?: string; ip?: string; method?: 'POST' | 'OPTIONS' } = {},
) {
  const { server } = await theHouse()
  const own = `store-${shop.store.hash}.shop.test`
  const answer = await server.inject({
    method,
    url: `${path}/api/storefront/pickup-options`,
    remoteAddress: ip,
    headers: {
      host: host ?? own,
      ...(origin === null ? {} : { origin: origin ?? `https://${own}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { payload: JSON.stringify(body) } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? undefined : answer.json() }
}
type Option = { pickupMethod: { locationId: number } }
const found = async (body?: unknown): Promise<number[]> =>
  (await search(body)).body.results.flatMap(({ pickupOptions }: { pickupOptions: Option[] }) =>
    pickupOptions.map(({ pickupMethod }) => pickupMethod.locationId),
  )

test('a search answers in camel case, with results only', async () => {
  expect(await search()).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect((await search()).body).toEqual({
    results: [
      {
        pickupOptions: [
          {
            pickupMethod: {
              id: 1,
              locationId: 2,
              name: 'Counter of 2',
              displayName: 'Counter of 2',
              collectionInstructions: 'Ring twice',
              collectionTimeDescription: '',
            },
            availableItems: [{ variantId: 1, quantity: 2 }],
          },
        ],
      },
    ],
  })
})

test('only enabled locations that storefronts show are found, the nearest first', async () => {
  expect(await found({ searchArea: within(200), items })).toEqual([2, 4])
  expect(await found({ searchArea: { ...within(1, 'MI'), coordinates: FAR }, items })).toEqual([4])
})

test('mistakes are reported by the names of this body', async () => {
  expect((await search({ searchArea: within(10), items: [{ variantId: 99, quantity: 1 }] })).body).toEqual(
    invalid({ 'items.0.variantId': 'The variant 99 does not exist.' }),
  )
  expect((await search({ searchArea: within(20_039), items })).body).toEqual(
    invalid({ 'searchArea.radius.value': expect.any(String) }),
  )
  expect((await search({ items })).body).toEqual(invalid({ searchArea: 'error.path.missing' }))
  expect((await search({ searchArea: within(10), items: [] })).status).toBe(422)
  expect((await search({ searchArea: within(10), items: Array(251).fill(items[0]) })).status).toBeGreaterThanOrEqual(
    413,
  )
})

describe('a search is for pages of the channel:', () => {
  test('its own origin is allowed at each of its addresses', async () => {
    const { hash } = shop.store
    const origin = `https://store-${hash}.shop.test`
    for (const path of [`/storefront/${hash}`, `/storefront/${hash}/1`]) {
      const answer = await search(undefined, { host: 'shop.test', origin, path })
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } })
    }
    expect((await search(undefined, { origin: `http://store-${hash}.shop.test` })).status).toBe(200)
  })

  test('another origin and none are 403, before anything is counted or read', async () => {
    const refused = problem(403, 'Only pages of this storefront can search for pickup options.')
    for (const origin of ['https://evil.example', 'null', null]) {
      const answer = await search('x', { origin })
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(refused)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    const below = { host: 'shop.test', path: `/storefront/${shop.store.hash}`, origin: 'http://shop.test' }
    expect((await search(undefined, below)).status).toBe(403)
  })

  test('a preflight allows the origin of the channel only', async () => {
    const allowed = await search(undefined, { method: 'OPTIONS' })
    expect(allowed).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-methods': 'POST, OPTIONS', 'access-control-allow-headers': 'content-type' },
    })
    expect((await search(undefined, { method: 'OPTIONS', origin: 'https://evil.example' })).status).toBe(403)
  })

  test('an unknown storefront is 404', async () => {
    expect((await search(undefined, { host: 'unknown.example', origin: 'https://unknown.example' })).status).toBe(404)
  })
})

test('an address can search 60 times a minute', async () => {
  for (let i = 0; i < 60; i++) expect((await search(undefined, { ip: '192.0.2.9' })).status).toBe(200)
  const answer = await search(undefined, { ip: '192.0.2.9' })
  expect(answer).toMatchObject({ status: 429, body: { title: 'Too many requests' } })
  expect(Number(answer.headers['x-retry-after'])).toBeGreaterThan(0)
  expect((await search(undefined, { ip: '192.0.2.10' })).status).toBe(200)
})
