const REMEMBERED_MS = 1_000
const REMEMBERED_MAX = 10_000

/**
 * Remembers for a second what was found out, so that what is revoked or changed holds in every process within that second. What
 * could not be found out is not remembered: a flood of it would push out the rest.
 */
export class Memory<Value> {
  readonly #known = new Map<string, { value: Promise<Value>; until: number }>()

  find(key: string, learn: () => Promise<Value>): Promise<Value> {
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && now < known.until) return known.value
    const value = learn()
    const entry = { value, until: now + REMEMBERED_MS }
    // Requests that arrive meanwhile wait for the same answer. Its second begins when it is asked for.
    this.#known.delete(key)
    this.#known.set(key, entry)
    value.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key)
    })
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED_MAX && oldest !== undefined) this.#known.delete(oldest)
    return value
  }
}
