import { describe, expect, test } from 'vitest'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { doMoney, moneyRunners, payOrder } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { gatewayRetryDelay } from '../row/retries.ts'
import { orders } from '../row/rows.ts'
import { recordPayment } from '../transactions/payment-record.ts'
import { captureRunner } from './captures.ts'

// docs/contract/order-payments.md section 4.

const billing_address = { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' }

/** An order of this total, authorized at the test gateway. */
async function openAuthorized(total = 25) {
  const shop = await openShop()
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: total, price_inc_tax: total }]
  const body = { billing_address, products, status_id: 0 }
  const { id } = (await shop.call('POST', '/orders', body, { version: 'v2' })).body
  await payOrder(shop, id, 'authorize')
  return { shop, id, act: (action: string, more = {}) => act(shop, id, action, more) }
}
const act = (shop: Shop, id: number, action: string, more = {}) =>
  shop.call('POST', `/orders/${id}/payment_actions/${action}`, undefined, more)
const read = async (shop: Shop, id: number) =>
  (await shop.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body
const listed = async (shop: Shop, id: number) => (await shop.call('GET', `/orders/${id}/transactions`)).body.data
const published = async (shop: Shop, after = 0) =>
  (await rowsOf(shop, 'events'))
    .slice(after)
    .flatMap(({ scope }) => (/^store\/order/.test(String(scope)) ? [scope] : []))

test('a capture is accepted at once and done by a job: the money, then the order', async () => {
  const { shop, id, act } = await openAuthorized()
  const before = (await rowsOf(shop, 'events')).length
  const { status, body } = await act('capture')
  expect([status, body]).toEqual([201, { data: { order_id: id, payment_status: 'capture pending' }, meta: {} }])
  expect(await read(shop, id)).toMatchObject({ payment_status: 'capture pending', status_id: 7 })
  for (const action of ['capture', 'void']) {
    const again = await act(action)
    expect([again.status, again.body.errors]).toEqual([
      422,
      { payment_status: `${action} is not allowed while payment is 'capture pending'` },
    ])
  }
  expect(await doMoney(shop)).toBe(1)
  expect(await read(shop, id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  expect(await listed(shop, id)).toMatchObject([
    { id: 1, event: 'authorization', status: 'ok' },
    {
      id: 2,
      event: 'capture',
      status: 'ok',
      amount: 25,
      reference_transaction_id: 1,
      method: 'credit_card',
      test: true,
    },
  ])
  expect(await published(shop, before)).toEqual([
    'store/order/updated',
    'store/order/transaction/created',
    'store/order/updated',
    'store/order/statusUpdated',
  ])
  const event = (await rowsOf(shop, 'events')).findLast(({ scope }) => scope === 'store/order/transaction/created')
  expect(JSON.parse(String(event?.data)).result).toEqual({ code: '', message: '', type: 'success' })
  expect((await act('capture')).body.errors).toEqual({
    payment_status: "capture is not allowed while payment is 'captured'",
  })
})

test('a void cancels the order, and returns its store credit', async () => {
  const shop = await openShop()
  const ann = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' }
  await shop.call('POST', '/customers', [{ ...ann, store_credit_amounts: [{ amount: 3 }] }])
  const { id } = (
    await shop.call(
      'POST',
      '/orders',
      {
        billing_address,
        products: [{ name: 'Print', quantity: 1, price_ex_tax: 25, price_inc_tax: 25 }],
        status_id: 0,
        customer_id: 1,
      },
      { version: 'v2' },
    )
  ).body
  await (await dbOf(shop)).transaction(async (tx) => {
    const credit = { event: 'purchase', method: 'store_credit', gateway: 'storecredit', amount: 5 } as const
    await recordPayment(tx, await lock(tx, orders, id), 'paid without a gateway', credit)
  })
  await payOrder(shop, id, 'authorize', 20)
  expect((await act(shop, id, 'void')).body.data.payment_status).toBe('void pending')
  await doMoney()
  expect(await read(shop, id)).toMatchObject({ payment_status: 'void', status_id: 5 })
  expect((await listed(shop, id)).slice(2)).toMatchObject([
    { event: 'void', status: 'ok', amount: 20, reference_transaction_id: 2 },
    { event: 'refund', status: 'ok', amount: 5, method: 'store_credit', store_credit: { remaining_balance: 8 } },
  ])
  const [customer] = (await shop.call('GET', '/customers?include=storecredit')).body.data
  expect(customer.store_credit_amounts).toEqual([{ amount: 8 }])
})

test.each([
  ['capture', 25.51, 'Capture was declined by the test gateway'],
  ['void', 25.52, 'Void was refused by the test gateway'],
])(
  'a %s that the gateway declines leaves the money authorized, and says why; it may be tried again',
  async (action, total, why) => {
    const { shop, id, act } = await openAuthorized(total)
    await act(action)
    expect(await doMoney(shop)).toBe(1)
    expect(await read(shop, id)).toMatchObject({
      payment_status: 'authorized',
      status_id: 7,
      staff_notes: `The ${action} of ${total} failed: ${why}`,
    })
    expect((await listed(shop, id))[1]).toMatchObject({ event: action, status: 'error', message: why })
    // Another request is another one to the gateway too.
    expect((await act(action)).status).toBe(201)
    expect(await doMoney(shop)).toBe(1)
    expect((await rowsOf(shop, 'payment_attempts')).map(({ key }) => key)).toEqual(
      expect.arrayContaining([`1:${action}`, `1:${action}:2`]),
    )
    expect(await listed(shop, id)).toHaveLength(3)
  },
)

test('a request that moves money waits five seconds for a locked order, and is then 423', async () => {
  const { shop, id, act } = await openAuthorized()
  const items = [{ item_type: 'ORDER', item_id: id, amount: 1 }]
  const payments = [{ provider_id: 'custom', amount: 1, offline: true }]
  const refund = () => shop.call('POST', `/orders/${id}/payment_actions/refunds`, { items, payments })
  const db = await dbOf(shop)
  const answers = await db.transaction(async (tx) => {
    await lock(tx, orders, id)
    return Promise.all([act('capture'), act('void'), refund()])
  })
  for (const { status, body, headers } of answers) {
    expect([status, body.title, headers['retry-after']]).toEqual([
      423,
      'Another action on this order takes too long.',
      '10',
    ])
  }
  expect((await act('capture')).status).toBe(201)
})

describe('a request is refused', () => {
  test('where there is no such order, or it is archived, or nothing was authorized', async () => {
    const { shop, id } = await openAuthorized()
    const none = await act(shop, 99, 'capture')
    expect([none.status, none.body.title]).toEqual([404, 'Order with id [99] not found'])
    await shop.call('DELETE', `/orders/${id}`, undefined, { version: 'v2' })
    expect((await act(shop, id, 'void')).body.title).toBe('Order with id [1] not found')
    const products = [{ name: 'Print', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
    await shop.call('POST', '/orders', { billing_address, products }, { version: 'v2' })
    expect((await act(shop, 2, 'capture')).body.errors).toEqual({
      payment_status: "capture is not allowed while payment is ''",
    })
  })

  test('without an authorization, without its provider, or without the capability of it', async () => {
    const shop = await openShop()
    const products = [{ name: 'Print', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
    const errorsOf = async (gateway: string, status: 'ok' | 'error') => {
      const { id } = (await shop.call('POST', '/orders', { billing_address, products }, { version: 'v2' })).body
      await (await dbOf(shop)).transaction(async (tx) => {
        const transaction = { event: 'authorization', method: 'credit_card', gateway, amount: 1, status } as const
        await recordPayment(tx, await lock(tx, orders, id), 'authorization approved', transaction)
      })
      return (await act(shop, id, 'capture')).body.errors
    }
    expect(await errorsOf('testgateway', 'error')).toHaveProperty('transaction')
    expect(await errorsOf('nmi', 'ok')).toHaveProperty('provider')
    expect(await errorsOf('cod', 'ok')).toHaveProperty('provider')
  })
})

test('a request that is repeated under its key is accepted once, and a body says nothing', async () => {
  const { shop, id, act } = await openAuthorized()
  const headers = { 'idempotency-key': 'one' }
  const first = await act('capture', { headers })
  const again = await act('capture', { headers })
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true'])
  expect(await doMoney(shop)).toBe(1)
  expect((await shop.call('POST', `/orders/${id}/payment_actions/capture`, { amount: 1 })).status).toBe(422)
})

describe('a job', () => {
  test('that runs twice does no more than once, and one of an earlier request does nothing to a later one', async () => {
    const { shop, id, act } = await openAuthorized(25.51)
    const [runner] = await moneyRunners()
    const run = async (key: string) =>
      runner?.run({
        id: 'x',
        db: await dbOf(shop),
        payload: { order_id: id, operation: 'capture', key },
        attempt: 1,
        signal: new AbortController().signal,
      })
    await act('capture')
    await Promise.all([run('1:capture'), run('1:capture'), doMoney()])
    expect(await listed(shop, id)).toHaveLength(2)
    await act('capture')
    expect(await run('1:capture')).toEqual({ kind: 'done' })
    expect(await read(shop, id)).toMatchObject({ payment_status: 'capture pending' })
    await doMoney()
    expect(await listed(shop, id)).toHaveLength(3)
  })

  test('with a lost answer looks up the outcome, and captures once', async () => {
    const { shop, id, act } = await openAuthorized(25.63)
    await act('capture')
    await doMoney()
    expect(await read(shop, id)).toMatchObject({ payment_status: 'captured' })
    const book = (await rowsOf(shop, 'testgateway_entries')).map(({ operation, outcome }) => [operation, outcome])
    expect(book.sort()).toEqual([
      ['authorize', 'approved'],
      ['capture', 'approved'],
    ])
  })

  test('repeats a call without effect five times in a quarter of an hour, and looks up an unknown outcome for a week', () => {
    const delays = Array.from({ length: 173 }, (_, i) => (gatewayRetryDelay(i + 1) ?? 0) / 1_000)
    expect(delays.slice(0, 6)).toEqual([10, 60, 300, 900, 3_600, 3_600])
    expect(delays.indexOf(0)).toBe(172)
  })

  test('of an unreachable gateway continues until its attempts are used up: then the money is authorized', async () => {
    const { shop, id, act } = await openAuthorized()
    const away = { open: async () => ({ ...gateway, capture: async () => unreachable }) }
    await act('capture')
    const attempts: unknown[] = []
    const runner = captureRunner({ gateways: away as never })
    for (let attempt = 1; attempt <= 5; attempt++) {
      const job = (await rowsOf(shop, 'jobs')).find(({ task }) => task === 'settle_authorization')
      const run = {
        id: 'x',
        db: await dbOf(shop),
        payload: job?.payload,
        attempt,
        signal: new AbortController().signal,
      }
      attempts.push((await runner.run(run)).kind)
    }
    expect(attempts).toEqual(['try again', 'try again', 'try again', 'try again', 'done'])
    expect(await read(shop, id)).toMatchObject({
      payment_status: 'authorized',
      staff_notes: 'The capture of 25 failed: The line is dead.',
    })
  })
})

const unreachable = {
  outcome: 'error',
  gatewayTransactionId: '',
  code: 10_000,
  message: 'The line is dead.',
  retryable: true,
} as const
const gateway = { id: 'testgateway', name: '', capabilities: {}, fetchStatus: async () => undefined }
