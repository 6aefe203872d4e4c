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
}

export interface EventFilters {
  /** A scope, or a family of scopes that ends with an asterisk. */
  scope?: string | undefined
  resource?: string | undefined
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
  { scope, resource, before }: EventFilters,
  limit: number,
): Promise<EventPage> {
  const matches = [
    ...(scope === undefined
      ? []
      : [scope.endsWith('*') ? sql`starts_with(scope, ${scope.slice(0, -1)})` : sql`scope = ${scope}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    sql`true`,
  ]
  const rows = await db.rows<Row>(sql`
    with recent as materialized (
      select seq, ms, nonce, scope, resource, data from events
      where store_id = ${db.store.id} ${before === undefined ? sql.empty : sql`and seq < ${before}`}
      order by seq desc limit ${READ_MAX}
    )
    select found.*, read, last_seq from (select count(*)::int as read, min(seq) as last_seq from recent) counted
    left join lateral (
      select seq, ms, nonce, scope, resource, data from recent where ${sql.and(matches)} order by seq desc limit ${limit}
    ) found on true order by seq desc`)
  const [{ read = 0, last_seq = null } = {}] = rows
  const events = rows.flatMap(({ seq, ms, nonce, scope, resource, data }) =>
    seq === null ? [] : [{ id: eventId({ ms, seq, nonce }), scope, resource, at: new Date(ms).toISOString(), data }],
  )
  if (events.length === limit) return { events, older: rows.at(-1)?.seq ?? null }
  return { events, older: read === READ_MAX ? last_seq : null }
}
