const WINDOW_MS = 120_000
const REQUESTS_MIN = 101
const RATIO_MIN = 0.9

/** The time for which a host is blocked when its success ratio is too low. */
export const BLOCK_MS = 180_000

interface Exchange {
  at: number
  ok: boolean
}

/** The requests of this process to one host for one client in the last 120 s (docs/contract/webhooks.md section 4). */
export class SuccessRatio {
  readonly #sent: Exchange[] = []
  #failed = 0

  /**
   * Records a request. @param at milliseconds
   * @returns whether the ratio is too low, so that the host must be blocked. The window is then empty
   */
  record(at: number, ok: boolean): boolean {
    this.#sent.push({ at, ok })
    if (!ok) this.#failed++
    this.#expire(at)
    const isTooLow =
      this.#sent.length >= REQUESTS_MIN && (this.#sent.length - this.#failed) / this.#sent.length < RATIO_MIN
    if (isTooLow) {
      this.#sent.length = 0
      this.#failed = 0
    }
    return isTooLow
  }

  /** Counts the requests in the window. @param at milliseconds */
  counts(at: number): { sent: number; failed: number } {
    this.#expire(at)
    return { sent: this.#sent.length, failed: this.#failed }
  }

  #expire(at: number) {
    for (let oldest = this.#sent[0]; oldest && oldest.at <= at - WINDOW_MS; oldest = this.#sent[0]) {
      this.#sent.shift()
      if (!oldest.ok) this.#failed--
    }
  }
}
