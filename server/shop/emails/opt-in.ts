import type { Db } from '../../core/db/database.ts'
import { prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

/**
 * Whether a store has the endpoints of e-mail templates (docs/contract/email-templates.md section 1).
 * @param isDefault whether the server opts all stores in
 */
export async function isOptedIn(db: Db, isDefault: boolean): Promise<boolean> {
  if (isDefault) return true
  const [found] = await db.rows(prepared(sql`select opted_in_at from email_opt_ins where store_id = ${db.store.id}`))
  return found !== undefined
}

/** Opts a store in permanently. */
export async function optIn(db: Db) {
  await db.transaction((tx) =>
    tx.rows(
      sql`insert into email_opt_ins ${sql.rows([{ store_id: tx.store.id, opted_in_at: tx.now }])} on conflict do nothing`,
    ),
  )
}
