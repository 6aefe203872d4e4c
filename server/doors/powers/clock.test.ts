import t from 'typebox'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { StoreClocks } from '../../core/db/store-clocks.ts'
import { claimJobs } from '../../core/jobs/claim.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../core/jobs/task.ts'
import { upkeepOf } from '../../process/background.ts'
import { readConfig } from '../../process/config.ts'
import { advanceClock, ClockReader, clearClock, secondsIn, spanOf } from '../../stores/clocks/clocks.ts'
import { openShop, type Shop, shopOf, theHouse } from '../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, failed, happen, rowsOf, SCOPE } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { waitingWork } from './clock.ts'

const { server, installation } = await theHouse()
const DAY = 86_400

let key: string
let shop: Shop
beforeAll(async () => {
  key = (await installation.operatorKeys.create('clocks')).key
})
beforeEach(async () => {
  shop = await openShop({ isTest: true })
})

async function operator(method: 'GET' | 'POST', path: string, payload?: object, { store } = shop) {
  const answer = await server.inject({
    method,
    url: `/operator/v1/stores/${store.hash}/clock${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function forked(payload: object, { store } = shop) {
  const answer = await server.inject({
    method: 'POST',
    url: `/operator/v1/stores/${store.hash}/forks`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function fork(body: object, of = shop): Promise<Shop> {
  const { data } = (await forked(body, of)).body
  const store = (await installation.directory.list()).find(({ hash }) => hash === data.hash)
  if (!store) throw new Error('The fork is not listed.')
  return shopOf(store, { ...of.admin, ...data.account })
}

const parts = {
  ...installation,
  waiting: waitingWork,
  upkeep: upkeepOf(installation, readConfig({ SECRET, TEST_STORES: 'true' })),
}
/** Moves the clock, and does not wait for work that only workers do. */
const advance = async (seconds: number, { store } = shop) =>
  advanceClock(await dbOf({ ...shop, store }), seconds, parts, 0)

const timeOf = async (of: Shop) => (await of.call('GET', '/time', undefined, { version: 'v2' })).body.time
const headerOf = async (of: Shop) => (await of.call('GET', '/time', undefined, { version: 'v2' })).headers['x-svc-test']

describe('the clock of a test store', () => {
  test('is moved on by the API, in this store only, and each answer says so', async () => {
    const other = await openShop({ isTest: true })
    const before = await timeOf(shop)
    expect((await operator('GET', '')).body).toEqual({
      data: { ahead_seconds: 0, time: expect.any(String), stands: false },
      meta: {},
    })
    expect(await operator('POST', '/advance', { seconds: 90 * DAY })).toEqual({
      status: 200,
      body: { data: { ahead_seconds: 90 * DAY, time: expect.any(String), stands: false, left: {} }, meta: {} },
    })
    expect(await timeOf(shop)).toBeGreaterThanOrEqual(before + 90 * DAY)
    expect(await headerOf(shop)).toBe('clock=+90d')
    expect(await timeOf(other)).toBeLessThan(before + 89 * DAY)
    expect(await headerOf(other)).toBeUndefined()
    const { body } = await shop.call('POST', '/catalog/products', {
      name: 'Late',
      type: 'physical',
      weight: 1,
      price: 1,
    })
    expect(Date.parse(body.data.date_created) / 1_000).toBeGreaterThanOrEqual(before + 90 * DAY)
    // Twice at once: both count.
    await Promise.all([operator('POST', '/advance', { seconds: 60 }), operator('POST', '/advance', { seconds: 60 })])
    expect((await operator('GET', '')).body.data.ahead_seconds).toBe(90 * DAY + 120)
  })

  test('moves forward only, by two years at most, and never in a real store (C-104)', async () => {
    for (const seconds of [0, -1, 1.5, 3 * 366 * DAY, '90d', null]) {
      expect((await operator('POST', '/advance', { seconds })).status, String(seconds)).toBe(422)
    }
    expect((await operator('POST', '/advance', { seconds: 1, back: true })).status).toBe(422)
    const max = 2 * 366 * DAY
    expect((await advance(max)).ahead_seconds).toBe(max)
    expect(await operator('POST', '/advance', { seconds: 1 })).toMatchObject({
      status: 422,
      body: { title: 'A clock is at most two years ahead.' },
    })
    const real = await openShop()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/advance'],
    ] as const) {
      expect(await operator(method, path, method === 'POST' ? { seconds: 1 } : undefined, real)).toMatchObject({
        status: 403,
        body: { title: 'This is a real store. Only the clocks of test stores can be moved.' },
      })
    }
    await expect(advance(1, real)).rejects.toThrow('This is a real store.')
  })

  test('is followed by other processes', async () => {
    await advance(DAY)
    const clocks = new StoreClocks()
    const reader = new ClockReader(installation.directory.cells, clocks)
    await reader.read()
    expect(clocks.find(shop.store.id)?.aheadMs).toBe(DAY * 1_000)
    await advance(DAY)
    reader.start()
    await vi.waitFor(() => expect(clocks.find(shop.store.id)?.aheadMs).toBe(2 * DAY * 1_000), { timeout: 20_000 })
    await reader.stop()
  })

  test('ends stored answers', async () => {
    const send = async () =>
      (await shop.call('POST', '/catalog/brands', { name: 'Ferm' }, { headers: { 'idempotency-key': 'k' } })).status
    expect([await send(), await send()]).toEqual([200, 200])
    await advance(DAY - 3_600)
    expect(await send()).toBe(200)
    await advance(3_601)
    expect(await send()).toBe(409)
  })

  test('deactivates a hook on day 90, and not on day 89', async () => {
    const hook = { scope: SCOPE, destination: 'https://hooks.example.com/a', is_active: true }
    const { body } = await shop.call('POST', '/hooks', hook)
    const isActive = async () => (await shop.call('GET', `/hooks/${body.data.id}`)).body.data.is_active
    await advance(89 * DAY)
    expect(await isActive()).toBe(true)
    await advance(DAY)
    expect(await isActive()).toBe(false)
  })

  test('brings retries of callbacks forward, and events get through whatever the day', async () => {
    const hook = { scope: SCOPE, destination: 'https://hooks.example.com/a', is_active: true }
    const { id } = (await shop.call('POST', '/hooks', hook)).body.data
    await happen(shop, 'category 1')
    expect(await attempt(shop, id, failed)).toHaveLength(1)
    expect(await attempt(shop, id, delivered)).toHaveLength(0)
    await advance(30)
    expect(await attempt(shop, id, delivered)).toHaveLength(0)
    // With the jitter of retries.
    await advance(60)
    expect(await attempt(shop, id, delivered)).toHaveLength(1)
    expect(await rowsOf(shop, 'deliveries')).toEqual([])
    await advance(40 * DAY)
    await happen(shop, 'category 2')
    expect(await attempt(shop, id, delivered)).toHaveLength(1)
  })

  test('waits for the upkeep of no other store', async () => {
    const other = await openShop({ isTest: true })
    const uncounted = async (of: Shop) => (await rowsOf(of, 'uncounted_facets')).length
    for (const store of [shop, other]) {
      const product = { name: 'Fern', type: 'physical', weight: 1, price: 1, categories: [], is_visible: true }
      const { id } = (await store.call('POST', '/catalog/products', product)).body.data
      await store.call('PUT', '/catalog/products/channel-assignments', [{ product_id: id, channel_id: 1 }])
      expect(await uncounted(store)).toBe(1)
    }
    await advance(60)
    expect([await uncounted(shop), await uncounted(other)]).toEqual([0, 1])
  })

  test('brings jobs forward in their order, and leaves the lease of a running one', async () => {
    const waits = task('waits_for_a_clock', t.Object({ nr: t.Integer() }), { maxMs: 1_000, retryDelay: () => 60_000 })
    const ran: number[] = []
    const runners = [
      runner(waits, async ({ payload }) => {
        ran.push(payload.nr)
        return done
      }),
    ]
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      const dueAt = new Date(tx.now.getTime() + 2 * DAY * 1_000)
      for (const nr of [1, 2]) await enqueue(tx, waits, { key: 'one', payload: { nr }, dueAt })
    })
    await advance(2 * DAY - 60)
    expect(await doJobs(runners)).toBe(0)
    expect((await advance(61)).left).toEqual({ jobs: 1 })
    await doJobs(runners)
    expect(ran).toEqual([1, 2])

    await db.transaction((tx) => enqueue(tx, waits, { payload: { nr: 3 } }))
    expect(await db.transaction((tx) => claimJobs(tx, waits, 1))).toHaveLength(1)
    expect((await advance(90 * DAY)).left).toEqual({ jobs: 1 })
    expect(await db.transaction((tx) => claimJobs(tx, waits, 1))).toEqual([])
  })

  test('of a fork is that of its source', async () => {
    await advance(3 * DAY)
    const copy = await fork({})
    expect((await operator('GET', '', undefined, copy)).body.data.ahead_seconds).toBe(3 * DAY)
  })

  test('of a fork may stand: the same seed and requests give the same answers', async () => {
    await shop.call('POST', '/catalog/products', { name: 'Lamp', type: 'physical', weight: 1, price: 2 })
    const wanted = { seed: '7', stands_at: '2035-01-01T12:00:00.000Z' }
    const answersOf = async (copy: Shop) => {
      const cart = await copy.call('POST', '/carts', { line_items: [{ product_id: 1, quantity: 2 }] })
      const product = await copy.call('POST', '/catalog/products', { name: 'X', type: 'physical', weight: 1, price: 2 })
      const customer = await copy.call('POST', '/customers', [
        { email: 'a@example.com', first_name: 'A', last_name: 'L' },
      ])
      return JSON.stringify([cart.body, product.body, customer.body]).replaceAll(copy.store.hash, 'HASH')
    }
    const copy = await fork(wanted)
    const answers = await answersOf(copy)
    expect(answers).toContain('2035-01-01T12:00:00')
    expect(await answersOf(await fork(wanted))).toBe(answers)
    expect(await headerOf(copy)).toBe('clock=2035-01-01T12:00:00.000Z')

    expect((await operator('GET', '', undefined, copy)).body.data).toEqual({
      ahead_seconds: 0,
      time: '2035-01-01T12:00:00.000Z',
      stands: true,
    })
    const moved = { ahead_seconds: DAY, time: '2035-01-02T12:00:00.000Z', stands: true }
    expect(await advance(DAY, copy)).toMatchObject(moved)
    const second = await fork({}, copy)
    expect((await operator('GET', '', undefined, second)).body.data).toEqual(moved)
    expect(await timeOf(second)).toBe(Date.parse(moved.time) / 1_000)
    await clearClock(await dbOf(copy))
    await installation.clockReader.read()
    expect((await operator('GET', '', undefined, copy)).body.data).toMatchObject({ ahead_seconds: 0, stands: false })
    expect(await headerOf(copy)).toBeUndefined()
  })

  test('stands at a time to come, before 2036', async () => {
    for (const stands_at of ['2020-01-01T00:00:00Z', '2036-01-01T00:00:00Z', 'noon', 1, null]) {
      const { status, body } = await forked({ stands_at })
      expect(status, String(stands_at)).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['stands_at'])
    }
  })
})

test('a column is compared with the clock of each store', async () => {
  const clocks = new StoreClocks()
  const now = new Date(1_000)
  const isPast = (at: Date) => sql`due_at <= ${at}`
  expect(clocks.pastIn(now, isPast).text).toBe('due_at <= $1')
  clocks.replace(new Map([[7, { aheadMs: 500 }]]))
  const moved = clocks.pastIn(now, isPast)
  expect(moved.text).toBe('(due_at <= $1 or (store_id = $2 and due_at <= $3))')
  expect(moved.values).toEqual([now, 7, new Date(1_500)])
  clocks.replace(new Map([[8, { aheadMs: 20, standsAt: new Date(5_000) }]]))
  const standing = clocks.pastIn(now, isPast)
  expect(standing.text).toBe('((due_at <= $1 and store_id <> all($2::int[])) or (store_id = $3 and due_at <= $4))')
  expect(standing.values).toEqual([now, [8], 8, new Date(5_020)])
})

test.each([
  ['90d', 90 * DAY],
  ['1h30m', 5_400],
  ['1d1s', DAY + 1],
  ['45s', 45],
])('the span %s has %i seconds', (span, seconds) => {
  expect(secondsIn(span)).toBe(seconds)
  expect(spanOf(seconds)).toBe(span)
})

test.each(['', '90', 'd', '1.5h', '-1d', '1s1d', '1x'])('%j is no span', (span) => {
  expect(secondsIn(span)).toBeUndefined()
})
