import pg from 'pg'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newRequestId } from '../../process/edge.ts'
import { deleteStore } from '../../stores/directory/deletion.ts'
import { RequestRecorder } from '../../stores/requests/recorder.ts'
import { expiredSlots, slotOfLog, slotsByAge } from '../../stores/requests/ring.ts'
import { findRequests, requestsWith, trimRequestLog } from '../../stores/requests/search.ts'
import { doMoney } from '../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { attempt, delivered, dispatchAll } from '../../test/fixtures/webhooks.ts'
import { connectAsAdministrator } from '../../test/harness/administrator.ts'

const house = await theHouse()
const { server, installation } = house
const HOUR = 3_600_000
/** Whether the suite runs with another level than the usual one (logged-secrets.ts). */
const storesBodies = process.env.REQUEST_LOG === 'bodies'
const CORRELATION = '2f1c5d7e-0000-4000-8000-000000000001'

let key: string
let shop: Shop
beforeAll(async () => {
  key = (await installation.operatorKeys.create('requests')).key
})
beforeEach(async () => {
  shop = await openShop({ isTest: true })
})

async function operator(method: 'GET' | 'PUT', path: string, payload?: object, { store } = shop) {
  const answer = await server.inject({
    method,
    url: `/operator/v1/stores/${store.hash}${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const list = async (query = '', of = shop) => (await operator('GET', `/requests${query}`, undefined, of)).body.data
const pathsOf = async (query: string) => (await list(query)).map(({ path }: { path: string }) => path)

const send = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET', payload?: object) =>
  server.inject({
    method,
    url: `/stores/${shop.store.hash}${path}`,
    headers: { 'x-auth-token': shop.admin.access_token, ...headers },
    ...(payload ? { payload } : {}),
  })

describe('the request log', () => {
  test.skipIf(storesBodies)('has a line for each request of a store, the newest first', async () => {
    const first = await send('/v3/catalog/brands?name=Ann', {
      'x-correlation-id': CORRELATION,
      'user-agent': 'trial/1',
    })
    await send('/v3/catalog/brands/77')
    const [second, line, ...others] = await list()
    expect(others).toEqual([])
    expect(line).toEqual({
      request_id: first.headers['x-request-id'],
      correlation_id: CORRELATION,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      client_id: shop.admin.client_id,
      person: null,
      operation: 'GET /v3/catalog/brands',
      path: '/v3/catalog/brands?name=Ann',
      status: 200,
      ms: expect.any(Number),
      statements: expect.any(Number),
      statement_ms: expect.any(Number),
      address: '127.0.0.1',
      agent: 'trial/1',
      request_bytes: null,
      answer_bytes: null,
    })
    expect(line.statements).toBeGreaterThan(1)
    expect(line.statement_ms).toBeLessThanOrEqual(line.ms)
    expect(Math.abs(Date.parse(line.at) - Date.now())).toBeLessThan(10 * 60_000)
    expect([second.operation, second.status, second.correlation_id]).toEqual([
      'GET /v3/catalog/brands/{brand_id}',
      404,
      null,
    ])
  })

  test('finds requests by each filter, in pages', async () => {
    await send('/v3/catalog/brands?name=Ann', { 'x-correlation-id': CORRELATION })
    const id = String((await send('/v3/catalog/brands?name=Bob')).headers['x-request-id'])
    await send('/v3/catalog/brands/77')
    const [brands, both] = [
      ['/v3/catalog/brands?name=Bob'],
      ['/v3/catalog/brands?name=Bob', '/v3/catalog/brands?name=Ann'],
    ]
    expect(await pathsOf(`?request_id=${id}`)).toEqual(brands)
    expect(await pathsOf(`?correlation_id=${CORRELATION}`)).toEqual(['/v3/catalog/brands?name=Ann'])
    expect(await pathsOf(`?operation=${encodeURIComponent('GET /v3/catalog/brands')}`)).toEqual(both)
    expect(await pathsOf('?status=404')).toEqual(['/v3/catalog/brands/77'])
    expect(await pathsOf('?errors=true')).toEqual(['/v3/catalog/brands/77'])
    expect(await pathsOf(`?client_id=${shop.admin.client_id}&limit=2`)).toHaveLength(2)
    expect(await pathsOf('?client_id=nobody')).toEqual([])
    expect(await pathsOf('?path=BRANDS%20bob')).toEqual(brands)
    expect(await pathsOf('?path=%25')).toEqual([])
    expect(await pathsOf('?since=2999-01-01T00:00:00Z')).toEqual([])
    expect(await pathsOf('?until=2999-01-01T00:00:00Z')).toHaveLength(3)
    const { body } = await operator('GET', '/requests?limit=1')
    expect(body.data).toHaveLength(1)
    expect(await pathsOf(`?before=${body.meta.before}`)).toEqual(both)
    expect((await operator('GET', '/requests?limit=3')).body.meta).toEqual({ before: expect.any(String) })
    expect((await operator('GET', '/requests?limit=4')).body.meta).toEqual({})
  })

  test('refuses malformed filters, and has nothing of other stores', async () => {
    for (const query of ['?limit=0', '?request_id=1', '?correlation_id=1', '?status=99', '?since=x', '?path=']) {
      expect([query, (await operator('GET', `/requests${query}`)).status]).toEqual([query, 422])
    }
    expect((await operator('GET', '/requests?limit=251')).status).toBe(413)
    const id = String((await send('/v2/time')).headers['x-request-id'])
    const other = await openShop({ isTest: true })
    expect(await list('', other)).toEqual([])
    expect((await operator('GET', `/requests/${id}`, undefined, other)).status).toBe(404)
    expect((await operator('GET', `/requests/${'0'.repeat(32)}`)).status).toBe(404)
    expect((await operator('GET', `/requests/${id}`)).body.data).toMatchObject({ request_id: id, path: '/v2/time' })
  })

  test('has requests with a wrong token, with an unknown path, and of storefronts', async () => {
    await send('/v2/time', { 'x-auth-token': 'wrong' })
    await send('/v3/nothing')
    await server.inject({
      method: 'POST',
      url: `/storefront/${shop.store.hash}/graphql`,
      payload: { query: '{ site { __typename } }' },
    })
    const lines = await list()
    expect(
      lines.map(({ operation, status, client_id }: Record<string, unknown>) => [operation, status, client_id]),
    ).toEqual([
      [expect.stringContaining('graphql'), expect.any(Number), null],
      ['GET unknown', 404, shop.admin.client_id],
      ['GET /v2/time', 401, null],
    ])
  })
})

describe('the level of a store', () => {
  test.skipIf(storesBodies)('is lines, and with bodies the log has both of them, cut after 8 KiB', async () => {
    expect((await operator('GET', '/request-log')).body.data).toEqual({ level: 'lines', chosen: null })
    expect((await operator('PUT', '/request-log', { level: 'bodies' })).body.data).toEqual({
      level: 'bodies',
      chosen: 'bodies',
    })
    const created = await send('/v3/catalog/brands', {}, 'POST', { name: 'Björn & Töchter' })
    const { data } = (await operator('GET', `/requests/${created.headers['x-request-id']}`)).body
    expect(JSON.parse(data.request_body)).toEqual({ name: 'Björn & Töchter' })
    expect(data.answer_body).toBe(created.body)
    expect(data.answer_bytes).toBe(Buffer.byteLength(created.body))
    const long = await send('/v3/catalog/brands', {}, 'POST', { name: 'x'.repeat(9_000) })
    const cut = (await operator('GET', `/requests/${long.headers['x-request-id']}`)).body.data
    expect([cut.request_body.length, cut.request_bytes]).toEqual([8_192, 9_011])
    expect((await operator('PUT', '/request-log', { level: 'all' })).status).toBe(422)
  })

  test('has client and answer of a request that the gate refuses for its scope', async () => {
    await operator('PUT', '/request-log', { level: 'bodies' })
    const account = await installation.accounts.create(shop.store.hash, 'reader', ['store_v2_orders_read_only'])
    const refused = await send('/v3/catalog/brands', { 'x-auth-token': account.access_token }, 'POST', { name: 'Fern' })
    expect(refused.statusCode).toBe(403)
    const { data } = (await operator('GET', `/requests/${refused.headers['x-request-id']}`)).body
    expect(data).toMatchObject({ status: 403, client_id: account.client_id, answer_body: refused.body })
    expect(JSON.parse(data.answer_body).detail).toContain('store_v2_products')
  })

  test.skipIf(storesBodies)('is off for a store that chose so, and follows the server again with null', async () => {
    await operator('PUT', '/request-log', { level: 'off' })
    await send('/v2/time')
    expect(await list()).toEqual([])
    expect((await operator('PUT', '/request-log', { level: null })).body.data).toEqual({ level: 'lines', chosen: null })
    await send('/v2/time')
    expect(await pathsOf('')).toEqual(['/v2/time'])
  })

  test('never stores secrets (C-103)', async () => {
    await operator('PUT', '/request-log', { level: 'bodies' })
    const secrets = ['hunter2hunter2', 'planted-token-1', shop.admin.access_token, 'planted-code-9']
    await send('/v3/customers', {}, 'POST', [
      { email: 'ann@example.com', first_name: 'A', last_name: 'B', authentication: { new_password: secrets[0] } },
    ])
    await send(`/v2/time?access_token=${secrets[1]}`)
    await send(`/v3/abandoned-carts/${secrets[1]}`)
    await send(`/v2/gift_certificates?code=${secrets[3]}`)
    await send('/v3/hooks', {}, 'POST', {
      scope: 'store/product/created',
      destination: 'https://example.com/hook',
      headers: { authorization: secrets[1] },
    })
    const graph = { query: `mutation { login(email: "a@example.com", password: "${secrets[0]}") { result } }` }
    await server.inject({ method: 'POST', url: `/storefront/${shop.store.hash}/graphql`, payload: graph })
    expect(await list()).toHaveLength(6)
    const admin = await connectAsAdministrator({ cell: 'main' })
    const { rows } = await admin.query('select row_to_json(lines)::text as line from request_log.lines')
    await admin.end()
    const all = rows.map(({ line }) => line).join('\n')
    expect(secrets.filter((secret) => secret !== undefined && all.includes(secret))).toEqual([])
  })
})

describe('the writer', () => {
  const lineOf = (store: number) => ({
    correlation_id: undefined,
    store,
    client_id: undefined,
    operation: 'GET /a',
    path: '/a',
    status: 200,
    ms: 1,
    statements: 1,
    statement_ms: 1,
    address: '127.0.0.1',
    agent: undefined,
  })

  test('drops and counts rows that do not fit, and those of a database that does not answer', async () => {
    const { directory } = installation
    const [cell] = directory.cells
    if (!cell) throw new Error('There is no cell.')
    const warnings: string[] = []
    const lost = { ...cell, systemUrl: 'postgres://storeward_system@127.0.0.1:1/nothing' }
    const recorder = new RequestRecorder({
      directory: { cells: directory.cells, find: async () => undefined, cellById: async () => lost },
      level: 'lines',
      log: { warn: (_details: object, sentence: string) => warnings.push(sentence) },
    })
    // All in one turn of the event loop, so that none has left.
    for (let i = 0; i < 20_001; i++) recorder.record({ ...lineOf(shop.store.id), request_id: newRequestId() })
    expect(recorder.counts.dropped).toBe(1)
    await recorder.flush()
    await recorder.flush()
    expect(recorder.counts).toEqual({ written: 0, dropped: 20_001 })
    // The outage itself has lines in the log of the process.
    expect(warnings).toEqual([])
    await recorder.stop()
  })

  test('loses only the rows of the database that does not answer', async () => {
    const { directory } = installation
    const [cell] = directory.cells
    if (!cell) throw new Error('There is no cell.')
    const lost = { ...cell, name: 'lost', systemUrl: 'postgres://storeward_system@127.0.0.1:1/nothing' }
    const cellById = async (store: number) => (store === shop.store.id ? directory.cellById(store) : lost)
    const parts = { cells: directory.cells, find: async () => undefined, cellById }
    const recorder = new RequestRecorder({ directory: parts, level: 'lines', log: pino({ level: 'silent' }) })
    for (const store of [shop.store.id + 1, shop.store.id])
      recorder.record({ ...lineOf(store), request_id: newRequestId() })
    await recorder.flush()
    expect(recorder.counts).toEqual({ written: 1, dropped: 1 })
    await recorder.stop()
  })

  test('stores any text, and rows of a full batch without waiting for the second', async () => {
    const recorder = new RequestRecorder({ ...installation, level: 'lines', log: pino({ level: 'silent' }) })
    const path = '/a?b=\\N\t\n\r\u0000\\.\n"€😀'
    for (let i = 0; i < 500; i++) {
      recorder.record({
        request_id: newRequestId(),
        correlation_id: CORRELATION,
        store: shop.store.id,
        client_id: 'client',
        operation: 'GET /a',
        path,
        status: 200,
        ms: 1.26,
        statements: 2,
        statement_ms: 0.1,
        address: '::1',
        agent: 'a'.repeat(300),
      })
    }
    await vi.waitFor(() => expect(recorder.counts.written).toBe(500), { timeout: 60_000 })
    const [line] = await findRequests(await cellOf(), shop.store.id, {}, 1)
    expect(line).toMatchObject({ path: path.replace('\u0000', ''), ms: 1.3, agent: 'a'.repeat(255) })
    await recorder.stop()
  })
})

async function cellOf() {
  const cell = await installation.directory.cellById(shop.store.id)
  if (!cell) throw new Error('The store has no cell.')
  return cell
}

describe('the ring', () => {
  test('keeps at least seven days, and has a slot for each eight hours', () => {
    const now = Date.parse('2026-03-04T05:00:00Z')
    const kept = new Set(Array.from({ length: 7 * 24 + 1 }, (_, hours) => slotOfLog(now - hours * HOUR)))
    expect(expiredSlots(now).filter((slot) => kept.has(slot))).toEqual([])
    expect(expiredSlots(now)).toHaveLength(2)
    expect(slotsByAge(now).at(-1)).toBe(slotOfLog(now))
    expect(new Set(slotsByAge(now)).size).toBe(24)
  })

  test('loses its oldest slots beyond its bound, and the rows of a deleted store', async () => {
    await send('/v2/time')
    expect(await list()).toHaveLength(1)
    await trimRequestLog(installation.directory, new Date())
    expect(await list()).toHaveLength(1)
    await trimRequestLog(installation.directory, new Date(), 0)
    expect(await list()).toEqual([])
    await send('/v2/time')
    await list()
    const cell = await cellOf()
    expect(await requestsWith(cell, shop.store.id, ['/V2/TIME'])).toHaveLength(1)
    await deleteStore({ ...installation, files: house.files }, shop.store.hash)
    expect(await findRequests(cell, shop.store.id, {}, 1)).toEqual([])
  })

  test('is closed to the role of requests', async () => {
    const [database] = installation.databases
    await expect(
      database?.system({ text: 'select from request_log.lines', values: [], name: 'closed' }),
    ).rejects.toThrow(pg.DatabaseError)
  })
})

describe('the correlation id of a request', () => {
  const found = async (what: string, id: string) => (await operator('GET', `/${what}?correlation_id=${id}`)).body.data
  const scopesOf = (events: { scope: string }[]) => events.map(({ scope }) => scope)

  test('finds the events, callbacks and jobs that follow from it', async () => {
    await shop.call('POST', '/hooks', { scope: 'store/order/created', destination: 'https://example.com/hooks' })
    const billing_address = { first_name: 'Ida', zip: '1051', email: 'ida@example.com' }
    const order = { billing_address, products: [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }] }
    const correlated = { version: 'v2', headers: { 'x-correlation-id': CORRELATION } } as const
    const made = await shop.call('POST', '/orders', order, correlated)
    expect(made.status).toBe(200)
    await dispatchAll()
    await attempt(shop, 1, delivered)
    const { events } = await found('events', CORRELATION)
    expect(scopesOf(events)).toEqual(['store/channel/1/order/created', 'store/order/created'])
    const [, { id: event_id, correlation_id }] = events
    expect(correlation_id).toBe(CORRELATION)
    expect(await found('callbacks', CORRELATION)).toEqual([
      {
        event_id,
        scope: 'store/order/created',
        hook_id: 1,
        attempt: 1,
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        outcome: 'delivered',
        status_code: 204,
        error: null,
      },
    ])
    expect(await found('jobs', CORRELATION)).toEqual([])

    // Without a correlation id, it is the id of the request; a job hands it on to its events.
    const archived = await shop.call('DELETE', '/orders', undefined, { version: 'v2' })
    expect(archived.status).toBe(204)
    const id = String(archived.headers['x-request-id'])
    expect(await found('jobs', id)).toMatchObject([{ state: 'waiting', correlation_id: uuidOf(id) }])
    await doMoney(shop)
    expect(await found('jobs', id)).toMatchObject([{ state: 'done' }])
    expect(scopesOf((await found('events', id)).events)).toContain('store/order/archived')
    expect(await found('callbacks', id)).toEqual([])
    expect((await found('events', CORRELATION)).events).toHaveLength(2)
  })

  test('is a uuid, and is needed for callbacks', async () => {
    expect((await operator('GET', '/callbacks')).status).toBe(422)
    expect((await operator('GET', '/events?correlation_id=x')).status).toBe(422)
    expect((await operator('GET', `/callbacks?correlation_id=${CORRELATION}&limit=251`)).status).toBe(413)
    const other = await openShop({ isTest: true })
    await other.call('POST', '/catalog/brands', { name: 'A' }, { headers: { 'x-correlation-id': CORRELATION } })
    expect((await found('events', CORRELATION)).events).toEqual([])
  })
})

const uuidOf = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
