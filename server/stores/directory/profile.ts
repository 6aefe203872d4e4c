import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

/** The name that the operator gave a store, as a part of prepared statements. @param store as it stands there, such as `$1` */
export const nameOf = (store: string): string => `(select name from store_profiles where store_id = ${store})`

/** The plan that the operator gave a store. */
export async function planOf(db: Db): Promise<string> {
  const { plan } = await db.row<{ plan: string }>(sql`select plan from store_profiles where store_id = ${db.store.id}`)
  return plan
}
