import type { Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'

/** A table of what lets people in until it ends: sessions, tokens. */
interface Passes {
  table: string
  /** The column that names one of a store. */
  key: string
  /** The column with the moment at which one ends. */
  end: string
}

/** Rows whose time is over that each new one clears away, more than it adds: the table stays bounded. */
const FORGOTTEN_AT_ONCE = 10

/**
 * After a new row: deletes the oldest rows of its owner past a maximum, and some of the store whose time is over.
 * @param owned holds for rows of the same owner
 */
export async function forgetSurplus(tx: Tx, passes: Passes, owned: Sql, max: number) {
  const [table, key, end] = [sql.id(passes.table), sql.id(passes.key), sql.id(passes.end)]
  await tx.rows(sql`
    delete from ${table} former using (
      select ${key} from ${table} where store_id = ${tx.store.id} and ${owned} order by created_at desc, ${key} offset ${max}
    ) surplus
    where former.store_id = ${tx.store.id} and former.${key} = surplus.${key} returning former.${key}`)
  await tx.rows(sql`
    delete from ${table} former using (
      select ${key} from ${table} where store_id = ${tx.store.id} and ${end} <= ${tx.now}
      order by ${end} limit ${FORGOTTEN_AT_ONCE} for update skip locked
    ) ended
    where former.store_id = ${tx.store.id} and former.${key} = ended.${key} returning former.${key}`)
}
