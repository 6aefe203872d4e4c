/** Something that a client makes the server hold in memory, such as a body that arrives. */
export interface HeldMemory {
  /** The client: a store or an address. */
  readonly holder: string
  readonly bytes: number
  /** Adds bytes. Past the shared bound, this holding or another one is cut. */
  grow(bytes: number): void
  /** Releases its bytes. Further calls do nothing. */
  end(): void
  /** Called once when the holding is cut. Its bytes are released before. */
  onCut: () => void
}

interface Bounds {
  /** Bytes of all holdings together. */
  bytesMax: number
  /** The most entries of one client at once. One more cuts the oldest. */
  countMax?: number
  onCut(cut: Cut): void
}

/** A holding that was cut: whose it was, and how many bytes it and all together had. */
interface Cut {
  holder: string
  bytes: number
  held: number
}

/** Warns of cuts, once a second at most: an attack must not fill the log. @returns a reporter of cuts */
export function warnOfCuts(log: { warn(details: object, sentence: string): void }, sentence: string) {
  let warnedAt = Number.NEGATIVE_INFINITY
  let cuts = 0
  return (last: Cut) => {
    cuts++
    const now = performance.now()
    if (now - warnedAt < WARNING_MS) return
    log.warn({ ...last, cuts }, sentence)
    warnedAt = now
    cuts = 0
  }
}

const WARNING_MS = 1_000

/**
 * The memory that clients hold together. When it exceeds the bound, the holder with the most bytes loses its largest holding, and of
 * equal ones the oldest. A client that holds little therefore keeps it, however much another one sends.
 */
export class Holdings {
  readonly #bounds: Bounds
  readonly #holders = new Map<string, Holder>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The bytes that are held. */
  get bytes(): number {
    return this.#bytes
  }

  begin(name: string): HeldMemory {
    const holder = this.#holders.get(name) ?? { bytes: 0, items: new Set() }
    this.#holders.set(name, holder)
    const { countMax = Number.POSITIVE_INFINITY } = this.#bounds
    const item: Item = {
      holder: name,
      bytes: 0,
      isOver: false,
      grow: (bytes) => this.#grow(holder, item, bytes),
      end: () => this.#end(holder, item),
      onCut() {},
    }
    holder.items.add(item)
    const [oldest] = holder.items
    if (oldest && holder.items.size > countMax) this.#cut(holder, oldest)
    return item
  }

  #grow(holder: Holder, item: Item, bytes: number) {
    if (item.isOver) return
    item.bytes += bytes
    holder.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#bounds.bytesMax) {
      const most = largest(this.#holders.values())
      const victim = most && largest(most.items)
      if (!victim) return
      this.#cut(most, victim)
    }
  }

  #cut(holder: Holder, item: Item) {
    this.#bounds.onCut({ holder: item.holder, bytes: item.bytes, held: this.#bytes })
    this.#end(holder, item)
    item.onCut()
  }

  #end(holder: Holder, item: Item) {
    if (item.isOver) return
    item.isOver = true
    holder.items.delete(item)
    holder.bytes -= item.bytes
    this.#bytes -= item.bytes
    if (holder.items.size === 0) this.#holders.delete(item.holder)
  }
}

interface Holder {
  bytes: number
  /** In the order in which they began. */
  readonly items: Set<Item>
}

interface Item extends HeldMemory {
  bytes: number
  isOver: boolean
}

/** The first of those with the most bytes. */
function largest<T extends { bytes: number }>(all: Iterable<T>): T | undefined {
  let found: T | undefined
  for (const one of all) if (found === undefined || one.bytes > found.bytes) found = one
  return found
}
