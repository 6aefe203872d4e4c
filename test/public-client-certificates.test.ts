import { afterAll, beforeAll, expect, test } from 'vitest'
import { doMoney } from '../server/test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../server/test/fixtures/shop.ts'
import { oldClient, plainClient, typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts sell to a shopper with a gift certificate. None of them makes the shopper's own request, which
// needs a payment access token in place of theirs.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const billing_address = { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' }
const order = {
  billing_address,
  products: [{ name: 'Print', quantity: 2, price_ex_tax: 20, price_inc_tax: 25 }],
  status_id: 0,
}
const people = { to_name: 'Ann', to_email: 'ann@example.com', from_name: 'Bo', from_email: 'bo@example.com' }
const byCertificate = (gift_certificate_code: string) => ({
  instrument: { type: 'gift_certificate', gift_certificate_code },
  payment_method_id: 'svc.gift_certificate',
})
const byCard = {
  instrument: {
    type: 'card',
    number: '4111111111111111',
    cardholder_name: 'Ida Holm',
    expiry_month: 12,
    expiry_year: 2099,
  },
  payment_method_id: 'testgateway.card',
}

/** The request of the shopper's browser. */
async function pay({ store }: Shop, token: string, payment: object) {
  const { clock } = await theHouse()
  // Slowly enough that no request is refused by the quota.
  clock.move(100)
  const answer = await fetch(`${port.origin}/stores/${store.hash}/payments`, {
    method: 'POST',
    headers: {
      authorization: `PAT ${token}`,
      accept: 'application/vnd.svc.v1+json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ payment }),
  })
  return { status: answer.status, body: await answer.json() }
}

test('the old client sells to a shopper who pays with a certificate alone, and reads its balance', async () => {
  const shop = await openShop()
  const [older, newer] = [oldClient(port, shop, 'v2'), oldClient(port, shop, 'v3')]
  const certificate = await older.post('/gift_certificates', { ...people, amount: '80.00' })
  const { id } = await older.post('/orders', order)
  const { data } = await newer.post('/payments/access_tokens', { order: { id } })
  expect(await pay(shop, data.id, byCertificate(certificate.code))).toMatchObject({
    status: 201,
    body: { data: { status: 'success' } },
  })
  expect(await older.get(`/orders/${id}`)).toMatchObject({
    status: 'Awaiting Fulfillment',
    payment_status: 'paid',
    gift_certificate_amount: '50.0000',
  })
  expect(await older.get(`/gift_certificates/${certificate.id}`)).toMatchObject({
    balance: '30.0000',
    status: 'active',
  })
})

test('the plain client sells to a shopper who pays with a certificate and a card, and refunds a part', async () => {
  const shop = await openShop()
  const older = oldClient(port, shop, 'v2')
  const { orders, orderTransactions, paymentProcessing } = plainClient(port, shop)
  const certificate = await older.post('/gift_certificates', { ...people, amount: '30.00' })
  const { id } = await orders.createOrder(order)
  const methods = await paymentProcessing.acceptedMethods.getAcceptedPaymentMethods({ order_id: id })
  expect(methods.data.map((method: { id: string }) => method.id)).toEqual(['testgateway.card', 'svc.gift_certificate'])
  for (const payment of [byCertificate(certificate.code), byCard]) {
    const { data } = await paymentProcessing.accessTokens.createPaymentAccessToken({ order: { id } })
    expect((await pay(shop, data.id, payment)).status).toBe(201)
  }
  expect(await orders.getOrder(id)).toMatchObject({ payment_status: 'captured', gift_certificate_amount: '30.0000' })
  const { paymentActions } = orderTransactions
  const items = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]
  const { data: quote } = await paymentActions.createRefundQuote(id, { items })
  const payments = quote.refund_methods.at(-1)
  expect(payments).toMatchObject([
    { provider_id: 'testgateway', amount: 20, offline: false },
    { provider_id: 'giftcertificate', amount: 5, offline: false },
  ])
  await paymentActions.createRefund(id, { items, payments })
  await doMoney(shop)
  expect(await orders.getOrder(id)).toMatchObject({
    payment_status: 'partially refunded',
    refunded_amount: '25.0000',
  })
  expect(await older.get(`/gift_certificates/${certificate.id}`)).toMatchObject({ balance: '5.0000' })
  const transactions = await typedClient(port, shop).get('/orders/{order_id}/transactions', { path: { order_id: id } })
  expect(transactions).toMatchObject([
    { method: 'gift_certificate', amount: 30, gift_certificate: { code: certificate.code, remaining_balance: 0 } },
    { method: 'credit_card', amount: 20 },
    { event: 'refund', amount: 20 },
    { event: 'refund', method: 'gift_certificate', amount: 5, gift_certificate: { remaining_balance: 5 } },
  ])
})
