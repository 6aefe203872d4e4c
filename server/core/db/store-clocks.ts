import { type Sql, sql } from './sql.ts'

/**
 * How far the clocks of test stores are ahead of the server's, in the memory of this process. The directory has them, and each process
 * reads them twice a second (stores/clocks/clocks.ts). There are two times. The store's time is that of the server plus the distance of its
 * clock: `db.now`, `tx.now`, and all times of its rows and answers. Real time is for leases, quotas, time-outs and queues: `tx.present`.
 */
export class StoreClocks {
  #ahead: ReadonlyMap<number, number> = new Map()

  /** @param ahead milliseconds by the number of the store, only of stores whose clocks were moved */
  replace(ahead: ReadonlyMap<number, number>) {
    this.#ahead = ahead
  }

  /** In milliseconds: 0 for a store whose clock was never moved. */
  aheadOf(store: number): number {
    return this.#ahead.get(store) ?? 0
  }

  /** The stores whose clocks were moved. */
  get moved(): readonly number[] {
    return [...this.#ahead.keys()]
  }

  /**
   * Finds rows of all stores whose time has passed, each by the clock of its store, for statements across stores.
   * @param isPast compares a column with the time of a store. Its index is used for the stores with moved clocks, too
   */
  pastIn(now: Date, isPast: (now: Date) => Sql): Sql {
    if (this.#ahead.size === 0) return isPast(now)
    const ofMoved = [...this.#ahead].map(
      ([store, ahead]) => sql`(store_id = ${store} and ${isPast(new Date(now.getTime() + ahead))})`,
    )
    return sql`(${sql.join([isPast(now), ...ofMoved], ' or ')})`
  }
}
