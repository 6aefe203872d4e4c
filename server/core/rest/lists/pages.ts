import type { Db, JsonRows } from '../../db/database.ts'
import type { Sql } from '../../db/sql.ts'
import { Answer, JsonBytes } from '../answer.ts'
import type { AskedPage, Collection, ListQuery, RowWithId } from './collection.ts'
import { conditionsOf } from './filters.ts'
import { hasPlaces, rememberPlaces } from './pages/by-ids.ts'
import { cursorsOfPage, findByCursor } from './pages/cursor.ts'
import { filteredPage } from './pages/filtered.ts'
import { appendInclusions, type Inclusions } from './pages/inclusions.ts'
import { wholePage } from './pages/whole.ts'
import { type CursorPagination, type Pagination, pagination } from './paging.ts'
import { fieldsOf } from './verbs.ts'

interface PageMeta {
  pagination?: Pagination
  cursor_pagination?: CursorPagination
}

/**
 * One page of a collection: filters, order, field selection and paging by the query. Rows go from the database to the answer as
 * bytes, without becoming objects on the way. The statements are in `pages/`, each with its measurements.
 * @param where a further condition of the rows, in SQL
 * @param inclusions the sub-resources to append to the rows
 */
export async function findPage(
  db: Db,
  listed: Collection,
  asked: AskedPage,
  { where, inclusions = {} }: { where?: Sql | undefined; inclusions?: Inclusions } = {},
): Promise<Answer<JsonBytes>> {
  const collection = listed.cursors === 'without page' ? withCursorsUnless(listed, asked.page !== undefined) : listed
  const query: ListQuery = asked.page === undefined ? { ...asked, page: 1 } : { ...asked, page: asked.page }
  const conditions = conditionsOf(collection.filterList, query)
  if (where) conditions.push(where)
  if (query.before !== undefined || query.after !== undefined) {
    const { rows, ids, cursors } = await findByCursor(db, collection, query, conditions)
    return list(await appendInclusions(db, rows, ids, inclusions), { cursor_pagination: cursors })
  }
  if (!collection.counted || conditions.length > 0) {
    const statement = filteredPage(db, collection, query, { conditions, keysIn: collection.table })
    return findKeyed(db, collection, query, { statement, inclusions })
  }
  const found = await db.jsonRows(wholePage(db, collection, query), fieldsOf(collection, query))
  if (hasPlaces(collection, query)) {
    rememberPlaces(db, collection, query, { ids: idsOf(found), version: found.before[0]?.[1] ?? 0 })
  }
  return answerPage(db, collection, query, { found, inclusions })
}

function withCursorsUnless({ cursors: _, ...collection }: Collection, hasPage: boolean): Collection {
  return hasPage ? collection : { ...collection, cursors: 'every page' }
}

/** A page that a statement of `filteredPage` finds. */
export async function findKeyed(
  db: Db,
  collection: Collection,
  query: ListQuery,
  { statement, inclusions = {} }: { statement: Sql; inclusions?: Inclusions },
): Promise<Answer<JsonBytes>> {
  const found = await db.jsonRows(statement, fieldsOf(collection, query))
  return answerPage(db, collection, query, { found, inclusions })
}

/** As `findPage`, for a list whose answer differs from the stored rows. */
export async function findRows<R extends RowWithId>(
  db: Db,
  collection: Collection<R>,
  query: ListQuery,
  where?: Sql,
): Promise<{ data: Partial<R>[]; meta: PageMeta }> {
  const { body } = await findPage(db, collection, query, { where })
  return JSON.parse(body.bytes.toString())
}

/** @param found rows behind total, version and id; a page without rows is one row of nothing behind the total */
async function answerPage(
  db: Db,
  collection: Collection,
  query: ListQuery,
  { found, inclusions }: { found: JsonRows; inclusions: Inclusions },
): Promise<Answer<JsonBytes>> {
  const total = found.before[0]?.[0] ?? 0
  const ids = idsOf(found)
  const meta = {
    pagination: pagination({ total, count: ids.length, page: query.page, limit: query.limit }, query),
    ...(returnsCursors(collection, query) ? { cursor_pagination: cursorsOfPage(ids, total, query) } : {}),
  }
  if (ids.length === 0) return list([], meta)
  if (Object.keys(inclusions).length === 0) return new Answer(new JsonBytes(found.take(LIST_BEGIN, endOf(meta))))
  return list(await appendInclusions(db, found.takeTexts(), ids, inclusions), meta)
}

const returnsCursors = ({ cursors }: Collection, { page }: ListQuery) =>
  cursors === 'every page' || (cursors === 'first page' && page === 1)

const idsOf = ({ before }: JsonRows): number[] => before.flatMap(([, , id]) => id ?? [])

const list = (rows: readonly string[], meta: PageMeta): Answer<JsonBytes> =>
  new Answer(new JsonBytes(Buffer.concat([LIST_BEGIN, Buffer.from(rows.join(',')), endOf(meta)])))

const LIST_BEGIN = Buffer.from('{"data":[')
const endOf = (meta: PageMeta) => Buffer.from(`],"meta":${JSON.stringify(meta)}}`)
