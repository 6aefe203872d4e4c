import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isOutage } from '../../core/db/database.ts'

const LOOK_MS = 1_000

/**
 * Reports an outage of the database by two lines: one when it begins, one when all databases answer again. Every request and every worker
 * that meets the outage would otherwise log its own error, with a stack.
 */
export class Outages {
  #isOut = false
  #errors = 0
  #log: Logger | undefined
  #ask: () => Promise<unknown> = async () => {}

  /** Sets where the lines go, and how the databases are asked. Errors before this are logged as they are. */
  watch(log: Logger, ask: () => Promise<unknown>) {
    this.#log = log
    this.#ask = ask
  }

  /** Whether an error is a part of an outage, which is reported here. */
  takes(error: unknown): boolean {
    if (!this.#log || !isOutage(error)) return false
    this.#errors++
    if (!this.#isOut) this.#report(this.#log, error).catch((error) => this.#log?.error({ err: error }, 'outage'))
    return true
  }

  async #report(log: Logger, error: Error) {
    this.#isOut = true
    const began = performance.now()
    const because = error.cause instanceof Error ? error.cause.message : error.cause
    log.error({ because }, 'the database is not available: requests are answered with 503')
    do await sleep(LOOK_MS, undefined, { ref: false })
    while (!(await this.#isBack()))
    const seconds = Math.round((performance.now() - began) / 100) / 10
    log.warn({ seconds, errors: this.#errors }, 'the database is available again')
    this.#isOut = false
    this.#errors = 0
  }

  #isBack(): Promise<boolean> {
    return this.#ask().then(
      () => true,
      () => false,
    )
  }
}
