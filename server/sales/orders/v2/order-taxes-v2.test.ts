import { beforeEach, expect, test } from 'vitest'
import { custom, ida, speak, type V2 } from '../../../test/fixtures/goods.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// Taxes of lines by rates (docs/contract/orders.md section 3): lines without given prices are taxed where they go.

let shop: Shop
let v2: V2
const usa = { ...ida, country: 'United States', country_iso2: 'US', state: 'Massachusetts', zip: '02108' }

/** Zone 2 is Massachusetts with two rates, zone 3 Germany, zone 4 Massachusetts for the group 1. */
beforeEach(async () => {
  shop = await openShop()
  v2 = speak(shop)
  await v2('POST', '/customer_groups', { name: 'Exempt' })
  const product = { type: 'physical', weight: 1, price: 19.99 }
  await shop.call('POST', '/tax/classes', [{ name: 'Books' }])
  await shop.call('POST', '/catalog/products', [
    { ...product, name: 'Mug' },
    { ...product, name: 'Book', tax_class_id: 4 },
    { ...product, name: 'Download', type: 'digital' },
  ])
  const state = { country_code: 'US', subdivision_codes: ['MA'] }
  await shop.call('POST', '/tax/zones', [
    { name: 'Massachusetts', shopper_target_settings: { locations: [state] } },
    { name: 'Germany', shopper_target_settings: { locations: [{ country_code: 'DE' }] } },
    { name: 'Exempt', shopper_target_settings: { locations: [state], customer_groups: [1] } },
  ])
  const rate = (name: string, tax_zone_id: number, percent: number, more: object = {}) => ({
    name,
    tax_zone_id,
    class_rates: [{ rate: percent, tax_class_id: 0 }],
    ...more,
  })
  await shop.call('POST', '/tax/rates', [
    rate('City', 2, 2, { priority: 2 }),
    rate('State', 2, 6.25),
    rate('MwSt', 3, 19, {
      class_rates: [
        { rate: 19, tax_class_id: 0 },
        { rate: 7, tax_class_id: 4 },
      ],
    }),
  ])
})

const taxesOf = async (order = 1) => {
  const { status, body } = await v2('GET', `/orders/${order}/taxes?details=true`)
  return status === 204 ? [] : body
}
const taxes = async (order = 1) =>
  (await taxesOf(order)).map((tax: Record<string, unknown>) => [tax.name, tax.class, tax.rate, tax.line_amount])
const to = (address: object, ...products: object[]) => ({ billing_address: address, products })
const mugs = (quantity: number) => ({ product_id: 1, quantity })

test('rows name the rate and the class', async () => {
  const { body } = await v2('POST', '/orders', to(usa, mugs(3)))
  // 59.97 with 3.75; the city also taxes the tax of the state: 63.72 with 1.27.
  expect(body).toMatchObject({
    subtotal_ex_tax: '59.9700',
    subtotal_inc_tax: '64.9900',
    total_tax: '5.0200',
    total_inc_tax: '64.9900',
    is_tax_inclusive_pricing: false,
  })
  expect(await taxesOf()).toEqual([
    {
      id: 1,
      order_id: 1,
      order_address_id: 1,
      order_pickup_method_id: 0,
      order_product_id: '1',
      line_item_type: 'item',
      tax_rate_id: 2,
      tax_class_id: 0,
      name: 'State',
      class: 'Default Tax Class',
      rate: '6.2500',
      priority: 1,
      priority_amount: '3.7500',
      line_amount: '3.7500',
      sales_tax_id: '',
    },
    expect.objectContaining({ tax_rate_id: 1, name: 'City', rate: '2.0000', priority: 2, line_amount: '1.2700' }),
  ])
  // The price of a unit has four decimals, and totals those of the currency.
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
    {
      base_price: '19.9900',
      price_ex_tax: '19.9900',
      price_inc_tax: '21.6642',
      price_tax: '1.6742',
      total_ex_tax: '59.9700',
      total_inc_tax: '64.9900',
      total_tax: '5.0200',
      discounted_total_inc_tax: '64.9900',
    },
  ])
})

test('goods are taxed where they are sent, downloads where they are paid', async () => {
  const shipping_addresses = [{ ...ida, country: 'Germany', country_iso2: 'DE', state: '' }]
  const lines = [mugs(1), { product_id: 2, quantity: 1 }, { product_id: 3, quantity: 1 }]
  await v2('POST', '/orders', { ...to(usa, ...lines), shipping_addresses })
  expect(await taxes()).toEqual([
    ['MwSt', 'Default Tax Class', '19.0000', '3.8000'],
    ['MwSt', 'Books', '7.0000', '1.4000'],
    ['State', 'Default Tax Class', '6.2500', '1.2500'],
    ['City', 'Default Tax Class', '2.0000', '0.4200'],
  ])
})

test('a group with a zone of its own is taxed there', async () => {
  const customer = { email: 'e@example.com', first_name: 'E', last_name: 'E', customer_group_id: 1 }
  await shop.call('POST', '/customers', [customer])
  const { body } = await v2('POST', '/orders', { ...to(usa, mugs(1)), customer_id: 1 })
  expect(body).toMatchObject({ total_tax: '0.0000', total_inc_tax: '19.9900' })
  expect(await taxes()).toEqual([])
})

test('given prices are taxed as they say, beside lines with rates', async () => {
  const given = { ...mugs(1), price_ex_tax: 10, price_inc_tax: 11 }
  const { body } = await v2('POST', '/orders', to(usa, given, mugs(1), custom(5, 5)))
  expect(body).toMatchObject({ subtotal_inc_tax: '37.6600', total_tax: '2.6700' })
  expect(await taxes()).toEqual([
    ['Tax', 'API Tax Override', '10.0000', '1.0000'],
    ['State', 'Default Tax Class', '6.2500', '1.2500'],
    ['City', 'Default Tax Class', '2.0000', '0.4200'],
  ])
})

test('taxes are those of the price after discounts', async () => {
  await v2('POST', '/orders', { ...to(usa, mugs(1), custom(19.99, 19.99)), discount_amount: 20 })
  expect((await v2('GET', '/orders/1')).body).toMatchObject({
    subtotal_inc_tax: '41.6500',
    total_ex_tax: '19.9800',
    total_tax: '0.8300',
    total_inc_tax: '20.8100',
  })
  expect(await taxes()).toEqual([
    ['State', 'Default Tax Class', '6.2500', '0.6200'],
    ['City', 'Default Tax Class', '2.0000', '0.2100'],
  ])
})

test('a later change calculates with the rates of then', async () => {
  await v2('POST', '/orders', to(usa, mugs(1)))
  await shop.call('PUT', '/tax/rates', [{ id: 2, name: 'New', class_rates: [{ rate: 50, tax_class_id: 0 }] }])
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
  await v2('PUT', '/orders/1', { products: [{ id: 1, quantity: 3 }] })
  expect((await v2('GET', '/orders/1')).body).toMatchObject({
    total_inc_tax: '64.9900',
    is_tax_inclusive_pricing: false,
  })
  const before = await taxes()
  expect(before.map(([name]: string[]) => name)).toEqual(['State', 'City'])
  // Another address changes no tax.
  await v2('PUT', '/orders/1', {
    billing_address: { country_iso2: 'DE' },
    shipping_addresses: [{ country_iso2: 'DE' }],
  })
  expect(await taxes()).toEqual(before)
  // A new line has the rates of now, those of the new address.
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: false })
  await v2('PUT', '/orders/1', { products: [{ product_id: 2, quantity: 1 }] })
  expect(await taxes()).toEqual([...before, ['MwSt', 'Books', '7.0000', '1.4000']])
})

test('a line that is sent as it was read stays with its taxes; with another price it has that one', async () => {
  await v2('POST', '/orders', to(usa, mugs(3)))
  const before = (await v2('GET', '/orders/1')).body
  const products = (await v2('GET', '/orders/1/products')).body.map(
    ({ id, product_id, variant_id, quantity, price_ex_tax, price_inc_tax }: Record<string, unknown>) => ({
      id,
      product_id,
      variant_id,
      quantity,
      price_ex_tax,
      price_inc_tax,
    }),
  )
  expect((await v2('PUT', '/orders/1', { products })).body).toEqual(before)
  await v2('PUT', '/orders/1', { products: [{ id: 1, price_ex_tax: 10, price_inc_tax: 11 }] })
  expect(await taxes()).toEqual([['Tax', 'API Tax Override', '10.0000', '3.0000']])
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
    { total_inc_tax: '33.0000', discounted_total_inc_tax: '33.0000' },
  ])
})

test('prices that contain tax are the exact ones', async () => {
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true, store_tax_zone_id: 3 })
  await v2('POST', '/orders', to({ ...ida, country: 'Germany', country_iso2: 'DE' }, mugs(3)))
  expect((await v2('GET', '/orders/1')).body).toMatchObject({
    is_tax_inclusive_pricing: true,
    total_ex_tax: '50.3900',
    total_tax: '9.5800',
    total_inc_tax: '59.9700',
  })
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
    { price_ex_tax: '16.7983', price_inc_tax: '19.9900', total_ex_tax: '50.3900', total_inc_tax: '59.9700' },
  ])
})

test('X5: the tax of the store is taken out before that of the shopper is added', async () => {
  await shop.call('POST', '/tax/rates', [
    { name: 'Store', tax_zone_id: 1, class_rates: [{ rate: 20, tax_class_id: 0 }] },
  ])
  await shop.call('PUT', '/tax/rates', [
    { id: 1, enabled: false },
    { id: 2, class_rates: [{ rate: 10, tax_class_id: 0 }] },
  ])
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
  await v2('POST', '/orders', to(usa, mugs(3)))
  expect((await v2('GET', '/orders/1')).body).toMatchObject({
    total_ex_tax: '49.9800',
    total_tax: '5.0000',
    total_inc_tax: '54.9800',
  })
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
    { base_price: '19.9900', price_ex_tax: '16.6583', price_inc_tax: '18.3241', total_inc_tax: '54.9800' },
  ])
})

test('X10: shipping without a tax of its own stays untaxed beside taxed goods', async () => {
  await shop.call('PUT', '/tax/rates', [
    { id: 1, enabled: false },
    { id: 2, class_rates: [{ rate: 8, tax_class_id: 0 }] },
  ])
  await shop.call('PUT', '/catalog/products/1', { price: 50 })
  const { body } = await v2('POST', '/orders', {
    ...to(usa, mugs(1)),
    shipping_cost_ex_tax: 9,
    shipping_cost_inc_tax: 9,
  })
  expect(body).toMatchObject({ total_ex_tax: '59.0000', total_tax: '4.0000', total_inc_tax: '63.0000' })
  expect(await taxesOf()).toMatchObject([{ line_item_type: 'item', line_amount: '4.0000' }])
})

test('without rounding of rates, only the sum of all taxes is rounded', async () => {
  await shop.call('PUT', '/tax/settings', { rounding_strategy: 'NO_ROUNDING' })
  // 19.99 with 1.249375 and 0.4247875 each: 3 of them are 5.0224875.
  const { body } = await v2('POST', '/orders', to(usa, mugs(1), mugs(1), mugs(1)))
  expect(body).toMatchObject({ total_tax: '5.0200', total_inc_tax: '64.9900' })
  expect((await taxes()).map(([, , , amount]: string[]) => amount)).toEqual([
    '1.2500',
    '0.4200',
    '1.2500',
    '0.4300',
    '1.2500',
    '0.4200',
  ])
})

test('a refund of units returns their tax by the stored rates', async () => {
  await v2('POST', '/orders', { ...to(usa, mugs(3)), status_id: 11 })
  await shop.call('DELETE', '/tax/rates?id:in=1,2')
  const path = '/orders/1/payment_actions'
  const quoted: number[][] = []
  for (let unit = 0; unit < 3; unit++) {
    const items = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]
    const { data } = (await shop.call('POST', `${path}/refund_quotes`, { items })).body
    quoted.push([data.total_refund_amount, data.total_refund_tax_amount])
    const payments = [{ provider_id: 'custom', amount: data.total_refund_amount, offline: true }]
    expect((await shop.call('POST', `${path}/refunds`, { items, payments })).status).toBe(201)
  }
  expect(quoted).toEqual([
    [21.66, 1.67],
    [21.67, 1.68],
    [21.66, 1.67],
  ])
})
