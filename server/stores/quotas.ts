import { type Plan, UNLIMITED } from './plans.ts'

export const WINDOW_MS = 30_000
const SHARE_MIN = 10
const BUCKET_MS = 60_000
const BUCKETS = 60

/** What a request may still do; the numbers of the rate-limit headers (docs/contract/auth.md section 7). */
export interface Allowance {
  allowed: boolean
  quota: number
  left: number
  resetMs: number
  /** Requests left to the store in the rolling hour. */
  hourLeft: number
  /** Whole seconds until a refused request may come again; 0 for one that is allowed. */
  retryAfter: number
}

/** The window of a client as one process counts it. */
export interface ClientWindow {
  storeId: number
  clientId: string
  /** Milliseconds since its start. */
  ageMs: number
  quota: number
  used: number
}

/** Requests of a store in one minute, counted since 1970. */
interface StoreMinute {
  storeId: number
  minute: number
  used: number
}

/** The counts of this process that have changed, and which stores it wants to know the hour of. */
export interface QuotaChanges {
  windows: ClientWindow[]
  minutes: StoreMinute[]
  /** Stores whose requests at other processes in the last hour are not known, or no longer. */
  unknownHours: number[]
}

interface Window {
  startedAt: number
  quota: number
  used: number
  lastSeen: number
}

interface StoreUse {
  windows: Map<string, Window>
  /** Requests by minute, of the last hour. */
  buckets: number[]
  bucketAt: number
  hourUsed: number
}

/**
 * Counts requests in this process: a fixed window for each client of a store, and a rolling hour for the store. A refused
 * request is not counted. Times are milliseconds of a clock that never jumps.
 */
export class Quotas {
  readonly #stores = new Map<number, StoreUse>()
  #sweptAt = 0

  charge(storeId: number, clientId: string, plan: Plan, now: number): Allowance {
    const use = this.#useOf(storeId, now)
    const window = windowOf(use, clientId, plan, now)
    window.lastSeen = now
    // The difference first: a sum of large fractions would show 30,001 at the start of a window.
    const resetMs = WINDOW_MS - Math.floor(now - window.startedAt)
    const inWindow = window.used < window.quota
    const inHour = use.hourUsed < plan.hour
    const allowed = inWindow && inHour
    if (allowed) {
      window.used++
      use.hourUsed++
      use.buckets[use.bucketAt % BUCKETS] = (use.buckets[use.bucketAt % BUCKETS] ?? 0) + 1
    }
    return {
      allowed,
      quota: window.quota,
      left: window.quota === UNLIMITED ? UNLIMITED : window.quota - window.used,
      resetMs,
      hourLeft: plan.hour === UNLIMITED ? UNLIMITED : Math.max(0, plan.hour - use.hourUsed),
      retryAfter: allowed ? 0 : Math.max(1, inHour ? Math.ceil(resetMs / 1_000) : secondsUntilRoom(use, now)),
    }
  }

  #useOf(storeId: number, now: number): StoreUse {
    this.#sweep(now)
    const minute = Math.floor(now / BUCKET_MS)
    let use = this.#stores.get(storeId)
    if (!use) {
      use = { windows: new Map(), buckets: Array.from({ length: BUCKETS }, () => 0), bucketAt: minute, hourUsed: 0 }
      this.#stores.set(storeId, use)
    }
    for (; use.bucketAt < minute; use.bucketAt++) {
      // An hour of silence empties all buckets; more turns would find nothing.
      if (minute - use.bucketAt > BUCKETS) use.bucketAt = minute - BUCKETS
      const oldest = (use.bucketAt + 1) % BUCKETS
      use.hourUsed -= use.buckets[oldest] ?? 0
      use.buckets[oldest] = 0
    }
    return use
  }

  /** Once an hour forgets the stores that nobody asked about in the last one: memory stays that of the active ones. */
  #sweep(now: number) {
    if (now - this.#sweptAt < BUCKETS * BUCKET_MS) return
    this.#sweptAt = now
    for (const [id, use] of this.#stores) {
      if (Math.floor(now / BUCKET_MS) - use.bucketAt >= BUCKETS) this.#stores.delete(id)
    }
  }
}

/** The client's current window. A new one gets its quota when it starts: all of it, or the client's share. */
function windowOf(use: StoreUse, clientId: string, plan: Plan, now: number): Window {
  const current = use.windows.get(clientId)
  if (current && now - current.startedAt < WINDOW_MS) return current
  for (const [id, window] of use.windows) if (now - window.lastSeen >= WINDOW_MS) use.windows.delete(id)
  const others = [...use.windows.keys()].filter((id) => id !== clientId).length
  const quota = plan.shared
    ? Math.max(Math.ceil(plan.window / (others + 1)), Math.min(SHARE_MIN, plan.window))
    : plan.window
  const started = { startedAt: now, quota, used: 0, lastSeen: now }
  use.windows.set(clientId, started)
  return started
}

/** Until the oldest minute with requests leaves the hour. */
function secondsUntilRoom(use: StoreUse, now: number): number {
  for (let age = BUCKETS - 1; age >= 0; age--) {
    const minute = use.bucketAt - age
    if ((use.buckets[((minute % BUCKETS) + BUCKETS) % BUCKETS] ?? 0) > 0) {
      return Math.ceil(((minute + BUCKETS) * BUCKET_MS - now) / 1_000)
    }
  }
  return 1
}
