import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Cell, Directory } from '../../../stores/directory/directory.ts'
import type { JobError, RedirectJobRow } from './jobs.ts'

const STORE_MAX = 5
const POLL_MS = 1_000
const LIFE_MS = 600_000
const COMMENT_MS = 15_000

/** The part of a job that its events report. */
export type ReportedJob = Pick<
  RedirectJobRow,
  'id' | 'kind' | 'status' | 'completed_items' | 'failed_items' | 'total_items' | 'errors' | 'version'
>

interface JobStream {
  readonly body: Readable
  readonly cell: Cell
  readonly db: Db
  readonly client: string
  readonly job: string
  readonly begin: number
  version: number
  lastWrite: number
  isEnded: boolean
}

interface Watched extends Omit<ReportedJob, 'errors'> {
  number: number
  is_revoked: boolean
}

/**
 * The open streams of events of a process (docs/contract/redirects.md section 5). One statement a second and database reads the
 * progress of the jobs of all of them, and one more the errors of a job that has changed. A stream ends with its job, when its client's account is deleted, after ten minutes, and when the server drains.
 */
export class JobStreams {
  readonly #directory: Directory
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #pollMs: number
  readonly #streams = new Set<JobStream>()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isDraining = false

  /** @param pollMs between two looks */
  constructor({ directory, log }: { directory: Directory; log: Pick<FastifyBaseLogger, 'warn'> }, pollMs = POLL_MS) {
    this.#directory = directory
    this.#log = log
    this.#pollMs = pollMs
  }

  /** Opens a stream, which begins with the present state of the job. @throws Problem 429 for too many of a store */
  async open(db: Db, client: string, job: ReportedJob): Promise<Readable> {
    const entry = await this.#directory.find(db.store.hash)
    if (!entry) throw new Problem(404, 'There is nothing at this path.')
    const ofStore = [...this.#streams].filter((stream) => stream.db.store.id === db.store.id)
    if (ofStore.length >= STORE_MAX) {
      throw new Problem(
        429,
        `A store can have ${STORE_MAX} open streams.`,
        {},
        {
          headers: { 'retry-after': '15', 'x-retry-after': '15' },
        },
      )
    }
    const now = performance.now()
    const stream: JobStream = {
      body: new Readable({ read() {} }),
      cell: this.#directory.cellOf(entry),
      db,
      client,
      job: job.id,
      begin: now,
      version: job.version,
      lastWrite: now,
      isEnded: false,
    }
    this.#streams.add(stream)
    stream.body.once('close', () => this.#remove(stream))
    this.#timer ??= setInterval(() => void this.poll(), this.#pollMs).unref()
    report(stream, job)
    if (this.#isDraining) end(stream)
    return stream.body
  }

  /** The number of open streams, for tests. */
  get size(): number {
    return this.#streams.size
  }

  /** Ends all streams. Later ones end after their first event. */
  drain() {
    this.#isDraining = true
    for (const stream of this.#streams) end(stream)
  }

  /** Reads the jobs of all streams, and reports changes. */
  async poll() {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      for (const [cell, streams] of Map.groupBy(this.#streams, ({ cell }) => cell)) await this.#pollCell(cell, streams)
    } catch (error) {
      // Without its database a stream stays open, and reports the state when it returns.
      this.#log.warn({ err: error }, 'the jobs of open streams could not be read')
    } finally {
      this.#isPolling = false
    }
    const now = performance.now()
    for (const stream of this.#streams) {
      if (now - stream.begin >= LIFE_MS) end(stream)
      else if (now - stream.lastWrite >= COMMENT_MS) write(stream, ':\n\n')
    }
  }

  async #pollCell({ system }: Cell, streams: readonly JobStream[]) {
    const watched = streams.map(({ db, job, client, version }, number) => ({
      number,
      store: db.store.id,
      job,
      client,
      version,
    }))
    const types = { number: 'int', store: 'int', job: 'text', client: 'text', version: 'int' } as const
    const rows = await system.system<Watched>(sql`
      select watched.number, account.client_id is null as is_revoked, job.id, job.kind, job.status, job.completed_items,
        job.failed_items, job.total_items, job.version
      from ${sql.table('watched', watched, types)}
        left join api_accounts account on account.store_id = watched.store and account.client_id = watched.client
        left join redirect_jobs job on job.store_id = watched.store and job.id = watched.job
      where account.client_id is null or job.id is null or job.version <> watched.version`)
    for (const { number, is_revoked, ...job } of rows) {
      const stream = streams[number]
      if (!stream) continue
      if (is_revoked || job.id === null) end(stream)
      else report(stream, { ...job, errors: job.failed_items > 0 ? await errorsOf(stream) : [] })
    }
  }

  #remove(stream: JobStream) {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** The errors of a job, which only the role of requests may read. */
async function errorsOf({ db, job }: JobStream): Promise<JobError[]> {
  const row = await db.maybeRow<{ errors: JobError[] }>(sql`
    select errors from redirect_jobs where store_id = ${db.store.id} and id = ${job}`)
  return row?.errors ?? []
}

const isEnded = ({ status }: ReportedJob) => status !== 'new' && status !== 'working'

/** Writes an event. A reader that has not read the last one yet gets only the end. */
function report(stream: JobStream, job: ReportedJob) {
  const isSlow = stream.body.readableLength > 0
  if (isSlow && !isEnded(job)) return
  stream.version = job.version
  write(stream, `event: message\ndata: ${JSON.stringify(eventOf(job))}\n\n`)
  if (isEnded(job)) end(stream)
}

function write(stream: JobStream, text: string) {
  if (stream.isEnded || stream.body.destroyed) return
  stream.body.push(text)
  stream.lastWrite = performance.now()
}

function end(stream: JobStream) {
  if (stream.isEnded || stream.body.destroyed) return
  stream.isEnded = true
  stream.body.push(null)
}

function eventOf({ id, kind, status, completed_items, total_items, failed_items, errors }: ReportedJob) {
  const shared = { job_id: id, status, completed_items, total_items }
  return kind === 'import' ? { ...shared, failed_items, errors } : shared
}
