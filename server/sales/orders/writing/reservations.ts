import type { Tx } from '../../../core/db/database.ts'
import { holdOfStatus, statusAfter } from '../arithmetic/order-status.ts'
import { lines, type OrderRow, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { releaseHeld, stockRulesOf, takeStock } from '../stock/holds.ts'

// A payment reserves the stock that its order takes once it is paid, in the transaction that stores the payment
// (docs/contract/orders.md section 2). If two shoppers pay for the last unit, one is refused before the gateway is called. The stock is
// committed under the key of the order: when the order is placed, the reservation becomes its stock, so nothing is taken twice. A payment that
// fails releases it.

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

/** Releases the reservation of a payment, unless the order holds stock in its current status. @param order locked */
export async function releaseReservation(tx: Tx, order: OrderRow) {
  const rules = await stockRulesOf(tx, order)
  if (holdOfStatus(order.status_id, rules) === 'nothing') await releaseHeld(tx, order)
}
