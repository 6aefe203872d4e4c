import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { moneyRunners, payOrder } from '../../../test/fixtures/orders.ts'
import { localServices, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { pay } from '../../../test/fixtures/shopper.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { eightPercent, TaxServer } from '../../../test/servers/tax-server.ts'
import { taxDocumentRunner } from '../refunds/tax-documents.ts'

// Orders of checkouts whose tax is that of a provider or in the prices, that are collected, and whose addresses have form fields
// (docs/contract/orders.md section 10).

const server = await new TaxServer().open()
const services = localServices()
afterAll(async () => {
  server.close()
  await services.close()
})

let shop: Shop
beforeEach(async () => {
  server.mode = undefined
  shop = await openWithShipping()
})

const v2 = async (path: string) => (await shop.call('GET', path, undefined, { version: 'v2' })).body
type Checkout = ReturnType<typeof checkoutOf>
async function bought({ call }: Checkout): Promise<number> {
  const { status, text, body } = await call('POST', '/orders')
  if (status !== 200) throw new Error(text)
  return body.data.id
}

/** A checkout of two lamps and a download, shipped for 10. */
async function shipped(address: object = ann): Promise<Checkout> {
  const checkout = checkoutOf(shop, await createCart(shop, { 1: 2, 3: 1 }))
  expect((await checkout.call('POST', '/billing-address', address)).status).toBe(200)
  const line_items = [{ item_id: (await checkout.lines())[1], quantity: 2 }]
  const { body } = await checkout.call('POST', '/consignments', [{ address, line_items }])
  const custom_shipping = { price: 10, description: 'Van' }
  await checkout.call('PUT', `/consignments/${body.data.consignments[0].id}`, { custom_shipping })
  return checkout
}

/** A checkout of two lamps that go to two places, two vases that go with the second one, and a download. */
async function shippedTwice(): Promise<Checkout> {
  const checkout = checkoutOf(shop, await createCart(shop, { 1: 2, 2: 2, 3: 1 }))
  await checkout.call('POST', '/billing-address', ann)
  const lines = await checkout.lines()
  const bo = { ...ann, state_or_province_code: 'CA', postal_code: '90210' }
  const lamp = { item_id: lines[1], quantity: 1 }
  const { body } = await checkout.call('POST', '/consignments', [
    { address: ann, line_items: [lamp] },
    { address: bo, line_items: [lamp, { item_id: lines[2], quantity: 2 }] },
  ])
  for (const [i, { id }] of body.data.consignments.entries()) {
    await checkout.call('PUT', `/consignments/${id}`, { custom_shipping: { price: 10 + i, description: 'Van' } })
  }
  return checkout
}

/** Does all due jobs of money and of tax documents. */
async function doDocuments() {
  const { secrets } = (await theHouse()).installation
  await doJobs([...(await moneyRunners()), taxDocumentRunner({ services, secrets })])
}

describe('with a tax provider', () => {
  let provider: string
  beforeEach(async () => {
    server.taxOfLine = eightPercent
    server.book.clear()
    provider = await connectTaxProvider(shop, server.url)
  })

  test('the order has the taxes that the provider has calculated for the checkout', async () => {
    const checkout = await shipped()
    const answer = await checkout.get()
    expect([answer.tax_total, answer.grand_total]).toEqual([3.2, 43.2])
    const id = await bought(checkout)
    expect(await v2(`/orders/${id}`)).toMatchObject({
      total_ex_tax: '40.0000',
      total_inc_tax: '43.2000',
      total_tax: '3.2000',
      shipping_cost_inc_tax: '10.8000',
    })
    const taxes = await v2(`/orders/${id}/taxes?details=true`)
    expect(
      taxes.map(({ name, line_item_type, line_amount }: Record<string, unknown>) => [
        name,
        line_item_type,
        line_amount,
      ]),
    ).toEqual([
      ['State', 'item', '2.0000'],
      ['State', 'item', '0.4000'],
      ['State', 'shipping', '0.8000'],
    ])
    expect((await pay(shop, id)).status).toBe(201)
    expect((await v2(`/orders/${id}`)).status_id).toBe(11)
  })

  test('a provider that takes no tax is believed, also where the store has rates', async () => {
    const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 25 }))
    await shop.call('POST', '/tax/rates', [{ tax_zone_id: 1, name: 'VAT', enabled: true, priority: 1, class_rates }])
    server.taxOfLine = ({ price: { amount } }) => ({ total_tax: 0, amount_inclusive: amount, amount_exclusive: amount })
    const id = await bought(await shipped())
    expect(await v2(`/orders/${id}`)).toMatchObject({ total_inc_tax: '40.0000', tax_provider_id: provider })
    expect(await v2(`/orders/${id}/taxes?details=true`)).toBeUndefined()
    expect((await v2(`/orders/${id}/products`))[0]).toMatchObject({
      price_inc_tax: '12.5000',
      discounted_total_inc_tax: '25.0000',
    })
  })

  test('the document of an order has one part for each address, and its refunds are those of the provider', async () => {
    await connectTaxProvider(shop, server.url, { submitsOrders: true })
    const checkout = await shippedTwice()
    const id = await bought(checkout)
    const [first, , vase] = await v2(`/orders/${id}/products`)
    await payOrder(shop, id)
    await doDocuments()
    const sums = () =>
      [...server.book.values()].flatMap(({ documents }) =>
        documents.map(({ destination_address, items, shipping }) => [
          destination_address.region_code,
          items.map(({ price, quantity }) => [quantity, price.amount]),
          shipping.price.amount,
        ]),
      )
    expect(sums()).toEqual([
      ['TX', [[1, 12.5]], 10],
      [
        'CA',
        [
          [1, 12.5],
          [2, 40],
        ],
        11,
      ],
      ['TX', [[1, 5]], 0],
    ])
    const items = [
      { item_type: 'PRODUCT', item_id: vase.id, quantity: 1 },
      { item_type: 'SHIPPING', item_id: 2, amount: 11 },
      { item_type: 'PRODUCT', item_id: first.id, quantity: 1 },
    ]
    server.calls.length = 0
    const asked = await shop.call('POST', `/orders/${id}/payment_actions/refund_quotes`, { items })
    // 20.00, 11.00 and 12.50 with 8 %.
    expect(asked.body.data).toMatchObject({ total_refund_amount: 46.98, total_refund_tax_amount: 3.48 })
    expect(server.calls.map(({ call }) => call)).toEqual(['estimate'])
    const payments = [{ provider_id: 'custom', amount: 46.98, offline: true }]
    const refunded = await shop.call('POST', `/orders/${id}/payment_actions/refunds`, { items, payments })
    expect(refunded.status, refunded.text).toBe(201)
    await doDocuments()
    expect(sums()).toEqual([
      ['TX', [], 10],
      [
        'CA',
        [
          [1, 12.5],
          [1, 20],
        ],
        0,
      ],
      ['TX', [[1, 5]], 0],
    ])
  })

  test('no order is created while the tax is unknown', async () => {
    const checkout = await shipped()
    await shop.call('PUT', '/tax/settings', { fallback_strategy: 'DISABLE' })
    server.mode = (response) => response.writeHead(500).end()
    // Another amount, so that no earlier answer of the provider fits.
    await checkout.call('POST', '/discounts', { cart: { discounts: [{ discounted_amount: 1 }] } })
    const { status, body } = await checkout.call('POST', '/orders')
    expect([status, body.title]).toEqual([503, 'The tax provider does not answer. Try again later.'])
    expect(await v2('/orders')).toBeUndefined()
  })
})

test('with prices that contain tax the order has the amounts of the checkout', async () => {
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
  const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 25 }))
  await shop.call('POST', '/tax/rates', [{ tax_zone_id: 1, name: 'VAT', enabled: true, priority: 1, class_rates }])
  const checkout = await shipped()
  const answer = await checkout.get()
  expect([answer.grand_total, answer.tax_total]).toEqual([40, 8])
  const id = await bought(checkout)
  expect(await v2(`/orders/${id}`)).toMatchObject({
    subtotal_inc_tax: '30.0000',
    subtotal_ex_tax: '24.0000',
    shipping_cost_inc_tax: '10.0000',
    shipping_cost_ex_tax: '8.0000',
    total_inc_tax: '40.0000',
    total_ex_tax: '32.0000',
    total_tax: '8.0000',
  })
  expect((await v2(`/orders/${id}/products`))[0]).toMatchObject({
    base_price: '12.5000',
    price_inc_tax: '12.5000',
    price_ex_tax: '10.0000',
    total_inc_tax: '25.0000',
  })
})

test('a checkout that is collected becomes an order with a pickup', async () => {
  const address = {
    address1: '5 Dock Street',
    city: 'Seattle',
    state: 'WA',
    zip: '98101',
    email: 'dock@example.com',
    geo_coordinates: { latitude: 47.6, longitude: -122.3 },
    country_code: 'US',
  }
  await shop.call('POST', '/inventory/locations', [{ code: 'DOCK', label: 'Dock', enabled: true, address }])
  const locations = (await shop.call('GET', '/inventory/locations')).body.data
  const { id: location_id } = locations.find(({ code }: { code: string }) => code === 'DOCK')
  const method = { location_id, display_name: 'Dock', collection_instructions: '', collection_time_description: '' }
  await shop.call('POST', '/pickup/methods', [method])
  const checkout = checkoutOf(shop, await createCart(shop, { 1: 2, 2: 1 }))
  await checkout.call('POST', '/billing-address', ann)
  const lines = await checkout.lines()
  const line_items = [
    { item_id: lines[1], quantity: 2 },
    { item_id: lines[2], quantity: 1 },
  ]
  const consigned = await checkout.call('POST', '/consignments', [
    { pickup_option: { pickup_method_id: 1 }, line_items },
  ])
  expect(consigned.status, consigned.text).toBe(200)
  const id = await bought(checkout)
  expect(await v2(`/orders/${id}`)).toMatchObject({
    total_inc_tax: '45.0000',
    shipping_cost_inc_tax: '0.0000',
    shipping_address_count: 0,
    items_total: 3,
  })
  const { pickups, shipping } = await v2(`/orders/${id}/consignments?include=consignments.line_items`)
  expect(shipping).toEqual([])
  expect(pickups).toMatchObject([
    { pickup_method_id: 1, location: { name: 'Dock' }, line_items: [{ name: 'Lamp' }, { name: 'Vase' }] },
  ])
})

test('form fields of addresses are named by their labels', async () => {
  await shop.call('PUT', '/settings/form-fields', { customer: [], address: [{ name: 'Door code', type: 'text' }] })
  const [field] = await rowsOf(shop, 'customer_form_fields')
  const checkout = await shipped({ ...ann, custom_fields: [{ field_id: String(field?.id), field_value: '12 B' }] })
  const id = await bought(checkout)
  const form_fields = [{ name: 'Door code', value: '12 B' }]
  expect((await v2(`/orders/${id}`)).billing_address).toMatchObject({ form_fields })
  expect(await v2(`/orders/${id}/shipping_addresses`)).toMatchObject([{ form_fields }])
})
