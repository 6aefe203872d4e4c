import type { Tx } from '../../../core/db/database.ts'
import type { OrderRow } from './rows.ts'

/**
 * Acts on an order that a transaction has stored, in that transaction.
 * @param before undefined for a new order
 * @throws Problem to refuse the change
 */
export type FollowOrder = (tx: Tx, before: OrderRow | undefined, after: OrderRow) => Promise<void>

let follow: FollowOrder = async () => {}

/**
 * Sets the function of a higher area that follows all orders. The process sets it once, before it opens the database: many functions of
 * this area store orders, and all of them would have to pass it on.
 */
export function followOrders(follower: FollowOrder) {
  follow = follower
}

/** Calls the follower. Call it after each change of an order is stored. */
export const followOrder: FollowOrder = (tx, before, after) => follow(tx, before, after)
