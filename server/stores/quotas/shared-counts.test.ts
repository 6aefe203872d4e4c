import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'

const { installation, files } = await theHouse()
const PATH = '/catalog/brands'
// A round is a second, and each of two processes needs one.
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

test('requests at one process count at the others within seconds, also after a restart', async () => {
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

test('an address that is barred at one process is barred at the others within seconds', async () => {
  const shop = await openShop()
  const settings = { FAILED_LOGINS_MAX: '50' }
  // No other test fails from this address, so a slow loop learns of no other failures.
  const address = '198.51.100.41'
  const { access_token } = shop.admin
  const [one, two] = [await anotherServer(settings), await anotherServer(settings)]
  for (let i = 0; i < 50; i++) expect((await ask(one, shop, 'wrong', address)).statusCode).toBe(401)
  expect((await ask(one, shop, access_token, address)).statusCode).toBe(429)
  expect((await ask(two, shop, access_token, address)).statusCode).toBe(200)
  // The first failure here makes the process read the counts of the address.
  let tries = 0
  await vi.waitFor(async () => {
    tries++
    expect((await ask(two, shop, 'wrong', address)).statusCode).toBe(429)
  }, SHARED)
  expect(tries).toBeLessThan(50)
  expect((await ask(two, shop, access_token, address)).statusCode).toBe(429)
  expect((await ask(two, shop, undefined, '198.51.100.42')).statusCode).toBe(200)
})

test('stores without a limit and servers without requests send nothing', async () => {
  const shop = await openShop({ plan: 'unlimited' })
  const server = await anotherServer()
  const { database } = installation.directory
  const sent = vi.spyOn(database, 'system')
  onTestFinished(() => void sent.mockRestore())
  await ask(server, shop)
  const limited = await openShop({ plan: 'standard' })
  await ask(server, limited)
  const shared = () => sent.mock.calls.map(([{ text }]) => text).filter((text) => text.includes('quota_'))
  await vi.waitFor(() => expect(shared()).toHaveLength(2), SHARED)
  const written = sent.mock.calls.flatMap(([{ values }]) => values).filter((value) => String(value).includes('storeId'))
  for (const rows of written) expect(String(rows)).not.toContain(`"storeId":${shop.store.id},`)
})
