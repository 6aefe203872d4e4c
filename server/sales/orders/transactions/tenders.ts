import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { roundTo, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { isPaidStatus } from '../arithmetic/order-status.ts'
import { isOfflineProvider } from '../arithmetic/refund-methods.ts'
import type { OrderRow } from '../row/rows.ts'
import { findTransactionsOf, type TransactionRow } from './transactions.ts'

// Calculates the tenders of orders (docs/contract/order-payments.md section 2). They are not stored: receipts are transactions, and
// refunds are repayments. A receipt that was returned without a refund, as a void does with store credit, is not in a tender.

/** Money that an order received by one provider. */
export interface StoredTender {
  provider_id: string
  captured: Units
  /** The amount that was refunded or is being refunded, without declined repayments. */
  refunded: Units
  /** Whether it was settled outside of this server. */
  offline: boolean
  /** Whether it has no transaction: the merchant has set the order to a paid status. */
  isImplicit: boolean
}

type PaidOrder = Pick<OrderRow, 'id' | 'payment_status' | 'status_id' | 'total_inc_tax' | 'currency_decimals'>

/**
 * Returns the tenders of an order in the order of their first receipts; none before the first payment. An order that the merchant has
 * set to a paid status without a transaction counts as paid outside: it has one tender `custom` of its total.
 */
export const tendersOf = async (db: Db, order: PaidOrder): Promise<StoredTender[]> =>
  (await tendersOfAll(db, [order])).get(order.id) ?? []

/** Returns the tenders of several orders, by order. */
export async function tendersOfAll(db: Db, orders: readonly PaidOrder[]): Promise<ReadonlyMap<number, StoredTender[]>> {
  const ids = orders.map(({ id }) => id)
  const [payments, refunds] = await Promise.all([
    db.rows<{ order_id: number; provider_id: string; amount: number }>(
      prepared(sql`
      select order_id, gateway as provider_id, sum(case event when 'refund' then -amount else amount end) as amount
      from order_transactions one
      where store_id = ${db.store.id} and order_id = any(${ids}) and status = 'ok'
        and (event in ('purchase', 'capture') or ${isReturn(db, sql`one`)}) and ${isStaying(db, sql`one`)}
      group by order_id, gateway order by min(id)`),
    ),
    db.rows<{ order_id: number; provider_id: string; amount: number }>(
      prepared(sql`
      select order_id, provider_id, sum(amount) as amount from order_refund_payments
      where store_id = ${db.store.id} and order_id = any(${ids}) and state <> 'declined' group by order_id, provider_id`),
    ),
  ])
  const keyOf = (one: { order_id: number; provider_id: string }) => `${one.order_id} ${one.provider_id}`
  const refunded = new Map(refunds.map((refund) => [keyOf(refund), unitsOf(refund.amount)]))
  const remaining = payments.filter(({ amount }) => amount > 0)
  const byOrder = Map.groupBy(remaining, ({ order_id }) => order_id)
  return new Map(
    orders.map((order) => {
      const tenders = byOrder.get(order.id)?.map((payment) => ({
        provider_id: payment.provider_id,
        captured: unitsOf(payment.amount),
        refunded: refunded.get(keyOf(payment)) ?? 0n,
        offline: isOfflineProvider(payment.provider_id),
        isImplicit: false,
      }))
      return [order.id, tenders ?? implicitTenders(order)]
    }),
  )
}

/** The condition that a transaction returned a receipt without a refund. @param one the name of a row of order_transactions */
const isReturn = ({ store }: Db, one: Sql): Sql => sql`(
  ${one}.event = 'refund' and ${one}.status = 'ok' and not exists (
    select 1 from order_refund_payments payment
    where payment.store_id = ${store.id} and payment.transaction_id = ${one}.id))`

/** The condition that a transaction belongs to no payment that is being returned. @param one as above */
const isStaying = ({ store }: Db, one: Sql): Sql => sql`not exists (
  select 1 from payments going
  where going.store_id = ${store.id} and going.order_id = ${one}.order_id and going.transaction_id = ${one}.id
    and going.state = 'returning')`

/** Returns the receipts of orders in the order of their ids: purchases and captures that were not returned. */
export const receiptsOf = (db: Db, orderIds: readonly number[]): Promise<TransactionRow[]> =>
  findTransactionsOf(
    db,
    orderIds,
    sql`event in ('purchase', 'capture') and status = 'ok' and not exists (
      select 1 from order_transactions back
      where back.store_id = ${db.store.id} and back.order_id = order_transactions.order_id
        and back.reference_transaction_id = order_transactions.id and ${isReturn(db, sql`back`)})
      and ${isStaying(db, sql`order_transactions`)}`,
  )

/** Returns the authorizations of an order that were neither captured nor voided, in the order of their ids. */
export const openAuthorizations = (db: Db, order_id: number): Promise<TransactionRow[]> =>
  findTransactionsOf(
    db,
    [order_id],
    sql`event = 'authorization' and status = 'ok' and not exists (
      select 1 from order_transactions follow
      where follow.store_id = ${db.store.id} and follow.order_id = ${order_id} and follow.status = 'ok'
        and follow.event in ('capture', 'void') and follow.reference_transaction_id = order_transactions.id)
      and ${isStaying(db, sql`order_transactions`)}`,
  )

/** The first refund makes it a transaction, so nothing of it was refunded. */
function implicitTenders(order: PaidOrder): StoredTender[] {
  const captured = amountDue(order)
  if (order.payment_status !== '' || !isPaidStatus(order.status_id) || captured === 0n) return []
  return [{ provider_id: 'custom', captured, refunded: 0n, offline: true, isImplicit: true }]
}

/** The total of an order, rounded to the decimals of its currency. */
export const amountDue = ({ total_inc_tax, currency_decimals }: PaidOrder): Units =>
  roundTo(unitsOf(total_inc_tax), currency_decimals)

/** The amount of all tenders together. */
export const receivedBy = (tenders: readonly Pick<StoredTender, 'captured'>[]): Units =>
  sumOf(tenders.map(({ captured }) => captured))
