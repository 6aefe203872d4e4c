import { beforeAll, describe, expect, test } from 'vitest'
import { doMoney } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, CREDIT, openUnpaid, pay } from '../../../test/fixtures/shopper.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { setProvider } from '../../payments/providers-command.ts'

// The money of an order can always be refunded, for every outcome of the rest of its payment (docs/contract/refunds.md section 1).
// `../money-lives.test.ts` asks the same of random lives.

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})

const read = async (id: number, target = shop) =>
  (await target.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body
const change = (id: number, body: object, target = shop) => target.call('PUT', `/orders/${id}`, body, { version: 'v2' })
const raise = (id: number, total: number, target = shop) =>
  change(id, { total_ex_tax: total, total_inc_tax: total }, target)
const act = (id: number, action: string, body?: object, target = shop) =>
  target.call('POST', `/orders/${id}/payment_actions/${action}`, body)
const items = (id: number, amount: number) => [{ item_type: 'ORDER', item_id: id, amount }]
const quote = (id: number, amount: number, target = shop) =>
  act(id, 'refund_quotes', { items: items(id, amount) }, target)

/** Refunds to the tender that was paid with. */
async function refund(id: number, amount: number, provider = 'storecredit') {
  const { body } = await quote(id, amount)
  const methods: { provider_id: string }[][] = body.data.refund_methods
  const payments = methods.find(([payment]) => payment?.provider_id === provider)
  const { status } = await act(id, 'refunds', { items: items(id, amount), payments })
  expect(status).toBe(201)
  await doMoney(shop)
}

/** The test gateway answers after two seconds. */
async function waitForAnswer() {
  const { clock } = await theHouse()
  clock.move(3_000)
  await doMoney()
}

const creditOf = async (customer: number, target = shop) => {
  const { body } = await target.call('GET', `/customers?include=storecredit&id:in=${customer}`)
  return body.data[0].store_credit_amounts[0].amount
}

/** An order of this total whose first 10 are paid with store credit. */
async function openPart(total: number, target = shop) {
  const ann = { first_name: 'Ann', last_name: 'Lee', email: `ann${Math.random()}@example.com` }
  const made = await target.call('POST', '/customers', [{ ...ann, store_credit_amounts: [{ amount: 10 }] }])
  const customer: number = made.body.data[0].id
  const id = await openUnpaid(target, total, { customer_id: customer })
  expect((await pay(target, id, CREDIT)).status).toBe(201)
  return { id, customer }
}

describe('store credit of an order whose card came to nothing', () => {
  test('is refunded after the card was declined', async () => {
    const { id, customer } = await openPart(25)
    expect((await pay(shop, id, BAD_CARD)).status).toBe(422)
    expect(await read(id)).toMatchObject({ payment_status: 'declined', status_id: 1 })
    await refund(id, 10)
    expect(await read(id)).toMatchObject({ payment_status: 'refunded', status_id: 4, refunded_amount: '10.0000' })
    expect(await creditOf(customer)).toBe(10)
    expect((await quote(id, 1)).status).toBe(422)
  })

  test('is refunded after the order was cancelled', async () => {
    const { id, customer } = await openPart(25)
    await change(id, { status_id: 5 })
    await refund(id, 4)
    expect(await read(id)).toMatchObject({ payment_status: 'partially refunded', status_id: 14 })
    await refund(id, 6)
    expect(await read(id)).toMatchObject({ payment_status: 'refunded', status_id: 4 })
    expect(await creditOf(customer)).toBe(10)
  })

  test.each([
    ['declined later', 25.62, 'declined', 6],
    ['rejected', 25.65, 'void', 5],
  ])('returns to the customer when the card is %s', async (_, total, payment_status, status_id) => {
    const { id, customer } = await openPart(total)
    expect((await pay(shop, id)).status).toBe(201)
    expect((await quote(id, 10)).status).toBe(422)
    await waitForAnswer()
    expect(await read(id)).toMatchObject({ payment_status, status_id })
    expect(await creditOf(customer)).toBe(10)
    const { body } = await shop.call('GET', `/orders/${id}/transactions`)
    expect(body.data.at(-1)).toMatchObject({ event: 'refund', method: 'store_credit', status: 'ok', amount: 10 })
    expect((await quote(id, 10)).body.errors).toEqual({
      payment_status: 'payment must be captured before it can be refunded',
    })
  })
})

test('a payment that covers a part, because the price was raised while it was pending, is refunded', async () => {
  const id = await openUnpaid(shop, 10.61)
  await pay(shop, id)
  await raise(id, 20)
  await waitForAnswer()
  expect(await read(id)).toMatchObject({ payment_status: '', status_id: 1 })
  await refund(id, 10.61, 'testgateway')
  expect(await read(id)).toMatchObject({ payment_status: 'refunded', status_id: 4 })
})

test('a payment that covers a part is completed by another one', async () => {
  const id = await openUnpaid(shop, 10.61)
  await pay(shop, id)
  await raise(id, 20)
  await waitForAnswer()
  expect((await pay(shop, id)).status).toBe(201)
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  const { body } = await shop.call('GET', `/orders/${id}/transactions`)
  expect(body.data.at(-1)).toMatchObject({ event: 'purchase', amount: 9.39 })
})

describe('an authorization', () => {
  let careful: Shop
  beforeAll(async () => {
    careful = await openShop()
    const wish = { gateway: 'testgateway', channel: 0, currency: '', mode: 'authorize', options: [] } as const
    await setProvider(await dbOf(careful), wish, (await theHouse()).installation.secrets)
  })

  test.each([
    ['capture', 'captured', 1],
    ['void', 'void', 5],
  ])('of a part, because the price was raised, accepts a %s', async (action, payment_status, status_id) => {
    const id = await openUnpaid(careful, 10.61)
    await pay(careful, id)
    await raise(id, 20, careful)
    await waitForAnswer()
    expect(await read(id, careful)).toMatchObject({ payment_status: 'authorized', status_id: 1 })
    expect((await act(id, action, undefined, careful)).status).toBe(201)
    await doMoney(careful)
    expect(await read(id, careful)).toMatchObject({ payment_status, status_id })
    expect((await quote(id, 10.61, careful)).status).toBe(action === 'capture' ? 201 : 422)
  })

  test('that is being voided lets no refund of store credit pass: the customer gets it once', async () => {
    const { id, customer } = await openPart(25, careful)
    await pay(careful, id)
    expect((await act(id, 'void', undefined, careful)).status).toBe(201)
    expect((await quote(id, 3, careful)).status).toBe(422)
    await doMoney(careful)
    expect(await read(id, careful)).toMatchObject({ payment_status: 'void', status_id: 5 })
    expect(await creditOf(customer, careful)).toBe(10)
    expect((await quote(id, 3, careful)).status).toBe(422)
  })
})

test('an order with a refund in progress takes no payment', async () => {
  const { id } = await openPart(25)
  const { body } = await quote(id, 10)
  await act(id, 'refunds', { items: items(id, 10), payments: body.data.refund_methods[0] })
  const { status, body: refused } = await shop.call('POST', '/payments/access_tokens', { order: { id } })
  expect([status, refused.title]).toEqual([409, 'A refund of this order is in progress.'])
  await doMoney(shop)
})

test('an order whose payment is pending takes no other one, also after its status was set back', async () => {
  const id = await openUnpaid(shop, 10.61)
  await pay(shop, id)
  await change(id, { status_id: 0 })
  const { status, body } = await shop.call('POST', '/payments/access_tokens', { order: { id } })
  expect([status, body.title]).toEqual([409, "The payment of this order is 'pending'."])
  await waitForAnswer()
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
})
