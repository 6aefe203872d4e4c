import type { Connection } from './connection.ts'
import { ALL_IN_USE, DatabaseUnavailable } from './failures.ts'

const IDLE_MS = 10_000

/** Called once: with a connection, or with the error that prevented one. */
type Taker = (failure: unknown, connection?: Connection) => void

interface Waiter {
  readonly taker: Taker
  readonly since: number
}

/** The waiting borrowers of a lane, the oldest first. */
interface Queue {
  readonly waiters: Waiter[]
  /** When one of them got a connection last. */
  movedAt: number
}

/** How long a borrower waits for a connection, in milliseconds. */
export interface Patience {
  /** For a queue that does not move: the connections hang, and waiting is useless. */
  readonly still: number
  /** At the most, while it moves. */
  readonly moving: number
}

/**
 * Connections that each serve one borrower at a time. Every borrower belongs to a lane, for example the reads of one store. A
 * lane gets at most its share of the connections, so that slow statements of one store leave connections for others. A lane that
 * has its share waits in a queue of its own, and lanes take turns.
 *
 * The driver's own pool has no lanes. It also sets two timers and moves a listener for each use; here one timer watches all
 * borrowers that wait, and one all idle connections.
 */
export class Pool {
  readonly #make: () => Connection
  readonly #max: number
  readonly #shareOf: (lane: number) => number
  readonly #patience: Patience
  /** All open connections, and those being opened. */
  readonly #connections = new Set<Connection>()
  /** Idle connections. The one used last is lent first, so that in quiet times the others are closed. */
  readonly #idle: { connection: Connection; until: number }[] = []
  /** The lane that each connection in use is lent to. */
  readonly #borrowers = new Map<Connection, number>()
  /** The connections of each lane. */
  readonly #held = new Map<number, number>()
  /** Waiting borrowers by lane, the lane with the next turn first. */
  readonly #queues = new Map<number, Queue>()
  #idleTimer: NodeJS.Timeout | undefined
  #waitTimer: NodeJS.Timeout | undefined
  #lookingForLate: NodeJS.Immediate | undefined
  #onEmpty: (() => void) | undefined

  /**
   * @param make makes a connection that is not open yet
   * @param shareOf the most connections of a lane
   */
  constructor(make: () => Connection, max: number, shareOf: (lane: number) => number, patience: Patience) {
    this.#make = make
    this.#max = max
    this.#shareOf = shareOf
    this.#patience = patience
  }

  /** How many wait for a connection, and how many have one. */
  get use(): { waiting: number; inUse: number } {
    let waiting = 0
    for (const { waiters } of this.#queues.values()) waiting += waiters.length
    return { waiting, inUse: this.#borrowers.size }
  }

  take(lane: number, taker: Taker) {
    if (this.#onEmpty) return taker(closed())
    if (!this.#hasShare(lane)) {
      const free = this.#idle.pop()
      if (free) return this.#lend(free.connection, lane, taker)
      if (this.#connections.size < this.#max) return this.#open(lane, taker)
    }
    const waiter = { taker, since: performance.now() }
    const queue = this.#queues.get(lane)
    if (queue) queue.waiters.push(waiter)
    else this.#queues.set(lane, { waiters: [waiter], movedAt: 0 })
    this.#waitTimer ??= setTimeout(() => this.#lookForLate(), this.#patience.still)
  }

  /** Takes a connection back. One that is lost, or still in a transaction, is not lent again. */
  give(connection: Connection) {
    this.#settle(connection)
    if (!this.#connections.has(connection)) return
    if (connection.isLost || connection.isInTransaction || this.#onEmpty) return this.#dismiss(connection)
    const next = this.#next()
    if (next) return this.#lend(connection, next.lane, next.taker)
    this.#idle.push({ connection, until: performance.now() + IDLE_MS })
    this.#idleTimer ??= setTimeout(() => this.#endIdle(), IDLE_MS)
  }

  /** Closes all connections. Those in use are awaited; waiting borrowers are refused. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      clearTimeout(this.#idleTimer)
      clearTimeout(this.#waitTimer)
      clearImmediate(this.#lookingForLate)
      const waiters = [...this.#queues.values()].flatMap(({ waiters }) => waiters)
      this.#queues.clear()
      for (const { taker } of waiters) taker(closed())
      for (const { connection } of this.#idle.splice(0)) this.#dismiss(connection)
      if (this.#connections.size === 0) resolve()
    })
  }

  #hasShare(lane: number): boolean {
    return (this.#held.get(lane) ?? 0) >= this.#shareOf(lane)
  }

  #lend(connection: Connection, lane: number, taker: Taker) {
    this.#hold(connection, lane)
    taker(undefined, connection)
  }

  #hold(connection: Connection, lane: number) {
    this.#borrowers.set(connection, lane)
    this.#held.set(lane, (this.#held.get(lane) ?? 0) + 1)
  }

  /** Its lane no longer holds the connection. */
  #settle(connection: Connection) {
    const lane = this.#borrowers.get(connection)
    if (lane === undefined) return
    this.#borrowers.delete(connection)
    const held = (this.#held.get(lane) ?? 0) - 1
    if (held > 0) this.#held.set(lane, held)
    else this.#held.delete(lane)
  }

  /** The next borrower: the oldest of the first lane in turn that has less than its share. */
  #next(): { lane: number; taker: Taker } | undefined {
    for (const [lane, queue] of this.#queues) {
      if (this.#hasShare(lane)) continue
      const waiter = queue.waiters.shift()
      queue.movedAt = performance.now()
      this.#queues.delete(lane)
      if (queue.waiters.length > 0) this.#queues.set(lane, queue)
      if (waiter) return { lane, taker: waiter.taker }
    }
    return undefined
  }

  #open(lane: number, taker: Taker) {
    const connection = this.#make()
    this.#connections.add(connection)
    this.#hold(connection, lane)
    connection.onLost = () => this.release(connection)
    connection.open().then(() => taker(undefined, connection), taker)
  }

  /** Its place is free at once: nobody waits for the answer to a goodbye. */
  #dismiss(connection: Connection) {
    this.release(connection)
    connection.end().catch(() => {})
  }

  release(connection: Connection) {
    if (!this.#connections.delete(connection)) return
    this.#settle(connection)
    const place = this.#idle.findIndex((idle) => idle.connection === connection)
    if (place >= 0) this.#idle.splice(place, 1)
    const next = this.#next()
    if (next) this.#open(next.lane, next.taker)
    if (this.#connections.size === 0) this.#onEmpty?.()
  }

  /** Runs after one more read of the sockets: if this process stood still, connections come back first. */
  #lookForLate() {
    this.#lookingForLate = setImmediate(() => this.#refuseLate())
  }

  #refuseLate() {
    const now = performance.now()
    const late: Waiter[] = []
    let soonest = Number.POSITIVE_INFINITY
    for (const [lane, queue] of this.#queues) {
      const { waiters } = queue
      while (waiters[0] && this.#until(waiters[0], queue) <= now) late.push(...waiters.splice(0, 1))
      if (waiters[0]) soonest = Math.min(soonest, this.#until(waiters[0], queue))
      else this.#queues.delete(lane)
    }
    this.#waitTimer =
      soonest === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.#lookForLate(), soonest - now)
    for (const { taker } of late) taker(new DatabaseUnavailable(ALL_IN_USE))
  }

  #until({ since }: Waiter, { movedAt }: Queue): number {
    return Math.min(Math.max(since, movedAt) + this.#patience.still, since + this.#patience.moving)
  }

  /** The first has been idle longest. */
  #endIdle() {
    const now = performance.now()
    while (this.#idle[0] && this.#idle[0].until <= now) this.#dismiss(this.#idle[0].connection)
    const [first] = this.#idle
    this.#idleTimer = first && setTimeout(() => this.#endIdle(), first.until - now)
  }
}

const closed = () => new DatabaseUnavailable('The pool is closed.')
