import type { Store } from '../core/db/database.ts'
import { Problem } from '../core/rest/problem.ts'

/** How long a request stands in line before it is refused (docs/contract/auth.md section 7). */
const PATIENCE_MS = 1_000

interface Line {
  running: number
  /** Each is told when it is its turn. */
  waiting: (() => void)[]
}

/** How many requests of one kind a store may have answered at the same time, counted in this process. */
export class AtOnce {
  readonly #max: number
  readonly #patienceMs: number
  readonly #lines = new Map<number, Line>()

  constructor(max: number, patienceMs = PATIENCE_MS) {
    this.#max = max
    this.#patienceMs = patienceMs
  }

  /** @throws Problem 429 where there was no room for too long */
  async run<T>(store: Store, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(store.id) ?? { running: 0, waiting: [] }
    this.#lines.set(store.id, line)
    if (line.running < this.#max) line.running++
    else await this.#turn(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      // Whoever is next takes the place over, so that nobody else can.
      if (next) next()
      else if (--line.running === 0) this.#lines.delete(store.id)
    }
  }

  #turn(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(take), 1)
        reject(new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': '1' } }))
      }, this.#patienceMs)
      line.waiting.push(take)
    })
  }
}
