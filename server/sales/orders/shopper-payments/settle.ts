import type { Db, Tx } from '../../../core/db/database.ts'
import { unitsOf } from '../../../core/money/units.ts'
import { change, lock } from '../../../core/rest/lists/verbs.ts'
import { type AttemptRow, findAttempt } from '../../payments/attempts.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { providerAt } from '../../payments/providers.ts'
import { returnTry, spendTokens } from '../../payments/tokens.ts'
import { canStillBePaid } from '../arithmetic/order-status.ts'
import { transition } from '../arithmetic/payment-status.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { recordPayment } from '../transactions/payment-record.ts'
import {
  hasEnded,
  mustFindPayment,
  ordersUnderWay,
  type PaymentRow,
  type PaymentState,
  releaseHeldBalances,
  setState,
} from '../transactions/payment-rows.ts'
import { returnBalances } from '../transactions/returned-balances.ts'
import { returnPayment } from '../transactions/returns.ts'
import { findTransaction, type NewTransaction, resultDetails, settleTransaction } from '../transactions/transactions.ts'
import { releaseReservation } from '../writing/reservations.ts'
import { giveBackHeld } from './instruments/redemptions.ts'
import { dueOf } from './payable.ts'

/** A payment after it was settled. */
export interface Settled {
  payment: PaymentRow
  /** Whether it was approved after it had been given up or declined. */
  isLate: boolean
}

/**
 * Applies the outcome of an attempt to its payment and order: stores the transaction, moves the order, and ends the tokens
 * (docs/contract/payments.md section 3). The request, a callback and a job may call it in any order: each step is made once.
 */
export function settlePayment(db: Db, gateways: Gateways, id: string): Promise<Settled> {
  return db.transaction(async (tx) => {
    const { order_id } = await mustFindPayment(tx, id)
    const order = await lock(tx, orders, order_id)
    const payment = await mustFindPayment(tx, id)
    const attempt = await findAttempt(tx, payment.attempt_key)
    if (!attempt || attempt.outcome === null) return { payment, isLate: false }
    const wasGivenUp = payment.state === 'failed' || payment.state === 'declined'
    const isLate = wasGivenUp && attempt.outcome === 'approved'
    if (hasEnded(payment) && !isLate) return { payment, isLate }
    const state = attempt.outcome === 'error' ? 'failed' : attempt.outcome
    if (state === payment.state) return { payment, isLate }
    if (state === 'failed' && payment.state === 'open') {
      await returnTry(tx, payment.jti)
      await setState(tx, id, 'failed', null)
      await returnHeld(tx, order, payment)
      await releaseReservation(tx, order)
    } else {
      const verdict = state === 'failed' ? 'declined' : state
      await record(tx, gateways, { before: order, payment, attempt, verdict, isLate })
    }
    return { payment: await mustFindPayment(tx, id), isLate }
  })
}

/** The outcomes of a payment that reached its gateway. */
type Verdict = Extract<PaymentState, 'pending' | 'review' | 'approved' | 'declined'>

interface Outcome {
  before: OrderRow
  payment: PaymentRow
  attempt: AttemptRow
  verdict: Verdict
  isLate: boolean
}

/** Gives the balances of a payment back that was not made. */
async function returnHeld(tx: Tx, order: OrderRow, { id, held }: PaymentRow) {
  if (held.length === 0) return
  await giveBackHeld(tx, order, held)
  await releaseHeldBalances(tx, id)
}

/** Records the outcome of a payment. */
async function record(tx: Tx, gateways: Gateways, { before, payment, attempt, verdict, isLate }: Outcome) {
  const isWaiting = verdict === 'pending' || verdict === 'review'
  if (payment.transaction_id !== null) await endWaiting(tx, payment.transaction_id, attempt)
  // A payment that still waits, for example a pending one that is now under review, has its transaction already.
  if (isWaiting && payment.transaction_id !== null) return setState(tx, payment.id, verdict, payment.transaction_id)
  const event = payment.operation === 'purchase' ? 'purchase' : 'authorization'
  const { method, credit_card } = payment.instrument
  const provider = await providerAt(tx, attempt.gateway, attempt)
  const order = await named(tx, before, provider && (await gateways.open(tx, provider)).name)
  const transaction = {
    event: isWaiting ? 'pending' : event,
    method,
    amount: payment.amount,
    gateway: attempt.gateway,
    gateway_transaction_id: attempt.gateway_transaction_id,
    payment_method_id: payment.payment_method_id,
    test: provider?.is_test ?? false,
    status: verdict === 'declined' ? 'error' : 'ok',
    fraud_review: verdict === 'review',
    reference_transaction_id: payment.transaction_id,
    details: { ...detailsOf(attempt), ...(credit_card ? { credit_card } : {}) },
  } satisfies NewTransaction
  const isUnwanted = verdict === 'approved' && !(await isWanted(tx, order, payment, isLate))
  if (isUnwanted || verdict === 'declined') await returnHeld(tx, order, payment)
  if (isUnwanted) return returnPayment(tx, order, payment, transaction)
  const balances = verdict === 'declined' ? [] : payment.held
  const isRejected = verdict === 'declined' && order.payment_status === 'held for review'
  const wasWaiting = order.payment_status === 'pending' || isRejected
  const outcome = isRejected ? 'rejected' : OUTCOMES[verdict === 'approved' ? event : verdict]
  const recorded = await recordPayment(tx, order, outcome, { ...transaction, balances })
  if (balances.length > 0) await releaseHeldBalances(tx, payment.id)
  if (verdict === 'declined' && wasWaiting) await returnBalances(tx, recorded.order)
  if (verdict !== 'declined') await spendTokens(tx, order.id)
  if (!isWaiting) await releaseReservation(tx, recorded.order)
  return setState(tx, payment.id, verdict, isWaiting ? recorded.transaction.id : null)
}

const OUTCOMES = {
  purchase: 'purchase approved',
  authorization: 'authorization approved',
  pending: 'answer pending',
  review: 'held',
  declined: 'declined',
} as const

/**
 * Whether an order needs an approved payment. If the payment had been given up, the order may have been paid again, cancelled, refunded
 * or archived meanwhile.
 */
async function isWanted(tx: Tx, order: OrderRow, { operation, amount }: PaymentRow, isLate: boolean): Promise<boolean> {
  const outcome = operation === 'purchase' ? 'purchase approved' : 'authorization approved'
  if (transition(order.payment_status, outcome) === undefined) return false
  if (!isLate) return true
  if (order.is_deleted || !canStillBePaid(order.status_id)) return false
  if ((await ordersUnderWay(tx, [order.id])).size > 0) return false
  const { units, isBeingRefunded } = await dueOf(tx, order)
  return !isBeingRefunded && units >= unitsOf(amount)
}

const detailsOf = ({ checks: { avs, cvv }, ...result }: AttemptRow): NonNullable<NewTransaction['details']> => ({
  ...resultDetails(result),
  ...(avs ? { avs_result: { ...avs, street_match: '', postal_match: '' } } : {}),
  ...(cvv ? { cvv_result: cvv } : {}),
})

/** Records the outcome at the pending transaction. */
async function endWaiting(tx: Tx, id: number, attempt: AttemptRow) {
  await settleTransaction(tx, await findTransaction(tx, id), {
    status: attempt.outcome === 'declined' || attempt.outcome === 'error' ? 'error' : 'ok',
    gateway_transaction_id: attempt.gateway_transaction_id,
    details: detailsOf(attempt),
  })
}

/** An order without a payment method gets the name of the gateway that it was paid by. */
const named = async (tx: Tx, order: OrderRow, payment_method: string | undefined): Promise<OrderRow> =>
  order.payment_method === '' && payment_method !== undefined ? change(tx, orders, order, { payment_method }) : order
