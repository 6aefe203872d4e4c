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
  const name = `statements_${process.pid}`
  const client = await emptyCell(name)
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
  await drop(name)
})

test('a store that is there already gets its first channel, also from an owner who sees no row behind the policies', async () => {
  const name = `existing_${process.pid}`
  const client = await emptyCell(name)
  const files = readdirSync(folder).sort()
  const from = files.indexOf('0020_channels.sql')
  for (const file of files.slice(0, from)) await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  // What the owner of the tables is where no superuser makes the roles.
  const owner = `owner_${process.pid}`
  await client.query(`reset role; create role ${owner} nologin`)
  await client.query(`grant create, usage on schema public to ${owner}; reassign owned by storeward_owner to ${owner}`)
  for (const id of [7, 8])
    await client.query(`insert into store_profiles (store_id, name, plan) values (${id}, 'A shop', 'pro')`)
  await client.query(`set role ${owner}`)
  expect((await client.query('select from store_profiles')).rowCount).toBe(0)
  for (const file of files.slice(from)) await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  await client.query('reset role')
  expect(
    (await client.query('select store_id, id, status, name, type, platform from channels order by 1')).rows,
  ).toEqual(
    [7, 8].map((store_id) => ({
      store_id,
      id: '1',
      status: 'active',
      name: 'Storefront',
      type: 'storefront',
      platform: 'bigcommerce',
    })),
  )
  expect((await client.query(`select last_id, total from counters where resource = 'channels'`)).rows).toEqual(
    Array.from({ length: 2 }, () => ({ last_id: '664158', total: '1' })),
  )
  const { rows: open } = await client.query(
    `select relname from pg_class where relkind = 'r' and relrowsecurity and not relforcerowsecurity`,
  )
  expect(open).toEqual([])
  await client.query(`drop owned by ${owner} cascade; drop role ${owner}`)
  await client.end()
  await drop(name)
})

/** A new database of this name, as the owner of the tables. */
async function emptyCell(name: string): Promise<pg.Client> {
  const client = await connect(await ensureDatabase(inject('postgresUrl'), name))
  await client.query('grant create, usage on schema public to storeward_owner')
  await client.query('set role storeward_owner')
  await client.query('create table cell_migrations (name text)')
  return client
}

async function drop(name: string) {
  const admin = await connect(inject('postgresUrl'))
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
