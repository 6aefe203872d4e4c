import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const applies_to = { entity: 'categories', ids: [0] }
const coupon = { name: 'Five off', code: 'FIVE', type: 'per_total_discount', amount: '5', applies_to }
const create = (fields: object = {}) => call('POST', '/coupons', { ...coupon, ...fields })

describe('a coupon', () => {
  test('is answered whole, and loses applies_to by a PUT without it (U9)', async () => {
    const { status, body } = await create({ expires: 'Tue, 14 Nov 2028 22:13:20 +0000' })
    expect([status, body]).toEqual([
      201,
      {
        ...coupon,
        id: 1,
        date_created: expect.stringMatching(/ \+0000$/),
        num_uses: 0,
        amount: '5.0000',
        min_purchase: '0.0000',
        expires: 'Tue, 14 Nov 2028 22:13:20 +0000',
        enabled: true,
        max_uses: 0,
        max_uses_per_customer: 0,
        restricted_to: {},
        shipping_methods: [],
      },
    ])
    expect((await call('GET', '/coupons')).body).toEqual([body])
    expect((await call('GET', '/coupons/count')).body).toEqual({ count: 1 })
    const changed = await call('PUT', '/coupons/1', { enabled: false })
    expect([changed.status, changed.body]).toEqual([200, { ...body, enabled: false, applies_to: {} }])
  })

  test('shares the namespace of codes with promotions', async () => {
    const rules = [{ action: { cart_value: { discount: { percentage_amount: '1' } } } }]
    await shop.call('POST', '/promotions', { redemption_type: 'COUPON', name: 'One', rules })
    await shop.call('POST', '/promotions/1/codes', { code: 'Five' })
    expect((await create()).status).toBe(409)
    expect((await call('GET', '/coupons?name=one&type=promotion')).body).toMatchObject([
      { id: 1, type: 'promotion', name: 'One', amount: '0.0000', applies_to: {}, shipping_methods: null },
    ])
    expect((await call('GET', '/coupons?exclude_type=promotion')).status).toBe(204)
    expect((await call('PUT', '/coupons/1', { enabled: false })).status).toBe(400)
    expect((await call('DELETE', '/coupons/1')).status).toBe(204)
    expect((await shop.call('GET', '/promotions/1')).status).toBe(200)
  })

  test.each(['name', 'code', 'type', 'amount', 'applies_to'])('requires %s', async (field) => {
    expect((await create({ [field]: undefined })).status).toBe(400)
  })

  test('refuses an id, and a name that is taken', async () => {
    expect((await create({ id: 4 })).status).toBe(400)
    await create()
    expect((await create({ code: 'OTHER' })).status).toBe(409)
  })
})

describe('the list of coupons', () => {
  beforeEach(async () => {
    await create()
    await create({ name: 'Six', code: 'SIX', type: 'percentage_discount' })
    await create({ name: 'Seven', code: 'SEVEN', type: 'free_shipping' })
  })
  const ids = async (query: string) => {
    const { status, body } = await call('GET', `/coupons?${query}`)
    return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
  }

  test.each([
    ['id=2', [2]],
    ['code=six', [2]],
    ['code=si', []],
    ['name=SEVEN', [3]],
    ['type=free_shipping', [3]],
    ['exclude_type=free_shipping', [1, 2]],
    ['min_id=2', [2, 3]],
    ['max_id=2', [1, 2]],
    ['min_id=2&max_id=2', [2]],
    ['limit=2&page=2', [3]],
    ['page=3&limit=2', []],
  ])('takes %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each(['limit=251', 'min_id=x'])('refuses %s', async (query) => {
    expect((await call('GET', `/coupons?${query}`)).status).toBeGreaterThanOrEqual(400)
  })

  test('is deleted by ids, and as a whole with the codes of promotions', async () => {
    const rules = [{ action: { cart_value: { discount: { percentage_amount: '1' } } } }]
    await shop.call('POST', '/promotions', { redemption_type: 'COUPON', name: 'One', rules })
    await shop.call('POST', '/promotions/1/codes', { code: 'ONE' })
    expect((await call('DELETE', '/coupons?id:in=1,3,99')).status).toBe(204)
    expect(await ids('')).toEqual([2, 4])
    expect((await call('GET', '/coupons/count')).body).toEqual({ count: 2 })
    expect((await call('DELETE', '/coupons')).status).toBe(204)
    expect(await ids('')).toEqual([])
    expect((await shop.call('GET', '/promotions/1')).status).toBe(200)
  })
})

test.each([
  ['amount', 100, 101],
  ['max_uses', 0, -1],
])('the bound of %s', async (field, inside, outside) => {
  expect((await create({ type: 'percentage_discount', [field]: inside })).status).toBe(201)
  expect((await create({ type: 'percentage_discount', name: 'B', code: 'B', [field]: outside })).status).toBe(400)
})
