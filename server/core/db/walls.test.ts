import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Maker, theOperations } from '../../test/document/operations.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { administratorOf } from '../../test/harness/administrator.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { secretsFrom } from '../secrets/secrets.ts'
import { Database } from './database.ts'
import { sql } from './sql.ts'

// The refusals of the database itself, for the roles that the server runs as: the second wall behind the statements.

let ours: Shop
let theirs: Shop
let admin: pg.Client
let tables: string[]

beforeAll(async () => {
  ours = await furnished()
  do theirs = await furnished()
  while (theirs.store.cell !== ours.store.cell)
  admin = await connect('postgres')
  const { rows } = await admin.query<{ name: string }>(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'store_id'
    where relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege('storeward', pg_class.oid, 'select')
    order by 1`)
  tables = rows.map(({ name }) => name)
})
afterAll(() => admin.end())

/** A store with rows in the tables of all POST routes, and a stored answer. */
async function furnished(): Promise<Shop> {
  const shop = await openShop()
  const operations = await theOperations()
  const maker = new Maker(shop, operations)
  // An authorized payment can't be refunded, and refunds leave more rows.
  const ofAuthorized = /\/payment_actions\/(capture|void)$/
  for (const operation of operations) {
    if (operation.example && !ofAuthorized.test(operation.template)) await maker.prepare(operation)
  }
  await shop.call('POST', '/catalog/brands', { name: 'Kept' }, { headers: { 'idempotency-key': 'walls' } })
  return shop
}

/** A connection to the database of both stores, as a role that the server runs as or as the administrator. */
async function connect(role: 'storeward' | 'storeward_system' | 'postgres'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlFor(role) })
  await client.connect()
  return client
}

function urlFor(role: 'storeward' | 'storeward_system' | 'postgres'): string {
  const url = new URL(administratorOf(ours.store))
  if (role !== 'postgres') {
    url.username = role
    url.password = secretsFrom(SECRET).rolePassword
  }
  return url.href
}

const stores = async (client: pg.Client, table: string): Promise<number[]> => {
  const { rows } = await client.query(`select distinct store_id from ${pg.escapeIdentifier(table)} order by 1`)
  return rows.map((row) => row.store_id)
}

/** The SQLSTATE with which a statement fails; its changes do not stay. */
async function refusal(client: pg.Client, text: string): Promise<string | undefined> {
  await client.query('savepoint attempt')
  try {
    await client.query(text)
    return undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code
    throw error
  } finally {
    await client.query('rollback to savepoint attempt')
  }
}

describe('the role of requests', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = await connect('storeward')
  })
  afterAll(() => client.end())

  /** Runs as a request of our store does. */
  async function within(setting: string, work: () => Promise<void>) {
    await client.query(`begin; ${setting}`)
    await work().finally(() => client.query('rollback'))
  }
  const inOurs = () => `set local app.store = ${ours.store.id}`

  test('sees the rows of its store and no others, in every table that both stores have rows in', async () => {
    const shared: string[] = []
    await within(inOurs(), async () => {
      for (const table of tables) {
        const [all, seen] = [await stores(admin, table), await stores(client, table)]
        expect(seen, table).toEqual(all.filter((id) => id === ours.store.id))
        if (all.includes(theirs.store.id)) shared.push(table)
        const { rows } = await client.query(`select from ${pg.escapeIdentifier(table)} where store_id = $1`, [
          theirs.store.id,
        ])
        expect(rows, table).toEqual([])
      }
    })
    // Not one by one: a new table needs no edit here.
    expect(shared).toEqual(
      expect.arrayContaining(['brands', 'counters', 'files', 'idempotent_answers', 'metafields', 'urls']),
    )
  })

  test.each([
    ['without a store', 'select'],
    ['with an empty one', "set local app.store = ''"],
    ['with 0', 'set local app.store = 0'],
    ['with a number below 0', 'set local app.store = -1'],
  ])('sees nothing %s', async (_, setting) => {
    await within(setting, async () => {
      for (const table of tables) expect(await stores(client, table), table).toEqual([])
    })
  })

  test('gets an error, and no rows, for a text that is no number', async () => {
    await within("set local app.store = '1 or true'", async () => {
      for (const table of tables) expect(await refusal(client, `select from ${table}`), table).toBe('22P02')
    })
  })

  test('loses its store at the end of the transaction', async () => {
    await within(inOurs(), async () => expect(await stores(client, 'brands')).toEqual([ours.store.id]))
    expect(await stores(client, 'brands')).toEqual([])
    await client.query(`begin; ${inOurs()}; commit`)
    expect(await stores(client, 'brands')).toEqual([])
  })

  test('can neither insert rows into another store, nor move its own there, nor change or delete rows there', async () => {
    const { rows: writable } = await admin.query<{ name: string; changeable: boolean; deletable: boolean }>(
      `select name, has_table_privilege('storeward', name, 'update') as changeable,
         has_table_privilege('storeward', name, 'delete') as deletable
       from unnest($1::text[]) name where has_table_privilege('storeward', name, 'insert')`,
      [tables],
    )
    expect(writable.length).toBeGreaterThan(5)
    await within(inOurs(), async () => {
      for (const { name, changeable, deletable } of writable) {
        // The wall is checked before the columns: it refuses a row that is empty but for its store.
        const row = `insert into ${name} select (jsonb_populate_record(null::${name}, '{"store_id": ${theirs.store.id}}')).*`
        const there = `where store_id = ${theirs.store.id}`
        expect(await refusal(client, row), `insert into ${name}`).toBe('42501')
        const { rowCount } = await client.query(`select from ${name}`)
        const moved = await refusal(client, `update ${name} set store_id = ${theirs.store.id}`)
        expect(moved, `move ${name}`).toBe(rowCount === 0 && changeable ? undefined : '42501')
        // With the privilege nothing is found there; without it the statement fails.
        for (const [text, isGranted] of [
          [`update ${name} set store_id = ${ours.store.id} ${there}`, changeable],
          [`delete from ${name} ${there}`, deletable],
        ] as const) {
          if (isGranted) expect((await client.query(text)).rowCount, text).toBe(0)
          else expect(await refusal(client, text), text).toBe('42501')
        }
      }
    })
  })

  test('cannot bypass the walls', async () => {
    await within(inOurs(), async () => {
      for (const attempt of [
        'set local role storeward_owner',
        'set local role storeward_system',
        'set local role postgres',
        'truncate brands',
        'alter table brands disable row level security',
        'alter table brands no force row level security',
        'drop policy wall on brands',
        'create policy open on brands using (true)',
        'create table mine (id int)',
        'create schema mine',
        `create function mine() returns int language sql security definer as 'select 1'`,
        'set local row_security = off; select from brands',
        'select from api_accounts',
        `alter role storeward bypassrls`,
        `copy brands to program 'cat'`,
        `select pg_read_file('/etc/hostname')`,
      ]) {
        expect(await refusal(client, attempt), attempt).toBe('42501')
      }
    })
  })

  test('cannot read the directory', async () => {
    await within(inOurs(), async () => {
      // 3F000 where the directory is another database.
      expect(['42501', '42P01', '3F000']).toContain(await refusal(client, 'select from directory.stores'))
    })
  })
})

describe('the role of the system', () => {
  test('sees the rows of all stores that open them and those of their webhooks, and no data of merchants', async () => {
    const client = await connect('storeward_system')
    await client.query('begin')
    const { rows } = await admin.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'store_id' order by 1`,
    )
    const open: string[] = []
    for (const { name } of rows) if ((await refusal(client, `select from ${name}`)) === undefined) open.push(name)
    // It reads some columns of these only: the keys, by which it deletes the rows of a store, which gateways a store has, and
    // which tax providers fail, the progress of imports and exports,
    // and which products are not counted yet.
    const inPart = [
      'b2b_quotes',
      'cart_reports',
      'carts',
      'channels',
      'email_opt_ins',
      'payment_providers',
      'redirect_jobs',
      'store_credit_changes',
      'tax_providers',
      'uncounted_facets',
    ]
    for (const name of inPart) {
      expect(open.splice(open.indexOf(name), 1)).toEqual([name])
      expect(await refusal(client, `select * from ${name}`)).toBe('42501')
    }
    expect(open).toEqual([
      'api_accounts',
      'counters',
      'deliveries',
      'due_hooks',
      'event_streams',
      'hook_admins',
      'hooks',
      'host_blocks',
      'job_lanes',
      'job_queues',
      'jobs',
      'lanes',
      'parked_deliveries',
      'store_profiles',
      // Causes of failures, of which old lines are looked for in all stores at once.
      'system_logs',
    ])
    await client.end()
  })
})

test.each(['storeward', 'storeward_system'])('%s owns nothing and has no power but to log in', async (role) => {
  const { rows: powers } = await admin.query(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolinherit, rolcanlogin
     from pg_roles where rolname = $1`,
    [role],
  )
  expect(powers).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolinherit: false,
      rolcanlogin: true,
    },
  ])
  const { rows: memberships } = await admin.query(
    'select roleid::regrole::text as role from pg_auth_members where member = $1::regrole',
    [role],
  )
  expect(memberships).toEqual([])
  const { rows: owned } = await admin.query(
    `select objid::text from pg_shdepend where refobjid = $1::regrole and deptype = 'o'
     union all select datname from pg_database where datdba = $1::regrole`,
    [role],
  )
  expect(owned).toEqual([])
})

describe('the server refuses to start', () => {
  const role = `powers_${process.pid}`
  afterAll(() => admin.query(`drop role if exists ${role}`))

  test('as the administrator', async () => {
    const database = new Database(urlFor('postgres'))
    await expect(database.refusePowers()).rejects.toThrow(
      'The server must not run as the database role "postgres": it is a superuser, has BYPASSRLS or owns the tables.',
    )
    await database.close()
  })

  test.each([
    ['as a role with BYPASSRLS', 'login bypassrls', undefined],
    ['as a superuser of another name', 'login superuser', undefined],
    ['as a role that may become the owner', 'login', 'storeward_owner'],
  ])('%s', async (_, powers, member) => {
    await admin.query(`drop role if exists ${role}`)
    await admin.query(`create role ${role} ${powers} password 'x'`)
    if (member) await admin.query(`grant ${member} to ${role}`)
    const url = new URL(urlFor('postgres'))
    url.username = role
    url.password = 'x'
    const database = new Database(url.href)
    await expect(database.refusePowers()).rejects.toThrow(`The server must not run as the database role "${role}"`)
    await database.close()
  })

  test('but not as the roles that were made for it', async () => {
    for (const name of ['storeward', 'storeward_system'] as const) {
      const database = new Database(urlFor(name))
      await expect(database.refusePowers()).resolves.toBeUndefined()
      await database.close()
    }
  })
})

test('an invalid number of a store leads to no store', async () => {
  const { installation } = await theHouse()
  const { api } = installation.directory.cellOf(ours.store)
  for (const id of [Number.NaN, Number.POSITIVE_INFINITY, 0.5]) {
    expect(await api.of({ id, hash: '', limits: {} }).rows(sql`select from brands`)).toEqual([])
  }
})
