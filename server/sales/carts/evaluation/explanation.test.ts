import { beforeEach, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { countPaidOrders } from '../../orders/reading/paid-orders.ts'
import { explainCart } from './explanation.ts'

// `promotions why --id`: the promotions of a stored cart (docs/operations.md, "Promotions").

let shop: Shop
beforeEach(async () => {
  shop = await openWithShipping()
})

async function explain(id: string) {
  const { clock } = await theHouse()
  return explainCart(await dbOf(shop), { id, at: new Date(clock.now()), countOrders: countPaidOrders })
}

const automatic = (name: string, more: object, rule: object = {}) =>
  shop.call('POST', '/promotions', {
    redemption_type: 'AUTOMATIC',
    name,
    rules: [{ action: { cart_value: { discount: { fixed_amount: '1' } } }, ...rule }],
    ...more,
  })

test('a stored cart is explained with its customer, codes, addresses and current prices', async () => {
  await automatic('Americans', { shipping_address: { countries: [{ iso2_country_code: 'US' }] } })
  await automatic('Danes', { shipping_address: { countries: [{ iso2_country_code: 'DK' }] } })
  await automatic('Large', {}, { condition: { cart: { minimum_spend: '100' } } })
  await automatic('Regulars', { customer: { minimum_order_count: 1 } })
  const coupon = { redemption_type: 'COUPON', name: 'Tenth', rules: [] as object[] }
  coupon.rules = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]
  const { id: promotion } = (await shop.call('POST', '/promotions', coupon)).body.data
  await shop.call('POST', `/promotions/${promotion}/codes`, { code: 'TENTH' })
  const customer = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }
  await shop.call('POST', '/customers', [customer])
  const order = { customer_id: 1, billing_address: ann, status_id: 11 }
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
  await shop.call('POST', '/orders', { ...order, billing_address: { zip: '1' }, products }, { version: 'v2' })

  const checkout = checkoutOf(shop, await createCart(shop, { 1: 2 }, { customer_id: 1 }))
  const { 1: line } = await checkout.lines()
  await checkout.call('POST', '/consignments', [{ address: ann, line_items: [{ item_id: line, quantity: 2 }] }])
  expect((await checkout.call('POST', '/coupons', { coupon_code: 'tenth' })).status).toBe(200)
  const answer = await checkout.get()

  const { currency, promotions, codes } = await explain(checkout.id)
  expect(currency).toBe('USD')
  expect(promotions.map(({ name, discount, reason }) => [name, discount, reason])).toEqual([
    ['Americans', 1, undefined],
    ['Danes', 0, 'address'],
    ['Large', 0, 'spend'],
    ['Regulars', 1, undefined],
    ['Tenth', 2.5, undefined],
  ])
  expect(codes).toEqual([{ code: 'tenth', promotion_id: promotion, discount: 2.5 }])
  expect(answer.cart.cart_amount_inc_tax).toBe(25 - 2 - 2.5)

  // The price that is in force now, not that of the last change.
  await shop.call('PUT', '/catalog/products/1', { price: 60 })
  expect((await explain(checkout.id)).promotions[2]).toMatchObject({ name: 'Large', discount: 1 })
})

test('discounts by hand exclude automatic promotions', async () => {
  await automatic('Always', {})
  const checkout = checkoutOf(shop, await createCart(shop, { 1: 1 }))
  const discounted = await checkout.call('POST', '/discounts', { cart: { discounts: [{ discounted_amount: 2 }] } })
  expect(discounted.status, discounted.text).toBe(200)
  expect((await explain(checkout.id)).promotions).toMatchObject([{ name: 'Always', discount: 0, reason: 'manual' }])
})

test('an unknown cart is 404', async () => {
  for (const id of ['nobody', '4d4b2c9e-3f0a-4a0e-9d52-5e8f1f0c7a11']) {
    await expect(explain(id)).rejects.toMatchObject({ status: 404 })
  }
})
