import { describe, expect, test } from 'vitest'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { moveCredit } from '../../../customers/row/store-credit.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { orders } from '../row/rows.ts'
import { type PaymentOutcome, recordPayment } from './payment-record.ts'
import { receivedBy, tendersOf } from './tenders.ts'
import { type NewTransaction, settleTransaction } from './transactions.ts'

// docs/contract/order-payments.md sections 1 to 3.

const billing_address = { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' }
const print = { name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }

const order = async (shop: Shop, more: object = {}): Promise<number> => {
  const body = { billing_address, products: [print], status_id: 0, ...more }
  return (await shop.call('POST', '/orders', body, { version: 'v2' })).body.id
}
const read = async (shop: Shop, id: number) =>
  (await shop.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body

const byCard = (amount: number, more: Partial<NewTransaction> = {}): NewTransaction => ({
  event: 'purchase',
  method: 'credit_card',
  gateway: 'testgateway',
  amount,
  ...more,
})

const record = async (
  shop: Shop,
  id: number,
  outcome: PaymentOutcome,
  transaction: NewTransaction & { keepsStatus?: boolean },
) => (await dbOf(shop)).transaction(async (tx) => recordPayment(tx, await lock(tx, orders, id), outcome, transaction))

const scopes = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope }) => String(scope)).filter((scope) => scope.startsWith('store/order/'))

test('a transaction is listed with all its data, and published before the change of the order', async () => {
  const shop = await openShop()
  const id = await order(shop)
  const list = () => shop.call('GET', `/orders/${id}/transactions`)
  expect((await list()).status).toBe(204)
  const before = (await scopes(shop)).length
  await record(
    shop,
    id,
    'purchase approved',
    byCard(25, {
      gateway_transaction_id: 'tg_1',
      test: true,
      payment_method_id: 'testgateway.card',
      details: { code: '0', message: 'Approved', credit_card: { card_type: 'visa', card_last4: '1111' } },
    }),
  )
  const { status, body } = await list()
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          id: 1,
          order_id: '1',
          event: 'purchase',
          method: 'credit_card',
          amount: 25,
          currency: 'USD',
          gateway: 'testgateway',
          gateway_transaction_id: 'tg_1',
          test: true,
          status: 'ok',
          fraud_review: false,
          reference_transaction_id: null,
          payment_method_id: 'testgateway.card',
          date_created: expect.stringMatching(/^\d{4}-.*Z$/),
          message: 'Approved',
          offline: null,
          custom: null,
          credit_card: { card_type: 'visa', card_last4: '1111' },
          store_credit: null,
          gift_certificate: null,
          avs_result: null,
          cvv_result: null,
          payment_instrument_token: null,
          provider_instrument_token: null,
          provider_customer_id: null,
          custom_provider_field_result: null,
        },
      ],
      meta: expect.objectContaining({ pagination: expect.objectContaining({ total: 1 }) }),
    },
  ])
  expect((await scopes(shop)).slice(before)).toEqual([
    'store/order/transaction/created',
    'store/order/updated',
    'store/order/statusUpdated',
  ])
  expect(await read(shop, id)).toMatchObject({
    payment_status: 'captured',
    status_id: 11,
    payment_provider_id: 'testgateway',
  })
  const published = (await rowsOf(shop, 'events')).find(({ scope }) => scope === 'store/order/transaction/created')
  expect(JSON.parse(String(published?.data))).toEqual({
    type: 'transaction',
    order_id: '1',
    transaction_id: '1',
    transaction_status: 'complete',
    transaction_type: 'purchase',
    result: { code: '0', message: 'Approved', type: 'success' },
    platform_transaction_id: '1',
    provider_transaction_id: 'tg_1',
  })
  expect((await shop.call('GET', '/orders/99/transactions')).status).toBe(404)
  expect((await shop.call('GET', `/orders/${id}/transactions?event=purchase`)).status).toBe(422)
  expect((await shop.call('GET', `/orders/${id}/transactions?limit=1&page=2`)).status).toBe(204)
})

const refused: Partial<NewTransaction> = { status: 'error', details: { message: 'No.' } }
test.each<[PaymentOutcome, NewTransaction, payment_status: string, status_id: number]>([
  ['authorization approved', byCard(25, { event: 'authorization' }), 'authorized', 7],
  ['purchase approved', byCard(25), 'captured', 11],
  ['paid without a gateway', byCard(25, { method: 'offline', gateway: 'cod' }), 'paid', 11],
  ['answer pending', byCard(25, { event: 'pending' }), 'pending', 7],
  ['held', byCard(25, { event: 'authorization', fraud_review: true }), 'held for review', 12],
  ['declined', byCard(25, refused), 'declined', 0],
  // A part of it: the rest follows.
  ['paid without a gateway', byCard(10, { method: 'store_credit', gateway: 'storecredit' }), '', 1],
  ['purchase approved', byCard(24.99), '', 1],
])('%s leads an order to where the tables say', async (outcome, transaction, payment_status, status_id) => {
  const shop = await openShop()
  await record(shop, await order(shop), outcome, transaction)
  expect(await read(shop, 1)).toMatchObject({ payment_status, status_id })
  await record(shop, await order(shop), outcome, { ...transaction, keepsStatus: true })
  expect(await read(shop, 2)).toMatchObject({ payment_status, status_id: 0 })
})

describe('an order', () => {
  test('that is paid by credit and a card has both as tenders, and is paid by the last of them', async () => {
    const shop = await openShop()
    const id = await order(shop)
    await record(shop, id, 'paid without a gateway', byCard(10, { method: 'store_credit', gateway: 'storecredit' }))
    await record(shop, id, 'purchase approved', byCard(15))
    expect(await read(shop, id)).toMatchObject({
      payment_status: 'captured',
      status_id: 11,
      store_credit_amount: '10.0000',
    })
    const [row] = (await rowsOf(shop, 'orders')) as never[]
    const tenders = await tendersOf(await dbOf(shop), row as never)
    expect(tenders).toEqual([
      { provider_id: 'storecredit', captured: 100_000n, refunded: 0n, offline: false, isImplicit: false },
      { provider_id: 'testgateway', captured: 150_000n, refunded: 0n, offline: false, isImplicit: false },
    ])
    expect(receivedBy(tenders)).toBe(250_000n)
    await expect(record(shop, id, 'purchase approved', byCard(15))).rejects.toThrow("can't become purchase approved")
  })

  test('that the merchant calls paid has one tender of its total, outside; one without a paid status has none', async () => {
    const shop = await openShop()
    await order(shop, { status_id: 11 })
    await order(shop, { status_id: 7 })
    const [paid, open] = (await rowsOf(shop, 'orders')) as never[]
    const db = await dbOf(shop)
    expect(await tendersOf(db, paid as never)).toEqual([
      { provider_id: 'custom', captured: 250_000n, refunded: 0n, offline: true, isImplicit: true },
    ])
    expect(await tendersOf(db, open as never)).toEqual([])
  })

  test('whose payment waited and was declined in the end is declined, and the waiting transaction says why', async () => {
    const shop = await openShop()
    const id = await order(shop)
    const { transaction } = await record(shop, id, 'answer pending', byCard(25, { event: 'pending' }))
    await (await dbOf(shop)).transaction(async (tx) => {
      await settleTransaction(tx, transaction, { status: 'error', details: { message: 'Too late.' } })
    })
    await record(shop, id, 'declined', byCard(25, refused))
    expect(await read(shop, id)).toMatchObject({ payment_status: 'declined', status_id: 6 })
    const { data } = (await shop.call('GET', `/orders/${id}/transactions`)).body
    expect(data).toMatchObject([
      { event: 'pending', status: 'error', message: 'Too late.' },
      { event: 'purchase', status: 'error', message: 'No.' },
    ])
    expect(await scopes(shop)).toContain('store/order/transaction/updated')
  })
})

test('store credit is given and taken with its history, and never more than there is', async () => {
  const shop = await openShop()
  await shop.call('POST', '/customers', [
    { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', store_credit_amounts: [{ amount: 10 }] },
  ])
  const db = await dbOf(shop)
  const move = (customer: number, by: string) => db.transaction((tx) => moveCredit(tx, customer, by, 'payment'))
  expect([
    await move(1, '-9.9900'),
    await move(1, '-0.0200'),
    await move(1, '5.0000'),
    await move(2, '1.0000'),
  ]).toEqual([0.01, undefined, 5.01, undefined])
  const history = await rowsOf(shop, 'store_credit_changes')
  expect(history.map((row) => [row.amount_before, row.amount_after, row.cause])).toEqual([
    [0, 10, 'api'],
    [10, 0.01, 'payment'],
    [0.01, 5.01, 'payment'],
  ])
})
