import pg from 'pg'
import type { Database } from '../database.ts'
import type { StorePlace } from '../engine/engine.ts'
import type { Statement } from '../wire/wire.ts'
import { withClient } from './clients.ts'
import { type CopySource, copiedRows, type FilledTable, filledTables, insertInto } from './selection.ts'
import type { StoreTable } from './tables.ts'

/** The database of both stores. */
interface CopyCell {
  readonly api: Pick<Database, 'atAll'>
  /** Its URL for the role of copies. */
  readonly forkUrl: string
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

/**
 * Copies all rows of a store to another one in the same database, in one transaction: the copy is whole or absent. It logs in as
 * `storeward_fork`, the only role that can read one store and write another: its policies show the rows of `app.source` and take
 * only rows of `app.store`. A copy takes longer than other connections wait for an answer, so each has a connection of its own. The
 * connection stays open for a minute, for the next copy.
 * @returns the number of copied rows
 */
export async function copyRows({ api, forkUrl }: CopyCell, copy: Copy): Promise<number> {
  const stores = [copy.target, ...copy.sources.map(({ store }) => store)]
  const counts = await api.atAll(stores, ([place, ...from]) => {
    if (!place) throw new Error('A copy has a target.')
    const fill = place.hasAll ? fillByOneServer : fillFrom(from, forkUrl)
    return withClient(place.urlFor(forkUrl), (client) => copyAll(client, place, copy, fill))
  })
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/** A transaction in which a copy is filled. */
interface Filling {
  readonly client: pg.Client
  /** The place of the new store. */
  readonly place: StorePlace
  readonly copy: Copy
  /** The number of copied rows of each table. */
  readonly counts: Map<string, number>
}

/** Copies the rows of one source. */
type Fill = (filling: Filling, source: CopySource) => Promise<void>

async function copyAll(client: pg.Client, place: StorePlace, copy: Copy, fill: Fill) {
  const counts = new Map<string, number>()
  // With one server both stores are read on one snapshot. With several, the wall must see where the shard is after it is locked.
  await client.query(`begin isolation level ${place.hasAll ? 'repeatable read' : 'read committed'}`)
  await send(client, place.wall(copy.target))
  for (const source of copy.sources) await fill({ client, place, copy, counts }, source)
  // Apart from the inserts: PostgreSQL finishes the text of a process that has died, and then nothing of it stays.
  await client.query('commit')
  if (copy.isReadAtOnce) {
    const tables = [...counts.keys()].map((table) => place.tableOf(table))
    await client.query('select analyze_copies($1, $2)', [tables, [...counts.values()]])
  }
  return counts
}

const readingFrom = (store: number) => `set local app.source = ${store | 0}`

/** A server with both stores copies the rows itself, all by one text. */
const fillByOneServer: Fill = async ({ client, place, copy: { target, tables }, counts }, source) => {
  await client.query(readingFrom(source.store))
  const filled = await filledTables(client, place, tables, source)
  const statements = filled.map((table) => `${insertInto(table)} ${copiedRows(table, source, target)}`)
  if (statements.length === 0) return
  const results: unknown = await client.query(statements.join(';\n'))
  for (const [i, { rowCount }] of resultsIn(results).entries()) raise(counts, filled[i], rowCount)
}

/** Rows that are in memory at a time. */
const BATCH = 200

/**
 * Copies rows from one node to another: as texts, which all types have. They are read on one snapshot.
 * @param from the places of the sources
 */
const fillFrom =
  (from: readonly StorePlace[], forkUrl: string): Fill =>
  async ({ client, place, copy, counts }, source) => {
    const there = from[copy.sources.indexOf(source)]
    if (!there) throw new Error('Each source has a place.')
    await withClient(there.urlFor(forkUrl), async (reader) => {
      await reader.query('begin isolation level repeatable read')
      await send(reader, there.wallToRead(source.store))
      await reader.query(readingFrom(source.store))
      for (const table of await filledTables(reader, there, copy.tables, source)) {
        const asTexts = copiedRows(table, source, copy.target, (value) => `(${value})::text`)
        await reader.query(atPlace(there, `declare copied no scroll cursor for ${asTexts}`))
        const insertion = atPlace(place, insertionOfTexts(table))
        for (;;) {
          const { rows } = await reader.query<string[]>({ text: `fetch ${BATCH} from copied`, rowMode: 'array' })
          if (rows.length === 0) break
          const { rowCount } = await client.query(
            insertion,
            table.columns.map((_, i) => rows.map((row) => row[i])),
          )
          raise(counts, table, rowCount)
        }
        await reader.query('close copied')
      }
      await reader.query('commit')
    })
  }

function insertionOfTexts(table: FilledTable): string {
  const values = table.columns.map(({ type }, i) => `c${i}::${type}`)
  const texts = table.columns.map((_, i) => `$${i + 1}::text[]`)
  return `${insertInto(table)} select ${values.join(', ')} from unnest(${texts.join(', ')}) as copied (${texts.map((_, i) => `c${i}`).join(', ')})`
}

const atPlace = (place: StorePlace, text: string): string => place.inForm([{ text, values: [] }])[0]?.text ?? text

function raise(counts: Map<string, number>, table: FilledTable | undefined, by: number | null) {
  if (table) counts.set(table.name, (counts.get(table.name) ?? 0) + (by ?? 0))
}

async function send(client: pg.Client, statements: readonly Statement[]) {
  for (const { text, values } of statements) await client.query(text, [...values])
}

/** Several statements in one text have a list of results; the driver's types know one only. */
const resultsIn = (results: unknown): pg.QueryResult[] =>
  [results].flat().filter((result) => result instanceof pg.Result)
