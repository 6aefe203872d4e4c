import { describe, expect, test } from 'vitest'
import { custom, goods, ida, openWithGoods, orderEvents, speak, t1 } from '../../../test/fixtures/goods.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// New orders of the older family, and how one is read (docs/contract/orders.md sections 1, 3, 4 and 7).

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
    shipping_cost_tax_class_id: 2,
    base_handling_cost: '0.0000',
    handling_cost_ex_tax: '0.0000',
    handling_cost_inc_tax: '0.0000',
    handling_cost_tax: '0.0000',
    handling_cost_tax_class_id: 2,
    base_wrapping_cost: '0.0000',
    wrapping_cost_ex_tax: '0.0000',
    wrapping_cost_inc_tax: '0.0000',
    wrapping_cost_tax: '0.0000',
    wrapping_cost_tax_class_id: 3,
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
  // No carrier has quoted a price.
  for (const place of places) {
    expect((await v2('GET', `${place}/shipping_quotes`)).status).toBe(204)
    expect((await v2('GET', `${place}2/shipping_quotes`)).status).toBe(404)
  }
  expect(await orderEvents(shop)).toEqual([
    ['store/order/created', { type: 'order', id: 1 }],
    ['store/channel/1/order/created', { order_id: 1 }],
  ])
})

test('T1: an order with a discount and four costs has the totals of the contract', async () => {
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
    ['fee', '0', '8.0000', '0.3200'],
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

test('wrapping that costs the order more than its lines has its own row of tax', async () => {
  const { v2 } = await openWithGoods()
  const wrapped = { wrapping_id: 1, wrapping_cost_ex_tax: 2, wrapping_cost_inc_tax: 2.2 }
  const body = { ...goods(custom(10, 11, 1, wrapped)), wrapping_cost_ex_tax: 5, wrapping_cost_inc_tax: 5.5 }
  expect((await v2('POST', '/orders', body)).body.total_tax).toBe('1.5000')
  const rows = async () =>
    (await v2('GET', '/orders/1/taxes?details=true')).body.map((tax: Record<string, unknown>) => [
      tax.line_item_type,
      tax.order_product_id,
      tax.line_amount,
    ])
  const ofLine = [
    ['item', '1', '1.0000'],
    ['gift-wrapping', '1', '0.2000'],
  ]
  expect(await rows()).toEqual([...ofLine, ['gift-wrapping', '0', '0.3000']])
  await v2('PUT', '/orders/1', { wrapping_cost_ex_tax: 2, wrapping_cost_inc_tax: 2.2 })
  expect(await rows()).toEqual(ofLine)
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

describe('products', () => {
  const print = (value: number, more: object = {}) => ({ id: 1, value: String(value), ...more })

  test('a variant is named by its id or by its options, with its modifiers', async () => {
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
      { 'products.0.product_options': 'Send the variant_id, or a value for each option of the product.' },
    ],
    [
      'no choice where one is needed',
      { product_id: 2, variant_id: 2 },
      { 'products.0.product_options': 'Required: Print.' },
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
      { 'products.0.price_inc_tax': 'Send price_ex_tax and price_inc_tax together.' },
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
    { consignments: 'Send either products or consignments.' },
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
    { default_currency_code: "Orders can't be paid in EUR here." },
  ],
  [
    'more discount than the products cost',
    { ...goods(custom(1, 1)), discount_amount: 1.01 },
    { discount_amount: 'The discount is greater than the price of the products: 1.' },
  ],
  [
    'half of a pair of costs',
    { ...goods(custom(1, 1)), shipping_cost_ex_tax: 1 },
    { shipping_cost_inc_tax: 'Send shipping_cost_ex_tax and shipping_cost_inc_tax together.' },
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
    { 'fees.0.cost_tax': 'cost_ex_tax and cost_tax must add up to cost_inc_tax, and none may be negative.' },
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

test('a digital line has no address', async () => {
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
