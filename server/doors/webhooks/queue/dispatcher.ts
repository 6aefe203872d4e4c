import type { FastifyBaseLogger } from 'fastify'
import { type Db, type NamedQuery, prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { asQueueWork } from '../../../core/db/queue-work.ts'
import { sql } from '../../../core/db/sql.ts'
import { slotOf } from '../../../core/events/slots.ts'
import type { Cell, Directory } from '../../../stores/directory/directory.ts'
import { type ClaimedHook, type HookClaim, LANE_DELIVERIES_MAX, type QueuedEvent, recordAttempts } from './claims.ts'
import { wakeLater } from './due-hooks.ts'
import { LEASE_MS, type LeasedLane, laneKey, queue } from './lanes.ts'
import { listening } from './scopes.ts'

const STORES_AT_ONCE = 100
const STORES_SIDE_BY_SIDE = 4
const EVENTS_AT_ONCE = 500
// The last match of a hook is recorded at most every ten minutes, so that a busy hook's row is not written for every event.
const MATCH_INTERVAL_MS = 600_000
const DAY_MS = 86_400_000
const DISPATCH_LOCK = 1_702_262_389

interface StreamEvent extends QueuedEvent {
  seq: number
  slot: number
  resource: string
  client_id: string | null
}

/** A hook that listens. */
interface Listener extends ClaimedHook {
  scope: string
  host: string
  is_active: boolean
  is_blocked: boolean
  /** Whether its last match is long ago, so that a new one is recorded. */
  is_idle: boolean
}

/** An event and a hook that listens to it. */
interface Match {
  event: StreamEvent
  hook: Listener
  hook_id: number
  resource: string
  seq: number
  slot: number
}

/** Sends dispatched deliveries at once, as far as it has room. The rest is claimed when it is due. */
export interface Expediter {
  /** The number of lanes that could be sent to a host at once. */
  free(host: string): number
  /** @param claimedAt a time before the leases began, by the monotonic clock */
  send(db: Db, claim: HookClaim, claimedAt: number): Promise<void>
}

/** The resource of a test event. It is queued for the tested hook when it is published, and dispatched to no other. */
export const TEST_RESOURCE = 'test'

/** Turns the new events of every store into deliveries. Any number of processes may run one: a lock admits one process to a store. */
export class Dispatcher {
  readonly #directory: Directory
  readonly #log: Pick<FastifyBaseLogger, 'error'>
  readonly #expediter: Expediter | undefined
  /** Stores with new events. A served store goes behind the others. */
  readonly #scheduled = new Set<number>()
  /** Whether other stores may have new events. */
  #mayLook = true
  /** The last store found in each cell. The next look continues behind it, so a busy store waits until all others were served. */
  readonly #lastStores = new Map<string, number>()

  constructor(directory: Directory, log: Pick<FastifyBaseLogger, 'error'>, expediter?: Expediter) {
    this.#directory = directory
    this.#log = log
    this.#expediter = expediter
  }

  /** Schedules a store that has new events. @param storeId undefined if the store is unknown */
  schedule(storeId?: number) {
    if (storeId === undefined) this.#mayLook = true
    else this.#scheduled.add(storeId)
  }

  get hasWork(): boolean {
    return this.#scheduled.size > 0 || this.#mayLook
  }

  /** Serves every scheduled store once, after a look for more stores. @returns how many events were dispatched */
  async dispatchAll(): Promise<number> {
    const hasLooked = this.#mayLook
    if (hasLooked) await this.#look()
    const stores = [...this.#scheduled]
    this.#scheduled.clear()
    let dispatched = 0
    for (let i = 0; i < stores.length; i += STORES_SIDE_BY_SIDE) {
      const counts = await Promise.all(stores.slice(i, i + STORES_SIDE_BY_SIDE).map((id) => this.#dispatchStore(id)))
      dispatched += counts.reduce((sum, count) => sum + count, 0)
    }
    // Without any events, a look would find the same stores: they fail, or another process serves them.
    if (hasLooked && dispatched > 0) this.#mayLook = true
    return dispatched
  }

  async #look() {
    this.#mayLook = false
    for (const cell of this.#directory.cells) {
      for (const id of await this.#storesBehind(cell)) this.#scheduled.add(id)
    }
  }

  /** The ids of stores with new events, from an index that holds only these: idle stores cost nothing. */
  async #storesBehind(cell: Cell): Promise<number[]> {
    const last = this.#lastStores.get(cell.name) ?? 0
    const behind = await cell.system.system<{ store_id: number }>(sql`
      select store_id from event_streams where last_seq > dispatched_seq and store_id > ${last}
      order by store_id limit ${STORES_AT_ONCE}`)
    // After the last store, start again with the first.
    this.#lastStores.set(cell.name, behind.length < STORES_AT_ONCE ? 0 : (behind.at(-1)?.store_id ?? 0))
    if (behind.length === 0 && last > 0) return this.#storesBehind(cell)
    return behind.map(({ store_id }) => store_id)
  }

  /** If a store fails, it is logged, and the other stores continue. */
  async #dispatchStore(id: number): Promise<number> {
    try {
      const db = await this.#directory.dbById(id)
      if (!db) return 0
      const began = performance.now()
      const { events, claims } = await db.transaction((tx) => dispatch(tx, (host) => this.#expediter?.free(host) ?? 0))
      await Promise.all(claims.map((claim) => this.#expediter?.send(db, claim, began)))
      if (events === EVENTS_AT_ONCE) this.#scheduled.add(id)
      return events
    } catch (error) {
      this.#log.error({ err: error, store: id }, 'the events of a store could not be dispatched')
      return 0
    }
  }
}

interface Dispatched {
  /** The number of dispatched events. */
  events: number
  /** Lanes to send at once. */
  claims: HookClaim[]
}

async function dispatch(tx: Tx, free: (host: string) => number): Promise<Dispatched> {
  asQueueWork(tx)
  // The statements are sent together and run in this order, so the others see everything committed before the lock.
  const {
    locks: [lock],
    streams: [stream],
    recent,
  } = await tx.together(() => ({
    locks: tx.rows<{ free: boolean }>(
      prepared(sql`select pg_try_advisory_xact_lock(${DISPATCH_LOCK}::int, ${tx.store.id}::int) as free`),
    ),
    streams: tx.rows<{ dispatched_seq: number; last_seq: number }>(
      prepared(sql`select dispatched_seq, last_seq from event_streams where store_id = ${tx.store.id}`),
    ),
    recent: recentEvents(tx),
  }))
  if (!lock?.free || !stream || stream.dispatched_seq === stream.last_seq) return { events: 0, claims: [] }
  const events = await nextEvents(tx, stream.dispatched_seq, recent)
  const matches = await matchesOf(tx, events)
  const active = matches.filter(({ hook }) => hook.is_active)
  const parked = matches.filter(({ hook }) => !hook.is_active)
  const leased = await queue(tx, active, lanesToSend(active, free))
  const claims = claimsOf(leased, active, slotOf(tx.now.getTime() - tx.aheadMs))
  if (parked.length > 0) await park(tx, parked)
  await recordMatches(tx, matches)
  // Events that were not dispatched for 30 days were deleted with their day. The store is up to date without them.
  const upTo = events.at(-1)?.seq ?? stream.last_seq
  tx.beforeCommit(() => [[...recordLeases(tx, claims), moveStream(tx, upTo)]])
  return { events: events.length, claims }
}

const eventColumns = sql.raw('seq, slot, ms, nonce, scope, resource, data, client_id')
const inOrder = sql.raw(`order by seq limit ${EVENTS_AT_ONCE}`)

/** New events of today and yesterday. The statement names these days, so that the plan reads them and not the whole ring. */
function recentEvents(tx: Tx): Promise<StreamEvent[]> {
  const days = [0, DAY_MS].map((ms) => slotOf(tx.now.getTime() - tx.aheadMs - ms)).join(', ')
  return tx.rows(
    prepared(sql`
      select ${eventColumns} from events
      where store_id = ${tx.store.id} and slot in (${sql.raw(days)})
        and seq > (select dispatched_seq from event_streams where store_id = ${tx.store.id}) ${inOrder}`),
  )
}

/** The events behind the last dispatched one. All days of the ring are read only if the next event is older than yesterday. */
async function nextEvents(tx: Tx, dispatched: number, recent: StreamEvent[]): Promise<StreamEvent[]> {
  // Numbers have no gaps, so consecutive numbers are the next ones.
  const isNext = recent.every(({ seq }, i) => seq === dispatched + 1 + i)
  if (isNext && recent.length > 0) return recent
  return tx.rows(sql`
    select ${eventColumns} from events where store_id = ${tx.store.id} and seq > ${dispatched} ${inOrder}`)
}

async function matchesOf(tx: Tx, events: readonly StreamEvent[]): Promise<Match[]> {
  const listeners = await listenersTo(tx, events)
  return events.flatMap((event) =>
    listenersOf(event, listeners).map((hook) => ({
      event,
      hook,
      hook_id: hook.id,
      resource: event.resource,
      seq: event.seq,
      slot: event.slot,
    })),
  )
}

/** The hooks that listen to any of the events, by scope. Inactive hooks are included if they keep a history. */
async function listenersTo(tx: Tx, events: readonly StreamEvent[]): Promise<Map<string, Listener[]>> {
  const scopes = [...new Set(events.flatMap(({ scope }) => listening(scope)))]
  if (scopes.length === 0) return new Map()
  const hooks = await tx.rows<Listener>(
    prepared(sql`
      select id, scope, client_id, destination, host, headers, is_active,
        exists (
          select 1 from host_blocks block
          where block.store_id = ${tx.store.id} and block.client_id = hooks.client_id and block.host = hooks.host
            and blocked_until > ${tx.present}
        ) as is_blocked,
        last_matched_at < ${new Date(tx.now.getTime() - MATCH_INTERVAL_MS)} as is_idle
      from hooks
      where store_id = ${tx.store.id} and scope = any(${scopes}::text[])
        and (is_active or (status = 'inactive' and events_history_enabled)) order by id`),
  )
  return Map.groupBy(hooks, ({ scope }) => scope)
}

function listenersOf({ scope, resource, client_id }: StreamEvent, listeners: Map<string, Listener[]>): Listener[] {
  if (resource === TEST_RESOURCE) return []
  return listening(scope)
    .flatMap((heard) => listeners.get(heard) ?? [])
    .filter((hook) => client_id === null || hook.client_id === client_id)
}

/** Keys of the lanes whose hosts have room, in the order of their events. */
function lanesToSend(matches: readonly Match[], free: (host: string) => number): Set<string> {
  const lanes = new Set<string>()
  const room = new Map<string, number>()
  for (const match of matches) {
    const { host, is_blocked } = match.hook
    const left = room.get(host) ?? (is_blocked ? 0 : free(host))
    if (left === 0 || lanes.has(laneKey(match))) continue
    lanes.add(laneKey(match))
    room.set(host, left - 1)
  }
  return lanes
}

/** Claims of new lanes, as a worker sends them. A new lane holds only these events. */
function claimsOf(lanes: readonly LeasedLane[], matches: readonly Match[], slot: number): HookClaim[] {
  const ofLane = Map.groupBy(matches, laneKey)
  const ofHook = Map.groupBy(lanes, ({ hook_id }) => hook_id)
  return [...ofHook.values()].flatMap((lanes) => {
    const claimed = lanes.map(({ hook_id, resource, fence }) => {
      const waiting = ofLane.get(laneKey({ hook_id, resource })) ?? []
      const deliveries = waiting
        .slice(0, LANE_DELIVERIES_MAX)
        .map(({ event, seq, slot }) => ({ seq, slot, event, attempt: 1, failures: 0 }))
      return { hook: waiting[0]?.hook, lane: { resource, fence, failures: 0, deliveries } }
    })
    const hook = claimed[0]?.hook
    return hook ? [{ hook, lanes: claimed.map(({ lane }) => lane), slot }] : []
  })
}

/** Keeps deliveries of inactive hooks until they are recovered. */
async function park(tx: Tx, matches: readonly Match[]) {
  await tx.rows(sql`
    insert into parked_deliveries (store_id, hook_id, seq, slot, resource, parked_at)
    select ${tx.store.id}, hook_id, seq, slot, resource, ${tx.now}::timestamptz from unnest(
      ${matches.map(({ hook_id }) => hook_id)}::int[], ${matches.map(({ seq }) => seq)}::bigint[],
      ${matches.map(({ slot }) => slot)}::int[], ${matches.map(({ resource }) => resource)}::text[]
    ) as delivery (hook_id, seq, slot, resource) on conflict do nothing`)
}

/** Records the match of hooks whose last recorded match is old. */
async function recordMatches(tx: Tx, matches: readonly Match[]) {
  const idle = new Set(matches.filter(({ hook }) => hook.is_idle).map(({ hook_id }) => hook_id))
  if (idle.size === 0) return
  await tx.rows(sql`
    update hooks set last_matched_at = ${tx.now} where store_id = ${tx.store.id} and id = any(${[...idle]}::int[])`)
}

/** Records the attempts of lanes that are sent at once. A worker looks at their hooks again when the leases end. */
function recordLeases(tx: Tx, claims: readonly HookClaim[]): StatementBatch {
  if (claims.length === 0) return []
  const hookIds = claims.map(({ hook }) => hook.id)
  return [wakeLater(tx, hookIds, LEASE_MS), ...recordAttempts(tx, claims)]
}

/** This statement comes last, because every publish in the store waits for this row. */
const moveStream = (tx: Tx, upTo: number): NamedQuery =>
  prepared(sql`update event_streams set dispatched_seq = ${upTo} where store_id = ${tx.store.id}`)
