import { type Sql, sql } from '../../../db/sql.ts'
import type { Collection, ListQuery } from '../collection.ts'
import { keyOf } from '../filters.ts'

/** The order of a list: the requested sort, then the id, rising. The same request always gives the same order. Nulls come last. */
export interface ListOrder {
  /** The columns that it compares, the id among them. */
  keys: readonly string[]
  /** The terms of `order by`. @param table the name of the rows, if the statement has others too */
  by(table?: string): Sql
  /** Whether an index of the table has its rows in this order. */
  isThatOfAnIndex: boolean
}

/** @throws Error for a sort that the schema of the route should have refused */
export function orderOf(collection: Collection, query: ListQuery): ListOrder {
  const [asked, spelled] = (query.sort ?? collection.order ?? 'id').split(':')
  // A name from our source goes into the statement, and never one of a request.
  const field = collection.columns.find((column) => column === asked)
  if (field === undefined) throw new Error(`The schema let a list be sorted by ${asked}, which is no column.`)
  const column = collection.folded.includes(field) ? keyOf(field) : field
  const isFalling = (spelled ?? query.direction) === 'desc'
  // For a column without nulls, `nulls last` would keep PostgreSQL from reading the index backwards.
  const hasNulls = collection.nullable.has(field)
  const isEnough = column === 'id' || field === collection.unique
  const direction = sql.raw(`${isFalling ? 'desc' : 'asc'}${hasNulls ? ' nulls last' : ''}`)
  return {
    keys: [...new Set(['id', column])],
    by(table) {
      const prefix = table === undefined ? sql.empty : sql`${sql.id(table)}.`
      return sql`${prefix}${sql.id(column)} ${direction}${isEnough ? sql.empty : sql`, ${prefix}"id"`}`
    },
    // Read backwards, an index has the ids of equal values falling; only columns with nulls have one for each direction.
    isThatOfAnIndex: isEnough || !isFalling || hasNulls,
  }
}

/** How many rows come before a page. */
export const offsetOf = ({ page, limit }: ListQuery): number => (page - 1) * limit
