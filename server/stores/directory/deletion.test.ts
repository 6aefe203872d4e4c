import { existsSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { storeTables } from '../../core/db/copies/tables.ts'
import { sql } from '../../core/db/sql.ts'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { fillDemoStore } from '../../sandbox/demo/demo.ts'
import { STORE_HASH } from '../../sandbox/demo/record.ts'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { deleteStore, finishDeletions } from './deletion.ts'

const { installation, files, clock } = await theHouse()
const { directory, accounts } = installation
const parts = { directory, files, clock }
const HOUR_MS = 3_600_000

/** The databases of this test worker, with a role that sees all rows of all stores. */
let databases: pg.Client[]
beforeAll(async () => {
  const admin = await connect(inject('postgresUrl'))
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `w${process.pid}\\_%`,
  ])
  await admin.end()
  databases = await Promise.all(rows.map(({ datname }) => connect(inject('postgresUrl').replace(/[^/]*$/, datname))))
})
afterAll(() => Promise.all(databases.map((client) => client.end())))

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

const TABLES = `
  select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ('public'::regnamespace, to_regnamespace('directory'))`

/** Rows of a store by table. Omits empty tables, and counts of requests, which processes write at any time. */
async function rowsByTable({ store }: { store: { id: number } }): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const client of databases) {
    const { rows: tables } = await client.query<{ name: string }>(TABLES)
    for (const { name } of tables.filter(({ name }) => !name.startsWith('directory.quota'))) {
      const { rows } = await client.query(`select count(*)::int as count from ${name} where store_id = $1`, [store.id])
      if (rows[0].count > 0) found[name] = rows[0].count
    }
  }
  return found
}

const folderOf = (hash: string) => join(files.folder, hash)
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A shop with brands. The first one has a picture. */
async function openPictured(brands: number, hash?: string): Promise<Shop> {
  const shop = await openShop({ hash })
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  await shop.call('POST', '/catalog/brands/1/image', undefined, form('image_file', 'a.png', png))
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      -- of a test
      insert into brands select copy.* from brands one, generate_series(2, ${brands}::int) n,
        jsonb_populate_record(null::brands, to_jsonb(one) || jsonb_build_object('id', n, 'name_key', n::text)) copy
      where one.store_id = ${shop.store.id} and one.id = 1`)
    await tx.rows(sql`
      -- of a test
      update counters set last_id = ${brands}, total = ${brands} where store_id = ${shop.store.id} and resource = 'brands'`)
  })
  return shop
}

test('the demo store disappears at once with all its rows and files, and its hash is free again', async () => {
  const store = await directory.create({ hash: STORE_HASH, name: 'Demo store', plan: 'sandbox' })
  const [admin, other] = [
    await accounts.create(STORE_HASH, 'a', ['all']),
    await accounts.create(STORE_HASH, 'o', ['all']),
  ]
  const tokens = { admin: admin.access_token, otherclient: other.access_token, readonly: '', noscope: '' }
  await fillDemoStore(installation, files, tokens)
  const neighbour = await openPictured(3)
  const beside = await rowsByTable(neighbour)
  const { server } = await theHouse()
  const ask = async () => {
    const headers = { 'x-auth-token': admin.access_token }
    return (await server.inject({ url: `/stores/${STORE_HASH}/v3/catalog/brands`, headers })).statusCode
  }

  const filled = await rowsByTable({ store })
  // The demo store must fill every new table; otherwise no test has seen its rows deleted.
  expect(Object.keys(filled).length).toBeGreaterThan(80)
  expect(existsSync(folderOf(STORE_HASH))).toBe(true)
  expect(await ask()).toBe(200)

  const removed = await deleteStore(parts, STORE_HASH)
  expect(removed?.rows).toBeGreaterThanOrEqual(Object.values(filled).reduce((sum, count) => sum + count, 0))
  expect(removed?.files).toBeGreaterThan(100)
  expect(await rowsByTable({ store })).toEqual({})
  expect(existsSync(folderOf(STORE_HASH))).toBe(false)
  expect([await directory.find(STORE_HASH), await directory.entryById(store.id)]).toEqual([undefined, undefined])
  await expect.poll(ask).toBe(401)
  expect(await rowsByTable(neighbour)).toEqual(beside)
  expect(existsSync(folderOf(neighbour.store.hash))).toBe(true)

  const [kept] = (await directory.deletedStores()).filter(({ id }) => id === store.id)
  const deleted = { id: store.id, hash: STORE_HASH, name: 'Demo store', cell: store.cell }
  expect(kept).toMatchObject({ ...deleted, deleted_at: expect.any(String), finished_at: expect.any(String) })
  expect(await deleteStore(parts, STORE_HASH)).toBeUndefined()
})

test('an interrupted deletion leaves an unknown store, and the next command or upkeep finishes it', async () => {
  const shop = await openPictured(STEP_ROWS * 2 + 5)
  const { hash } = shop.store
  const stopping = new AbortController()
  const pieces: number[] = []
  await deleteStore(parts, hash, {
    signal: stopping.signal,
    progress(rows) {
      pieces.push(rows)
      if (rows > STEP_ROWS) stopping.abort()
    },
  })
  const left = await rowsByTable(shop)
  expect(left).toMatchObject({ brands: expect.any(Number), store_profiles: 1 })
  expect(left).not.toHaveProperty('api_accounts')
  expect(await directory.find(hash)).toBeUndefined()
  await expect(directory.create({ name: 'Next', hash })).rejects.toThrow(
    `A store with the hash "${hash}" is being deleted. "store delete ${hash}" finishes it.`,
  )
  const others = await openShop()
  expect(others.store.id).toBeGreaterThan(shop.store.id)

  // The upkeep of the server and the command of the operator at the same time.
  await Promise.all([finishDeletions(parts), deleteStore(parts, hash, { progress: (rows) => pieces.push(rows) })])
  expect(await rowsByTable(shop)).toEqual({})
  expect(existsSync(folderOf(hash))).toBe(false)
  expect(Math.max(...pieces.map((rows, i) => rows - (pieces[i - 1] ?? 0)))).toBeLessThanOrEqual(STEP_ROWS)
})

test('a store that fits in a piece is deleted in one transaction, and a larger one is not', async () => {
  const piecesWith = async (brands: number) => {
    const shop = await openPictured(brands)
    const pieces: number[] = []
    const removed = await deleteStore(parts, shop.store.hash, { progress: (rows) => pieces.push(rows) })
    expect(await rowsByTable(shop)).toEqual({})
    expect(removed).toEqual({ rows: pieces.at(-1), files: 1 })
    return pieces.map((rows, i) => rows - (pieces[i - 1] ?? 0))
  }
  const small = await piecesWith(1_000)
  // The brands go with all other rows of the store that requests may delete.
  expect(small.filter((rows) => rows >= 1_000)).toEqual([expect.any(Number)])
  expect(Math.max(...small)).toBeGreaterThan(1_010)
  expect((await piecesWith(STEP_ROWS)).filter((rows) => rows >= 1_000)).toEqual([STEP_ROWS])
})

test('rows and files written during a deletion disappear within a day, and a new store with the hash keeps its own', async () => {
  const shop = await openPictured(2)
  const { hash } = shop.store
  const db = await dbOf(shop)
  await deleteStore(parts, hash)
  await db.transaction((tx) =>
    tx.rows(
      sql`insert into idempotent_answers ${sql.rows([{ store_id: db.store.id, client_id: 'c', key: 'k', request_hash: '', status: 200, headers: '{}', body: '', created_at: tx.now }])}`,
    ),
  )
  expect(await rowsByTable(shop)).toEqual({ idempotent_answers: 1 })
  const next = await openPictured(2, hash)
  expect(next.store.id).toBeGreaterThan(shop.store.id)
  const kept = await rowsByTable(next)
  await finishDeletions(parts)
  expect(await rowsByTable(shop)).toEqual({})
  expect(await rowsByTable(next)).toEqual(kept)
  const { body } = await next.call('GET', '/catalog/brands/1')
  const { server } = await theHouse()
  expect((await server.inject(new URL(body.data.image_url).pathname)).statusCode).toBe(200)

  // Without a store of this hash, late files are removed when they are an hour old.
  await deleteStore(parts, hash)
  const late = join(folderOf(hash), `${'a'.repeat(32)}.png`)
  await files.write(next.store, png, 'png')
  await writeFile(late, png)
  // The test clock may be days ahead of the clock of the file system.
  await utimes(late, clock.now(), clock.now())
  await finishDeletions(parts)
  expect(existsSync(late)).toBe(true)
  clock.move(2 * HOUR_MS)
  try {
    await finishDeletions(parts)
    expect(existsSync(folderOf(hash))).toBe(false)
  } finally {
    clock.move(-2 * HOUR_MS)
  }
})

test('all tables with store_id can be emptied for one store, also tables that no test has filled yet', async () => {
  for (const { system } of [{ system: directory.database }, ...directory.cells]) {
    const tables = await storeTables(system)
    for (const { name, keys, isOpen } of tables) {
      const role = isOpen ? 'storeward' : 'storeward_system'
      const [right] = await system.system<{ deletes: boolean; finds: boolean }>(sql`
        -- of a test
        select has_table_privilege(${role}, ${name}, 'delete') as deletes,
          bool_and(has_column_privilege(${role}, ${name}, key, 'select')) as finds
        from unnest(${['store_id', ...keys]}::text[]) key`)
      expect({ name, ...right }).toEqual({ name, deletes: true, finds: true })
    }
  }
  const listed = (await Promise.all(directory.cells.map(({ system }) => storeTables(system)))).flat()
  const names = new Set(listed.map(({ name }) => name))
  for (const client of databases) {
    const { rows } = await client.query<{ name: string }>(`${TABLES} and c.relnamespace = 'public'::regnamespace`)
    for (const { name } of rows) expect(names).toContain(name)
    // A small store's closed tables are emptied after the others, in any order.
    const { rows: links } = await client.query(`
      select conname from pg_constraint where contype = 'f' and conrelid <> confrelid
        and confrelid in (select attrelid from pg_attribute where attname = 'store_id')
        and not (has_table_privilege('storeward', conrelid, 'delete') and has_table_privilege('storeward', confrelid, 'delete'))`)
    expect(links).toEqual([])
  }
})
