/** The bounds for a process: of all stores, and of one. */
const BYTES_MAX = 16 * 1024 * 1024
const STORE_BYTES_MAX = 1024 * 1024

interface Entry {
  readonly store: number
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly value: unknown
}

/** Answers of carriers that may be used again, with bounds in bytes: the entry that was stored first is evicted first. */
export class RateCache<Value> {
  readonly #entries = new Map<string, Entry & { readonly value: Value }>()
  readonly #keysOf = new Map<number, Set<string>>()
  readonly #bytesOf = new Map<number, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** @param now milliseconds since 1970 */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry && entry.expires <= now) this.#drop(key, entry)
    return entry && entry.expires > now ? entry.value : undefined
  }

  set(key: string, entry: Omit<Entry, 'value'> & { value: Value }) {
    const old = this.#entries.get(key)
    if (old) this.#drop(key, old)
    if (entry.bytes > STORE_BYTES_MAX) return
    this.#entries.set(key, entry)
    this.#keysOf.set(entry.store, (this.#keysOf.get(entry.store) ?? new Set()).add(key))
    this.#add(entry.store, entry.bytes)
    this.#evict(this.#keysOf.get(entry.store)?.keys(), () => (this.#bytesOf.get(entry.store) ?? 0) > STORE_BYTES_MAX)
    this.#evict(this.#entries.keys(), () => this.#bytes > BYTES_MAX)
  }

  #evict(keys: Iterable<string> = [], isOver: () => boolean) {
    for (const key of keys) {
      const entry = this.#entries.get(key)
      if (!isOver()) return
      if (entry) this.#drop(key, entry)
    }
  }

  #drop(key: string, { store, bytes }: Entry) {
    this.#entries.delete(key)
    this.#add(store, -bytes)
    const keys = this.#keysOf.get(store)
    keys?.delete(key)
    if (keys?.size !== 0) return
    this.#keysOf.delete(store)
    this.#bytesOf.delete(store)
  }

  #add(store: number, bytes: number) {
    this.#bytes += bytes
    this.#bytesOf.set(store, (this.#bytesOf.get(store) ?? 0) + bytes)
  }
}
