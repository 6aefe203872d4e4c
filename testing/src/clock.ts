import { ask, type Server } from './operator.ts'
import { milliseconds } from './times.ts'

/** The clock of a test store. It only moves on. */
export class StoreClock {
  readonly #server: Server
  readonly #path: string

  constructor(server: Server, hash: string) {
    this.#server = server
    this.#path = `/stores/${hash}/clock`
  }

  /** Moves the clock on, and resolves when the work that is due by then is done. @param time `3 d`. @throws Error if work is left after 30 s */
  async advance(time: string | number): Promise<Date> {
    const seconds = Math.ceil(milliseconds(time) / 1_000)
    const moved = await ask<{ time: string; left?: Record<string, number> }>(
      this.#server,
      'POST',
      `${this.#path}/advance`,
      { seconds },
    )
    const left = Object.entries(moved.left ?? {}).filter(([, count]) => count > 0)
    if (left.length > 0)
      throw new Error(`The store has due work that is not done: ${JSON.stringify(Object.fromEntries(left))}.`)
    return new Date(moved.time)
  }

  /** The time of the store. */
  async now(): Promise<Date> {
    const { time } = await ask<{ time: string }>(this.#server, 'GET', this.#path)
    return new Date(time)
  }
}
