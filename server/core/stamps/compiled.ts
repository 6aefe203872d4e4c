import type { Store } from '../db/database.ts'

/** All that a process keeps, over all stores and kinds of data. */
const BYTES_MAX = 32 * 1024 * 1024

interface Kept {
  readonly bytes: number
  evict(): void
}

/** How much compiled data a process keeps. The data that was used the longest time ago is evicted first. */
export class CompiledMemory {
  readonly #max: number
  /** The least recently used comes first. */
  readonly #kept = new Set<Kept>()
  #bytes = 0

  constructor(max = BYTES_MAX) {
    this.#max = max
  }

  get bytes(): number {
    return this.#bytes
  }

  add(kept: Kept) {
    this.#kept.add(kept)
    this.#bytes += kept.bytes
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#max) break
      this.drop(oldest)
    }
  }

  /** Notes that the data was used. */
  use(kept: Kept) {
    if (this.#kept.delete(kept)) this.#kept.add(kept)
  }

  drop(kept: Kept) {
    if (!this.#kept.delete(kept)) return
    this.#bytes -= kept.bytes
    kept.evict()
  }
}

/** The memory that all kinds of data of this process share. */
const shared = new CompiledMemory()

/** Data in the form in which it is looked up, and an estimate of its size. */
export interface Compiled<Value> {
  value: Value
  bytes: number
}

interface Entry<Value> extends Kept {
  stamp: number
  value: Value
}

/** One kind of data of stores, compiled, in the memory of this process. */
export class CompiledData<Value> {
  readonly #memory: CompiledMemory
  readonly #entries = new Map<number, Entry<Value>>()

  constructor(memory = shared) {
    this.#memory = memory
  }

  /**
   * The data of a store.
   * @param stamp of the data, which the caller has read before
   * @param load reads and compiles it, if this process does not have it under this stamp
   */
  async get({ id }: Store, stamp: number, load: () => Promise<Compiled<Value>>): Promise<Value> {
    const kept = this.#entries.get(id)
    if (kept?.stamp === stamp) {
      this.#memory.use(kept)
      return kept.value
    }
    const { value, bytes } = await load()
    const entry = { stamp, value, bytes, evict: () => void this.#entries.delete(id) }
    const replaced = this.#entries.get(id)
    if (replaced) this.#memory.drop(replaced)
    this.#entries.set(id, entry)
    this.#memory.add(entry)
    return value
  }
}
