/** The kinds of calls to third parties, which are labels of metrics. */
export type ServiceKind = 'tax_estimate' | 'tax_document' | 'carrier_rate' | 'carrier_check'

/** The calls of one kind with one outcome. */
interface EndedCalls {
  kind: ServiceKind
  outcome: string
  count: number
  seconds: number
}

/** Counts the calls of a process to third parties, for its metrics. */
export class ServiceCalls {
  readonly #running = new Map<ServiceKind, number>()
  readonly #ended = new Map<string, EndedCalls>()

  get running(): ReadonlyMap<ServiceKind, number> {
    return this.#running
  }

  ended(): EndedCalls[] {
    return [...this.#ended.values()]
  }

  /** Counts a call. @param outcomeOf its result as a label: one of few words */
  async count<Result>(
    kind: ServiceKind,
    call: () => Promise<Result>,
    outcomeOf: (result: Result) => string,
  ): Promise<Result> {
    const began = performance.now()
    this.#running.set(kind, (this.#running.get(kind) ?? 0) + 1)
    try {
      const result = await call()
      this.#end(kind, outcomeOf(result), (performance.now() - began) / 1_000)
      return result
    } finally {
      this.#running.set(kind, (this.#running.get(kind) ?? 1) - 1)
    }
  }

  /** Counts a call that was not made, because its service fails. */
  skip(kind: ServiceKind) {
    this.#end(kind, 'skipped', 0)
  }

  #end(kind: ServiceKind, outcome: string, seconds: number) {
    const key = `${kind} ${outcome}`
    const ended = this.#ended.get(key) ?? { kind, outcome, count: 0, seconds: 0 }
    this.#ended.set(key, { ...ended, count: ended.count + 1, seconds: ended.seconds + seconds })
  }
}
