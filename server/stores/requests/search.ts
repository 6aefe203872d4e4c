import type { Database } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { timeOfRequest } from './recorder.ts'
import { expiredSlots, slotsByAge } from './ring.ts'

/** A line of the log. */
export interface RequestLine {
  request_id: string
  correlation_id: string | null
  at: string
  client_id: string | null
  /** The e-mail address of the person who sent it from the console. */
  person: string | null
  operation: string
  path: string
  status: number
  ms: number
  statements: number
  statement_ms: number
  address: string
  agent: string | null
  request_bytes: number | null
  answer_bytes: number | null
}

/** A line with its bodies: null if they were not stored, cut after 8 KiB. */
export interface WholeRequest extends RequestLine {
  request_body: string | null
  answer_body: string | null
}

export interface RequestFilters {
  request_id?: string | undefined
  correlation_id?: string | undefined
  /** Method and route: `GET /v3/catalog/brands/{brand_id}`. */
  operation?: string | undefined
  client_id?: string | undefined
  person?: string | undefined
  /** Whether only requests that change something are wanted. */
  changes?: boolean | undefined
  status?: number | undefined
  /** Whether only statuses from 400 on are wanted. */
  errors?: boolean | undefined
  /** Words of the path with its query, all of which it has. */
  path?: string | undefined
  since?: string | undefined
  until?: string | undefined
  /** Requests that began before this one: the next page. */
  before?: string | undefined
}

const LINE =
  sql.raw(`request_id::text, correlation_id::text, client_id, person, operation, path, status, ms, statements, statement_ms, address,
  agent, request_bytes, answer_bytes`)

type Row<T> = Omit<T, 'at'>

/** A database with the log of its stores. */
interface LoggingCell {
  readonly system: Pick<Database, 'system' | 'everywhere'>
}

/** The newest requests of a store first. */
export async function findRequests(
  cell: LoggingCell,
  store: number,
  filters: RequestFilters,
  limit: number,
): Promise<RequestLine[]> {
  const {
    request_id,
    correlation_id,
    operation,
    client_id,
    person,
    changes,
    status,
    errors,
    path,
    since,
    until,
    before,
  } = filters
  const words = (path ?? '').split(/\s+/).filter((word) => word !== '')
  const conditions: Sql[] = [
    sql`store_id = ${store}`,
    ...(request_id === undefined ? [] : [sql`request_id = ${request_id}::uuid`]),
    ...(correlation_id === undefined ? [] : [sql`correlation_id = ${correlation_id}::uuid`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(client_id === undefined ? [] : [sql`client_id = ${client_id}`]),
    ...(person === undefined ? [] : [sql`person = ${person}`]),
    ...(changes ? [sql`operation !~ '^(GET|HEAD|OPTIONS) '`] : []),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(errors ? [sql`status >= 400`] : []),
    ...words.map((word) => sql`path ilike ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`),
    ...(since === undefined ? [] : [sql`request_id >= ${firstIdAt(Date.parse(since))}::uuid`]),
    ...(until === undefined ? [] : [sql`request_id < ${firstIdAt(Date.parse(until))}::uuid`]),
    ...(before === undefined ? [] : [sql`request_id < ${before}::uuid`]),
  ]
  const rows = await cell.system.system<Row<RequestLine>>(sql`
    select ${LINE} from request_log.lines where ${sql.and(conditions)} order by request_id desc limit ${limit}`)
  return rows.map(withTime)
}

/** Requests that a summary reads at most, the newest ones. */
const SUMMARIZED_MAX = 10_000
const REFUSALS_LISTED = 10

/** The newest requests of a store since a moment, as numbers. */
interface RequestSummary {
  requests: number
  /** Answers from 400 on. */
  errors: number
  p50_ms: number | null
  p99_ms: number | null
  /** Whether there were more requests than a summary reads. */
  is_cut: boolean
  /** The most frequent refusals, by operation, status and sentence. */
  refusals: Refusal[]
}

interface Refusal {
  operation: string
  status: number
  /** The title of the newest answer, or its message in the older family; null if it was not stored. */
  title: string | null
  count: number
  /** The newest one. */
  request_id: string
}

export async function summarizeRequests(cell: LoggingCell, store: number, since: Date): Promise<RequestSummary> {
  const recent = sql`
    select request_id, operation, status, ms, substring(answer_body from '"(?:title|message)":"([^"]{0,200})') as title
    from request_log.lines where store_id = ${store} and request_id >= ${firstIdAt(since.getTime())}::uuid
    order by request_id desc limit ${SUMMARIZED_MAX}`
  const [numbers, refusals] = await Promise.all([
    cell.system.system<Omit<RequestSummary, 'refusals' | 'is_cut'>>(sql`
      select count(*)::int as requests, (count(*) filter (where status >= 400))::int as errors,
        percentile_disc(0.5) within group (order by ms) as p50_ms,
        percentile_disc(0.99) within group (order by ms) as p99_ms
      from (${recent}) recent`),
    cell.system.system<Refusal>(sql`
      select operation, status, title, count(*)::int as count, max(request_id::text) as request_id
      from (${recent}) recent where status >= 400 group by 1, 2, 3 order by 4 desc, 5 desc limit ${REFUSALS_LISTED}`),
  ])
  const { requests = 0, errors = 0, p50_ms = null, p99_ms = null } = numbers[0] ?? {}
  return {
    requests,
    errors,
    p50_ms,
    p99_ms,
    is_cut: requests === SUMMARIZED_MAX,
    refusals: refusals.map(({ request_id, ...refusal }) => ({
      ...refusal,
      request_id: request_id.replaceAll('-', ''),
    })),
  }
}

/** One request, as a whole. */
export async function findRequest(cell: LoggingCell, store: number, id: string): Promise<WholeRequest | undefined> {
  const [row] = await cell.system.system<Row<WholeRequest>>(sql`
    select ${LINE}, request_body, answer_body from request_log.lines
    where store_id = ${store} and request_id = ${id}::uuid limit 1`)
  return row && withTime(row)
}

const withTime = <T extends { request_id: string; correlation_id: string | null }>(row: T): T & { at: string } => ({
  ...row,
  // As the header X-Request-Id has it.
  request_id: row.request_id.replaceAll('-', ''),
  at: new Date(timeOfRequest(row.request_id)).toISOString(),
})

/** The smallest id of requests from this moment on. */
const firstIdAt = (ms: number): string => ms.toString(16).padStart(12, '0').padEnd(32, '0')

/** Requests that are counted for the load of a store, the newest ones. */
const LOAD_COUNTED_MAX = 1_000

/** The recent requests of a store, at most 1,000, and those of them that were refused. */
export interface RequestLoad {
  store_id: number
  requests: number
  /** Answers from 400 on. */
  errors: number
}

/** Counts the newest requests of some stores of one database since a moment. */
export async function requestLoads(cell: LoggingCell, stores: readonly number[], since: Date): Promise<RequestLoad[]> {
  const rows = await cell.system.everywhere<{ store_id: number; counts: [requests: number, errors: number] }>(sql`
    select store_id, (
      select jsonb_build_array(count(*), count(*) filter (where status >= 400)) from (
        select status from request_log.lines
        where lines.store_id = chosen.store_id and request_id >= ${firstIdAt(since.getTime())}::uuid
        order by request_id desc limit ${LOAD_COUNTED_MAX}
      ) recent
    ) as counts from store_profiles chosen where store_id = any(${stores}::int[])`)
  return rows.map(({ store_id, counts: [requests, errors] }) => ({ store_id, requests, errors }))
}

/** Requests of a store in which the last use of its accounts is searched, the newest ones. */
const USES_READ_MAX = 10_000

/** The time of the last request of each client, among the newest 10,000 requests of a store. */
export async function lastUses({ system }: LoggingCell, store: number): Promise<ReadonlyMap<string, string>> {
  const rows = await system.system<{ client_id: string; request_id: string }>(sql`
    select client_id, max(request_id::text) as request_id from (
      select client_id, request_id from request_log.lines where store_id = ${store}
      order by request_id desc limit ${USES_READ_MAX}
    ) recent where client_id is not null group by 1`)
  return new Map(
    rows.map(({ client_id, request_id }) => [client_id, new Date(timeOfRequest(request_id)).toISOString()]),
  )
}

/** Most rows that one statement deletes. */
const DELETED_AT_ONCE = 10_000

/** Deletes the rows of a store, or those among them whose path or bodies have one of the texts. @returns their number */
export async function deleteRequests(
  { system }: LoggingCell,
  store: number,
  texts?: readonly string[],
): Promise<number> {
  let deleted = 0
  for (let isMore = true; isMore; ) {
    const found = await system.system<{ request_id: string }>(sql`
      select request_id::text from request_log.lines
      where store_id = ${store} ${texts === undefined ? sql.raw('') : sql`and ${hasOneOf(texts)}`} limit ${DELETED_AT_ONCE}`)
    const ids = found.map(({ request_id }) => request_id)
    if (ids.length > 0) {
      await system.system(sql`
        delete from request_log.lines where store_id = ${store} and request_id = any(${ids}::uuid[]) returning store_id`)
    }
    deleted += ids.length
    isMore = ids.length === DELETED_AT_ONCE
  }
  return deleted
}

/** The requests of a store whose path or bodies have one of the texts: those about a person. The newest come first. */
export async function requestsWith(
  cell: LoggingCell,
  store: number,
  texts: readonly string[],
): Promise<WholeRequest[]> {
  const rows = await cell.system.system<Row<WholeRequest>>(sql`
    select ${LINE}, request_body, answer_body from request_log.lines
    where store_id = ${store} and ${hasOneOf(texts)} order by request_id desc limit ${DELETED_AT_ONCE}`)
  return rows.map(withTime)
}

const hasOneOf = (texts: readonly string[]): Sql => {
  const conditions = texts.map(
    (text) => sql`strpos(lower(concat_ws(' ', path, request_body, answer_body)), ${text.toLowerCase()}) > 0`,
  )
  return sql`(${sql.join(conditions, ' or ')})`
}

/** Bytes of the log in a database. */
const BYTES_MAX = 2 * 1024 ** 3

/**
 * Empties the slots whose rows are older than seven days, and the oldest ones while the log of a database has more than 2 GiB. A table in
 * use is skipped until the next time.
 */
export async function trimRequestLog(
  { cells }: { readonly cells: readonly { readonly system: Pick<Database, 'system' | 'truncate' | 'bytesOf'> }[] },
  now: Date,
  max = BYTES_MAX,
) {
  for (const { system } of cells) {
    const slots = slotsByAge(now.getTime())
    const measures = slots.map((slot) => {
      const table = sql`${`request_log.lines_${slot}`}`
      return sql`select ${slot}::int as slot, ${system.bytesOf(table, 'all')} as bytes, ${system.bytesOf(table)} > 0 as is_filled`
    })
    const measured = await system.system<{ slot: number; bytes: number; is_filled: boolean }>(
      sql`${sql.join(measures, ' union all ')}`,
    )
    const sizes = new Map(
      measured.filter(({ is_filled }) => is_filled).map(({ slot, bytes }) => [slot, bytes] as const),
    )
    let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const expired = new Set(expiredSlots(now.getTime()))
    for (const slot of slots) {
      const bytes = sizes.get(slot)
      if (bytes === undefined || (total <= max && !expired.has(slot))) continue
      await system.truncate(`lines_${slot}`, 'request_log')
      total -= bytes
    }
  }
}
