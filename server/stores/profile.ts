import type { Db } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'

/** The name that the operator gave a store. */
export async function storeName(db: Db): Promise<string> {
  const { name } = await db.row<{ name: string }>(sql`select name from store_profiles where store_id = ${db.store.id}`)
  return name
}
