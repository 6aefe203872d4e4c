const WINDOW_MS = 60_000
const ADDRESSES_MAX = 10_000

/**
 * Bars an address for a minute after too many failed authentications in a minute (docs/contract/auth.md section 4).
 * Times are milliseconds of a clock that never jumps.
 */
export class FailedLogins {
  readonly #max: number
  readonly #addresses = new Map<string, { since: number; failures: number }>()

  /** @param max failures in 60 s, 100 by contract; 0 switches it off, as the sandbox does */
  constructor(max: number) {
    this.#max = max
  }

  isBarred(address: string, now: number): boolean {
    if (this.#max === 0) return false
    const seen = this.#addresses.get(address)
    return seen !== undefined && seen.failures >= this.#max && now - seen.since < WINDOW_MS
  }

  /** Counts one failure. @returns false if the address is barred already */
  note(address: string, now: number): boolean {
    if (this.#max === 0) return true
    if (this.isBarred(address, now)) return false
    const seen = this.#addresses.get(address)
    if (!seen || now - seen.since >= WINDOW_MS) this.#begin(address, now)
    // From the last failure that is allowed on, the minute of being barred begins.
    else if (++seen.failures === this.#max) seen.since = now
    return true
  }

  #begin(address: string, now: number) {
    this.#addresses.delete(address)
    this.#addresses.set(address, { since: now, failures: 1 })
    if (this.#addresses.size <= ADDRESSES_MAX) return
    for (const oldest of this.#addresses.keys()) {
      this.#addresses.delete(oldest)
      return
    }
  }
}
