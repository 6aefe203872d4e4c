import { type Db, type JsonRows, prepared } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { Answer, JsonBytes } from './answer.ts'
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
        order by ${sql.id(owner)}, ${sql.id(order)}, id`,
      columns,
    )
    const grouped = Map.groupBy(rows.takeTexts(), (_, i) => rows.before[i]?.[0] ?? 0)
    return new Map([...grouped].map(([id, texts]) => [id, `[${texts.join(',')}]`]))
  }

/**
 * One page of a collection: filters, order, field selection and paging as the query says. Rows go from the database to the
 * answer as text, without becoming objects on the way.
 * @param where what else must hold of a row, in SQL
 * @param inclusions what hangs on the rows and is to be shown with them, by the name of its field
 * @param keysIn another table that has the ids of all rows, and all that conditions and order name
 */
export async function findPage(
  db: Db,
  collection: Collection,
  query: ListQuery,
  where?: Sql,
  inclusions: Readonly<Record<string, Inclusion>> = {},
  keysIn: string = collection.table,
): Promise<Answer<JsonBytes>> {
  const conditions = conditionsOf(collection.filterList, query)
  if (where) conditions.push(where)
  if (query.before !== undefined || query.after !== undefined) return findByCursor(db, collection, query, conditions)

  const { page, limit } = query
  const fields = fieldsOf(collection, query)
  const isWhole = collection.counted && conditions.length === 0
  const found = await db.jsonRows(
    isWhole
      ? wholeList(db, collection, query, fields)
      : filteredList(db, collection, query, fields, conditions, keysIn),
    fields,
  )
  const [total = 0, version = 0] = (found.before[0] ?? []).map(Number)
  // A page without rows is one row of nothing beside the total.
  const isEmpty = found.before[0]?.[2] === null
  const ids = isEmpty ? [] : found.before.map(([, , id]) => id ?? 0)
  if (isWhole && hasPlaces(collection, query)) rememberPlaces(db, collection, query, ids, version)
  const meta = {
    pagination: pagination(total, ids.length, page, limit, query),
    ...(collection.cursors ? { cursor_pagination: cursorsOfPage(ids, total, query) } : {}),
  }
  if (isEmpty) return list([], meta)
  const hanging = await includedTexts(db, ids, inclusions)
  return hanging.length === 0 ? wholeRows(found, meta) : list(withIncluded(found.takeTexts(), ids, hanging), meta)
}

/** What hangs on rows, each kind by one statement. */
async function includedTexts(db: Db, ids: readonly number[], inclusions: Readonly<Record<string, Inclusion>>) {
  return Promise.all(Object.entries(inclusions).map(async ([field, find]) => ({ field, texts: await find(db, ids) })))
}

/** Appends to the JSON text of each row what hangs on it. */
function withIncluded(rows: string[], ids: readonly number[], inclusions: Awaited<ReturnType<typeof includedTexts>>) {
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
  return JSON.parse(body.bytes.toString())
}

/** The matching keys are found once, from an index; total and page both come from them, and the rows are read by key. */
function filteredList(
  db: Db,
  collection: Collection,
  query: ListQuery,
  fields: readonly string[],
  conditions: Sql[],
  keysIn: string,
) {
  const { keys, by, pageBy } = orderOf(collection, query)
  return sql`
    with found as materialized (
      select ${names(keys)} from ${sql.id(keysIn)} where store_id = ${db.store.id} and ${sql.and(conditions)}
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
  select ${names(fields)} from ${sql.id(table)}
  where store_id = ${store.id} and id = any(array(select id from page))
)`

/** A list of everything takes its total from the counter, so it never counts. */
function wholeList(db: Db, collection: Collection, query: ListQuery, fields: readonly string[]) {
  // Only in the order of the primary key is there one plan, for large stores as for small ones.
  if (hasPlaces(collection, query)) return prepared(straightPage(db, collection, query, fields))
  return query.page === 1 && orderOf(collection, query).isThatOfAnIndex
    ? straightPage(db, collection, query, fields)
    : sortedPage(db, collection, query, fields)
}

/** Rows that follow each other in an index, from the first one of the page on. */
function straightPage(db: Db, collection: Collection, query: ListQuery, fields: readonly string[]) {
  const { keys, by, itemBy } = orderOf(collection, query)
  const columns = [...new Set([...keys, ...fields])]
  return sql`
    with ${counterOf(db, collection)}, item as materialized (
      select ${names(columns)} from ${sql.id(collection.table)}
      where store_id = ${db.store.id} and ${query.page === 1 ? sql`true` : fromStart(db, collection, query)}
      order by ${by} limit ${query.limit}
    )
    select ${COUNTED}, item.id, ${selection(fields)}
    from (values (1)) one left join item on true
    order by ${itemBy}`
}

/** The keys are found by an index alone, and only the rows of the page are read. */
function sortedPage(db: Db, collection: Collection, query: ListQuery, fields: readonly string[]) {
  const { keys, by, pageBy } = orderOf(collection, query)
  return sql`
    with ${counterOf(db, collection)}, page as (
      select ${names(keys)} from ${sql.id(collection.table)} where store_id = ${db.store.id}
      order by ${by} limit ${query.limit} offset ${offsetOf(query)}
    ), ${itemsOf(db, collection, fields)}
    select ${COUNTED}, item.id, ${selection(fields)}
    from (values (1)) one left join page on true left join item on item.id = page.id
    order by ${pageBy}`
}

const counterOf = ({ store }: Db, { table }: Collection) => sql`counter as (
  select total, version, last_id from counters where store_id = ${store.id} and resource = ${table}
)`
const COUNTED = sql`coalesce((select total from counter), 0), coalesce((select version from counter), 0)`

/**
 * The rows from where a page of a whole list begins, in the order of ids. Ids are given out one after the other: where none is
 * missing, the id says how many come before it. Else the page begins at its place, if it is remembered and the counter still
 * has the version of that moment; else as many rows behind the first one as come before it. One statement decides and reads,
 * so no insert or delete comes between.
 */
function fromStart(db: Db, collection: Collection, query: ListQuery): Sql {
  const offset = offsetOf(query)
  const { after, version } = db.places?.find(placeKey(db, collection, query)) ?? NO_PLACE
  // Not `coalesce`: under a row policy PostgreSQL does not trust it, and would not use the index for the comparison.
  const decided = (whole: Sql, there: number, otherwise: number) =>
    sql`(select case when last_id = total then ${whole} when version = ${version} then ${there}::bigint
      else ${otherwise} end from counter)`
  const [beyond, from] = isFalling(query) ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`]
  const start = isFalling(query)
    ? decided(sql`last_id - ${offset}::bigint + 1`, after, 2 ** 31)
    : decided(sql`${offset}::bigint`, after, 0)
  return sql`id ${from} (
    select id from ${sql.id(collection.table)} where store_id = ${db.store.id} and id ${beyond} ${start}
    order by ${orderOf(collection, query).by} limit 1 offset ${decided(sql`0`, 0, offset)})`
}
const NO_PLACE = { after: 0, version: -1 }

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
  const hasMore = found.before.length > query.limit
  const ids = found.before.slice(0, query.limit).map(([id]) => id ?? 0)
  const texts = found.takeTexts().slice(0, query.limit)
  if (isBackwards) for (const items of [ids, texts]) items.reverse()
  const cursors = cursorsOf(ids, query, {
    // Where we came from there is something; in the other direction there is more if we were given more than asked.
    hasPrevious: isBackwards ? hasMore : true,
    hasNext: isBackwards ? true : hasMore,
    current: isBackwards ? { before: query.before ?? '' } : { after: query.after ?? '' },
  })
  return list(texts, { cursor_pagination: cursors })
}

const list = (rows: readonly string[], meta: PageMeta): Answer<JsonBytes> =>
  new Answer(new JsonBytes(Buffer.concat([LIST_BEGIN, Buffer.from(rows.join(',')), endOf(meta)])))

/** The rows as they came. */
const wholeRows = (rows: JsonRows, meta: PageMeta): Answer<JsonBytes> =>
  new Answer(new JsonBytes(rows.take(LIST_BEGIN, endOf(meta))))

const endOf = (meta: PageMeta) => Buffer.from(`],"meta":${JSON.stringify(meta)}}`)
const LIST_BEGIN = Buffer.from('{"data":[')

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

/** The requested sort, then the id, rising: the same request always gives the same order. Nulls come last. */
function orderOf(collection: Collection, query: ListQuery) {
  const [field = 'id', spelled] = (query.sort ?? collection.order ?? 'id').split(':')
  const direction = (spelled ?? query.direction) === 'desc' ? 'desc' : 'asc'
  const column = collection.folded.includes(field) ? keyOf(field) : field
  // Where there are no nulls, to speak of them would keep PostgreSQL from reading the index backwards.
  const nulls = collection.nullable.has(field) ? ' nulls last' : ''
  const isEnough = column === 'id' || field === collection.unique
  const order = (table: string) =>
    sql.raw(`${table}"${column}" ${direction}${nulls}${isEnough ? '' : `, ${table}"id"`}`)
  return {
    keys: [...new Set(['id', column])],
    by: order(''),
    pageBy: order('page.'),
    itemBy: order('item.'),
    // Read backwards, an index has the ids of equal values falling; only columns with nulls have one for each direction.
    isThatOfAnIndex: isEnough || direction === 'asc' || nulls !== '',
  }
}

const offsetOf = ({ page, limit }: ListQuery) => (page - 1) * limit

const names = (columns: readonly string[]): Sql => sql.join(columns.map(sql.id))
const selection = (fields: readonly string[]): Sql => sql.join(fields.map((field) => sql`item.${sql.id(field)}`))
