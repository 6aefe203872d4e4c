import { type Sql, sql } from './sql.ts'

/** The clock of a test store that was moved, or that stands. */
interface StoreClock {
  /** How far it was moved on. */
  readonly aheadMs: number
  /** The time at which it stands, before it was moved; undefined for a clock that goes. */
  readonly standsAt?: Date | undefined
}

/**
 * The clocks of test stores that differ from the server's, in the memory of this process. The databases have them, and each process
 * reads them twice a second (stores/clocks/clocks.ts). There are two times. The store's time is that of its clock: `db.now`, `tx.now`, and
 * all times of its rows and answers. Real time is for leases, quotas, time-outs and queues: `tx.present`.
 */
export class StoreClocks {
  #clocks: ReadonlyMap<number, StoreClock> = new Map()

  /** @param clocks by the number of the store, only of stores whose clocks were moved or stand */
  replace(clocks: ReadonlyMap<number, StoreClock>) {
    this.#clocks = clocks
  }

  /** Undefined for a store that has the time of the server. */
  find(store: number): StoreClock | undefined {
    return this.#clocks.get(store)
  }

  /** The time of a store at a time of the server. */
  timeOf(store: number, now: Date): Date {
    const clock = this.#clocks.get(store)
    return clock ? timeOn(clock, now) : now
  }

  /** The stores whose clocks were moved or stand. */
  get differing(): readonly number[] {
    return [...this.#clocks.keys()]
  }

  /**
   * Finds rows of all stores whose time has passed, each by the clock of its store, for statements across stores.
   * @param isPast compares a column with the time of a store. Its index is used for the stores with clocks of their own, too
   */
  pastIn(now: Date, isPast: (now: Date) => Sql): Sql {
    if (this.#clocks.size === 0) return isPast(now)
    // The server's time says nothing about a store whose clock stands.
    const standing = [...this.#clocks].filter(([, { standsAt }]) => standsAt !== undefined).map(([store]) => store)
    const byServer = standing.length === 0 ? isPast(now) : sql`(${isPast(now)} and store_id <> all(${standing}::int[]))`
    const byStore = [...this.#clocks].map(
      ([store, clock]) => sql`(store_id = ${store} and ${isPast(timeOn(clock, now))})`,
    )
    return sql`(${sql.join([byServer, ...byStore], ' or ')})`
  }
}

const timeOn = ({ aheadMs, standsAt }: StoreClock, now: Date) => new Date((standsAt ?? now).getTime() + aheadMs)
