import { type Db, prepared } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { isOfflineProvider } from './money/refund-methods.ts'
import { roundTo, sumOf, type Units, unitsOf } from './money/units.ts'
import type { OrderRow } from './rows.ts'
import { isPaidStatus } from './states/order-status.ts'

// What an order was paid with (docs/contract/order-payments.md section 2). Nothing of it is stored by itself: what came in are
// transactions, what went back are payments of refunds.

/** Money that an order received by one provider. */
export interface StoredTender {
  provider_id: string
  captured: Units
  /** What was given back to it, and what is on its way; what was declined doesn't count. */
  refunded: Units
  /** Whether it was settled outside of this server. */
  offline: boolean
  /** Whether no transaction says so: the merchant has set the order to a paid status. */
  isImplicit: boolean
}

type PaidOrder = Pick<OrderRow, 'id' | 'payment_status' | 'status_id' | 'total_inc_tax' | 'currency_decimals'>

/**
 * The tenders of an order, in the order in which their money came: none before anything was paid. An order that the merchant has set
 * to a paid status without a transaction counts as paid outside: one tender `custom` of its total.
 */
export const tendersOf = async (db: Db, order: PaidOrder): Promise<StoredTender[]> =>
  (await tendersOfAll(db, [order])).get(order.id) ?? []

/** The tenders of several orders, by their ids. */
export async function tendersOfAll(db: Db, orders: readonly PaidOrder[]): Promise<ReadonlyMap<number, StoredTender[]>> {
  const ids = orders.map(({ id }) => id)
  const [payments, refunds] = await Promise.all([
    db.rows<{ order_id: number; provider_id: string; amount: number }>(
      prepared(sql`
      select order_id, gateway as provider_id, sum(amount) as amount from order_transactions
      where store_id = ${db.store.id} and order_id = any(${ids}) and event in ('purchase', 'capture') and status = 'ok'
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
  const byOrder = Map.groupBy(payments, ({ order_id }) => order_id)
  return new Map(
    orders.map((order) => {
      const own = byOrder.get(order.id)?.map((payment) => ({
        provider_id: payment.provider_id,
        captured: unitsOf(payment.amount),
        refunded: refunded.get(keyOf(payment)) ?? 0n,
        offline: isOfflineProvider(payment.provider_id),
        isImplicit: false,
      }))
      return [order.id, own ?? implicitTenders(order)]
    }),
  )
}

/** Nothing was given back of it yet: with the first refund it becomes a transaction. */
function implicitTenders(order: PaidOrder): StoredTender[] {
  const captured = amountDue(order)
  if (order.payment_status !== '' || !isPaidStatus(order.status_id) || captured === 0n) return []
  return [{ provider_id: 'custom', captured, refunded: 0n, offline: true, isImplicit: true }]
}

/** The total of an order as it can be paid: with the decimals of its currency. */
export const amountDue = ({ total_inc_tax, currency_decimals }: PaidOrder): Units =>
  roundTo(unitsOf(total_inc_tax), currency_decimals)

/** What an order received, all tenders together. */
export const receivedBy = (tenders: readonly Pick<StoredTender, 'captured'>[]): Units =>
  sumOf(tenders.map(({ captured }) => captured))
