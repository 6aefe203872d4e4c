import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SECRET } from '../../../test/harness/postgres.ts'
import { secretsFrom } from '../../secrets/secrets.ts'
import { migrations } from '../engine/migration-files.ts'
import { ensureDatabase, migrate, OWNER, serverUrls } from './prepare.ts'
import { rehearse } from './rehearsal.ts'

// An upgrade: a database as a former version has left it, the trial of the changes, and the changes.

/** The last migration of the former version. */
const FORMER = '0716_ordered_products_of_customers'
const NEWER = ['0730_quotes_of_companies', '0735_person_of_requests', '0745_ids_of_imports']

const name = `rehearsal_${process.pid}`
let url: string
let client: pg.Client

beforeAll(async () => {
  url = await ensureDatabase(inject('postgresUrl'), name)
  client = await connect(url)
  await client.query(`grant create on database ${name} to ${OWNER}; grant create, usage on schema public to ${OWNER}`)
  await client.query(`set role ${OWNER}`)
  await client.query(
    'create table cell_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
  )
  for (const file of readdirSync(migrations('cell')).sort()) {
    const migration = parse(file).name
    if (migration > FORMER) continue
    await client.query(readFileSync(join(migrations('cell'), file), 'utf8'))
    await client.query('insert into cell_migrations (name, run_on) values ($1, clock_timestamp())', [migration])
  }
  await client.query('reset role; analyze companies')
})
afterAll(async () => {
  await client.end()
  const admin = await connect(inject('postgresUrl'))
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

async function connect(to: string): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: to })
  await opened.connect()
  return opened
}

const columns = async () =>
  (
    await client.query(
      `select table_schema, table_name, column_name from information_schema.columns
       where table_schema in ('public', 'request_log') order by 1, 2, 3`,
    )
  ).rows

describe('a trial of an upgrade', () => {
  test('lists the changes with their commands, and the locks of tables that exist; nothing is changed', async () => {
    const before = await columns()
    const [rehearsal] = await rehearse(url, ['cell'])
    expect(await columns()).toEqual(before)
    expect(rehearsal).toMatchObject({ part: 'cell', isNew: false, reason: undefined })
    expect(rehearsal?.changes.slice(0, 3).map((change) => change.name)).toEqual(NEWER)
    expect(rehearsal?.changes[0]?.commands).toEqual([
      'alter table companies add column quotes_total int not null default 0',
      expect.stringMatching(/^update companies company set quotes_total = /),
    ])
    const locks = rehearsal?.trial?.locks ?? []
    expect(locks).toContainEqual({
      table: 'companies',
      waits: 'reads and writes',
      ms: expect.any(Number),
      rows: 0,
    })
    expect(locks).toContainEqual(expect.objectContaining({ table: 'request_log.lines', waits: 'reads and writes' }))
    // Nobody waits for a table that is new.
    expect(locks.map(({ table }) => table)).not.toContain('import_ids')
    const [companies, lines] = ['companies', 'request_log.lines'].map((one) => locks.find(({ table }) => table === one))
    // A lock lasts until the end, so the earlier one lasts longer.
    expect(companies?.ms).toBeGreaterThan(lines?.ms ?? Number.POSITIVE_INFINITY)
    expect(rehearsal?.trial?.ms).toBeGreaterThanOrEqual(companies?.ms ?? Number.POSITIVE_INFINITY)
  })

  test('is not made while a server uses the database', async () => {
    const server = await connect(serverUrls(url, secretsFrom(SECRET).rolePassword).api)
    const [rehearsal] = await rehearse(url, ['cell'])
    await server.end()
    expect(rehearsal?.changes.slice(0, 3).map((change) => change.name)).toEqual(NEWER)
    expect([rehearsal?.reason, rehearsal?.trial]).toEqual(['in use', undefined])
    // PostgreSQL may need a moment to end the session.
    await expect.poll(async () => (await rehearse(url, ['cell']))[0]?.reason).toBeUndefined()
  })

  test('names a migration that would fail, and changes nothing', async () => {
    await client.query(`set role ${OWNER}; alter table companies add column quotes_total int; reset role`)
    await expect(rehearse(url, ['cell'])).rejects.toThrow(
      /^The migration 0730_quotes_of_companies would fail: .*already exists\. Nothing was changed\.$/,
    )
    await client.query(`set role ${OWNER}; alter table companies drop column quotes_total; reset role`)
  })

  test('is followed by the upgrade, after which there is nothing to change', async () => {
    await migrate(url, ['cell'])
    expect(await rehearse(url, ['cell'])).toEqual([
      { part: 'cell', isNew: false, changes: [], trial: undefined, reason: 'nothing to change' },
    ])
    const { rows } = await client.query('select name from cell_migrations order by run_on, id')
    expect(rows.map((row) => row.name)).toEqual(
      readdirSync(migrations('cell'))
        .map((file) => parse(file).name)
        .sort(),
    )
  })

  test('of a new database lists all migrations, and tries none', async () => {
    const [rehearsal] = await rehearse(inject('postgresUrl'), ['directory'])
    expect(rehearsal).toMatchObject({ isNew: true, reason: 'new', trial: undefined })
    expect(rehearsal?.changes.length).toBe(readdirSync(migrations('directory')).length)
  })
})
