import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Static, TSchema } from 'typebox'
import { prepared, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { originOfWork } from '../db/wire/statement-use.ts'
import type { Task } from './task.ts'

export interface NewJob<Payload> {
  /**
   * The subject of the job, such as `order 5`. Jobs of one key, of any task, run one after another in the order in which they
   * were enqueued. So a job that is due later blocks those behind it. Without a key the job waits for no other.
   */
  key?: string
  payload: Payload
  /** In the store's time; at once if not given. */
  dueAt?: Date
}

/** Says that there are new jobs, to the worker of this process. A hint: workers also look by themselves. */
export const jobNews = new EventEmitter<{ enqueued: [] }>()

const PAYLOAD_MAX = 10_000

/**
 * Enqueues a job in the caller's transaction: if it is rolled back, there is no job; if it commits, the job is not lost. Until
 * the commit no other job of the key can be enqueued or end. Enqueue for several keys in one order.
 * @returns the id of the job
 */
export async function enqueue<Payload extends TSchema>(
  tx: Tx,
  task: Task<Payload>,
  { key, payload, dueAt }: NewJob<Static<Payload>>,
): Promise<string> {
  const id = randomUUID()
  const text = JSON.stringify(payload)
  if (text.length > PAYLOAD_MAX) throw new Error(`A job of ${task.name} carries more than ${PAYLOAD_MAX} characters.`)
  const due = dueAt === undefined ? tx.present : sql`${new Date(dueAt.getTime() - tx.aheadMs)}::timestamptz`
  tx.afterCommit(async () => {
    jobNews.emit('enqueued')
  })
  // They leave together and are done in this order.
  await Promise.all([
    tx.rows(
      prepared(sql`
        insert into job_lanes as lane ${sql.rows([
          { store_id: tx.store.id, key: key ?? id, head: id, task: task.name, due_at: due, last_seq: 1, is_new: true },
        ])}
        on conflict (store_id, key) do update set last_seq = lane.last_seq + 1`),
    ),
    tx.rows(
      prepared(sql`
        insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted, correlation_id)
        select ${tx.store.id}, ${id}, key, last_seq, ${task.name}, ${text}::jsonb, ${tx.now}::timestamptz, ${due}, 'waiting', 0, 0,
          ${originOfWork()}::uuid
        from job_lanes where store_id = ${tx.store.id} and key = ${key ?? id} returning id`),
    ),
  ])
  return id
}
