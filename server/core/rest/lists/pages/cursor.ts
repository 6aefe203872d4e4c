import type { Db } from '../../../db/database.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { Problem } from '../../problem.ts'
import type { Collection, ListQuery } from '../collection.ts'
import { selection } from '../columns.ts'
import { type CursorPagination, decodeCursor, encodeCursor, linkTo } from '../paging.ts'
import { fieldsOf } from '../verbs.ts'

/**
 * The piece of a list behind or before a cursor, in the order of ids (docs/contract/conventions.md section 4). Nothing is counted.
 * @returns the rows, each as JSON, and their ids
 */
export async function findByCursor(db: Db, collection: Collection, query: ListQuery, conditions: readonly Sql[]) {
  if (query.before !== undefined && query.after !== undefined) {
    throw new Problem(422, 'The query is not valid: before and after must not be sent together.')
  }
  const isBackwards = query.before !== undefined
  const place = decodeCursor(query.before ?? query.after ?? '')
  const isRising = (query.direction === 'desc') === isBackwards
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
  const rows = found.takeTexts().slice(0, query.limit)
  if (isBackwards) for (const items of [ids, rows]) items.reverse()
  const cursors = cursorsOf(ids, query, {
    // There are rows on the side that the cursor comes from. On the other side there are more if the statement returned one more
    // than the limit.
    hasPrevious: isBackwards ? hasMore : true,
    hasNext: isBackwards ? true : hasMore,
    current: isBackwards ? { before: query.before ?? '' } : { after: query.after ?? '' },
  })
  return { rows, ids, cursors }
}

/** The cursors of a page that was asked for by its number. */
export const cursorsOfPage = (ids: readonly number[], total: number, query: ListQuery): CursorPagination =>
  cursorsOf(ids, query, {
    hasPrevious: query.page > 1,
    hasNext: query.page * query.limit < total,
    current: query.page > 1 ? { page: query.page } : {},
  })

interface Neighbours {
  hasPrevious: boolean
  hasNext: boolean
  current: Record<string, string | number>
}

const cursorsOf = (ids: readonly number[], query: ListQuery, neighbours: Neighbours): CursorPagination =>
  cursorMeta(
    ids.map((id) => encodeCursor(id)),
    query,
    neighbours,
  )

/** The cursors of the first and the last row of a piece of a list. @param cursors of its rows */
export function cursorMeta(
  cursors: readonly string[],
  query: Pick<ListQuery, 'limit'>,
  { hasPrevious, hasNext, current }: Neighbours,
): CursorPagination {
  const { limit } = query
  const [start, end] = [cursors[0], cursors.at(-1)]
  return {
    count: cursors.length,
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
