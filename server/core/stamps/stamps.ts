import { randomInt } from 'node:crypto'
import { type Db, prepared, type Tx } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'

// Data of a store that changes rarely and is read whole has a stamp. A write changes the stamp in its own transaction. A process
// keeps such data in memory (`compiled.ts`) while the stamp is the same, so that it never shows a state that was replaced before the
// request began. Stamps are random: a stamp of a transaction that was rolled back never comes back with other data.

/** The kinds of data that have a stamp. */
export type Stamped = 'tax' | 'promotions'

const STAMP_MAX = 2 ** 47

/**
 * Changes a stamp. The row stays locked until the transaction ends, so that changes of the same data in a store come one after
 * another. Call it before the first row of this data is read or locked.
 */
export async function changeStamp(tx: Tx, subject: Stamped) {
  const row = { store_id: tx.store.id, subject, stamp: randomInt(1, STAMP_MAX) }
  await tx.rows(
    prepared(sql`
    insert into store_stamps ${sql.rows([row])} on conflict (store_id, subject) do update set stamp = excluded.stamp`),
  )
}

/** The stamp as a column of any statement; 0 for data that was never changed. */
export const stampOf = ({ store }: Pick<Db, 'store'>, subject: Stamped): Sql =>
  sql`coalesce((select stamp from store_stamps where store_id = ${store.id} and subject = ${subject}), 0)`

export async function readStamp(db: Db, subject: Stamped): Promise<number> {
  const { stamp } = await db.row<{ stamp: number }>(prepared(sql`select ${stampOf(db, subject)} as stamp`))
  return stamp
}
