import { randomUUID } from 'node:crypto'
import type { Store } from '../../core/db/database.ts'
import { Problem } from '../../core/rest/problem.ts'

/** Time that a request waits for its turn before it is refused (docs/contract/auth.md section 7). */
const PATIENCE_MS = 1_000

interface Queue {
  running: number
  /** The running requests that were running at the last `takeLong`. */
  long: number
  /** Each starts one waiting request. */
  waiting: (() => void)[]
}

/** Requests of one kind and store that have been running for a while. */
export interface RunningRequests {
  kind: string
  storeId: number
  running: number
}

/**
 * Limits the requests of one kind that run at the same time for a store. Each process counts its own, and those limits that `sharedLimit`
 * makes also count the long requests of other processes.
 */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #patienceMs: number
  readonly #queues = new Map<number, Queue>()
  /** Long requests at other processes, by store. */
  #elsewhere: ReadonlyMap<number, number> = new Map()
  /** The number of calls of `takeLong`. */
  #round = 0

  constructor(max: number, patienceMs = PATIENCE_MS) {
    this.#max = max
    this.#patienceMs = patienceMs
  }

  /** @throws Problem 429 if the request waited for its turn too long */
  async run<T>(store: Store, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(store.id) ?? { running: 0, long: 0, waiting: [] }
    this.#queues.set(store.id, queue)
    if (this.#hasRoom(store.id, queue)) queue.running++
    else await this.#waitForTurn(store.id, queue)
    const began = this.#round
    try {
      return await work()
    } finally {
      queue.running--
      if (began < this.#round) queue.long--
      this.#admit(store.id, queue)
    }
  }

  /** The requests by store that have been running since the last call. */
  takeLong(): { storeId: number; running: number }[] {
    this.#round++
    const long = [...this.#queues].map(([storeId, queue]) => {
      const running = queue.long
      queue.long = queue.running
      return { storeId, running }
    })
    return long.filter(({ running }) => running > 0)
  }

  /** @param elsewhere long requests at other processes, by store; none of the stores that it lacks */
  learn(elsewhere: ReadonlyMap<number, number>) {
    this.#elsewhere = elsewhere
    for (const [storeId, queue] of this.#queues) this.#admit(storeId, queue)
  }

  #hasRoom = (storeId: number, { running }: Queue) => running + (this.#elsewhere.get(storeId) ?? 0) < this.#max

  /** Starts the first waiting requests as long as there is room. */
  #admit(storeId: number, queue: Queue) {
    while (queue.waiting.length > 0 && this.#hasRoom(storeId, queue)) {
      // The slot is taken here: the request itself starts later, and a new one could take it.
      queue.running++
      queue.waiting.shift()?.()
    }
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(storeId)
  }

  #waitForTurn(storeId: number, queue: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(take), 1)
        this.#admit(storeId, queue)
        reject(new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': '1' } }))
      }, this.#patienceMs)
      queue.waiting.push(take)
    })
  }
}

/** The limits that processes share, by kind. */
const shared = new Map<string, ConcurrencyLimit>()

/** This process among those that share limits. All servers of a process have the same limits, so they count as one. */
export const SHARING_PROCESS = randomUUID()

/**
 * Makes a limit for all processes together: a request that has been running for about half a second counts at the others too
 * (stores/quotas/shared-counts.ts).
 * @param kind the same in all processes, and no other limit has it
 */
export function sharedLimit(kind: string, max: number): ConcurrencyLimit {
  const limit = shared.get(kind) ?? new ConcurrencyLimit(max)
  shared.set(kind, limit)
  return limit
}

/** The requests of all shared limits that have been running since the last call. */
export const takeLongRequests = (): RunningRequests[] =>
  [...shared].flatMap(([kind, limit]) => limit.takeLong().map((long) => ({ kind, ...long })))

/** Tells the shared limits the long requests at other processes. */
export function learnLongRequests(elsewhere: readonly RunningRequests[]) {
  const byKind = Map.groupBy(elsewhere, ({ kind }) => kind)
  for (const [kind, limit] of shared) {
    limit.learn(new Map(byKind.get(kind)?.map(({ storeId, running }) => [storeId, running])))
  }
}
