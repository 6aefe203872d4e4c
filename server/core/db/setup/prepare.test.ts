import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { SECRET } from '../../../test/harness/postgres.ts'
import { secretsFrom } from '../../secrets/secrets.ts'
import { ngramsOf, ngramsToFind } from '../ngrams.ts'
import { ensureDatabase, logIn, migrate, prepareRoles, serverUrls } from './prepare.ts'

const PARTS = ['directory', 'cell'] as const
const password = secretsFrom(SECRET).rolePassword

const made: string[] = []
afterAll(async () => {
  const admin = await connect(inject('postgresUrl'))
  for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** An empty database for one test. */
function empty(): Promise<string> {
  const name = `prepare_${process.pid}_${made.length}`
  made.push(name)
  return ensureDatabase(inject('postgresUrl'), name)
}

/** The schema and the rights after all migrations: two databases with the same answer are equal. */
async function schemaOf(url: string): Promise<unknown[]> {
  const client = await connect(url)
  const { rows } = await client.query(`
    with relations as (
      select c.oid, nspname || '.' || relname as name, relkind, relowner, relacl, relrowsecurity, relforcerowsecurity
      from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'directory'))
    select 'relation' as kind, format('%s %s %s %s %s %s', name, relkind, relowner::regrole, relacl, relrowsecurity, relforcerowsecurity) as what from relations
    union all
    select 'column', format('%s.%s %s %s %s %s', name, attname, format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation, pg_get_expr(adbin, adrelid))
    from relations join pg_attribute on attrelid = oid and attnum > 0 left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select 'constraint', format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid))
    from pg_constraint c where connamespace = 'public'::regnamespace or connamespace = to_regnamespace('directory')
    union all
    select 'index', pg_get_indexdef(oid) from relations where relkind = 'i'
    union all
    select 'policy', format('%s %s %s %s', polrelid::regclass, polname, polroles::regrole[], pg_get_expr(polqual, polrelid)) from pg_policy
    union all
    select 'schema', format('%s %s', nspname, nspacl) from pg_namespace where nspname in ('public', 'directory')
    union all
    select 'migration', name from cell_migrations
    union all
    select 'migration', name from directory_migrations
    order by 1, 2`)
  await client.end()
  return rows
}

const fresh = (async () => {
  const url = await empty()
  await migrate(url, PARTS)
  return schemaOf(url)
})()

test('a fresh database has the tables of the directory and of a cell', async () => {
  const names = (await fresh).map((row) => JSON.stringify(row)).join('\n')
  for (const table of ['directory.stores', 'public.counters', 'public.api_accounts', 'public.brands']) {
    expect(names).toContain(table)
  }
})

test('migrating again changes nothing, and in two steps it makes the same', async () => {
  const url = await empty()
  await migrate(url, ['directory'])
  await migrate(url, ['cell'])
  expect(await schemaOf(url)).toEqual(await fresh)
  await migrate(url, PARTS)
  expect(await schemaOf(url)).toEqual(await fresh)
})

describe('at once', () => {
  test('many can migrate one database', async () => {
    const url = await empty()
    await Promise.all(Array.from({ length: 6 }, () => migrate(url, PARTS)))
    expect(await schemaOf(url)).toEqual(await fresh)
  })

  test('two processes can', async () => {
    const url = await empty()
    const ends = await Promise.all([migrating(url), migrating(url)].map(({ ended }) => ended))
    expect(ends).toEqual([
      { code: 0, said: '' },
      { code: 0, said: '' },
    ])
    expect(await schemaOf(url)).toEqual(await fresh)
  })

  test('many can prepare the roles, also from different databases of one server', async () => {
    const urls = await Promise.all([empty(), empty(), empty()])
    await Promise.all([...urls, ...urls, ...urls].map((url) => prepareRoles(url, password)))
    for (const { api, system } of urls.map((url) => serverUrls(url, password))) {
      for (const login of [api, system]) await logIn(login)
    }
  })

  test('many can create the same database', async () => {
    const name = `prepare_${process.pid}_${made.length}`
    made.push(name)
    const urls = await Promise.all(Array.from({ length: 4 }, () => ensureDatabase(inject('postgresUrl'), name)))
    expect(new Set(urls).size).toBe(1)
    await (await connect(urls[0] ?? '')).end()
  })
})

test('a killed process leaves nothing half done, and the next one completes the work (C-009)', async () => {
  const url = await empty()
  // Its table of brands waits for ours, which is never committed: by then its transaction has created the ground of the cell.
  const admin = await connect(url)
  await admin.query('begin; create table public.brands (id int)')
  const watcher = await connect(url)
  const { child, ended } = migrating(url)
  const blocked = await vi.waitFor(async () => {
    const { rows } = await watcher.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(rows).toHaveLength(1)
    return rows[0].pid
  }, 60_000)
  child.kill('SIGKILL')
  await ended
  // Another process starts while the backend of the killed one still has the lock.
  const next = migrating(url)
  await admin.query('rollback')
  expect(await next.ended).toEqual({ code: 0, said: '' })
  const { rows: left } = await watcher.query('select from pg_stat_activity where pid = $1', [blocked])
  expect(left).toEqual([])
  await admin.end()
  await watcher.end()
  expect(await schemaOf(url)).toEqual(await fresh)
})

describe('the indexes of searches', () => {
  test('are used behind the walls if the administrator is a superuser', async () => {
    const url = await empty()
    await prepareRoles(url, password)
    await migrate(url, PARTS)
    expect(await search(url)).toEqual({ index: 'brands_search', leakproof: 2 })
  })

  test('are not used if the administrator is no superuser, until one has prepared the database', async () => {
    const url = await empty()
    const admin = await connect(url)
    const role = `plain_${process.pid}`
    await admin.query(`drop role if exists ${role}`)
    await admin.query(`create role ${role} login createrole password 'plain'`)
    await prepareRoles(url, password)
    await admin.query(`grant storeward_owner to ${role} with admin option`)
    const { rows } = await admin.query('select quote_ident(current_database()) as name')
    await admin.query(`grant create on database ${rows[0].name} to ${role} with grant option`)
    await admin.query(`grant create, usage on schema public to ${role} with grant option`)
    await admin.end()
    const plain = new URL(url)
    plain.username = role
    plain.password = 'plain'
    await migrate(plain.href, PARTS)
    expect(await search(url)).toEqual({ index: null, leakproof: 0 })

    // The statements that docs/operations.md section 2 gives a superuser. The next start makes the index.
    const superuser = await connect(url)
    const guide = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const [, statements = ''] = /```sql\n(create schema extensions.*?)```/s.exec(guide) ?? []
    await superuser.query(statements)
    await superuser.end()
    await migrate(plain.href, PARTS)
    expect(await search(url)).toEqual({ index: 'brands_search', leakproof: 2 })
    const dropper = await connect(url)
    await dropper.query(`drop owned by ${role}; drop role ${role}`)
    await dropper.end()
  })

  test('hold names that an older version stored, after the next migration', async () => {
    const url = await empty()
    await prepareRoles(url, password)
    await migrate(url, PARTS)
    const admin = await connect(url)
    await admin.query(`
      insert into product_names (store_id, id, name_key, sku_key)
      select 7, n, 'oak mug ' || n, 'm-' || n from generate_series(1, 2500) n`)
    const found = async () => {
      const text = 'mug 2499'
      const ngrams = ngramsToFind({ storeId: 7, column: 'name_key', text })
      const { rows } = await admin.query('select id from product_names where ngrams @> $1::int[]', [ngrams])
      return rows
    }
    expect(await found()).toEqual([])
    await migrate(url, PARTS)
    expect(await found()).toEqual([{ id: 2499 }])
    const { rows } = await admin.query('select ngrams from product_names where id = 1')
    expect(rows).toEqual([
      {
        ngrams: [
          ...ngramsOf({ storeId: 7, column: 'name_key', text: 'oak mug 1' }),
          ...ngramsOf({ storeId: 7, column: 'sku_key', text: 'm-1' }),
        ],
      },
    ])

    await admin.query('analyze product_names; begin; set local role storeward; set local app.store = 7')
    const { rows: plan } = await admin.query(`
      explain select id from product_names where store_id = 7 and (ngrams @> '{1,2}'::int[] or ngrams is null)`)
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('product_names_ngrams')
    await admin.end()
  })

  async function search(url: string): Promise<unknown> {
    const client = await connect(url)
    const { rows } = await client.query(`
      select to_regclass('brands_search')::text as index, count(*)::int as leakproof from pg_proc
      where proleakproof and oid in ('textlike(text, text)'::regprocedure, 'arraycontains(anyarray, anyarray)'::regprocedure)`)
    await client.end()
    return rows[0]
  }
})

/** Migrates in a process of its own. */
function migrating(url: string): { child: ChildProcess; ended: Promise<{ code: number | null; said: string }> } {
  const script = `
    const { migrate } = await import(process.argv[1])
    await migrate(process.argv[2], ['directory', 'cell'])`
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, new URL('./prepare.ts', import.meta.url).href, url],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, said })) }
}
