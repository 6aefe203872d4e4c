import { beforeAll, expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { removeProvider, setUpTestGateway } from '../../payments/providers-command.ts'

// A store without a payment provider takes no payments: it has no gateway but those that its operator set up.

let shop: Shop
beforeAll(async () => {
  shop = await openShop({}, { hasTestGateway: false })
})

const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const read = async (id: number) => (await v2('GET', `/orders/${id}`)).body

async function openOrder(more: object = {}): Promise<number> {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 500, price_inc_tax: 500 }]
  const { body } = await v2('POST', '/orders', { billing_address: { zip: '2000' }, products, status_id: 0, ...more })
  return body.id
}

/** Pays an order as its shopper would, by the public card number of the test gateway. */
async function pay(id: number) {
  const { server } = await theHouse()
  const { body } = await shop.call('POST', '/payments/access_tokens', { order: { id } })
  const instrument = {
    type: 'card',
    number: '4111111111111111',
    cardholder_name: 'Ida Holm',
    expiry_month: 12,
    expiry_year: 2030,
  }
  const answer = await server.inject({
    method: 'POST',
    url: `/stores/${shop.store.hash}/payments`,
    headers: { authorization: `PAT ${body.data.id}`, accept: 'application/vnd.svc.v1+json' },
    payload: { payment: { instrument, payment_method_id: 'testgateway.card' } },
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function expectRefusal(id: number) {
  const { status, body } = await pay(id)
  expect(body).toEqual({
    ...problem(422, 'No payment provider is configured for the channel and currency of this order.'),
    code: 30_000,
  })
  expect(status).toBe(422)
  expect(await read(id)).toMatchObject({ status_id: 0, payment_status: '' })
}

test('a store without a provider refuses payments and lists no methods', async () => {
  const id = await openOrder()
  await expectRefusal(id)
  expect(await rowsOf(shop, 'payment_attempts')).toEqual([])
  expect((await shop.call('GET', `/payments/methods?order_id=${id}`)).body.data).toEqual([])
  expect((await v2('GET', '/payments/methods')).status).toBe(204)
  const { server } = await theHouse()
  const callback = await server.inject({ method: 'POST', url: `/gateways/testgateway/callbacks/${shop.store.hash}` })
  expect(callback.statusCode).toBe(404)
})

test('an order that asks to be paid by the test gateway stays unpaid', async () => {
  const id = await openOrder({ payment_method: 'Test Payment Gateway', payment_status: 'captured' })
  expect(await read(id)).toMatchObject({ payment_status: '', payment_provider_id: null })
  expect((await shop.call('GET', `/orders/${id}/transactions`)).status).toBe(204)
})

test('the removal of the last provider brings no other one', async () => {
  const db = await dbOf(shop)
  await setUpTestGateway(db)
  // A store that has a provider gets no second one.
  await setUpTestGateway(db)
  const paid = await openOrder()
  expect((await pay(paid)).status).toBe(201)
  expect(await removeProvider(db, { gateway: 'testgateway', channel: 0, currency: '' })).toBe(true)
  await expectRefusal(await openOrder())
  // Money that was paid by it is given back by hand.
  const quoted = await shop.call('POST', `/orders/${paid}/payment_actions/refund_quotes`, {
    items: [{ item_type: 'ORDER', item_id: paid, amount: 500 }],
  })
  const methods: { provider_id: string; offline: boolean }[][] = quoted.body.data.refund_methods
  expect(methods.flat().every(({ offline }) => offline)).toBe(true)
})
