import { type DestinationStream, type Logger, pino } from 'pino'

const GATHERED_MAX = 32_768
const GATHERED_MS = 1_000

/** The log of the process, on its standard output. */
export const openLog = (level: string): Logger => pino({ level, base: undefined }, new Gathered())

/**
 * Gathers lines for a moment, so that writing them costs a request little. pino's destination could gather too, but measures all
 * that it has gathered again for each line.
 */
class Gathered implements DestinationStream {
  readonly #out = pino.destination({ sync: false })
  #lines: string[] = []
  #length = 0

  constructor() {
    setInterval(() => this.#pass(), GATHERED_MS).unref()
    process.once('exit', () => {
      this.#pass()
      this.#out.flushSync()
    })
  }

  write(line: string) {
    this.#lines.push(line)
    this.#length += line.length
    if (this.#length >= GATHERED_MAX) this.#pass()
  }

  /** What pino's `flush` calls. */
  flush(done?: (error?: Error) => void) {
    this.#pass()
    this.#out.flush(done)
  }

  #pass() {
    if (this.#length === 0) return
    this.#out.write(this.#lines.join(''))
    this.#lines = []
    this.#length = 0
  }
}
