import type { Clock } from '../clock.ts'

const FAILURES_MAX = 5
const WINDOW_MS = 60_000
const SKIPPED_MS = 30_000
/** Most lanes that are remembered. Those that failed the longest time ago are evicted. */
const LANES_MAX = 10_000

/** Says which services of third parties are skipped: those that failed five times within a minute, for the next 30 s. */
export class Breaker {
  readonly #clock: Clock
  /** The times of the last failures by lane, the lane that failed last at the end. */
  readonly #failures = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isOpen(lane: string): boolean {
    const failures = this.#failures.get(lane) ?? []
    const [first = 0] = failures
    const last = failures.at(-1) ?? 0
    const areMany = failures.length === FAILURES_MAX && last - first <= WINDOW_MS
    return areMany && this.#clock.now().getTime() - last < SKIPPED_MS
  }

  fail(lane: string) {
    const failures = [...(this.#failures.get(lane) ?? []), this.#clock.now().getTime()].slice(-FAILURES_MAX)
    this.#failures.delete(lane)
    this.#failures.set(lane, failures)
    if (this.#failures.size > LANES_MAX) this.#failures.delete(this.#failures.keys().next().value ?? lane)
  }

  succeed(lane: string) {
    this.#failures.delete(lane)
  }
}
