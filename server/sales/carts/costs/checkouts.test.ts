import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'

// Changes of tax and shipping as an open checkout shows them (docs/contract/tax.md, docs/contract/shipping.md).

const WITH_OPTIONS = '?include=consignments.available_shipping_options'

/** A checkout that is shipped to Ann. @returns a function that reads the costs of its options */
async function shipped(shop: Shop, quantities: Record<number, number>) {
  const checkout = checkoutOf(shop, await createCart(shop, quantities))
  await checkout.call('POST', '/billing-address', ann)
  const line_items = Object.entries(await checkout.lines()).map(([product, item_id]) => ({
    item_id,
    quantity: quantities[Number(product)],
  }))
  const { status, text } = await checkout.call('POST', '/consignments', [{ address: ann, line_items }])
  expect(status, text).toBe(200)
  const costs = async (): Promise<number[]> => {
    const { body } = await checkout.call('GET', WITH_OPTIONS)
    const [{ available_shipping_options: options }] = body.data.consignments
    return options.map(({ cost }: { cost: number }) => cost)
  }
  return { checkout, costs }
}

const coupon = (shop: Shop, code: string, amount: string) =>
  shop.call(
    'POST',
    '/coupons',
    { name: code, code, type: 'per_total_discount', amount, applies_to: { entity: 'categories', ids: [0] } },
    { version: 'v2' },
  )

test('V4: the tax of an open checkout follows the deletion of its zone', async () => {
  const shop = await openWithShipping()
  await shop.call('POST', '/tax/zones', [
    { name: 'Texas', shopper_target_settings: { locations: [{ country_code: 'US', subdivision_codes: ['TX'] }] } },
  ])
  const rate = (tax_zone_id: number, rate: number) => ({
    name: `Rate ${rate}`,
    tax_zone_id,
    class_rates: [{ rate, tax_class_id: 0 }],
  })
  expect((await shop.call('POST', '/tax/rates', [rate(1, 5), rate(2, 10)])).status).toBe(200)
  const { checkout } = await shipped(shop, { 1: 2 })
  expect((await checkout.get()).tax_total).toBe(2.5)
  const { version } = (await checkout.get()).cart
  expect((await shop.call('DELETE', '/tax/zones?id:in=2')).status).toBe(204)
  expect((await shop.call('GET', '/tax/rates')).body.data).toMatchObject([{ name: 'Rate 5' }])
  const after = await checkout.get()
  expect([after.tax_total, after.grand_total, after.cart.version]).toEqual([1.25, 26.25, version])
})

test('S7: the total behind a coupon decides whether an open checkout ships free', async () => {
  const shop = await openWithShipping()
  await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 52 })
  const free_shipping = { enabled: true, minimum_sub_total: 50 }
  const zone = await shop.call('PUT', '/shipping/zones/1', { name: 'World', free_shipping }, { version: 'v2' })
  expect(zone.status, zone.text).toBe(200)
  await coupon(shop, 'THREE', '3')
  await coupon(shop, 'TWO', '2')
  const { checkout, costs } = await shipped(shop, { 4: 1 })
  await checkout.call('POST', '/coupons', { coupon_code: 'THREE' })
  expect((await checkout.get()).cart.cart_amount_inc_tax).toBe(49)
  expect(await costs()).toEqual([2, 7])
  await checkout.call('DELETE', '/coupons/THREE')
  await checkout.call('POST', '/coupons', { coupon_code: 'TWO' })
  expect((await checkout.get()).cart.cart_amount_inc_tax).toBe(50)
  expect(await costs()).toEqual([0, 2, 7])
  // The free option is chosen as any other one, and the order takes it over.
  const { consignments } = (await checkout.call('GET', WITH_OPTIONS)).body.data
  const [{ id, available_shipping_options: options }] = consignments
  const chosen = await checkout.call('PUT', `/consignments/${id}`, { shipping_option_id: options[0].id })
  expect([chosen.status, chosen.body.data.shipping_cost_total_inc_tax]).toEqual([200, 0])
  const order = await checkout.call('POST', '/orders')
  expect(order.status, order.text).toBe(200)
  const stored = await shop.call('GET', `/orders/${order.body.data.id}`, undefined, { version: 'v2' })
  expect(stored.body).toMatchObject({ shipping_cost_ex_tax: '0.0000', total_ex_tax: '50.0000' })
})
