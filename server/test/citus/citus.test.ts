import { fastify } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Database, DatabaseUnavailable } from '../../core/db/database.ts'
import { CitusPlaces } from '../../core/db/engine/citus-places.ts'
import type { Node } from '../../core/db/engine/engine.ts'
import { serverUrls } from '../../core/db/setup/prepare.ts'
import { sql } from '../../core/db/sql.ts'
import { Wire } from '../../core/db/wire/wire.ts'
import { secretsFrom } from '../../core/secrets/secrets.ts'
import { observe } from '../../doors/operator/observe.ts'
import { openShop, type Shop, theHouse } from '../fixtures/shop.ts'
import { asAdministrator } from '../harness/administrator.ts'
import { SECRET } from '../harness/postgres.ts'
import { CITUS_URL, CLIENT_OPTIONS } from './cluster.ts'

// The walls between stores on Citus, where a policy is checked on the node that has the rows.
describe.runIf(CITUS_URL !== undefined)('on Citus', () => {
  let ours: Shop
  let theirs: Shop
  let tables: string[]
  let client: pg.Client

  beforeAll(async () => {
    const shops: Shop[] = []
    // Stores on different nodes.
    do shops.push(await furnished())
    while (shops.length < 2 || (await nodeOf(shops.at(-1))) === (await nodeOf(shops[0])))
    const [first, last] = [shops[0], shops.at(-1)]
    if (!first || !last) throw new Error('No store was opened.')
    ours = first
    theirs = last
    const { url } = await theHouse()
    const urls = serverUrls(url, secretsFrom(SECRET).rolePassword)
    client = new pg.Client({ connectionString: urls.api, options: CLIENT_OPTIONS })
    await client.connect()
    tables = await asAdministrator(ours.store, async (admin) => {
      const { rows } = await admin.query<{ name: string }>(`
        select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
          and relnamespace = 'public'::regnamespace and has_table_privilege('storeward', oid, 'select')
          and exists (select 1 from pg_attribute where attrelid = pg_class.oid and attname = 'store_id')
        order by 1`)
      return rows.map(({ name }) => name)
    })
  })
  afterAll(() => client?.end())

  async function furnished(): Promise<Shop> {
    const shop = await openShop()
    await shop.call('POST', '/catalog/brands', { name: 'Acme' }, { headers: { 'idempotency-key': 'kept' } })
    await shop.call('POST', '/catalog/products', { name: 'Cup', type: 'physical', weight: 1, price: 5 })
    await shop.call('POST', '/hooks', { scope: 'store/product/created', destination: 'https://hooks.example.com/a' })
    return shop
  }

  /** The node with the rows of a store. */
  async function nodeOf(shop: Shop | undefined): Promise<number> {
    if (!shop) throw new Error('No store was opened.')
    return asAdministrator(shop.store, async (admin) => {
      const { rows } = await admin.query<{ group: number }>(
        `select groupid as group from pg_dist_placement
         where shardid = get_shard_id_for_distribution_column('store_profiles', $1::int)`,
        [shop.store.id],
      )
      return rows[0]?.group ?? 0
    })
  }

  /** A connection of the role of requests to the node of a store, and the number of its shard there. */
  async function atNodeOf(shop: Shop) {
    const { url, installation } = await theHouse()
    const urls = serverUrls(url, secretsFrom(SECRET).rolePassword)
    const { api } = installation.directory.cellOf(shop.store)
    const [place] = await api.atAll([shop.store.id], async (places) => places)
    const [wall] = place?.wall(shop.store.id) ?? []
    if (!place || !wall) throw new Error('A store has a place.')
    const admin = new pg.Client({ connectionString: place.urlFor(url) })
    const request = new pg.Client({ connectionString: place.urlFor(urls.api) })
    for (const opened of [admin, request]) {
      await opened.connect()
      onTestFinished(() => opened.end())
    }
    return { admin, request, shard: Number(wall.values[1]), brands: place.tableOf('brands') }
  }

  /** Runs as a request would at the coordinator, and rolls back. */
  async function behind(settings: string, work: () => Promise<void>) {
    await client.query('begin')
    await client.query(settings)
    await work().finally(() => client.query('rollback'))
  }

  async function stores(asked: pg.Client, table: string): Promise<number[]> {
    const { rows } = await asked.query<{ store_id: number }>(
      `select distinct store_id from ${pg.escapeIdentifier(table)} order by 1`,
    )
    return rows.map(({ store_id }) => store_id)
  }

  test('every table with rows of stores is distributed by the store, all in one group', async () => {
    const rows = await asAdministrator(ours.store, async (admin) => {
      const found = await admin.query(`
        select c.oid::regclass::text as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'request_log')
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
        left join pg_dist_partition d on d.logicalrelid = c.oid and d.partmethod = 'h'
          and d.colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'store_profiles'::regclass)
          and column_to_column_name(logicalrelid, partkey) = 'store_id'
        where c.relkind in ('r', 'p') and d.logicalrelid is null`)
      return found.rows
    })
    expect(rows).toEqual([])
  })

  test('a store sees its own rows behind its wall and no others, in every table', async () => {
    const shared: string[] = []
    await asAdministrator(ours.store, async (admin) => {
      for (const table of tables) {
        const all = await stores(admin, table)
        if (all.includes(theirs.store.id) && all.includes(ours.store.id)) shared.push(table)
        await behind(`set local app.store = ${ours.store.id}`, async () => {
          expect(await stores(client, table), table).toEqual(all.filter((id) => id === ours.store.id))
          // This statement goes to the node of the other store.
          const there = await client.query(`select store_id from ${pg.escapeIdentifier(table)} where store_id = $1`, [
            theirs.store.id,
          ])
          expect(there.rows, table).toEqual([])
        })
      }
    })
    expect(shared).toEqual(expect.arrayContaining(['brands', 'counters', 'events', 'hooks', 'products', 'variants']))
  })

  test.each([
    ['without a wall', 'select 1'],
    ['with a wall that stays on the coordinator', () => `select set_config('app.store', '${ours.store.id}', true)`],
    ['with an empty one', "set local app.store = ''"],
  ])('nothing is found %s, without an error', async (_, setting) => {
    await behind(typeof setting === 'string' ? setting : setting(), async () => {
      for (const table of ['brands', 'products', 'counters']) expect(await stores(client, table), table).toEqual([])
    })
  })

  test('rows of another store can be neither inserted, changed nor deleted', async () => {
    const inserted = `insert into counters (store_id, resource, last_id, total, version) values ($1, 'x', 1, 1, 1)`
    await behind(`set local app.store = ${ours.store.id}`, async () => {
      const changed = await client.query('update brands set name = name where store_id = $1', [theirs.store.id])
      expect(changed.rowCount).toBe(0)
      const deleted = await client.query('delete from brands where store_id = $1', [theirs.store.id])
      expect(deleted.rowCount).toBe(0)
      await expect(client.query(inserted, [theirs.store.id])).rejects.toMatchObject({ code: '42501' })
    })
    await behind(`set local app.store = ${ours.store.id}`, async () => {
      expect((await client.query(inserted, [ours.store.id])).rowCount).toBe(1)
    })
  })

  test('the tables at the node of a store have its policies', async () => {
    const { request, brands } = await atNodeOf(ours)
    const found = () =>
      request.query(`select store_id from ${brands} where store_id = any ($1)`, [[ours.store.id, theirs.store.id]])
    expect((await found()).rows).toEqual([])
    await request.query('begin')
    await request.query(`select set_config('app.store', $1, true)`, [ours.store.id])
    expect((await found()).rows).toEqual([{ store_id: ours.store.id }])
    await request.query(`select set_config('app.store', $1, true)`, [theirs.store.id])
    expect((await found()).rows).toEqual([])
    await expect(
      request.query(`insert into ${brands} (store_id, id, name, name_key) values ($1, 9, 'a', 'a')`, [ours.store.id]),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('a shard of another node is refused, as a conflict that is tried again', async () => {
    const [here, there] = [await atNodeOf(ours), await atNodeOf(theirs)]
    for (const check of ['shard_is_here', 'lock_shard']) {
      await here.request.query(`select ${check}($1)`, [here.shard])
      await expect(here.request.query(`select ${check}($1)`, [there.shard])).rejects.toMatchObject({ code: '40001' })
    }
  })

  // A move takes this lock first, on all nodes.
  const MOVE = 'select lock_shard_metadata(7, array[$1]::bigint[])'

  test('a read across stores finds each of them once; that of a worker leaves out a node that is away', async () => {
    const { installation, url } = await theHouse()
    const { system } = installation.directory.cellOf(ours.store)
    const both = [ours.store.id, theirs.store.id]
    const find = (options?: { skipsFailed: boolean }) =>
      system.everywhere<{ store_id: number }>(
        sql`-- of a test
        select store_id from event_streams where store_id = any (${both}) order by 1`,
        options,
      )
    expect(new Set((await find()).map(({ store_id }) => store_id))).toEqual(new Set(both))
    expect(await find()).toHaveLength(2)
    const urls = serverUrls(url, secretsFrom(SECRET).rolePassword)
    const config = { connectionString: urls.system }
    const places = new CitusPlaces({ config, max: 1, patience: 1, wire: system.wire })
    const [one, other] = await places.nodes()
    if (!one || !other) throw new Error('A cluster has two nodes.')
    const away: Node = {
      inForm: (statement) => other.inForm(statement),
      wire: new Wire({ connectionString: 'postgres://none@127.0.0.1:1/none' }, 1),
    }
    const spy = vi.spyOn(CitusPlaces.prototype, 'nodes').mockImplementation(async () => [one, away])
    onTestFinished(async () => {
      spy.mockRestore()
      await Promise.all([places.close(), away.wire.close()])
    })
    expect(await find({ skipsFailed: true })).toHaveLength(1)
    await expect(find()).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('the connections to each node are metrics', async () => {
    const { installation } = await theHouse()
    const { api } = installation.directory.cellOf(ours.store)
    const nodes = await Promise.all(
      [ours, theirs].map(async ({ store }) => {
        const [place] = await api.atAll([store.id], async (places) => places)
        return new URL(place?.urlFor('postgres://coordinator') ?? '').host
      }),
    )
    const metrics = await observe(fastify(), [api]).metrics()
    for (const node of nodes) {
      for (const kind of ['in_use', 'waiting']) {
        expect(metrics).toMatch(new RegExp(`^storeward_node_pool_${kind}\\{node="${node}"\\} \\d+$`, 'm'))
      }
    }
  })

  test('a shard does not move while one of its stores is changed', async () => {
    const { admin, request, shard } = await atNodeOf(ours)
    await request.query('begin')
    await request.query('select lock_shard($1)', [shard])
    await admin.query(`begin; set local lock_timeout = '200ms'`)
    await expect(admin.query(MOVE, [shard])).rejects.toMatchObject({ code: '55P03' })
    await admin.query('rollback; begin')
    const moving = admin.query(MOVE, [shard])
    await request.query('commit')
    await moving
    await admin.query('rollback')
  })

  test('while its shard moves, a store is read, and a change waits or is refused with 503', async () => {
    const { admin, shard } = await atNodeOf(ours)
    await admin.query('begin')
    await admin.query(MOVE, [shard])
    expect(await ours.call('GET', '/catalog/brands')).toMatchObject({ status: 200 })
    const refused = await ours.call('POST', '/catalog/brands', { name: 'While it moves' })
    expect(refused).toMatchObject({ status: 503 })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    const waiting = ours.call('POST', '/catalog/brands', { name: 'While it moves' })
    await admin.query('rollback')
    expect(await waiting).toMatchObject({ status: 200 })
  })

  test('a read that fails leaves its connection to the others', async () => {
    const { installation, url } = await theHouse()
    const { api } = installation.directory.cellOf(ours.store)
    const urls = serverUrls(url, secretsFrom(SECRET).rolePassword)
    const one = new Database(urls.api, { engine: api.engine, max: 1 })
    const db = one.of(ours.store)
    const good = () =>
      db.rows(sql`-- of a test
      select name from brands where store_id = ${ours.store.id}`)
    const bad = () =>
      db.rows(sql`-- of a test
      select 1 / (id - id) as no from brands where store_id = ${ours.store.id}`)
    const outcomes = await Promise.allSettled([bad(), good(), bad(), good()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    const byKey = (text: string) => db.byKey({ name: text, text, values: [ours.store.id] })
    const shared = await Promise.allSettled(
      ['select 1 / (id - id) as no from brands where store_id = $1', 'select name from brands where store_id = $1']
        .flatMap((text) => [text, text])
        .map((text) => byKey(`-- of a test\n${text}`)),
    )
    expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
    await one.close()
  })

  test('nothing is written behind the wall of a read', async () => {
    const { installation } = await theHouse()
    const db = installation.directory.cellOf(ours.store).api.of(ours.store)
    await expect(
      db.rows(sql`-- of a test
        update brands set name = name where store_id = ${ours.store.id}`),
    ).rejects.toMatchObject({ code: '25006' })
  })
})
