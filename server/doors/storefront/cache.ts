const LIFE_MS = 1_000
const ENTRIES_MAX = 10_000

/**
 * Caches results for a second, so that a revocation or a change takes effect in every process within a second. A failed look-up is
 * not cached: a flood of failures would evict the other entries.
 */
export class BriefCache<Value> {
  readonly #entries = new Map<string, { value: Promise<Value>; until: number }>()

  find(key: string, load: () => Promise<Value>): Promise<Value> {
    const now = performance.now()
    const cached = this.#entries.get(key)
    if (cached && now < cached.until) return cached.value
    const value = load()
    const entry = { value, until: now + LIFE_MS }
    // Requests that arrive during the look-up wait for its result. The second begins with the look-up.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest)
    return value
  }

  /** Evicts a result, so that this process looks it up again. */
  evict(key: string) {
    this.#entries.delete(key)
  }
}
