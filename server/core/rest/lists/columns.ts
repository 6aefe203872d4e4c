import { type Sql, sql } from '../../db/sql.ts'

/** `"id", "name"`. */
export const names = (columns: readonly string[]): Sql => sql.join(columns.map(sql.id))

/** The same of the rows called `item`, which are the ones that are shown. */
export const selection = (columns: readonly string[]): Sql =>
  sql.join(columns.map((column) => sql`item.${sql.id(column)}`))
