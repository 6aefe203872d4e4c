import { Problem } from '../../core/rest/problem.ts'

interface Limits {
  /** Work items that run at the same time in this process. */
  readonly all: number
  /** The same limit for one store. */
  readonly store: number
  /** Waiting work items of one store. */
  readonly waiting: number
  /** The longest wait. Without it, work waits for its turn however long that takes. */
  readonly waitMs?: number
}

/**
 * Limits work that needs much of a process, such as memory or threads. Stores take turns, so that none waits for all the work of
 * another.
 */
export class StoreSlots {
  readonly #limits: Limits
  /** Slots in use, by store. */
  readonly #used = new Map<number, number>()
  #free: number
  /** Each starts one waiting work item. The first store has the next turn. */
  readonly #waiting = new Map<number, (() => void)[]>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#free = limits.all
  }

  /** @throws Problem 429 if too much work of the store waits, or if the work has waited for too long */
  async run<T>({ id }: { id: number }, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#hasRoom(id)) this.#take(id)
    else await this.#wait(id)
    try {
      return await work()
    } finally {
      this.#release(id)
    }
  }

  #hasRoom = (storeId: number) => (this.#used.get(storeId) ?? 0) < this.#limits.store

  #take(storeId: number) {
    this.#free--
    this.#used.set(storeId, (this.#used.get(storeId) ?? 0) + 1)
  }

  #wait(storeId: number): Promise<void> {
    const { waiting, waitMs } = this.#limits
    const queue = this.#waiting.get(storeId) ?? []
    if (queue.length >= waiting) throw tooMany()
    this.#waiting.set(storeId, queue)
    return new Promise((resolve, reject) => {
      queue.push(resolve)
      if (waitMs === undefined) return
      setTimeout(() => this.#leave(storeId, resolve) && reject(tooMany()), waitMs).unref()
    })
  }

  /** @returns whether the work still waited */
  #leave(storeId: number, start: () => void): boolean {
    const queue = this.#waiting.get(storeId) ?? []
    const at = queue.indexOf(start)
    if (at >= 0) queue.splice(at, 1)
    if (queue.length === 0) this.#waiting.delete(storeId)
    return at >= 0
  }

  #release(storeId: number) {
    this.#free++
    const used = (this.#used.get(storeId) ?? 0) - 1
    if (used > 0) this.#used.set(storeId, used)
    else this.#used.delete(storeId)
    for (const [next, queue] of this.#waiting) {
      if (!this.#hasRoom(next)) continue
      this.#take(next)
      this.#waiting.delete(next)
      queue.shift()?.()
      if (queue.length > 0) this.#waiting.set(next, queue)
      return
    }
  }
}

const tooMany = () => new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': '3' } })
