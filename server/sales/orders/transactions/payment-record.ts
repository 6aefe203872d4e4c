import type { Tx } from '../../../core/db/database.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { type Happening, PENDING, statusAfter } from '../arithmetic/order-status.ts'
import { type PaymentEvent, transition } from '../arithmetic/payment-status.ts'
import type { OrderRow } from '../row/rows.ts'
import { moveOrder } from '../writing/move.ts'
import { amountDue, receivedBy, type StoredTender, tendersOf } from './tenders.ts'
import { type NewTransaction, type TransactionRow, writeTransaction } from './transactions.ts'

/** What can come of a payment. */
export type PaymentOutcome = Extract<
  PaymentEvent,
  | 'authorization approved'
  | 'purchase approved'
  | 'paid without a gateway'
  | 'answer pending'
  | 'held'
  | 'declined'
  | 'rejected'
>

/** Where each leads the order; not said of one, the order stays, as after a decline: the shopper may try again. */
const happenings: Readonly<Partial<Record<PaymentOutcome, Happening>>> = {
  'authorization approved': 'authorized',
  'purchase approved': 'purchased',
  'paid without a gateway': 'purchased',
  'answer pending': 'payment pending',
  held: 'held for review',
  rejected: 'voided',
}

/** Whether money came in by it, or is reserved. */
const isPayment = (outcome: PaymentOutcome): boolean =>
  outcome === 'authorization approved' || outcome === 'purchase approved' || outcome === 'paid without a gateway'

/**
 * Records what came of a payment of an order: writes its transaction, moves payment status and status of the order by the tables
 * of `states/`, with its stock, and tells both (docs/contract/order-payments.md section 3). Transaction first, then the order.
 *
 * If the order is not paid in full, its status is 1: the rest follows. Its payment status then says nothing of money that was received,
 * but it is `authorized` after an authorization, which has to be captured or voided. The order names the amounts of store credit and gift
 * certificates, by `transaction.method`.
 * @param order locked in this transaction (`lock(tx, orders, id)`)
 * @param transaction in the currency of the order. For a decline its `status` is `error`, for `held` its `fraud_review` true
 * @param keepsStatus whether the order's status stays where the client has put it
 * @throws Error if the payment status does not allow this outcome: look with `transition` before anything is sent
 */
export async function recordPayment(
  tx: Tx,
  order: OrderRow,
  outcome: PaymentOutcome,
  transaction: NewTransaction,
  { keepsStatus = false } = {},
): Promise<{ order: OrderRow; transaction: TransactionRow }> {
  const payment_status = transition(order.payment_status, outcome)
  if (payment_status === undefined) {
    throw new Error(`The payment of order ${order.id} is "${order.payment_status}": it can't become ${outcome}.`)
  }
  const tenders = (await tendersOf(tx, order)).filter(({ isImplicit }) => !isImplicit)
  const isPart = isPayment(outcome) && receivedBy(tenders) + unitsOf(transaction.amount) < amountDue(order)
  const partStatus =
    outcome === 'authorization approved' ? payment_status : transition(order.payment_status, 'paid in part')
  const written = await writeTransaction(tx, order, transaction)
  // Of a payment that waited for its answer: it will not come again.
  const happening =
    outcome === 'declined' && order.payment_status === 'pending' ? 'payment failed' : happenings[outcome]
  const status_id = isPart ? PENDING : happening ? statusAfter(happening, order) : order.status_id
  const moved = await moveOrder(tx, order, {
    payment_status: isPart ? (partStatus ?? order.payment_status) : payment_status,
    ...(keepsStatus ? {} : { status_id }),
    ...(isPayment(outcome) ? amountsBy(tenders, transaction) : {}),
    payment_provider_id: order.payment_provider_id ?? transaction.gateway,
  })
  return { order: moved, transaction: written }
}

/** The amounts that store credit and gift certificates pay, with this transaction. @param tenders before it */
function amountsBy(tenders: readonly StoredTender[], { method, gateway, amount }: NewTransaction): Partial<OrderRow> {
  const before = tenders.find(({ provider_id }) => provider_id === gateway)?.captured ?? 0n
  const paid = amountOf(before + unitsOf(amount))
  if (method === 'store_credit') return { store_credit_amount: paid }
  if (method === 'gift_certificate') return { gift_certificate_amount: paid }
  return {}
}
