const BINS_MAX = 100
const REQUESTS_MAX = 200
/** Of all bins together. */
const BYTES_MAX = 64 * 1024 * 1024

/** A request as it arrived, with the answer it got. */
export interface ReceivedRequest {
  received_at: string
  method: string
  webhook_id: string | null
  attempt: string | null
  signature: 'valid' | 'not valid' | 'missing' | 'not checked'
  /** The answer of the bin. */
  answer: string
  headers: Record<string, string>
  body: string
}

/** One answer of a bin: 204 at once, unless it says otherwise. */
export interface ScriptedAnswer {
  status?: number
  delay_ms?: number
  /** Cuts the connection in place of an answer. */
  reset?: true
}

/** The contents of a bin. */
export interface Bin {
  /** The newest first. */
  received: ReceivedRequest[]
  script: ScriptedAnswer[]
  secret?: string
}

/** Keeps requests in memory. Where there are too many, the oldest go, first those of bins that were used least recently. */
export class Bins {
  /** In the order of their last use. */
  readonly #bins = new Map<string, Bin>()
  #bytes = 0

  /** The contents of a bin; empty if it was never used. */
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

  keep(name: string, request: ReceivedRequest) {
    const bin = this.open(name)
    bin.received.unshift(request)
    this.#bytes += sizeOf(request)
    if (bin.received.length > REQUESTS_MAX) this.#dropOldest(bin)
    for (const other of this.#bins.values()) while (this.#bytes > BYTES_MAX && this.#dropOldest(other));
  }

  /** Takes the next answer of the script; its last one is given again and again. */
  nextAnswer(name: string): ScriptedAnswer {
    const { script } = this.look(name)
    return (script.length > 1 ? script.shift() : script[0]) ?? {}
  }

  empty(name: string) {
    for (const request of this.look(name).received) this.#bytes -= sizeOf(request)
    this.#bins.delete(name)
  }

  /** @returns whether there was a request to drop */
  #dropOldest({ received }: Bin): boolean {
    const oldest = received.pop()
    if (oldest) this.#bytes -= sizeOf(oldest)
    return oldest !== undefined
  }
}

/** Bytes of memory at most: a character takes one or two. */
const sizeOf = ({ headers, body }: ReceivedRequest) =>
  2 * (body.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0))
