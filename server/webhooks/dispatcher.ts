import type { Db, Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { slotOf } from '../core/events/slots.ts'
import type { Directory } from '../stores/directory.ts'
import { restrain } from './restrain.ts'
import { listening } from './scopes.ts'

const STORES_AT_ONCE = 100
const EVENTS_AT_ONCE = 500
// The 90 days of a hook are counted in coarse steps, so that a busy hook's row is not written for every event.
const MATCH_NOTED_MS = 600_000
const DAY_MS = 86_400_000
const DISPATCH_LOCK = 1_702_262_389

interface NewEvent {
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

/** The resource of an event that was made to try a hook: it goes to that hook and to no other. */
export const TEST_RESOURCE = 'test'

/**
 * Turns the new events of every store into deliveries. Any number of processes may do it: one at a time works on a store.
 * @returns how many events were handed out; when there were any, there may be more
 */
export async function dispatch(directory: Directory): Promise<number> {
  let handedOut = 0
  for (const cell of directory.cells) {
    // The index holds only the stores that have something new: idle ones cost nothing.
    const behind = await cell.system.system<{ store_id: number }>(
      sql`select store_id from event_streams where last_seq > dispatched_seq limit ${STORES_AT_ONCE}`,
    )
    for (const { store_id } of behind) {
      const db = await directory.dbById(store_id)
      if (db) handedOut += await dispatchStore(db)
    }
  }
  return handedOut
}

async function dispatchStore(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    restrain(tx)
    // Together on their way, but one after the other: the second sees what was before the lock.
    const [{ free }, { dispatched_seq }] = await Promise.all([
      tx.row<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${DISPATCH_LOCK}, ${tx.store.id}) as free`),
      tx.row<{ dispatched_seq: number }>(sql`select dispatched_seq from event_streams where store_id = ${tx.store.id}`),
    ])
    if (!free) return 0
    const events = await newEvents(tx, dispatched_seq)
    const last = events.at(-1)
    if (!last) return 0
    await fanOut(tx, events)
    // Last of all: whoever publishes in this store waits for this row.
    await tx.rows(sql`update event_streams set dispatched_seq = ${last.seq} where store_id = ${tx.store.id}`)
    return events.length
  })
}

/** Those of today and yesterday; where the next one is older, of the whole ring, which costs a look into each of its days. */
async function newEvents(tx: Tx, dispatched: number): Promise<NewEvent[]> {
  const days = [slotOf(tx.now), slotOf(tx.now.getTime() - DAY_MS)]
  const find = (where: Sql) =>
    tx.rows<NewEvent>(sql`
      select seq, slot, scope, resource, client_id from events
      where store_id = ${tx.store.id} and seq > ${dispatched} and ${where} order by seq limit ${EVENTS_AT_ONCE}`)
  const recent = await find(sql`slot = any(${days}::int[])`)
  // Numbers have no gaps, so the one after the last is the next.
  const isNext = recent.every(({ seq }, i) => seq === dispatched + 1 + i)
  return isNext && recent.length > 0 ? recent : find(sql.and([]))
}

async function fanOut(tx: Tx, events: readonly NewEvent[]) {
  const listeners = await listenersTo(tx, events)
  const matches = events.flatMap((event) =>
    hearing(event, listeners).map((hook) => ({ ...event, hook_id: hook.id, is_active: hook.is_active })),
  )
  const sent = matches.filter(({ is_active }) => is_active)
  const parked = matches.filter(({ is_active }) => !is_active)
  await queue(tx, sent)
  if (parked.length > 0) await park(tx, parked)
  await noteMatches(tx, [...new Set(matches.map(({ hook_id }) => hook_id))])
}

/** The hooks that any of the events may be for, by scope. Of those that are switched off only the ones that keep a history. */
async function listenersTo(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, Listener[]>> {
  const scopes = [...new Set(events.flatMap(({ scope }) => listening(scope)))]
  const hooks = await tx.rows<Listener>(sql`
    select id, scope, client_id, is_active from hooks
    where store_id = ${tx.store.id} and scope = any(${scopes})
      and (is_active or (status = 'inactive' and events_history_enabled)) order by id`)
  return Map.groupBy(hooks, ({ scope }) => scope)
}

function hearing({ scope, resource, client_id }: NewEvent, listeners: Map<string, Listener[]>): Listener[] {
  if (resource === TEST_RESOURCE) return []
  return listening(scope)
    .flatMap((heard) => listeners.get(heard) ?? [])
    .filter((hook) => client_id === null || hook.client_id === client_id)
}

interface Match {
  hook_id: number
  resource: string
  seq: number
  slot: number
  /** Attempts that were made earlier. */
  attempted?: number
}

/**
 * Puts deliveries behind those that wait already. A lane that is just being left is waited for, then made anew; its fences
 * begin at the time, so that none comes again and a worker that was frozen meanwhile can't take it for its own.
 */
export async function queue(tx: Tx, matches: readonly Match[]) {
  if (matches.length === 0) return
  const columns = [
    matches.map(({ hook_id }) => hook_id),
    matches.map(({ resource }) => resource),
    matches.map(({ seq }) => seq),
    matches.map(({ slot }) => slot),
    matches.map(({ attempted = 0 }) => attempted),
  ] as const
  const queued = tx.rows(sql`
    insert into deliveries (store_id, hook_id, resource, seq, slot, attempted)
    select ${tx.store.id}, * from unnest(
      ${columns[0]}::int[], ${columns[1]}::text[], ${columns[2]}::bigint[], ${columns[3]}::int[], ${columns[4]}::int[])
    on conflict do nothing`)
  const moved = tx.rows(sql`
    insert into lanes (store_id, hook_id, resource, due_at, fence, failures)
    select distinct ${tx.store.id}::int, hook_id, resource, ${tx.now}::timestamptz, ${tx.now.getTime() * 1_000}::bigint, 0
    from unnest(${columns[0]}::int[], ${columns[1]}::text[]) as lane (hook_id, resource) order by hook_id, resource
    on conflict (store_id, hook_id, resource) do update set fence = lanes.fence`)
  await Promise.all([queued, moved])
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

async function noteMatches(tx: Tx, hookIds: readonly number[]) {
  if (hookIds.length === 0) return
  await tx.rows(sql`
    update hooks set last_matched_at = ${tx.now}
    where store_id = ${tx.store.id} and id = any(${hookIds})
      and last_matched_at < ${new Date(tx.now.getTime() - MATCH_NOTED_MS)}`)
}
