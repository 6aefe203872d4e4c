import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { lockAll } from '../../core/rest/batch.ts'
import type { Collection } from '../../core/rest/lists/collection.ts'
import { lockCounters, removeTogether } from '../../core/rest/lists/counters.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import { deleteMetafieldsOf } from '../../shared/metafields/metafields.ts'
import { customerAddresses } from '../addresses/shape.ts'
import { attributeValues } from '../attributes/shape.ts'
import { formFieldValues } from '../form-fields/values.ts'
import { customerMetafields, customers } from '../row/shape.ts'
import { creditsOf, writeCreditChanges } from '../row/store-credit.ts'
import { profiles } from '../segments/shape.ts'
import { deleteWishlistsOf, emptyLargeWishlistsOf } from '../wishlists/wishlists.ts'
import { enqueueCleanup } from './cleanup.ts'
import { publishCustomer } from './create.ts'
import { storedInstruments } from './stored-instruments.ts'

/** Sub-resources of customers with a counted total. Their rows have a `customer_id`. */
const COUNTED_PARTS: readonly Pick<Collection, 'table'>[] = [
  customerAddresses,
  attributeValues,
  formFieldValues,
  profiles,
  storedInstruments,
]

/** Most customers that a transaction deletes; fewer if they have many sub-resources. */
const PIECE_MAX = 50

/**
 * Deletes customers with all their data. Events are published for the customers only; unknown ids are skipped. Each batch is a
 * transaction, so that other requests wait for one batch at most. A customer is deleted as a whole.
 * @param clientId of the API account of the request
 * @returns the number of deleted customers
 */
export async function deleteCustomers(db: Db, ids: readonly number[], clientId: string): Promise<number> {
  let gone = 0
  await emptyLargeWishlistsOf(db, ids)
  for (let left = [...new Set(ids)]; left.length > 0; ) {
    const [looked, removed] = await db.transaction(async (tx) => {
      const piece = await nextPiece(tx, left)
      return [piece.length, await removeCustomers(tx, piece, clientId)] as const
    })
    left = left.slice(looked)
    gone += removed
  }
  return gone
}

/** The first ids, as many as one transaction should delete. */
async function nextPiece(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const first = ids.slice(0, PIECE_MAX)
  const rows = await tx.rows<{ id: number; parts: number }>(sql`
    select id, address_count + attribute_count as parts from customers
    where store_id = ${tx.store.id} and id = any(${first})`)
  const parts = new Map(rows.map((row) => [row.id, row.parts]))
  let sum = 0
  const fitting = first.findIndex((id, i) => {
    sum += parts.get(id) ?? 0
    return i > 0 && sum > STEP_ROWS
  })
  return fitting < 0 ? first : first.slice(0, fitting)
}

/** @returns the number of deleted customers */
async function removeCustomers(tx: Tx, ids: readonly number[], clientId: string): Promise<number> {
  await lockCounters(tx, [customers.table, ...COUNTED_PARTS.map(({ table }) => table)])
  const found = await lockAll(tx, customers, ids)
  if (found.size === 0) return 0
  const there = ids.filter((id) => found.has(id))
  const credits = await creditsOf(tx, there)
  const ended = [...credits].map(([customer_id, before]) => ({ customer_id, before, after: 0 }))
  await writeCreditChanges(tx, ended, 'deletion', clientId)
  if (COUNTED_PARTS.length > 0) await removeTogether(tx, COUNTED_PARTS, sql`customer_id = any(${there})`)
  // After the locks of the customers, as in the creation of metafields and wishlists.
  await deleteMetafieldsOf(tx, customerMetafields, there)
  await deleteWishlistsOf(tx, there)
  await removeAll(tx, customers, sql`id = any(${there})`)
  await enqueueCleanup(tx, there)
  for (const id of there) publishCustomer(tx, 'deleted', id)
  return there.length
}
