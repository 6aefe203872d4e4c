/** A wait for a turn. */
interface Waiter {
  begin(): void
  /** Whether the turn is still wanted when it comes. */
  isWanted(): boolean
}

/** Long enough to answer other requests, which need a few turns of the event loop and the database. */
const REST_MIN_MS = 5

/**
 * Turns for work that holds the thread. Lanes alternate: a lane with a hundred waiters delays another lane by one turn. After each turn
 * comes a rest as long as the turn took, so that at least half of the time is left for other requests.
 */
export class Turns {
  /** The waiters by lane, in the order in which they came. The first lane is next. */
  readonly #lanes = new Map<string, Waiter[]>()
  #isBusy = false

  take(lane: string, waiter: Waiter) {
    const waiters = this.#lanes.get(lane)
    if (waiters) waiters.push(waiter)
    else this.#lanes.set(lane, [waiter])
    if (!this.#isBusy) this.#next()
  }

  #next() {
    const waiter = this.#first()
    this.#isBusy = waiter !== undefined
    if (!waiter) return
    const began = performance.now()
    waiter.begin()
    // The work runs in microtasks, before the immediate.
    setImmediate(() => setTimeout(() => this.#next(), Math.max(REST_MIN_MS, performance.now() - began)))
  }

  #first(): Waiter | undefined {
    for (const [lane, waiters] of this.#lanes) {
      this.#lanes.delete(lane)
      let waiter = waiters.shift()
      while (waiter && !waiter.isWanted()) waiter = waiters.shift()
      if (waiters.length > 0) this.#lanes.set(lane, waiters)
      if (waiter) return waiter
    }
    return undefined
  }
}
