import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../db/database.ts'

/**
 * One kind of job, as data. Code that enqueues such jobs imports it; a `runner` pairs it with the function that runs them.
 *
 * A job is work that follows a change: a mail, a capture, an expiry. It is a row of its store, which `enqueue` inserts in the
 * transaction of that change. It belongs to a lane, named by its key: the jobs of a lane run
 * one after another, in the order in which they were enqueued. A worker of any process claims the first job of a due lane under a
 * lease and counts the attempt before it runs. The outcome of the attempt ends the job, moves it to a later time, or, after the
 * last retry, makes it fail permanently. A job that ended is deleted after a day, one that failed after 30 days; until then an
 * operator can retry or skip it (`storeward jobs`). Nothing else changes a job, and its payload never changes. A job may run
 * twice, after a crash or a lost connection, and must have its effect only once.
 */
export interface Task<Payload extends TSchema = TSchema> {
  /** Stored with every job: never renamed while jobs of it may wait. */
  readonly name: string
  /** The payload of a job. It names rows by their ids, because they may change until it runs. */
  readonly payload: Payload
  /** The longest that one attempt may take. */
  readonly maxMs: number
  /** Milliseconds until the next attempt, or undefined after the last. @param failures attempts so far, at least 1 */
  retryDelay(failures: number): number | undefined
  /**
   * The most jobs of this task that a process runs at once, if it is fewer than for other tasks. The rest wait unclaimed, so waiting
   * uses neither attempts nor `maxMs`. The store that has used the least time of the task is next.
   */
  readonly atOnce?: number
  /** A job that failed permanently blocks its key until an operator decides (`storeward jobs`). */
  readonly holdsKey?: true
}

export const task = <Payload extends TSchema>(
  name: string,
  payload: Payload,
  rules: Omit<Task, 'name' | 'payload'>,
): Task<Payload> => ({ name, payload, ...rules })

/** The outcome of one attempt. A thrown error counts as `try again`. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'try again'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export const done: Outcome = { kind: 'done' }
/** Another attempt follows after the task's `retryDelay`. After the last one the job fails permanently. */
export const tryAgain = (reason: string): Outcome => ({ kind: 'try again', reason })
/** Failed permanently: another attempt would end the same way. */
export const failed = (reason: string): Outcome => ({ kind: 'failed', reason })

/** A job as its run gets it. */
export interface Job<Payload> {
  readonly id: string
  /** The database of the job's store. */
  readonly db: Db
  readonly payload: Payload
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** Aborts after `maxMs`. Work under way must then end. */
  readonly signal: AbortSignal
}

/** A task with the function that runs it. */
export interface Runner {
  readonly task: Task
  run(job: Job<unknown>): Promise<Outcome>
}

/** Pairs a task with the function that runs it, for the list of a worker. */
export const runner = <Payload extends TSchema>(
  task: Task<Payload>,
  run: (job: Job<Static<Payload>>) => Promise<Outcome>,
): Runner => ({
  task,
  async run({ payload, ...job }) {
    if (!Value.Check(task.payload, payload)) return failed('This version of the server cannot read its payload.')
    return run({ ...job, payload })
  },
})
