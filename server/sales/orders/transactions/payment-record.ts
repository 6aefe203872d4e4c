import type { Tx } from '../../../core/db/database.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { type Happening, PENDING, statusAfter } from '../arithmetic/order-status.ts'
import { type PaymentEvent, transition } from '../arithmetic/payment-status.ts'
import { GIFT_CERTIFICATE_PROVIDER, STORE_CREDIT_PROVIDER } from '../arithmetic/refund-methods.ts'
import type { OrderRow } from '../row/rows.ts'
import { moveOrder } from '../writing/move.ts'
import type { HeldBalance } from './payment-rows.ts'
import { amountDue, receivedBy, type StoredTender, tendersOf } from './tenders.ts'
import { type NewTransaction, type TransactionRow, writeTransaction } from './transactions.ts'

/** The outcome of a payment. */
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

/** The effect of each outcome on the order. Without an entry its status remains, as after a decline: the shopper can try again. */
const happenings: Readonly<Partial<Record<PaymentOutcome, Happening>>> = {
  'authorization approved': 'authorized',
  'purchase approved': 'purchased',
  'paid without a gateway': 'purchased',
  'answer pending': 'payment pending',
  held: 'held for review',
  rejected: 'voided',
}

/** Whether the outcome brings in or reserves money. */
const isPayment = (outcome: PaymentOutcome): boolean =>
  outcome === 'authorization approved' || outcome === 'purchase approved' || outcome === 'paid without a gateway'

/**
 * Records the outcome of a payment: stores its transaction, moves payment status, status and stock of the order by the tables of
 * `arithmetic/`, and publishes both (docs/contract/order-payments.md section 3). The transaction comes first.
 *
 * An order that is not paid in full gets status 1, since the rest follows. Its payment status does not change with a partial payment,
 * except that it is `authorized` after an authorization, which has to be captured or voided. The columns for store credit and gift
 * certificates follow `transaction.method`.
 * @param order locked in this transaction (`lock(tx, orders, id)`)
 * @param transaction in the currency of the order. After a decline its `status` is `error`, for `held` its `fraud_review` is true
 * @param balances those that have paid together with the transaction
 * @param keepsStatus whether the status remains as the client has set it
 * @throws Error if the payment status does not allow this outcome: check with `transition` before calling a gateway
 */
export async function recordPayment(
  tx: Tx,
  order: OrderRow,
  outcome: PaymentOutcome,
  { keepsStatus = false, balances = [], ...transaction }: RecordedPayment,
): Promise<{ order: OrderRow; transaction: TransactionRow }> {
  const payment_status = transition(order.payment_status, outcome)
  if (payment_status === undefined) {
    throw new Error(`The payment of order ${order.id} is "${order.payment_status}": it can't become ${outcome}.`)
  }
  const byBalances = await recordBalances(tx, order, balances)
  const tenders = (await tendersOf(tx, order)).filter(({ isImplicit }) => !isImplicit)
  const isPart = isPayment(outcome) && receivedBy(tenders) + unitsOf(transaction.amount) < amountDue(order)
  const partStatus =
    outcome === 'authorization approved' ? payment_status : transition(order.payment_status, 'paid in part')
  const written = await writeTransaction(tx, order, transaction)
  // The shopper of a pending payment does not wait for the answer and will not try again.
  const happening =
    outcome === 'declined' && order.payment_status === 'pending' ? 'payment failed' : happenings[outcome]
  const status_id = isPart ? PENDING : happening ? statusAfter(happening, order) : order.status_id
  const moved = await moveOrder(tx, order, {
    payment_status: isPart ? (partStatus ?? order.payment_status) : payment_status,
    ...(keepsStatus ? {} : { status_id }),
    ...byBalances,
    ...(isPayment(outcome) ? amountsBy(tenders, transaction) : {}),
    payment_provider_id: order.payment_provider_id ?? transaction.gateway,
  })
  return { order: moved, transaction: written }
}

/** A transaction, and further facts of its payment. */
interface RecordedPayment extends NewTransaction {
  balances?: readonly HeldBalance[]
  keepsStatus?: boolean
}

/**
 * Stores the transactions of balances that have paid a part of an order.
 * @param order locked
 * @returns the columns of the order with their sums
 */
export async function recordBalances(
  tx: Tx,
  order: OrderRow,
  balances: readonly HeldBalance[],
): Promise<Partial<OrderRow>> {
  if (balances.length === 0) return {}
  for (const { certificate_id: _, ...transaction } of balances) {
    await writeTransaction(tx, order, { event: 'purchase', ...transaction })
  }
  const tenders = await tendersOf(tx, order)
  const paidBy = (id: string) => amountOf(tenders.find(({ provider_id }) => provider_id === id)?.captured ?? 0n)
  return {
    store_credit_amount: paidBy(STORE_CREDIT_PROVIDER),
    gift_certificate_amount: paidBy(GIFT_CERTIFICATE_PROVIDER),
  }
}

/** The amounts paid by store credit and gift certificates, including this transaction. @param tenders before it */
function amountsBy(tenders: readonly StoredTender[], { method, gateway, amount }: NewTransaction): Partial<OrderRow> {
  const before = tenders.find(({ provider_id }) => provider_id === gateway)?.captured ?? 0n
  const paid = amountOf(before + unitsOf(amount))
  if (method === 'store_credit') return { store_credit_amount: paid }
  if (method === 'gift_certificate') return { gift_certificate_amount: paid }
  return {}
}
