import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import type { Outages } from './outages.ts'

const BUFFER_CHARACTERS_MAX = 32_768
const BUFFER_MS = 1_000

/**
 * The log of the process.
 * @param outages takes the errors of an outage, which are then not logged one by one
 * @param out its standard output if not given
 */
export function openLog(level: string, outages: Outages, out: DestinationStream = new BufferedOutput()): Logger {
  const hooks = {
    logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
      const [first]: unknown[] = args
      const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : undefined
      if (!outages.takes(error)) method.apply(this, args)
    },
  }
  return pino({ level, base: undefined, hooks }, out)
}

/**
 * Keeps lines for up to a second and writes them together: a write for each request would cost as much as its line. pino's own
 * destination can do so too, but measures its whole buffer again for each line.
 */
class BufferedOutput implements DestinationStream {
  readonly #out = pino.destination({ sync: false })
  #lines: string[] = []
  #length = 0

  constructor() {
    setInterval(() => this.#writeBuffer(), BUFFER_MS).unref()
    process.once('exit', () => {
      this.#writeBuffer()
      this.#out.flushSync()
    })
  }

  write(line: string) {
    this.#lines.push(line)
    this.#length += line.length
    if (this.#length >= BUFFER_CHARACTERS_MAX) this.#writeBuffer()
  }

  /** Called by pino's `flush`. */
  flush(done?: (error?: Error) => void) {
    this.#writeBuffer()
    this.#out.flush(done)
  }

  #writeBuffer() {
    if (this.#length === 0) return
    this.#out.write(this.#lines.join(''))
    this.#lines = []
    this.#length = 0
  }
}
