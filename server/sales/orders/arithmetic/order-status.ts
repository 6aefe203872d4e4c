/** A state of an order. Ids and meanings are the contract's and the same in all stores (docs/contract/orders.md section 1). */
export interface OrderStatus {
  id: number
  name: string
  system_description: string
  /** Its place among the others where they are shown. */
  order: number
}

export const ORDER_STATUSES: readonly OrderStatus[] = [
  {
    id: 0,
    name: 'Incomplete',
    order: 0,
    system_description: 'The customer reached the payment and did not finish it.',
  },
  { id: 1, name: 'Pending', order: 1, system_description: 'The customer began to pay, and more has to follow.' },
  { id: 2, name: 'Shipped', order: 8, system_description: 'Everything was handed to a carrier.' },
  { id: 3, name: 'Partially Shipped', order: 6, system_description: 'Some of the goods were handed to a carrier.' },
  { id: 4, name: 'Refunded', order: 11, system_description: 'All that was paid was given back.' },
  { id: 5, name: 'Cancelled', order: 9, system_description: 'The order was called off by the customer or the shop.' },
  { id: 6, name: 'Declined', order: 10, system_description: 'The shop or the payment provider refused the order.' },
  {
    id: 7,
    name: 'Awaiting Payment',
    order: 2,
    system_description: 'The order is placed, and the money is not there yet.',
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
    system_description: 'The order is paid, and its goods have to be packed.',
  },
  {
    id: 12,
    name: 'Manual Verification Required',
    order: 13,
    system_description: 'The order is on hold until somebody has looked at it.',
  },
  {
    id: 13,
    name: 'Disputed',
    order: 12,
    system_description: 'The customer has asked the provider to take a payment back.',
  },
  { id: 14, name: 'Partially Refunded', order: 14, system_description: 'Some of what was paid was given back.' },
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

/** Statuses in which an order counts as paid (docs/contract/orders.md section 1). */
const PAID = new Set([SHIPPED, PARTIALLY_SHIPPED, AWAITING_PICKUP, 9, COMPLETED, AWAITING_FULFILLMENT])

export const isPaidStatus = (id: number): boolean => PAID.has(id)

/** Statuses of orders whose payment is missing: neither paid outside of this server, nor cancelled, nor refunded. */
const UNPAID = new Set([INCOMPLETE, PENDING, DECLINED, AWAITING_PAYMENT])

export const canStillBePaid = (id: number): boolean => UNPAID.has(id)

/** In these nothing of an order is handed over: it was not placed, or it is over. */
const WITHOUT_GOODS = new Set([INCOMPLETE, REFUNDED, CANCELLED, DECLINED])

export const canHandOver = (id: number): boolean => !WITHOUT_GOODS.has(id)

/** Whether an order is where refunds have led it. */
export const isRefundStatus = (id: number): boolean => id === REFUNDED || id === PARTIALLY_REFUNDED

/** Whether the customer has all of an order, or the carrier: nothing of it waits for anybody. */
export const isHandedOver = (id: number): boolean => id === SHIPPED || id === COMPLETED

/** What the store has settled about stock (docs/contract/settings.md, inventory settings). */
export interface StockRules {
  /** `order_placed` or `order_completed_or_shipped`. */
  update_stock_behavior: string
  /** Whether orders that are cancelled or set to refunded give their stock back. */
  refund_order_stock_adjustment: boolean
}

/** What an order holds of stock: what its lines need, nothing, or what it held before. */
export type Hold = 'all' | 'nothing' | 'as before'

/**
 * What an order holds of stock when it comes into a status by hand (docs/contract/orders.md section 2). Pure. Whatever it held before,
 * the same status leads to the same hold: so going to and fro takes nothing twice.
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

/** What happens to an order that may lead it to another status. Money comes from gateways, goods from shipments and pickups. */
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

/** Where each happening leads. `paid` is Awaiting Fulfillment, or Completed if every line is digital. */
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

/** The status of an order after something has happened to it (docs/contract/orders.md section 1). Pure. */
export function statusAfter(
  happening: Happening,
  { status_id, order_is_digital }: Pick<Stated, 'status_id' | 'order_is_digital'>,
) {
  // The merchant may have gone on meanwhile: money that arrives later doesn't bring the order back.
  if (happening === 'captured' && status_id !== AWAITING_PAYMENT) return status_id
  const next = leadsTo[happening]
  if (next !== 'paid') return next
  return order_is_digital ? COMPLETED : AWAITING_FULFILLMENT
}

interface Stated {
  status_id: number
  order_is_digital: boolean
}
