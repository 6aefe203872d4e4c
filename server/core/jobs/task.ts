import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../db/database.ts'

/**
 * One kind of job, as data: whoever wants such a job imports this and calls `enqueue`; whoever does it has a `runner` for it.
 * A job may run twice, after a crash or a lost connection, and must have no more effect than once.
 */
export interface Task<Payload extends TSchema = TSchema> {
  /** Stored with every job: never renamed while jobs of it may wait. */
  readonly name: string
  /** What a job carries: ids, and not the things themselves, which may change until it runs. */
  readonly payload: Payload
  /** The longest that one attempt may take. */
  readonly maxMs: number
  /** Milliseconds until the next attempt, or undefined after the last. @param failures attempts so far, at least 1 */
  retryDelay(failures: number): number | undefined
  /**
   * Jobs that a process does side by side, where the others' bound is too high. Those beyond are not begun: their attempts and
   * their time count from their turn. The store that has used the least time of the task has the next one.
   */
  readonly atOnce?: number
  /** A job that failed for good keeps what follows of its key waiting until an operator decides (`storeward jobs`). */
  readonly holdsKey?: true
}

export const task = <Payload extends TSchema>(
  name: string,
  payload: Payload,
  rules: Omit<Task, 'name' | 'payload'>,
): Task<Payload> => ({ name, payload, ...rules })

/** What came of one attempt. Whatever is thrown is a try again. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'try again'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export const done: Outcome = { kind: 'done' }
/** After the task's own delay, while its retry table lasts. */
export const tryAgain = (reason: string): Outcome => ({ kind: 'try again', reason })
/** For good: another attempt would end the same way. */
export const failed = (reason: string): Outcome => ({ kind: 'failed', reason })

/** A job as its run gets it. */
export interface Job<Payload> {
  readonly id: string
  /** Of the job's store, and of no other. */
  readonly db: Db
  readonly payload: Payload
  /** Counts from 1. */
  readonly attempt: number
  /** Aborts when the time of the attempt is over: whatever is still under way then has to end. */
  readonly signal: AbortSignal
}

/** A task with what does it. */
export interface Runner {
  readonly task: Task
  run(job: Job<unknown>): Promise<Outcome>
}

/** Pairs a task with the function that does it, for whoever lists what a worker can do. */
export const runner = <Payload extends TSchema>(
  task: Task<Payload>,
  run: (job: Job<Static<Payload>>) => Promise<Outcome>,
): Runner => ({
  task,
  async run({ payload, ...job }) {
    if (!Value.Check(task.payload, payload)) return failed('This version of the server can not read its payload.')
    return run({ ...job, payload })
  },
})
