import { sleep } from './sleep.ts'

/** Keeps calls within the quota of the store, which the rate headers of each answer report: a call waits before it would be refused. */
export class Quota {
  #quota = Number.POSITIVE_INFINITY
  #left = Number.POSITIVE_INFINITY
  #resetsAt = 0
  #windowMs = 0
  #inFlight = 0

  /** Waits until the quota has room for a request, and takes one. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const waitMs = this.#resetsAt - Date.now()
      if (waitMs <= 0) {
        this.#left = this.#quota
        this.#resetsAt = Date.now() + this.#windowMs
      }
      if (this.#left > 0 || this.#windowMs === 0) break
      await sleep(waitMs + Math.random() * 100, signal)
    }
    this.#left -= 1
    this.#inFlight += 1
  }

  /** Reads the headers of the answer to a request that was taken; without an answer, only gives it back. */
  learn(headers?: Headers): void {
    this.#inFlight -= 1
    const number = (name: string) => {
      const value = headers?.get(`X-Rate-Limit-${name}`)
      return value === null || value === undefined || value === '' ? undefined : Number(value)
    }
    const left = number('Requests-Left')
    const resetMs = number('Time-Reset-Ms')
    if (left === undefined || resetMs === undefined) return
    this.#quota = number('Requests-Quota') ?? this.#quota
    this.#windowMs = number('Time-Window-Ms') ?? this.#windowMs
    this.#resetsAt = Date.now() + resetMs
    // The server may not have counted the requests that are under way.
    this.#left = left - this.#inFlight
  }
}
