import { prepared, type Tx } from '../db/database.ts'
import { asQueueWork } from '../db/queue-work.ts'
import { sql } from '../db/sql.ts'
import type { ClaimedJob } from './claim.ts'
import type { Outcome, Task } from './task.ts'

const DAY_MS = 86_400_000
/** How long an ended job is kept. */
const KEPT_MS = { done: DAY_MS, failed: 30 * DAY_MS }
const REASON_MAX = 1_000

/** A job whose attempt has ended. */
export interface JobResult {
  readonly task: Pick<Task, 'retryDelay' | 'holdsKey'>
  readonly job: ClaimedJob
  readonly outcome: Outcome
}

/** The state of a job after an attempt. */
export type Fate =
  | { readonly state: 'done' | 'failed' | 'held'; readonly delayMs?: never }
  | { readonly state: 'waiting'; readonly delayMs: number }

/** Pure. An outcome that asks for another try fails permanently at the end of the retry table. */
export function fateOf({ task, job, outcome }: JobResult): Fate {
  if (outcome.kind === 'done') return { state: 'done' }
  const delayMs = outcome.kind === 'try again' ? task.retryDelay(job.tries) : undefined
  if (delayMs !== undefined) return { state: 'waiting', delayMs }
  return { state: task.holdsKey ? 'held' : 'failed' }
}

/** Stores the outcomes of attempts, and moves lanes to their next jobs. An outcome under an old fence is ignored. */
export async function completeJobs(tx: Tx, returned: readonly JobResult[]) {
  const fates = returned.map((one) => ({ ...one, fate: fateOf(one) }))
  asQueueWork(tx)
  const ids = fates.map(({ job }) => job.id)
  const ends = fates.map(({ job: { id, attempts }, outcome, fate }) => ({
    id,
    attempts,
    state: fate.state,
    reason: reasonOf(outcome),
    ended_at: fate.state === 'waiting' ? null : tx.now,
    kept_until: keptUntil(fate, tx.now),
  }))
  const {
    locks: [locked],
    ended,
  } = await tx.together(() => ({
    locks: lockLanes(
      tx,
      fates.map(({ job }) => job.key),
    ),
    ended: tx.rows<{ id: string }>(
      prepared(sql`
      update jobs set state = fate.state, reason = fate.reason, begun_at = null, ended_at = fate.ended_at, kept_until = fate.kept_until
      from ${sql.table('fate', ends, { id: 'text', attempts: 'int', state: 'text', reason: 'text', ended_at: 'timestamptz', kept_until: 'timestamptz' })}
      where jobs.store_id = ${tx.store.id} and jobs.id = any(${ids}::text[]) and jobs.id = fate.id
        and jobs.attempts = fate.attempts and jobs.state = 'waiting'
      returning jobs.id`),
    ),
  }))
  const ours = new Set(ended.map(({ id }) => id))
  const lanes = fates.flatMap(({ job, fate }) => (ours.has(job.id) ? [{ key: job.key, fate }] : []))
  if (!locked) return
  const now = Date.parse(locked.now)
  await tx.together(() => [
    delayLanes(
      tx,
      lanes.flatMap(({ key, fate }) =>
        fate.state === 'waiting' ? [{ key, due_at: new Date(now + fate.delayMs) }] : [],
      ),
    ),
    holdLanes(
      tx,
      lanes.filter(({ fate }) => fate.state === 'held').map(({ key }) => key),
    ),
    moveLanes(
      tx,
      lanes.filter(({ fate }) => fate.state === 'done' || fate.state === 'failed').map(({ key }) => key),
    ),
  ])
}

const reasonOf = (outcome: Outcome) => (outcome.kind === 'done' ? null : outcome.reason.slice(0, REASON_MAX))

const keptUntil = ({ state }: Fate, now: Date) =>
  state === 'done' || state === 'failed' ? new Date(now.getTime() + KEPT_MS[state]) : null

/**
 * Locks lanes in one order, so that no two transactions wait for each other. Enqueuing for a key locks its lane too.
 * @returns the present, with each lane
 */
export const lockLanes = (tx: Tx, keys: readonly string[]) =>
  tx.rows<{ now: string }>(
    prepared(sql`
      select ${tx.present} as now from job_lanes
      where store_id = ${tx.store.id} and key = any(${keys}::text[]) order by key for update`),
  )

async function delayLanes(tx: Tx, lanes: readonly { key: string; due_at: Date }[]) {
  if (lanes.length === 0) return
  await tx.rows(sql`
    update job_lanes set due_at = mine.due_at, is_new = true, is_leased = false
    from ${sql.table('mine', lanes, { key: 'text', due_at: 'timestamptz' })}
    where job_lanes.store_id = ${tx.store.id} and job_lanes.key = mine.key`)
}

async function holdLanes(tx: Tx, keys: readonly string[]) {
  if (keys.length === 0) return
  await tx.rows(sql`
    update job_lanes set due_at = null, is_new = false, is_leased = false where store_id = ${tx.store.id} and key = any(${keys}::text[])`)
}

/** To the next job of each key. A lane without one goes. The caller has their locks, so no job is enqueued meanwhile. */
export async function moveLanes(tx: Tx, keys: readonly string[]) {
  if (keys.length === 0) return
  const next = (column: string) => sql`(
    select ${sql.id(column)} from jobs where store_id = ${tx.store.id} and key = job_lanes.key and state = 'waiting'
    order by seq limit 1)`
  const here = sql`store_id = ${tx.store.id} and key = any(${keys}::text[])`
  const removing = tx.rows(prepared(sql`delete from job_lanes where ${here} and ${next('id')} is null`))
  const moving = tx.rows(
    prepared(sql`
      update job_lanes set head = ${next('id')}, task = ${next('task')}, due_at = ${next('due_at')}, is_new = true, is_leased = false
      where ${here}`),
  )
  await Promise.all([removing, moving])
}
