import type { FastifyBaseLogger } from 'fastify'
import { type Db, type NamedQuery, prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { asQueueWork } from '../../../core/db/queue-work.ts'
import { sql } from '../../../core/db/sql.ts'
import { slotOf } from '../../../core/events/slots.ts'
import type { Cell, Directory } from '../../../stores/directory/directory.ts'
import { type Claim, type ClaimedHook, LANE_DELIVERIES_MAX, type QueuedEvent, recording } from './claims.ts'
import { waking } from './due-hooks.ts'
import { LEASE_MS, type LeasedLane, laneKey, queue } from './lanes.ts'
import { listening } from './scopes.ts'

const STORES_AT_ONCE = 100
const STORES_SIDE_BY_SIDE = 4
const EVENTS_AT_ONCE = 500
// The last match of a hook is noted every ten minutes at most, so that a busy hook's row is not written for every event.
const MATCH_NOTED_MS = 600_000
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
  /** Whether its last match is long ago, so that a new one is noted. */
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

/** Sends at once what is handed out, as far as it has room. The rest is claimed when it is due. */
export interface Expediter {
  /** How many lanes could leave for a host at once. */
  free(host: string): number
  /** @param claimedAt before the leases began, by the monotonic clock */
  send(db: Db, claim: Claim, claimedAt: number): Promise<void>
}

/** The resource of a test event. It is queued for the tested hook when it is made, and handed out to no other. */
export const TEST_RESOURCE = 'test'

/** Turns the new events of every store into deliveries. Any number of processes may do it: one at a time works on a store. */
export class Dispatcher {
  readonly #directory: Directory
  readonly #log: Pick<FastifyBaseLogger, 'error'>
  readonly #expediter: Expediter | undefined
  /** Stores with new events, of which this process knows. A store that is served goes behind the others. */
  readonly #known = new Set<number>()
  /** Whether there may be others. */
  #mayLook = true
  /** The last store that was found, by cell. The next look goes on behind it, so a busy store waits until all others were served. */
  readonly #lastStores = new Map<string, number>()

  constructor(directory: Directory, log: Pick<FastifyBaseLogger, 'error'>, expediter?: Expediter) {
    this.#directory = directory
    this.#log = log
    this.#expediter = expediter
  }

  /** A store has new events. @param storeId if not given, nobody knows which */
  tell(storeId?: number) {
    if (storeId === undefined) this.#mayLook = true
    else this.#known.add(storeId)
  }

  get hasWork(): boolean {
    return this.#known.size > 0 || this.#mayLook
  }

  /** Serves all stores that it knows of once, after a look for more if there may be some. @returns how many events were handed out */
  async handOut(): Promise<number> {
    const looks = this.#mayLook
    if (looks) await this.#look()
    const stores = [...this.#known]
    this.#known.clear()
    let handedOut = 0
    for (let i = 0; i < stores.length; i += STORES_SIDE_BY_SIDE) {
      const counts = await Promise.all(stores.slice(i, i + STORES_SIDE_BY_SIDE).map((id) => this.#handOutStore(id)))
      handedOut += counts.reduce((sum, count) => sum + count, 0)
    }
    // Otherwise the same stores would be found at once: they fail, or another process is serving them.
    if (looks && handedOut > 0) this.#mayLook = true
    return handedOut
  }

  async #look() {
    this.#mayLook = false
    for (const cell of this.#directory.cells) {
      for (const id of await this.#storesBehind(cell)) this.#known.add(id)
    }
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
      if (!db) return 0
      const began = performance.now()
      const { events, claims } = await db.transaction((tx) => dispatch(tx, (host) => this.#expediter?.free(host) ?? 0))
      await Promise.all(claims.map((claim) => this.#expediter?.send(db, claim, began)))
      if (events === EVENTS_AT_ONCE) this.#known.add(id)
      return events
    } catch (error) {
      this.#log.error({ err: error, store: id }, 'the events of a store could not be handed out')
      return 0
    }
  }
}

interface Dispatched {
  /** How many events were handed out. */
  events: number
  /** What is to be sent at once. */
  claims: Claim[]
}

async function dispatch(tx: Tx, free: (host: string) => number): Promise<Dispatched> {
  asQueueWork(tx)
  // They leave in one piece and run in this order, so the others see all that was committed before the lock was taken.
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
  const claims = claimsOf(leased, active, slotOf(tx.now))
  if (parked.length > 0) await park(tx, parked)
  await noteMatches(tx, matches)
  // Events that nobody handed out for 30 days went with their day: then the store is up to date without them.
  const upTo = events.at(-1)?.seq ?? stream.last_seq
  tx.beforeCommit(() => [[...leasing(tx, claims), movingStream(tx, upTo)]])
  return { events: events.length, claims }
}

const eventColumns = sql.raw('seq, slot, ms, nonce, scope, resource, data, client_id')
const inOrder = sql.raw(`order by seq limit ${EVENTS_AT_ONCE}`)

/** New events of today and yesterday. These days are written out, so that the plan reads them and not the whole ring. */
function recentEvents(tx: Tx): Promise<StreamEvent[]> {
  const days = [slotOf(tx.now), slotOf(tx.now.getTime() - DAY_MS)].join(', ')
  return tx.rows(
    prepared(sql`
      select ${eventColumns} from events
      where store_id = ${tx.store.id} and slot in (${sql.raw(days)})
        and seq > (select dispatched_seq from event_streams where store_id = ${tx.store.id}) ${inOrder}`),
  )
}

/** The events behind the last that was handed out. Only if the next one is older than yesterday, all days of the ring are read. */
async function nextEvents(tx: Tx, dispatched: number, recent: StreamEvent[]): Promise<StreamEvent[]> {
  // Numbers have no gaps, so these are the next if they follow on each other.
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

/** The hooks that listen to any of the events, by scope. Hooks that are switched off are included if they keep a history. */
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
        last_matched_at < ${new Date(tx.now.getTime() - MATCH_NOTED_MS)} as is_idle
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

/** Keys of the lanes that there is room for at their hosts, in the order of their events. */
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

/** What a worker needs to send these lanes. They are new, so that nothing waits in them but these events. */
function claimsOf(lanes: readonly LeasedLane[], matches: readonly Match[], slot: number): Claim[] {
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

/** Keeps deliveries of a hook that is switched off until they are recovered. */
async function park(tx: Tx, matches: readonly Match[]) {
  await tx.rows(sql`
    insert into parked_deliveries (store_id, hook_id, seq, slot, resource, parked_at)
    select ${tx.store.id}, hook_id, seq, slot, resource, ${tx.now}::timestamptz from unnest(
      ${matches.map(({ hook_id }) => hook_id)}::int[], ${matches.map(({ seq }) => seq)}::bigint[],
      ${matches.map(({ slot }) => slot)}::int[], ${matches.map(({ resource }) => resource)}::text[]
    ) as delivery (hook_id, seq, slot, resource) on conflict do nothing`)
}

/** Notes that events matched, of hooks for which that was not noted lately. */
async function noteMatches(tx: Tx, matches: readonly Match[]) {
  const idle = new Set(matches.filter(({ hook }) => hook.is_idle).map(({ hook_id }) => hook_id))
  if (idle.size === 0) return
  await tx.rows(sql`
    update hooks set last_matched_at = ${tx.now} where store_id = ${tx.store.id} and id = any(${[...idle]}::int[])`)
}

/** What is written down of lanes that are sent at once: their attempts, and that their hooks are looked at when the leases end. */
function leasing(tx: Tx, claims: readonly Claim[]): StatementBatch {
  if (claims.length === 0) return []
  const hookIds = claims.map(({ hook }) => hook.id)
  return [waking(tx, hookIds, LEASE_MS), ...recording(tx, claims)]
}

/** Comes last: whoever publishes in this store waits for this row. */
const movingStream = (tx: Tx, upTo: number): NamedQuery =>
  prepared(sql`update event_streams set dispatched_seq = ${upTo} where store_id = ${tx.store.id}`)
