import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, DatabaseUnavailable, type Db } from '../db/database.ts'
import { alternating } from '../db/engine/alternating.ts'
import { type Sql, sql } from '../db/sql.ts'
import { statementUse } from '../db/wire/statement-use.ts'
import { type ClaimedJob, claimJobs, GRACE_MS } from './claim.ts'
import { completeJobs, fateOf, type JobResult } from './complete.ts'
import { jobNews } from './enqueue.ts'
import { RecentUse } from './recent-use.ts'
import { Slots } from './slots.ts'
import { failed, type Outcome, type Runner, tryAgain } from './task.ts'

/** Jobs under way in this process; of these, jobs of one store, and of one task. */
const JOBS_AT_ONCE = { all: 20, store: 5, task: 10 }
const QUEUES_AT_ONCE = 100
const CLAIMS_SIDE_BY_SIDE = 4
/** Outcomes that come within this time are written together. */
const GATHER_MS = 5
const WRITES_MAX = 3
/** Between two looks. After a look that found nothing the pause grows by half, up to the longest. */
const LOOK_MS = { shortest: 100, longest: 1_000, growth: 1.5 }
/** While the database is gone, that is said once a second. */
const AFTER_FAILURE_MS = 1_000

/** The databases that jobs lie in. */
interface Stores {
  readonly cells: readonly { readonly name: string; readonly system: Pick<Database, 'everywhere' | 'present'> }[]
  dbById(id: number): Promise<Db | undefined>
}

export interface JobWorkerParts {
  stores: Stores
  /** The runners of this process. Jobs of other tasks stay where they are. */
  runners: readonly Runner[]
  log: Pick<FastifyBaseLogger, 'error'>
}

interface DueQueue {
  store_id: number
  task: string
}

interface FoundQueue extends DueQueue {
  cell: string
}

/** How many attempts at jobs of a task ended so. */
interface Attempts {
  task: string
  outcome: Outcome['kind']
  count: number
}

/** The outcome of an attempt, and the error that it threw. */
interface RunResult {
  outcome: Outcome
  error?: unknown
}

/** Runs enqueued jobs until it is stopped. Any number of processes may do so. */
export class JobWorker {
  readonly #parts: JobWorkerParts
  readonly #runners: ReadonlyMap<string, Runner>
  readonly #slots: Slots
  readonly #fairness: RecentUse
  readonly #attempts = new Map<string, Attempts>()
  /** The last store of each cell that had its turn. */
  readonly #lastStore = new Map<string, number>()
  readonly #returned = new Map<number, { db: Db; jobs: JobResult[] }>()
  /** Under way, by store. */
  readonly #writing = new Map<number, Promise<void>>()
  readonly #stopping = new AbortController()
  #isNudged = false
  #sleeping: AbortController | undefined
  #loop: Promise<void> | undefined

  constructor(parts: JobWorkerParts) {
    this.#parts = parts
    this.#runners = new Map(parts.runners.map((runner) => [runner.task.name, runner]))
    const tasks = new Map(
      parts.runners.flatMap(({ task: { name, atOnce } }) => (atOnce === undefined ? [] : [[name, atOnce] as const])),
    )
    this.#slots = new Slots({ ...JOBS_AT_ONCE, tasks })
    this.#fairness = new RecentUse(tasks.keys())
  }

  start() {
    jobNews.on('enqueued', this.#nudge)
    this.#loop = this.#turns()
  }

  /** Begins nothing new, and waits for the jobs under way. Those without an outcome are done again when their leases end. */
  async stop() {
    jobNews.off('enqueued', this.#nudge)
    this.#stopping.abort()
    this.#nudge()
    await this.#loop
    await this.idle()
  }

  /** Until no job is under way and every outcome is written. */
  async idle() {
    while (this.#slots.taken + this.#returned.size + this.#writing.size > 0) await sleep(GATHER_MS)
  }

  /** Attempts that this process has made. */
  attempts(): readonly Attempts[] {
    return [...this.#attempts.values()]
  }

  /** Jobs under way in this process, by task. */
  running(): ReadonlyMap<string, number> {
    return new Map([...this.#runners.keys()].map((task) => [task, this.#slots.ofTask(task)]))
  }

  /** Begins due jobs, as far as there is room. @returns how many jobs */
  async beginDue(): Promise<number> {
    return this.#beginAll(await this.#look())
  }

  async #beginAll(due: readonly FoundQueue[]): Promise<number> {
    const ofTask = countBy(due, ({ task }) => task)
    const ofStore = countBy(due, ({ store_id }) => store_id)
    let begun = 0
    for (let i = 0; i < due.length && this.#slots.room() > 0; i += CLAIMS_SIDE_BY_SIDE) {
      const claims = due.slice(i, i + CLAIMS_SIDE_BY_SIDE).map((queue, nr) => {
        const alike = { task: ofTask.get(queue.task) ?? 1, store: ofStore.get(queue.store_id) ?? 1 }
        ofTask.set(queue.task, alike.task - 1)
        ofStore.set(queue.store_id, alike.store - 1)
        return this.#begin(queue, this.#share(queue, due.length - i - nr, alike))
      })
      // One store that can't be worked on, because a row of it is locked, holds up no other.
      for (const claimed of await Promise.allSettled(claims)) {
        if (claimed.status === 'fulfilled') begun += claimed.value
        else this.#parts.log.error({ err: claimed.reason }, 'jobs of a store could not be begun')
      }
    }
    return begun
  }

  readonly #nudge = () => {
    this.#isNudged = true
    this.#sleeping?.abort()
  }

  async #turns() {
    let rest: number = LOOK_MS.shortest
    while (!this.#stopping.signal.aborted) {
      try {
        const due = await this.#look()
        await this.#beginAll(due)
        rest = due.length > 0 ? LOOK_MS.shortest : Math.min(rest * LOOK_MS.growth, LOOK_MS.longest)
      } catch (error) {
        this.#parts.log.error({ err: error }, 'jobs could not be looked for')
        rest = AFTER_FAILURE_MS
      }
      await this.#rest(rest)
    }
  }

  /** Until somebody nudges, at most. */
  async #rest(ms: number) {
    this.#sleeping = new AbortController()
    if (!this.#isNudged) await sleep(ms, undefined, { signal: this.#sleeping.signal }).catch(() => {})
    this.#sleeping = undefined
    this.#isNudged = false
    // Results that arrive together are taken together.
    await sleep(GATHER_MS)
  }

  /** The queues with something due and room for it. Cells that do not answer are left out. */
  async #look(): Promise<FoundQueue[]> {
    const tasks = [...this.#runners.keys()].filter((task) => this.#slots.room({ task }) > 0)
    if (tasks.length === 0 || this.#slots.room() === 0) return []
    const { cells } = this.#parts.stores
    const looks = await Promise.allSettled(
      cells.map(async ({ name, system }) => {
        const after = this.#lastStore.get(name) ?? 0
        const due = dueQueues(system.present, tasks, this.#slots.fullStores(), after)
        const queues = await system.everywhere<DueQueue>(due, { skipsFailed: true })
        return queues.sort(byTurn(after)).map((queue) => ({ ...queue, cell: name }))
      }),
    )
    const lost = looks.find((look) => look.status === 'rejected')
    if (lost && looks.length === 1) throw lost.reason
    if (lost) this.#parts.log.error({ err: lost.reason }, 'jobs of a cell could not be looked for')
    const found = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []))
    return this.#fairness.inOrder(alternating(found), performance.now())
  }

  /**
   * Divides the free slots among all waiting queues: stores take turns, and so do the queues of one store.
   * @param queues that wait, this one included
   * @param alike the queues of its task and those of its store, among these
   */
  #share({ store_id, task }: DueQueue, queues: number, alike: { task: number; store: number }): number {
    return Math.min(
      Math.ceil(this.#slots.room({ store: store_id }) / alike.store),
      Math.ceil(this.#slots.room() / queues),
      Math.ceil(this.#slots.room({ task }) / alike.task),
    )
  }

  /** @returns how many jobs of the queue were begun, of the free slots */
  async #begin({ store_id, task: name, cell }: FoundQueue, room: number): Promise<number> {
    const runner = this.#runners.get(name)
    if (!runner || room === 0 || this.#stopping.signal.aborted) return 0
    const place = { store: store_id, task: name }
    this.#lastStore.set(cell, store_id)
    // Before anything is waited for: other claims are made at the same time.
    for (let i = 0; i < room; i++) this.#slots.take(place)
    let unused = room
    try {
      const db = await this.#parts.stores.dbById(store_id)
      if (!db) return 0
      const claimedAt = performance.now()
      const jobs = await db.transaction((tx) => claimJobs(tx, runner.task, room))
      unused -= jobs.length
      for (const job of jobs) {
        this.#attempt(db, runner, job, claimedAt)
          // A mistake of ours, and nobody waits for it: the lease ends, and the job is begun again.
          .catch((error) => this.#parts.log.error({ err: error, job: job.id, task: name }, 'a job could not be run'))
          .finally(() => this.#free(place))
      }
      return jobs.length
    } finally {
      for (let i = 0; i < unused; i++) this.#slots.give(place)
    }
  }

  #free(place: { store: number; task: string }) {
    this.#slots.give(place)
    this.#nudge()
  }

  /** One attempt at a job, and its outcome. */
  async #attempt(db: Db, runner: Runner, job: ClaimedJob, claimedAt: number) {
    // A process that was frozen may have lost the lease, and begins nothing.
    if (performance.now() - claimedAt > GRACE_MS) return
    const { outcome, error } = isWornOut(runner, job)
      ? { outcome: failed(`It was begun ${job.tries - 1} times, and the last of them never came to an end.`) }
      : await this.#run(db, runner, job)
    const now = performance.now()
    this.#fairness.record({ store_id: db.store.id, task: runner.task.name }, now - claimedAt, now)
    const returned: JobResult = { task: runner.task, job, outcome }
    this.#count(runner.task.name, outcome.kind)
    if (outcome.kind !== 'done') this.#logFailure(db, runner, returned, { reason: outcome.reason, error })
    this.#gather(db, returned)
  }

  /** Within its time, or a little more: then we go on without it, as long as the job is still ours. */
  async #run(db: Db, { task, run }: Runner, { id, payload, attempts, correlation_id }: ClaimedJob): Promise<RunResult> {
    const over = new AbortController()
    const time = setTimeout(() => over.abort(new Error(`It took longer than ${task.maxMs / 1_000} s.`)), task.maxMs)
    const ended = new AbortController()
    try {
      const outcome = await Promise.race([
        // Events and jobs of the job are those of the request, too.
        statementUse.run({ statements: 0, ms: 0, origin: correlation_id ?? undefined }, () =>
          run({ id, db, payload, attempt: attempts, signal: over.signal }),
        ),
        sleep(task.maxMs + GRACE_MS, tryAgain(`It did not end within ${task.maxMs / 1_000} s.`), {
          signal: ended.signal,
        }),
      ])
      return { outcome }
    } catch (error) {
      const reason: unknown = over.signal.aborted ? over.signal.reason : error
      return { outcome: tryAgain(reason instanceof Error ? reason.message : String(reason)), error }
    } finally {
      clearTimeout(time)
      ended.abort()
    }
  }

  #logFailure(db: Db, { task }: Runner, returned: JobResult, { reason, error }: { reason: string; error: unknown }) {
    const isOver = fateOf(returned).state !== 'waiting'
    const { job } = returned
    this.#parts.log.error(
      { job: job.id, task: task.name, store: db.store.id, attempt: job.attempts, reason, err: error },
      isOver ? 'a job failed permanently' : 'a job failed and is tried again',
    )
  }

  #count(task: string, outcome: Outcome['kind']) {
    const key = `${task} ${outcome}`
    const attempts = this.#attempts.get(key) ?? { task, outcome, count: 0 }
    attempts.count++
    this.#attempts.set(key, attempts)
  }

  #gather(db: Db, job: JobResult) {
    const of = this.#returned.get(db.store.id) ?? { db, jobs: [] }
    this.#returned.set(db.store.id, of)
    of.jobs.push(job)
    if (!this.#writing.has(db.store.id)) this.#writing.set(db.store.id, this.#write(db.store.id))
  }

  /** Writes outcomes of a store: a moment later, so that they are written together, and again while more come. */
  async #write(store: number) {
    await sleep(GATHER_MS)
    for (let of = this.#returned.get(store); of; of = this.#returned.get(store)) {
      this.#returned.delete(store)
      await this.#complete(of.db, of.jobs)
      // The next job of a key may be due.
      this.#nudge()
    }
    this.#writing.delete(store)
  }

  /** Retries a few times while the database can't answer. An outcome that is not written is repeated when the lease ends. */
  async #complete(db: Db, jobs: readonly JobResult[]) {
    for (let left = WRITES_MAX - 1; ; left--) {
      try {
        return await db.transaction((tx) => completeJobs(tx, jobs))
      } catch (error) {
        if (left > 0 && error instanceof DatabaseUnavailable) continue
        this.#parts.log.error({ err: error, store: db.store.id }, 'outcomes of jobs could not be written')
        return
      }
    }
  }
}

/** Every attempt of the retry table was begun, and the last one left no outcome: its process may have died of it. */
const isWornOut = ({ task }: Runner, { tries }: ClaimedJob) => tries > 1 && task.retryDelay(tries - 1) === undefined

function countBy<T, K>(things: readonly T[], keyOf: (thing: T) => K): Map<K, number> {
  const counts = new Map<K, number>()
  for (const thing of things) counts.set(keyOf(thing), (counts.get(keyOf(thing)) ?? 0) + 1)
  return counts
}

/** The stores behind the last one come first. Several nodes have an order each. */
const byTurn = (after: number) => (one: DueQueue, other: DueQueue) =>
  Number(one.store_id <= after) - Number(other.store_id <= after) || one.store_id - other.store_id

/**
 * Queues with due jobs, those behind the last store first. The cost depends on due and new lanes, not on the number of stores or
 * jobs.
 */
const dueQueues = (present: Sql, tasks: readonly string[], fullStores: readonly number[], after: number) => sql`
  select store_id, task from (
    select store_id, task from job_queues where due_at <= ${present}
    union
    select store_id, task from job_lanes where is_new
  ) due
  where task = any(${tasks}::text[]) and store_id <> all(${fullStores}::int[])
  order by store_id <= ${after}, store_id limit ${QUEUES_AT_ONCE}`
