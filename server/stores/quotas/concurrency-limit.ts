import type { Store } from '../../core/db/database.ts'
import { Problem } from '../../core/rest/problem.ts'

/** Time that a request waits for its turn before it is refused (docs/contract/auth.md section 7). */
const PATIENCE_MS = 1_000

interface Queue {
  running: number
  /** Each starts one waiting request. */
  waiting: (() => void)[]
}

/** Limits the requests of one kind that run at the same time for a store. Each process counts its own. */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #patienceMs: number
  readonly #queues = new Map<number, Queue>()

  constructor(max: number, patienceMs = PATIENCE_MS) {
    this.#max = max
    this.#patienceMs = patienceMs
  }

  /** @throws Problem 429 if the request waited for its turn too long */
  async run<T>(store: Store, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(store.id) ?? { running: 0, waiting: [] }
    this.#queues.set(store.id, queue)
    if (queue.running < this.#max) queue.running++
    else await this.#waitForTurn(queue)
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // The next request takes over this slot. If the slot were released first, a new request could take it.
      if (next) next()
      else if (--queue.running === 0) this.#queues.delete(store.id)
    }
  }

  #waitForTurn(queue: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(take), 1)
        reject(new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': '1' } }))
      }, this.#patienceMs)
      queue.waiting.push(take)
    })
  }
}
