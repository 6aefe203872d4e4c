import type { Tx } from '../../../core/db/database.ts'
import { releaseUses, reserveUses, type UsedUp } from '../../promotions/uses/uses.ts'
import { holdOfStatus, isPlaced, statusAfter } from '../arithmetic/order-status.ts'
import { lines, type OrderRow, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { releaseHeld, stockRulesOf, takeStock } from '../stock/holds.ts'

// A payment reserves the stock that its order takes once it is paid, and the uses of its promotions and coupons, in the transaction that
// stores the payment (docs/contract/orders.md section 2). If two shoppers pay for the last unit or with the last use, one is refused before
// the gateway is called. The stock is committed under the key of the order: when the order is placed, the reservation becomes its stock, so
// nothing is taken twice. The uses are counted then. A payment that fails releases both.

/**
 * Reserves the stock that an order takes once it is paid. Nothing is reserved if the store takes stock later, for example at shipping.
 * @param order locked
 * @throws Problem 422 if too little is for sale
 */
export async function reserveStock(tx: Tx, order: OrderRow) {
  const {
    rules,
    ofLines,
    pickups: [pickup],
  } = await tx.together(() => ({
    rules: stockRulesOf(tx, order),
    ofLines: rowsOfOrders(tx, lines, [order.id]),
    pickups: rowsOfOrders(tx, pickupConsignments, [order.id]),
  }))
  await takeStock(tx, { ...order, status_id: statusAfter('purchased', order) }, ofLines, { rules, pickup })
}

/**
 * Reserves the uses of the promotions and coupons of an order.
 * @param order locked
 * @returns a sentence about those without a use left; undefined if all are reserved
 */
export async function reserveUsesOf(tx: Tx, order: OrderRow): Promise<string | undefined> {
  const usedUp = await reserveUses(tx, order.id)
  return usedUp.length === 0 ? undefined : usedUp.map(sentenceOf).join(' ')
}

const sentenceOf = ({ kind, name }: UsedUp) => `The ${kind} ${name} has no uses left.`

/**
 * Releases the reservation of a payment, unless the order holds stock in its current status. The uses of a placed order remain.
 * @param order locked
 */
export async function releaseReservation(tx: Tx, order: OrderRow) {
  const rules = await stockRulesOf(tx, order)
  if (holdOfStatus(order.status_id, rules) === 'nothing') await releaseHeld(tx, order)
  if (!isPlaced(order.status_id)) await releaseUses(tx, order.id)
}
