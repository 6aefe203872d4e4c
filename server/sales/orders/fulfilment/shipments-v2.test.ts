import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { addMessage } from '../v2/messages-v2.ts'

// docs/contract/orders.md sections 7 and 8.

const ida = {
  first_name: 'Ida',
  street_1: 'Nyhavn 12',
  city: 'Copenhagen',
  zip: '1051',
  country_iso2: 'DK',
  email: 'ida@example.com',
}
const custom = (name: string, quantity: number) => ({ name, quantity, price_ex_tax: 10, price_inc_tax: 10 })

async function openWithOrder(more: object = {}) {
  const shop = await openShop()
  const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
  const products = [custom('Mug', 3), custom('Bowl', 1)]
  const { status } = await v2('POST', '/orders', { billing_address: ida, products, status_id: 11, ...more })
  expect(status).toBe(200)
  return { shop, v2 }
}

const published = async (shop: Shop, after: number) =>
  (await rowsOf(shop, 'events')).slice(after).map(({ scope, data }) => [scope, JSON.parse(String(data))])

test('a shipment is answered as a whole, counted with lines, address and order, and told', async () => {
  const { shop, v2 } = await openWithOrder()
  const before = (await rowsOf(shop, 'events')).length
  expect((await v2('GET', '/orders/1/shipments')).status).toBe(204)
  const { status, headers, body } = await v2('POST', '/orders/1/shipments', {
    order_address_id: 1,
    tracking_number: '123',
    tracking_carrier: 'ups',
    tracking_link: 'https://example.com/123',
    merchant_shipping_cost: '4.5',
    shipping_method: 'Ground',
    shipping_provider: 'ups',
    comments: 'By truck',
    items: [{ order_product_id: 1, quantity: 2 }],
  })
  expect(status).toBe(201)
  expect(headers.location).toBe(`/stores/${shop.store.hash}/v2/orders/1/shipments/1`)
  const address = { ...ida, last_name: '', company: '', street_2: '', state: '', country: 'Denmark', phone: '' }
  expect(body).toEqual({
    id: 1,
    order_id: 1,
    customer_id: 0,
    order_address_id: 1,
    date_created: expect.stringContaining('+0000'),
    tracking_number: '123',
    tracking_carrier: 'ups',
    tracking_link: 'https://example.com/123',
    generated_tracking_link: 'https://example.com/123',
    merchant_shipping_cost: '4.5000',
    shipping_method: 'Ground',
    shipping_provider: 'ups',
    shipping_provider_display_name: 'UPS',
    comments: 'By truck',
    billing_address: address,
    shipping_address: address,
    items: [{ order_product_id: 1, product_id: 0, quantity: 2 }],
  })
  expect((await v2('GET', '/orders/1/shipments/1')).body).toEqual(body)
  expect((await v2('GET', '/orders/1')).body).toMatchObject({
    status_id: 3,
    items_shipped: 2,
    date_shipped: expect.stringContaining('+0000'),
  })
  expect((await v2('GET', '/orders/1/products')).body).toMatchObject([{ quantity_shipped: 2 }, { quantity_shipped: 0 }])
  expect((await v2('GET', '/orders/1/shipping_addresses')).body).toMatchObject([{ items_total: 4, items_shipped: 2 }])
  const status3 = { previous_status_id: 11, new_status_id: 3 }
  expect(await published(shop, before)).toEqual([
    ['store/shipment/created', { type: 'shipment', id: 1, orderId: 1 }],
    ['store/order/updated', { type: 'order', id: 1 }],
    ['store/order/statusUpdated', { type: 'order', id: 1, status: status3 }],
    ['store/channel/1/order/updated', { order_id: 1 }],
    ['store/channel/1/order/statusUpdated', { order_id: 1 }],
  ])
})

test('a shipment without items has the rest, and deleted units can be shipped again; the status remains', async () => {
  const { v2 } = await openWithOrder()
  const send = (items?: object[]) => v2('POST', '/orders/1/shipments', items ? { items } : { comments: 'Rest' })
  await send([{ order_product_id: 1, quantity: 1 }])
  expect((await send()).body.items).toMatchObject([
    { order_product_id: 1, quantity: 2 },
    { order_product_id: 2, quantity: 1 },
  ])
  const order = async () => (await v2('GET', '/orders/1')).body
  expect(await order()).toMatchObject({ status_id: 2, items_shipped: 4 })
  expect((await send()).status).toBe(400)
  expect((await v2('GET', '/orders/1/shipments/count')).body).toEqual({ count: 2 })
  expect((await v2('PUT', '/orders/1/shipments/1', { tracking_number: 'A', comments: '' })).body).toMatchObject({
    tracking_number: 'A',
    items: [{ quantity: 1 }],
  })
  expect((await v2('PUT', '/orders/1', { products: [{ id: 1, quantity: 2 }] })).body).toMatchObject([
    { details: { 'products.0.quantity': '3 of it were shipped or refunded already.' } },
  ])
  expect((await v2('DELETE', '/orders/1/shipments/1')).status).toBe(204)
  expect(await order()).toMatchObject({ status_id: 2, items_shipped: 3 })
  expect((await v2('DELETE', '/orders/1/shipments')).status).toBe(204)
  expect(await order()).toMatchObject({ status_id: 2, items_shipped: 0 })
  expect((await v2('GET', '/orders/1/shipments')).status).toBe(204)
  expect((await v2('DELETE', '/orders/1/shipments/1')).status).toBe(404)
  expect((await send()).body.items).toHaveLength(2)
})

test.each<[string, object, object, object]>([
  [
    'more than is left',
    {},
    { items: [{ order_product_id: 1, quantity: 4 }] },
    { 'items.0.quantity': '4 requested, 3 left to ship.' },
  ],
  [
    'a product that the order does not have, and one twice',
    {},
    { items: [9, 1, 1].map((order_product_id) => ({ order_product_id, quantity: 1 })) },
    {
      'items.0.order_product_id': 'No product 9 is shipped to this address.',
      'items.2.order_product_id': 'Another item has this order_product_id.',
    },
  ],
  ['none of it', {}, { items: [{ order_product_id: 1, quantity: 0 }] }, { 'items.0.quantity': expect.any(String) }],
  ['another address', {}, { order_address_id: 7 }, { order_address_id: 'The order has no shipping address 7.' }],
  [
    'a number that is too long',
    {},
    { tracking_number: 'x'.repeat(51) },
    { tracking_number: 'tracking_number must have at most 50 characters, not 51.' },
  ],
  ['an order that is cancelled', { status_id: 5 }, {}, { status_id: "An order can't be shipped in status Cancelled." }],
])('a shipment is refused: %s', async (_, more, body, details) => {
  const { shop, v2 } = await openWithOrder(more)
  expect(await v2('POST', '/orders/1/shipments', body)).toMatchObject({ status: 400, body: [{ details }] })
  expect(await rowsOf(shop, 'order_shipments')).toEqual([])
})

test('two shipments of the last ones at once: one is refused', async () => {
  const { v2 } = await openWithOrder()
  const all = await Promise.all(Array.from({ length: 4 }, () => v2('POST', '/orders/1/shipments', { comments: 'All' })))
  expect(all.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
})

test('stock that leaves with the goods is taken when the last of them is sent', async () => {
  const shop = await openShop()
  const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
  await shop.call('PUT', '/settings/inventory', { update_stock_behavior: 'order_completed_or_shipped' })
  const mug = { name: 'Mug', type: 'physical', weight: 1, price: 1, inventory_tracking: 'product', inventory_level: 5 }
  await shop.call('POST', '/catalog/products', mug)
  await v2('POST', '/orders', { billing_address: ida, products: [{ product_id: 1, quantity: 2 }], status_id: 11 })
  const level = async () => (await shop.call('GET', '/catalog/products/1')).body.data.inventory_level
  await v2('POST', '/orders/1/shipments', { items: [{ order_product_id: 1, quantity: 1 }] })
  expect(await level()).toBe(5)
  await v2('POST', '/orders/1/shipments', { comments: 'The other' })
  expect(await level()).toBe(3)
})

test('messages are listed with every filter, and told', async () => {
  const { shop, v2 } = await openWithOrder()
  expect((await v2('GET', '/orders/1/messages')).status).toBe(204)
  const before = (await rowsOf(shop, 'events')).length
  const order = { id: 1, customer_id: 0, channel_id: 1 }
  await (await dbOf(shop)).transaction(async (tx) => {
    await addMessage(tx, order, { subject: 'When?', message: 'When does it come?', staff_id: 0 })
    await addMessage(tx, order, { subject: 'Re: When?', message: 'On Monday.', staff_id: 1 })
  })
  const { body } = await v2('GET', '/orders/1/messages')
  expect(body[0]).toEqual({
    id: 1,
    order_id: 1,
    staff_id: 0,
    customer_id: 0,
    type: 'private',
    subject: 'When?',
    message: 'When does it come?',
    status: 'unread',
    is_flagged: false,
    date_created: expect.stringContaining('+0000'),
  })
  const ids = async (query: string) =>
    ((await v2('GET', `/orders/1/messages?${query}`)).body ?? []).map(({ id }: { id: number }) => id)
  for (const [query, found] of [
    ['min_id=2', [2]],
    ['max_id=1', [1]],
    ['customer_id=0', [1, 2]],
    ['customer_id=3', []],
    ['is_flagged=true', []],
    ['status=unread', [1, 2]],
    ['status=read', []],
    ['min_date_created=2020-01-01', [1, 2]],
    ['max_date_created=2020-01-01', []],
    ['limit=1&page=2', [2]],
  ] as const) {
    expect([query, await ids(query)]).toEqual([query, found])
  }
  expect((await published(shop, before)).slice(0, 2)).toEqual([
    ['store/order/message/created', { type: 'order', id: 1, message: { order_message_id: 1 } }],
    ['store/channel/1/order/message/created', { order_id: 1 }],
  ])
  expect((await v2('GET', '/orders/1/coupons')).status).toBe(204)
  expect((await v2('GET', '/orders/2/messages')).status).toBe(404)
})
