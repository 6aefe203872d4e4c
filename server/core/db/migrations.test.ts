import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { ensureDatabase } from './prepare.ts'

// docs/decisions/010-statements-for-several-nodes.md: an engine may have work to do between two statements of a migration.

const folder = fileURLToPath(new URL('./migrations/cell', import.meta.url))

/** The statements of a file. What stands in quotes or between dollars may hold semicolons. */
function statementsOf(text: string): string[] {
  const pieces = text.replaceAll(/--[^\n]*$/gm, '').match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;])+/g) ?? []
  return pieces.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

const TABLES = `
  select c.relname, c.relkind, (select count(*)::int from pg_attribute where attrelid = c.oid) as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname not like '%migrations%' order by 1`

test('the migrations of a cell can be sent statement by statement', async () => {
  const url = await ensureDatabase(inject('postgresUrl'), `statements_${process.pid}`)
  const client = await connect(url)
  await client.query('grant create, usage on schema public to storeward_owner')
  await client.query('set role storeward_owner')
  await client.query('create table cell_migrations (name text)')
  let count = 0
  for (const file of readdirSync(folder).sort()) {
    for (const statement of statementsOf(readFileSync(`${folder}/${file}`, 'utf8'))) {
      count++
      // What has a name is prepared, and only one command can be.
      await client.query({ name: `statement ${count}`, text: statement })
    }
  }
  expect(count).toBeGreaterThan(100)
  const { rows } = await client.query(TABLES)
  await client.end()
  const whole = await connect(inject('postgresUrl').replace(/\/[^/]*$/, '/template_cell'))
  const { rows: expected } = await whole.query(TABLES)
  await whole.end()
  const isSearch = ({ relname }: { relname: string }) => relname.endsWith('_search')
  expect(rows).toEqual(expected.filter((row) => !isSearch(row)))
  const admin = await connect(inject('postgresUrl'))
  await admin.query(`drop database statements_${process.pid} with (force)`)
  await admin.end()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
