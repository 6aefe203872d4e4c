const BINS_MAX = 100
const REQUESTS_MAX = 200
/** Of all bins together. */
const BYTES_MAX = 64 * 1024 * 1024

/** A request as it came, with what became of it. */
export interface Received {
  received_at: string
  method: string
  webhook_id: string | null
  attempt: string | null
  signature: 'valid' | 'not valid' | 'missing' | 'not checked'
  /** What the bin answered. */
  answer: string
  headers: Record<string, string>
  body: string
}

/** One answer of a bin: 204 at once where it says nothing else. */
export interface Scripted {
  status?: number
  delay_ms?: number
  /** The connection is cut instead. */
  reset?: true
}

/** What a bin holds. */
export interface Bin {
  /** The newest first. */
  received: Received[]
  script: Scripted[]
  secret?: string
}

/** Requests in memory, within bounds: the oldest go, of the bins that were used least recently first. */
export class Bins {
  /** In the order of their last use. */
  readonly #bins = new Map<string, Bin>()
  #bytes = 0

  /** What a bin holds; nothing if it was never used. */
  look(name: string): Readonly<Bin> {
    return this.#bins.get(name) ?? { received: [], script: [] }
  }

  /** The bin to put something into. */
  open(name: string): Bin {
    const bin = this.#bins.get(name) ?? { received: [], script: [] }
    this.#bins.delete(name)
    this.#bins.set(name, bin)
    for (const oldest of this.#bins.keys()) if (this.#bins.size > BINS_MAX) this.empty(oldest)
    return bin
  }

  keep(name: string, request: Received) {
    const bin = this.open(name)
    bin.received.unshift(request)
    this.#bytes += sizeOf(request)
    if (bin.received.length > REQUESTS_MAX) this.#dropOldest(bin)
    for (const other of this.#bins.values()) while (this.#bytes > BYTES_MAX && this.#dropOldest(other));
  }

  /** One answer of the script after the other; the last one stays. */
  nextAnswer(name: string): Scripted {
    const { script } = this.look(name)
    return (script.length > 1 ? script.shift() : script[0]) ?? {}
  }

  empty(name: string) {
    for (const request of this.look(name).received) this.#bytes -= sizeOf(request)
    this.#bins.delete(name)
  }

  /** @returns whether there was one */
  #dropOldest({ received }: Bin): boolean {
    const oldest = received.pop()
    if (oldest) this.#bytes -= sizeOf(oldest)
    return oldest !== undefined
  }
}

/** Characters, of which each takes one byte or two. */
const sizeOf = ({ headers, body }: Received) =>
  2 * (body.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0))
