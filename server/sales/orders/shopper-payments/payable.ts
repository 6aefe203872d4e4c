import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import type { Money } from '../../payments/gateways/gateway.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { INCOMPLETE, PENDING } from '../arithmetic/order-status.ts'
import { transition } from '../arithmetic/payment-status.ts'
import type { OrderRow } from '../row/rows.ts'
import { amountDue, receivedBy, tendersOf } from '../transactions/tenders.ts'

/** What an order still owes, with the decimals of its currency: what is recorded is what gateways are asked for. */
export interface Due {
  units: Units
  /** As rows and bodies have it. */
  amount: number
  /** As gateways count. */
  money: Money
  /** Whether something was paid before. */
  isPart: boolean
  /** Whether a refund is on its way. */
  isBeingRefunded: boolean
}

export async function dueOf(db: Db, order: OrderRow): Promise<Due> {
  const [tenders, refunding] = await Promise.all([
    tendersOf(db, order),
    db.rows(
      prepared(sql`
      select id from order_refund_payments
      where store_id = ${db.store.id} and order_id = ${order.id} and state = 'waiting' limit 1`),
    ),
  ])
  const received = receivedBy(tenders.filter(({ isImplicit }) => !isImplicit))
  const units = amountDue(order) - received
  const amount = amountOf(units)
  const { currency_code: currency, currency_decimals: decimals } = order
  return {
    units,
    amount,
    money: { amountMinor: toMinor(amount, decimals), currency, decimals },
    isPart: received > 0n,
    isBeingRefunded: refunding.length > 0,
  }
}

/**
 * Why an order can't be paid by its shopper (docs/contract/payments.md section 2): it must be incomplete, or pending with a part that was
 * paid; somebody who makes an order by hand in a panel takes the payment there. Pure.
 * @returns undefined if it can
 */
export function reasonNotPayable(
  order: OrderRow,
  due: Pick<Due, 'money' | 'isPart' | 'isBeingRefunded'>,
): string | undefined {
  if (order.order_source === 'manual') return 'An order that was made by hand is not paid here.'
  const isOpen = order.status_id === INCOMPLETE || (order.status_id === PENDING && due.isPart)
  if (!isOpen)
    return `An order is paid while it is incomplete, or pending with a part that was paid: its status_id is ${order.status_id}.`
  // A payment that waits for its answer blocks others, even if the merchant has set the order's status back.
  if (transition(order.payment_status, 'answer pending') === undefined) {
    return `The payment of this order is '${order.payment_status}'.`
  }
  if (due.isBeingRefunded) return 'Money of this order is being refunded.'
  return due.money.amountMinor > 0 ? undefined : 'Nothing of this order is left to pay.'
}
