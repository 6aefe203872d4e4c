import type { Store } from '../db/database.ts'

/** The bound for a process, over all stores and kinds of data. */
const BYTES_MAX = 32 * 1024 * 1024

interface Kept {
  readonly bytes: number
  evict(): void
}

/** Bounds the compiled data in a process: evicts the least recently used. */
export class CompiledMemory {
  readonly #max: number
  /** In order of use, the least recent first. */
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

  /** Makes the data the most recently used. */
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

/** Data in a form made for look-ups, with an estimate of its size. */
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
   * Returns the data of a store.
   * @param stamp current stamp of the data, which the caller has read
   * @param load reads and compiles the data; called unless this process has it with this stamp
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
