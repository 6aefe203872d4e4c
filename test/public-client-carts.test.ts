import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, createCart, openWithShipping } from '../server/test/carts/checkouts.ts'
import { wait } from '../server/test/carts/due.ts'
import { doMoney, payOrder } from '../server/test/fixtures/orders.ts'
import { type Answered, openShop, type Shop } from '../server/test/fixtures/shop.ts'
import { payWith } from '../server/test/fixtures/shopper.ts'
import { rowsOf } from '../server/test/fixtures/webhooks.ts'
import { plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// Public clients fill carts, take them through the checkout, and buy them.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const ten = { name: 'Ten', code: 'TEN', type: 'percentage_discount', amount: '10' }
const wholeShop = { ...ten, applies_to: { entity: 'categories', ids: [0] } }

test('a public client sets up shipping, fills a cart and buys it', async () => {
  const shop = await openShop()
  const { carts, checkouts, paymentProcessing, pricing, shippingV2, orders } = plainClient(port, shop)
  for (const [name, price] of [
    ['Lamp', 12.5],
    ['Vase', 20],
  ]) {
    await shop.call('POST', '/catalog/products', { name, price, type: 'physical', weight: 1 })
  }
  await shop.call('POST', '/coupons', wholeShop, { version: 'v2' })
  const zone = await shippingV2.shippingZones.createShippingZone({ name: 'World', type: 'global' })
  const method = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }
  await shippingV2.shippingMethod.createShippingMethod(zone.id, method)
  const items = [{ product_id: 1, quantity: 2 }]
  const prices = await pricing.products.batchGetPrices({ channel_id: 1, currency_code: 'USD', items })
  expect(prices.data).toMatchObject([{ calculated_price: { tax_exclusive: 12.5 } }])

  const { data: cart } = await carts.createCart({ customer_id: 0, line_items: [{ product_id: 1, quantity: 1 }] })
  const [line] = cart.line_items.physical_items
  await carts.items.addCartLineItems(cart.id, { line_items: [{ product_id: 2, quantity: 1 }] })
  const changed = await carts.items.updateCartLineItem(cart.id, line.id, { line_item: { product_id: 1, quantity: 2 } })
  expect(changed.data).toMatchObject({ cart_amount: 45, version: 3 })
  const { data: read } = await carts.getCart(cart.id)
  const ids: { id: string; quantity: number }[] = read.line_items.physical_items

  await checkouts.checkoutBillingAddress.addCheckoutBillingAddress(cart.id, ann)
  await checkouts.updateCustomerMessages(cart.id, { customer_message: 'Ring twice' })
  const line_items = ids.map(({ id, quantity }) => ({ item_id: id, quantity }))
  const consigned = await checkouts.checkoutConsignments.addConsignmentToCheckout(cart.id, [
    { address: ann, line_items },
  ])
  const [consignment] = consigned.data.consignments
  const offered = await shop.call('GET', `/checkouts/${cart.id}?include=consignments.available_shipping_options`)
  const [option] = offered.body.data.consignments[0].available_shipping_options
  const shipped = await checkouts.checkoutConsignments.updateCheckoutConsignment(cart.id, consignment.id, {
    shipping_option_id: option.id,
  })
  expect(shipped.data).toMatchObject({ grand_total: 52, shipping_cost_total_ex_tax: 7 })
  const couponed = await shop.call('POST', `/checkouts/${cart.id}/coupons`, { coupon_code: 'TEN' })
  expect(couponed.body.data.grand_total).toBe(47.5)
  expect((await checkouts.getCheckout(cart.id)).data).toMatchObject({
    grand_total: 47.5,
    customer_message: 'Ring twice',
  })
  expect((await checkouts.checkoutToken.createCheckoutToken(cart.id, { maxUses: 1, ttl: 60 })).checkoutToken).toMatch(
    /^[0-9a-f]{64}$/,
  )

  const { data: order } = await checkouts.checkoutOrders.createOrder(cart.id)
  const accepted = await paymentProcessing.acceptedMethods.getAcceptedPaymentMethods({ order_id: order.id })
  expect(accepted.data).toMatchObject([{ id: 'testgateway.card' }])
  const token = await paymentProcessing.accessTokens.createPaymentAccessToken({ order: { id: order.id } })
  expect((await payWith(shop, token.data.id)).status).toBe(201)
  expect(await orders.getOrder(order.id)).toMatchObject({
    status: 'Awaiting Fulfillment',
    cart_id: cart.id,
    total_inc_tax: '47.5000',
    coupon_discount: '4.5000',
  })
  // The client answers null for a 404.
  expect(await carts.getCart(cart.id)).toBeNull()
})

test('a public client reads an abandoned cart and the settings of its reminders', async () => {
  const shop = await openShop()
  const { abandonedCarts } = plainClient(port, shop)
  const { abandonedCartSSettings: settings } = abandonedCarts
  const { data } = await settings.getGlobalAbandonedCartSettings()
  expect(data.enable_notification).toBe(false)
  const { merchant_email_address: _, ...others } = data
  await settings.updateGlobalAbandonedCartSettings({ ...others, merchant_email_address: 'boss@example.com' })
  await settings.updateChannelAbandonedCartSettings(1, { enable_notification: true })
  expect((await settings.getChannelAbandonedCartSettings(1)).data).toMatchObject({ enable_notification: true })
  const id = await createCart(shop, {}, { custom_items: [{ name: 'Engraving', quantity: 1, list_price: 3 }] })
  await wait(61 * 60_000)
  const [event] = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/cart/abandoned')
  const { token } = JSON.parse(String(event?.data))
  expect((await abandonedCarts.getAbandonedCart(token)).data).toEqual({ cart_id: id })
})

/** The requests of a shop's back end, which knows the API by its paths. */
function backEndOf(shop: Shop) {
  return async (method: string, path: string, body?: object): Promise<{ status: number; data: Answered['body'] }> => {
    const answer = await fetch(`${port.origin}/stores/${shop.store.hash}/v3${path}`, {
      method,
      headers: { 'x-auth-token': shop.admin.access_token, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // Such a back end takes a 204 for an empty cart, and reads the envelope of everything else.
    const read: Answered['body'] = answer.status === 204 ? { data: null } : await answer.json()
    return { status: answer.status, data: read.data }
  }
}

test("a shop's back end creates a cart with its addresses, changes and deletes lines, and the last one ends it", async () => {
  const shop = await openWithShipping()
  const send = backEndOf(shop)
  const include = 'include=redirect_urls,line_items.physical_items.options'
  const created = await send('POST', `/carts?${include}`, {
    line_items: [{ product_id: 1, variant_id: 1, quantity: 1 }],
  })
  expect(created).toMatchObject({ status: 201, data: { redirect_urls: { checkout_url: expect.any(String) } } })
  const { id } = created.data
  const added = await send('POST', `/carts/${id}/items?${include}`, { line_items: [{ product_id: 2, quantity: 1 }] })
  const [lamp, vase] = added.data.line_items.physical_items
  const changed = await send('PUT', `/carts/${id}/items/${lamp.id}?${include}`, {
    line_item: { product_id: 1, variant_id: 1, quantity: 3 },
  })
  expect(changed).toMatchObject({ status: 200, data: { cart_amount: 57.5 } })
  expect(await send('DELETE', `/carts/${id}/items/${vase.id}?${include}`)).toMatchObject({
    status: 200,
    data: { cart_amount: 37.5, line_items: { physical_items: [{ options: [] }] } },
  })
  expect(await send('DELETE', `/carts/${id}/items/${lamp.id}?${include}`)).toEqual({ status: 204, data: null })
  expect((await send('GET', `/carts/${id}`)).status).toBe(404)
})

test('an order of two consignments, a coupon, a fee and a certificate is captured, shipped and refunded in parts, and closes at 0', async () => {
  const shop = await openWithShipping()
  const { carts, checkouts, orders, orderTransactions } = plainClient(port, shop)
  const { paymentActions } = orderTransactions
  await shop.call('POST', '/coupons', wholeShop, { version: 'v2' })
  const gift = { name: 'Gift', theme: 'Birthday', amount: 25, quantity: 1, message: '' }
  const people = { sender: { name: 'Ann', email: ann.email }, recipient: { name: 'Bo', email: 'bo@example.com' } }
  const { data: cart } = await carts.createCart({
    line_items: [
      { product_id: 1, quantity: 3 },
      { product_id: 2, quantity: 1 },
    ],
    gift_certificates: [{ ...gift, ...people }],
  })
  const [lamp, vase] = cart.line_items.physical_items
  await checkouts.checkoutBillingAddress.addCheckoutBillingAddress(cart.id, ann)
  const bo = { ...ann, first_name: 'Bo', city: 'Boston', state_or_province_code: 'MA', postal_code: '02108' }
  const { data } = await checkouts.checkoutConsignments.addConsignmentToCheckout(cart.id, [
    { address: ann, line_items: [{ item_id: lamp.id, quantity: 2 }] },
    {
      address: bo,
      line_items: [
        { item_id: lamp.id, quantity: 1 },
        { item_id: vase.id, quantity: 1 },
      ],
    },
  ])
  for (const { id } of data.consignments) {
    const custom_shipping = { price: 5, description: 'Van' }
    await checkouts.checkoutConsignments.updateCheckoutConsignment(cart.id, id, { custom_shipping })
  }
  await shop.call('POST', `/checkouts/${cart.id}/coupons`, { coupon_code: 'TEN' })
  const fee = { type: 'custom_fee', name: 'Box', display_name: 'Gift box', source: 'shop', cost: 4 }
  await shop.call('POST', `/checkouts/${cart.id}/fees`, { fees: [fee] })
  const { data: order } = await checkouts.checkoutOrders.createOrder(cart.id)
  // 57.50 less 10 %, the certificate, two vans and the fee.
  expect(await orders.getOrder(order.id)).toMatchObject({ total_inc_tax: '90.7500', shipping_address_count: 2 })
  await payOrder(shop, order.id, 'authorize')
  await paymentActions.capture(order.id)
  await doMoney(shop)

  const lines: { id: number; name: string; order_address_id: number; quantity: number }[] =
    await orders.orderProducts.listOrderProducts(order.id)
  const items = (address: number) =>
    lines
      .filter(({ order_address_id }) => order_address_id === address)
      .map(({ id, quantity }) => ({ order_product_id: id, quantity }))
  await orders.orderShipments.createOrderShipment(order.id, { order_address_id: 1, items: items(1) })
  expect(await orders.getOrder(order.id)).toMatchObject({ status: 'Partially Shipped', items_shipped: 2 })
  await orders.orderShipments.createOrderShipment(order.id, { order_address_id: 2, items: items(2) })
  expect(await orders.getOrder(order.id)).toMatchObject({ items_shipped: 4 })

  const refund = async (...wanted: object[]) => {
    const quote = await paymentActions.createRefundQuote(order.id, { items: wanted })
    const payments = quote.data.refund_methods.find(
      ([one]: { provider_id: string }[]) => one?.provider_id === 'testgateway',
    )
    await paymentActions.createRefund(order.id, { items: wanted, payments })
    await doMoney(shop)
    return quote.data.total_refund_amount
  }
  const [first] = lines
  expect(await refund({ item_type: 'PRODUCT', item_id: first?.id, quantity: 1 })).toBe(11.25)
  expect(await orders.getOrder(order.id)).toMatchObject({ status: 'Partially Refunded', refunded_amount: '11.2500' })
  expect(await refund({ item_type: 'SHIPPING', item_id: 1, amount: 5 })).toBe(5)
  // The rest of all parts: lines of both addresses, the certificate, the other van and the fee.
  const [fee_id] = (await shop.call('GET', `/orders/${order.id}/fees`, undefined, { version: 'v2' })).body.map(
    ({ id }: { id: number }) => id,
  )
  const left = lines.flatMap(({ id, quantity }) => {
    const units = id === first?.id ? quantity - 1 : quantity
    return units > 0 ? [{ item_type: 'PRODUCT', item_id: id, quantity: units }] : []
  })
  const others = [
    { item_type: 'SHIPPING', item_id: 2, amount: 5 },
    { item_type: 'FEE', item_id: fee_id, amount: 4 },
  ]
  expect(await refund(...left, ...others)).toBe(74.5)
  expect(await orders.getOrder(order.id)).toMatchObject({ status: 'Refunded', refunded_amount: '90.7500' })
  await expect(refund({ item_type: 'ORDER', item_id: order.id, amount: 0.01 })).rejects.toThrow()
})
