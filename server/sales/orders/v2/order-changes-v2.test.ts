import { describe, expect, test } from 'vitest'
import { custom, goods, ida, onHand, openWithGoods, orderEvents, stockUp, t1 } from '../../../test/fixtures/goods.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// Changes of orders in the v2 API, and their effect on stock (docs/contract/orders.md sections 2 and 4).

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

  test('too little stock refuses the whole order, and a change of status takes the available stock', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 2 })
    const body = goods({ product_id: 1, quantity: 3 }, custom(1, 1))
    expect(await v2('POST', '/orders', { ...body, status_id: 11 })).toMatchObject({
      status: 400,
      body: [{ details: { products: 'Too little is in stock: 3 of product 1 are ordered and 2 are available.' } }],
    })
    expect(await rowsOf(shop, 'orders')).toEqual([])
    expect((await onHand(shop))[0]?.[3]).toBe(2)
    await v2('POST', '/orders', body)
    expect((await v2('PUT', '/orders/1', { status_id: 11 })).status).toBe(200)
    expect(await rowsOf(shop, 'stock_commitments')).toMatchObject([{ key: 'order 1', quantity: 2, oversold: 1 }])
    await v2('POST', '/orders', { ...body, status_id: 11, external_source: 'M-MIG' })
    expect((await onHand(shop))[0]?.[3]).toBe(0)
  })

  test('stock that the first location lacks comes from the next one; C-044: the warnings are published', async () => {
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
    const kinds = async () =>
      (await v2('GET', '/orders/1/taxes?details=true')).body.map(
        ({ line_item_type: kind, line_amount }: Record<string, unknown>) => [kind, line_amount],
      )
    const others = [
      ['shipping', '0.8000'],
      ['handling', '0.1600'],
    ]
    expect(await kinds()).toEqual([...others, ['fee', '0.3200'], ['item', '4.0000'], ['item', '0.8000']])
    await v2('PUT', '/orders/1', { fees: [{ display_name_customer: 'Deposit', cost_ex_tax: 5, cost_tax: 1 }] })
    expect(await kinds()).toEqual([...others, ['item', '4.0000'], ['item', '0.8000'], ['fee', '1.0000']])
    await v2('PUT', '/orders/1', { fees: [] })
    expect(await kinds()).toEqual([...others, ['item', '4.0000'], ['item', '0.8000']])
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

  test('each field can be changed; equal values publish no event', async () => {
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
    expect(await orderEvents(shop, before)).toEqual([
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

  test('an order and its parts are sent back as they were read, and nothing changes', async () => {
    const { shop, v2 } = await openWithGoods()
    await v2('POST', '/orders', t1)
    const { body: order } = await v2('GET', '/orders/1')
    const { body: whole } = await v2('GET', '/orders/1?include=consignments,fees')
    const { body: products } = await v2('GET', '/orders/1/products')
    const { body: shipping_addresses } = await v2('GET', '/orders/1/shipping_addresses')
    const before = (await rowsOf(shop, 'events')).length
    for (const body of [order, whole, { products: [products[0]] }, { shipping_addresses }]) {
      expect(await v2('PUT', '/orders/1', body)).toMatchObject({ status: 200, body: order })
    }
    expect(await orderEvents(shop, before)).toEqual([])

    const print = { id: 1, value: '1', display_name: 'Motif' }
    const shirt = { product_id: 2, variant_id: 3, quantity: 1, product_options: [print] }
    await shop.call('POST', '/pickup/methods', [{ location_id: 1, display_name: 'Counter' }])
    await v2('POST', '/orders', {
      billing_address: ida,
      consignments: { pickups: [{ pickup_method_id: 1, line_items: [shirt] }] },
    })
    for (const include of ['consignments', 'consignments.line_items']) {
      const { consignments } = (await v2('GET', `/orders/2?include=${include}`)).body
      const back = await v2('PUT', '/orders/2', { consignments })
      expect(back.status, back.text).toBe(200)
    }
    const { body: lines } = await v2('GET', '/orders/2/products')
    expect(lines[0].product_options).toMatchObject([{ value: '2' }, { product_option_id: 1, display_name: 'Motif' }])
    const { consignments } = (await v2('GET', '/orders/2?include=consignments.line_items')).body
    const [{ id, line_items }] = consignments.pickups
    const more = await v2('PUT', '/orders/2', {
      consignments: { pickups: [{ id, line_items: [{ ...line_items[0], quantity: 3 }] }] },
    })
    expect([more.status, more.body.items_total, more.body.subtotal_ex_tax]).toEqual([
      200,
      3,
      `${(3 * Number(line_items[0].price_ex_tax)).toFixed(4)}`,
    ])
  })

  test.each<[string, object, object]>([
    ['nothing but the name of a status', { status: 'Shipped' }, { status: 'status is read-only: write status_id.' }],
    [
      'the id of the merchant',
      { external_merchant_id: 'x' },
      { external_merchant_id: expect.stringContaining('can only be set when') },
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

test('a collected order has a consignment, and takes the stock of its location', async () => {
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
    body: { title: 'Mall has 2 open orders: the location 2 cannot be deleted.' },
  })
  await v2('PUT', '/orders/1', { status_id: 2 })
  expect((await gone()).body.title).toBe('Mall has 1 open order: the location 2 cannot be deleted.')
  await v2('DELETE', '/orders/2')
  expect((await gone()).status).toBe(200)
  expect((await v2('GET', '/orders/2/consignments')).body.pickups[0].location.name).toBe('Mall')
})
