import t from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Directory, StoreEntry } from '../../../stores/directory/directory.ts'

/** The address of a store in the operator's API. */
export const S = '/stores/:store_hash'
/** Text that the database can store. */
export const text = (maxLength: number, minLength = 0) => t.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' })

/** A correlation id, or the id of a request without one. */
export const CorrelationId = t.String({ pattern: '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$' })

/** @throws Problem 404 */
export async function entryOf(directory: Directory, hash: string): Promise<StoreEntry> {
  const store = await directory.find(hash)
  if (!store) throw new Problem(404, 'There is no such store.')
  return store
}

/** @throws Problem 404 */
export async function dbOf(directory: Directory, { id }: StoreEntry): Promise<Db> {
  const db = await directory.dbById(id)
  if (!db) throw new Problem(404, 'There is no such store.')
  return db
}
