import type { Tx } from './database.ts'

const SETTINGS = {
  // The commit does not wait for the disk: after a crash of the database the work is at most done once more. The log of the
  // database has an order, so what depends on this work is lost with it, and never a change that a client was told of.
  synchronous_commit: 'off',
  // Rows are looked up by their keys, and come in the order of an index. The planner's statistics of a queue are always out of
  // date, and a plan that reads a whole table makes every store wait for the one with the longest queue.
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  // So there is one way to find them, whatever the values are: a prepared statement is planned once per connection.
  plan_cache_mode: 'force_generic_plan',
}

/**
 * Marks a transaction as work on a queue, of webhooks or of jobs. Call it first.
 *
 * A statement that searches a queue may be prepared for such transactions only, and if no plan of it reads more than the rows of
 * the keys that it is given: its plan may have been made when the queue was empty. So a join with what is given also says `=
 * any(...)` of the keys, and whether rows exist is asked by `(select ... limit 1)`, which no plan makes a join of.
 */
export function asQueueWork(tx: Tx) {
  tx.setLocal(SETTINGS)
}
