import type { FastifyBaseLogger } from 'fastify'
import type { Db, Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { slotOf } from '../core/events/slots.ts'
import type { Cell, Directory } from '../stores/directory.ts'
import { type NewDelivery, queue } from './queue.ts'
import { asQueueWork } from './queue-work.ts'
import { listening } from './scopes.ts'

const STORES_AT_ONCE = 100
const STORES_SIDE_BY_SIDE = 4
const EVENTS_AT_ONCE = 500
// The last match of a hook is noted every ten minutes at most, so that a busy hook's row is not written for every event.
const MATCH_NOTED_MS = 600_000
const DAY_MS = 86_400_000
const DISPATCH_LOCK = 1_702_262_389

interface StreamEvent {
  seq: number
  slot: number
  scope: string
  resource: string
  client_id: string | null
}

interface Listener {
  id: number
  scope: string
  client_id: string
  is_active: boolean
}

/** The resource of a test event. It is queued for the tested hook when it is made, and handed out to no other. */
export const TEST_RESOURCE = 'test'

/** Turns the new events of every store into deliveries. Any number of processes may do it: one at a time works on a store. */
export class Dispatcher {
  readonly #directory: Directory
  readonly #log: Pick<FastifyBaseLogger, 'error'>
  /** The last store of the turn before, by cell. The next turn goes on behind it, so a busy store waits until all others were served. */
  readonly #lastStores = new Map<string, number>()

  constructor(directory: Directory, log: Pick<FastifyBaseLogger, 'error'>) {
    this.#directory = directory
    this.#log = log
  }

  /** @returns how many events were handed out; if there were any, there may be more */
  async handOut(): Promise<number> {
    let handedOut = 0
    for (const cell of this.#directory.cells) {
      const stores = await this.#storesBehind(cell)
      for (let i = 0; i < stores.length; i += STORES_SIDE_BY_SIDE) {
        const counts = await Promise.all(stores.slice(i, i + STORES_SIDE_BY_SIDE).map((id) => this.#handOutStore(id)))
        handedOut += counts.reduce((sum, count) => sum + count, 0)
      }
    }
    return handedOut
  }

  /** Ids of stores with new events, from an index that holds only these: idle stores cost nothing. */
  async #storesBehind(cell: Cell): Promise<number[]> {
    const last = this.#lastStores.get(cell.name) ?? 0
    const behind = await cell.system.system<{ store_id: number }>(sql`
      select store_id from event_streams where last_seq > dispatched_seq and store_id > ${last}
      order by store_id limit ${STORES_AT_ONCE}`)
    // After the last store, begin with the first again.
    this.#lastStores.set(cell.name, behind.length < STORES_AT_ONCE ? 0 : (behind.at(-1)?.store_id ?? 0))
    if (behind.length === 0 && last > 0) return this.#storesBehind(cell)
    return behind.map(({ store_id }) => store_id)
  }

  /** A store that fails is logged, and the others go on. */
  async #handOutStore(id: number): Promise<number> {
    try {
      const db = await this.#directory.dbById(id)
      return db ? await dispatchStore(db) : 0
    } catch (error) {
      this.#log.error({ err: error, store: id }, 'the events of a store could not be handed out')
      return 0
    }
  }
}

async function dispatchStore(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    asQueueWork(tx)
    // Both leave in one piece and run in this order, so the second sees all that was committed before the lock was taken.
    const [{ free }, { dispatched_seq, last_seq }] = await Promise.all([
      tx.row<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${DISPATCH_LOCK}, ${tx.store.id}) as free`),
      tx.row<{ dispatched_seq: number; last_seq: number }>(
        sql`select dispatched_seq, last_seq from event_streams where store_id = ${tx.store.id}`,
      ),
    ])
    if (!free || dispatched_seq === last_seq) return 0
    const events = await newEvents(tx, dispatched_seq)
    await fanOut(tx, events)
    // Events that nobody handed out for 30 days went with their day: then the store is up to date without them.
    const upTo = events.at(-1)?.seq ?? last_seq
    // Comes last: whoever publishes in this store waits for this row.
    await tx.rows(sql`update event_streams set dispatched_seq = ${upTo} where store_id = ${tx.store.id}`)
    return events.length
  })
}

/** Reads the events of today and yesterday. Only if the next event is older, it reads all days of the ring. */
async function newEvents(tx: Tx, dispatched: number): Promise<StreamEvent[]> {
  const days = [slotOf(tx.now), slotOf(tx.now.getTime() - DAY_MS)]
  const find = (where: Sql) =>
    tx.rows<StreamEvent>(sql`
      select seq, slot, scope, resource, client_id from events
      where store_id = ${tx.store.id} and seq > ${dispatched} and ${where} order by seq limit ${EVENTS_AT_ONCE}`)
  const recent = await find(sql`slot = any(${days}::int[])`)
  // Numbers have no gaps, so these are the next if they follow on each other.
  const isNext = recent.every(({ seq }, i) => seq === dispatched + 1 + i)
  return isNext && recent.length > 0 ? recent : find(sql.and([]))
}

async function fanOut(tx: Tx, events: readonly StreamEvent[]) {
  if (events.length === 0) return
  const listeners = await listenersTo(tx, events)
  const matches = events.flatMap((event) =>
    listenersOf(event, listeners).map((hook) => ({ ...event, hook_id: hook.id, is_active: hook.is_active })),
  )
  await queue(
    tx,
    matches.filter(({ is_active }) => is_active),
  )
  const parked = matches.filter(({ is_active }) => !is_active)
  if (parked.length > 0) await park(tx, parked)
  await noteMatches(tx, [...new Set(matches.map(({ hook_id }) => hook_id))])
}

/** The hooks that listen to any of the events, by scope. Hooks that are switched off are included if they keep a history. */
async function listenersTo(tx: Tx, events: readonly StreamEvent[]): Promise<Map<string, Listener[]>> {
  const scopes = [...new Set(events.flatMap(({ scope }) => listening(scope)))]
  const hooks = await tx.rows<Listener>(sql`
    select id, scope, client_id, is_active from hooks
    where store_id = ${tx.store.id} and scope = any(${scopes})
      and (is_active or (status = 'inactive' and events_history_enabled)) order by id`)
  return Map.groupBy(hooks, ({ scope }) => scope)
}

function listenersOf({ scope, resource, client_id }: StreamEvent, listeners: Map<string, Listener[]>): Listener[] {
  if (resource === TEST_RESOURCE) return []
  return listening(scope)
    .flatMap((heard) => listeners.get(heard) ?? [])
    .filter((hook) => client_id === null || hook.client_id === client_id)
}

/** Keeps deliveries of a hook that is switched off until they are recovered. */
async function park(tx: Tx, matches: readonly NewDelivery[]) {
  await tx.rows(sql`
    insert into parked_deliveries (store_id, hook_id, seq, slot, resource, parked_at)
    select ${tx.store.id}, hook_id, seq, slot, resource, ${tx.now}::timestamptz from unnest(
      ${matches.map(({ hook_id }) => hook_id)}::int[], ${matches.map(({ seq }) => seq)}::bigint[],
      ${matches.map(({ slot }) => slot)}::int[], ${matches.map(({ resource }) => resource)}::text[]
    ) as delivery (hook_id, seq, slot, resource) on conflict do nothing`)
}

async function noteMatches(tx: Tx, hookIds: readonly number[]) {
  if (hookIds.length === 0) return
  await tx.rows(sql`
    update hooks set last_matched_at = ${tx.now}
    where store_id = ${tx.store.id} and id = any(${hookIds})
      and last_matched_at < ${new Date(tx.now.getTime() - MATCH_NOTED_MS)}`)
}
