import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { sharedLimit } from './concurrency-limit.ts'

const { installation, files } = await theHouse()
const PATH = '/catalog/brands'
/** The kind of a shared limit that no route has. */
const KIND = 'requests of a test'
// Two rounds, on a busy machine too.
const SHARED = { timeout: 60_000, interval: 200 }

/** Another server on the same databases, like another process. */
async function anotherServer(settings: Record<string, string> = {}): Promise<FastifyInstance> {
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', ...settings })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    config,
    'http://shop.test',
  )
  onTestFinished(async () => void (await server.close()))
  return server
}

const ask = (
  server: FastifyInstance,
  { store, admin }: Shop,
  token = admin.access_token,
  remoteAddress = '192.0.2.1',
) => server.inject({ url: `/stores/${store.hash}/v3${PATH}`, headers: { 'x-auth-token': token }, remoteAddress })

const leftAt = async (server: FastifyInstance, shop: Shop) =>
  Number((await ask(server, shop)).headers['x-rate-limit-requests-left'])

test('requests at one process count at the others, whose first request learns of them, also after a restart', async () => {
  const shop = await openShop({ plan: 'standard' })
  const [one, two] = [await anotherServer(), await anotherServer()]
  for (let i = 0; i < 100; i++) expect((await ask(one, shop)).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await leftAt(two, shop)).toBeLessThan(50), SHARED)
  while ((await ask(one, shop)).statusCode === 200);
  await vi.waitFor(async () => {
    const { statusCode, headers } = await ask(two, shop)
    expect([statusCode, headers['x-rate-limit-requests-left']]).toEqual([429, '0'])
  }, SHARED)
  await Promise.all([one.close(), two.close()])

  const restarted = await anotherServer()
  await vi.waitFor(async () => expect((await ask(restarted, shop)).statusCode).toBe(429), SHARED)
  const remaining = async () => Number((await ask(restarted, shop)).headers['x-svc-apilimit-remaining'])
  await vi.waitFor(async () => expect(await remaining()).toBeLessThan(19_900), SHARED)
})

test('the quota that a client has used up at one process is used up for its first request at another', async () => {
  const shop = await openShop({ plan: 'standard' })
  const one = await anotherServer()
  let admitted = 0
  for (; (await ask(one, shop)).statusCode === 200; admitted++);
  expect(admitted).toBe(150)
  const { database } = installation.directory
  await vi.waitFor(async () => {
    const [stored] = await database.system<{ used: number }>(
      sql`select sum(used)::int as used from directory.quota_windows where store_id = ${shop.store.id}`,
    )
    expect(stored?.used).toBe(150)
  }, SHARED)
  const { statusCode, headers } = await ask(await anotherServer(), shop)
  // On a machine that stands still the window may be over.
  const isOver = Number(headers['x-rate-limit-time-reset-ms']) > 29_000
  if (!isOver) expect([statusCode, headers['x-rate-limit-requests-left']]).toEqual([429, '0'])
})

test('a client of one process takes its share at the others', async () => {
  const shop = await openShop({ plan: 'standard' })
  const [one, two] = [await anotherServer(), await anotherServer()]
  expect((await ask(one, shop)).headers['x-rate-limit-requests-quota']).toBe('150')
  await vi.waitFor(async () => {
    // A process shares clients that send requests; a new client at each attempt shows the counts of that time.
    await ask(one, shop)
    const { access_token } = await installation.accounts.create(shop.store.hash, 'new', ['all'])
    await ask(two, shop)
    expect(Number((await ask(two, shop, access_token)).headers['x-rate-limit-requests-quota'])).toBeLessThan(150)
  }, SHARED)
})

test('an address that is barred at one process, or that fails too often at all together, is barred at the others', async () => {
  const shop = await openShop()
  const settings = { FAILED_LOGINS_MAX: '50' }
  const { access_token } = shop.admin
  const [one, two, three] = [
    await anotherServer(settings),
    await anotherServer(settings),
    await anotherServer(settings),
  ]
  const becomesBarred = (server: FastifyInstance, address: string) =>
    vi.waitFor(async () => expect((await ask(server, shop, access_token, address)).statusCode).toBe(429), SHARED)
  // No other test fails from these addresses.
  const [barred, spread] = ['198.51.100.41', '198.51.100.43']
  for (let i = 0; i < 50; i++) expect((await ask(one, shop, 'wrong', barred)).statusCode).toBe(401)
  expect((await ask(one, shop, access_token, barred)).statusCode).toBe(429)
  await becomesBarred(two, barred)
  for (const server of [one, two]) {
    for (let i = 0; i < 26; i++) await ask(server, shop, 'wrong', spread)
  }
  for (const server of [one, two, three]) await becomesBarred(server, spread)
  expect((await ask(two, shop, undefined, '198.51.100.42')).statusCode).toBe(200)
})

test('refused sign-ins at one process bar an address from sign-ins at the others, and from nothing else', async () => {
  const shop = await openShop()
  const [one, two] = [await anotherServer({ FAILED_LOGINS_MAX: '3' }), await anotherServer({ FAILED_LOGINS_MAX: '3' })]
  const remoteAddress = '198.51.100.44'
  const signIn = async (server: FastifyInstance) =>
    (await server.inject({ method: 'POST', url: '/b2b/api/io/auth/backend', payload: {}, remoteAddress })).statusCode
  for (let i = 0; i < 3; i++) expect(await signIn(one)).toBe(422)
  await vi.waitFor(async () => expect(await signIn(two)).toBe(429), SHARED)
  expect((await ask(two, shop, undefined, remoteAddress)).statusCode).toBe(200)
})

test('long requests at one process take slots of a shared limit at another', async () => {
  const shop = await openShop()
  await anotherServer()
  const { database } = installation.directory
  const limit = sharedLimit(KIND, 2)
  const run = () => limit.run(shop.store, async () => 'done')
  expect(await run()).toBe('done')
  // Another process writes its row again in each round; this one is fresh for an hour.
  await database.system(sql`
    insert into directory.running_requests (store_id, kind, process, running, seen_at)
    values (${shop.store.id}, ${KIND}, 'another', 2, now() + interval '1 h') returning 1`)
  await vi.waitFor(() => expect(run()).rejects.toMatchObject({ status: 429 }), SHARED)
  await database.system(sql`delete from directory.running_requests where process = 'another' returning 1`)
  await vi.waitFor(async () => expect(await run()).toBe('done'), SHARED)

  // Requests that run here for two rounds are there for the others to read.
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = limit.run(shop.store, () => promise)
  const longRequests = () =>
    database.system<{ running: number }>(
      sql`select running from directory.running_requests where store_id = ${shop.store.id} and kind = ${KIND}`,
    )
  await vi.waitFor(async () => expect(await longRequests()).toEqual([{ running: 1 }]), SHARED)
  resolve('done')
  expect(await running).toBe('done')
  await vi.waitFor(async () => expect(await longRequests()).toEqual([]), SHARED)
})

test('stores without a limit and servers without requests write and read no counts of requests', async () => {
  const shop = await openShop({ plan: 'unlimited' })
  const server = await anotherServer()
  const { database } = installation.directory
  const sent = vi.spyOn(database, 'system')
  onTestFinished(() => void sent.mockRestore())
  await ask(server, shop)
  const limited = await openShop({ plan: 'standard' })
  await ask(server, limited)
  const shared = () => sent.mock.calls.map(([{ text }]) => text).filter((text) => text.includes('quota_'))
  // Its counts are read before the request, written after it, and those of its hour too.
  await vi.waitFor(() => expect(shared()).toHaveLength(3), SHARED)
  const written = sent.mock.calls.flatMap(([{ values }]) => values).filter((value) => String(value).includes('storeId'))
  for (const rows of written) expect(String(rows)).not.toContain(`"storeId":${shop.store.id},`)
})
