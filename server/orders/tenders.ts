import { type Db, prepared } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { isOfflineProvider } from './money/refund-methods.ts'
import { sumOf, type Units, unitsOf } from './money/units.ts'
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

type PaidOrder = Pick<OrderRow, 'id' | 'payment_status' | 'status_id' | 'total_inc_tax'>

/**
 * The tenders of an order, in the order in which their money came: none before anything was paid. An order that the merchant has set
 * to a paid status without a transaction counts as paid outside: one tender `custom` of its total.
 */
export async function tendersOf(db: Db, order: PaidOrder): Promise<StoredTender[]> {
  const rows = await db.rows<{ provider_id: string; captured: number; refunded: number }>(
    prepared(sql`
    select gateway as provider_id, sum(amount) as captured, (
      select coalesce(sum(payment.amount), 0) from order_refund_payments payment
      where payment.store_id = ${db.store.id} and payment.order_id = ${order.id}
        and payment.provider_id = gateway and payment.state <> 'declined'
    ) as refunded
    from order_transactions
    where store_id = ${db.store.id} and order_id = ${order.id} and event in ('purchase', 'capture') and status = 'ok'
    group by gateway order by min(id)`),
  )
  if (rows.length === 0) return implicitTenders(order)
  return rows.map(({ provider_id, captured, refunded }) => ({
    provider_id,
    captured: unitsOf(captured),
    refunded: unitsOf(refunded),
    offline: isOfflineProvider(provider_id),
    isImplicit: false,
  }))
}

/** Nothing was given back of it yet: with the first refund it becomes a transaction. */
function implicitTenders({ payment_status, status_id, total_inc_tax }: PaidOrder): StoredTender[] {
  const captured = unitsOf(total_inc_tax)
  if (payment_status !== '' || !isPaidStatus(status_id) || captured === 0n) return []
  return [{ provider_id: 'custom', captured, refunded: 0n, offline: true, isImplicit: true }]
}

/** What an order received, all tenders together. */
export const receivedBy = (tenders: readonly Pick<StoredTender, 'captured'>[]): Units =>
  sumOf(tenders.map(({ captured }) => captured))
