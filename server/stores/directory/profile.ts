import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'

/**
 * The name of a store, as a part of prepared statements.
 * @param store the SQL of its number, for example `$1`
 */
export const storeNameOf = (store: string): string => `(select name from store_profiles where store_id = ${store})`

export async function planOf(db: Db): Promise<string> {
  const { plan } = await db.row<{ plan: string }>(sql`select ${planColumn(db)} as plan`)
  return plan
}

/** The name of the plan of a store, as a column of any statement. */
export const planColumn = ({ store }: Pick<Db, 'store'>): Sql => sql`(
  select plan from store_profiles where store_id = ${store.id}
)`
