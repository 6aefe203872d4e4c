import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { eventId } from '../sending/event-id.ts'

/** Events that one request reads at most while it searches. */
const READ_MAX = 10_000

/** An event of a store as the operator sees it. */
interface EventOfStore {
  id: string
  scope: string
  /** The changed resource, such as `order 7`. */
  resource: string
  at: string
  data: string
  /** The correlation id of the request that has published it, or the id of a request without one; null for events of the server. */
  correlation_id: string | null
}

export interface EventFilters {
  /** A scope, or a family of scopes that ends with an asterisk. */
  scope?: string | undefined
  resource?: string | undefined
  correlation_id?: string | undefined
  /** The number of an event: only older ones are searched. */
  before?: number | undefined
}

export interface EventPage {
  events: EventOfStore[]
  /** The number of the event from which the search goes on; null if all events were read. */
  older: number | null
}

interface Row {
  /** Null if no event matches. */
  seq: number | null
  ms: number
  nonce: number
  scope: string
  resource: string
  data: string
  correlation_id: string | null
  read: number
  /** The number of the oldest event that was read. */
  last_seq: number | null
}

/**
 * The newest events of a store that match. One call reads 10,000 events at most, so a page can be empty and still have an older one.
 * Events are kept for 30 days.
 */
export async function eventsOfStore(
  db: Db,
  { scope, resource, correlation_id, before }: EventFilters,
  limit: number,
): Promise<EventPage> {
  const matches = [
    ...(scope === undefined
      ? []
      : [scope.endsWith('*') ? sql`starts_with(scope, ${scope.slice(0, -1)})` : sql`scope = ${scope}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    ...(correlation_id === undefined ? [] : [sql`correlation_id = ${correlation_id}::uuid`]),
    sql`true`,
  ]
  const rows = await db.rows<Row>(sql`
    with recent as materialized (
      select seq, ms, nonce, scope, resource, data, correlation_id from events
      where store_id = ${db.store.id} ${before === undefined ? sql.empty : sql`and seq < ${before}`}
      order by seq desc limit ${READ_MAX}
    )
    select found.*, read, last_seq from (select count(*)::int as read, min(seq) as last_seq from recent) counted
    left join lateral (
      select seq, ms, nonce, scope, resource, data, correlation_id::text from recent where ${sql.and(matches)}
      order by seq desc limit ${limit}
    ) found on true order by seq desc`)
  const [{ read = 0, last_seq = null } = {}] = rows
  const events = rows.flatMap(({ seq, ms, nonce, read: _, last_seq: __, ...event }) =>
    seq === null ? [] : [{ id: eventId({ ms, seq, nonce }), ...event, at: new Date(ms).toISOString() }],
  )
  if (events.length === limit) return { events, older: rows.at(-1)?.seq ?? null }
  return { events, older: read === READ_MAX ? last_seq : null }
}

/** An attempt at a callback. */
interface Callback {
  event_id: string
  scope: string
  hook_id: number
  attempt: number
  started_at: string
  /** `delivered`, the reason of the failure, or null while it is sent. */
  outcome: string | null
  status_code: number | null
  error: string | null
}

/** The callbacks of the newest 10,000 events that requests with this correlation id, or the request with this id, have published. */
export async function callbacksOfStore(db: Db, correlation_id: string, limit: number): Promise<Callback[]> {
  const rows = await db.rows<
    Omit<Callback, 'event_id' | 'started_at'> & { ms: number; seq: number; nonce: number; started_ms: number }
  >(sql`
    with recent as materialized (
      select seq, slot, ms, nonce, scope, correlation_id from events
      where store_id = ${db.store.id} order by seq desc limit ${READ_MAX}
    )
    select recent.seq, ms, nonce, scope, hook_id, attempt, extract(epoch from started_at) * 1000 as started_ms, outcome,
      status_code, error
    from recent
    join attempts on attempts.store_id = ${db.store.id} and attempts.seq = recent.seq and attempts.event_slot = recent.slot
    where correlation_id = ${correlation_id}::uuid
    order by started_at desc, hook_id, recent.seq limit ${limit}`)
  return rows.map(({ ms, seq, nonce, started_ms, ...callback }) => ({
    event_id: eventId({ ms, seq, nonce }),
    ...callback,
    started_at: new Date(Number(started_ms)).toISOString(),
  }))
}
