import template, { empty, join, raw, type Sql } from 'sql-template-tag'

export type { Sql }

/**
 * SQL in plain sight: the text stays SQL, every `${value}` is a bound parameter, and a piece made by `sql` nests.
 * A piece is known by its class, so nothing that arrives in a request body can pass for one.
 */
export function sql(strings: readonly string[], ...values: readonly unknown[]): Sql {
  return template(strings, ...values)
}

/** A table or column name. Names come from our source, never from a request. */
sql.id = (name: string): Sql => raw(`"${name.replaceAll('"', '""')}"`)

/** The column list and values of an insert: `insert into brands ${sql.rows([{ store_id: 1, name: 'Acme' }])}`. */
sql.rows = (rows: readonly [Record<string, unknown>, ...Record<string, unknown>[]]): Sql => {
  const columns = Object.keys(rows[0])
  const values = rows.map((row) => sql`(${join(columns.map((column) => row[column]))})`)
  return sql`(${join(columns.map(sql.id))}) values ${join(values)}`
}

/** The assignments of an update: `update brands set ${sql.set({ name: 'Acme' })}`. */
sql.set = (changes: Record<string, unknown>): Sql =>
  join(Object.entries(changes).map(([column, value]) => sql`${sql.id(column)} = ${value}`))

/** The types of the columns of `sql.table`, and the values that each takes. Every column takes null too. */
interface ColumnValues {
  int: number
  bigint: number | bigint | string
  numeric: number | bigint | string
  float8: number
  text: string
  boolean: boolean
  timestamptz: Date | string
  /** As text: `JSON.stringify(value)`. */
  jsonb: string
}

type ColumnTypes = Readonly<Record<string, keyof ColumnValues>>

/** A row for each of whose columns a type is declared. It may have other fields besides. */
type TableRow<Types extends ColumnTypes> = { readonly [Column in keyof Types]: ColumnValues[Types[Column]] | null }

/**
 * Rows as a table, of any number and with one parameter a column, so that the statement has one text:
 * `select id, name from ${sql.table('tree', trees, { id: 'int', name: 'text' })}`.
 */
sql.table = <const Types extends ColumnTypes>(
  name: string,
  rows: readonly TableRow<NoInfer<Types>>[],
  types: Types,
): Sql => {
  const columns = Object.keys(types)
  const values = columns.map((column) => sql`${rows.map((row) => row[column])}::${raw(types[column] ?? '')}[]`)
  return sql`unnest(${join(values)}) as ${sql.id(name)} (${join(columns.map(sql.id))})`
}

/**
 * A set of ids of any size: `order_id = ${sql.anyOf(ids)}`. PostgreSQL counts the elements of an array that is a parameter. While they are
 * few it plans a prepared statement anew each time, which takes as long as its execution.
 */
sql.anyOf = (ids: readonly number[]): Sql => sql`any(array(select unnest(${ids}::int[])))`

/** The same ids as a table: `from ${sql.each(ids)} wanted (id)`. */
sql.each = (ids: readonly number[]): Sql => sql`unnest(array(select unnest(${ids}::int[])))`

/** Conditions that must all hold; `true` if the list is empty. */
sql.and = (conditions: readonly Sql[]): Sql => (conditions.length > 0 ? join(conditions, ' and ') : raw('true'))

sql.join = join
sql.raw = raw
sql.empty = empty
