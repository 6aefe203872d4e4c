import t from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, type Outcome, type Runner, runner, task } from '../../../core/jobs/task.ts'
import { findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { callGateway, findAttempt } from '../../payments/attempts.ts'
import type { GatewayResult } from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { spendTokens } from '../../payments/tokens.ts'
import { canBeRefunded, transition } from '../arithmetic/payment-status.ts'
import { gatewayRetryDelay, refundRetryOutcome } from '../row/retries.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { withNote } from '../row/staff-notes.ts'
import { orderSubject } from '../writing/events.ts'
import { moveOrder } from '../writing/move.ts'
import { findPayment, mustFindPayment, type PaymentRow, paymentOfTransaction, setState } from './payment-rows.ts'
import { openAuthorizations } from './tenders.ts'
import {
  findTransaction,
  findTransactionsOf,
  type NewTransaction,
  resultDetails,
  settleTransaction,
  type TransactionRow,
  writeTransaction,
} from './transactions.ts'

// Returns payments that their orders don't need (docs/contract/payments.md section 3): the gateway approved them after they had been given
// up, and meanwhile the order was paid again, cancelled or refunded. They are recorded, and a job returns them: it refunds a purchase and
// voids an authorization. If the gateway refuses, the money belongs to the order and the merchant decides.

const returnTask = task('return_payment', t.Object({ payment: t.String() }), {
  // A call may take 25 s, and looking up its outcome another 25 s.
  maxMs: 60_000,
  retryDelay: gatewayRetryDelay,
})

/** Records a payment that its order doesn't need, and enqueues its return. @param order locked */
export async function returnPayment(tx: Tx, order: OrderRow, { id, amount }: PaymentRow, receipt: NewTransaction) {
  const transaction = await writeTransaction(tx, order, receipt)
  await setState(tx, id, 'returning', transaction.id)
  await enqueue(tx, returnTask, { key: orderSubject(order), payload: { payment: id } })
  await spendTokens(tx, order.id)
  const note = `A payment of ${amount} was made after it had been given up. The order doesn't need it, so it is returned.`
  await moveOrder(tx, order, { staff_notes: withNote(order, note) })
}

/**
 * Enqueues another void of the last open authorization, if the order doesn't need it and its gateway refused the first void.
 * @param order locked
 * @returns whether there is such an authorization
 */
export async function returnAgain(tx: Tx, order: OrderRow): Promise<boolean> {
  const receipt = (await openAuthorizations(tx, order.id)).at(-1)
  if (!receipt) return false
  const payment = await paymentOfTransaction(tx, order.id, receipt.id)
  if (payment?.state !== 'approved') return false
  await setState(tx, payment.id, 'returning', receipt.id)
  await enqueue(tx, returnTask, { key: orderSubject(order), payload: { payment: payment.id } })
  return true
}

export const returnRunner = (gateways: Gateways): Runner =>
  runner(returnTask, async ({ db, payload, attempt, signal }) => {
    const payment = await findPayment(db, payload.payment)
    if (payment?.state !== 'returning' || payment.transaction_id === null) return done
    const order = await findOne(db, orders, payment.order_id)
    const receipt = await findTransaction(db, payment.transaction_id)
    const key = await keyOf(db, receipt)
    const result = await callGateway(
      db,
      gateways,
      {
        key,
        orderId: order.id,
        operation: followsOn(receipt),
        gateway: receipt.gateway,
        channel_id: order.channel_id,
        currency: order.currency_code,
        decimals: order.currency_decimals,
        amountMinor: toMinor(receipt.amount, order.currency_decimals),
        reference: receipt.gateway_transaction_id,
        reason: 'The order does not need this payment.',
      },
      signal,
    )
    return (await refundRetryOutcome(db, key, result, attempt)) ?? settle(db, payment.id, result)
  })

const followsOn = ({ event }: TransactionRow) => (event === 'purchase' ? 'refund' : 'void')

/** The key of the next attempt to return a receipt. It remains the same until the outcome is stored. */
async function keyOf(db: Db, { id, order_id }: TransactionRow): Promise<string> {
  const { failures } = await db.row<{ failures: number }>(
    prepared(sql`
    select count(*)::int as failures from order_transactions
    where store_id = ${db.store.id} and order_id = ${order_id} and reference_transaction_id = ${id} and status = 'error'`),
  )
  return failures === 0 ? `${id}:return` : `${id}:return:${failures + 1}`
}

const settle = (db: Db, id: string, result: GatewayResult): Promise<Outcome> =>
  db.transaction(async (tx) => {
    const { order_id } = await mustFindPayment(tx, id)
    const order = await lock(tx, orders, order_id)
    const payment = await mustFindPayment(tx, id)
    if (payment.state !== 'returning' || payment.transaction_id === null) return done
    const receipt = await findTransaction(tx, payment.transaction_id)
    const isReturned = result.outcome === 'approved'
    const { credit_card } = receipt.details
    await writeTransaction(tx, order, {
      event: followsOn(receipt),
      method: receipt.method,
      amount: receipt.amount,
      gateway: receipt.gateway,
      gateway_transaction_id: result.gatewayTransactionId,
      test: receipt.test,
      status: isReturned ? 'ok' : 'error',
      reference_transaction_id: receipt.id,
      payment_method_id: receipt.payment_method_id,
      details: { ...resultDetails(result), ...(credit_card ? { credit_card } : {}) },
    })
    await setState(tx, id, isReturned ? 'returned' : 'approved', receipt.id)
    if (!isReturned) await keepReceipt(tx, order, receipt, result.message)
    return done
  })

/** Notes for the shop that a payment remains with its order. An authorization can then be captured or voided by request. */
async function keepReceipt(tx: Tx, order: OrderRow, { event, amount }: TransactionRow, message: string) {
  const mayMove = event === 'authorization' && canBeRefunded(order.payment_status)
  const authorized = mayMove ? transition(order.payment_status, 'authorization approved') : undefined
  await moveOrder(tx, order, {
    staff_notes: withNote(order, `The payment of ${amount} could not be returned: ${message}`),
    ...(authorized === undefined ? {} : { payment_status: authorized }),
  })
}

/**
 * Applies a callback about a returned payment. A job settles a return that still waits, since the previous job may have given up. If a
 * return fails after it was approved, the money remains with the order.
 * @param key of the attempt that the callback is about
 */
export async function followReturn(db: Db, key: string) {
  const [, receiptId] = /^(\d+):return(:\d+)?$/.exec(key) ?? []
  const attempt = receiptId === undefined ? undefined : await findAttempt(db, key)
  if (!attempt) return
  await db.transaction(async (tx) => {
    const order = await lock(tx, orders, attempt.order_id)
    const payment = await paymentOfTransaction(tx, order.id, Number(receiptId))
    if (payment?.state === 'returning') {
      await enqueue(tx, returnTask, { key: orderSubject(order), payload: { payment: payment.id } })
    }
    if (payment?.state !== 'returned' || attempt.outcome !== 'declined') return
    const receipt = await findTransaction(tx, Number(receiptId))
    const [back] = await findTransactionsOf(
      tx,
      [order.id],
      sql`reference_transaction_id = ${receipt.id} and status = 'ok' and event = ${followsOn(receipt)}`,
    )
    if (!back) return
    const { code, message, gateway_transaction_id } = attempt
    const details = { code: String(code), message }
    await settleTransaction(tx, back, { status: 'error', gateway_transaction_id, details })
    await setState(tx, payment.id, 'approved', receipt.id)
    await keepReceipt(tx, order, receipt, message)
  })
}
