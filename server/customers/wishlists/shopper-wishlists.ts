import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { lockAll } from '../../core/rest/batch.ts'
import { change, lock, removeAll } from '../../core/rest/lists/verbs.ts'
import { notFound } from '../../core/rest/problem.ts'
import { addItems, items, type ProductWish, removeLists, type Wishlist, wishlists } from './wishlists.ts'

// Changes of wish lists by the customers who own them. A list of another customer is unknown here.

/** @throws Problem 404 */
export async function changeOwnWishlist(
  tx: Tx,
  customer: number,
  { id, ...changes }: { id: number; name?: string | undefined; is_public?: boolean | undefined },
): Promise<Wishlist> {
  return change(tx, wishlists, await lockOwn(tx, customer, id), changes)
}

/** Adds items; those that the list has already are skipped. @throws Problem 404, 422 for unknown ids, 403 for too many */
export async function addToOwnWishlist(
  tx: Tx,
  customer: number,
  { id, wishes }: { id: number; wishes: readonly ProductWish[] },
): Promise<Wishlist> {
  const list = await lockOwn(tx, customer, id)
  await addItems(tx, id, wishes)
  return list
}

/** Removes items; unknown ones are skipped. @throws Problem 404 */
export async function removeFromOwnWishlist(
  tx: Tx,
  customer: number,
  { id, itemIds }: { id: number; itemIds: readonly number[] },
): Promise<Wishlist> {
  const list = await lockOwn(tx, customer, id)
  await removeAll(tx, items, sql`wishlist_id = ${id} and id = any(${[...itemIds]})`)
  return list
}

/** Deletes lists, all or none. @throws Problem 404 */
export async function deleteOwnWishlists(tx: Tx, customer: number, ids: readonly number[]) {
  const lists = await lockAll(tx, wishlists, ids)
  for (const id of ids) if (lists.get(id)?.customer_id !== customer) throw notFound(wishlists.noun, id)
  await removeLists(tx, ids)
}

async function lockOwn(tx: Tx, customer: number, id: number): Promise<Wishlist> {
  const list = await lock(tx, wishlists, id)
  if (list.customer_id !== customer) throw notFound(wishlists.noun, id)
  return list
}
