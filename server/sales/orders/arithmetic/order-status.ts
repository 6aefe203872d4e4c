/** A status of orders. The contract fixes ids and meanings, which are the same in all stores (docs/contract/orders.md section 1). */
export interface OrderStatus {
  id: number
  name: string
  system_description: string
  /** The position in lists of statuses. */
  order: number
}

export const ORDER_STATUSES: readonly OrderStatus[] = [
  {
    id: 0,
    name: 'Incomplete',
    order: 0,
    system_description: 'The customer reached the payment page and did not complete the payment.',
  },
  { id: 1, name: 'Pending', order: 1, system_description: 'The order is paid in part.' },
  { id: 2, name: 'Shipped', order: 8, system_description: 'Everything was handed to a carrier.' },
  { id: 3, name: 'Partially Shipped', order: 6, system_description: 'Some of the goods were handed to a carrier.' },
  { id: 4, name: 'Refunded', order: 11, system_description: 'The whole payment was refunded.' },
  { id: 5, name: 'Cancelled', order: 9, system_description: 'The customer or the shop cancelled the order.' },
  { id: 6, name: 'Declined', order: 10, system_description: 'The shop or the payment provider refused the order.' },
  {
    id: 7,
    name: 'Awaiting Payment',
    order: 2,
    system_description: 'The order is placed and not paid yet.',
  },
  { id: 8, name: 'Awaiting Pickup', order: 5, system_description: 'The goods are packed and wait for the customer.' },
  { id: 9, name: 'Awaiting Shipment', order: 4, system_description: 'The goods are packed and wait for the carrier.' },
  {
    id: 10,
    name: 'Completed',
    order: 7,
    system_description: 'The customer has the goods, and the shop has the money.',
  },
  {
    id: 11,
    name: 'Awaiting Fulfillment',
    order: 3,
    system_description: 'The order is paid, and its goods are not packed yet.',
  },
  {
    id: 12,
    name: 'Manual Verification Required',
    order: 13,
    system_description: 'The order is on hold until somebody has reviewed it.',
  },
  {
    id: 13,
    name: 'Disputed',
    order: 12,
    system_description: 'The customer disputes a payment with the payment provider.',
  },
  { id: 14, name: 'Partially Refunded', order: 14, system_description: 'Part of the payment was refunded.' },
]

export const INCOMPLETE = 0
export const PENDING = 1
const SHIPPED = 2
export const PARTIALLY_SHIPPED = 3
const REFUNDED = 4
const CANCELLED = 5
const DECLINED = 6
export const AWAITING_PAYMENT = 7
export const AWAITING_PICKUP = 8
export const COMPLETED = 10
export const AWAITING_FULFILLMENT = 11
const MANUAL_VERIFICATION = 12
const DISPUTED = 13
const PARTIALLY_REFUNDED = 14

const statusById = new Map(ORDER_STATUSES.map((status) => [status.id, status]))

export const findStatus = (id: number): OrderStatus | undefined => statusById.get(id)

export const statusName = (id: number): string => findStatus(id)?.name ?? ''

/** Statuses of orders that count as paid (docs/contract/orders.md section 1). */
export const PAID_STATUSES: readonly number[] = [
  SHIPPED,
  PARTIALLY_SHIPPED,
  AWAITING_PICKUP,
  9,
  COMPLETED,
  AWAITING_FULFILLMENT,
]

export const isPaidStatus = (id: number): boolean => PAID_STATUSES.includes(id)

/** Statuses of orders that still wait for a payment: not paid outside of this server, not cancelled, not refunded. */
const UNPAID = new Set([INCOMPLETE, PENDING, DECLINED, AWAITING_PAYMENT])

export const canStillBePaid = (id: number): boolean => UNPAID.has(id)

/** Statuses that place no order: an incomplete order that is cancelled or declined was never placed. */
export const UNPLACED: readonly number[] = [INCOMPLETE, CANCELLED, DECLINED]

/**
 * Whether a status places an order: the shopper owes or has paid its money. A placed order that is cancelled later keeps the effects of
 * its placement.
 */
export const isPlaced = (id: number): boolean => !UNPLACED.includes(id)

/** Whether the sale of an order is undone: refunded, cancelled or declined. */
export const isVoidStatus = (id: number): boolean => id === REFUNDED || id === CANCELLED || id === DECLINED

/** Whether an order waits for a decision about its money, or has returned part of it. */
export const isOnHold = (id: number): boolean =>
  id === MANUAL_VERIFICATION || id === DISPUTED || id === PARTIALLY_REFUNDED

/** Statuses of orders without goods to hand over: not placed, or closed. */
const WITHOUT_GOODS = new Set([INCOMPLETE, REFUNDED, CANCELLED, DECLINED])

export const canHandOver = (id: number): boolean => !WITHOUT_GOODS.has(id)

/** Whether a refund has led the order to this status. */
export const isRefundStatus = (id: number): boolean => id === REFUNDED || id === PARTIALLY_REFUNDED

/** Whether the customer or the carrier has all goods of the order. */
export const isHandedOver = (id: number): boolean => id === SHIPPED || id === COMPLETED

/** Settings of the store about stock (docs/contract/settings.md, inventory settings). */
export interface StockRules {
  /** `order_placed` or `order_completed_or_shipped`. */
  update_stock_behavior: string
  /** Whether cancelled and refunded orders return their stock. */
  refund_order_stock_adjustment: boolean
}

/** The stock that an order holds: that of all lines, none, or as much as before. */
export type Hold = 'all' | 'nothing' | 'as before'

/**
 * Returns the stock that an order holds in a status (docs/contract/orders.md section 2). Pure. It depends on the status alone, so
 * an order that changes its status back and forth takes nothing twice.
 */
export function holdOfStatus(status: number, rules: StockRules): Hold {
  if (status === REFUNDED || status === CANCELLED) return rules.refund_order_stock_adjustment ? 'nothing' : 'as before'
  if (status === PARTIALLY_REFUNDED) return 'as before'
  if (rules.update_stock_behavior === 'order_placed') {
    return status === INCOMPLETE || status === PENDING || status === DECLINED ? 'nothing' : 'all'
  }
  if (status === DISPUTED) return 'as before'
  return status === SHIPPED || status === COMPLETED ? 'all' : 'nothing'
}

/** Events that can change the status of an order: payments from gateways, goods from shipments and pickups. */
export type Happening =
  | 'purchased'
  | 'authorized'
  | 'payment pending'
  | 'held for review'
  | 'payment failed'
  | 'captured'
  | 'voided'
  | 'refunded in part'
  | 'refunded'
  | 'shipped in part'
  | 'shipped'
  | 'to be collected'
  | 'collected'

/** The status after each event. `paid` is Awaiting Fulfillment, or Completed if every line is digital. */
const leadsTo: Readonly<Record<Happening, number | 'paid'>> = {
  purchased: 'paid',
  authorized: AWAITING_PAYMENT,
  'payment pending': AWAITING_PAYMENT,
  'held for review': MANUAL_VERIFICATION,
  'payment failed': DECLINED,
  captured: 'paid',
  voided: CANCELLED,
  'refunded in part': PARTIALLY_REFUNDED,
  refunded: REFUNDED,
  'shipped in part': PARTIALLY_SHIPPED,
  shipped: SHIPPED,
  'to be collected': AWAITING_PICKUP,
  collected: COMPLETED,
}

/** Returns the status of an order after an event (docs/contract/orders.md section 1). Pure. */
export function statusAfter(
  happening: Happening,
  { status_id, order_is_digital }: Pick<Stated, 'status_id' | 'order_is_digital'>,
) {
  // The merchant may have processed the order already: a late capture doesn't set its status back.
  if (happening === 'captured' && status_id !== AWAITING_PAYMENT) return status_id
  const next = leadsTo[happening]
  if (next !== 'paid') return next
  return order_is_digital ? COMPLETED : AWAITING_FULFILLMENT
}

interface Stated {
  status_id: number
  order_is_digital: boolean
}
