import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'

// On a server that listens: a cut connection has to be one.

const { server, installation, files } = await theHouse()
const config = readConfig({ SECRET, TEST_STORES: 'true' })
const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://shop.test')
let base: string
let key: string
let shop: Shop
beforeAll(async () => {
  base = await app.server.listen({ host: '127.0.0.1', port: 0 })
  key = (await installation.operatorKeys.create('faults')).key
})
afterAll(() => app.server.close())
beforeEach(async () => {
  shop = await openShop({ isTest: true })
})

async function operator(method: 'GET' | 'POST' | 'DELETE', payload?: object, hash = shop.store.hash) {
  const answer = await server.inject({
    method,
    url: `/operator/v1/stores/${hash}/faults`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

/** Adds a fault, and waits until the server has it. */
async function add(rule: object) {
  const { status, body } = await operator('POST', rule)
  expect(status, JSON.stringify(body)).toBe(201)
  const faults = (await operator('GET')).body.data.length
  // The time reads nothing, and its operation has no fault in these tests.
  await vi.waitFor(
    async () => expect((await send('GET', '/v2/time')).headers.get('x-svc-test')).toBe(`faults=${faults}`),
    { timeout: 60_000, interval: 50 },
  )
}

/** Clears the faults, and waits until the server follows. */
async function clear() {
  expect((await operator('DELETE')).status).toBe(204)
  await vi.waitFor(async () => expect((await send('GET', '/v2/time')).headers.get('x-svc-test')).toBeNull(), {
    timeout: 60_000,
    interval: 50,
  })
}

const send = (method: string, path: string, body?: object, token = shop.admin.access_token) =>
  fetch(`${base}/stores/${shop.store.hash}${path}`, {
    method,
    headers: { 'x-auth-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const BRANDS = '/v3/catalog/brands'
const statuses = async (count: number) => {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push((await send('GET', BRANDS)).status)
  return all
}
const names = async () => {
  const { body } = await shop.call('GET', '/catalog/brands')
  return body.data.map(({ name }: { name: string }) => name)
}

describe('a fault', () => {
  test('answers the next requests of its operation with its status and the body of the contract', async () => {
    await add({ operation: `GET ${BRANDS}`, next: 2, status: 503 })
    const failed = await send('GET', BRANDS)
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await failed.json()).toMatchObject({
      status: 503,
      title: expect.stringMatching(/^The fault \d+ of this test store has occurred\.$/),
    })
    expect((await send('POST', BRANDS, { name: 'Other' })).status).toBe(200)
    expect(await statuses(2)).toEqual([503, 200])
    const { body } = await operator('GET')
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        rule: { operation: `GET ${BRANDS}`, next: 2, status: 503 },
        seen: 3,
        ends_at: expect.any(String),
      },
    ])
  })

  test('has a window with 429, and matches a client', async () => {
    const other = await installation.accounts.create(shop.store.hash, 'other', ['all'])
    await add({ operation: `GET ${BRANDS}`, client_id: other.client_id, status: 429 })
    expect(await statuses(1)).toEqual([200])
    const refused = await send('GET', BRANDS, undefined, other.access_token)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-rate-limit-requests-left')).toBe('0')
    expect(refused.headers.get('x-retry-after')).toBe('1')
  })

  test('occurs at every nth request, and for a share that its seed chooses', async () => {
    await add({ operation: `GET ${BRANDS}`, every: 3, status: 500 })
    expect(await statuses(6)).toEqual([200, 200, 500, 200, 200, 500])
    const chosen = async () => {
      await clear()
      await add({ operation: `GET ${BRANDS}`, share: 0.5, seed: 7, status: 502 })
      return statuses(20)
    }
    const first = await chosen()
    expect(new Set(first)).toEqual(new Set([200, 502]))
    expect(await chosen()).toEqual(first)
  })

  test('cuts the connection before the work', async () => {
    await add({ operation: `POST ${BRANDS}`, next: 1, reset: 'before_work' })
    await expect(send('POST', BRANDS, { name: 'Ferm' })).rejects.toThrow('fetch failed')
    expect(await names()).toEqual([])
    expect((await send('POST', BRANDS, { name: 'Ferm' })).status).toBe(200)
  })

  test('cuts the connection after the commit', async () => {
    await add({ operation: `POST ${BRANDS}`, next: 1, reset: 'after_commit' })
    await expect(send('POST', BRANDS, { name: 'Ferm' })).rejects.toThrow('fetch failed')
    expect(await names()).toEqual(['Ferm'])
    expect((await send('POST', BRANDS, { name: 'Ferm' })).status).toBe(409)
  })

  test('cuts the connection after half of the body', async () => {
    await add({ operation: `GET ${BRANDS}`, next: 1, reset: 'half_body' })
    const half = await send('GET', BRANDS)
    expect(half.status).toBe(200)
    expect(Number(half.headers.get('content-length'))).toBeGreaterThan(0)
    await expect(half.text()).rejects.toThrow('terminated')
    expect(await statuses(1)).toEqual([200])
  })

  test('delays the work', async () => {
    await add({ operation: `GET ${BRANDS}`, next: 1, delay_ms: 300 })
    const begin = performance.now()
    expect(await statuses(1)).toEqual([200])
    expect(performance.now() - begin).toBeGreaterThanOrEqual(290)
  })

  test('ends after an hour, at its time, or when the faults are cleared', async () => {
    await add({ operation: `GET ${BRANDS}`, status: 503 })
    await add({ operation: `GET ${BRANDS}`, status: 500, minutes: 5 })
    const { body } = await operator('GET')
    const minutes = body.data.map(({ ends_at }: { ends_at: string }) =>
      Math.round((Date.parse(ends_at) - Date.now()) / 60_000),
    )
    expect(minutes).toEqual([60, 5])
    // The first fault that has its occasion occurs.
    expect(await statuses(1)).toEqual([503])
    await installation.directory.database.system({
      name: '',
      text: `update directory.faults set ends_at = now() where store_id = $1 and id = $2 returning id`,
      values: [shop.store.id, body.data[0].id],
    })
    await vi.waitFor(async () => expect(await statuses(1)).toEqual([500]), { timeout: 60_000, interval: 50 })
    await clear()
    expect(await statuses(1)).toEqual([200])
    expect((await operator('GET')).body.data).toEqual([])
  })

  test('never touches another store, and a real store has none (C-104)', async () => {
    const other = await openShop({ isTest: true })
    const real = await openShop()
    await add({ status: 500, operation: `GET ${BRANDS}` })
    for (const { store, admin } of [other, real]) {
      const answer = await fetch(`${base}/stores/${store.hash}${BRANDS}`, {
        headers: { 'x-auth-token': admin.access_token },
      })
      expect([answer.status, answer.headers.get('x-svc-test')]).toEqual([200, null])
    }
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const refused = await operator(method, method === 'POST' ? { status: 500 } : undefined, real.store.hash)
      expect([refused.status, refused.body.title]).toEqual([
        403,
        'This is a real store. Only test stores can have faults.',
      ])
    }
  })

  test('is about an operation whose parameters may have other names', async () => {
    const path = '/v3/catalog/products'
    for (const name of ['{product_id}', '{id}', ':id']) {
      const { body } = await operator('POST', { operation: `GET ${path}/${name}`, status: 500 })
      expect(body.data.rule.operation, name).toBe(`GET ${path}/{product_id}`)
    }
    for (const [operation, title] of [
      [`GET ${path}/7`, `There is no operation "GET ${path}/7". A fault is for all ids: "GET ${path}/{product_id}".`],
      [`GET ${path}/{id}/none`, `There is no operation "GET ${path}/{id}/none".`],
      [`PATCH ${path}/{id}`, `There is no operation "PATCH ${path}/{id}".`],
    ]) {
      expect(await operator('POST', { operation, status: 500 })).toMatchObject({ status: 422, body: { title } })
    }
    await clear()
  })

  test('is refused with a malformed rule, and beyond 100', async () => {
    for (const rule of [
      {},
      { next: 1 },
      { status: 200 },
      { status: 399 },
      { status: 600 },
      { status: 500, next: 0 },
      { status: 500, next: 1, every: 2 },
      { status: 500, share: 1.1 },
      { status: 500, share: -0.1 },
      { status: 500, reset: 'before_work' },
      { reset: 'now' },
      { delay_ms: 30_001 },
      { delay_ms: 0 },
      { status: 500, minutes: 1_441 },
      { status: 500, operation: 'GET /v3/catalog/.*' },
      { status: 500, operation: 'GET /v3/nothing' },
      { status: 500, path: '/v3' },
    ]) {
      expect((await operator('POST', rule)).status, JSON.stringify(rule)).toBe(422)
    }
    expect((await operator('GET', undefined, 'unknown1')).status).toBe(404)
    for (let i = 0; i < 100; i++) {
      expect((await operator('POST', { status: 599, operation: `GET ${BRANDS}` })).status).toBe(201)
    }
    const refused = await operator('POST', { status: 500 })
    expect([refused.status, refused.body.title]).toEqual([422, 'A store has at most 100 faults.'])
    expect((await operator('DELETE')).status).toBe(204)
    expect((await operator('POST', { status: 400, delay_ms: 30_000, minutes: 1_440, share: 1 })).status).toBe(201)
    expect((await operator('DELETE')).status).toBe(204)
  })
})
