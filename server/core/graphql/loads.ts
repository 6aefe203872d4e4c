import type { Budgeted, OperationBudget } from './cost/operation-budget.ts'

// Fields ask for their data one by one, and a list of 50 products asks 50 times. Everything that is asked for in one turn of the event
// loop is loaded together: one call for each kind of data, and the first statements of all calls in one round trip
// (docs/decisions/091-loads-without-a-library.md).

/** Sends the first statements of the works that `begin` starts in one piece, as `Db` does. */
type Together = (begin: () => Promise<unknown>[]) => Promise<unknown>

/** A context whose fields load data. */
export interface Loading extends Budgeted {
  readonly turns: LoadTurns
}

/** Collects the loads of one operation that become due in one turn of the event loop. */
export class LoadTurns {
  readonly #budget: OperationBudget
  readonly #together: Together
  #due: (() => Promise<unknown>)[] = []

  constructor(budget: OperationBudget, together: Together) {
    this.#budget = budget
    this.#together = together
  }

  /**
   * Starts a work at the end of this turn.
   * @throws GraphQLError if the operation has too many
   */
  add(work: () => Promise<unknown>) {
    this.#budget.addLoad()
    // Promises that are settled now go on first, and their fields may ask for more.
    if (this.#due.length === 0) void Promise.resolve().then(() => process.nextTick(() => this.#begin()))
    this.#due.push(work)
  }

  #begin() {
    const works = this.#due
    this.#due = []
    // Each work passes its error to those who wait for it.
    this.#together(() => works.map((work) => work())).catch(() => {})
  }
}

/** A request for a key that has not been read. */
interface Wait<Key, Value> {
  key: Key
  resolve(value: Value | undefined): void
  reject(error: unknown): void
}

/** The keys of a load that were asked for with the same arguments, in one request. */
interface Batch<Key, Value> {
  /** Each key is read once. */
  known: Map<Key, Promise<Value | undefined>>
  waiting: Wait<Key, Value>[]
}

/**
 * Loads the values of keys with few statements.
 * @template Key a number or a text
 * @template Args the arguments of a field, which all keys of a statement share
 */
export class Load<Context extends Loading, Key, Value, Args = undefined> {
  readonly #read: (context: Context, keys: readonly Key[], args: Args) => Promise<ReadonlyMap<Key, Value>>
  readonly #batches = new WeakMap<Context, Map<string, Batch<Key, Value>>>()

  /**
   * @param read reads the values of different keys, in the order in which they were asked for. A key without a value is missing in its
   * result. Its first statement leaves with those of other loads
   */
  constructor(read: (context: Context, keys: readonly Key[], args: Args) => Promise<ReadonlyMap<Key, Value>>) {
    this.#read = read
  }

  /**
   * The value of a key; undefined if there is none.
   * @throws the error of `read`; GraphQLError if the operation has too many loads
   */
  find(context: Context, key: Key, args: Args): Promise<Value | undefined> {
    const batch = this.#batchOf(context, JSON.stringify(args) ?? '')
    const known = batch.known.get(key)
    if (known) return known
    const value = new Promise<Value | undefined>((resolve, reject) => {
      batch.waiting.push({ key, resolve, reject })
      if (batch.waiting.length === 1) context.turns.add(() => this.#run(context, batch, args))
    })
    batch.known.set(key, value)
    return value
  }

  #batchOf(context: Context, args: string): Batch<Key, Value> {
    const batches = this.#batches.get(context) ?? new Map<string, Batch<Key, Value>>()
    this.#batches.set(context, batches)
    const batch = batches.get(args) ?? { known: new Map(), waiting: [] }
    batches.set(args, batch)
    return batch
  }

  async #run(context: Context, batch: Batch<Key, Value>, args: Args) {
    const { waiting } = batch
    batch.waiting = []
    try {
      const keys = waiting.map(({ key }) => key)
      const values = await this.#read(context, keys, args)
      for (const { key, resolve } of waiting) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
