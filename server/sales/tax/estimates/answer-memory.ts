import type { Clock } from '../../../core/clock.ts'
import type { Store } from '../../../core/db/database.ts'
import type { TaxAnswer } from './answer.ts'

const KEPT_MS = 600_000
/** The bounds of a process: over all stores, and for each of them. */
const BYTES_MAX = 16 * 1024 * 1024
const STORE_BYTES_MAX = 1024 * 1024
/** Estimates of the memory that an answer takes besides its texts. */
const ENTRY_BYTES = 400
const LINE_BYTES = 100
const TAX_BYTES = 100

interface Entry {
  store: number
  key: string
  answer: TaxAnswer
  bytes: number
  until: number
}

/** Answers of tax providers, in the memory of this process for ten minutes. The oldest are evicted at its bounds. */
export class AnswerMemory {
  readonly #clock: Clock
  readonly #max: number
  readonly #storeMax: number
  /** By store and key, the oldest first. */
  readonly #entries = new Map<string, Entry>()
  readonly #bytesOf = new Map<number, number>()
  #bytes = 0

  constructor(clock: Clock, { max = BYTES_MAX, storeMax = STORE_BYTES_MAX } = {}) {
    this.#clock = clock
    this.#max = max
    this.#storeMax = storeMax
  }

  get bytes(): number {
    return this.#bytes
  }

  find(store: Store, key: string): TaxAnswer | undefined {
    const entry = this.#entries.get(`${store.id} ${key}`)
    if (!entry) return undefined
    if (entry.until > this.#clock.now().getTime()) return entry.answer
    this.#drop(entry)
    return undefined
  }

  /** Keeps an answer, unless it is larger than the share of its store. */
  add(store: Store, key: string, answer: TaxAnswer) {
    const entry = {
      store: store.id,
      key,
      answer,
      bytes: bytesOf(answer),
      until: this.#clock.now().getTime() + KEPT_MS,
    }
    const replaced = this.#entries.get(`${store.id} ${key}`)
    if (replaced) this.#drop(replaced)
    if (entry.bytes > this.#storeMax) return
    // The oldest ones of a full store, or of all.
    for (const oldest of this.#entries.values()) {
      const isStoreFull = (this.#bytesOf.get(store.id) ?? 0) + entry.bytes > this.#storeMax
      const isFull = this.#bytes + entry.bytes > this.#max
      if (!isStoreFull && !isFull) break
      if (isFull || oldest.store === store.id) this.#drop(oldest)
    }
    this.#entries.set(`${store.id} ${key}`, entry)
    this.#count(entry, entry.bytes)
  }

  #drop(entry: Entry) {
    this.#entries.delete(`${entry.store} ${entry.key}`)
    this.#count(entry, -entry.bytes)
  }

  #count({ store }: Entry, change: number) {
    this.#bytes += change
    const bytes = (this.#bytesOf.get(store) ?? 0) + change
    // Stores come and go: only those with answers are remembered.
    if (bytes > 0) this.#bytesOf.set(store, bytes)
    else this.#bytesOf.delete(store)
  }
}

const bytesOf = ({ id, lines }: TaxAnswer): number =>
  lines.reduce(
    (sum, { taxes }) => sum + LINE_BYTES + taxes.reduce((all, { name }) => all + TAX_BYTES + 2 * name.length, 0),
    ENTRY_BYTES + 2 * id.length,
  )
