import type { Tx } from './database.ts'

const SETTINGS = {
  // The commit does not wait for the disk: a crash of the database repeats the work at most once. The log of the database has an
  // order, so work that depends on it is lost with it, and no change that a client saw is lost.
  synchronous_commit: 'off',
  // Rows are looked up by their keys, and come in the order of an index. The planner's statistics of a queue are always out of
  // date, and a plan that reads a whole table makes every store wait for the one with the longest queue.
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  // This leaves one plan for any values: a prepared statement is planned once per connection.
  plan_cache_mode: 'force_generic_plan',
}

/**
 * Marks a transaction as work on a queue, of webhooks or of jobs. Call it first.
 *
 * Prepare a statement that searches a queue for such transactions only, and only if no plan of it reads more than the rows of its
 * keys: its plan may date from an empty queue. So a join with given keys also has `= any(...)` of the keys, and `(select ...
 * limit 1)` asks whether rows exist, because no plan makes a join of it.
 */
export function asQueueWork(tx: Tx) {
  tx.setLocal(SETTINGS)
}
