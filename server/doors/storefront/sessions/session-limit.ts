import type { Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'

/** A table of sessions or tokens that expire. */
interface ExpiringTable {
  table: string
  /** The column that identifies a row within a store. */
  key: string
  /** The column with the time of expiry. */
  end: string
}

/** Expired rows that each new row deletes: more than it adds, so the table stays bounded. */
const DELETED_AT_ONCE = 10

/**
 * Limits a table after a new row: deletes the owner's oldest rows past a maximum, and some expired rows of the store.
 * @param owned the condition for rows of the same owner
 */
export async function limitSessions(tx: Tx, sessions: ExpiringTable, owned: Sql, max: number) {
  const [table, key, end] = [sql.id(sessions.table), sql.id(sessions.key), sql.id(sessions.end)]
  await tx.rows(sql`
    delete from ${table} former using (
      select ${key} from ${table} where store_id = ${tx.store.id} and ${owned} order by created_at desc, ${key} offset ${max}
    ) excess
    where former.store_id = ${tx.store.id} and former.${key} = excess.${key} returning former.${key}`)
  await tx.rows(sql`
    delete from ${table} former using (
      select ${key} from ${table} where store_id = ${tx.store.id} and ${end} <= ${tx.now}
      order by ${end} limit ${DELETED_AT_ONCE} for update skip locked
    ) ended
    where former.store_id = ${tx.store.id} and former.${key} = ended.${key} returning former.${key}`)
}
