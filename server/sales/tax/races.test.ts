import { beforeEach, describe, expect, test } from 'vitest'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// Tax classes, zones, rates and properties in many hands, and beside another store.

const ROUNDS = sized(1_000, 20)

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/tax${path}`, body)
const zone = (name: string, country_code = 'DK') => ({
  name,
  shopper_target_settings: { locations: [{ country_code }] },
})
const rate = (tax_zone_id: number, tax_class_id = 0) => ({
  name: 'VAT',
  tax_zone_id,
  class_rates: [{ rate: 25, tax_class_id }],
})
const idOf = async (answer: Promise<{ body: { data: { id: number }[] } }>) => (await answer).body.data[0]?.id ?? 0

describe('races', () => {
  test('a class is deleted while products and rates name it, and none names it then (C-012)', async () => {
    for (let round = 0; round < Math.min(ROUNDS, 200); round++) {
      const id = await idOf(call('POST', '/classes', [{ name: `Race ${round}` }]))
      const product = { name: `Mug ${round}`, type: 'physical', weight: 1, price: 9, tax_class_id: id }
      const [deleted, created, rated] = await Promise.all([
        call('DELETE', `/classes?id:in=${id}`),
        shop.call('POST', '/catalog/products', product),
        call('POST', '/rates', [rate(1, id)]),
      ])
      expect(deleted.status).toBe(204)
      expect([200, 409], created.text).toContain(created.status)
      expect([200, 422], rated.text).toContain(rated.status)
      expect((await rowsOf(shop, 'products')).filter(({ tax_class_id }) => tax_class_id === id)).toEqual([])
      const rates = (await call('GET', '/rates?limit=250')).body.data
      expect(JSON.stringify(rates)).not.toContain(`"tax_class_id":${id}}`)
    }
  })

  test('a zone is deleted while rates and settings name it, and none names it then (C-012)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await idOf(call('POST', '/zones', [zone('Race')]))
      const [deleted, rated, set] = await Promise.all([
        call('DELETE', `/zones?id:in=${id}`),
        call('POST', '/rates', [rate(id)]),
        call('PUT', '/settings', { store_tax_zone_id: id }),
      ])
      expect(deleted.status).toBe(204)
      for (const { status, text } of [rated, set]) expect([200, 422], text).toContain(status)
      expect((await call('GET', '/rates')).body.data).toEqual([])
      expect((await call('GET', '/settings')).body.data.store_tax_zone_id).toBe(1)
    }
  })

  test('one of several clients gets the name of a class and the code of a property (C-017)', async () => {
    const property = (code: string) => ({ code, display_name: 'One', type: 'PRODUCT' })
    for (let round = 0; round < 60; round++) {
      const names = [`Åre ${round}`, `A\u030are ${round}`, `åRE ${round}`]
      const classes = await Promise.all(names.map((name) => call('POST', '/classes', [{ name }])))
      expect(classes.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      const properties = await Promise.all([1, 2, 3].map(() => call('POST', '/properties', [property(`P${round}`)])))
      expect(properties.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    }
  })

  test('batches in opposite order are all answered (C-024)', async () => {
    await call('POST', '/zones', [zone('A'), zone('B', 'SE')])
    await call('POST', '/rates', [rate(2), rate(3)])
    await call('POST', '/properties', [{ code: 'P', display_name: 'P', type: 'CUSTOMER' }])
    const customers = ['one', 'two'].map((name) => ({ email: `${name}@x.test`, first_name: name, last_name: 'X' }))
    await shop.call('POST', '/customers', customers)
    for (let round = 0; round < sized(200, 12); round++) {
      const zones = [2, 3].map((id) => ({ id, name: `Zone ${round}` }))
      const rates = [1, 2].map((id) => ({ id, name: `Rate ${round}` }))
      const classes = [1, 2].map((id) => ({ id, name: `Class ${id} ${round}` }))
      const values = [1, 2].map((customer_id) => ({ customer_id, tax_properties: { P: `${round}` } }))
      const batches = [
        ['/zones', zones],
        ['/rates', rates],
        ['/classes', classes],
        ['/customers', values],
      ] as const
      const answers = await Promise.all(
        batches.flatMap(([path, body]) => [call('PUT', path, body), call('PUT', path, body.toReversed())]),
      )
      for (const { status, text } of answers) expect(status, text).toBe(200)
    }
  })
})

test('batches with ids of another store change nothing there, nor here (C-067)', async () => {
  const other = await openShop()
  await other.call('POST', '/tax/zones', [zone('A'), zone('B', 'SE'), zone('C', 'NO')])
  await other.call('POST', '/tax/rates', [rate(2), rate(3), rate(4)])
  await other.call('POST', '/tax/classes', [{ name: 'D' }, { name: 'E' }])
  await call('POST', '/zones', [zone('Mine')])
  await call('POST', '/rates', [rate(2)])
  const everything = (one: Shop) =>
    Promise.all(['/tax/zones', '/tax/rates'].map(async (path) => (await one.call('GET', path)).body))
  const before = [await everything(shop), await everything(other)]
  for (const [path, body] of [
    [
      '/zones',
      [
        { id: 2, name: 'X' },
        { id: 3, name: 'X' },
      ],
    ],
    [
      '/rates',
      [
        { id: 1, name: 'X' },
        { id: 2, name: 'X' },
      ],
    ],
    ['/rates', [{ id: 1, tax_zone_id: 3 }]],
    [
      '/classes',
      [
        { id: 1, name: 'X' },
        { id: 4, name: 'Y' },
      ],
    ],
  ] as const) {
    const { status, text } = await call('PUT', path, body)
    expect([400, 422], text).toContain(status)
  }
  for (const path of ['/rates?id:in=2,3', '/zones?id:in=3,4']) await call('DELETE', path)
  expect([await everything(shop), await everything(other)]).toEqual(before)
})
