import { afterAll, beforeAll, expect, test } from 'vitest'
import { doMoney, payOrder } from '../server/test/fixtures/orders.ts'
import { openShop, type Shop } from '../server/test/fixtures/shop.ts'
import { oldClient, plainClient, typedClient, typedClientV2 } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts sell by phone: they create, change, ship and read an order in the older family.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const billing_address = {
  first_name: 'Ida',
  last_name: 'Holm',
  company: '',
  street_1: 'Nyhavn 12',
  street_2: '',
  city: 'Copenhagen',
  state: 'Hovedstaden',
  zip: '1051',
  country: 'Denmark',
  country_iso2: 'DK',
  phone: '',
  email: 'ida@example.com',
}

test('the typed client creates an order, lists it, changes it, ships it and archives it', async () => {
  const shop = await openShop()
  const client = typedClientV2(port, shop)
  const mug = {
    name: 'Mug',
    type: 'physical',
    weight: 0.4,
    price: 18.5,
    inventory_tracking: 'product',
    inventory_level: 9,
  }
  await shop.call('POST', '/catalog/products', mug)
  const created = await client.post('/orders', {
    body: {
      billing_address,
      status_id: 11,
      products: [
        { product_id: 1, quantity: 2 },
        { name: 'Engraving', quantity: 1, price_ex_tax: 10, price_inc_tax: 12.5 },
      ],
    },
  })
  expect(created).toMatchObject({
    id: 1,
    status: 'Awaiting Fulfillment',
    total_ex_tax: '47.0000',
    total_inc_tax: '49.5000',
  })
  const order = { path: { order_id: 1 } }
  expect(await client.get('/orders/{order_id}', order)).toEqual(created)
  expect(await client.get('/orders', { query: { min_id: 1, status_id: 11, sort: 'id' } })).toEqual([created])
  expect(await client.get('/orders', { query: { status_id: 5 } })).toBeNull()
  expect(await client.get('/orders/count')).toMatchObject({ count: 1 })
  expect(await client.get('/orders/{order_id}/products', order)).toMatchObject([
    { id: 1, product_id: 1, quantity: 2 },
    { id: 2, product_id: 0, total_tax: '2.5000' },
  ])
  expect(await client.get('/orders/{order_id}/shipping_addresses', order)).toMatchObject([
    { id: 1, city: 'Copenhagen' },
  ])
  const shipment = await client.post('/orders/{order_id}/shipments', {
    ...order,
    body: { order_address_id: 1, tracking_number: '1Z', items: [{ order_product_id: 1, quantity: 2 }] },
  })
  expect(shipment).toMatchObject({ id: 1, items: [{ order_product_id: 1, quantity: 2 }] })
  const changed = await client.put('/orders/{order_id}', { ...order, body: { status_id: 10, staff_notes: 'Done' } })
  expect(changed).toMatchObject({ status: 'Completed', items_shipped: 2, staff_notes: 'Done' })
  await client.delete('/orders/{order_id}', order)
  expect(await client.get('/orders')).toBeNull()
  await expect(client.get('/orders/{order_id}', { path: { order_id: 9 } })).resolves.toBeNull()
})

test('the plain client creates orders, lists them and archives one', async () => {
  const shop = await openShop()
  const products = [{ name: 'Card', quantity: 1, price_ex_tax: 2, price_inc_tax: 2.5 }]
  const body = { billing_address, products }
  const { orders } = plainClient(port, shop)
  for (let i = 0; i < 3; i++) await orders.createOrder(body)
  const found = await orders.getAllOrders({ sort: 'id' })
  expect(found.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3])
  expect(await orders.getOrder(2)).toMatchObject({ id: 2, total_inc_tax: '2.5000' })
  expect(await orders.getOrdersCount()).toMatchObject({ count: 3 })
  expect(await orders.orderStatus.getAllOrderStatuses()).toHaveLength(15)
  expect(await orders.orderProducts.listOrderProducts(2)).toMatchObject([{ id: 2, name: 'Card' }])
  expect(await orders.orderShipments.createOrderShipment(2, { order_address_id: 2 })).toMatchObject({ id: 1 })
  expect(await orders.orderShipments.getOrderShipments(2)).toMatchObject([{ id: 1, items: [{ quantity: 1 }] }])
  await orders.archiveOrder(3)
  expect(await orders.getOrdersCount()).toMatchObject({ count: 2 })
})

test('the typed client captures an order, quotes a refund of a part, refunds it and reads it in the older family', async () => {
  const shop = await openShop()
  const [client, old] = [typedClient(port, shop), typedClientV2(port, shop)]
  const products = [{ name: 'Print', quantity: 2, price_ex_tax: 20, price_inc_tax: 25 }]
  await old.post('/orders', { body: { billing_address, products, status_id: 0 } })
  await payOrder(shop, 1, 'authorize')
  const order = { path: { order_id: 1 } }
  await client.post('/orders/{order_id}/payment_actions/capture', order)
  expect(await old.get('/orders/{order_id}', order)).toMatchObject({ payment_status: 'capture pending' })
  await doMoney()
  const items = [{ item_type: 'PRODUCT' as const, item_id: 1, quantity: 1 }]
  const quote = await client.post('/orders/{order_id}/payment_actions/refund_quotes', {
    ...order,
    body: { items },
  })
  expect(quote).toMatchObject({ total_refund_amount: 25, total_refund_tax_amount: 5 })
  const [, payments = []] = quote.refund_methods
  const refund = await client.post('/orders/{order_id}/payment_actions/refunds', {
    ...order,
    body: { items, payments },
  })
  expect(refund).toMatchObject({ id: 1, total_amount: 25, payments: [{ provider_id: 'testgateway', amount: 25 }] })
  await doMoney()
  const listed = await client.get('/orders/payment_actions/refunds', { query: { 'order_id:in': [1] } })
  expect(listed).toMatchObject([{ id: 1, order_id: 1, payments: [{ is_declined: false, transaction_id: '3' }] }])
  expect(await client.get('/orders/{order_id}/transactions', order)).toMatchObject([
    { event: 'authorization' },
    { event: 'capture' },
    { event: 'refund', amount: 25 },
  ])
  expect(await old.get('/orders/{order_id}', order)).toMatchObject({
    status: 'Partially Refunded',
    payment_status: 'partially refunded',
    refunded_amount: '25.0000',
  })
  expect(await old.get('/orders/{order_id}/products', order)).toMatchObject([
    { quantity_refunded: 1, is_refunded: false },
  ])
})

/** The requests of a client about the money of an order. */
interface MoneyOfOrders {
  create(body: object): Promise<{ id: number }>
  capture(id: number): Promise<unknown>
  quote(id: number, body: object): Promise<{ total_refund_amount: number; refund_methods: { provider_id: string }[][] }>
  refund(id: number, body: object): Promise<unknown>
  refundsOf(id: number): Promise<unknown>
  read(id: number): Promise<unknown>
}

const clients: Record<string, (shop: Shop) => MoneyOfOrders> = {
  'the plain client': (shop) => {
    const { orders, orderTransactions } = plainClient(port, shop)
    const { paymentActions } = orderTransactions
    return {
      create: (body) => orders.createOrder(body),
      capture: (id) => paymentActions.capture(id),
      quote: async (id, body) => (await paymentActions.createRefundQuote(id, body)).data,
      refund: async (id, body) => (await paymentActions.createRefund(id, body)).data,
      refundsOf: async (id) => (await paymentActions.getRefundsForOrder(id)).data,
      read: (id) => orders.getOrder(id),
    }
  },
  'the old client': (shop) => {
    const [older, newer] = [oldClient(port, shop, 'v2'), oldClient(port, shop, 'v3')]
    return {
      create: (body) => older.post('/orders', body),
      capture: (id) => newer.post(`/orders/${id}/payment_actions/capture`),
      quote: async (id, body) => (await newer.post(`/orders/${id}/payment_actions/refund_quotes`, body)).data,
      refund: async (id, body) => (await newer.post(`/orders/${id}/payment_actions/refunds`, body)).data,
      refundsOf: async (id) => (await newer.get(`/orders/${id}/payment_actions/refunds?limit=10`)).data,
      read: (id) => older.get(`/orders/${id}`),
    }
  },
}

test.each(Object.entries(clients))(
  '%s creates an order, captures it, quotes a refund of a part, refunds it and reads it in the older family',
  async (_, open) => {
    const shop = await openShop()
    const client = open(shop)
    const products = [{ name: 'Print', quantity: 2, price_ex_tax: 20, price_inc_tax: 25 }]
    const { id } = await client.create({ billing_address, products, status_id: 0 })
    await payOrder(shop, id, 'authorize')
    await client.capture(id)
    await doMoney(shop)
    const items = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]
    const quote = await client.quote(id, { items })
    expect(quote.total_refund_amount).toBe(25)
    const payments = quote.refund_methods.find(([payment]) => payment?.provider_id === 'testgateway')
    expect(await client.refund(id, { items, payments })).toMatchObject({ id: 1, total_amount: 25 })
    await doMoney(shop)
    expect(await client.refundsOf(id)).toMatchObject([{ id: 1, payments: [{ is_declined: false, amount: 25 }] }])
    expect(await client.read(id)).toMatchObject({
      status: 'Partially Refunded',
      payment_status: 'partially refunded',
      refunded_amount: '25.0000',
    })
  },
)
