import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const path = '/shipping/products/customs-information'
const item = (product_id: number, fields: object = {}) => ({
  product_id,
  country_of_origin: 'DK',
  commodity_description: 'Lamp of steel',
  international_shipping: true,
  hs_codes: { ALL: '940520', US: '9405200000' },
  ...fields,
})
const put = (...items: object[]) => shop.call('PUT', path, items)
const list = (query = '') => shop.call('GET', `${path}${query}`)

async function makeProducts(count: number) {
  for (let i = 0; i < count; i++) {
    await shop.call('POST', '/catalog/products', { name: `Lamp ${i}`, type: 'physical', weight: 1, price: 10 })
  }
}

describe('customs information', () => {
  beforeEach(() => makeProducts(2))

  test('is answered whole, in the order of the body', async () => {
    const { status, body } = await put(item(2), item(1, { country_of_origin: 'se' }))
    expect(status).toBe(200)
    const times = { created_at: expect.any(String), updated_at: expect.any(String) }
    expect(body.data).toEqual([
      { ...item(2), ...times },
      { ...item(1), country_of_origin: 'SE', ...times },
    ])
    const listed = await list()
    expect(listed.body.data).toEqual(body.data.toReversed())
    expect(listed.body.meta.pagination).toMatchObject({ total: 2, count: 2, current_page: 1 })
  })

  test('is replaced by a second PUT', async () => {
    const { body } = await put(item(1))
    const again = await put(item(1, { hs_codes: {}, international_shipping: false }))
    expect(again.body.data[0]).toMatchObject({ hs_codes: {}, international_shipping: false })
    expect(again.body.data[0].created_at).toBe(body.data[0].created_at)
    expect((await list()).body.data).toHaveLength(1)
  })

  test('is filtered by product, and paged', async () => {
    await put(item(1), item(2))
    expect((await list('?product_id:in=2')).body.data).toMatchObject([{ product_id: 2 }])
    expect((await list('?limit=1&page=2')).body.data).toMatchObject([{ product_id: 2 }])
    expect((await list('?product_id:in=9')).body.data).toEqual([])
    expect((await list('?product=2')).status).toBe(422)
  })

  test('is deleted by product only', async () => {
    await put(item(1), item(2))
    expect((await shop.call('DELETE', path)).status).toBe(422)
    expect((await shop.call('DELETE', `${path}?product_id:in=1,9`)).status).toBe(204)
    expect((await list()).body.data).toMatchObject([{ product_id: 2 }])
  })

  test('is deleted with its product', async () => {
    await put(item(1), item(2))
    await shop.call('DELETE', '/catalog/products/1')
    expect((await list()).body.data).toMatchObject([{ product_id: 2 }])
  })

  test.each([
    ['an unknown product', [item(1), item(9)], '1.product_id'],
    ['one product twice', [item(1), item(1)], '1.product_id'],
    ['an unknown country', [item(1, { country_of_origin: 'XX' })], '0.country_of_origin'],
    [
      'a description of 101 characters',
      [item(1, { commodity_description: 'a'.repeat(101) })],
      '0.commodity_description',
    ],
    ['a code of five characters', [item(1, { hs_codes: { ALL: '12345' } })], '0.hs_codes.ALL'],
    ['a code of 15 characters', [item(1, { hs_codes: { ALL: '1'.repeat(15) } })], '0.hs_codes.ALL'],
    [
      'a missing field',
      [{ product_id: 1, country_of_origin: 'DK', hs_codes: {}, international_shipping: true }],
      '0.commodity_description',
    ],
  ])('is refused for %s, and nothing is stored', async (_, items, field) => {
    const { status, body } = await put(...items)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
    expect((await list()).body.data).toEqual([])
  })

  test('is refused for keys that are no country', async () => {
    expect((await put(item(1, { hs_codes: { Europe: '940520' } }))).status).toBe(422)
  })

  test('takes 50 items and no more', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => item(i + 1))
    expect((await put(...many(51))).status).toBe(413)
    expect((await put(...many(50))).status).toBe(422)
  })
})

describe('shipping settings', () => {
  const ofStore = '/shipping/settings'
  const ofChannel = '/shipping/settings/channels/1'

  test('have defaults, and keep the fields that a change leaves out', async () => {
    expect((await shop.call('GET', ofStore)).body.data).toEqual({
      checkout: { country_list_strategy: 'DISPLAY_ALL_COUNTRIES', out_of_delivery_zone_message: '' },
    })
    await shop.call('PUT', ofStore, { checkout: { out_of_delivery_zone_message: 'Not there.' } })
    const { body } = await shop.call('PUT', ofStore, {
      checkout: { country_list_strategy: 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES' },
    })
    expect(body.data).toEqual({
      checkout: {
        country_list_strategy: 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES',
        out_of_delivery_zone_message: 'Not there.',
      },
    })
    expect((await shop.call('GET', ofStore)).body.data).toEqual(body.data)
  })

  test('of a channel are its message alone; null inherits', async () => {
    expect((await shop.call('GET', ofChannel)).body.data).toEqual({ checkout: { out_of_delivery_zone_message: null } })
    const message = { checkout: { out_of_delivery_zone_message: 'Ask us.' } }
    expect((await shop.call('PUT', ofChannel, message)).body.data).toEqual(message)
    expect((await shop.call('GET', ofChannel)).body.data).toEqual(message)
    const inherited = { checkout: { out_of_delivery_zone_message: null } }
    expect((await shop.call('PUT', ofChannel, inherited)).body.data).toEqual(inherited)
  })

  test('of an unknown channel are 404', async () => {
    expect((await shop.call('GET', '/shipping/settings/channels/9')).status).toBe(404)
    expect((await shop.call('PUT', '/shipping/settings/channels/9', { checkout: {} })).status).toBe(404)
  })

  test.each([
    ['an unknown strategy', { country_list_strategy: 'NONE' }, 'checkout.country_list_strategy'],
    [
      'a message of 501 characters',
      { out_of_delivery_zone_message: 'a'.repeat(501) },
      'checkout.out_of_delivery_zone_message',
    ],
  ])('refuse %s', async (_, checkout, field) => {
    const { status, body } = await shop.call('PUT', ofStore, { checkout })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })
})
