import type { Db } from '../../core/db/database.ts'
import type { Money } from '../../payments/gateways/gateway.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { amountOf, type Units } from '../money/units.ts'
import type { OrderRow } from '../rows.ts'
import { INCOMPLETE, PENDING } from '../states/order-status.ts'
import { transition } from '../states/payment-status.ts'
import { amountDue, receivedBy, tendersOf } from '../tenders.ts'

/** What an order still owes, with the decimals of its currency: what is recorded is what gateways are asked for. */
export interface Due {
  units: Units
  /** As rows and bodies have it. */
  amount: number
  /** As gateways count. */
  money: Money
  /** Whether something was paid before. */
  isPart: boolean
}

export async function dueOf(db: Db, order: OrderRow): Promise<Due> {
  const tenders = (await tendersOf(db, order)).filter(({ isImplicit }) => !isImplicit)
  const received = receivedBy(tenders)
  const units = amountDue(order) - received
  const amount = amountOf(units)
  const { currency_code: currency, currency_decimals: decimals } = order
  return { units, amount, money: { amountMinor: toMinor(amount, decimals), currency, decimals }, isPart: received > 0n }
}

/**
 * Why an order can't be paid by its shopper (docs/contract/payments.md section 2): it must be incomplete, or pending with a part that was
 * paid; somebody who makes an order by hand in a panel takes the payment there. Pure.
 * @returns undefined if it can
 */
export function hindrance(order: OrderRow, due: Pick<Due, 'money' | 'isPart'>): string | undefined {
  if (order.order_source === 'manual') return 'An order that was made by hand is not paid here.'
  const isOpen = order.status_id === INCOMPLETE || (order.status_id === PENDING && due.isPart)
  if (!isOpen)
    return `An order is paid while it is incomplete, or pending with a part that was paid: its status_id is ${order.status_id}.`
  if (transition(order.payment_status, 'purchase approved') === undefined) {
    return `The payment of this order is '${order.payment_status}'.`
  }
  return due.money.amountMinor > 0 ? undefined : 'Nothing of this order is left to pay.'
}
