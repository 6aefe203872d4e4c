import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  CREDENTIALS,
  FORKED_VALUES,
  IDENTITY,
  isCopied,
  NEVER_COPIED,
  NGRAM_COLUMNS,
  PICTURE_COLUMNS,
} from '../../core/db/copies/copied-tables.ts'
import { storeTables } from '../../core/db/copies/tables.ts'
import { sql } from '../../core/db/sql.ts'
import { setUpTestGateway } from '../../sales/payments/providers-command.ts'
import { deleteEndedStores } from '../../stores/directory/deletion.ts'
import { forkStore, removeAbandonedCopies, restoreSnapshot } from '../../stores/forks/forks.ts'
import { ngramRunner } from '../../stores/forks/ngrams.ts'
import { CLIENT_OPTIONS, nodeOfStore, openTable } from '../../test/citus/cluster.ts'
import { Maker, type Operation, theOperations } from '../../test/document/operations.ts'
import { form, openShop, type Shop, shopOf, theHouse } from '../../test/fixtures/shop.ts'
import { administratorOf, asAdministrator } from '../../test/harness/administrator.ts'
import { doJobs } from '../../test/harness/jobs.ts'

const { server, installation, files } = await theHouse()
const { directory } = installation
const parts = { ...installation, files, openGateway: setUpTestGateway }

let key: string
let operations: Operation[]
beforeAll(async () => {
  key = (await installation.operatorKeys.create('copies')).key
  operations = await theOperations()
})

async function operator(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const answer = await server.inject({
    method,
    url: `/operator/v1/stores/${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

/** Forks a shop by the API. */
async function fork(shop: Shop, body: object = {}): Promise<Shop> {
  const { status, body: answered } = await operator('POST', `${shop.store.hash}/forks`, body)
  expect(status, JSON.stringify(answered)).toBe(201)
  const store = (await directory.list()).find(({ hash }) => hash === answered.data.hash)
  if (!store) throw new Error('The fork is not listed.')
  return shopOf(store, { ...shop.admin, ...answered.data.account })
}

/** Sends requests that create rows with ids that are no numbers. @returns their answers, without times and the hash */
async function createSome(shop: Shop): Promise<string[]> {
  const { body } = await shop.call('POST', '/carts', {
    line_items: [{ product_id: 1, quantity: 2 }],
    custom_items: [{ name: 'Engraving', quantity: 1, list_price: 3 }],
  })
  const cart = body.data
  const address = { country_code: 'US', city: 'Austin', email: 'ann@example.com' }
  const line_items = [{ item_id: cart.line_items.physical_items[0].id, quantity: 2 }]
  const answers = [
    body,
    (await shop.call('POST', `/checkouts/${cart.id}/billing-address`, address)).body,
    (await shop.call('POST', `/checkouts/${cart.id}/consignments`, [{ address, line_items }])).body,
    (await shop.call('POST', '/catalog/trees/categories', [{ name: 'Late', tree_id: 1 }])).body,
    (await shop.call('POST', '/content/widget-templates', { name: 'W', template: '<b>W</b>', schema: [] })).body,
  ]
  const { hash } = shop.store
  return answers.map((answer) =>
    JSON.stringify(answer)
      .replaceAll(hash, '')
      .replaceAll(/\d{4}-\d\d-\d\dT[^"]*/g, ''),
  )
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const nameOf = ({ name }: { name: string }) => name

/** A shop with the resources of all examples. */
async function furnished(options: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = await openShop({ isTest: true, ...options })
  const maker = new Maker(shop, operations)
  // An authorized payment can't be refunded, and refunds leave more rows.
  const ofAuthorized = /\/payment_actions\/(capture|void)$/
  for (const operation of operations) {
    if (operation.example === undefined || ofAuthorized.test(operation.template)) continue
    await maker.prepare(operation).catch((error) => {
      // A busy machine renders no template in time.
      if (!String(error).includes('answered with 503')) throw error
    })
  }
  return shop
}

const rowsOf = ({ store }: Shop, where = 'true') =>
  asAdministrator(store, async (client) => {
    const found: Record<string, number> = {}
    for (const { name } of await storeTables(directory.cellOf(store).system)) {
      if (name.startsWith('directory.')) continue
      const { rows } = await client.query(
        `select count(*)::int as count from ${pg.escapeIdentifier(name)} r where store_id = $1 and ${where}`,
        [store.id],
      )
      if (rows[0].count > 0) found[name] = rows[0].count
    }
    return found
  })

/** Lists whose answers belong to the original, each with the reason. */
const OTHER_LISTS: Readonly<Record<string, string>> = {
  'GET /hooks': 'hooks are switched off',
  'GET /hooks/admin': 'addresses of the owner of an account',
  'GET /hooks/events': 'events of the original',
  'GET /io/backend/tokens': 'tokens of the original',
  'GET /sites': 'has the default address of the store',
  'GET /store': 'has the default address of the store',
  'GET /storefront/redirects/imex/jobs': 'work of the original',
  'GET /time': 'has the time',
}

const list = (shop: Shop, { template, version }: Operation) =>
  shop.call('GET', template, undefined, { version, headers: { 'x-store-hash': shop.store.hash } })

describe('a fork', () => {
  test('of a store with data of all examples answers every list as its source does', async () => {
    const source = await furnished()
    const copy = await fork(source, { client_id: source.admin.client_id })
    expect(copy.admin.client_id).toBe(source.admin.client_id)
    const lists = operations.filter(
      ({ method, template, name }) => method === 'GET' && !template.includes(':') && !(name in OTHER_LISTS),
    )
    expect(lists.length).toBeGreaterThan(100)
    const differing: string[] = []
    for (const each of lists) {
      const [there, here] = [await list(source, each), await list(copy, each)]
      const plain = here.text.replaceAll(copy.store.hash, source.store.hash)
      if (there.status !== here.status || there.text !== plain) differing.push(`${each.name}: ${there.text}\n${plain}`)
    }
    expect(differing).toEqual([])
    const { body } = await copy.call('GET', '/hooks')
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.data.filter((hook: { is_active: boolean }) => hook.is_active)).toEqual([])

    // Every table of the source has as many rows in the fork, unless a list names it.
    const [there, here] = [await rowsOf(source), await rowsOf(copy)]
    const tables = Object.keys(there).filter((name) => isCopied(name, 'test fork') && name !== 'counters')
    expect(tables.length).toBeGreaterThan(100)
    const counts = (rows: Record<string, number>) => Object.fromEntries(tables.map((name) => [name, rows[name]]))
    expect(counts(here)).toEqual(counts(there))
    // Its own account, gateway and profile, and the job that computes n-grams.
    expect(Object.keys(here).filter((name) => !isCopied(name, 'test fork'))).toEqual(
      expect.arrayContaining(['api_accounts', 'job_lanes', 'jobs', 'payment_providers', 'store_profiles']),
    )
    expect(await rowsOf(copy, `r::text like '%/files/${source.store.hash}/%'`)).toEqual({})
    await doJobs([ngramRunner()])
    expect(await rowsOf(copy, `to_jsonb(r) @> '{"ngrams":null}'`)).toEqual({})
  })

  test('is a test store of its own: changes, tokens and files of one do not reach the other', async () => {
    const source = await openShop()
    await source.call('POST', '/catalog/brands', { name: 'Ferm' })
    await source.call('POST', '/catalog/brands/1/image', undefined, form('image_file', 'a.png', png))
    await source.call('POST', '/catalog/products', { name: 'Searched teapot', type: 'physical', weight: 1, price: 2 })
    const copy = await fork(source, { name: 'Trial', hash: `fork${process.pid}` })
    expect(copy.store).toMatchObject({ name: 'Trial', hash: `fork${process.pid}`, is_test: true, plan: 'unlimited' })
    expect((await copy.call('GET', '/catalog/brands', undefined, { as: source.admin })).status).toBe(401)
    const [picture] = (await copy.call('GET', '/catalog/brands')).body.data
    expect(picture.image_url).toContain(`/files/${copy.store.hash}/`)

    // Without its n-grams, and with them.
    const search = async () => (await copy.call('GET', '/catalog/products?name:like=eapo')).body.data.length
    expect(await search()).toBe(1)
    await doJobs([ngramRunner()])
    expect(await search()).toBe(1)
    expect(await rowsOf(copy, `to_jsonb(r) @> '{"ngrams":null}'`)).toEqual({})

    await source.call('PUT', '/catalog/brands/1', { name: 'Changed' })
    await copy.call('POST', '/catalog/brands', { name: 'Second' })
    expect((await copy.call('GET', '/catalog/brands')).body.data.map(nameOf)).toEqual(['Ferm', 'Second'])
    expect((await source.call('GET', '/catalog/brands')).body.data.map(nameOf)).toEqual(['Changed'])
    await source.call('DELETE', '/catalog/brands/1/image')
    expect((await server.inject(new URL(picture.image_url).pathname)).statusCode).toBe(200)

    expect((await operator('DELETE', copy.store.hash)).status).toBe(204)
    expect(await rowsOf(copy)).toEqual({})
    expect(existsSync(join(files.folder, copy.store.hash))).toBe(false)
  })

  test('with a seed gives new rows the same ids as another one with that seed', async () => {
    const shop = await openShop({ isTest: true })
    await shop.call('POST', '/catalog/products', { name: 'Lamp', type: 'physical', weight: 1, price: 2 })
    const [one, same, other, without] = [
      await createSome(await fork(shop, { seed: '7' })),
      await createSome(await fork(shop, { seed: '7' })),
      await createSome(await fork(shop, { seed: '8' })),
      await createSome(await fork(shop)),
    ]
    expect(same).toEqual(one)
    for (const [i, answer] of one.entries()) {
      expect(other[i]).not.toBe(answer)
      expect(without[i]).not.toBe(answer)
    }
    // A fork of a fork has ids of its own beside those that were copied.
    const first = await fork(shop, { seed: '7' })
    const [cart] = await createSome(first)
    expect(cart).toBe(one[0])
    const [second] = await createSome(await fork(first, { seed: '7' }))
    expect(second).not.toBe(cart)
    for (const seed of ['', 'x'.repeat(65), 7]) {
      expect((await operator('POST', `${shop.store.hash}/forks`, { seed })).status, String(seed)).toBe(422)
    }
  })

  test('of a real store has no credentials', async () => {
    const source = await openShop()
    const row = {
      store_id: source.store.id,
      site_id: 1_000,
      certificate: 'c',
      intermediate_certificates: '',
      private_key: 'k',
    }
    await asAdministrator(source.store, (client) =>
      client.query(
        `insert into site_certificates (${Object.keys(row)}) values ($1, $2, $3, $4, $5)`,
        Object.values(row),
      ),
    )
    expect(await rowsOf(await fork(source))).not.toHaveProperty('site_certificates')
    const test = await openShop({ isTest: true })
    await asAdministrator(test.store, (client) =>
      client.query(
        `insert into site_certificates (${Object.keys(row)}) values ($1, $2, $3, $4, $5)`,
        Object.values({ ...row, store_id: test.store.id }),
      ),
    )
    expect(await rowsOf(await fork(test))).toHaveProperty('site_certificates')
  })

  test('is refused for unknown stores, taken hashes, foreign accounts and malformed bodies', async () => {
    const source = await openShop({ isTest: true })
    const hash = source.store.hash
    expect((await operator('POST', 'unknown1/forks', {})).status).toBe(404)
    expect(await operator('POST', `${hash}/forks`, { hash })).toMatchObject({
      status: 409,
      body: { title: `The store hash "${hash}" is taken.` },
    })
    expect(await operator('POST', `${hash}/forks`, { client_id: 'unknown' })).toMatchObject({
      status: 409,
      body: { title: `The store ${hash} has no account "unknown".` },
    })
    for (const body of [
      { name: '' },
      { hash: 'four' },
      { is_test: false },
      { lifetime_minutes: 0 },
      { lifetime_minutes: 10_081 },
      [],
    ]) {
      expect((await operator('POST', `${hash}/forks`, body)).status, JSON.stringify(body)).toBe(422)
    }
    await directory.setState(hash, 'upgrading')
    expect((await operator('POST', `${hash}/forks`, {})).status).toBe(409)
  })

  test('while its source is forked, changed and deleted is whole or refused', async () => {
    const source = await openShop({ isTest: true })
    const made = await Promise.all([
      ...Array.from({ length: 4 }, () => operator('POST', `${source.store.hash}/forks`, {})),
      source.call('POST', '/catalog/brands', { name: 'Meanwhile' }),
    ])
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200])
    const [late, removed] = await Promise.all([
      operator('POST', `${source.store.hash}/forks`, {}),
      operator('DELETE', source.store.hash),
    ])
    expect(removed.status).toBe(204)
    expect([201, 404, 409]).toContain(late.status)
    // No copy is left half made.
    expect(await directory.database.system(sql`select store_id from directory.forks`)).toEqual([])
  })

  test('whose maker has died is removed with its rows and files', async () => {
    const source = await openShop({ isTest: true })
    const entry = await directory.find(source.store.hash)
    if (!entry) throw new Error('The shop is not listed.')
    const left = await directory.enterCopy(entry, { hash: `left${process.pid}`, isTest: true, max: 20 })
    if (!left) throw new Error('The copy was not entered.')
    const db = directory.cellOf(left).api.of({ id: left.id, hash: left.hash, limits: {} })
    await db.transaction((tx) =>
      tx.rows(
        sql`insert into counters ${sql.rows([{ store_id: left.id, resource: 'brands', last_id: 1, total: 0, version: 1 }])}`,
      ),
    )
    // Its maker lives.
    await removeAbandonedCopies(parts)
    expect(await directory.prolongCopy(left)).toBe(true)
    expect(await directory.dbById(left.id)).toBeUndefined()
    await directory.database.system(
      sql`update directory.forks set lease_until = now() - interval '1 minute' where store_id = ${left.id} returning store_id`,
    )
    await removeAbandonedCopies(parts)
    expect([await directory.prolongCopy(left), await directory.activateCopy(left)]).toEqual([false, false])
    expect(await directory.find(left.hash)).toBeUndefined()
    expect(await rowsOf({ ...source, store: { ...source.store, id: left.id } })).toEqual({})
  })

  test('with a lifetime is deleted after it, also when a snapshot was restored meanwhile, and no other store is', async () => {
    const source = await openShop({ isTest: true })
    const short = await fork(source, { lifetime_minutes: 60 })
    const long = await fork(source, { lifetime_minutes: 10_080 })
    const hash = short.store.hash
    expect((await operator('POST', `${hash}/snapshots`, { name: 'before' })).status).toBe(201)
    expect((await operator('POST', `${hash}/snapshots/before/restore`)).status).toBe(204)
    const made = await server.inject({
      method: 'POST',
      url: '/operator/v1/stores',
      headers: { authorization: `Bearer ${key}` },
      payload: { name: 'Short', lifetime_minutes: 60 },
    })
    const empty: string = made.json().data.hash
    const now = installation.clock.now().getTime()
    const later = (minutes: number) => ({
      ...parts,
      clock: { ...installation.clock, now: () => new Date(now + minutes * 60_000) },
    })
    const left = async () => {
      const stores = [source.store.hash, hash, long.store.hash, empty]
      return Promise.all(stores.map(async (store) => (await directory.find(store)) !== undefined))
    }
    await deleteEndedStores(later(58))
    expect(await left()).toEqual([true, true, true, true])
    await deleteEndedStores(later(62))
    expect(await left()).toEqual([true, false, true, false])
    expect(await rowsOf(short)).toEqual({})
  })

  test('that fails leaves nothing behind', async () => {
    const source = await openShop({ isTest: true })
    const failing = { ...parts, openGateway: () => Promise.reject(new Error('No gateway.')) }
    await expect(forkStore(failing, source.store.hash, { hash: `fail${process.pid}` })).rejects.toThrow('No gateway.')
    expect(await directory.find(`fail${process.pid}`)).toBeUndefined()
    expect((await operator('POST', `${source.store.hash}/forks`, { hash: `fail${process.pid}` })).status).toBe(201)
  })
})

describe('a snapshot', () => {
  const names = async (shop: Shop) => (await shop.call('GET', '/catalog/brands')).body.data.map(nameOf)

  test('is restored to the store with the accounts, hooks and files that it has now', async () => {
    const shop = await openShop({ isTest: true })
    const { hash } = shop.store
    await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    await shop.call('POST', '/catalog/brands/1/image', undefined, form('image_file', 'a.png', png))
    expect(await operator('POST', `${hash}/snapshots`, { name: 'before' })).toEqual({
      status: 201,
      body: { data: { name: 'before', created_at: expect.any(String) }, meta: {} },
    })
    const other = await installation.accounts.create(hash, 'later', ['all'])
    const hook = { scope: 'store/product/created', destination: 'https://hooks.example.com/a', is_active: true }
    expect((await shop.call('POST', '/hooks', hook)).status).toBe(200)
    await shop.call('DELETE', '/catalog/brands/1')
    await shop.call('POST', '/catalog/brands', { name: 'Gone' })

    expect(await operator('POST', `${hash}/snapshots/before/restore`)).toMatchObject({ status: 204 })
    await vi.waitFor(async () => expect(await names(shop)).toEqual(['Ferm']), { timeout: 60_000, interval: 50 })
    const [brand] = (await shop.call('GET', '/catalog/brands', undefined, { as: other })).body.data
    expect((await server.inject(new URL(brand.image_url).pathname)).statusCode).toBe(200)
    expect((await shop.call('GET', '/hooks')).body.data).toMatchObject([
      { destination: hook.destination, is_active: true },
    ])
    expect((await shop.call('POST', '/catalog/brands', { name: 'Next' })).body.data.id).toBe(2)
    // The former store is gone, and its snapshots belong to the restored one.
    expect(await rowsOf(shop)).toEqual({})
    expect((await operator('GET', `${hash}/snapshots`)).body.data.map(nameOf)).toEqual(['before'])
    expect((await operator('POST', `${hash}/snapshots/before/restore`)).status).toBe(204)
    await vi.waitFor(async () => expect(await names(shop)).toEqual(['Ferm']), { timeout: 60_000, interval: 50 })

    // It disappears with its store.
    const folders = readdirSync(files.folder).length
    expect((await operator('DELETE', hash)).status).toBe(204)
    expect(readdirSync(files.folder).length).toBe(folders - 2)
  })

  test('is listed with its store and nowhere else, deleted, and refused beyond 20', async () => {
    const shop = await openShop({ isTest: true })
    const { hash } = shop.store
    const listed = async () => (await directory.list()).length
    const before = await listed()
    for (let i = 0; i < 20; i++) {
      expect((await operator('POST', `${hash}/snapshots`, { name: `s${i}` })).status).toBe(201)
    }
    expect(await listed()).toBe(before)
    expect(await operator('POST', `${hash}/snapshots`, { name: 's20' })).toMatchObject({
      status: 409,
      body: { title: `The store ${hash} has 20 snapshots, the most that a store can have.` },
    })
    expect((await operator('DELETE', `${hash}/snapshots/s0`)).status).toBe(204)
    expect((await operator('DELETE', `${hash}/snapshots/s0`)).status).toBe(404)
    expect(await operator('POST', `${hash}/snapshots`, { name: 's1' })).toMatchObject({
      status: 409,
      body: { title: `The store ${hash} has a snapshot "s1" already.` },
    })
    for (const name of ['', '../x', '.x', 'a b', 'x'.repeat(65)]) {
      expect((await operator('POST', `${hash}/snapshots`, { name })).status, name).toBe(422)
    }
    expect((await operator('POST', `${hash}/snapshots`, { name: 'x'.repeat(64) })).status).toBe(201)
    expect((await operator('POST', `${hash}/snapshots/nothing/restore`)).status).toBe(404)
  })

  test('of a real store is restored by the command only', async () => {
    const real = await openShop()
    const { hash } = real.store
    expect((await operator('POST', `${hash}/snapshots`, { name: 'one' })).status).toBe(201)
    expect(await operator('POST', `${hash}/snapshots/one/restore`)).toMatchObject({
      status: 403,
      body: { title: 'This is a real store. Only "storeward snapshot restore" replaces its data.' },
    })
    await restoreSnapshot(parts, hash, 'one')
    expect((await directory.list()).find((store) => store.hash === hash)).toMatchObject({
      is_test: false,
      state: 'active',
    })
    await vi.waitFor(async () => expect((await real.call('GET', '/catalog/brands')).status).toBe(200), {
      timeout: 60_000,
    })
  })
})

test('the role of copies reads the source only, inserts rows of the copy only, and changes nothing', async () => {
  const [ours, theirs] = [await openShop(), await openShop()]
  const url = new URL(administratorOf(ours.store))
  url.username = 'storeward_fork'
  url.password = installation.secrets.rolePassword
  const client = new pg.Client({ connectionString: url.href, options: CLIENT_OPTIONS })
  await client.connect()
  const refusal = async (text: string) => {
    await client.query('savepoint attempt')
    const code = await client.query(text).then(
      () => undefined,
      (error) => error.code,
    )
    await client.query('rollback to savepoint attempt')
    return code
  }
  const seen = async () =>
    (await client.query('select distinct store_id from counters')).rows.map((row) => row.store_id)
  await client.query('begin')
  expect(await seen()).toEqual([])
  await client.query(`set local app.store = ${theirs.store.id}`)
  expect(await seen()).toEqual([])
  await client.query(`set local app.source = ${ours.store.id}`)
  expect(await seen()).toEqual([ours.store.id])
  const insert = (store: number) =>
    `insert into counters (store_id, resource, last_id, total, version) values (${store}, 'of a copy', 1, 1, 1)`
  expect(await refusal(insert(ours.store.id))).toBe('42501')
  expect(await refusal(insert(theirs.store.id))).toBeUndefined()
  for (const text of ['update brands set name = name', 'delete from brands', 'truncate brands']) {
    expect(await refusal(text), text).toBe('42501')
  }
  for (const table of ['jobs', 'customer_sessions', 'events', 'directory.stores']) {
    expect(['42501', '42P01', '3F000'], table).toContain(await refusal(`select from ${table}`))
  }
  const { rows } = await client.query(`
    select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or rolinherit as is_powerful,
      (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
    from pg_roles where rolname = current_user`)
  expect(rows).toEqual([{ is_powerful: false, memberships: 0 }])
  await client.end()
})

test('the role of copies has the tables analyzed that grew by a copy', async () => {
  const { store } = await openShop()
  const url = new URL(await nodeOfStore(administratorOf(store), store.id))
  url.username = 'storeward_fork'
  url.password = installation.secrets.rolePassword
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const table = (await asAdministrator(store, (admin) => openTable(admin, store.id, 'brands'))).replaceAll('"', '')
  const analyzedAt = () =>
    asAdministrator(store, async (admin) => {
      const { rows } = await admin.query('select pg_stat_get_last_analyze_time($1::regclass) as last_analyze', [table])
      return rows[0].last_analyze?.getTime() ?? 0
    })
  const before = await analyzedAt()
  await client.query('select analyze_copies($1, $2)', [
    [table, 'no table'],
    [1_000, 1_000_000],
  ])
  expect(await analyzedAt()).toBe(before)
  await client.query('select analyze_copies($1, $2)', [[table], [1_000_000]])
  expect(await analyzedAt()).toBeGreaterThan(before)
  await client.end()
})

test('every table is copied, or a list says why not', async () => {
  const { system } = directory.cells[0] ?? { system: directory.database }
  const tables = new Set(
    (await storeTables(system)).map(({ name }) => name).filter((name) => !name.startsWith('directory.')),
  )
  const listed = [...Object.keys(NEVER_COPIED), ...Object.keys(IDENTITY), ...Object.keys(CREDENTIALS)]
  expect(listed.filter((name) => !tables.has(name))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
  const columns = { ...PICTURE_COLUMNS, ...FORKED_VALUES, ...NGRAM_COLUMNS }
  expect(Object.keys(columns).filter((name) => !tables.has(name))).toEqual([])
})
