import type pg from 'pg'
import { openClient } from './line.ts'

const IDLE_MS = 10_000

/** Called once: with a connection, or with why there is none. */
type Taker = (lost: unknown, client?: pg.Client) => void

/**
 * Connections that are used by one at a time. The driver's own pool sets two timers and moves a listener for each use; here one
 * timer watches over all that wait, and one over all that nobody uses.
 */
export class Pool {
  readonly #make: () => pg.Client
  readonly #max: number
  readonly #waitMs: number
  /** All that are open or being opened. */
  readonly #clients = new Set<pg.Client>()
  /** Those that nobody uses. The one used last is taken first, so that in quiet times the others are closed. */
  readonly #idle: { client: pg.Client; until: number }[] = []
  readonly #waiting: { taker: Taker; until: number }[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #waitTimer: NodeJS.Timeout | undefined
  #lookingForLate: NodeJS.Immediate | undefined
  #onEmpty: (() => void) | undefined

  /**
   * @param make a client that is not connected yet
   * @param waitMs how long a connection is waited for that another one uses
   */
  constructor(make: () => pg.Client, max: number, waitMs: number) {
    this.#make = make
    this.#max = max
    this.#waitMs = waitMs
  }

  take(taker: Taker) {
    if (this.#onEmpty) return taker(new Error('The pool is closed.'))
    const free = this.#idle.pop()
    if (free) return taker(undefined, free.client)
    if (this.#clients.size < this.#max) return this.#open(taker)
    this.#waiting.push({ taker, until: performance.now() + this.#waitMs })
    this.#waitTimer ??= setTimeout(() => this.#lookForLate(), this.#waitMs)
  }

  /** @param isBroken whether the connection is not to be used again */
  give(client: pg.Client, isBroken = false) {
    if (!this.#clients.has(client)) return
    if (isBroken || this.#onEmpty) return this.#dismiss(client)
    const next = this.#waiting.shift()
    if (next) return next.taker(undefined, client)
    this.#idle.push({ client, until: performance.now() + IDLE_MS })
    this.#idleTimer ??= setTimeout(() => this.#endIdle(), IDLE_MS)
  }

  /** Lets go of all connections. Those that are in use are waited for, what waits for one is refused. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      clearTimeout(this.#idleTimer)
      for (const { taker } of this.#waiting.splice(0)) taker(new Error('The pool is closed.'))
      clearTimeout(this.#waitTimer)
      clearImmediate(this.#lookingForLate)
      for (const { client } of this.#idle.splice(0)) this.#dismiss(client)
      if (this.#clients.size === 0) resolve()
    })
  }

  #open(taker: Taker) {
    const client = this.#make()
    this.#clients.add(client)
    client.on('error', () => this.#dismiss(client))
    client.once('end', () => this.#forget(client))
    openClient(client).then(
      () => taker(undefined, client),
      (error) => {
        this.#forget(client)
        taker(error)
      },
    )
  }

  /** Its place is free at once: nobody waits for the answer to a goodbye. */
  #dismiss(client: pg.Client) {
    this.#forget(client)
    client.end().catch(() => {})
  }

  #forget(client: pg.Client) {
    if (!this.#clients.delete(client)) return
    const place = this.#idle.findIndex((idle) => idle.client === client)
    if (place >= 0) this.#idle.splice(place, 1)
    const next = this.#waiting.shift()
    if (next) this.#open(next.taker)
    if (this.#clients.size === 0) this.#onEmpty?.()
  }

  /** After one more look at the sockets: if it was this process that stood still, connections are given back first. */
  #lookForLate() {
    this.#lookingForLate = setImmediate(() => this.#refuseLate())
  }

  /** The first has waited longest. */
  #refuseLate() {
    const now = performance.now()
    while (this.#waiting[0] && this.#waiting[0].until <= now) {
      this.#waiting.shift()?.taker(new Error('All connections were in use for too long.'))
    }
    const [first] = this.#waiting
    this.#waitTimer = first && setTimeout(() => this.#lookForLate(), first.until - now)
  }

  /** The first has been idle longest. */
  #endIdle() {
    const now = performance.now()
    while (this.#idle[0] && this.#idle[0].until <= now) this.#dismiss(this.#idle[0].client)
    const [first] = this.#idle
    this.#idleTimer = first && setTimeout(() => this.#endIdle(), first.until - now)
  }
}
