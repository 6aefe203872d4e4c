import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import type { Money } from '../../payments/gateways/gateway.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { INCOMPLETE, isPlaced, PENDING } from '../arithmetic/order-status.ts'
import { transition } from '../arithmetic/payment-status.ts'
import type { OrderRow } from '../row/rows.ts'
import { ordersUnderWay } from '../transactions/payment-rows.ts'
import { amountDue, receivedBy, tendersOf } from '../transactions/tenders.ts'

/** The amount that an order still owes, rounded to its currency: gateways charge exactly the recorded amount. */
export interface Due {
  units: Units
  /** The amount in rows and bodies. */
  amount: number
  /** The amount for gateways. */
  money: Money
  /** Whether the order has received a payment before. */
  isPart: boolean
  /** Whether a refund is in progress. */
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
 * Returns the reason why a shopper can't pay an order (docs/contract/payments.md section 2); undefined if it can be paid. An order must
 * be incomplete, or pending after a partial payment. An order that was created by hand in a panel is paid there. Pure.
 */
export function reasonNotPayable(
  order: OrderRow,
  due: Pick<Due, 'money' | 'isPart' | 'isBeingRefunded'>,
): string | undefined {
  if (order.order_source === 'manual') return 'An order that was created by hand is not paid here.'
  const isOpen = order.status_id === INCOMPLETE || (order.status_id === PENDING && due.isPart)
  if (!isOpen)
    return `An order is paid while it is incomplete, or pending after a partial payment: its status_id is ${order.status_id}.`
  // A payment without an answer blocks others, even if the merchant has set the status of the order back.
  if (transition(order.payment_status, 'answer pending') === undefined) {
    return `The payment of this order is '${order.payment_status}'.`
  }
  if (due.isBeingRefunded) return 'A refund of this order is in progress.'
  return due.money.amountMinor > 0 ? undefined : 'Nothing is left to pay for this order.'
}

/** Returns the reason why the other orders of its cart don't let an order be paid; undefined if they do. */
export async function reasonOfCart(
  db: Db,
  { id, cart_id }: Pick<OrderRow, 'id' | 'cart_id'>,
): Promise<string | undefined> {
  if (cart_id === null) return undefined
  const others = await db.rows<Pick<OrderRow, 'id' | 'status_id'>>(
    prepared(sql`
    select id, status_id from orders where store_id = ${db.store.id} and cart_id = ${cart_id} and id <> ${id}`),
  )
  const placed = others.find(({ status_id }) => isPlaced(status_id))
  if (placed) return `The order ${placed.id} of the same cart was placed.`
  const underWay = await ordersUnderWay(
    db,
    others.map((other) => other.id),
  )
  const [other] = underWay
  return other === undefined ? undefined : `A payment of the order ${other} of the same cart is in progress.`
}
