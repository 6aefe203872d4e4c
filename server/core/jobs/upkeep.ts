import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
import { asQueueWork } from '../db/queue-work.ts'
import { type Sql, sql } from '../db/sql.ts'
import { claimJobs } from './claim.ts'
import { completeJobs } from './complete.ts'
import { failed } from './task.ts'

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system' | 'present'> }[]
  dbById(id: number): Promise<Db | undefined>
}

const ABANDONED_DAYS = 30
const ABANDONED_MS = ABANDONED_DAYS * 86_400_000
const STORES_AT_ONCE = 500
const JOBS_AT_ONCE = 1_000

/**
 * Regular cleaning, in any process and any number of times: deletes jobs that have been kept long enough, and fails jobs that
 * nobody could do for 30 days, such as mails without a mail server. Works in pieces, each a transaction.
 * @throws AggregateError with the errors of single stores, after all other stores
 */
export async function clearJobs(stores: Stores, clock: Clock, signal?: AbortSignal) {
  const failures: unknown[] = []
  for (const { system } of stores.cells) {
    const old = await system.system<{ store_id: number }>(sql`
      select distinct store_id from jobs where kept_until <= ${clock.now()} limit ${STORES_AT_ONCE}`)
    const abandoned = await system.system<{ store_id: number }>(sql`
      select store_id from job_queues where due_at <= ${abandonedSince(system.present)}
      union select store_id from job_lanes where is_new and due_at <= ${abandonedSince(system.present)}
      limit ${STORES_AT_ONCE}`)
    for (const store of new Set([...old, ...abandoned].map(({ store_id }) => store_id))) {
      try {
        const db = await stores.dbById(store)
        if (db) await clearJobsOf(db, clock, signal)
      } catch (error) {
        // One store that is busy holds up no other.
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Jobs of some stores could not be cleared up.')
}

/** Deletes and fails the jobs of one store, as `clearJobs` does. */
export async function clearJobsOf(db: Db, clock: Clock, signal?: AbortSignal) {
  while (!signal?.aborted && (await deleteEnded(db, clock))) {}
  const abandoned = await db.transaction((tx) => {
    const since = abandonedSince(tx.present)
    return tx.rows<{ task: string }>(sql`
      select task from job_queues where store_id = ${tx.store.id} and due_at <= ${since}
      union select task from job_lanes where store_id = ${tx.store.id} and is_new and due_at <= ${since}`)
  })
  for (const { task } of abandoned) while (!signal?.aborted && (await giveUpAbandoned(db, task))) {}
}

const abandonedSince = (present: Sql) => sql`${present} - make_interval(days => ${ABANDONED_DAYS})`

/** @returns whether there may be more */
async function deleteEnded(db: Db, clock: Clock): Promise<boolean> {
  const gone = await db.transaction(async (tx) => {
    asQueueWork(tx)
    return tx.rows(sql`
      with old as (
        select id from jobs where store_id = ${tx.store.id} and kept_until <= ${clock.now()}
        order by kept_until limit ${JOBS_AT_ONCE} for update skip locked
      )
      delete from jobs using old where jobs.store_id = ${tx.store.id} and jobs.id = old.id returning jobs.id`)
  })
  return gone.length === JOBS_AT_ONCE
}

/** @returns whether there may be more */
async function giveUpAbandoned(db: Db, name: string): Promise<boolean> {
  const task = { name, maxMs: 0, retryDelay: () => undefined }
  const outcome = failed(`No worker could do it for ${ABANDONED_DAYS} days.`)
  const jobs = await db.transaction((tx) => claimJobs(tx, task, JOBS_AT_ONCE, ABANDONED_MS))
  await db.transaction((tx) =>
    completeJobs(
      tx,
      jobs.map((job) => ({ task, job, outcome })),
    ),
  )
  return jobs.length === JOBS_AT_ONCE
}
