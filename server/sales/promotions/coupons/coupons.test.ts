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
