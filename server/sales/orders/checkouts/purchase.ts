import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Units } from '../../../core/money/units.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { type CartParts, type CartTarget, lockAndEvaluate } from '../../carts/changes/change.ts'
import { balancesOfCheckout } from '../../carts/checkouts/balances.ts'
import { issuePaymentToken, type TokenParts } from '../../payments/tokens.ts'
import { AWAITING_PAYMENT, INCOMPLETE, statusAfter } from '../arithmetic/order-status.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { holdBalances, planBalances } from '../shopper-payments/instruments/redemptions.ts'
import { dueOf, reasonNotPayable } from '../shopper-payments/payable.ts'
import { reserve } from '../shopper-payments/plan.ts'
import { recordBalances, recordPayment } from '../transactions/payment-record.ts'
import type { HeldBalance } from '../transactions/payment-rows.ts'
import { moveOrder } from '../writing/move.ts'
import { releaseReservation } from '../writing/reservations.ts'
import { createCheckoutOrder } from './create.ts'

// A purchase on the checkout page of this server: the order of a cart as the shopper has seen it (docs/contract/checkout-page.md section 3).

/** An order to pay, with its token; an order that owes no gateway anything has none. */
interface OrderToPay {
  order: OrderRow
  token: string | undefined
}

/**
 * Returns the order of a cart, so that it can be paid. The newest order of the cart is returned again if neither the cart nor its total has
 * changed since: a form that was sent twice has one order.
 * @param total the amounts that the shopper has seen, as `amountsToPay`
 * @param shopperAddress the IP address of the shopper
 * @returns undefined if they are others by now
 * @throws Problem 404, 409 for another version, 422, 503; NeedsPreparation
 */
export async function orderToPay(
  tx: Tx,
  { carts, tokens }: { carts: CartParts; tokens: TokenParts },
  { total, shopperAddress, ...target }: CartTarget & { total: string; shopperAddress: string },
): Promise<OrderToPay | undefined> {
  const checkout = await lockAndEvaluate(tx, carts, target)
  const balances = await balancesOfCheckout(tx, checkout, tx.now)
  if (amountsToPay(checkout.result, balances) !== total) return undefined
  const order = (await findOrderOf(tx, checkout.cart.id)) ?? (await createCheckoutOrder(tx, checkout, shopperAddress))
  return { order, token: await issueOrderToken(tx, order, tokens) }
}

/** Total and rest of a checkout as a text, which a form sends back: if either differs, the shopper is told before money is asked for. */
export const amountsToPay = ({ grandTotal }: { grandTotal: Units }, { rest }: { rest: Units }): string =>
  `${grandTotal} ${rest}`

/** A token for the amount that a gateway pays; undefined for none. @param order incomplete and locked */
export async function issueOrderToken(tx: Tx, order: OrderRow, tokens: TokenParts): Promise<string | undefined> {
  const { money } = await planBalances(tx, order, await dueOf(tx, order), tx.now)
  return money.amountMinor > 0 ? issuePaymentToken(tx, { order_id: order.id, ...money }, tokens) : undefined
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

/** The way in which an order is placed without a gateway: the name of an offline method, or nothing is left to pay. */
type Placement = { payment_method: string } | 'nothing left'

/**
 * Places an order that no gateway pays: with an offline method, by the balances of its checkout, or without costs. Its stock and uses are
 * taken as by a payment.
 * @throws Problem 422 if stock or uses are short, something is left to pay, or another order of the cart was placed
 */
export async function placeWithoutPayment(tx: Tx, id: number, placement: Placement): Promise<OrderRow> {
  const order = await lock(tx, orders, id)
  const due = await dueOf(tx, order)
  const isFree = due.money.amountMinor === 0
  const reason = reasonNotPayable(order, isFree ? { ...due, money: { ...due.money, amountMinor: 1 } } : due)
  if (reason !== undefined) throw new Problem(422, reason)
  const shares = await planBalances(tx, order, due, tx.now)
  if (placement === 'nothing left' && shares.rest > 0n) throw new Problem(422, 'Something is left to pay.')
  await reserve(tx, order)
  const placed = await place(tx, order, await holdBalances(tx, order, shares), placement)
  await releaseReservation(tx, placed)
  return placed
}

async function place(tx: Tx, order: OrderRow, held: readonly HeldBalance[], placement: Placement): Promise<OrderRow> {
  if (placement !== 'nothing left') {
    const paid = await recordBalances(tx, order, held)
    return moveOrder(tx, order, { ...paid, ...placement, status_id: AWAITING_PAYMENT })
  }
  const last = held.at(-1)
  if (!last) return moveOrder(tx, order, { status_id: statusAfter('purchased', order), payment_method: '' })
  const { certificate_id: _, ...transaction } = last
  const recorded = await recordPayment(tx, order, 'paid without a gateway', {
    event: 'purchase',
    ...transaction,
    balances: held.slice(0, -1),
  })
  return recorded.order
}
