import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import type { Cart } from './cart.ts'

// Orders of carts (docs/contract/carts.md section 1). The first order that is placed converts the cart: cart and checkout end, and their
// metafields stay at the id that the order names.

/** Stores the newest order of a checkout. The cart itself does not change: it keeps its version and its time. */
export const recordOrder = (tx: Tx, { id }: Pick<Cart, 'id'>, order_id: number) =>
  tx.rows(
    prepared(sql`
    update carts set order_id = ${order_id} where store_id = ${tx.store.id} and id = ${id} returning id`),
  )

/** Locks a cart until the transaction ends. A cart that has ended is no fault. */
export const lockCartOfOrder = (tx: Tx, id: string) =>
  tx.rows(prepared(sql`select id from carts where store_id = ${tx.store.id} and id = ${id} for update`))

/** Deletes the cart of an order that is placed, and publishes its conversion. A cart that has ended stays as it is. */
export async function convertCart(tx: Tx, id: string, order_id: number) {
  const [converted] = await tx.rows<Pick<Cart, 'channel_id'>>(
    prepared(sql`delete from carts where store_id = ${tx.store.id} and id = ${id} returning channel_id`),
  )
  if (!converted) return
  publish(tx, 'store/cart/converted', `cart ${id}`, { type: 'cart', id, orderId: order_id })
  publish(tx, `store/channel/${converted.channel_id}/cart/converted`, `cart ${id}`, { cart_id: id })
}
