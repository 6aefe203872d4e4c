import { brokenUnique, type Db, type Tx } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { answer } from './answer.ts'
import type { Collection, FieldsQuery, Identified, ListQuery } from './collection.ts'
import { condition, keyOf } from './filters.ts'
import { fold } from './fold.ts'
import { type CursorPagination, decodeCursor, encodeCursor, linkTo, type Pagination, pagination } from './paging.ts'
import { notFound, Problem } from './problem.ts'

export interface PageMeta {
  pagination?: Pagination
  cursor_pagination?: CursorPagination
}

/**
 * One page of a collection: filters, order, field selection and paging as the query says.
 * @param where what else must hold of a row, in SQL
 */
export async function findPage<R extends Identified>(db: Db, collection: Collection<R>, query: ListQuery, where?: Sql) {
  const conditions = collection.filterList
    .filter(({ name }) => query[name] !== undefined)
    .map((filter) => condition(filter, query[filter.name]))
  if (where) conditions.push(where)
  if (query.before !== undefined || query.after !== undefined) return findByCursor(db, collection, query, conditions)

  const { page, limit } = query
  const order = orderOf(collection, query)
  const offset = (page - 1) * limit
  const keys = sql`select ${sql.join(['id', ...order.columns].map(sql.id))} from ${sql.id(collection.table)}
    where store_id = ${db.store.id} and ${sql.and(conditions)}`
  const piece = sql`order by ${order.by} limit ${limit} offset ${offset}`
  // The keys are found once, from an index; total and page both come from them, and the rows are read by key.
  // A list of everything takes its total from the counter instead, so it never counts.
  const isCounted = collection.counted && conditions.length === 0
  const found = await db.rows<R & { '~total': number }>(sql`
    with ${
      isCounted
        ? sql`page as (${keys} ${piece})`
        : sql`found as materialized (${keys}), page as (select * from found ${piece})`
    }
    select coalesce(${
      isCounted
        ? sql`(select total from counters where store_id = ${db.store.id} and resource = ${collection.table})`
        : sql`(select count(*) from found)`
    }, 0)::int as "~total", ${selection(collection, query)}
    from (values (1)) one left join page on true
      left join ${sql.id(collection.table)} item on item.store_id = ${db.store.id} and item.id = page.id
    order by ${order.pageBy}`)
  const total = found[0]?.['~total'] ?? 0
  const data = found.flatMap(({ '~total': _, ...row }) => (row.id === null ? [] : [row]))
  return answer<object[], PageMeta>(data, {
    pagination: pagination(total, data.length, page, limit, query),
    ...(collection.cursors ? { cursor_pagination: cursorsOfPage(data, total, query) } : {}),
  })
}

/** The piece of a list behind or before a cursor, in the order of ids. It counts nothing. */
async function findByCursor(db: Db, collection: Collection, query: ListQuery, conditions: Sql[]) {
  if (query.before !== undefined && query.after !== undefined) {
    throw new Problem(422, 'The query is not valid: before and after exclude each other.')
  }
  const isBackwards = query.before !== undefined
  const place = decodeCursor(query.before ?? query.after ?? '')
  const isRising = (query.direction !== 'desc') !== isBackwards
  const beyond = isRising ? sql`id > ${place}` : sql`id < ${place}`
  const rows = await db.rows<Identified>(sql`
    select ${selection(collection, query)} from ${sql.id(collection.table)} item
    where store_id = ${db.store.id} and ${sql.and([...conditions, beyond])}
    order by id ${sql.raw(isRising ? 'asc' : 'desc')} limit ${query.limit + 1}`)
  const hasMore = rows.length > query.limit
  const data = rows.slice(0, query.limit)
  if (isBackwards) data.reverse()
  const cursors = cursorsOf(data, query, {
    // Where we came from there is something; in the other direction there is more if we were given more than asked.
    hasPrevious: isBackwards ? hasMore : true,
    hasNext: isBackwards ? true : hasMore,
    current: isBackwards ? { before: query.before ?? '' } : { after: query.after ?? '' },
  })
  return answer<object[], PageMeta>(data, { cursor_pagination: cursors })
}

function cursorsOfPage(data: { id: number }[], total: number, query: ListQuery): CursorPagination {
  return cursorsOf(data, query, {
    hasPrevious: query.page > 1,
    hasNext: query.page * query.limit < total,
    current: query.page > 1 ? { page: query.page } : {},
  })
}

function cursorsOf(
  data: { id: number }[],
  query: ListQuery,
  {
    hasPrevious,
    hasNext,
    current,
  }: { hasPrevious: boolean; hasNext: boolean; current: Record<string, string | number> },
): CursorPagination {
  const { limit } = query
  const start = data[0] && encodeCursor(data[0].id)
  const last = data.at(-1)
  const end = last && encodeCursor(last.id)
  return {
    count: data.length,
    per_page: limit,
    ...(start ? { start_cursor: start } : {}),
    ...(end ? { end_cursor: end } : {}),
    links: {
      ...(hasPrevious && start ? { previous: linkTo(query, { before: start, limit }) } : {}),
      current: linkTo(query, { ...current, limit }),
      ...(hasNext && end ? { next: linkTo(query, { after: end, limit }) } : {}),
    },
  }
}

/** The requested sort, then the id: the same request always gives the same order. Nulls come last. */
function orderOf(collection: Collection, query: ListQuery) {
  const [field = 'id', spelled] = (query.sort ?? 'id').split(':')
  const direction = sql.raw((spelled ?? query.direction) === 'desc' ? 'desc' : 'asc')
  const column = collection.folded.includes(field) ? keyOf(field) : field
  if (column === 'id') return { columns: [], by: sql`id ${direction}`, pageBy: sql`page.id ${direction}` }
  const key = sql.id(column)
  return {
    columns: [column],
    by: sql`${key} ${direction} nulls last, id`,
    pageBy: sql`page.${key} ${direction} nulls last, page.id`,
  }
}

const selection = (collection: Collection, query: FieldsQuery): Sql =>
  sql.join(fieldsOf(collection, query).map((column) => sql`item.${sql.id(column)}`))

/** `include_fields` first, then `exclude_fields`; the id always stays, unknown names are ignored. */
function fieldsOf({ columns }: Collection, { include_fields, exclude_fields }: FieldsQuery): readonly string[] {
  if (!include_fields && !exclude_fields) return columns
  return columns.filter(
    (column) =>
      column === 'id' || ((include_fields?.includes(column) ?? true) && !(exclude_fields?.includes(column) ?? false)),
  )
}

/** The fields of a row that a query asks for. */
export function pick(collection: Collection, row: object, query: FieldsQuery): object {
  if (!query.include_fields && !query.exclude_fields) return row
  const fields = fieldsOf(collection, query)
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)))
}

/** @throws Problem 404 */
export async function findOne<R extends Identified>(db: Db, collection: Collection<R>, id: number): Promise<R> {
  const row = await db.byKey<R>({ ...collection.byId, values: [db.store.id, id] })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/** The row, kept from changing until the transaction ends. @throws Problem 404 */
export async function lock<R extends Identified>(tx: Tx, collection: Collection<R>, id: number): Promise<R> {
  const row = await tx.byKey<R>({
    name: `${collection.table} lock`,
    text: `${collection.byId.text} for update`,
    values: [tx.store.id, id],
  })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/**
 * Stores a new row under the store's next id. One statement takes the id, checks the maximum and inserts, so no race gets
 * past the maximum.
 * @param statement made by `insertion`, where more is stored beside the row from the values of `beside`
 * @throws Problem 409 for a broken unique rule, 403 at the platform's maximum, 507 at that of the store's plan
 */
export async function insert<R extends Identified>(
  tx: Tx,
  collection: Collection<R>,
  values: Omit<R, 'id'>,
  statement: { name: string; text: string } = collection.insertion,
  beside: unknown[] = [],
): Promise<R> {
  const stored = columnValues(collection, values)
  const plan = tx.store.limits[collection.table] ?? Number.MAX_SAFE_INTEGER
  const max = Math.min(plan, collection.max ?? Number.MAX_SAFE_INTEGER)
  const attempt = (below: number) =>
    refusingConflicts(collection, () =>
      tx.byKey<R>({
        ...statement,
        values: [tx.store.id, below, ...collection.inserted.map((column) => stored[column]), ...beside],
      }),
    )
  const row = await attempt(max)
  if (!row) {
    // A conflict is told before a limit (docs/contract/conventions.md section 1). What this stores, the refusal undoes.
    await attempt(Number.MAX_SAFE_INTEGER)
    throw max === plan
      ? new Problem(507, `The plan of this store allows ${plan} ${collection.title}.`)
      : new Problem(403, `A store can hold at most ${max} ${collection.title}.`)
  }
  return row
}

/**
 * Stores what differs from the row as it is; a change that changes nothing writes nothing.
 * @param row as `lock` gave it
 * @throws Problem 409 for a broken unique rule
 */
export async function change<R extends Identified>(
  tx: Tx,
  collection: Collection<R>,
  row: R,
  changes: object,
): Promise<R> {
  const stored = columnValues(collection, differences(row, changes))
  if (Object.keys(stored).length === 0) return row
  return refusingConflicts(collection, () =>
    tx.row<R>(sql`
      update ${sql.id(collection.table)} set ${sql.set(stored)} where store_id = ${tx.store.id} and id = ${row.id}
      returning ${sql.join(collection.columns.map(sql.id))}`),
  )
}

/** The fields of the changes that say something else than the row does. */
export function differences(row: object, changes: object): Record<string, unknown> {
  const before = new Map(Object.entries(row).map(([field, value]) => [field, JSON.stringify(value)]))
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([field, value]) => value !== undefined && before.get(field) !== JSON.stringify(value),
    ),
  )
}

/** Deletes one row and subtracts it from the total. @returns whether it was there */
export async function remove(tx: Tx, collection: Collection, id: number): Promise<boolean> {
  const gone = await tx.byKey({
    name: `${collection.table} remove`,
    text: `with gone as (delete from ${collection.table} where store_id = $1 and id = $2 returning id)
      update counters set total = total - 1, version = version + 1
      where store_id = $1 and resource = '${collection.table}' and exists (select from gone) returning total`,
    values: [tx.store.id, id],
  })
  return gone !== undefined
}

/** Wire values as they are stored: JSON as text, and beside each text that filters or sorts its folded twin. */
function columnValues(collection: Collection, values: object): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) continue
    stored[field] = collection.json.has(field) ? JSON.stringify(value) : value
    if (collection.folded.includes(field)) stored[keyOf(field)] = fold(String(value))
  }
  return stored
}

async function refusingConflicts<T>(collection: Collection, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const conflict = collection.conflicts?.[brokenUnique(error) ?? '']
    if (!conflict) throw error
    const [sentence, field] = conflict
    throw new Problem(409, sentence, field ? { [field]: sentence } : {})
  }
}
