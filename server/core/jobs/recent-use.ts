/** Recorded use halves in this time: a store that works a lot waits, but not for ever. */
const HALF_LIFE_MS = 60_000
/** Smaller uses are dropped. */
const LEAST_MS = 1

interface Use {
  ms: number
  at: number
}

interface Turn {
  store_id: number
  task: string
}

/**
 * The time that stores have used lately of tasks that a process does one by one. The store that has used the least goes first, so that a store
 * with a small job does not wait for those that keep it busy. Counts in this process alone. Times are milliseconds of a clock that never
 * jumps.
 */
export class RecentUse {
  readonly #tasks: ReadonlySet<string>
  readonly #uses = new Map<string, Use>()

  /** @param tasks those that are done one by one; of all others everybody has a turn at once */
  constructor(tasks: Iterable<string>) {
    this.#tasks = new Set(tasks)
  }

  record(turn: Turn, ms: number, now: number) {
    if (!this.#tasks.has(turn.task)) return
    this.#uses.set(keyOf(turn), { ms: this.#usedBy(turn, now) + ms, at: now })
    for (const [key, use] of this.#uses) {
      if (left(use, now) < LEAST_MS) this.#uses.delete(key)
    }
  }

  /** @returns the same items, the least used first; among equals the order stays */
  inOrder<T extends Turn>(turns: readonly T[], now: number): T[] {
    return turns.toSorted((one, other) => this.#usedBy(one, now) - this.#usedBy(other, now))
  }

  #usedBy(turn: Turn, now: number): number {
    const use = this.#uses.get(keyOf(turn))
    return use ? left(use, now) : 0
  }
}

const keyOf = ({ store_id, task }: Turn) => `${store_id} ${task}`
const left = ({ ms, at }: Use, now: number) => ms * 0.5 ** ((now - at) / HALF_LIFE_MS)
