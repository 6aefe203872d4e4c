import pg from 'pg'
import { inject } from 'vitest'
import { Database } from '../../core/db/database.ts'
import type { Sql } from '../../core/db/sql.ts'
import { Connection } from '../../core/db/wire/connection.ts'
import { withoutShards } from '../citus/cluster.ts'
import { rulesBrokenBy, WallWatch } from './statements.ts'

/** The statements that this worker has sent since the last check, by their text. */
const sent = new Set<string>()
const bySystemRole = new Set<string>()
/** Texts that were checked before. Each text is checked once for all files of a worker. */
const judged = new Set<string>()

const { system } = Database.prototype
Database.prototype.system = function <Row>(query: Sql): Promise<Row[]> {
  bySystemRole.add(query.text)
  return system.call<Database, [Sql], Promise<Row[]>>(this, query)
}

const { everywhere } = Database.prototype
Database.prototype.everywhere = function <Row>(query: Sql, options?: { skipsFailed?: boolean }): Promise<Row[]> {
  bySystemRole.add(query.text)
  return everywhere.call(this, query, options) as Promise<Row[]>
}

/** Texts that were sent without a wall before them. */
const unwalled = new Set<string>()
const watches = new WeakMap<Connection, WallWatch>()

const { send } = Connection.prototype
Connection.prototype.send = function (statements, onAnswer) {
  const texts = statements.map(({ text }) => withoutShards(text))
  for (const text of texts) sent.add(text)
  // On Citus a statement for all stores of a node has another text.
  if (texts[0]?.includes('shards_are(')) for (const text of texts) bySystemRole.add(text)
  const watch = watches.get(this) ?? new WallWatch()
  watches.set(this, watch)
  for (const text of watch.unwalled(texts)) {
    if (!unwalled.has(text)) judged.delete(text)
    unwalled.add(text)
  }
  return send.call(this, statements, onAnswer)
}

let tables: ReadonlySet<string> | undefined

/** Statements of this file that break a rule: the rules and the text. */
export async function faultyStatements(): Promise<string[]> {
  const texts = [...sent].filter((text) => !judged.has(text))
  sent.clear()
  if (texts.length === 0) return []
  tables ??= await tablesOfStores()
  const known = tables
  return texts.flatMap((text) => {
    judged.add(text)
    // The isolation matrix removes the store from statements to test the walls. A test's own statements begin with a
    // comment.
    if (text.includes('store_id <> 0 *') || text.trim().startsWith('-- of a test')) return []
    const broken = rulesBrokenBy({ text, isSystem: bySystemRole.has(text), isWalled: !unwalled.has(text) }, known)
    return broken.length === 0 ? [] : [`${broken.join(', ')}: ${text.replaceAll(/\s+/g, ' ')}`]
  })
}

async function tablesOfStores(): Promise<ReadonlySet<string>> {
  const url = new URL(inject('postgresUrl'))
  url.pathname = '/template_cell'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'store_id'",
  )
  await admin.end()
  return new Set(rows.map(({ name }) => name))
}
