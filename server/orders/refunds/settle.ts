import t from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { done, failed, type Outcome, runner, task } from '../../core/jobs/task.ts'
import { change, findOne, lock } from '../../core/rest/verbs.ts'
import { moveCredit } from '../../customers/store-credit.ts'
import { callGateway, findAttempt } from '../../payments/attempts.ts'
import { approved, declined, type GatewayResult, PAYMENT_CODES } from '../../payments/gateways/gateway.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { type MoneyParts, retryDelay, whyToWait } from '../actions.ts'
import { STORE_CREDIT } from '../money/refund-methods.ts'
import { amountOf, textOf, unitsOf } from '../money/units.ts'
import { moveOrder } from '../move.ts'
import { type OrderRow, orders } from '../rows.ts'
import { type Happening, statusAfter } from '../states/order-status.ts'
import { type PaymentEvent, transition } from '../states/payment-status.ts'
import { receivedBy, tendersOf } from '../tenders.ts'
import { findTransactionsOf, type NewTransaction, type TransactionRow, writeTransaction } from '../transactions.ts'
import { countRefunded } from './counted.ts'
import { findPayments, type PaymentRow, payments, refunds } from './rows.ts'

// The payments of a refund are made by a job, one after another, each outcome in a transaction of its own. Whatever interrupts it, what
// is settled is settled, and what waits is asked for again (docs/contract/refunds.md section 5).

export const refundTask = task('settle_refund', t.Object({ order_id: t.Integer(), refund_id: t.Integer() }), {
  // A call may take 25 s, and asking for its outcome as long again; a refund has one with a gateway.
  maxMs: 60_000,
  retryDelay,
})

export const refundRunner = (parts: MoneyParts) =>
  runner(refundTask, async ({ db, payload: { order_id, refund_id }, attempt, signal }) => {
    const order = await findOne(db, orders, order_id)
    const waiting = await findPayments(db, sql`refund_id = ${refund_id} and state = 'waiting'`)
    const received = await findTransactionsOf(db, [order_id], RECEIVED)
    for (const payment of waiting) {
      const source = received.find(({ gateway }) => gateway === payment.provider_id)
      const isCalled = !payment.offline && payment.provider_id !== STORE_CREDIT
      const result = isCalled ? await callFor(db, parts, order, payment, source, signal) : approved('')
      const outcome = isCalled ? await whyNotYet(db, payment, result, attempt) : undefined
      if (outcome) return outcome
      await settlePayment(db, payment, result, source ?? received[0])
    }
    return done
  })

const RECEIVED = sql`event in ('purchase', 'capture') and status = 'ok'`

/** What the gateway knows a payment by, in every attempt at it. */
const keyOf = ({ id }: PaymentRow) => `${id}:refund`

async function callFor(
  db: Db,
  { gateways }: MoneyParts,
  order: OrderRow,
  payment: PaymentRow,
  source: TransactionRow | undefined,
  signal: AbortSignal,
): Promise<GatewayResult> {
  if (!source) return declined(PAYMENT_CODES.invalid, 'The order has no payment by this provider.')
  const { reason } = await findOne(db, refunds, payment.refund_id)
  return callGateway(
    db,
    gateways,
    {
      key: keyOf(payment),
      orderId: order.id,
      operation: 'refund',
      gateway: payment.provider_id,
      channel_id: order.channel_id,
      currency: order.currency_code,
      decimals: order.currency_decimals,
      amountMinor: toMinor(payment.amount, order.currency_decimals),
      reference: source.gateway_transaction_id,
      reason,
    },
    signal,
  )
}

/** What nobody knows stays reserved for good, and is left to the operator: given back twice is worse than late. */
async function whyNotYet(
  db: Db,
  payment: PaymentRow,
  result: GatewayResult,
  attempt: number,
): Promise<Outcome | undefined> {
  const wait = await whyToWait(db, keyOf(payment), result, attempt)
  if (wait) return wait
  const { outcome, retryable } = result
  const isUnknown =
    outcome === 'pending' ||
    outcome === 'review' ||
    (retryable && (await findAttempt(db, keyOf(payment)))?.outcome === null)
  return isUnknown ? failed('The gateway has not told within seven days what became of this refund.') : undefined
}

/** Stores what came of a payment: its transaction, then what it makes of the order. */
const settlePayment = (db: Db, { id, order_id }: PaymentRow, result: GatewayResult, source?: TransactionRow) =>
  db.transaction(async (tx) => {
    const order = await lock(tx, orders, order_id)
    const payment = await lock(tx, payments, id)
    // Another process was quicker.
    if (payment.state !== 'waiting') return
    const { transaction, isSettled } = await pay(tx, order, payment, result, source)
    const row = await writeTransaction(tx, order, transaction)
    await change(tx, payments, payment, {
      state: isSettled ? 'settled' : 'declined',
      declined_message: isSettled ? '' : (transaction.details?.message ?? ''),
      transaction_id: row.id,
    })
    if (!isSettled) await releaseUnits(tx, payment.refund_id)
    await followMoney(tx, order)
  })

/** What a payment comes to, as a transaction. Store credit is given here, with its history. */
async function pay(
  tx: Tx,
  order: OrderRow,
  { provider_id, amount, offline }: PaymentRow,
  { outcome, gatewayTransactionId, code, message }: GatewayResult,
  source: TransactionRow | undefined,
): Promise<{ transaction: NewTransaction; isSettled: boolean }> {
  const base = {
    event: 'refund' as const,
    amount,
    gateway: provider_id,
    reference_transaction_id: source?.id ?? null,
  }
  if (provider_id === STORE_CREDIT) {
    const balance = await moveCredit(tx, order.customer_id, textOf(unitsOf(amount)), 'refund')
    const isSettled = balance !== undefined
    const details = isSettled
      ? { store_credit: { remaining_balance: balance } }
      : { message: 'The customer does not exist any more.' }
    return {
      transaction: { ...base, method: 'store_credit', status: isSettled ? 'ok' : 'error', details },
      isSettled,
    }
  }
  if (offline) {
    const details = { offline: { display_name: order.payment_method || 'Manual payment' } }
    return { transaction: { ...base, method: 'offline', details }, isSettled: true }
  }
  const isSettled = outcome === 'approved'
  return {
    transaction: {
      ...base,
      method: source?.method ?? 'custom',
      gateway_transaction_id: gatewayTransactionId,
      test: source?.test ?? false,
      payment_method_id: source?.payment_method_id ?? '',
      status: isSettled ? 'ok' : 'error',
      details: {
        code: String(code),
        ...(message === '' ? {} : { message }),
        ...(source?.details.credit_card ? { credit_card: source.details.credit_card } : {}),
      },
    },
    isSettled,
  }
}

/** Where none of its payments came through, what was refunded can be refunded again. Of a part that can't be said of units. */
async function releaseUnits(tx: Tx, refund_id: number) {
  const others = await findPayments(tx, sql`refund_id = ${refund_id} and state <> 'declined'`)
  if (others.length > 0) return
  const refund = await lock(tx, refunds, refund_id)
  await change(tx, refunds, refund, { is_declined: true })
  await countRefunded(tx, refund.items, -1)
}

/** Brings an order to what was given back of it (docs/contract/refunds.md section 5). Its stock stays where it is. */
async function followMoney(tx: Tx, order: OrderRow) {
  const { settled } = await tx.row<{ settled: number }>(
    prepared(sql`
    select coalesce(sum(amount), 0) as settled from order_refund_payments
    where store_id = ${tx.store.id} and order_id = ${order.id} and state = 'settled'`),
  )
  const isAll = unitsOf(settled) >= receivedBy(await tendersOf(tx, order))
  const [event, happening]: [PaymentEvent, Happening] = isAll
    ? ['refunded', 'refunded']
    : ['refunded in part', 'refunded in part']
  const payment_status = transition(order.payment_status, event)
  const isMoved = settled > 0 && amountOf(unitsOf(settled)) !== order.refunded_amount
  await moveOrder(
    tx,
    order,
    isMoved
      ? {
          refunded_amount: settled,
          status_id: statusAfter(happening, order),
          ...(payment_status === undefined ? {} : { payment_status }),
        }
      : {},
    { keepsStock: true },
  )
}
