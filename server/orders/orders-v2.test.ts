import { describe, expect, test } from 'vitest'
import { sql } from '../core/db/sql.ts'
import { leaveRunner } from '../customers/leaving.ts'
import { doJobs } from '../test/jobs.ts'
import { overhear } from '../test/overhear.ts'
import { type Answered, openShop, type Shop, theHouse } from '../test/shop.ts'
import { dbOf, rowsOf } from '../test/webhooks.ts'
import { leaveOrders } from './left-customers.ts'

// docs/contract/orders.md sections 2 to 7.

const ida = {
  first_name: 'Ida',
  last_name: 'Holm',
  street_1: 'Nyhavn 12',
  city: 'Copenhagen',
  state: 'Hovedstaden',
  zip: '1051',
  country_iso2: 'dk',
  email: 'ida@example.com',
}
const goods = (...products: object[]) => ({ billing_address: ida, products })
const custom = (price_ex_tax: number, price_inc_tax: number, quantity = 1, more: object = {}) => ({
  name: 'Engraving',
  quantity,
  price_ex_tax,
  price_inc_tax,
  ...more,
})

type V2 = (method: string, path: string, body?: unknown) => Promise<Answered>
const speak =
  (shop: Shop): V2 =>
  (method, path, body) =>
    shop.call(method, path, body, { version: 'v2' })

/** A store with a mug (product 1), and a shirt in two sizes with an engraving to choose (product 2, variants 2 and 3). */
async function openWithGoods() {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', [
    {
      name: 'Mug',
      type: 'physical',
      weight: 0.4,
      price: 18.5,
      cost_price: 7,
      sku: 'MUG',
      inventory_tracking: 'product',
    },
    {
      name: 'Shirt',
      type: 'physical',
      weight: 0.2,
      price: 25,
      variants: ['S', 'M'].map((label) => ({
        sku: `SHIRT-${label}`,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    },
  ])
  await shop.call('POST', '/catalog/products/2/modifiers', {
    display_name: 'Print',
    type: 'dropdown',
    required: true,
    option_values: [
      { label: 'None', sort_order: 0 },
      { label: 'Name', sort_order: 1, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } },
      { label: 'Picture', sort_order: 2, adjusters: { price: { adjuster: 'percentage', adjuster_value: 10 } } },
    ],
  })
  return { shop, v2: speak(shop) }
}

const stockUp = (shop: Shop, ...items: object[]) =>
  shop.call('PUT', '/inventory/adjustments/absolute', { items: items.map((item) => ({ location_id: 1, ...item })) })
const onHand = async (shop: Shop) =>
  (await rowsOf(shop, 'stock')).map((row) => [row.product_id, row.variant_id, row.location_id, row.on_hand])

/** What was told of orders, without what they begin with. */
const told = async (shop: Shop, after = 0) =>
  (await rowsOf(shop, 'events'))
    .slice(after)
    .filter(({ scope }) => /\/(order|shipment)\//.test(String(scope)) && !/inventory/.test(String(scope)))
    .map(({ scope, data }) => [scope, JSON.parse(String(data))])

test('an order is answered as a whole, and read again as it was answered', async () => {
  const { shop, v2 } = await openWithGoods()
  const { status, body } = await v2('POST', '/orders', {
    ...goods({ product_id: 1, quantity: 2 }),
    status_id: 0,
    staff_notes: 'By phone',
    payment_provider_id: 5,
    ip_address: '192.0.2.1',
  })
  expect(status).toBe(200)
  const link = (resource: string) => ({ url: `http://shop.test/stores/${shop.store.hash}/v2${resource}`, resource })
  expect(body).toEqual({
    id: 1,
    customer_id: 0,
    date_created: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000$/),
    date_modified: body.date_created,
    date_shipped: '',
    cart_id: null,
    status_id: 0,
    status: 'Incomplete',
    subtotal_ex_tax: '37.0000',
    subtotal_inc_tax: '37.0000',
    subtotal_tax: '0.0000',
    base_shipping_cost: '0.0000',
    shipping_cost_ex_tax: '0.0000',
    shipping_cost_inc_tax: '0.0000',
    shipping_cost_tax: '0.0000',
    shipping_cost_tax_class_id: 0,
    base_handling_cost: '0.0000',
    handling_cost_ex_tax: '0.0000',
    handling_cost_inc_tax: '0.0000',
    handling_cost_tax: '0.0000',
    handling_cost_tax_class_id: 0,
    base_wrapping_cost: '0.0000',
    wrapping_cost_ex_tax: '0.0000',
    wrapping_cost_inc_tax: '0.0000',
    wrapping_cost_tax: '0.0000',
    wrapping_cost_tax_class_id: 0,
    total_ex_tax: '37.0000',
    total_inc_tax: '37.0000',
    total_tax: '0.0000',
    items_total: 2,
    items_shipped: 0,
    payment_method: '',
    payment_provider_id: '5',
    payment_status: '',
    refunded_amount: '0.0000',
    order_is_digital: false,
    store_credit_amount: '0.0000',
    gift_certificate_amount: '0.0000',
    ip_address: '192.0.2.1',
    ip_address_v6: '',
    geoip_country: '',
    geoip_country_iso2: '',
    currency_id: 1,
    currency_code: 'USD',
    currency_exchange_rate: '1.0000000000',
    default_currency_id: 1,
    default_currency_code: 'USD',
    store_default_currency_code: 'USD',
    store_default_to_transactional_exchange_rate: '1.0000000000',
    staff_notes: 'By phone',
    customer_message: '',
    discount_amount: '0.0000',
    coupon_discount: '0.0000',
    shipping_address_count: 1,
    is_deleted: false,
    ebay_order_id: '',
    billing_address: {
      ...ida,
      company: '',
      street_2: '',
      country: 'Denmark',
      country_iso2: 'DK',
      phone: '',
      form_fields: [],
    },
    is_email_opt_in: false,
    order_source: 'external',
    channel_id: 1,
    external_source: null,
    external_id: null,
    external_merchant_id: null,
    external_order_id: '',
    tax_provider_id: '',
    customer_locale: '',
    is_tax_inclusive_pricing: false,
    products: link('/orders/1/products'),
    shipping_addresses: link('/orders/1/shipping_addresses'),
    coupons: link('/orders/1/coupons'),
    consignments: link('/orders/1/consignments'),
    fees: link('/orders/1/fees'),
  })
  const read = await v2('GET', '/orders/1')
  expect(read.body).toEqual(body)
  expect(read.headers['last-modified']).toBe(body.date_modified.replace('+0000', 'GMT'))
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
    {
      id: 1,
      order_id: 1,
      product_id: 1,
      variant_id: 1,
      order_address_id: 1,
      order_pickup_method_id: 0,
      name: 'Mug',
      sku: 'MUG',
      type: 'physical',
      base_price: '18.5000',
      price_ex_tax: '18.5000',
      price_inc_tax: '18.5000',
      total_ex_tax: '37.0000',
      quantity: 2,
      cost_price_ex_tax: '7.0000',
      weight: '0.4000',
      applied_discounts: [],
      product_options: [],
      discounted_total_inc_tax: '37.0000',
    },
  ])
  expect((await v2('GET', '/orders/1/products/1')).body).toEqual((await v2('GET', '/orders/1/products')).body[0])
  expect((await v2('GET', '/orders/1/shipping_addresses')).body).toMatchObject([
    { id: 1, order_id: 1, street_1: 'Nyhavn 12', items_total: 2, items_shipped: 0, cost_ex_tax: '0.0000' },
  ])
  const places = ['/orders/1/shipping_addresses/1', '/orders/1/consignments/shipping/1']
  const [address, { shipping }] = [
    (await v2('GET', '/orders/1/shipping_addresses/1')).body,
    (await v2('GET', '/orders/1/consignments')).body,
  ]
  expect([address.shipping_quotes, shipping[0].shipping_quotes]).toEqual(
    places.map((place) => link(`${place}/shipping_quotes`)),
  )
  // No carrier was asked what it would take.
  for (const place of places) {
    expect((await v2('GET', `${place}/shipping_quotes`)).status).toBe(204)
    expect((await v2('GET', `${place}2/shipping_quotes`)).status).toBe(404)
  }
  expect(await told(shop)).toEqual([
    ['store/order/created', { type: 'order', id: 1 }],
    ['store/channel/1/order/created', { order_id: 1 }],
  ])
})

/** The body of T1 of docs/contract/orders.md section 3. */
const t1 = {
  ...goods(
    { product_id: 1, quantity: 2, price_ex_tax: 12.5, price_inc_tax: 13.5 },
    custom(30, 32.4, 1, {
      wrapping_id: 3,
      wrapping_name: 'Paper',
      wrapping_cost_ex_tax: 3,
      wrapping_cost_inc_tax: '3.24',
    }),
  ),
  discount_amount: '5.5000',
  shipping_cost_ex_tax: 10,
  shipping_cost_inc_tax: 10.8,
  handling_cost_ex_tax: 2,
  handling_cost_inc_tax: 2.16,
  fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_tax: 0.32 }],
}

test('T1: an order with a discount and four costs comes to what the contract says', async () => {
  const { v2 } = await openWithGoods()
  const { body } = await v2('POST', '/orders?include=fees', t1)
  expect(body).toMatchObject({
    subtotal_ex_tax: '55.0000',
    subtotal_inc_tax: '59.4000',
    total_ex_tax: '68.5000',
    total_tax: '5.4800',
    total_inc_tax: '73.9800',
    base_shipping_cost: '10.0000',
    wrapping_cost_inc_tax: '3.2400',
    fees: [
      {
        id: 1,
        type: 'custom_fee',
        display_name_customer: 'Gift box',
        display_name_merchant: 'Gift box',
        source: '',
        base_cost: '4.0000',
        cost_ex_tax: '4.0000',
        cost_inc_tax: '4.3200',
        cost_tax: '0.3200',
        tax_class_id: null,
      },
    ],
  })
  const [mug, engraving] = (await v2('GET', '/orders/1/products')).body
  expect(mug).toMatchObject({
    applied_discounts: [
      { id: 'manual-discount', amount: '2.5000', name: 'Manual Discount', code: null, target: 'order' },
    ],
    discounted_total_inc_tax: '24.3000',
  })
  expect(engraving).toMatchObject({
    product_id: 0,
    variant_id: 0,
    wrapping_name: 'Paper',
    wrapping_cost_tax: '0.2400',
    discounted_total_inc_tax: '29.1600',
  })
  const taxes = (await v2('GET', '/orders/1/taxes?details=true')).body
  expect(
    taxes.map((tax: Record<string, unknown>) => [tax.line_item_type, tax.order_product_id, tax.rate, tax.line_amount]),
  ).toEqual([
    ['item', '1', '8.0000', '1.8000'],
    ['item', '2', '8.0000', '2.1600'],
    ['gift-wrapping', '2', '8.0000', '0.2400'],
    ['shipping', '0', '8.0000', '0.8000'],
    ['handling', '0', '8.0000', '0.1600'],
  ])
  const [tax] = (await v2('GET', '/orders/1/taxes')).body
  expect(tax).toMatchObject({ id: 1, order_id: 1, order_address_id: 1, class: 'API Tax Override', priority: 1 })
  expect(tax).not.toHaveProperty('line_item_type')
  expect((await v2('GET', '/orders/1/fees')).body).toEqual(body.fees)
  expect((await v2('GET', '/orders/1/shipping_addresses/1')).body).toMatchObject({
    cost_ex_tax: '10.0000',
    cost_tax: '0.8000',
    handling_cost_inc_tax: '2.1600',
  })
})

test.each<[string, object, object]>([
  [
    'a total that is set by hand stays beside the subtotal',
    { total_ex_tax: 100, total_inc_tax: 100.02 },
    { subtotal_ex_tax: '37.0000', total_inc_tax: '100.0200', total_tax: '0.0200' },
  ],
  [
    'a subtotal that is set by hand stays beside the total',
    { subtotal_ex_tax: 1, subtotal_inc_tax: 2 },
    { subtotal_tax: '1.0000', total_inc_tax: '37.0000' },
  ],
  [
    'wrapping of the whole order',
    { wrapping_cost_ex_tax: 1, wrapping_cost_inc_tax: 1.1 },
    { total_inc_tax: '38.1000' },
  ],
  [
    'a base cost of its own',
    { base_shipping_cost: 9, shipping_cost_ex_tax: 3, shipping_cost_inc_tax: 3 },
    { base_shipping_cost: '9.0000' },
  ],
  [
    'the day it was made',
    { date_created: 'Tue, 12 Jun 2018 14:41:56 +0000' },
    { date_created: 'Tue, 12 Jun 2018 14:41:56 +0000' },
  ],
  [
    'what other systems call it',
    { external_order_id: 'A-1', external_merchant_id: 'm', external_source: 'POS' },
    { external_order_id: 'A-1' },
  ],
  ['its status unless it is told', {}, { status_id: 1, status: 'Pending' }],
])('an order takes %s', async (_, more, shown) => {
  const { v2 } = await openWithGoods()
  const { status, body } = await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 2 }), ...more })
  expect([status, body]).toMatchObject([200, shown])
})

describe('what is sold', () => {
  const print = (value: number, more: object = {}) => ({ id: 1, value: String(value), ...more })

  test('a variant by its id or by its options, with what was chosen beside it', async () => {
    const { v2 } = await openWithGoods()
    const { body } = await v2(
      'POST',
      '/orders',
      goods(
        { product_id: 2, variant_id: 3, quantity: 1, product_options: [print(2)] },
        { product_id: 2, quantity: 1, product_options: [{ id: 1, value: '1' }, print(3, { display_value: 'A cat' })] },
        {
          product_id: 2,
          variant_id: 2,
          quantity: 2,
          name: 'Gift',
          product_options: [print(1)],
          price_ex_tax: 1,
          price_inc_tax: 1.2,
        },
      ),
    )
    expect(body).toMatchObject({ subtotal_ex_tax: '59.5000', items_total: 4 })
    const lines = (await v2('GET', '/orders/1/products')).body
    expect(lines).toMatchObject([
      { variant_id: 3, sku: 'SHIRT-M', price_ex_tax: '30.0000' },
      { variant_id: 2, sku: 'SHIRT-S', price_ex_tax: '27.5000' },
      { variant_id: 2, name: 'Gift', name_customer: 'Gift', price_inc_tax: '1.2000', total_tax: '0.4000' },
    ])
    expect(lines[1].product_options).toMatchObject([
      {
        id: 1,
        product_option_id: 1,
        order_product_id: 2,
        display_name: 'Size',
        display_value: 'S',
        value: '1',
        type: 'Multiple choice',
      },
      { id: 2, product_option_id: 1, order_product_id: 2, display_name: 'Print', display_value: 'A cat', value: '3' },
    ])
  })

  test.each<[string, object, Record<string, unknown>]>([
    ['a product that is not there', { product_id: 9 }, { 'products.0.product_id': 'The product 9 does not exist.' }],
    [
      'a variant of another product',
      { product_id: 1, variant_id: 2 },
      { 'products.0.variant_id': 'The product has no variant 2.' },
    ],
    [
      'no variant of several',
      { product_id: 2, product_options: [print(3)] },
      { 'products.0.product_options': 'Name the variant_id, or a value of each option of the product.' },
    ],
    [
      'no choice where one is needed',
      { product_id: 2, variant_id: 2 },
      { 'products.0.product_options': 'Needed: Print.' },
    ],
    [
      'a choice that the product does not have',
      { product_id: 1, product_options: [{ id: 7, value: '1' }] },
      { 'products.0.product_options.0.id': 'The product has no option 7 with this value.' },
    ],
    [
      'a value that a choice does not have',
      { product_id: 2, variant_id: 2, product_options: [print(9)] },
      { 'products.0.product_options.0.value': 'Print has no value 9.' },
    ],
    ['none of a product', { product_id: 1, quantity: 0 }, { 'products.0.quantity': 'quantity must be at least 1.' }],
    [
      'half of a price',
      { product_id: 1, price_ex_tax: 1 },
      { 'products.0.price_inc_tax': 'price_ex_tax and price_inc_tax come together.' },
    ],
    [
      'a price with tax below that without',
      { product_id: 1, price_ex_tax: 2, price_inc_tax: 1 },
      { 'products.0.price_inc_tax': 'price_inc_tax must not be less than price_ex_tax.' },
    ],
    [
      'a custom product without a name, a price and a quantity',
      {},
      {
        'products.0.name': 'error.path.missing',
        'products.0.quantity': 'error.path.missing',
        'products.0.price_ex_tax': 'error.path.missing',
      },
    ],
    [
      'wrapping without its costs',
      { product_id: 1, wrapping_id: 2 },
      { 'products.0.wrapping_cost_ex_tax': 'Wrapping needs wrapping_cost_ex_tax and wrapping_cost_inc_tax.' },
    ],
    [
      'more than a thousand million',
      { product_id: 1, quantity: 1_000_000_001 },
      { 'products.0.quantity': 'quantity must be at most 1000000000, not 1000000001.' },
    ],
    [
      'more than an amount holds',
      custom(99_999_999_999, 99_999_999_999, 9),
      { total_inc_tax: 'An order can cost at most 99999999999.' },
    ],
  ])('is refused: %s', async (_, line, details) => {
    const { v2 } = await openWithGoods()
    expect(await v2('POST', '/orders', goods(line))).toMatchObject({ status: 400, body: [{ status: 400, details }] })
  })

  test('a price that follows from rules or quantities has to be given', async () => {
    const { shop, v2 } = await openWithGoods()
    const rule = { quantity_min: 2, quantity_max: 0, type: 'percent', amount: 10 }
    await shop.call('POST', '/catalog/products/1/bulk-pricing-rules', rule)
    expect(await v2('POST', '/orders', goods({ product_id: 1 }))).toMatchObject({
      status: 400,
      body: [{ details: { 'products.0.price_ex_tax': expect.stringContaining('send price_ex_tax') } }],
    })
    expect((await v2('POST', '/orders', goods({ product_id: 1, price_ex_tax: 9, price_inc_tax: 9 }))).status).toBe(200)
  })
})

test.each<[string, object, object]>([
  ['no address', { products: [custom(1, 1)] }, { billing_address: 'error.path.missing' }],
  [
    'no postal code',
    { billing_address: { city: 'Paris' }, products: [custom(1, 1)] },
    { 'billing_address.zip': 'error.path.missing' },
  ],
  [
    'a line of which nothing is said',
    goods({}),
    Object.fromEntries(
      ['name', 'quantity', 'price_ex_tax', 'price_inc_tax'].map((field) => [
        `products.0.${field}`,
        'error.path.missing',
      ]),
    ),
  ],
  ['neither products nor consignments', { billing_address: ida }, { products: 'error.path.missing' }],
  [
    'both',
    { ...goods(custom(1, 1)), consignments: { pickups: [{ pickup_method_id: 1, line_items: [custom(1, 1)] }] } },
    { consignments: 'An order has either products or consignments.' },
  ],
  [
    'a status that nobody knows',
    { ...goods(custom(1, 1)), status_id: 15 },
    { status_id: 'status_id must be at most 14, not 15.' },
  ],
  [
    'a channel that is not there',
    { ...goods(custom(1, 1)), channel_id: 7 },
    { channel_id: 'The channel 7 does not exist.' },
  ],
  [
    'a customer who is not there',
    { ...goods(custom(1, 1)), customer_id: 7 },
    { customer_id: 'The customer 7 does not exist.' },
  ],
  [
    'a country that is not there',
    { ...goods(custom(1, 1)), billing_address: { ...ida, country_iso2: 'XX' } },
    { 'billing_address.country_iso2': 'There is no country XX.' },
  ],
  [
    'a currency that the store does not have',
    { ...goods(custom(1, 1)), default_currency_code: 'EUR' },
    { default_currency_code: 'Nothing can be paid in EUR here.' },
  ],
  [
    'more discount than the products cost',
    { ...goods(custom(1, 1)), discount_amount: 1.01 },
    { discount_amount: 'The discount is greater than what the products cost: 1.' },
  ],
  [
    'half of a pair of costs',
    { ...goods(custom(1, 1)), shipping_cost_ex_tax: 1 },
    { shipping_cost_inc_tax: 'shipping_cost_ex_tax and shipping_cost_inc_tax come together.' },
  ],
  [
    'a fee without a name and with one cost',
    { ...goods(custom(1, 1)), fees: [{ cost_ex_tax: 1 }] },
    {
      'fees.0.display_name_customer': 'error.path.missing',
      'fees.0.cost_ex_tax': 'A fee needs two of cost_ex_tax, cost_inc_tax and cost_tax.',
    },
  ],
  [
    'a fee whose costs contradict each other',
    { ...goods(custom(1, 1)), fees: [{ display_name_merchant: 'F', cost_ex_tax: 1, cost_inc_tax: 2, cost_tax: 2 }] },
    { 'fees.0.cost_tax': 'cost_ex_tax and cost_tax must add up to cost_inc_tax, and none be negative.' },
  ],
  [
    'an amount that no number holds',
    { ...goods(custom(1, 1)), shipping_cost_ex_tax: 1e300, shipping_cost_inc_tax: '1e400' },
    { shipping_cost_ex_tax: expect.any(String), shipping_cost_inc_tax: 'error.expected.jsnumber' },
  ],
  [
    'a pickup method that is not there',
    { billing_address: ida, consignments: { pickups: [{ pickup_method_id: 9, line_items: [custom(1, 1)] }] } },
    { 'consignments.pickups.0.pickup_method_id': 'The pickup method 9 does not exist.' },
  ],
])('an order is refused: %s', async (_, body, details) => {
  const shop = await openShop()
  expect(await speak(shop)('POST', '/orders', body)).toMatchObject({ status: 400, body: [{ status: 400, details }] })
  expect(await rowsOf(shop, 'orders')).toEqual([])
})

describe('stock', () => {
  test('an order that is placed takes it, one that is cancelled gives it back, and neither does so twice', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 10 })
    const at = async (status_id: number) => {
      await v2('PUT', '/orders/1', { status_id })
      return (await onHand(shop))[0]?.[3]
    }
    await v2('POST', '/orders', goods({ product_id: 1, quantity: 3 }))
    expect((await onHand(shop))[0]?.[3]).toBe(10)
    for (const [status, left] of [
      [11, 7],
      [9, 7],
      [2, 7],
      [14, 7],
      [5, 10],
      [5, 10],
      [11, 7],
      [1, 10],
      [10, 7],
      [4, 10],
    ] as const) {
      expect([status, await at(status)]).toEqual([status, left])
    }
  })

  test('with other settings it is taken when goods leave, and kept when an order is cancelled', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 10 })
    await shop.call('PUT', '/settings/inventory', {
      update_stock_behavior: 'order_completed_or_shipped',
      refund_order_stock_adjustment: false,
      edit_order_stock_adjustment: false,
    })
    await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 3 }), status_id: 11 })
    const left: unknown[] = []
    for (const status_id of [9, 2, 13, 5]) {
      await v2('PUT', '/orders/1', { status_id })
      left.push((await onHand(shop))[0]?.[3])
    }
    expect(left).toEqual([10, 7, 7, 7])
    await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 1 }), status_id: 2 })
    await v2('PUT', '/orders/2', { products: [{ id: 2, quantity: 4 }] })
    expect((await onHand(shop))[0]?.[3]).toBe(6)
  })

  test('too little of it refuses the order as a whole, and a change of status takes what is there', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 2 })
    const body = goods({ product_id: 1, quantity: 3 }, custom(1, 1))
    expect(await v2('POST', '/orders', { ...body, status_id: 11 })).toMatchObject({
      status: 400,
      body: [{ details: { products: 'Too little is in stock: 3 of product 1 are wanted and 2 for sale.' } }],
    })
    expect(await rowsOf(shop, 'orders')).toEqual([])
    expect((await onHand(shop))[0]?.[3]).toBe(2)
    await v2('POST', '/orders', body)
    expect((await v2('PUT', '/orders/1', { status_id: 11 })).status).toBe(200)
    expect(await rowsOf(shop, 'stock_commitments')).toMatchObject([{ key: 'order 1', quantity: 2, oversold: 1 }])
    await v2('POST', '/orders', { ...body, status_id: 11, external_source: 'M-MIG' })
    expect((await onHand(shop))[0]?.[3]).toBe(0)
  })

  test('what the first location lacks comes from the next one; C-044: the warnings are told', async () => {
    const { shop, v2 } = await openWithGoods()
    await shop.call('POST', '/inventory/locations', [{ label: 'Two', type_id: 'VIRTUAL' }])
    await stockUp(shop, { product_id: 1, quantity: 2 }, { product_id: 1, quantity: 5, location_id: 2 })
    const before = (await rowsOf(shop, 'events')).length
    await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 3 }), status_id: 11 })
    expect(await onHand(shop)).toEqual([
      [1, 0, 1, 0],
      [1, 0, 2, 4],
    ])
    const scopes = (await rowsOf(shop, 'events')).slice(before).map(({ scope }) => String(scope))
    expect(scopes.filter((scope) => scope.includes('channel/*'))).toEqual([
      'store/channel/*/inventory/product/stock_changed',
      'store/channel/*/inventory/product/stock_changed',
      'store/channel/*/inventory/product/low_stock_reached',
      'store/channel/*/inventory/product/out_of_stock_reached',
    ])
    await v2('PUT', '/orders/1', { products: [{ id: 1, quantity: 1 }] })
    expect((await onHand(shop)).map((row) => row[3])).toEqual([1, 5])
  })

  test('ten orders at once sell no more than there is', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 6 })
    const body = { ...goods({ product_id: 1, quantity: 1 }), status_id: 11 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => v2('POST', '/orders', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), ...Array(4).fill(400)])
    expect((await onHand(shop))[0]?.[3]).toBe(0)
    expect((await rowsOf(shop, 'orders')).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('changing', () => {
  test('products are a patch, and the totals follow', async () => {
    const { v2 } = await openWithGoods()
    await v2('POST', '/orders', t1)
    const { body } = await v2('PUT', '/orders/1', {
      products: [{ id: 1, quantity: 4 }, { id: 2, wrapping_id: 0 }, custom(10, 10.8)],
      discount_amount: 0,
    })
    expect(body).toMatchObject({
      items_total: 6,
      subtotal_ex_tax: '90.0000',
      wrapping_cost_ex_tax: '0.0000',
      total_ex_tax: '106.0000',
      total_inc_tax: '114.4800',
    })
    expect((await v2('GET', '/orders/1/products')).body).toMatchObject([
      { id: 1, quantity: 4, applied_discounts: [] },
      { id: 2, wrapping_id: 0, wrapping_name: null },
      { id: 3, quantity: 1, order_address_id: 1 },
    ])
    await v2('PUT', '/orders/1', { products: [{ id: 2, quantity: 0 }] })
    expect((await v2('GET', '/orders/1/products')).body.map(({ id }: { id: number }) => id)).toEqual([1, 3])
    expect((await v2('GET', '/orders/1/taxes?details=true')).body).toHaveLength(4)
  })

  test('fees are replaced: one stays, one goes, one is new', async () => {
    const { v2 } = await openWithGoods()
    await v2('POST', '/orders', {
      ...t1,
      fees: [...t1.fees, { display_name_merchant: 'Rush', cost_ex_tax: 2, cost_inc_tax: 2 }],
    })
    const { body } = await v2('PUT', '/orders/1', {
      fees: [
        { id: 1, display_name_customer: 'Box' },
        { display_name_customer: 'Card', cost_inc_tax: 1.1, cost_tax: 0.1 },
      ],
    })
    expect(body.total_inc_tax).toBe('75.0800')
    expect((await v2('GET', '/orders/1/fees')).body).toMatchObject([
      { id: 1, display_name_customer: 'Box', cost_ex_tax: '4.0000' },
      { id: 3, display_name_customer: 'Card', cost_ex_tax: '1.0000' },
    ])
    await v2('PUT', '/orders/1', { fees: [] })
    expect((await v2('GET', '/orders/1/fees')).status).toBe(204)
  })

  test('a total that was set by hand stays until something it is made of changes', async () => {
    const { v2 } = await openWithGoods()
    await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 2 }), total_ex_tax: 30, total_inc_tax: 30 })
    const total = async (body: object) => (await v2('PUT', '/orders/1', body)).body.total_inc_tax
    expect(await total({ staff_notes: 'x' })).toBe('30.0000')
    expect(await total({ products: [{ id: 1, quantity: 2 }] })).toBe('30.0000')
    expect(await total({ shipping_cost_ex_tax: 1, shipping_cost_inc_tax: 1 })).toBe('38.0000')
  })

  test('each field can be changed; what is the same is not told', async () => {
    const { shop, v2 } = await openWithGoods()
    await shop.call('POST', '/customers', [{ email: 'ida@example.com', first_name: 'Ida', last_name: 'Holm' }])
    await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 2 }), ip_address: '192.0.2.1' })
    const changes = {
      customer_id: 1,
      customer_message: 'Ring twice',
      staff_notes: 'Fragile',
      payment_method: 'Cash',
      ip_address_v6: '2001:db8::1',
      external_order_id: 'B-2',
      billing_address: { city: 'Aarhus' },
    }
    const before = (await rowsOf(shop, 'events')).length
    const { body } = await v2('PUT', '/orders/1', changes)
    expect(body).toMatchObject({ ...changes, ip_address: '' })
    expect(body.billing_address.street_1).toBe('Nyhavn 12')
    await v2('PUT', '/orders/1', changes)
    await v2('PUT', '/orders/1', { status_id: 11, status: 'Pending' })
    await v2('PUT', '/orders/1/shipping_addresses/1', { city: 'Odense', shipping_method: 'Bike' })
    await v2('PUT', '/orders/1/shipping_addresses/1', { city: 'Odense' })
    await v2('PUT', '/orders/1', { shipping_addresses: [{ zip: '5000' }] })
    expect((await v2('GET', '/orders/1/shipping_addresses')).body).toMatchObject([
      { city: 'Odense', zip: '5000', shipping_method: 'Bike' },
    ])
    const updated = ['store/order/updated', { type: 'order', id: 1 }]
    const onChannel = ['store/channel/1/order/updated', { order_id: 1 }]
    expect(await told(shop, before)).toEqual([
      updated,
      onChannel,
      updated,
      ['store/order/statusUpdated', { type: 'order', id: 1, status: { previous_status_id: 1, new_status_id: 11 } }],
      onChannel,
      ['store/channel/1/order/statusUpdated', { order_id: 1 }],
      updated,
      onChannel,
      updated,
      onChannel,
    ])
  })

  test.each<[string, object, object]>([
    ['nothing but the name of a status', { status: 'Shipped' }, { status: 'status is read-only: write status_id.' }],
    [
      'the id of the merchant',
      { external_merchant_id: 'x' },
      { external_merchant_id: expect.stringContaining('never again') },
    ],
    [
      'a product that the order does not have',
      { products: [{ id: 9, quantity: 1 }] },
      { 'products.0.id': 'The order has no product 9.' },
    ],
    ['a product twice', { products: [{ id: 1 }, { id: 1 }] }, { 'products.1.id': 'Another item has this id.' }],
    ['the last product', { products: [{ id: 1, quantity: 0 }] }, { products: 'An order needs at least one product.' }],
    ['a fee that the order does not have', { fees: [{ id: 9 }] }, { 'fees.0.id': 'The order has no fee 9.' }],
    [
      'an address that the order does not have',
      { shipping_addresses: [{ id: 9 }] },
      { 'shipping_addresses.0.id': 'The order has no shipping address 9.' },
    ],
    [
      'a pickup of an order that is shipped',
      { consignments: { pickups: [{ id: 1 }] } },
      { consignments: 'This order is not collected.' },
    ],
  ])('is refused: %s', async (_, changes, details) => {
    const { v2 } = await openWithGoods()
    await v2('POST', '/orders', goods({ product_id: 1 }))
    expect(await v2('PUT', '/orders/1', changes)).toMatchObject({ status: 400, body: [{ details }] })
  })
})

test('what is collected stands in a consignment, and takes the stock of its location', async () => {
  const { shop, v2 } = await openWithGoods()
  const address = {
    address1: 'Kaj 1',
    city: 'Aarhus',
    state: '',
    zip: '8000',
    email: 'kaj@example.com',
    country_code: 'DK',
    geo_coordinates: { latitude: 56, longitude: 10 },
  }
  await shop.call('POST', '/inventory/locations', [{ label: 'Harbour', code: 'H', address }])
  await stockUp(shop, { product_id: 1, quantity: 9 }, { product_id: 1, quantity: 2, location_id: 2 })
  await shop.call('POST', '/pickup/methods', [{ location_id: 2, display_name: 'Counter' }])
  const collect = (quantity: number) => ({
    billing_address: ida,
    status_id: 8,
    consignments: {
      pickups: [{ pickup_method_id: 1, collection_instructions: 'Ring', line_items: [{ product_id: 1, quantity }] }],
    },
  })
  expect((await v2('POST', '/orders', collect(3))).status).toBe(400)
  const { body } = await v2('POST', '/orders?include=consignments.line_items', collect(2))
  expect(body).toMatchObject({
    shipping_address_count: 0,
    consignments: {
      pickups: [
        {
          id: 1,
          pickup_method_id: 1,
          pickup_method_display_name: 'Counter',
          collection_instructions: 'Ring',
          location: { id: 2, name: 'Harbour', code: 'H', city: 'Aarhus', postal_code: '8000', country_alpha2: 'DK' },
          line_items: [{ id: 1, order_pickup_method_id: 1, order_address_id: 0, name: 'Mug' }],
        },
      ],
      shipping: [],
      downloads: [],
      email: { gift_certificates: [] },
    },
  })
  expect((await onHand(shop)).map((row) => row[3])).toEqual([9, 0])
  expect((await v2('GET', '/orders/1/shipping_addresses')).status).toBe(204)
  const [pickup] = (await v2('GET', '/orders/1/consignments')).body.pickups
  expect(pickup.line_items).toEqual([
    { url: `http://shop.test/stores/${shop.store.hash}/v2/orders/1/products/1`, resource: '/orders/1/products/1' },
  ])
  await v2('PUT', '/orders/1', {
    consignments: { pickups: [{ id: 1, pickup_method_display_name: 'Window', line_items: [{ id: 1, quantity: 1 }] }] },
  })
  expect((await v2('GET', '/orders/1/consignments?include=consignments.line_items')).body.pickups).toMatchObject([
    { pickup_method_display_name: 'Window', collection_instructions: 'Ring', line_items: [{ quantity: 1 }] },
  ])
  expect((await onHand(shop)).map((row) => row[3])).toEqual([9, 1])
  expect(await v2('PUT', '/orders/1', { products: [custom(1, 1)] })).toMatchObject({ status: 400 })
})

test('what is digital goes nowhere', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/catalog/products', { name: 'Song', type: 'digital', weight: 0, price: 1 })
  const { body } = await v2('POST', '/orders?include=consignments', goods({ product_id: 1 }))
  expect(body).toMatchObject({
    order_is_digital: true,
    shipping_address_count: 0,
    consignments: { shipping: [], downloads: [{ recipient_email: 'ida@example.com', line_items: [{}] }] },
  })
})

describe('lists', () => {
  const listed = async (v2: V2, query: string) => {
    const { status, body } = await v2('GET', `/orders${query}`)
    return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
  }

  test('every filter and every sort', async () => {
    const shop = await openShop()
    const v2 = speak(shop)
    await shop.call('POST', '/customers', [{ email: 'bo@example.com', first_name: 'Bo', last_name: 'Dal' }])
    await shop.call('POST', '/channels', { name: 'Fair', type: 'pos', platform: 'square', status: 'connected' })
    expect(await listed(v2, '')).toEqual([])
    const bodies = [
      { ...goods(custom(10, 10)), date_created: '2024-03-01', payment_method: 'Cash', external_order_id: 'X-1' },
      { ...goods(custom(30, 30)), date_created: '2024-01-01', customer_id: 1, status_id: 11 },
      {
        ...goods(custom(20, 20)),
        billing_address: { ...ida, email: 'BO@example.com' },
        date_created: '2024-02-01',
        channel_id: 664_159,
        status_id: 11,
      },
    ]
    for (const body of bodies) expect((await v2('POST', '/orders', body)).status).toBe(200)
    const [first] = await rowsOf(shop, 'orders')
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows({
        name: 'cart',
        text: 'update orders set cart_id = $2 where store_id = $1 and id = 2',
        values: [shop.store.id, 'abc'],
      }),
    )
    for (const [query, ids] of [
      ['', [1, 2, 3]],
      ['?min_id=2', [2, 3]],
      ['?max_id=2', [1, 2]],
      ['?min_total=20', [2, 3]],
      ['?max_total=20', [1, 3]],
      ['?min_date_created=2024-02-01', [1, 3]],
      ['?max_date_created=2024-02-01', [2, 3]],
      ['?min_date_modified=2024-02-01', [1, 2, 3]],
      ['?max_date_modified=2024-02-01', []],
      ['?customer_id=1', [2]],
      ['?customer_id=0', [1, 3]],
      ['?email=bo%40example.com', [3]],
      ['?status_id=11', [2, 3]],
      ['?status_id=99', []],
      ['?cart_id=abc', [2]],
      ['?payment_method=cash', [1]],
      ['?channel_id=664159', [3]],
      ['?external_order_id=X-1', [1]],
      ['?sort=id:desc', [3, 2, 1]],
      ['?sort=date_created', [2, 3, 1]],
      ['?sort=date_created&direction=desc', [1, 3, 2]],
      ['?sort=date_modified:asc', [1, 2, 3]],
      ['?sort=status_id', [1, 2, 3]],
      ['?sort=status_id:desc', [3, 2, 1]],
      ['?sort=customer_id:desc', [2, 3, 1]],
      ['?sort=channel_id:desc', [3, 2, 1]],
      ['?sort=external_id', [1, 2, 3]],
      ['?limit=2', [1, 2]],
      ['?limit=2&page=2', [3]],
      ['?limit=2&page=3', []],
      ['?status_id=11&min_total=25&unknown=1', [2]],
    ] as const) {
      expect([query, await listed(v2, query)]).toEqual([query, ids])
    }
    expect(String(first?.email_key)).toBe('ida@example.com')
    const { body } = await v2('GET', '/orders/count?min_total=20')
    expect(body.count).toBe(2)
    expect(body.statuses).toHaveLength(15)
    expect(body.statuses[11]).toMatchObject({ id: 11, name: 'Awaiting Fulfillment', count: 2, sort_order: 3 })
    expect((await v2('GET', '/orders?include=fees,consignments&consignment_structure=object')).body).toMatchObject([
      { id: 1, fees: [], consignments: { shipping: [{ id: 1 }] } },
      { id: 2 },
      { id: 3, consignments: { shipping: [{ id: 3, email: 'BO@example.com' }] } },
    ])
  })

  test('dates that do not rise with the ids, over several spans of ids', async () => {
    const { shop, v2 } = await openWithGoods()
    const placed = async (last_id: number, year: number) => {
      await (await dbOf(shop)).transaction((tx) =>
        tx.rows(sql`update counters set last_id = ${last_id} where store_id = ${tx.store.id} and resource = 'orders'`),
      )
      const body = {
        ...goods(custom(1, 1)),
        date_created: `${year}-05-04T09:00:00Z`,
        status_id: year === 2025 ? 11 : 10,
      }
      expect((await v2('POST', '/orders', body)).status).toBe(200)
    }
    for (const [last_id, year] of [
      [0, 2020],
      [1, 2024],
      [999, 2025],
      [1_000, 2019],
      [2_500, 2021],
    ] as const) {
      await placed(last_id, year)
    }
    for (const [query, ids] of [
      ['?min_date_created=2021-01-01', [2, 1000, 2501]],
      ['?min_date_created=2021-01-01&sort=id:desc', [2501, 1000, 2]],
      ['?min_date_created=2021-01-01&direction=desc&limit=2', [2501, 1000]],
      ['?min_date_created=2021-01-01&limit=2&page=2', [2501]],
      ['?max_date_created=2020-12-31', [1, 1001]],
      ['?min_date_created=2020-01-01&max_date_created=2021-12-31', [1, 2501]],
      ['?min_date_created=2021-01-01&status_id=11', [1000]],
      ['?min_date_created=2021-01-01&min_id=900&max_id=2000', [1000]],
      ['?min_date_created=2026-01-01', []],
    ] as const) {
      expect([query, await listed(v2, query)]).toEqual([query, ids])
    }

    // What was changed since a moment: the next one soon after finds its span ahead of it, the last one behind.
    const { clock } = await theHouse()
    for (const [minutes, id] of [
      [60, 1],
      [5, 2],
      [20, 1_001],
    ] as const) {
      clock.move(minutes * 60_000)
      const since = clock.now().toISOString()
      expect((await v2('PUT', `/orders/${id}`, { staff_notes: since })).status).toBe(200)
      for (const [query, ids] of [
        [`?min_date_modified=${since}`, [id]],
        [`?min_date_modified=${since}&sort=id:desc&min_date_created=2019-01-01`, [id]],
        [`?min_date_modified=${since}&status_id=11`, []],
      ] as const) {
        expect([query, await listed(v2, query)]).toEqual([query, ids])
      }
    }
  })

  test.each([
    ['sort=total', 400],
    ['min_id=x', 400],
    ['channel_id=1.5', 400],
    ['channel_id=9007199254740993', 400],
    ['min_date_created=soon', 400],
    ['page=0', 400],
    ['include=products', 400],
    ['limit=251', 413],
  ])('%s is refused', async (query, status) => {
    const shop = await openShop()
    expect(await speak(shop)('GET', `/orders?${query}`)).toMatchObject({ status, body: [{ status }] })
  })

  test('archived orders are read by id, listed when they are asked for, and keep their stock', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 9 })
    for (let i = 0; i < 4; i++) await v2('POST', '/orders', { ...goods({ product_id: 1 }), status_id: 11 })
    const before = (await rowsOf(shop, 'events')).length
    expect((await v2('DELETE', '/orders/2')).status).toBe(204)
    expect((await v2('DELETE', '/orders/2')).status).toBe(204)
    expect((await v2('PUT', '/orders/4', { is_deleted: true })).body.is_deleted).toBe(true)
    expect(await told(shop, before)).toEqual([
      ['store/order/archived', { type: 'order', id: 2 }],
      ['store/channel/1/order/archived', { order_id: 2 }],
      ['store/order/archived', { type: 'order', id: 4 }],
      ['store/channel/1/order/archived', { order_id: 4 }],
    ])
    expect(await listed(v2, '')).toEqual([1, 3])
    expect(await listed(v2, '?is_deleted=true')).toEqual([2, 4])
    expect((await v2('GET', '/orders/2')).body.is_deleted).toBe(true)
    expect((await v2('PUT', '/orders/2', { is_deleted: false })).status).toBe(400)
    expect((await onHand(shop))[0]?.[3]).toBe(5)
    await v2('DELETE', '/orders?limit=1')
    expect(await listed(v2, '')).toEqual([3])
    await v2('DELETE', '/orders')
    expect(await listed(v2, '')).toEqual([])
  })
})

test('the statuses of orders can be read', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  expect((await v2('GET', '/order_statuses')).body).toHaveLength(15)
  expect((await v2('GET', '/order_statuses/0')).body).toEqual({
    id: 0,
    name: 'Incomplete',
    system_label: 'Incomplete',
    custom_label: 'Incomplete',
    system_description: 'The customer reached the payment and did not finish it.',
    order: 0,
  })
  expect((await v2('GET', '/order_statuses/15')).status).toBe(404)
})

test('orders of a customer who is deleted stay, as those of a guest', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/customers', [{ email: 'bo@example.com', first_name: 'Bo', last_name: 'Dal' }])
  for (let i = 0; i < 2; i++) await v2('POST', '/orders', { ...goods(custom(1, 1)), customer_id: 1 })
  await v2('DELETE', '/orders/2')
  await shop.call('DELETE', '/customers?id:in=1')
  await doJobs([leaveRunner([leaveOrders])])
  expect((await v2('GET', '/orders/1')).body.customer_id).toBe(0)
  expect((await v2('GET', '/orders/2')).body.customer_id).toBe(0)
  expect((await v2('GET', '/orders?customer_id=1')).status).toBe(204)
})

test('an order with its products and addresses is read by four statements at most, its list by as many as one', async () => {
  const { v2 } = await openWithGoods()
  const sentBy = async (paths: readonly string[]) => {
    for (const path of paths) await v2('GET', path)
    const heard = overhear()
    for (const path of paths) expect((await v2('GET', path)).status).toBe(200)
    heard.stop()
    // Walls drop their rows.
    const sent = heard.statements.filter(({ dropsRows, values }) => !dropsRows && values.length > 0)
    return sent.map(({ text }) => /from "?(order\w+)"?/.exec(text)?.[1])
  }
  for (let n = 0; n < 3; n++) await v2('POST', '/orders', goods({ product_id: 1 }, custom(1, 1)))
  expect((await sentBy(['/orders/1?include=consignments.line_items'])).sort()).toEqual([
    'order_addresses',
    'order_pickup_consignments',
    'order_products',
    'orders',
  ])
  expect(await sentBy(['/orders?include=consignments.line_items'])).toHaveLength(4)
})

test('a location with open orders stays, one whose orders are over goes', async () => {
  const { shop, v2 } = await openWithGoods()
  const address = { address1: '1 Road', city: 'Sydney', state: '', zip: '2000', country_code: 'AU' }
  const located = { address: { ...address, email: 'a@x.test', geo_coordinates: { latitude: 0, longitude: 0 } } }
  await shop.call('POST', '/inventory/locations', [{ label: 'Mall', ...located }])
  await shop.call('POST', '/pickup/methods', [{ location_id: 2, display_name: 'Counter' }])
  await stockUp(shop, { product_id: 1, quantity: 5, location_id: 2 })
  const pickups = [{ pickup_method_id: 1, line_items: [custom(1, 1)] }]
  for (const body of [
    { ...goods({ product_id: 1 }), status_id: 11 },
    { billing_address: ida, consignments: { pickups } },
  ]) {
    const { status, text } = await v2('POST', '/orders', body)
    expect(status, text).toBe(200)
  }
  const gone = () => shop.call('DELETE', '/inventory/locations?location_id:in=2')
  expect(await gone()).toMatchObject({
    status: 422,
    body: { title: 'Mall has 2 open orders: the location 2 must stay.' },
  })
  await v2('PUT', '/orders/1', { status_id: 2 })
  expect((await gone()).body.title).toBe('Mall has 1 open order: the location 2 must stay.')
  await v2('DELETE', '/orders/2')
  expect((await gone()).status).toBe(200)
  expect((await v2('GET', '/orders/2/consignments')).body.pickups[0].location.name).toBe('Mall')
})

test('of an order that is not there nothing can be read', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  const parts = [
    '',
    '/products',
    '/products/1',
    '/shipping_addresses',
    '/shipping_addresses/1',
    '/shipping_addresses/1/shipping_quotes',
    '/consignments/shipping/1/shipping_quotes',
    '/taxes',
    '/fees',
    '/consignments',
  ]
  for (const part of parts) expect((await v2('GET', `/orders/1${part}`)).status).toBe(404)
})
