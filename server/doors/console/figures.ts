import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
const QUARTER_S = 15 * MINUTE_S
const MIB = 1024 * 1024
/** Upper bounds of the durations that are counted, in milliseconds. A longer one counts as the last. */
const BOUNDS_MS = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 3_000, 5_000, 10_000]
/** Stores that are counted in a minute, and those of them that are stored. */
const STORES_MAX = 2_000
const STORES_STORED = 20
const STORES_LISTED = 10

/** The requests of a minute or of a quarter of an hour. */
interface SpanFigures {
  /** Unix seconds. */
  at: number
  requests: number
  /** Answers from 500 on. */
  errors: number
  p50_ms: number
  p99_ms: number
  /** The memory of the process that has the most. */
  memory_mib: number
  /** The longest delay of the event loop of a process. */
  delay_ms: number
  /** The most database connections that a process used. */
  pool: number
  /** The most callbacks and jobs that were due at the end of a minute. */
  backlog: number
}

interface Minute {
  /** Unix seconds. */
  at: number
  errors: number
  durations: readonly number[]
  /** Bytes. */
  memory: number
  /** Milliseconds. */
  delay: number
  pool: number
  backlog: number
}

interface OpenMinute extends Minute {
  durations: number[]
  stores: Map<string, number>
}

interface Parts {
  database: Pick<Database, 'system'>
  /** The databases whose connections are counted. */
  databases: readonly Pick<Database, 'use'>[]
  /** Counts the callbacks and jobs of all stores that are due. */
  countDue(): Promise<number>
  log: { warn(details: object, sentence: string): void }
}

/**
 * Figures of all processes for a day, by the minute. A process counts its requests in memory and stores each minute when it is over, so
 * those of other processes are up to a minute old. They are for the console; monitoring reads `/metrics`.
 */
export class Figures {
  readonly startedAt = new Date()
  readonly #id = randomUUID()
  readonly #parts: Parts
  /** The current minute, and those that are not stored yet. */
  #minutes: OpenMinute[] = []
  readonly #delay = monitorEventLoopDelay({ resolution: 100 })
  #timer: NodeJS.Timeout | undefined

  constructor(server: FastifyInstance, parts: Parts) {
    this.#parts = parts
    this.#delay.enable()
    server.addHook('onResponse', (request, reply, done) => {
      this.#count(reply.elapsedTime, reply.statusCode, storeOf(request.params))
      done()
    })
    server.addHook('onReady', async () => {
      this.#timer = setInterval(() => void this.#endMinute(), MINUTE_S * 1_000).unref()
    })
    server.addHook('onClose', async () => {
      clearInterval(this.#timer)
      this.#delay.disable()
      await this.#storeQuietly()
    })
  }

  /** The last hour by minutes, the last day by quarters of an hour, and the busiest stores of the hour, of all processes. */
  async read(): Promise<{
    hour: SpanFigures[]
    day: SpanFigures[]
    stores: { store: string; requests: number }[]
    processes: number
  }> {
    await this.store()
    const now = Date.now() / 1_000
    const [hour, day, stores, processes] = await Promise.all([
      this.#spans(now - HOUR_S, MINUTE_S),
      this.#spans(now - DAY_S, QUARTER_S),
      this.#parts.database.system<{ store: string; requests: number }>(sql`
        select key as store, sum(value::int)::int as requests
        from directory.process_figures, jsonb_each_text(stores)
        where at > ${new Date((now - HOUR_S) * 1_000)} group by 1 order by 2 desc, 1 limit ${STORES_LISTED}`),
      this.#parts.database.system<{ count: number }>(sql`
        select count(distinct process)::int as count from directory.process_figures
        where at > ${new Date((now - HOUR_S) * 1_000)}`),
    ])
    return { hour, day, stores, processes: processes[0]?.count ?? 0 }
  }

  async #spans(sinceS: number, spanS: number): Promise<SpanFigures[]> {
    const sums = BOUNDS_MS.map((_, i) => sql`sum((durations->>${i}::int)::int)::int`)
    const rows = await this.#parts.database.system<Minute>(sql`
      select (floor(extract(epoch from at) / ${spanS}::int) * ${spanS}::int)::int as at, sum(errors)::int as errors,
        jsonb_build_array(${sql.join(sums, ', ')}) as durations, max(memory) as memory, max(delay) as delay,
        max(pool) as pool, max(backlog) as backlog
      from directory.process_figures where at > ${new Date(sinceS * 1_000)} group by 1 order by 1`)
    return rows.map(figuresOf)
  }

  /** Stores the minutes of this process, the current one as far as it is, and deletes those of yesterday. */
  async store() {
    const minutes = this.#minutes.filter(({ at }) => at > Date.now() / 1_000 - DAY_S)
    const [first, ...others] = minutes.map(({ at, errors, durations, memory, delay, pool, backlog, stores }) => ({
      process: this.#id,
      at: new Date(at * 1_000),
      errors,
      durations: JSON.stringify(durations),
      memory,
      delay,
      pool,
      backlog,
      stores: JSON.stringify(Object.fromEntries(busiest(stores))),
    }))
    if (!first) return
    await this.#parts.database.system(sql`
      with old as (
        delete from directory.process_figures where at < ${new Date(Date.now() - DAY_S * 1_000)} returning process
      )
      insert into directory.process_figures ${sql.rows([first, ...others])}
      on conflict (process, at) do update set errors = excluded.errors, durations = excluded.durations,
        memory = excluded.memory, delay = excluded.delay, pool = excluded.pool, backlog = excluded.backlog, stores = excluded.stores
      returning process`)
    const stored = minutes.at(-1)?.at ?? 0
    // Requests that came meanwhile are in the last minute, which is stored again.
    this.#minutes = this.#minutes.filter(({ at }) => at >= stored)
  }

  /** A process without a request since the last minute counts nothing. */
  async #endMinute() {
    const minute = this.#minutes.at(-1)
    if (!minute) return
    minute.backlog = await this.#parts.countDue().catch(() => minute.backlog)
    await this.#storeQuietly()
  }

  async #storeQuietly() {
    await this.store().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'the figures of this process could not be stored for the console'),
    )
  }

  #count(ms: number, status: number, store: string) {
    const minute = this.#minute(Math.floor(Date.now() / 1_000 / MINUTE_S) * MINUTE_S)
    const bound = BOUNDS_MS.findIndex((max) => ms <= max)
    const place = bound < 0 ? BOUNDS_MS.length - 1 : bound
    minute.durations[place] = (minute.durations[place] ?? 0) + 1
    if (status >= 500) minute.errors++
    const used = this.#parts.databases.reduce((sum, { use }) => sum + use.inUse, 0)
    minute.pool = Math.max(minute.pool, used)
    if (store !== '' && (minute.stores.has(store) || minute.stores.size < STORES_MAX)) {
      minute.stores.set(store, (minute.stores.get(store) ?? 0) + 1)
    }
  }

  #minute(at: number): OpenMinute {
    const last = this.#minutes.at(-1)
    if (last?.at === at) return last
    const begun = {
      at,
      errors: 0,
      durations: BOUNDS_MS.map(() => 0),
      memory: process.memoryUsage.rss(),
      delay: this.#delay.max / 1e6,
      pool: 0,
      backlog: 0,
      stores: new Map<string, number>(),
    }
    this.#delay.reset()
    this.#minutes.push(begun)
    // A database that does not answer costs the oldest minutes.
    if (this.#minutes.length > HOUR_S / MINUTE_S) this.#minutes.shift()
    return begun
  }
}

const busiest = (stores: ReadonlyMap<string, number>) =>
  [...stores].toSorted(([, a], [, b]) => b - a).slice(0, STORES_STORED)

function figuresOf({ at, errors, durations, memory, delay, pool, backlog }: Minute): SpanFigures {
  const requests = durations.reduce((sum, count) => sum + count, 0)
  const quantile = (share: number) => {
    let seen = 0
    const place = durations.findIndex((count) => {
      seen += count
      return seen >= requests * share && seen > 0
    })
    return BOUNDS_MS[place] ?? 0
  }
  return {
    at,
    requests,
    errors,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    memory_mib: Math.round(memory / MIB),
    delay_ms: Math.round(delay),
    pool,
    backlog,
  }
}

const storeOf = (params: unknown): string =>
  typeof params === 'object' && params !== null && 'store_hash' in params ? String(params.store_hash) : ''
