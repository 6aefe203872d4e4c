import pg from 'pg'
import { inject } from 'vitest'
import { Database } from '../../core/db/database.ts'
import type { Sql } from '../../core/db/sql.ts'
import { Connection } from '../../core/db/wire/connection.ts'
import { rulesBrokenBy } from './statements.ts'

/** The statements that this worker has sent since they were judged last, by their text. */
const sent = new Set<string>()
const bySystemRole = new Set<string>()
/** Judged before: the same text is judged once for all files of a worker. */
const judged = new Set<string>()

const { system } = Database.prototype
Database.prototype.system = function <Row>(query: Sql): Promise<Row[]> {
  bySystemRole.add(query.text)
  return system.call<Database, [Sql], Promise<Row[]>>(this, query)
}

const { send } = Connection.prototype
Connection.prototype.send = function (statements, onAnswer) {
  for (const { text } of statements) sent.add(text)
  return send.call(this, statements, onAnswer)
}

let tables: ReadonlySet<string> | undefined

/** What the server has sent in this file and must not send: the rules that a statement breaks, and its text. */
export async function faultyStatements(): Promise<string[]> {
  const texts = [...sent].filter((text) => !judged.has(text))
  sent.clear()
  if (texts.length === 0) return []
  tables ??= await tablesOfStores()
  const known = tables
  return texts.flatMap((text) => {
    judged.add(text)
    // The matrix takes the store out of statements, to see the walls hold; a test's own begin with a comment.
    if (text.includes('store_id <> 0 *') || text.trim().startsWith('-- of a test')) return []
    const broken = rulesBrokenBy({ text, isSystem: bySystemRole.has(text) }, known)
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
