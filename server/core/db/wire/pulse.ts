import type pg from 'pg'
import { Connection } from './connection.ts'
import { DatabaseUnavailable } from './failures.ts'

const BEAT_MS = 500
const TICK_MS = 100
/** As long as a statement may take. */
const ANSWER_MS = 5_000

/**
 * Notices that a database hangs. A stopped database refuses connections, so a request learns it at once. A hanging or unreachable
 * one is silent: each request would wait as long as a statement may take. So the pulse asks for a sign of life twice a second, on
 * its own connection, which slow statements and a busy pool don't delay.
 *
 * Every byte from the database is a sign of life, also on other connections: an overloaded machine may answer the question late
 * while it answers statements.
 *
 * Silence is counted in ticks, not read from a clock. If this process or the whole machine stood still, that was one tick, and
 * the database gets the rest of the time.
 */
export class Pulse {
  /** Whether a question is open and the database has been silent for its time. New work is refused then. */
  isSilent = false
  readonly #config: pg.ClientConfig
  /** Ticks in a row without a byte. */
  readonly #silentTicks: number
  readonly #ticksMax: number
  #signs = 0
  #connection: Connection | undefined
  #next: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param silenceMs time without a byte after which the database counts as silent */
  constructor(config: pg.ClientConfig, silenceMs: number) {
    this.#config = config
    this.#silentTicks = Math.ceil(silenceMs / TICK_MS)
    this.#ticksMax = Math.ceil(Math.max(ANSWER_MS, silenceMs) / TICK_MS)
    this.#beatLater()
  }

  /** Records that bytes came from the database, on any connection. */
  hear() {
    this.#signs++
    this.isSilent = false
  }

  /** Sends a small statement. @throws DatabaseUnavailable after the time of silence, and after five seconds in any case */
  async ask<Row>(text: string): Promise<Row[]> {
    if (!this.#connection || this.#connection.isLost) {
      this.#connection = new Connection(this.#config, () => this.hear())
    }
    const connection = this.#connection
    const silence = this.#watch()
    try {
      const answer = connection.open().then(() => connection.ask([{ text, values: [] }]))
      const [result] = await Promise.race([answer, silence.promise])
      return (result?.rows ?? []) as Row[]
    } catch (error) {
      connection.cut()
      throw error
    } finally {
      silence.end()
    }
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#next)
    this.#connection?.cut()
  }

  /** Rejects when the database is silent. */
  #watch() {
    const { promise, reject } = Promise.withResolvers<never>()
    let signs = this.#signs
    let silentTicks = 0
    let ticks = 0
    const timer = setInterval(() => {
      silentTicks = signs === this.#signs ? silentTicks + 1 : 0
      signs = this.#signs
      ticks++
      if (silentTicks < this.#silentTicks && ticks < this.#ticksMax) return
      // A first connection may take longer than an answer if many are opened at once. Its own connection reports the failure to
      // the caller.
      if (silentTicks === this.#silentTicks && this.#signs > 0) this.isSilent = true
      reject(new DatabaseUnavailable('The database does not answer.'))
    }, TICK_MS)
    return { promise, end: () => clearInterval(timer) }
  }

  #beatLater() {
    if (this.#isClosed) return
    this.#next = setTimeout(async () => {
      await this.ask('select').catch(() => {})
      this.#beatLater()
    }, BEAT_MS).unref()
  }
}
