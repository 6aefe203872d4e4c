/** The ids of rows of a bundle in the store to which they were brought, by kind and former id. A kind without ids has keys of rows. */
export interface IdStore {
  load(): Promise<readonly StoredId[]>
  /** Stores more ids. An id that is stored already stays. */
  store(ids: readonly StoredId[]): Promise<void>
}

export interface StoredId {
  kind: string
  old_id: string
  new_id: string
}

/** The id map of an import in memory. New ids are stored together. */
export class IdMap {
  readonly #store: IdStore
  readonly #kinds = new Map<string, Map<string, string>>()
  #fresh: StoredId[] = []

  constructor(store: IdStore) {
    this.#store = store
  }

  async load() {
    for (const { kind, old_id, new_id } of await this.#store.load()) this.#kindOf(kind).set(old_id, new_id)
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0
  }

  has(kind: string, old: unknown): boolean {
    return this.#kinds.get(kind)?.has(String(old)) ?? false
  }

  /** The new id, in the form of the former one: a number or a text. */
  find(kind: string, old: unknown): string | number | undefined {
    const found = this.#kinds.get(kind)?.get(String(old))
    return found !== undefined && typeof old === 'number' ? Number(found) : found
  }

  set(kind: string, old: unknown, id: unknown) {
    const ids = this.#kindOf(kind)
    if (ids.has(String(old))) return
    ids.set(String(old), String(id))
    this.#fresh.push({ kind, old_id: String(old), new_id: String(id) })
  }

  /** Stores the new ids. */
  async flush() {
    if (this.#fresh.length === 0) return
    const fresh = this.#fresh
    this.#fresh = []
    await this.#store.store(fresh)
  }

  #kindOf(kind: string): Map<string, string> {
    const ids = this.#kinds.get(kind) ?? new Map<string, string>()
    this.#kinds.set(kind, ids)
    return ids
  }
}
