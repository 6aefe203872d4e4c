import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'

/**
 * For work on the queue. It leaves with the statement that comes next, which fails if this does.
 *
 * The commit goes on before the disk has it: after a crash of the database the work is at most done once more. The log of the
 * database has an order, so what depends on it is lost with it, and never a change that a client was told of.
 *
 * Rows are looked up by their keys: what the planner knows of a queue is always out of date, and a plan that reads a whole
 * table makes every store wait for the one with the longest queue.
 */
export function restrain(tx: Tx) {
  tx.rows(
    sql`set local synchronous_commit = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
      set local enable_seqscan = off`,
  ).catch(() => {})
}
