import type { Clock } from '../core/clock.ts'
import { sql } from '../core/db/sql.ts'
import type { Directory } from '../stores/directory.ts'
import { heads } from './worker.ts'

/** Of the lanes of one hook no more are counted. */
const LANES_COUNTED_MAX = 10_000
const STORES_ASKED_MAX = 10
/** Whoever asks more often gets the same answer. */
const KEPT_MS = 5_000

/** What waits, over all stores, although it could leave. What waits for its retry does not count. */
export interface Waiting {
  /** Events that were not handed out to hooks yet. */
  events: number
  /** Lanes whose next callback is due, and no worker has taken it. */
  lanes: number
  /** How long the oldest of both has been waiting, in seconds; 0 if there is none. */
  oldestSeconds: number
}

type Stores = Pick<Directory, 'cells' | 'dbById'>

/** Counts what waits, when somebody wants to know. */
export class Backlog {
  readonly #directory: Stores
  readonly #clock: Clock
  #last: { at: number; waiting: Promise<Waiting> } | undefined

  constructor(directory: Stores, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  /** @throws DatabaseUnavailable */
  look(): Promise<Waiting> {
    const at = this.#clock.now().getTime()
    if (this.#last && Math.abs(at - this.#last.at) < KEPT_MS) return this.#last.waiting
    const waiting = this.#count(new Date(at))
    this.#last = { at, waiting }
    waiting.catch(() => {
      this.#last = undefined
    })
    return waiting
  }

  async #count(now: Date): Promise<Waiting> {
    let events = 0
    let lanes = 0
    let oldest = now.getTime()
    for (const { system } of this.#directory.cells) {
      const [due] = await system.system<{ lanes: number; oldest: string | null }>(sql`
        ${heads} select coalesce(sum(count), 0) as lanes, min(due_at) as oldest
        from head cross join lateral (
          select count(*) from (
            select from lanes
            where lanes.store_id = head.store_id and lanes.hook_id = head.hook_id and lanes.due_at <= ${now}
            limit ${LANES_COUNTED_MAX}
          ) due
        ) counted
        where due_at <= ${now}`)
      lanes += due?.lanes ?? 0
      if (due?.oldest) oldest = Math.min(oldest, Date.parse(due.oldest))
      // Where nobody hands out, every store with news is behind: a few of them tell since when.
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
