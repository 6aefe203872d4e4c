import { ratio, type Units, unitsOf } from '../../../core/money/units.ts'
import { isPlaced, isVoidStatus } from '../../orders/arithmetic/order-status.ts'
import type { OrderRow } from '../../orders/row/rows.ts'

// The credit that orders take (docs/contract/b2b-orders.md section 4). Pure.

/** Whether an order is placed by purchase order: by the name of its payment method. */
const PURCHASE_ORDER = /^(purchase[ _-]?order|po)$/i

/** An order as far as credit depends on it. */
export type CreditOrder = Pick<
  OrderRow,
  | 'status_id'
  | 'payment_method'
  | 'total_inc_tax'
  | 'refunded_amount'
  | 'store_credit_amount'
  | 'gift_certificate_amount'
>

/** The exchange rates of the currency of the order and of that of the credit, relative to the default currency. */
export interface CreditRates {
  order: bigint
  credit: bigint
}

/**
 * The amount that an order takes from the credit of its company: its total less refunds, while it is placed by purchase order. Cancelled,
 * declined and refunded orders take nothing.
 */
export function creditUse(order: CreditOrder, rates: CreditRates): Units {
  const { status_id, payment_method, total_inc_tax, refunded_amount } = order
  if (!isPlaced(status_id) || isVoidStatus(status_id) || !PURCHASE_ORDER.test(payment_method.trim())) return 0n
  const owed =
    unitsOf(total_inc_tax) -
    unitsOf(refunded_amount) -
    unitsOf(order.store_credit_amount) -
    unitsOf(order.gift_certificate_amount)
  return owed <= 0n ? 0n : ratio(owed, rates.credit, rates.order)
}
