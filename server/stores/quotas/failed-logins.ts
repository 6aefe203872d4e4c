const WINDOW_MS = 60_000
const ADDRESSES_MAX = 10_000
/** Addresses that are shared with other processes at once. The rest follow in the next round. */
const CHANGES_MAX = 1_000

/** Failed authentications of an address at one process. */
export interface Failures {
  address: string
  /** Milliseconds since the first failure, or since the last one that was allowed. */
  ageMs: number
  failures: number
}

interface AddressFailures {
  since: number
  failures: number
}

/**
 * Bars an address for a minute after too many failed authentications in a minute (docs/contract/auth.md section 4). `bar` adds
 * addresses that have failed too often at all processes together (stores/quotas/shared-counts.ts). Times are milliseconds of a
 * monotonic clock.
 */
export class FailedLogins {
  /** Failures in a minute; 0 if nobody is barred. */
  readonly max: number
  readonly #addresses = new Map<string, AddressFailures>()
  /** Addresses that have failed since the last `takeChanges`. */
  readonly #changed = new Set<string>()

  /** @param max failures in 60 s, 100 by contract; 0 disables the bar, as in the sandbox */
  constructor(max: number) {
    this.max = max
  }

  isBarred(address: string, now: number): boolean {
    return this.barredMs(address, now) > 0
  }

  /** Milliseconds that an address stays barred; 0 if it is not. */
  barredMs(address: string, now: number): number {
    const seen = this.#addresses.get(address)
    if (this.max === 0 || seen === undefined || seen.failures < this.max) return 0
    return Math.max(0, WINDOW_MS - (now - seen.since))
  }

  /** Counts one failure. @returns false if the address is barred already */
  record(address: string, now: number): boolean {
    if (this.max === 0) return true
    if (this.isBarred(address, now)) return false
    this.#changed.add(address)
    const seen = this.#addresses.get(address)
    if (!seen || now - seen.since >= WINDOW_MS) this.#begin(address, now)
    // The minute of the bar begins with the last failure that is allowed.
    else if (++seen.failures >= this.max) seen.since = now
    return true
  }

  /** The addresses that have failed here since the last call. */
  takeChanges(now: number): Failures[] {
    const changes: Failures[] = []
    for (const address of this.#changed) {
      if (changes.length === CHANGES_MAX) break
      this.#changed.delete(address)
      const seen = this.#addresses.get(address)
      if (seen) changes.push({ address, ageMs: now - seen.since, failures: seen.failures })
    }
    return changes
  }

  /** Bars an address for a minute if it is not barred. Its failures are those of other processes and are not shared again. */
  bar(address: string, now: number) {
    if (this.max === 0 || this.isBarred(address, now)) return
    this.#changed.delete(address)
    this.#begin(address, now, this.max)
  }

  #begin(address: string, now: number, failures = 1) {
    this.#addresses.delete(address)
    this.#addresses.set(address, { since: now, failures })
    if (this.#addresses.size <= ADDRESSES_MAX) return
    for (const oldest of this.#addresses.keys()) {
      this.#addresses.delete(oldest)
      this.#changed.delete(oldest)
      return
    }
  }
}
