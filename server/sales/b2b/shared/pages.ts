import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

/** A part of a list: at most `limit` rows after the first `offset` ones. */
export interface Window {
  limit: number
  offset: number
}

/** A list of rows as parts of one statement. */
export interface RowList {
  table: string
  /** The selected columns. */
  columns: Sql
  /** Conditions beside the store; an empty list reads the total from the counter of the table. */
  where: readonly Sql[]
  order: Sql
  /** A statement that reads the total; undefined to count the rows. */
  total?: Sql | undefined
  /**
   * The column of the order, for conditions that cost more than a page, such as searches: the rows are then found once, for the page and
   * for the total (docs/decisions/162-lists-of-quotes.md).
   */
  foundOnceBy?: string | undefined
  /** Whether the ids of the page are found in an index before its rows are read. */
  idsFirst?: boolean
}

/** The rows of a window, and the number of all rows that meet the conditions. */
export async function findWindow<Row>(db: Db, list: RowList, window: Window): Promise<{ rows: Row[]; total: number }> {
  const { table, columns, where, order, total, foundOnceBy, idsFirst = false } = list
  const from = sql`from ${sql.id(table)} where ${sql.and([sql`store_id = ${db.store.id}`, ...where])}`
  const part = sql`order by ${order} limit ${window.limit} offset ${window.offset}`
  const among = (ids: Sql) => sql`
    from ${sql.id(table)} where store_id = ${db.store.id} and id = any(array(${ids})) order by ${order}`
  const countAll = sql`select count(*)::int as total ${from}`
  if (foundOnceBy !== undefined) {
    const found = await db.rows<Row & { found_total: number }>(sql`
      with found as materialized (select ${sql.join([...new Set(['id', foundOnceBy])].map(sql.id))} ${from})
      select ${columns}, (select count(*)::int from found) as found_total ${among(sql`select id from found ${part}`)}`)
    const [first] = found
    // An empty page behind the last row has no total.
    const isBehind = first === undefined && window.offset > 0
    const [counted] = isBehind ? await db.rows<{ total: number }>(countAll) : []
    return { rows: found, total: first?.found_total ?? counted?.total ?? 0 }
  }
  const counting =
    where.length === 0
      ? sql`select total from counters where store_id = ${db.store.id} and resource = ${table}`
      : countAll
  const { rows, counted } = await db.together(() => ({
    rows: db.rows<Row>(
      sql`select ${columns} ${idsFirst ? among(sql`select id ${from} ${part}`) : sql`${from} ${part}`}`,
    ),
    counted: db.rows<{ total: number }>(total ?? counting),
  }))
  return { rows, total: counted[0]?.total ?? 0 }
}

/**
 * The order of a list: by a column, then by id.
 * @param columns the column of each name of `sortBy`
 * @param direction in any case; descending by default
 */
export function orderBy<Name extends string>(
  columns: Readonly<Record<Name, string>>,
  sortBy: Name | undefined,
  direction = 'DESC',
): Sql {
  const word = direction.toUpperCase() === 'ASC' ? 'asc' : 'desc'
  const column = sortBy === undefined ? 'id' : columns[sortBy]
  return sql.raw(column === 'id' ? `id ${word}` : `${column} ${word}, id ${word}`)
}

/**
 * Matches rows with a text in a column, in any case.
 * @param columns the folded column of each name of `searchBy`; without `searchBy` any of them
 */
export function containing<Name extends string>(
  columns: Readonly<Record<Name, Sql>>,
  q: string | undefined,
  searchBy: Name | undefined,
): Sql[] {
  if (q === undefined || q === '') return []
  const searched = searchBy === undefined ? Object.values<Sql>(columns) : [columns[searchBy]]
  return [
    sql`(${sql.join(
      searched.map((column) => sql`strpos(${column}, ${fold(q)}) > 0`),
      ' or ',
    )})`,
  ]
}

/** A condition for a filter that a query may omit. */
export const when = <Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]
