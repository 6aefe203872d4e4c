import type { Db } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'

/** The name that the operator gave a store, as a part of other statements. */
export const nameOf = (db: Db): Sql => sql`(select name from store_profiles where store_id = ${db.store.id})`

/** The plan that the operator gave a store. */
export async function planOf(db: Db): Promise<string> {
  const { plan } = await db.row<{ plan: string }>(sql`select plan from store_profiles where store_id = ${db.store.id}`)
  return plan
}
