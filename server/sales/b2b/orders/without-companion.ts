// Stores without the companion API, so that their orders cost no statement here. A process keeps a store in memory for a second. The job
// that records the orders of a store begins later than that, and so records those that a process has not followed meanwhile.

const KEPT_MS = 1_000
const STORES_MAX = 10_000
/** The start of the job after the companion API is enabled. */
export const BACKFILL_DELAY_MS = 5 * KEPT_MS

/** By store, the time until which it is kept. */
const stores = new Map<number, number>()

/** Whether a store was found without the companion API within the last second. */
export function isWithoutCompanion(store: number, at = performance.now()): boolean {
  const until = stores.get(store)
  if (until === undefined) return false
  if (until > at) return true
  stores.delete(store)
  return false
}

/** Keeps a store that was found without the companion API. */
export function keepWithoutCompanion(store: number, at = performance.now()) {
  if (stores.size >= STORES_MAX) stores.clear()
  stores.set(store, at + KEPT_MS)
}

/** Evicts a store that gets the companion API. */
export const evictStore = (store: number) => stores.delete(store)
