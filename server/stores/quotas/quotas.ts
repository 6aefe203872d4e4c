import { isLimited, type Plan, UNLIMITED } from '../directory/plans.ts'

export const WINDOW_MS = 30_000
const SHARE_MIN = 10
const BUCKET_MS = 60_000
const BUCKETS = 60
/** Interval at which the hour of other processes is read. A count is used for twice as long. */
const HOUR_ELSEWHERE_MS = 60_000
/** Windows of requests that a store may send until that count is read again. With fewer left it is read in each round. */
const HOUR_RESERVE_WINDOWS = (2 * HOUR_ELSEWHERE_MS) / WINDOW_MS
/** Counts of other processes that are older than this are read before a request is charged. */
const KNOWN_MS = 600

/** The result of charging a request; the numbers of the rate-limit headers (docs/contract/auth.md section 7). */
export interface Allowance {
  allowed: boolean
  quota: number
  left: number
  resetMs: number
  /** Requests that the store has left in the rolling hour. */
  hourLeft: number
  /** Whole seconds until a refused request may be repeated; 0 for an allowed one. */
  retryAfter: number
}

/** The window of a client as counted by one process. */
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

/** The counts of this process that have changed, and the stores whose hour at other processes it needs. */
export interface QuotaChanges {
  windows: ClientWindow[]
  minutes: StoreMinute[]
  /** Stores without a recent count of their requests at other processes. */
  unknownHours: number[]
}

interface Window {
  startedAt: number
  quota: number
  used: number
  /** Requests at other processes. */
  usedElsewhere: number
  lastSeen: number
}

interface StoreUse {
  windows: Map<string, Window>
  /** The windows of clients at other processes, as they were at this time. */
  elsewhere: { windows: ReadonlyMap<string, readonly ClientWindow[]>; at: number }
  /** Requests of the last hour by minute. */
  buckets: number[]
  bucketAt: number
  hourUsed: number
  /** Requests of the last hour at other processes. */
  hourElsewhere: { used: number; at: number }
  /** Whether the store may reach the limit of its hour before the count of other processes is read again. */
  isHourShort: boolean
  /** The first bucket that is not shared yet. */
  unsharedFrom: number
}

/**
 * Counts the requests of this process: a fixed window for each client of a store, and a rolling hour for the store. A refused
 * request is not counted. `learnWindows` and `learnHour` add the counts of other processes (stores/quotas/shared-counts.ts).
 * Times are milliseconds of a monotonic clock.
 */
export class Quotas {
  readonly #stores = new Map<number, StoreUse>()
  /** Clients with a limit that sent requests since the last `takeChanges`, by store. */
  readonly #changed = new Map<number, Set<string>>()
  #sweptAt = 0

  charge(storeId: number, clientId: string, plan: Plan, now: number): Allowance {
    const use = this.#useOf(storeId, now)
    const window = windowOf(use, clientId, plan, now)
    window.lastSeen = now
    // Subtract first: a sum of large fractions would give 30,001 at the start of a window.
    const resetMs = WINDOW_MS - Math.floor(now - window.startedAt)
    const hourUsed = use.hourUsed + hourElsewhere(use, now)
    const inWindow = window.used + window.usedElsewhere < window.quota
    const inHour = hourUsed < plan.hour
    use.isHourShort = plan.hour !== UNLIMITED && plan.hour - hourUsed <= HOUR_RESERVE_WINDOWS * plan.window
    const allowed = inWindow && inHour
    if (allowed) {
      window.used++
      use.hourUsed++
      use.buckets[use.bucketAt % BUCKETS] = (use.buckets[use.bucketAt % BUCKETS] ?? 0) + 1
    }
    if (isLimited(plan)) this.#recordChange(storeId, clientId)
    return {
      allowed,
      quota: window.quota,
      left: window.quota === UNLIMITED ? UNLIMITED : Math.max(0, window.quota - window.used - window.usedElsewhere),
      resetMs,
      hourLeft: plan.hour === UNLIMITED ? UNLIMITED : Math.max(0, plan.hour - hourUsed - (allowed ? 1 : 0)),
      retryAfter: allowed ? 0 : Math.max(1, inHour ? Math.ceil(resetMs / 1_000) : secondsUntilRoom(use, now)),
    }
  }

  /** Returns the counts that have changed since the last call. Clients without a limit are omitted. */
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
      if (use.isHourShort || now - use.hourElsewhere.at >= HOUR_ELSEWHERE_MS) changes.unknownHours.push(storeId)
    }
    this.#changed.clear()
    return changes
  }

  /** @param windows running windows of other processes, complete for these stores */
  learnWindows(storeIds: readonly number[], windows: readonly ClientWindow[], now: number) {
    const byStore = Map.groupBy(windows, ({ storeId }) => storeId)
    for (const storeId of storeIds) {
      const use = this.#stores.get(storeId)
      if (!use) continue
      const byClient = Map.groupBy(byStore.get(storeId) ?? [], ({ clientId }) => clientId)
      learn(use, byClient, now)
    }
  }

  /** Whether the counts of a store at other processes are not known or old. */
  isUnknown(storeId: number, now: number): boolean {
    const use = this.#stores.get(storeId)
    return !use || now - use.elsewhere.at >= KNOWN_MS
  }

  /**
   * As `learnWindows` and `learnHour`, for a store that is about to be charged.
   * @param hour requests of the store at other processes in the last hour
   */
  learnStore(storeId: number, { windows, hour }: { windows: readonly ClientWindow[]; hour: number }, now: number) {
    const use = this.#useOf(storeId, now)
    learn(
      use,
      Map.groupBy(windows, ({ clientId }) => clientId),
      now,
    )
    use.hourElsewhere = { used: hour, at: now }
  }

  /** @param used requests of the store at other processes in the last hour */
  learnHour(storeId: number, used: number, now: number) {
    const use = this.#stores.get(storeId)
    if (use) use.hourElsewhere = { used, at: now }
  }

  #recordChange(storeId: number, clientId: string) {
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
        elsewhere: { windows: new Map(), at: Number.NEGATIVE_INFINITY },
        buckets: Array.from({ length: BUCKETS }, () => 0),
        bucketAt: minute,
        hourUsed: 0,
        hourElsewhere: { used: 0, at: Number.NEGATIVE_INFINITY },
        isHourShort: false,
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

  /** Once an hour evicts the stores without requests in the last hour, so that memory grows with active stores only. */
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

/** The current window of a client. A new window gets its quota when it starts: the whole quota, or the share of the client. */
function windowOf(use: StoreUse, clientId: string, plan: Plan, now: number): Window {
  const current = use.windows.get(clientId)
  if (current && now - current.startedAt < WINDOW_MS) return current
  for (const [id, window] of use.windows) if (now - window.lastSeen >= WINDOW_MS) use.windows.delete(id)
  const { windows, at } = use.elsewhere
  const others = new Set([...use.windows.keys(), ...(now - at < WINDOW_MS ? windows.keys() : [])])
  others.delete(clientId)
  const quota = plan.shared
    ? Math.max(Math.ceil(plan.window / (others.size + 1)), Math.min(SHARE_MIN, plan.window))
    : plan.window
  const started = { startedAt: now, quota, used: 0, usedElsewhere: 0, lastSeen: now }
  use.windows.set(clientId, started)
  join(started, windows.get(clientId) ?? [], { at, now })
  return started
}

/** Records the windows of a store at other processes, by client, and merges those of this process with them. */
function learn(use: StoreUse, windows: ReadonlyMap<string, readonly ClientWindow[]>, now: number) {
  use.elsewhere = { windows, at: now }
  for (const [clientId, elsewhere] of windows) {
    const window = use.windows.get(clientId)
    if (window && now - window.startedAt < WINDOW_MS) join(window, elsewhere, { at: now, now })
  }
}

/**
 * Merges a window with those of other processes: their requests count here too, and the oldest window decides the start and the
 * quota.
 * @param at the time at which the ages of the others were true
 */
function join(window: Window, elsewhere: readonly ClientWindow[], { at, now }: { at: number; now: number }) {
  const [first] = elsewhere.toSorted((a, b) => b.ageMs - a.ageMs)
  const startedAt = first === undefined ? Number.NEGATIVE_INFINITY : at - first.ageMs
  // Its end is that of all others.
  if (first === undefined || now - startedAt >= WINDOW_MS) return
  window.usedElsewhere = elsewhere.reduce((sum, { used }) => sum + used, 0)
  if (window.startedAt <= startedAt) return
  window.startedAt = startedAt
  window.quota = first.quota
}

const hourElsewhere = ({ hourElsewhere: { used, at } }: StoreUse, now: number) =>
  now - at < 2 * HOUR_ELSEWHERE_MS ? used : 0

/** Seconds until the oldest minute with requests leaves the hour. */
function secondsUntilRoom(use: StoreUse, now: number): number {
  for (let age = BUCKETS - 1; age >= 0; age--) {
    const minute = use.bucketAt - age
    if ((use.buckets[((minute % BUCKETS) + BUCKETS) % BUCKETS] ?? 0) > 0) {
      return Math.ceil(((minute + BUCKETS) * BUCKET_MS - now) / 1_000)
    }
  }
  // All of these requests came to other processes. The next minute may have room.
  return BUCKET_MS / 1_000
}
