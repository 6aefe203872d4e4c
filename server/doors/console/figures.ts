import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'

const MINUTE_S = 60
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * 60
const MIB = 1024 * 1024
/** Upper bounds of the durations that are counted, in milliseconds. A longer one counts as the last. */
const BOUNDS_MS = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 3_000, 5_000, 10_000]
const STORES_MAX = 2_000

/** The requests of a minute. */
export interface MinuteFigures {
  /** Unix seconds. */
  at: number
  requests: number
  /** Answers from 500 on. */
  errors: number
  p50_ms: number
  p99_ms: number
  memory_mib: number
  /** The longest delay of the event loop. */
  delay_ms: number
}

interface Minute {
  at: number
  errors: number
  durations: Uint32Array
  memory: number
  delay: number
}

/**
 * Figures of this process for a day, one minute each: 1,440 times 120 bytes. They are for the console; monitoring reads `/metrics`.
 */
export class Figures {
  readonly startedAt = new Date()
  readonly #minutes: Minute[] = []
  readonly #stores = new Map<string, number>()
  readonly #delay = monitorEventLoopDelay({ resolution: 100 })

  constructor(server: FastifyInstance) {
    this.#delay.enable()
    server.addHook('onResponse', (request, reply, done) => {
      this.#count(reply.elapsedTime, reply.statusCode, storeOf(request.params))
      done()
    })
    server.addHook('onClose', async () => void this.#delay.disable())
  }

  /** The last hour by minutes, and the last day by quarters of an hour. */
  read(): { hour: MinuteFigures[]; day: MinuteFigures[]; stores: { store: string; requests: number }[] } {
    const minutes = this.#minutes.slice(-DAY_MINUTES)
    const stores = [...this.#stores].map(([store, requests]) => ({ store, requests }))
    return {
      hour: minutes.slice(-HOUR_MINUTES).map((minute) => figuresOf([minute])),
      day: grouped(minutes, 15).map(figuresOf),
      stores: stores.toSorted((a, b) => b.requests - a.requests).slice(0, 10),
    }
  }

  #count(ms: number, status: number, store: string) {
    const minute = this.#minute(Math.floor(Date.now() / 1_000 / MINUTE_S) * MINUTE_S)
    const bound = BOUNDS_MS.findIndex((max) => ms <= max)
    const place = bound < 0 ? BOUNDS_MS.length - 1 : bound
    minute.durations[place] = (minute.durations[place] ?? 0) + 1
    if (status >= 500) minute.errors++
    if (store !== '' && (this.#stores.has(store) || this.#stores.size < STORES_MAX)) {
      this.#stores.set(store, (this.#stores.get(store) ?? 0) + 1)
    }
  }

  #minute(at: number): Minute {
    const last = this.#minutes.at(-1)
    if (last?.at === at) return last
    const begun = {
      at,
      errors: 0,
      durations: new Uint32Array(BOUNDS_MS.length),
      memory: process.memoryUsage.rss(),
      delay: this.#delay.max / 1e6,
    }
    this.#delay.reset()
    this.#minutes.push(begun)
    if (this.#minutes.length > DAY_MINUTES) this.#minutes.shift()
    if (at % (HOUR_MINUTES * MINUTE_S) === 0) this.#stores.clear()
    return begun
  }
}

function figuresOf(minutes: readonly Minute[]): MinuteFigures {
  const durations = BOUNDS_MS.map((_, i) => minutes.reduce((sum, minute) => sum + (minute.durations[i] ?? 0), 0))
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
    at: minutes[0]?.at ?? 0,
    requests,
    errors: minutes.reduce((sum, { errors }) => sum + errors, 0),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    memory_mib: Math.round(Math.max(...minutes.map(({ memory }) => memory)) / MIB),
    delay_ms: Math.round(Math.max(...minutes.map(({ delay }) => delay))),
  }
}

function grouped<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

const storeOf = (params: unknown): string =>
  typeof params === 'object' && params !== null && 'store_hash' in params ? String(params.store_hash) : ''
