import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import type { Cart } from './cart.ts'
import { reportCarts } from './reports.ts'

// Orders of carts (docs/contract/carts.md section 1). The first order that is placed converts the cart: cart and checkout end, and their
// metafields stay at the id that the order names.

/** Stores the newest order of a checkout. The cart itself does not change: it keeps its version and its time. */
export const recordOrder = (tx: Tx, { id }: Pick<Cart, 'id'>, order_id: number) =>
  tx.rows(
    prepared(sql`
    update carts set order_id = ${order_id}, order_version = version where store_id = ${tx.store.id} and id = ${id} returning id`),
  )

/** Balances that a shopper has applied to a checkout. */
interface AppliedBalances {
  /** Codes of gift certificates. */
  redeemed: string[]
  uses_credit: boolean
}

/** Reads the balances that are applied to a cart; none if it has ended. */
export async function balancesOfCart(db: Db, id: string): Promise<AppliedBalances> {
  const [cart] = await db.rows<{ redeemed: string[] | null; uses_credit: boolean | null }>(
    prepared(sql`
    select document -> 'redeemed' as redeemed, document -> 'uses_credit' as uses_credit from carts
    where store_id = ${db.store.id} and id = ${id}`),
  )
  return { redeemed: cart?.redeemed ?? [], uses_credit: cart?.uses_credit ?? false }
}

/**
 * Locks a cart whose order is being paid until the transaction ends. The cart is not abandoned any more, unless it is changed again. A cart that
 * has ended is no fault.
 */
export const lockCartToPay = (tx: Tx, id: string) =>
  tx.rows(
    prepared(sql`
    update carts set idle_at = null, reminder_at = null, due_at = expires_at
    where store_id = ${tx.store.id} and id = ${id} returning id`),
  )

/**
 * Deletes the cart of an order that is placed, and publishes its conversion. The merchant may want to hear of one that was abandoned. A cart
 * that has ended stays as it is.
 */
export async function convertCart(tx: Tx, id: string, order_id: number) {
  const [converted] = await tx.rows<Pick<Cart, 'channel_id' | 'customer_id'> & { spell: number }>(
    prepared(sql`
    delete from carts where store_id = ${tx.store.id} and id = ${id} returning channel_id, customer_id, spell`),
  )
  if (!converted) return
  const { channel_id } = converted
  publish(tx, 'store/cart/converted', `cart ${id}`, { type: 'cart', id, orderId: order_id })
  publish(tx, `store/channel/${channel_id}/cart/converted`, `cart ${id}`, { cart_id: id })
  if (converted.spell > 0) await reportCarts(tx, 'converted', [{ ...converted, cart_id: id, order_id }])
}
