import pg from 'pg'
import type { StorePlace } from '../engine/engine.ts'
import { type CopyPurpose, FORKED_VALUES, isCopied, NGRAM_COLUMNS, PICTURE_COLUMNS } from './copied-tables.ts'
import { countRows, type StoreTable } from './tables.ts'

/** A store whose rows are copied, and the tables to copy. */
export interface CopySource {
  readonly store: number
  readonly purpose: CopyPurpose
  /** How the paths of its pictures begin, and how they begin in the copy. */
  readonly paths: { readonly from: string; readonly to: string }
}

/** A table with rows of the source, and the columns to copy. */
export interface FilledTable {
  name: string
  columns: readonly Column[]
  /** A condition for its rows. */
  condition?: string | undefined
}

interface Column {
  name: string
  type: string
}

/**
 * The tables that have rows of the source. Most tables have none, and an insert takes longer than to look.
 * @param client behind the walls of the source, at its place
 */
export async function filledTables(
  client: pg.Client,
  place: StorePlace,
  tables: readonly StoreTable[],
  { store, purpose }: CopySource,
): Promise<FilledTable[]> {
  const copied = tables.filter(({ name }) => isCopied(name, purpose))
  const [look] = place.inForm([countRows(copied, store, 1)])
  if (!look) throw new Error('A statement has a form.')
  const { rows } = await client.query<{ counts: number[] }>({ ...look, values: [...look.values] })
  const counts = rows[0]?.counts ?? []
  const filled = copied.flatMap(({ name }, i) => (counts[i] === 0 ? [] : [name]))
  const columns = await columnsOf(client, filled)
  // A counter has the name of its table.
  const counted = `resource in (${copied.map(({ name }) => pg.escapeLiteral(name)).join(', ')})`
  return filled.map((name) => ({
    name,
    columns: columns.get(name) ?? [],
    condition: name === 'counters' ? counted : undefined,
  }))
}

async function columnsOf(client: pg.Client, tables: readonly string[]): Promise<Map<string, Column[]>> {
  const text = `
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname = any ($1)
    order by c.relname, a.attnum`
  const { rows } = await client.query<Column & { table: string }>(text, [tables])
  return Map.groupBy(rows, ({ table }) => table)
}

/** The head of the insert of copied rows. */
export const insertInto = ({ name, columns }: FilledTable): string =>
  `insert into ${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')})`

/**
 * The query of the copied rows of a table, with the columns of the insert.
 * @param form the form of a column in SQL
 */
export function copiedRows(
  { name, columns, condition = 'true' }: FilledTable,
  source: CopySource,
  target: number,
  form = (value: string) => value,
): string {
  const values = columns.map((column) => form(copiedValue(name, column, source, target)))
  return `select ${values.join(', ')} from ${pg.escapeIdentifier(name)} where store_id = ${source.store | 0} and ${condition}`
}

function copiedValue(table: string, { name, type }: Column, { purpose, paths }: CopySource, target: number): string {
  if (name === 'store_id') return String(target | 0)
  if (NGRAM_COLUMNS[table] === name) return 'null'
  const forked = purpose === 'fork' || purpose === 'test fork' ? FORKED_VALUES[table]?.[name] : undefined
  if (forked !== undefined) return forked
  const column = pg.escapeIdentifier(name)
  if (!PICTURE_COLUMNS[table]?.includes(name)) return column
  const [from, to] = [pg.escapeLiteral(paths.from), pg.escapeLiteral(paths.to)]
  return type === 'jsonb' ? `replace(${column}::text, ${from}, ${to})::jsonb` : `replace(${column}, ${from}, ${to})`
}
