import type { Clock } from '../../../core/clock.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

/** The count stops here for the lanes of one hook. */
const LANES_COUNTED_MAX = 10_000
const STORES_ASKED_MAX = 10
/** The counts are cached for this time. */
const CACHED_MS = 5_000

/** Due but unsent events and lanes of all stores. Scheduled retries don't count. */
export interface BacklogCounts {
  /** Events that were not dispatched to hooks yet. */
  events: number
  /** Lanes whose next callback is due and not claimed by a worker. */
  lanes: number
  /** The age of the oldest of both, in seconds; 0 without any. */
  oldestSeconds: number
}

type Stores = Pick<Directory, 'cells' | 'dbById'>

/** Counts the backlog on demand. */
export class Backlog {
  readonly #directory: Stores
  readonly #clock: Clock
  #last: { at: number; waiting: Promise<BacklogCounts> } | undefined

  constructor(directory: Stores, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  /** @throws DatabaseUnavailable */
  look(): Promise<BacklogCounts> {
    const at = this.#clock.now().getTime()
    if (this.#last && Math.abs(at - this.#last.at) < CACHED_MS) return this.#last.waiting
    const waiting = this.#count(new Date(at))
    this.#last = { at, waiting }
    waiting.catch(() => {
      this.#last = undefined
    })
    return waiting
  }

  async #count(now: Date): Promise<BacklogCounts> {
    let events = 0
    let lanes = 0
    let oldest = now.getTime()
    for (const { system } of this.#directory.cells) {
      const ofHook = sql`lanes.store_id = due_hooks.store_id and lanes.hook_id = due_hooks.hook_id and lanes.due_at <= ${system.present}`
      const [due] = await system.system<{ lanes: number; oldest_seconds: number | null }>(sql`
        select coalesce(sum((
            select count(*) from (select 1 from lanes where ${ofHook} limit ${LANES_COUNTED_MAX}) counted
          )), 0) as lanes,
          extract(epoch from ${system.present} - min((select min(due_at) from lanes where ${ofHook}))) as oldest_seconds
        from due_hooks where due_at <= ${system.present}`)
      lanes += due?.lanes ?? 0
      if (due?.oldest_seconds) oldest = Math.min(oldest, now.getTime() - 1_000 * due.oldest_seconds)
      // Without a dispatcher every store with new events is behind. The age is read from a few of them.
      const behind = await system.system<{ store_id: number; dispatched_seq: number; events: number }>(sql`
        select store_id, dispatched_seq, sum(last_seq - dispatched_seq) over () as events
        from event_streams where last_seq > dispatched_seq limit ${STORES_ASKED_MAX}`)
      events += behind[0]?.events ?? 0
      for (const store of behind) oldest = Math.min(oldest, await this.#oldestEvent(store, oldest))
    }
    return { events, lanes, oldestSeconds: Math.max(0, (now.getTime() - oldest) / 1_000) }
  }

  async #oldestEvent(store: { store_id: number; dispatched_seq: number }, otherwise: number): Promise<number> {
    const db = await this.#directory.dbById(store.store_id)
    const event = await db?.maybeRow<{ ms: number }>(sql`
      select ms from events where store_id = ${store.store_id} and seq > ${store.dispatched_seq} order by seq limit 1`)
    return event?.ms ?? otherwise
  }
}
