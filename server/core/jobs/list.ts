import type { Database, Db, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { lockLanes, moveLanes } from './complete.ts'
import { jobNews } from './enqueue.ts'

export const JOB_STATES = ['waiting', 'done', 'failed', 'held'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A job as an operator sees it. */
export interface ListedJob {
  store_id: number
  id: string
  task: string
  key: string
  state: JobState
  attempts: number
  payload: unknown
  created_at: string
  correlation_id: string | null
  sentence: string
}

interface JobRow extends Omit<ListedJob, 'sentence'> {
  begun_at: string | null
  reason: string | null
  ended_at: string | null
  is_first: boolean
  lane_due_at: string | null
  is_due: boolean
}

interface JobFilters {
  /** Any state if not given. */
  state?: JobState | undefined
  limit: number
  storeId?: number | undefined
  /** The correlation id of a request, or the id of a request without one. */
  correlationId?: string | undefined
}

/** The newest jobs first, each with a sentence that says how it stands. */
export async function listJobs(
  { system }: { readonly system: Pick<Database, 'system' | 'present'> },
  { state, limit, storeId, correlationId }: JobFilters,
): Promise<ListedJob[]> {
  const conditions = [
    sql`true`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(storeId === undefined ? [] : [sql`jobs.store_id = ${storeId}`]),
    ...(correlationId === undefined ? [] : [sql`correlation_id = ${correlationId}::uuid`]),
  ]
  const rows = await system.system<JobRow>(sql`
    select jobs.store_id, jobs.id, jobs.task, jobs.key, state, attempts, payload, created_at, correlation_id::text, begun_at, reason,
      ended_at,
      lanes.head = jobs.id as is_first, lanes.due_at::timestamptz(0) as lane_due_at, lanes.due_at <= ${system.present} as is_due
    from jobs left join job_lanes lanes on lanes.store_id = jobs.store_id and lanes.key = jobs.key
    where ${sql.and(conditions)}
    order by jobs.created_at desc, jobs.store_id, jobs.id limit ${limit}`)
  return rows.map((row) => ({
    store_id: row.store_id,
    id: row.id,
    task: row.task,
    key: row.key,
    state: row.state,
    attempts: row.attempts,
    payload: row.payload,
    created_at: row.created_at,
    correlation_id: row.correlation_id,
    sentence: sentenceOf(row),
  }))
}

function sentenceOf(row: JobRow): string {
  const attempts = row.attempts === 1 ? '1 attempt' : `${row.attempts} attempts`
  switch (row.state) {
    case 'done':
      return `It was done at ${row.ended_at} by attempt ${row.attempts}.`
    case 'failed':
      return `It failed permanently at ${row.ended_at} after ${attempts}: ${row.reason}`
    case 'held':
      return `It failed permanently at ${row.ended_at} after ${attempts}, and later jobs with its key wait: ${row.reason}`
    case 'waiting':
      return waitingSentence(row)
  }
}

function waitingSentence({ attempts, begun_at, reason, is_first, is_due, lane_due_at }: JobRow): string {
  if (!is_first) return 'It waits for jobs of its key that came before it.'
  if (begun_at !== null) {
    return is_due
      ? `Attempt ${attempts} began at ${begun_at} and its worker is gone: the next worker begins it again.`
      : `Attempt ${attempts} has been under way since ${begun_at}.`
  }
  const before = reason === null ? '' : `Attempt ${attempts} failed: ${reason} `
  return is_due
    ? `${before}It has been due since ${lane_due_at}: no worker has had room for it, or none runs.`
    : `${before}It is due at ${lane_due_at}.`
}

/**
 * Retries a job that failed permanently, with a new retry table: at once if it blocks its key, otherwise behind the waiting jobs
 * of its key.
 * @returns whether the job exists
 */
export async function retryJob(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const job = await lockFailed(tx, id)
    if (!job) return false
    const due_at = tx.present
    await tx.rows(sql`
      insert into job_lanes as lane ${sql.rows([
        { store_id: tx.store.id, key: job.key, head: id, task: job.task, due_at, last_seq: job.seq, is_new: true },
      ])}
      on conflict (store_id, key) do update set last_seq = lane.last_seq + 1, is_new = true,
        due_at = case when lane.head = excluded.head then excluded.due_at else lane.due_at end`)
    await tx.rows(sql`
      update jobs set state = 'waiting', due_at = ${due_at}, attempted = attempts, ended_at = null, kept_until = null,
        seq = case when state = 'held' then seq else (
          select last_seq from job_lanes where store_id = ${tx.store.id} and key = ${job.key}) end
      where store_id = ${tx.store.id} and id = ${id}`)
    tx.afterCommit(async () => {
      jobNews.emit('enqueued')
    })
    return true
  })
}

/** Lets the key of a job that failed permanently go on without it. @returns whether the job exists */
export async function skipJob(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const job = await lockFailed(tx, id)
    if (job?.state !== 'held') return false
    await tx.rows(sql`
      update jobs set state = 'failed', kept_until = ${new Date(tx.now.getTime() + SKIPPED_KEPT_MS)}
      where store_id = ${tx.store.id} and id = ${id}`)
    await moveLanes(tx, [job.key])
    tx.afterCommit(async () => {
      jobNews.emit('enqueued')
    })
    return true
  })
}

const SKIPPED_KEPT_MS = 30 * 86_400_000

interface FailedJob {
  key: string
  task: string
  seq: number
  state: 'failed' | 'held'
}

/** With the lane of its key, before it: in the order in which workers lock them. */
async function lockFailed(tx: Tx, id: string): Promise<FailedJob | undefined> {
  const here = sql`store_id = ${tx.store.id} and id = ${id} and state in ('failed', 'held')`
  const found = await tx.maybeRow<{ key: string }>(sql`select key from jobs where ${here}`)
  if (!found) return undefined
  await lockLanes(tx, [found.key])
  return tx.maybeRow<FailedJob>(sql`select key, task, seq, state from jobs where ${here} for update`)
}
