import pg from 'pg'
import { type CopyPurpose, FORKED_VALUES, isCopied, NGRAM_COLUMNS, PICTURE_COLUMNS } from './copied-tables.ts'
import { countRows, type StoreTable } from './tables.ts'

declare module 'pg' {
  // Methods that the driver's types omit.
  interface Client {
    ref(): void
    unref(): void
  }
}

/** A store whose rows are copied, and the tables to copy. */
export interface CopySource {
  readonly store: number
  readonly purpose: CopyPurpose
  /** How the paths of its pictures begin, and how they begin in the copy. */
  readonly paths: { readonly from: string; readonly to: string }
}

interface Copy {
  /** The number of the new store. */
  readonly target: number
  /** Copied one after the other, on one snapshot of the database. */
  readonly sources: readonly CopySource[]
  /** The tables of the cell, those that are referred to first. */
  readonly tables: readonly StoreTable[]
  /** Whether all of the copy is read at once. PostgreSQL analyzes it first. */
  readonly isReadAtOnce?: boolean | undefined
}

/** A store of 10,000 products takes seconds, one of a million minutes. */
const STATEMENT_MAX = '30min'

/**
 * Copies all rows of a store to another one in the same database, in one transaction: the copy is whole or absent. It logs in as
 * `storeward_fork`, the only role that can read one store and write another: its policies show the rows of `app.source` and take
 * only rows of `app.store`. A copy takes longer than other connections wait for an answer, so each has a connection of its own. The
 * connection stays open for a minute, for the next copy.
 * @param url of the database, with the role
 * @returns the number of copied rows
 */
export async function copyRows(url: string, { target, sources, tables, isReadAtOnce }: Copy): Promise<number> {
  const client = idle.take(url) ?? (await connect(url))
  try {
    await client.query(`begin isolation level repeatable read; set local app.store = ${target | 0}`)
    const counts = new Map<string, number>()
    for (const source of sources) {
      const copied = tables.filter(({ name }) => isCopied(name, source.purpose))
      await client.query(`set local app.source = ${source.store | 0}`)
      const filled = await filledTables(client, copied, source)
      const columns = await columnsOf(client, filled)
      // A counter has the name of its table.
      const counted = `resource in (${copied.map(({ name }) => pg.escapeLiteral(name)).join(', ')})`
      const statements = filled.map((table) => {
        const insert = insertInto(table, columns.get(table) ?? [], source, target)
        return table === 'counters' ? `${insert} and ${counted}` : insert
      })
      if (statements.length === 0) continue
      const results: unknown = await client.query(statements.join(';\n'))
      for (const [i, { rowCount }] of resultsIn(results).entries()) {
        const table = filled[i] ?? ''
        counts.set(table, (counts.get(table) ?? 0) + (rowCount ?? 0))
      }
    }
    // Apart from the inserts: PostgreSQL finishes the text of a process that has died, and then nothing of it stays.
    await client.query('commit')
    if (isReadAtOnce) await client.query('select analyze_copies($1, $2)', [[...counts.keys()], [...counts.values()]])
    idle.give(url, client)
    return [...counts.values()].reduce((sum, count) => sum + count, 0)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'storeward forks',
    options: `-c statement_timeout=${STATEMENT_MAX} -c idle_in_transaction_session_timeout=10s -c max_parallel_workers_per_gather=0`,
    keepAlive: true,
  })
  // A connection that is lost fails its statement, too.
  client.on('error', () => idle.drop(client))
  await client.connect()
  return client
}

/**
 * A new connection reads the catalog of all tables and their policies at its first copy, which takes longer than to copy a small store. So
 * connections wait for the next copy.
 */
const IDLE_MS = 60_000

class IdleClients {
  readonly #clients = new Map<string, { client: pg.Client; timer: NodeJS.Timeout }>()

  /** At most one of each database waits. It doesn't keep the process running. */
  give(url: string, client: pg.Client) {
    if (this.#clients.has(url)) return void client.end().catch(() => {})
    client.unref()
    const timer = setTimeout(
      () =>
        this.take(url)
          ?.end()
          .catch(() => {}),
      IDLE_MS,
    ).unref()
    this.#clients.set(url, { client, timer })
  }

  take(url: string): pg.Client | undefined {
    const known = this.#clients.get(url)
    if (!known) return undefined
    clearTimeout(known.timer)
    this.#clients.delete(url)
    known.client.ref()
    return known.client
  }

  drop(lost: pg.Client) {
    for (const [url, { client, timer }] of this.#clients) {
      if (client !== lost) continue
      clearTimeout(timer)
      this.#clients.delete(url)
    }
  }
}

const idle = new IdleClients()

/** Several statements in one text have a list of results; the driver's types know one only. */
const resultsIn = (results: unknown): pg.QueryResult[] =>
  [results].flat().filter((result) => result instanceof pg.Result)

/** The names of the tables that have rows of the source. Most tables have none, and an insert takes longer than to look. */
async function filledTables(client: pg.Client, tables: readonly StoreTable[], { store }: CopySource) {
  const { rows } = await client.query<{ counts: number[] }>(countRows(tables, store, 1))
  const counts = rows[0]?.counts ?? []
  return tables.flatMap(({ name }, i) => (counts[i] === 0 ? [] : [name]))
}

async function columnsOf(client: pg.Client, tables: readonly string[]): Promise<Map<string, Column[]>> {
  const text = `
    select c.relname as table, a.attname as name, a.atttypid = 'jsonb'::regtype as "isJson"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname = any ($1)
    order by c.relname, a.attnum`
  const { rows } = await client.query<Column & { table: string }>(text, [tables])
  return Map.groupBy(rows, ({ table }) => table)
}

interface Column {
  name: string
  isJson: boolean
}

function insertInto(table: string, columns: readonly Column[], source: CopySource, target: number): string {
  const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const values = columns.map((column) => copiedValue(table, column, source, target)).join(', ')
  const name = pg.escapeIdentifier(table)
  return `insert into ${name} (${names}) select ${values} from ${name} where store_id = ${source.store | 0}`
}

function copiedValue(table: string, { name, isJson }: Column, { purpose, paths }: CopySource, target: number): string {
  if (name === 'store_id') return String(target | 0)
  if (NGRAM_COLUMNS[table] === name) return 'null'
  const forked = purpose === 'fork' || purpose === 'test fork' ? FORKED_VALUES[table]?.[name] : undefined
  if (forked !== undefined) return forked
  const column = pg.escapeIdentifier(name)
  if (!PICTURE_COLUMNS[table]?.includes(name)) return column
  const [from, to] = [pg.escapeLiteral(paths.from), pg.escapeLiteral(paths.to)]
  return isJson ? `replace(${column}::text, ${from}, ${to})::jsonb` : `replace(${column}, ${from}, ${to})`
}
