import type { Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/**
 * Moves the due times of a store's waiting jobs earlier. Their order in each lane stays the same. A job that is running keeps its lease.
 * @param ms milliseconds by which the clock of the store moves on
 */
export async function advanceJobs(tx: Tx, ms: number) {
  const here = sql`store_id = ${tx.store.id}`
  const earlier = sql`due_at - ${ms} * interval '1 millisecond'`
  // In the order in which workers lock them.
  await tx.rows(sql`select task from job_queues where ${here} order by task for update`)
  await tx.rows(sql`select key from job_lanes where ${here} order by key for update`)
  await tx.rows(
    sql`update job_lanes set due_at = ${earlier}, is_new = true where ${here} and due_at is not null and not is_leased`,
  )
  await tx.rows(sql`update jobs set due_at = ${earlier} where ${here} and state = 'waiting'`)
  await tx.rows(sql`update job_queues set due_at = ${earlier} where ${here} and due_at is not null`)
}

/** The jobs of a store that are due or running: the first of each lane. */
export async function countDueJobs(tx: Tx): Promise<number> {
  const { due } = await tx.row<{ due: number }>(sql`
    select count(*)::int as due from job_lanes where store_id = ${tx.store.id} and (due_at <= ${tx.present} or is_leased)`)
  return due
}
