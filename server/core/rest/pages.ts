import type { Db } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { Answer, JsonText } from './answer.ts'
import type { Collection, Identified, ListQuery } from './collection.ts'
import { conditionsOf, keyOf } from './filters.ts'
import { type CursorPagination, decodeCursor, encodeCursor, linkTo, type Pagination, pagination } from './paging.ts'
import { Problem } from './problem.ts'
import { fieldsOf } from './verbs.ts'

interface PageMeta {
  pagination?: Pagination
  cursor_pagination?: CursorPagination
}

/**
 * What hangs on rows, such as the images of products: for each id, all of it as JSON text. None is an empty list. It is one
 * statement for all rows of a page (docs/contract/conventions.md section 6, include).
 */
export type Inclusion = (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** The rows of another collection that name the row in a column of theirs, in that collection's order. */
export const included =
  (collection: Collection, owner: string): Inclusion =>
  async (db, ids) => {
    const { columns, order = 'id' } = collection
    const rows = await db.jsonRows(
      sql`
        select ${sql.id(owner)}, ${selection(columns)} from ${sql.id(collection.table)} item
        where store_id = ${db.store.id} and ${sql.id(owner)} = any(${ids})
        order by ${sql.id(owner)}, ${sql.id(order)} nulls last, id`,
      columns,
    )
    const texts = new Map<number, string>()
    for (const { before, text } of rows) {
      const id = Number(before[0])
      const others = texts.get(id)
      texts.set(id, others === undefined ? text : `${others},${text}`)
    }
    return new Map([...texts].map(([id, text]) => [id, `[${text}]`]))
  }

/**
 * One page of a collection: filters, order, field selection and paging as the query says. Rows go from the database to the
 * answer as text, without becoming objects on the way.
 * @param where what else must hold of a row, in SQL
 * @param inclusions what hangs on the rows and is to be shown with them, by the name of its field
 */
export async function findPage(
  db: Db,
  collection: Collection,
  query: ListQuery,
  where?: Sql,
  inclusions: Readonly<Record<string, Inclusion>> = {},
): Promise<Answer<JsonText>> {
  const conditions = conditionsOf(collection.filterList, query)
  if (where) conditions.push(where)
  if (query.before !== undefined || query.after !== undefined) return findByCursor(db, collection, query, conditions)

  const { page, limit } = query
  const fields = fieldsOf(collection, query)
  const isWhole = collection.counted && conditions.length === 0
  const found = await db.jsonRows(
    isWhole ? wholeList(db, collection, query, fields) : filteredList(db, collection, query, fields, conditions),
    fields,
  )
  const [total = 0, version = 0] = (found[0]?.before ?? []).map(Number)
  // A page without rows is one row of nothing beside the total.
  const rows = found.filter(({ before }) => before[2] !== null)
  const ids = rows.map(({ before }) => Number(before[2]))
  if (isWhole && hasPlaces(collection, query)) rememberPlaces(db, collection, query, ids, version)
  const meta = {
    pagination: pagination(total, rows.length, page, limit, query),
    ...(collection.cursors ? { cursor_pagination: cursorsOfPage(ids, total, query) } : {}),
  }
  const texts = rows.map(({ text }) => text)
  return list(withIncluded(texts, ids, await includedTexts(db, ids, inclusions)), meta)
}

/** What hangs on rows, each kind by one statement. */
async function includedTexts(db: Db, ids: readonly number[], inclusions: Readonly<Record<string, Inclusion>>) {
  return Promise.all(Object.entries(inclusions).map(async ([field, find]) => ({ field, texts: await find(db, ids) })))
}

/** Appends to the JSON text of each row what hangs on it. */
function withIncluded(rows: string[], ids: readonly number[], inclusions: Awaited<ReturnType<typeof includedTexts>>) {
  if (inclusions.length === 0) return rows
  const more = (id: number) =>
    inclusions.map(({ field, texts }) => `,${JSON.stringify(field)}:${texts.get(id) ?? '[]'}`).join('')
  return rows.map((row, i) => `${row.slice(0, -1)}${more(ids[i] ?? 0)}}`)
}

/**
 * Rows as a handler has them, with what hangs on them.
 * @param show what is shown of a row itself
 */
export async function withInclusions<R extends Identified>(
  db: Db,
  rows: readonly R[],
  show: (row: R) => object,
  inclusions: Readonly<Record<string, Inclusion>>,
): Promise<object[]> {
  const ids = rows.map(({ id }) => id)
  const found = await includedTexts(db, ids, inclusions)
  return rows.map((row) => ({
    ...show(row),
    ...Object.fromEntries(found.map(({ field, texts }) => [field, JSON.parse(texts.get(row.id) ?? '[]')])),
  }))
}

/** As `findPage`, for a list that shows its rows otherwise than they are stored. */
export async function findRows<R extends Identified>(
  db: Db,
  collection: Collection<R>,
  query: ListQuery,
  where?: Sql,
): Promise<{ data: Partial<R>[]; meta: PageMeta }> {
  const { body } = await findPage(db, collection, query, where)
  return JSON.parse(body.text)
}

/** The matching keys are found once, from an index; total and page both come from them, and the rows are read by key. */
function filteredList(db: Db, collection: Collection, query: ListQuery, fields: readonly string[], conditions: Sql[]) {
  const { keys, by, pageBy } = orderOf(collection, query)
  return sql`
    with found as materialized (
      select ${keys} from ${sql.id(collection.table)} where store_id = ${db.store.id} and ${sql.and(conditions)}
    ), page as (
      select * from found order by ${by} limit ${query.limit} offset ${offsetOf(query)}
    ), ${itemsOf(db, collection, fields)}
    select (select count(*) from found), 0, item.id, ${selection(fields)}
    from (values (1)) one left join page on true left join item on item.id = page.id
    order by ${pageBy}`
}

/**
 * The rows of a page, read by one scan: in a join the wall would be looked at again for each of them, which costs about as
 * much as the row.
 */
const itemsOf = ({ store }: Db, { table }: Collection, fields: readonly string[]) => sql`item as materialized (
  select ${sql.join(fields.map(sql.id))} from ${sql.id(table)}
  where store_id = ${store.id} and id = any(array(select id from page))
)`

/** A list of everything takes its total from the counter, so it never counts. */
function wholeList(db: Db, collection: Collection, query: ListQuery, fields: readonly string[]) {
  const { keys, by, pageBy } = orderOf(collection, query)
  const { where, offset } = startOf(db, collection, query)
  return sql`
    with counter as (
      select total, version from counters where store_id = ${db.store.id} and resource = ${collection.table}
    ), page as (
      select ${keys} from ${sql.id(collection.table)} where store_id = ${db.store.id} and ${where}
      order by ${by} limit ${query.limit} offset ${offset}
    ), ${itemsOf(db, collection, fields)}
    select coalesce((select total from counter), 0), coalesce((select version from counter), 0), item.id,
      ${selection(fields)}
    from (values (1)) one left join page on true left join item on item.id = page.id
    order by ${pageBy}`
}

/**
 * Where a page of a whole list begins: at its place, if it is remembered and the counter still has the version of that
 * moment; else as many rows behind the first one as come before it. One statement decides and reads, so no insert or delete
 * comes between.
 */
function startOf(db: Db, collection: Collection, query: ListQuery): { where: Sql; offset: Sql } {
  const place = hasPlaces(collection, query) ? db.places?.find(placeKey(db, collection, query)) : undefined
  if (!place) return { where: sql`true`, offset: sql`${offsetOf(query)}` }
  const { after, version } = place
  // Not `coalesce`: under a row policy PostgreSQL does not trust it, and would not use the index for the comparison.
  const fromPlace = (there: number, otherwise: number) =>
    sql`(select case when version = ${version} then ${there}::bigint else ${otherwise} end from counter)`
  return {
    where: isFalling(query) ? sql`id < ${fromPlace(after, 2 ** 31)}` : sql`id > ${fromPlace(after, 0)}`,
    offset: fromPlace(0, offsetOf(query)),
  }
}

/** What a page says of where it and the next one begin. Ids are whole numbers: behind the one before means from this one on. */
function rememberPlaces(db: Db, collection: Collection, query: ListQuery, ids: readonly number[], version: number) {
  const [first, last] = [ids[0], ids.at(-1)]
  if (!db.places || first === undefined || last === undefined) return
  const before = isFalling(query) ? first + 1 : first - 1
  db.places.keep(placeKey(db, collection, query), { after: before, version })
  if (ids.length < query.limit) return
  db.places.keep(placeKey(db, collection, { ...query, page: query.page + 1 }), { after: last, version })
}

const hasPlaces = ({ order = 'id' }: Collection, { sort = order }: ListQuery) => sort === 'id'
const isFalling = ({ direction }: ListQuery) => direction === 'desc'

const placeKey = ({ store }: Db, { table }: Collection, { page, limit, direction }: ListQuery) =>
  `${store.id} ${table} ${direction} ${limit} ${page}`

/** The piece of a list behind or before a cursor, in the order of ids. It counts nothing. */
async function findByCursor(db: Db, collection: Collection, query: ListQuery, conditions: Sql[]) {
  if (query.before !== undefined && query.after !== undefined) {
    throw new Problem(422, 'The query is not valid: before and after exclude each other.')
  }
  const isBackwards = query.before !== undefined
  const place = decodeCursor(query.before ?? query.after ?? '')
  const isRising = isFalling(query) === isBackwards
  const beyond = isRising ? sql`id > ${place}` : sql`id < ${place}`
  const fields = fieldsOf(collection, query)
  const found = await db.jsonRows(
    sql`
      select id, ${selection(fields)} from ${sql.id(collection.table)} item
      where store_id = ${db.store.id} and ${sql.and([...conditions, beyond])}
      order by id ${sql.raw(isRising ? 'asc' : 'desc')} limit ${query.limit + 1}`,
    fields,
  )
  const hasMore = found.length > query.limit
  const rows = found.slice(0, query.limit)
  if (isBackwards) rows.reverse()
  const cursors = cursorsOf(
    rows.map(({ before }) => Number(before[0])),
    query,
    {
      // Where we came from there is something; in the other direction there is more if we were given more than asked.
      hasPrevious: isBackwards ? hasMore : true,
      hasNext: isBackwards ? true : hasMore,
      current: isBackwards ? { before: query.before ?? '' } : { after: query.after ?? '' },
    },
  )
  return list(
    rows.map(({ text }) => text),
    { cursor_pagination: cursors },
  )
}

const list = (rows: readonly string[], meta: PageMeta): Answer<JsonText> =>
  new Answer(new JsonText(`{"data":[${rows.join(',')}],"meta":${JSON.stringify(meta)}}`))

function cursorsOfPage(ids: readonly number[], total: number, query: ListQuery): CursorPagination {
  return cursorsOf(ids, query, {
    hasPrevious: query.page > 1,
    hasNext: query.page * query.limit < total,
    current: query.page > 1 ? { page: query.page } : {},
  })
}

function cursorsOf(
  ids: readonly number[],
  query: ListQuery,
  {
    hasPrevious,
    hasNext,
    current,
  }: { hasPrevious: boolean; hasNext: boolean; current: Record<string, string | number> },
): CursorPagination {
  const { limit } = query
  const [first, last] = [ids[0], ids.at(-1)]
  const start = first && encodeCursor(first)
  const end = last && encodeCursor(last)
  return {
    count: ids.length,
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
  const [field = 'id', spelled] = (query.sort ?? collection.order ?? 'id').split(':')
  const direction = sql.raw((spelled ?? query.direction) === 'desc' ? 'desc' : 'asc')
  const column = collection.folded.includes(field) ? keyOf(field) : field
  if (column === 'id') return { keys: sql`id`, by: sql`id ${direction}`, pageBy: sql`page.id ${direction}` }
  const key = sql.id(column)
  return {
    keys: sql`id, ${key}`,
    by: sql`${key} ${direction} nulls last, id`,
    pageBy: sql`page.${key} ${direction} nulls last, page.id`,
  }
}

const offsetOf = ({ page, limit }: ListQuery) => (page - 1) * limit

const selection = (fields: readonly string[]): Sql => sql.join(fields.map((field) => sql`item.${sql.id(field)}`))
