import t from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { amountOf, textOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { change, findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { moveCredit } from '../../../customers/row/store-credit.ts'
import { type AttemptRow, callGateway, findAttempt } from '../../payments/attempts.ts'
import { approved, declined, type GatewayResult, PAYMENT_CODES } from '../../payments/gateways/gateway.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { giveBack, lockSpendings, returnableTo } from '../../promotions/certificate-balance.ts'
import { restoreCertificates } from '../../promotions/purchased-certificates.ts'
import { type Happening, isRefundStatus, statusAfter } from '../arithmetic/order-status.ts'
import { type PaymentEvent, transition } from '../arithmetic/payment-status.ts'
import { GIFT_CERTIFICATE_PROVIDER, isBalance, STORE_CREDIT_PROVIDER } from '../arithmetic/refund-methods.ts'
import type { MoneyParts } from '../captures/captures.ts'
import { gatewayRetryDelay, refundRetryOutcome } from '../row/retries.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { withNote } from '../row/staff-notes.ts'
import { CERTIFICATE_GONE } from '../transactions/returned-balances.ts'
import { receiptsOf, receivedBy, tendersOf } from '../transactions/tenders.ts'
import {
  findTransaction,
  type NewTransaction,
  resultDetails,
  settleTransaction,
  type TransactionRow,
  writeTransaction,
} from '../transactions/transactions.ts'
import { orderSubject } from '../writing/events.ts'
import { moveOrder } from '../writing/move.ts'
import { catchUpCertificates } from '../writing/status/placement.ts'
import { countRefunded } from './refunded-units.ts'
import { findRepayments, type RepaymentRow, refunds, repayments } from './rows.ts'

// A job makes the repayments of a refund one after another, and stores each outcome in a transaction of its own. After an interruption the
// next run continues with the repayments that still wait (docs/contract/refunds.md section 5).

export const refundTask = task('settle_refund', t.Object({ order_id: t.Integer(), refund_id: t.Integer() }), {
  // A call may take 25 s, and looking up its outcome another 25 s. A refund has one repayment by a gateway.
  maxMs: 60_000,
  retryDelay: gatewayRetryDelay,
})

export const refundRunner = (parts: MoneyParts) =>
  runner(refundTask, async ({ db, payload: { order_id, refund_id }, attempt, signal }) => {
    const order = await findOne(db, orders, order_id)
    const waiting = await findRepayments(db, sql`refund_id = ${refund_id} and state = 'waiting'`)
    const received = await receiptsOf(db, [order_id])
    for (const payment of waiting) {
      const source = received.find(({ gateway }) => gateway === payment.provider_id)
      const isCalled = !payment.offline && !isBalance(payment.provider_id)
      const result = isCalled ? await callFor(db, parts, { order, payment, source, signal }) : approved('')
      const outcome = isCalled ? await refundRetryOutcome(db, keyOf(payment), result, attempt) : undefined
      if (outcome) return outcome
      await settleRepayment(db, payment, result, source ?? received[0])
    }
    return done
  })

/** The key of a repayment at the gateway, the same in every attempt. */
const keyOf = ({ id }: RepaymentRow) => `${id}:refund`

interface GatewayRepayment {
  order: OrderRow
  payment: RepaymentRow
  /** The receipt that the gateway refunds. */
  source: TransactionRow | undefined
  signal: AbortSignal
}

async function callFor(
  db: Db,
  { gateways }: MoneyParts,
  { order, payment, source, signal }: GatewayRepayment,
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

/** Stores the outcome of a repayment: its transaction, then its effect on the order. */
const settleRepayment = (db: Db, { id, order_id }: RepaymentRow, answered: GatewayResult, source?: TransactionRow) =>
  db.transaction(async (tx) => {
    const order = await lock(tx, orders, order_id)
    const payment = await lock(tx, repayments, id)
    // Another process has settled it meanwhile.
    if (payment.state !== 'waiting') return
    const failure = await failureOf(tx, keyOf(payment))
    const result = failure ? declined(failure.code, failure.message, answered.gatewayTransactionId) : answered
    const { transaction, isSettled } = await pay(tx, order, payment, { result, source })
    const row = await writeTransaction(tx, order, transaction)
    await change(tx, repayments, payment, {
      state: isSettled ? 'settled' : 'declined',
      declined_message: isSettled ? '' : (transaction.details?.message ?? ''),
      transaction_id: row.id,
    })
    if (!isSettled) await releaseUnits(tx, order, payment.refund_id)
    await followMoney(tx, order)
  })

/** The attempt at a repayment if the gateway has declined it, possibly after an approval. */
async function failureOf(db: Db, key: string): Promise<AttemptRow | undefined> {
  const attempt = await findAttempt(db, key)
  return attempt?.operation === 'refund' && attempt.outcome === 'declined' ? attempt : undefined
}

/**
 * Applies a callback about a refund. A job settles a repayment that still waits, since the previous job may have given up. A repayment
 * that failed after it was approved no longer counts for its order (docs/contract/refunds.md section 5).
 * @param key of the attempt that the callback is about
 */
export async function followRefund(db: Db, key: string) {
  const attempt = await findAttempt(db, key)
  if (attempt?.operation !== 'refund' || !key.endsWith(':refund')) return
  await db.transaction(async (tx) => {
    const order = await lock(tx, orders, attempt.order_id)
    const payment = await lock(tx, repayments, Number.parseInt(key, 10))
    if (payment.state === 'waiting') {
      const payload = { order_id: order.id, refund_id: payment.refund_id }
      await enqueue(tx, refundTask, { key: orderSubject(order), payload })
    }
    const failure = await failureOf(tx, key)
    if (!failure || payment.state !== 'settled' || payment.transaction_id === null) return
    const { code, message, gateway_transaction_id } = failure
    await settleTransaction(tx, await findTransaction(tx, payment.transaction_id), {
      status: 'error',
      gateway_transaction_id,
      details: { code: String(code), message },
    })
    await change(tx, repayments, payment, { state: 'declined', declined_message: message })
    await releaseUnits(tx, order, payment.refund_id)
    await followFailure(tx, order, `The refund of ${payment.amount} failed: ${message}`)
  })
}

/** Makes a repayment and returns its transaction. An offline one is only recorded; balances are raised here. */
async function pay(
  tx: Tx,
  order: OrderRow,
  { provider_id, amount, offline }: RepaymentRow,
  { result, source }: { result: GatewayResult; source: TransactionRow | undefined },
): Promise<{ transaction: NewTransaction; isSettled: boolean }> {
  const base = {
    event: 'refund' as const,
    amount,
    gateway: provider_id,
    reference_transaction_id: source?.id ?? null,
  }
  if (offline) {
    const details = { offline: { display_name: order.payment_method || 'Manual payment' } }
    return { transaction: { ...base, method: 'offline', details }, isSettled: true }
  }
  if (provider_id === STORE_CREDIT_PROVIDER) {
    const balance = await moveCredit(tx, order.customer_id, textOf(unitsOf(amount)), 'refund')
    const isSettled = balance !== undefined
    const details = isSettled
      ? { store_credit: { remaining_balance: balance } }
      : { message: 'The customer no longer exists.' }
    return {
      transaction: { ...base, method: 'store_credit', status: isSettled ? 'ok' : 'error', details },
      isSettled,
    }
  }
  if (provider_id === GIFT_CERTIFICATE_PROVIDER) {
    const { isSettled, details } = await returnToCertificates(tx, order, unitsOf(amount))
    return {
      transaction: { ...base, method: 'gift_certificate', status: isSettled ? 'ok' : 'error', details },
      isSettled,
    }
  }
  const isSettled = result.outcome === 'approved'
  return {
    transaction: {
      ...base,
      method: source?.method ?? 'custom',
      gateway_transaction_id: result.gatewayTransactionId,
      test: source?.test ?? false,
      payment_method_id: source?.payment_method_id ?? '',
      status: isSettled ? 'ok' : 'error',
      details: {
        ...resultDetails(result),
        ...(source?.details.credit_card ? { credit_card: source.details.credit_card } : {}),
      },
    },
    isSettled,
  }
}

/** Gives a repayment back to the certificates that paid. All of it or nothing, since it has one transaction. */
async function returnToCertificates(tx: Tx, order: OrderRow, amount: Units) {
  const spendings = await lockSpendings(tx, order)
  if (returnableTo(spendings) < amount) return { isSettled: false, details: { message: CERTIFICATE_GONE } }
  const [move, ...others] = await giveBack(tx, order, spendings, { amount, cause: 'refund' })
  const details: NewTransaction['details'] =
    move && others.length === 0
      ? { gift_certificate: move.certificate }
      : { message: `Returned to ${others.length + 1} gift certificates.` }
  return { isSettled: true, details }
}

/**
 * Declines a refund if all its repayments were declined: then its units can be refunded again, and the certificates that it took back return. If only some were declined they can't, since
 * nobody knows which units those paid for.
 */
async function releaseUnits(tx: Tx, order: OrderRow, refund_id: number) {
  const others = await findRepayments(tx, sql`refund_id = ${refund_id} and state <> 'declined'`)
  if (others.length > 0) return
  const refund = await lock(tx, refunds, refund_id)
  await change(tx, refunds, refund, { is_declined: true })
  await countRefunded(tx, refund.items, -1)
  await restoreCertificates(tx, order, refund.certificates)
  const unpaid = refund.certificates.filter(({ is_unpaid }) => is_unpaid).map(({ id }) => id)
  await catchUpCertificates(tx, order, unpaid)
}

/** The amount that was refunded of an order. */
async function settledOf(tx: Tx, order_id: number): Promise<number> {
  const { settled } = await tx.row<{ settled: number }>(
    prepared(sql`
    select coalesce(sum(amount), 0) as settled from order_refund_payments
    where store_id = ${tx.store.id} and order_id = ${order_id} and state = 'settled'`),
  )
  return settled
}

/**
 * Updates an order after a repayment has failed. If somebody has changed the status of the order since, it remains. The stock remains as it
 * is.
 */
async function followFailure(tx: Tx, order: OrderRow, note: string) {
  const settled = await settledOf(tx, order.id)
  const payment_status = transition(order.payment_status, settled > 0 ? 'refunded in part' : 'refunds failed')
  const status_id = settled > 0 ? statusAfter('refunded in part', order) : await statusBeforeRefunds(tx, order)
  await moveOrder(
    tx,
    order,
    {
      refunded_amount: settled,
      staff_notes: withNote(order, note),
      ...(payment_status === undefined ? {} : { payment_status }),
      ...(isRefundStatus(order.status_id) ? { status_id } : {}),
    },
    { keepsStock: true },
  )
}

/** The status that an order had before its refunds. */
async function statusBeforeRefunds(tx: Tx, { id, status_id }: OrderRow): Promise<number> {
  const changes = await tx.rows<{ previous_status_id: number }>(
    prepared(sql`
    select previous_status_id from order_status_changes
    where store_id = ${tx.store.id} and order_id = ${id} order by nr desc`),
  )
  return changes.find(({ previous_status_id }) => !isRefundStatus(previous_status_id))?.previous_status_id ?? status_id
}

/** Updates an order after a repayment (docs/contract/refunds.md section 5). Its stock remains as it is. */
async function followMoney(tx: Tx, order: OrderRow) {
  const settled = await settledOf(tx, order.id)
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
