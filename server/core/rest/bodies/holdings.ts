/** Memory that a client occupies, for example by a body that is arriving. */
export interface HeldMemory {
  /** The client: a store or an address. */
  readonly holder: string
  readonly bytes: number
  /** Adds bytes. If all holdings then exceed their bound, this one or another is cut. */
  grow(bytes: number): void
  /** Releases its bytes. Further calls do nothing. */
  end(): void
  /** Called once, after a cut has released the bytes. */
  onCut: () => void
}

interface Bounds {
  /** Bytes of all holdings together. */
  bytesMax: number
  /** The most holdings of one client. One more cuts the oldest. */
  countMax?: number
  onCut(cut: Cut): void
}

/** A cut holding: its holder, its bytes, and the bytes of all holdings before the cut. */
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
 * All memory that clients occupy. When it exceeds the bound, the holder with the most bytes loses its largest holding, and of
 * equal ones the oldest. A client that holds little therefore keeps it, however much another one sends.
 */
export class Holdings {
  readonly #bounds: Bounds
  readonly #holders = new Map<string, Holder>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

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

/** Returns the item with the most bytes; of equal ones the first. */
function largest<T extends { bytes: number }>(all: Iterable<T>): T | undefined {
  let found: T | undefined
  for (const one of all) if (found === undefined || one.bytes > found.bytes) found = one
  return found
}
