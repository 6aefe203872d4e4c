import { type Plan, UNLIMITED } from '../directory/plans.ts'

export const WINDOW_MS = 30_000
const SHARE_MIN = 10
const BUCKET_MS = 60_000
const BUCKETS = 60
/** What other processes count in the hour is asked for this often, and believed twice as long. */
const HOUR_ELSEWHERE_MS = 60_000

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
  /** Used at other processes. */
  usedElsewhere: number
  lastSeen: number
}

interface StoreUse {
  windows: Map<string, Window>
  /** Clients that other processes see. */
  clientsElsewhere: { ids: readonly string[]; at: number }
  /** Requests by minute, of the last hour. */
  buckets: number[]
  bucketAt: number
  hourUsed: number
  /** Requests of the last hour at other processes. */
  hourElsewhere: { used: number; at: number }
  /** The first bucket that other processes may not know yet. */
  unsharedFrom: number
}

/**
 * Counts requests in this process: a fixed window for each client of a store, and a rolling hour for the store. A refused
 * request is not counted. What other processes count is added as `learn` hears of it (stores/quotas/shared-counts.ts). Times are
 * milliseconds of a clock that never jumps.
 */
export class Quotas {
  readonly #stores = new Map<number, StoreUse>()
  /** Clients with a limit that have asked since the last `takeChanges`, by store. */
  readonly #changed = new Map<number, Set<string>>()
  #sweptAt = 0

  charge(storeId: number, clientId: string, plan: Plan, now: number): Allowance {
    const use = this.#useOf(storeId, now)
    const window = windowOf(use, clientId, plan, now)
    window.lastSeen = now
    // The difference first: a sum of large fractions would show 30,001 at the start of a window.
    const resetMs = WINDOW_MS - Math.floor(now - window.startedAt)
    const hourUsed = use.hourUsed + hourElsewhere(use, now)
    const inWindow = window.used + window.usedElsewhere < window.quota
    const inHour = hourUsed < plan.hour
    const allowed = inWindow && inHour
    if (allowed) {
      window.used++
      use.hourUsed++
      use.buckets[use.bucketAt % BUCKETS] = (use.buckets[use.bucketAt % BUCKETS] ?? 0) + 1
    }
    if (plan.window !== UNLIMITED || plan.hour !== UNLIMITED) this.#noteChange(storeId, clientId)
    return {
      allowed,
      quota: window.quota,
      left: window.quota === UNLIMITED ? UNLIMITED : Math.max(0, window.quota - window.used - window.usedElsewhere),
      resetMs,
      hourLeft: plan.hour === UNLIMITED ? UNLIMITED : Math.max(0, plan.hour - hourUsed - (allowed ? 1 : 0)),
      retryAfter: allowed ? 0 : Math.max(1, inHour ? Math.ceil(resetMs / 1_000) : secondsUntilRoom(use, now)),
    }
  }

  /** The counts that have changed since the last call, as they stand now. Clients without a limit are left out. */
  takeChanges(now: number): QuotaChanges {
    const changes: QuotaChanges = { windows: [], minutes: [], unknownHours: [] }
    for (const [storeId, clientIds] of this.#changed) {
      const use = this.#useOf(storeId, now)
      for (const clientId of clientIds) {
        const window = use.windows.get(clientId)
        if (!window || now - window.startedAt >= WINDOW_MS) continue
        const { startedAt, quota, used } = window
        changes.windows.push({ storeId, clientId, ageMs: now - startedAt, quota, used })
      }
      for (let bucket = Math.max(use.unsharedFrom, use.bucketAt - BUCKETS + 1); bucket <= use.bucketAt; bucket++) {
        const used = use.buckets[bucket % BUCKETS] ?? 0
        changes.minutes.push({ storeId, minute: MINUTE_OF_START + bucket, used })
      }
      use.unsharedFrom = use.bucketAt
      if (now - use.hourElsewhere.at >= HOUR_ELSEWHERE_MS) changes.unknownHours.push(storeId)
    }
    this.#changed.clear()
    return changes
  }

  /** @param windows those of other processes that are not over, all of these stores */
  learnWindows(storeIds: readonly number[], windows: readonly ClientWindow[], now: number) {
    const byStore = Map.groupBy(windows, ({ storeId }) => storeId)
    for (const storeId of storeIds) {
      const use = this.#stores.get(storeId)
      if (!use) continue
      const byClient = Map.groupBy(byStore.get(storeId) ?? [], ({ clientId }) => clientId)
      use.clientsElsewhere = { ids: [...byClient.keys()], at: now }
      for (const [clientId, elsewhere] of byClient) join(use.windows.get(clientId), elsewhere, now)
    }
  }

  /** @param used requests of the store at other processes in the last hour */
  learnHour(storeId: number, used: number, now: number) {
    const use = this.#stores.get(storeId)
    if (use) use.hourElsewhere = { used, at: now }
  }

  #noteChange(storeId: number, clientId: string) {
    const clients = this.#changed.get(storeId)
    if (clients) clients.add(clientId)
    else this.#changed.set(storeId, new Set([clientId]))
  }

  #useOf(storeId: number, now: number): StoreUse {
    this.#sweep(now)
    const minute = Math.floor(now / BUCKET_MS)
    let use = this.#stores.get(storeId)
    if (!use) {
      use = {
        windows: new Map(),
        clientsElsewhere: { ids: [], at: now },
        buckets: Array.from({ length: BUCKETS }, () => 0),
        bucketAt: minute,
        hourUsed: 0,
        hourElsewhere: { used: 0, at: Number.NEGATIVE_INFINITY },
        unsharedFrom: minute,
      }
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

/** The minute since 1970 in which this process started: buckets are counted from it. */
const MINUTE_OF_START = Math.floor(performance.timeOrigin / BUCKET_MS)

/** The client's current window. A new one gets its quota when it starts: all of it, or the client's share. */
function windowOf(use: StoreUse, clientId: string, plan: Plan, now: number): Window {
  const current = use.windows.get(clientId)
  if (current && now - current.startedAt < WINDOW_MS) return current
  for (const [id, window] of use.windows) if (now - window.lastSeen >= WINDOW_MS) use.windows.delete(id)
  const { ids, at } = use.clientsElsewhere
  const others = new Set([...use.windows.keys(), ...(now - at < WINDOW_MS ? ids : [])])
  others.delete(clientId)
  const quota = plan.shared
    ? Math.max(Math.ceil(plan.window / (others.size + 1)), Math.min(SHARE_MIN, plan.window))
    : plan.window
  const started = { startedAt: now, quota, used: 0, usedElsewhere: 0, lastSeen: now }
  use.windows.set(clientId, started)
  return started
}

/** Makes a window one with those of other processes: what they used counts here too, and the one that began first decides. */
function join(window: Window | undefined, elsewhere: readonly ClientWindow[], now: number) {
  if (!window || now - window.startedAt >= WINDOW_MS) return
  window.usedElsewhere = elsewhere.reduce((sum, { used }) => sum + used, 0)
  const first = elsewhere.reduce((a, b) => (b.ageMs > a.ageMs ? b : a))
  if (now - window.startedAt >= first.ageMs) return
  window.startedAt = now - first.ageMs
  window.quota = first.quota
}

const hourElsewhere = ({ hourElsewhere: { used, at } }: StoreUse, now: number) =>
  now - at < 2 * HOUR_ELSEWHERE_MS ? used : 0

/** Until the oldest minute with requests leaves the hour. */
function secondsUntilRoom(use: StoreUse, now: number): number {
  for (let age = BUCKETS - 1; age >= 0; age--) {
    const minute = use.bucketAt - age
    if ((use.buckets[((minute % BUCKETS) + BUCKETS) % BUCKETS] ?? 0) > 0) {
      return Math.ceil(((minute + BUCKETS) * BUCKET_MS - now) / 1_000)
    }
  }
  // All of them came to other processes: the next minute may leave room.
  return BUCKET_MS / 1_000
}
