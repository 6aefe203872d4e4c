import { type NamedQuery, prepared } from '../database.ts'
import { type Sql, sql } from '../sql.ts'

/** A database as the system role asks it. */
interface SystemDatabase {
  system<Row>(query: Sql): Promise<Row[]>
}

/** A table with rows of stores. */
export interface StoreTable {
  /** A table of the directory has its schema: `directory.site_hosts`. */
  name: string
  /** Its primary key without `store_id`: distinguishes the rows of one store. */
  keys: string[]
  /** Whether requests may delete its rows; if not, only the system role may. */
  isOpen: boolean
}

/** The tables of databases, with the state of the catalog from which they were read. */
const known = new WeakMap<SystemDatabase, { state: string; tables: Promise<readonly StoreTable[]> }>()

/**
 * The tables with rows of stores in a database, the referring tables before those that they refer to: so rows can be deleted in
 * this order. They are those of PostgreSQL's catalog, so that no table is missing. To read them takes longer than to copy a small
 * store, so they are read again only after a table was added.
 */
export async function storeTables(database: SystemDatabase): Promise<readonly StoreTable[]> {
  const [catalog] = await database.system<{ state: string }>(
    sql`select count(*) || ' ' || max(oid::int8) as state from pg_class`,
  )
  const { state = '' } = catalog ?? {}
  const former = known.get(database)
  if (former?.state === state) return former.tables
  const tables = readTables(database)
  known.set(database, { state, tables })
  tables.catch(() => known.delete(database))
  return tables
}

async function readTables(database: SystemDatabase): Promise<readonly StoreTable[]> {
  const columns = await database.system<{ name: string; key: string; is_open: boolean }>(sql`
    select case n.nspname when 'directory' then 'directory.' else '' end || c.relname as name, a.attname as key,
      has_table_privilege('storeward', c.oid, 'delete') as is_open
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'directory') and exists (
      select 1 from pg_attribute s where s.attrelid = c.oid and s.attname = 'store_id' and not s.attisdropped)
    order by n.nspname, c.relname, array_position(i.indkey::int2[], a.attnum)`)
  const tables = new Map<string, StoreTable>()
  for (const { name, key, is_open } of columns) {
    const table = tables.get(name) ?? { name, keys: [], isOpen: is_open }
    tables.set(name, table)
    if (key !== 'store_id') table.keys.push(key)
  }
  const links = await database.system<{ child: string; parent: string }>(sql`
    select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`)
  return inOrder(tables, links)
}

/**
 * Counts the rows of a store in each table, at most `max` of each: one statement with `counts`, in the order of the tables. It is planned
 * once for any store, and the order keeps that plan at the primary keys: without it PostgreSQL may read all rows of all stores.
 */
export function countRows(tables: readonly StoreTable[], store: number, max: number): NamedQuery {
  const counts = tables.map((table) => {
    const order = sql.join((table.keys.length === 0 ? ['store_id'] : table.keys).map(sql.id))
    return sql`(select count(*)::int from (
      select from ${tableName(table)} where store_id = ${store} order by ${order} limit ${sql.raw(String(max))}) mine)`
  })
  return prepared(sql`select to_jsonb(array[${sql.join(counts)}]::int[]) as counts`)
}

/** A table in SQL. */
export const tableName = ({ name }: Pick<StoreTable, 'name'>): Sql => sql.join(name.split('.').map(sql.id), '.')

function inOrder(tables: ReadonlyMap<string, StoreTable>, links: readonly { child: string; parent: string }[]) {
  const left = new Map(tables)
  const ordered: StoreTable[] = []
  while (left.size > 0) {
    const isFree = ({ name }: StoreTable) => !links.some(({ child, parent }) => parent === name && left.has(child))
    const free = [...left.values()].filter(isFree)
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left.keys()].join(', ')}.`)
    for (const table of free) left.delete(table.name)
    ordered.push(...free)
  }
  return ordered
}
