import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Db, NamedQuery } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { presets } from '../../stores/accounts/scopes.ts'
import { type Answered, openStaffedShop, type StaffedShop, theHouse } from '../fixtures/shop.ts'
import { connectAsAdministrator } from '../harness/administrator.ts'
import { type Ids, Maker, type Operation, send, theOperations } from './operations.ts'

// The isolation matrix: every route of the server is called with ids of another store and with every kind of invalid
// token. The matrix is generated from the list of routes. Each area's `isolation.test.ts` runs it for its routes, and
// `isolation.test.ts` beside this file fails for a route without an area. Bodies come from the `examples` of a route's
// schema, as does the query of a DELETE that needs a filter. An upload names its field by `contentMediaType`.

/** Every operation with an example of its input. These create the resources for all other operations. */
const usable = (await theOperations()).filter(({ example }) => example !== undefined)

/** `test.each` takes names out of objects and cuts them, so it gets names and operations. */
const named = (list: readonly Operation[]) => list.map((operation) => [operation.name, operation] as const)

/** Tests that each operation works in its own store, and that none works in another store. */
export function describeIsolation(operations: readonly Operation[]) {
  describe('in its own store', () => inItsOwnStore(operations))

  describe('beside another store,', () => {
    let stores: Neighbours
    beforeAll(async () => {
      stores = await neighbours(operations)
    })
    besideAnother(operations, () => stores)
    describe('with a token that opens nothing here,', () => withWrongTokens(operations, () => stores))
  })

  describe('with a server that forgets the store in all its statements (C-068),', () => {
    let stores: Neighbours
    let before = 0
    beforeAll(async () => {
      await forgetStores()
      // Stores of their own: the server caches the database of a caller for a second, with or without the changed
      // statements.
      stores = await neighbours(operations)
      before = forgotten
    })
    afterAll(() => {
      vi.restoreAllMocks()
      // An area without ids in its paths may send no statements.
      if (operations.some(({ template }) => template.includes(':'))) expect(forgotten).toBeGreaterThan(before)
    })
    besideAnother(operations, () => stores)
  })
}

/** Answers for a path with an unknown id, if the contract says another status than 404. */
const NOT_FOUND: Readonly<Record<string, number>> = {
  'DELETE /promotions/:id': 204,
  'DELETE /promotions/:promotion_id/codes': 204,
  'DELETE /promotions/:promotion_id/codes/:code_id': 204,
  'POST /channels/:channel_id/currency-assignments': 422,
  'PUT /channels/:channel_id/currency-assignments': 422,
  'GET /channels/:channel_id/listings': 200,
  'POST /channels/:channel_id/listings': 422,
  'PUT /channels/:channel_id/listings': 422,
  'GET /checkouts/settings/channels/:channel_id': 422,
  'PUT /checkouts/settings/channels/:channel_id': 422,
  'PUT /v3/io/sales-staffs/:sales_staff_id': 422,
  // The stores have independent companies.
  'PUT /v3/io/companies/:company_id/catalogs': 405,
  'POST /v3/io/customer-groups/:customer_group_id/companies': 405,
  'PUT /v3/io/customers/:customer_id/orders/company': 405,
}
/** Routes whose errors have a form of their own: a list, which has one entry. */
const ENVELOPED = ['/tax/classes']

/** Operations that ignore unknown ids in their bodies, by the contract. */
const PASSED_OVER = ['PUT /channels/:channel_id/listings']

/** Operations that need a token of the store in a header, which no example can have, with their answer without one. */
const WITHOUT_TOKEN: Readonly<Record<string, number>> = {
  'DELETE /storefront/api-token': 422,
  'DELETE /storefront/api-token-customer-impersonation': 422,
}

function inItsOwnStore(operations: readonly Operation[]) {
  let shared: { shop: StaffedShop; maker: Maker }
  beforeAll(async () => {
    shared = await furnished()
  })

  // Reads share a store. Each write has its own, in which the ids of its example count from 1.
  test.each(named(operations))('%s does its work', async (_, operation) => {
    const { shop, maker } = operation.method === 'GET' ? shared : await furnished()
    const ids = await maker.prepare(operation)
    const { status, text } = await send(shop, operation, ids, {
      body: await maker.bodyFor(operation),
      headers: { 'idempotency-key': operation.name },
    })
    const works = WITHOUT_TOKEN[operation.name] === undefined ? [200, 201, 202, 204] : [WITHOUT_TOKEN[operation.name]]
    expect(works, `${status} ${text}`).toContain(status)
  })
}

function besideAnother(operations: readonly Operation[], stores: () => Neighbours) {
  afterAll(async () => {
    const { there, before } = stores()
    expect(await everythingOf(there)).toEqual(before)
  })

  const pathIds = operations.filter(({ template }) => template.includes(':'))
  test.each(named(pathIds))("%s doesn't find resources of another store (C-065, C-066)", async (_, operation) => {
    const { here, own, foreign } = stores()
    const [mine, theirs] = [await own.idsFor(operation), await foreign.idsFor(operation)]
    for (const ids of mixtures(mine, theirs)) {
      const answer = await send(here, operation, ids)
      expect(answer.status).toBe(NOT_FOUND[operation.name] ?? 404)
      const missing = mapIds(ids, (id, name) => (id === mine[name] ? id : missingFor(id)))
      expect(blind(answer, ids)).toEqual(blind(await send(here, operation, missing), missing))
    }
  })

  const bodyIds = operations.filter(({ example }) => idsNamedIn(example?.body))
  test.each(named(bodyIds))("%s doesn't accept ids of another store in its body (C-067)", async (_, operation) => {
    const { here, own, foreign } = stores()
    const ids = await own.idsFor(operation)
    for (const theirs of await someIds(foreign)) {
      const sendWith = (id: string | number) =>
        send(here, operation, ids, { body: replaceIds(operation.example?.body, id) })
      const answer = await sendWith(theirs)
      if (!PASSED_OVER.includes(operation.name)) expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(blind(answer, { id: theirs })).toEqual(
        blind(await sendWith(missingFor(theirs)), { id: missingFor(theirs) }),
      )
    }
  })

  const reads = operations.filter(({ method }) => method === 'GET')
  test.each(named(reads))('%s shows nothing of another store', async (_, operation) => {
    const { here, own, foreign } = stores()
    const ids = await own.idsFor(operation)
    const shown = [await send(here, operation, ids)]
    for (const name of operation.queryNames.filter((query) => /(^|_|[a-z](?=I))[iI]d(:in)?$/.test(query))) {
      for (const theirs of await someIds(foreign)) {
        const answer = await send(here, operation, ids, { query: { [name]: String(theirs) } })
        const missing = missingFor(theirs)
        const empty = await send(here, operation, ids, { query: { [name]: String(missing) } })
        expect(blind(answer, { id: theirs })).toEqual(blind(empty, { id: missing }))
        // Links repeat the query, so only the data is searched.
        shown.push({ ...answer, text: JSON.stringify(answer.body?.data ?? null) })
      }
    }
    for (const { text } of shown) {
      for (const theirs of await foreign.ids()) expect(text).not.toContain(String(theirs))
    }
  })
}

function withWrongTokens(operations: readonly Operation[], stores: () => Neighbours) {
  let wrong: Record<'unknown' | 'foreign' | 'revoked', string>
  let before: unknown
  beforeAll(async () => {
    const { here, there } = stores()
    const { accounts } = (await theHouse()).installation
    const revoked = await accounts.create(here.store.hash, 'revoked', ['all'])
    await accounts.delete(here.store.hash, revoked.client_id)
    wrong = {
      unknown: 'x'.repeat(31),
      foreign: there.admin.access_token,
      revoked: revoked.access_token,
    }
    before = await everythingOf(here)
  })
  afterAll(async () => {
    expect(await everythingOf(stores().here)).toEqual(before)
  })

  const asked = operations.flatMap((operation) =>
    operation.method === 'GET'
      ? [operation, { ...operation, method: 'HEAD', name: `HEAD ${operation.template}` }]
      : [operation],
  )

  test.each(named(asked))('%s is 401, the same for every reason (C-064)', async (_, operation) => {
    const { here, own } = stores()
    const ids = await own.idsFor(operation)
    const as = (access_token: string) => send(here, operation, ids, { as: { access_token } })
    const unknown = await as(wrong.unknown)
    expect(unknown.status).toBe(401)
    expect(unknown.headers['www-authenticate']).toBe('X-Auth-Token')
    // With the hash of another store, a token is a server error there (docs/contract/b2b.md section 2).
    const isCompanion = operation.version === 'b2b'
    if (isCompanion) expect(await as(wrong.foreign)).toMatchObject({ status: 500 })
    for (const token of [wrong.revoked, `${here.admin.access_token}x`, ...(isCompanion ? [] : [wrong.foreign])]) {
      expect(blind(await as(token), {})).toEqual(blind(unknown, {}))
    }
    expect(await as('')).toMatchObject({ status: 401, headers: { 'www-authenticate': 'X-Auth-Token' } })
  })

  test.each(named(asked))('%s is 403 with a lesser scope', async (_, operation) => {
    const { here, own } = stores()
    const ids = await own.idsFor(operation)
    const lesser = [
      { account: here.noscope, scopes: presets.none },
      { account: here.readonly, scopes: presets.read_only },
    ]
    for (const { account, scopes } of lesser) {
      if (operation.scopes.some((scope) => scopes.some((granted) => granted === scope))) continue
      const answer = await send(here, operation, ids, { as: account })
      expect(answer.status).toBe(403)
      if (operation.method === 'HEAD') continue
      const sentence = "You don't have a required scope to access the endpoint"
      const isEnveloped = ENVELOPED.includes(operation.template)
      expect(isEnveloped ? answer.body.errors[0] : answer.body).toMatchObject(refusals[operation.version](sentence))
    }
  })
}

/** The body of a 403 in each family. */
const refusals = {
  v2: (message: string) => [{ status: 403, message }],
  v3: (title: string) => ({ title, errors: {} }),
  b2b: (message: string) => ({ code: 403, meta: { message } }),
}

async function furnished() {
  const shop = await openStaffedShop()
  return { shop, maker: new Maker(shop, usable) }
}

interface Neighbours {
  here: StaffedShop
  there: StaffedShop
  /** Makes the resources of each store for the operations. */
  own: Maker
  foreign: Maker
  /** The rows of the second store. No operation of the first may change them. */
  before: Record<string, unknown>
}

/** Two stores of one database. The ids of the second are higher than all ids of the first. */
export async function neighbours(operations: readonly Operation[]): Promise<Neighbours> {
  const { directory } = (await theHouse()).installation
  const here = await openStaffedShop()
  let there = await openStaffedShop()
  while (!(await shareTables(here, there))) there = await openStaffedShop()
  const [own, foreign] = [new Maker(here, usable), new Maker(there, usable)]
  for (const operation of operations) await own.idsFor(operation)
  await directory.cellOf(there.store).system.system(sql`
    insert into counters (store_id, resource, last_id, total, version)
    select ${there.store.id}, resource, 100000, 0, 1 from counters where store_id = ${here.store.id}
    on conflict (store_id, resource) do update set last_id = counters.last_id + 100000`)
  for (const operation of operations) await foreign.idsFor(operation)
  return { here, there, own, foreign, before: await everythingOf(there) }
}

/** Whether the rows of two stores are in the same tables: in one cell, and on Citus in one shard. */
async function shareTables({ store: one }: StaffedShop, { store: other }: StaffedShop): Promise<boolean> {
  if (one.cell !== other.cell) return false
  const { directory } = (await theHouse()).installation
  return directory.cellOf(one).api.atAll([one.id, other.id], async ([here, there]) => here === there)
}

/** Every row of a store, table by table, as an administrator sees them. */
async function everythingOf(shop: StaffedShop): Promise<Record<string, unknown>> {
  const admin = await connectAsAdministrator(shop.store)
  const { rows: tables } = await admin.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'store_id'`,
  )
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await admin.query(
      `select to_jsonb(t)::text as row from ${pg.escapeIdentifier(name)} t where store_id = $1 order by 1`,
      [shop.store.id],
    )
    found[name] = rows.map(({ row }) => row)
  }
  await admin.end()
  return found
}

/** The first id, which every kind of resource has, and the last one. All ids would make the matrix quadratic. */
async function someIds(maker: Maker) {
  const ids = [...(await maker.ids())]
  return new Set([...ids.slice(0, 1), ...ids.slice(-1)])
}

/**
 * The own ids with one id of another store at each position, and all ids of the other store. Resources that every store
 * has are left out.
 */
function mixtures(mine: Ids, theirs: Ids): Ids[] {
  const places = Object.keys(mine).filter((name) => mine[name] !== theirs[name])
  const mixed = places.map((name) => mapIds(mine, (id, key) => (key === name ? (theirs[key] ?? id) : id)))
  return places.length > 1 ? [...mixed, theirs] : mixed
}

const mapIds = (ids: Ids, change: (id: string | number, name: string) => string | number): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, change(id, name)]))

/** An unknown id with the form and length of this one. */
const missingFor = (id: string | number): string | number =>
  typeof id === 'number'
    ? id + (id < 200_000 ? 800_000 : 80_000)
    : id.replaceAll(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + 7) % 16).toString(16))

/** An answer without its volatile parts and without the ids of the request. */
function blind({ status, headers, text }: Answered, asked: Ids) {
  const changing = ['date', 'x-request-id', 'x-rate-limit-time-reset-ms']
  const kept = Object.entries(headers).filter(([name]) => !changing.includes(name))
  let hidden = text
  for (const id of Object.values(asked)) hidden = hidden.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')
  return { status, headers: Object.fromEntries(kept), text: hidden }
}

const isIdName = (key: string) => key === 'id' || key.endsWith('_id') || /[a-z]Id$/.test(key)

function idsNamedIn(body: unknown): boolean {
  if (Array.isArray(body)) return body.some((item) => typeof item === 'number' || idsNamedIn(item))
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([key, value]) => isIdName(key) || idsNamedIn(value))
}

/** The body with every id replaced: values of `id` and `…_id`, and items of lists. */
function replaceIds(body: unknown, id: string | number): unknown {
  if (Array.isArray(body)) return body.map((item) => (typeof item === 'number' ? id : replaceIds(item, id)))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, isIdName(key) ? id : replaceIds(value, id)]),
  )
}

/**
 * Sends every statement of a request without its store from now on. Only the row policies then keep the stores apart.
 */
async function forgetStores() {
  const { directory } = (await theHouse()).installation
  for (const { api } of directory.cells) {
    const of = api.of.bind(api)
    vi.spyOn(api, 'of').mockImplementation((store) => forgetful(of(store)))
  }
}

/** A store's database whose statements lack the store. */
export function forgetful(db: Db): Db {
  return {
    store: db.store,
    get now() {
      return db.now
    },
    rows: (query) => db.rows('name' in query ? anyStoreByKey(query) : anyStore(query)),
    row: (query) => db.row('name' in query ? anyStoreByKey(query) : anyStore(query)),
    maybeRow: (query) => db.maybeRow(anyStore(query)),
    jsonRows: (query, json) => db.jsonRows('name' in query ? anyStoreByKey(query) : anyStore(query), json),
    byKey: (query) => db.byKey(anyStoreByKey(query)),
    jsonByKey: (query, json) => db.jsonByKey(anyStoreByKey(query), json),
    together: (begin) => db.together(begin),
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...forgetful(tx),
          now: tx.now,
          aheadMs: tx.aheadMs,
          present: tx.present,
          isWhole: tx.isWhole,
          conclude: (begin) => tx.conclude(begin),
          setLocal: (settings) => tx.setLocal(settings),
          afterCommit: (deed) => tx.afterCommit(deed),
          beforeCommit: (pieces) => tx.beforeCommit(() => pieces().map((piece) => piece.map(anyStoreByKey))),
          refuseAtEnd: (refusal) => tx.refuseAtEnd(refusal),
          onUndo: (deed) => tx.onUndo(deed),
          savepoint: (deed) => tx.savepoint(deed),
        }),
      ),
  }
}

/** The number of statements that were sent without their store. */
let forgotten = 0

/** Replaces `store_id = 7` by a condition that is always true and that still takes the parameter. */
function anyStore(query: Sql): Sql {
  const { strings, values } = query
  forgotten++
  return sql(
    strings.map((text) => text.replace(/store_id = $/, 'store_id <> 0 * ')),
    ...values,
  )
}

function anyStoreByKey(query: NamedQuery): NamedQuery {
  const { name, text, values } = query
  forgotten++
  return {
    name: `${name}, any store`,
    text: text.replaceAll(/store_id = (\$\d+)/g, 'store_id <> 0 * $1'),
    values,
  }
}
