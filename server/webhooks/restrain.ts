import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'

/**
 * Lets the commit of this transaction go on before the disk has it: for work on the queue, which after a crash of the database
 * is at most done once more. The log of the database has an order, so what depends on it is lost with it, and never a change
 * that a client was told of. It leaves with the statement that comes next, which fails if this does.
 */
export function restrain(tx: Tx) {
  tx.rows(sql`set local synchronous_commit = off`).catch(() => {})
}
