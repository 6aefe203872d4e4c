import type { Db, Tx } from './database.ts'
import { type Sql, sql } from './sql.ts'

/** Rows that one step changes: more of them could take longer than a statement may. */
export const STEP_ROWS = 2_000

/**
 * Repeats a step until it is done. Each step is a transaction, so that others wait for a step and not for all of them. Inside a
 * transaction all steps belong to it.
 * @param step does at most `STEP_ROWS` rows, and returns whether there may be more
 */
export async function inSteps(db: Db, step: (tx: Tx) => Promise<boolean>) {
  while (await db.transaction(step)) {}
}

/** Old rows that each new row deletes: more than it adds. */
const SWEPT_ROWS = 10

/** The old rows of a table. */
interface OldRows {
  readonly table: string
  /** The primary key without `store_id`. */
  readonly key: readonly string[]
  /** The column with the moment that decides. It has an index. */
  readonly moment: string
  /** Rows of this moment and earlier ones are old. */
  readonly until: Date | Sql
}

/**
 * Deletes the oldest of the old rows of a store, up to ten. Called with each new row, it keeps a table bounded without a task that
 * sweeps all stores. Rows that another transaction has locked are left for the next time.
 */
export async function sweep(tx: Tx, { table, key, moment, until }: OldRows) {
  const rows = sql.id(table)
  const same = key.map((column) => sql`${rows}.${sql.id(column)} = old.${sql.id(column)}`)
  await tx.rows(sql`
    delete from ${rows} using (
      select ${sql.join(key.map(sql.id))} from ${rows} where store_id = ${tx.store.id} and ${sql.id(moment)} <= ${until}
      order by ${sql.id(moment)} limit ${SWEPT_ROWS} for update skip locked
    ) old where ${rows}.store_id = ${tx.store.id} and ${sql.and(same)}`)
}
