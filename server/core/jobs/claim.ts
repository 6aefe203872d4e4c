import { prepared, type Tx } from '../db/database.ts'
import { asQueueWork } from '../db/queue-work.ts'
import { sql } from '../db/sql.ts'
import type { Task } from './task.ts'

/** An attempt begins within this time after its claim, and ends within this time after its own is over. */
export const GRACE_MS = 10_000
/** New lanes that one claim reads: a store may have received very many at once. */
const NOTED_AT_ONCE = 5_000

/** The time that a worker has a job to itself; then others may take it. */
export const leaseMs = ({ maxMs }: Pick<Task, 'maxMs'>) => maxMs + 3 * GRACE_MS

/** A job that is ours until the lease ends. */
export interface ClaimedJob {
  readonly id: string
  readonly key: string
  /** Attempts with this one: the fence. */
  readonly attempts: number
  /** The same, since an operator last asked for another try. */
  readonly tries: number
  readonly payload: unknown
  /** That of the request that has enqueued it; null for jobs of the server itself. */
  readonly correlation_id: string | null
}

/**
 * Claims the first jobs of due lanes, and counts the attempts before anything is run.
 * @param room the most jobs to claim
 * @param overdueMs claims only jobs that have been due for so long
 */
export async function claimJobs(
  tx: Tx,
  task: Pick<Task, 'name' | 'maxMs'>,
  room: number,
  overdueMs = 0,
): Promise<ClaimedJob[]> {
  const now = tx.present
  const store = tx.store.id
  const here = sql`store_id = ${store} and task = ${task.name}`
  asQueueWork(tx)
  // They leave together and are done in this order.
  const { lanes } = await tx.together(() => ({
    // Its lock first: two workers that record due times at once would each miss those of the other.
    queue: tx.rows(
      prepared(sql`
        insert into job_queues as queue ${sql.rows([{ store_id: store, task: task.name, due_at: null }])}
        on conflict (store_id, task) do update set due_at = queue.due_at`),
    ),
    lanes: tx.rows<{ head: string }>(
      prepared(sql`
        with due as (
          select key from job_lanes where ${here} and due_at <= ${now} - make_interval(secs => ${overdueMs / 1_000})
          order by due_at limit ${room} for update skip locked
        )
        update job_lanes set due_at = ${now} + make_interval(secs => ${leaseMs(task) / 1_000}), is_new = false, is_leased = true
        where store_id = ${store} and key = any(array(select key from due)) returning head`),
    ),
    // Not prepared: without new lanes at hand another index, which has all lanes of the task, may seem as good.
    seen: tx.rows(sql`
      with new as (
        select key from job_lanes where ${here} and is_new limit ${NOTED_AT_ONCE} for update skip locked
      )
      update job_lanes set is_new = false where store_id = ${store} and key = any(array(select key from new))`),
    next: tx.rows(
      prepared(sql`
        update job_queues set due_at = (
          select due_at from job_lanes where ${here} and due_at is not null order by due_at limit 1
        ) where ${here}`),
    ),
  }))
  if (lanes.length === 0) return []
  return tx.rows<ClaimedJob>(
    prepared(sql`
      update jobs set attempts = attempts + 1, begun_at = ${tx.now}
      where store_id = ${store} and id = any(${lanes.map(({ head }) => head)}::text[])
      returning id, key, attempts, attempts - attempted as tries, payload, correlation_id::text`),
  )
}
