import { expect, test } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'

const PATH = '/promotions/settings'
const defaults = {
  promotions_apply_on_products_with_custom_product_price: false,
  promotions_triggered_by_products_with_zero_product_price: false,
  number_of_coupons_allowed_at_checkout: 1,
  promotions_applied_on_original_product_price: true,
}

test('the settings are a bare object, and change as a whole', async () => {
  const { call } = await openShop({ plan: 'enterprise' })
  expect((await call('GET', PATH)).body).toEqual(defaults)
  const changed = {
    ...defaults,
    number_of_coupons_allowed_at_checkout: 5,
    promotions_applied_on_original_product_price: false,
  }
  const { status, body } = await call('PUT', PATH, changed)
  expect([status, body]).toEqual([200, changed])
  expect((await call('GET', PATH)).body).toEqual(changed)
})

test.each(Object.keys(defaults))('%s is required', async (field) => {
  const { call } = await openShop({ plan: 'enterprise' })
  const { status, body } = await call('PUT', PATH, { ...defaults, [field]: undefined })
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
})

test.each([0, 6])('%i coupons at the checkout are refused', async (number_of_coupons_allowed_at_checkout) => {
  const { call } = await openShop({ plan: 'enterprise' })
  const { status } = await call('PUT', PATH, { ...defaults, number_of_coupons_allowed_at_checkout })
  expect(status).toBe(422)
})

test('other plans change the last setting only', async () => {
  const { call } = await openShop({ plan: 'pro' })
  const { status, body } = await call('PUT', PATH, { ...defaults, number_of_coupons_allowed_at_checkout: 2 })
  expect([status, Object.keys(body.errors)]).toEqual([403, ['number_of_coupons_allowed_at_checkout']])
  const changed = { ...defaults, promotions_applied_on_original_product_price: false }
  expect((await call('PUT', PATH, changed)).body).toEqual(changed)
})
