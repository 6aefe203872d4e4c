import type { Clock } from '../../../core/clock.ts'
import type { DeliveryAttempt } from '../queue/reports.ts'

const INTERVAL_MS = 600_000
const DESTINATIONS_MAX = 10_000

/** Limits reports of failures to a hook's client: one in ten minutes for each destination. */
export class FailureLimit {
  readonly #clock: Clock
  readonly #reportedAt = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether failures among these attempts may be reported now. If so, the next ten minutes begin. */
  admit(destination: string, attempts: readonly DeliveryAttempt[]): boolean {
    const now = this.#clock.now().getTime()
    const last = this.#reportedAt.get(destination) ?? Number.NEGATIVE_INFINITY
    if (attempts.every(({ outcome }) => outcome.ok) || now - last < INTERVAL_MS) return false
    this.#reportedAt.set(destination, now)
    return true
  }

  /** Bounds the map: destinations come and go. */
  evict() {
    if (this.#reportedAt.size <= DESTINATIONS_MAX) return
    const now = this.#clock.now().getTime()
    for (const [key, at] of this.#reportedAt) if (now - at >= INTERVAL_MS) this.#reportedAt.delete(key)
  }
}
