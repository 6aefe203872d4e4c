import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'

// Changes of tax and shipping as an open checkout shows them (docs/contract/tax.md, docs/contract/shipping.md).

const WITH_OPTIONS = '?include=consignments.available_shipping_options'

/** A checkout that is shipped to an address. @returns a function that reads the costs of its options */
async function shipped(shop: Shop, quantities: Record<number, number>, { address = ann, cart = {} } = {}) {
  const checkout = checkoutOf(shop, await createCart(shop, quantities, cart))
  await checkout.call('POST', '/billing-address', address)
  const line_items = Object.entries(await checkout.lines()).map(([product, item_id]) => ({
    item_id,
    quantity: quantities[Number(product)],
  }))
  const { status, text } = await checkout.call('POST', '/consignments', [{ address, line_items }])
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

test('X9: the zone of its address and of the group of its customer taxes a checkout', async () => {
  const shop = await openWithShipping()
  await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })
  const eve = { email: 'eve@example.com', first_name: 'Eve', last_name: 'Lee', customer_group_id: 1 }
  expect((await shop.call('POST', '/customers', [eve])).status).toBe(200)
  const zone = (name: string, location: object, settings = {}) => ({
    name,
    shopper_target_settings: { locations: [location], ...settings },
  })
  const us = { country_code: 'US' }
  const zones = await shop.call('POST', '/tax/zones', [
    zone('US', us),
    zone('US-CA', { ...us, subdivision_codes: ['CA'] }),
    zone('US 902*', { ...us, postal_codes: ['902*'] }),
    zone('US for the group', us, { customer_groups: [1] }),
  ])
  expect(zones.status, zones.text).toBe(200)
  // Each zone has its id as percentage.
  const rates = [1, 2, 3, 4, 5].map((id) => ({
    name: `Rate ${id}`,
    tax_zone_id: id,
    class_rates: [{ rate: id, tax_class_id: 0 }],
  }))
  expect((await shop.call('POST', '/tax/rates', rates)).status).toBe(200)
  const california = { ...ann, city: 'Los Angeles', state_or_province_code: 'CA', postal_code: '90210' }
  const france = { ...ann, city: 'Paris', state_or_province_code: '', country_code: 'FR', postal_code: '75001' }
  const taxOf = async ({ checkout }: Awaited<ReturnType<typeof shipped>>) => (await checkout.get()).tax_total
  const guest = await shipped(shop, { 2: 5 }, { address: california })
  expect(await taxOf(guest)).toBe(4)
  expect(await taxOf(await shipped(shop, { 2: 5 }, { address: california, cart: { customer_id: 1 } }))).toBe(5)
  expect(await taxOf(await shipped(shop, { 2: 5 }, { address: france }))).toBe(1)
  expect((await shop.call('PUT', '/tax/zones', [{ id: 4, enabled: false }])).status).toBe(200)
  expect(await taxOf(guest)).toBe(3)
})

test('S9: the zone of the most exact type ships a checkout', async () => {
  const shop = await openWithShipping()
  const v2 = async (path: string, body: object) => {
    const { status, text } = await shop.call('POST', path, body, { version: 'v2' })
    expect(status, text).toBeLessThan(300)
  }
  await v2('/shipping/zones', { name: 'US', type: 'country', locations: [{ country_iso2: 'US' }] })
  await v2('/shipping/zones', { name: 'NY', type: 'state', locations: [{ country_iso2: 'US', state_iso2: 'NY' }] })
  await v2('/shipping/zones', { name: '11103', type: 'zip', locations: [{ country_iso2: 'US', zip: '11103' }] })
  for (const rate of [30, 20, 10]) {
    await v2(`/shipping/zones/${5 - rate / 10}/methods`, { name: 'Flat', type: 'perorder', settings: { rate } })
  }
  const costsAt = async (country_code: string, state_or_province_code: string, postal_code: string) => {
    const address = { ...ann, country_code, state_or_province_code, postal_code }
    return (await shipped(shop, { 1: 1 }, { address })).costs()
  }
  expect(await costsAt('US', 'NY', '11103')).toEqual([10])
  expect(await costsAt('US', 'NY', '10001')).toEqual([20])
  expect(await costsAt('US', 'TX', '73301')).toEqual([30])
  expect(await costsAt('MX', '', '01000')).toEqual([2, 7])
})

test('S8: a zone that ships free leaves the fixed amounts of products to pay', async () => {
  const shop = await openWithShipping()
  const bowl = { name: 'Bowl', type: 'physical', weight: 1, price: 13, fixed_cost_shipping_price: 4 }
  expect((await shop.call('POST', '/catalog/products', bowl)).status).toBe(200)
  const zone = (exclude_fixed_shipping_products: boolean) => ({
    name: 'World',
    free_shipping: { enabled: true, minimum_sub_total: 50, exclude_fixed_shipping_products },
  })
  await shop.call('PUT', '/shipping/zones/1', zone(true), { version: 'v2' })
  const { costs } = await shipped(shop, { 2: 2, 4: 2 })
  expect((await costs())[0]).toBe(8)
  await shop.call('PUT', '/shipping/zones/1', zone(false), { version: 'v2' })
  expect((await costs())[0]).toBe(0)
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
