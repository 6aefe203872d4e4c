import { loadModule, parseSync } from 'libpg-query'
import pg from 'pg'

await loadModule()

/** A statement around the names of its tables: there is one more part than names. */
interface Parts {
  readonly between: readonly string[]
  readonly tables: readonly TableName[]
}

interface TableName {
  /** With its schema, if the statement names that. */
  readonly name: string
  /** The name by which the rest of the statement means the table. Undefined if the statement gives it another one, or can't. */
  readonly alias: string | undefined
}

/** Statements that were read last. Those of lists have many texts. */
const READ_MAX = 2_000
const read = new Map<string, Parts>()

/**
 * The other name of a table.
 * @throws Error for a table without another name: its rows would be asked of the whole cluster, and a row policy would hide them all
 */
export function shardName(name: string, names: ReadonlyMap<string, string>): string {
  const found = names.get(name)
  if (found === undefined) throw new Error(`The table ${name} has no rows of stores.`)
  return found
}

/**
 * A statement with other names for its tables. Columns go on to mean the tables by their former names.
 * @param names by the name of the table; one of another schema than `public` has it before it
 * @throws Error as `shardName`
 */
export function withShardNames(text: string, names: ReadonlyMap<string, string>): string {
  const { between, tables } = partsOf(text)
  if (tables.length === 0) return text
  let renamed = between[0] ?? ''
  for (const [i, { name, alias }] of tables.entries()) {
    const shard = shardName(name, names)
    renamed += alias === undefined ? shard : `${shard} as ${alias}`
    renamed += between[i + 1] ?? ''
  }
  return renamed
}

function partsOf(text: string): Parts {
  const known = read.get(text)
  if (known) {
    // Moves it behind the others: so the one that was used longest ago stands first.
    read.delete(text)
    read.set(text, known)
    return known
  }
  const parts = split(text)
  read.set(text, parts)
  const [oldest] = read.keys()
  if (read.size > READ_MAX && oldest !== undefined) read.delete(oldest)
  return parts
}

/** The parser counts bytes, and a text may have letters of several. */
function split(text: string): Parts {
  const bytes = Buffer.from(text)
  const { tables, queries } = namesIn(parseSync(text))
  const between: string[] = []
  const found: TableName[] = []
  let end = 0
  for (const { location = 0, schemaname, relname, alias } of tables.sort((one, other) => at(one) - at(other))) {
    // A part of `with` is no table, and the catalog of PostgreSQL is the same at each node.
    if ((schemaname === undefined && queries.has(relname)) || CATALOG.test(schemaname ?? relname)) continue
    between.push(bytes.toString('utf8', end, location))
    end = location + (WRITTEN.exec(bytes.toString('utf8', location))?.[0].length ?? 0)
    found.push({
      name: schemaname === undefined ? relname : `${schemaname}.${relname}`,
      alias: alias === undefined ? pg.escapeIdentifier(relname) : undefined,
    })
  }
  return { between: [...between, bytes.toString('utf8', end)], tables: found }
}

const CATALOG = /^(?:pg_|information_schema$)/

/** The name of a table as it is written. */
const WRITTEN = /^(?:"[^"]+"|\w+)(?:\s*\.\s*(?:"[^"]+"|\w+))?/

/** A table in the tree of a statement. */
interface TableNode {
  relname: string
  schemaname?: string
  /** Missing if it is 0. */
  location?: number
  alias?: unknown
}

const at = ({ location = 0 }: TableNode) => location

const isTable = (node: object): node is TableNode => 'relname' in node && 'relpersistence' in node

/** The tables of a statement, and the names of the queries in its `with`. */
function namesIn(tree: unknown, tables: TableNode[] = [], queries = new Set<string>()) {
  if (typeof tree !== 'object' || tree === null) return { tables, queries }
  if (isTable(tree)) tables.push(tree)
  else if ('ctename' in tree) queries.add(String(tree.ctename))
  for (const [key, part] of Object.entries(tree)) {
    // Tables that a lock names are those of the statement, by their names there.
    if (key !== 'lockedRels') namesIn(part, tables, queries)
  }
  return { tables, queries }
}
