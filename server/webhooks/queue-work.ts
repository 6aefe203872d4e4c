import type { Tx } from '../core/db/database.ts'

/**
 * Marks a transaction as work on the queue; call it first. Its settings are sent in one piece with the next statement, which
 * fails if they do.
 *
 * The commit does not wait for the disk: after a crash of the database the work is at most done once more. The log of the
 * database has an order, so what depends on this work is lost with it, and never a change that a client was told of.
 *
 * Rows are looked up by their keys: the planner's statistics of a queue are always out of date, and a plan that reads a whole
 * table makes every store wait for the one with the longest queue.
 */
export function asQueueWork(tx: Tx) {
  tx.setLocal('synchronous_commit', 'off')
  tx.setLocal('enable_hashjoin', 'off')
  tx.setLocal('enable_mergejoin', 'off')
  tx.setLocal('enable_seqscan', 'off')
}
