import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { type CartParts, type CartTarget, lockAndEvaluate } from '../../carts/changes/change.ts'
import { issuePaymentToken, type TokenParts } from '../../payments/tokens.ts'
import { INCOMPLETE } from '../arithmetic/order-status.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { dueOf, reasonNotPayable } from '../shopper-payments/payable.ts'
import { reserve } from '../shopper-payments/plan.ts'
import { moveOrder } from '../writing/move.ts'
import { releaseReservation } from '../writing/reservations.ts'
import { createCheckoutOrder } from './create.ts'

// A purchase on the checkout page of this server: the order of a cart as the shopper has seen it (docs/contract/checkout-page.md section 3).

/** An order to pay, with its token; an order that owes nothing has none. */
interface OrderToPay {
  order: number
  token: string | undefined
}

/**
 * Returns the order of a cart, so that it can be paid. The newest order of the cart is returned again if neither the cart nor its total has
 * changed since: a form that was sent twice has one order.
 * @param total the total that the shopper has seen, in ten-thousandths
 * @returns undefined if the total is another one by now
 * @throws Problem 404, 409 for another version, 422, 503; NeedsPreparation
 */
export async function orderToPay(
  tx: Tx,
  { carts, tokens }: { carts: CartParts; tokens: TokenParts },
  { total, ...target }: CartTarget & { total: string },
): Promise<OrderToPay | undefined> {
  const checkout = await lockAndEvaluate(tx, carts, target)
  if (String(checkout.result.grandTotal) !== total) return undefined
  const order = (await findOrderOf(tx, checkout.cart.id)) ?? (await createCheckoutOrder(tx, checkout))
  const { money } = await dueOf(tx, order)
  const token =
    money.amountMinor > 0 ? await issuePaymentToken(tx, { order_id: order.id, ...money }, tokens) : undefined
  return { order: order.id, token }
}

/** The newest order of a locked cart, if it was made from the current version and is incomplete. */
async function findOrderOf(tx: Tx, cart_id: string): Promise<OrderRow | undefined> {
  const [named] = await tx.rows<{ order_id: number }>(
    prepared(sql`
    select order_id from carts
    where store_id = ${tx.store.id} and id = ${cart_id} and order_id > 0 and order_version = version`),
  )
  if (!named) return undefined
  const order = await lock(tx, orders, named.order_id)
  return order.status_id === INCOMPLETE && !order.is_deleted ? order : undefined
}

/**
 * Places an order that no gateway pays: with an offline method, or without costs. Its stock and uses are taken as by a payment.
 * @throws Problem 422 if stock or uses are short, or another order of the cart was placed
 */
export async function placeWithoutPayment(
  tx: Tx,
  id: number,
  changes: Pick<OrderRow, 'status_id' | 'payment_method'>,
): Promise<OrderRow> {
  const order = await lock(tx, orders, id)
  const due = await dueOf(tx, order)
  const isFree = due.money.amountMinor === 0
  const reason = reasonNotPayable(order, { ...due, money: { ...due.money, amountMinor: 1 } })
  if (reason !== undefined) throw new Problem(422, reason)
  await reserve(tx, order)
  const placed = await moveOrder(tx, order, isFree ? { ...changes, payment_method: '' } : changes)
  await releaseReservation(tx, placed)
  return placed
}
