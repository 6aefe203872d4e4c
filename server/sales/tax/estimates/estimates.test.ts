import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { Breaker } from '../../../core/net/breaker.ts'
import { ServiceClient } from '../../../core/net/service-client.ts'
import { saleClasses, saleItem, saleOf } from '../../../test/fixtures/sales.ts'
import { localServices, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { TaxServer, type TaxServerMode } from '../../../test/servers/tax-server.ts'
import { findTaxProvider } from '../providers/providers.ts'
import { AnswerMemory } from './answer-memory.ts'
import { documentOf } from './document.ts'
import { Estimates } from './estimates.ts'

const server = await new TaxServer().open()
const canary = await new TaxServer().open()
const services = localServices()
afterAll(async () => {
  server.close()
  canary.close()
  await services.close()
})

let shop: Shop
let now = Date.parse('2026-01-02T03:04:05Z')
const clock = { now: () => new Date(now) }
beforeEach(async () => {
  server.mode = undefined
  server.calls.length = 0
  shop = await openShop()
})

const estimatesWith = async (client = services) =>
  new Estimates({ services: client, secrets: (await theHouse()).installation.secrets, clock })

/** Asks for the tax of a sale, as a request outside of its transaction. @param cents change the document */
async function ask(estimates: Estimates, cents = 0, more: object = {}) {
  const db = await dbOf(shop)
  const provider = await findTaxProvider(db, `tax-${shop.store.hash}`)
  if (!provider) throw new Error('The provider is not registered.')
  const sale = saleOf({}, [saleItem({ amount: 800_000n + BigInt(cents) * 100n })])
  return estimates.ask(db, { ...provider, ...more }, documentOf(sale, saleClasses))
}

const logs = async () => (await shop.call('GET', '/store/systemlogs?type=tax')).body.data

describe('an estimate', () => {
  test('is asked with the login, both store hashes and a signature, and kept for ten minutes', async () => {
    await connectTaxProvider(shop, server.url, { secret: 'a secret of the provider' })
    server.calls.length = 0
    const estimates = await estimatesWith()
    expect(await ask(estimates)).toMatchObject({ ok: true, answer: { id: '7' } })
    expect(await ask(estimates)).toMatchObject({ ok: true })
    expect(server.calls).toHaveLength(1)
    const { hash } = shop.store
    expect(server.calls[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa('shop:a secret')}`,
      'x-svc-store-hash': hash,
      'x-bc-store-hash': hash,
      'webhook-id': expect.any(String),
      'webhook-timestamp': expect.any(String),
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
    await ask(estimates, 1)
    expect(server.calls).toHaveLength(2)
    now += 600_000
    await ask(estimates)
    expect(server.calls).toHaveLength(3)
    await shop.call('PUT', `/tax/providers/tax-${hash}/connection`, { username: 'another' })
    server.calls.length = 0
    await ask(estimates)
    expect(server.calls).toHaveLength(1)
  })

  test('is one call for requests at the same time', async () => {
    await connectTaxProvider(shop, server.url)
    server.calls.length = 0
    const estimates = await estimatesWith()
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(estimates)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(server.calls).toHaveLength(1)
  })

  const half: TaxServerMode = (response) =>
    response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy())
  const text =
    (change: (text: string) => string): TaxServerMode =>
    (response, answer) =>
      response.end(change(JSON.stringify(answer)))
  const gigabyte: TaxServerMode = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 32)));
    }
    response.on('drain', more)
    more()
  }
  const drip: TaxServerMode = (response) => {
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(timer))
  }
  test.each<[string, string, TaxServerMode]>([
    ['hangs', 'timeout', () => {}],
    ['drips', 'timeout', drip],
    ['sends a gigabyte', 'unreadable', gigabyte],
    ['resets after half an answer', 'unreachable', half],
    ['sends no JSON', 'unreadable', text(() => 'tax')],
    ['sends NaN', 'unreadable', text((one) => one.replace(/"total_tax":[\d.]+/, '"total_tax":NaN'))],
    ['sends 1e400', 'inconsistent', text((one) => one.replace(/"total_tax":[\d.]+/, '"total_tax":1e400'))],
    ['sends other ids', 'inconsistent', text((one) => one.replace('"shipping-1"', '"other"'))],
    ['sums wrongly', 'inconsistent', text((one) => one.replace(/"total_tax":[\d.]+/, '"total_tax":99'))],
    ['answers 400', 'refused', (response) => response.writeHead(400).end('{}')],
    ['answers 500', 'refused', (response) => response.writeHead(500).end('{}')],
    ['answers 401', 'unauthorized', (response) => response.writeHead(401).end('{}')],
    [
      'redirects inward',
      'refused',
      (response) => response.writeHead(307, { location: `${canary.url}/estimate` }).end(),
    ],
  ])('of a provider that %s has no answer (C-132, C-041)', async (_, reason, mode) => {
    // Others have all of the 4 s, since a busy machine is slow too.
    await connectTaxProvider(shop, server.url, reason === 'timeout' ? { estimateMs: 200 } : {})
    server.mode = mode
    expect(await ask(await estimatesWith())).toEqual({ ok: false, reason })
    expect(canary.calls).toEqual([])
  })

  test('goes to no private address (C-087, C-132)', async () => {
    await connectTaxProvider(shop, 'https://tax.example.com')
    const addresses = new Addresses([], async () => ['127.0.0.1', '10.0.0.1'])
    const client = new ServiceClient({ addresses, origins: [] })
    expect(await ask(await estimatesWith(client))).toEqual({ ok: false, reason: 'forbidden' })
    await client.close()
  })

  test('goes to no address that the name of the provider has only the second time (C-132)', async () => {
    const { port } = new URL(server.url)
    await connectTaxProvider(shop, server.url)
    const named = { urls: { estimate: `http://tax.test:${port}/estimate` } }
    // The canary listens at the second address of the name, which no subnet allows.
    let lookups = 0
    const resolve = async () => [++lookups === 1 ? '127.0.0.1' : '127.0.0.2']
    const addresses = new Addresses(['127.0.0.1/32'], resolve)
    const client = new ServiceClient({ addresses, origins: ['http://tax.test:*'] })
    const inward = createServer((socket) => socket.destroy())
    let visits = 0
    inward.on('connection', () => visits++)
    inward.listen(Number(port), '127.0.0.2')
    await once(inward, 'listening')
    const estimates = await estimatesWith(client)
    server.mode = (response, answer) => response.setHeader('connection', 'close').end(JSON.stringify(answer))
    expect(await ask(estimates, 1, named)).toMatchObject({ ok: true })
    expect(await ask(estimates, 2, named)).toEqual({ ok: false, reason: 'forbidden' })
    expect([lookups, visits]).toEqual([2, 0])
    inward.close()
    await client.close()
  })

  test('with a refused login is in the system log of the store', async () => {
    await connectTaxProvider(shop, server.url)
    server.mode = (response) => response.writeHead(401).end()
    await ask(await estimatesWith())
    expect((await logs()).at(-1)).toMatchObject({
      severity: 'errors',
      summary: `The tax provider tax-${shop.store.hash} refused the user name or the password.`,
    })
  })

  test('skips a provider that failed five times within a minute, for half a minute', async () => {
    await connectTaxProvider(shop, server.url)
    server.mode = (response) => response.writeHead(500).end()
    server.calls.length = 0
    const estimates = await estimatesWith()
    for (let i = 0; i < 5; i++) expect(await ask(estimates, i)).toMatchObject({ reason: 'refused' })
    expect(await ask(estimates)).toMatchObject({ reason: 'skipped' })
    expect(server.calls).toHaveLength(5)
    server.mode = undefined
    now += 29_999
    expect(await ask(estimates)).toMatchObject({ reason: 'skipped' })
    const id = `tax-${shop.store.hash}`
    const failing = async () => (await findTaxProvider(await dbOf(shop), id))?.failing_since
    expect(await failing()).not.toBeNull()
    now += 1
    expect(await ask(estimates)).toMatchObject({ ok: true })
    expect(await failing()).toBeNull()
  })

  test('waits for a slot of its store within its time, and a hanging provider costs other stores nothing (C-132)', async () => {
    await connectTaxProvider(shop, server.url)
    const waiting = Promise.withResolvers<void>()
    let hanging = 0
    server.mode = () => {
      if (++hanging === 20) waiting.resolve()
    }
    const ending = new AbortController()
    const client = localServices(() => ending.signal)
    const estimates = await estimatesWith(client)
    const asked = Array.from({ length: 21 }, (_, i) => ask(estimates, i))
    await waiting.promise
    const first = shop
    shop = await openShop()
    await connectTaxProvider(shop, canary.url)
    expect(await ask(estimates)).toMatchObject({ ok: true })
    shop = first
    ending.abort()
    const reasons = (await Promise.all(asked)).map((estimate) => (estimate.ok ? 'ok' : estimate.reason))
    expect(reasons.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'timeout'))
    expect(['busy', 'timeout', 'skipped']).toContain(reasons[20])
    await client.close()
  })
})

describe('the connection of a provider', () => {
  const outcomes = async () =>
    (await logs()).map(({ severity, summary }: { severity: string; summary: string }) => [severity, summary])
  const id = () => `tax-${shop.store.hash}`
  const connected = () => ['success', `The tax provider ${id()} was connected.`]

  test('is tried by an estimate once it is complete', async () => {
    await connectTaxProvider(shop, server.url)
    expect(server.calls).toMatchObject([{ call: 'estimate', document: { currency_code: 'USD' } }])
    expect(await outcomes()).toEqual([connected()])
  })

  test('is kept if the estimate fails, and the system log has the reason', async () => {
    server.mode = (response) => response.writeHead(401).end()
    await connectTaxProvider(shop, server.url)
    const { body } = await shop.call('GET', `/tax/providers/${id()}/connection`)
    expect(body.data).toMatchObject({ username: 'shop', configured: true })
    expect(await outcomes()).toEqual([
      ['errors', `The tax provider ${id()} refused the user name or the password.`],
      connected(),
      ['warnings', `The tax provider ${id()} did not pass its connection test: unauthorized.`],
    ])
  })

  test('is tried outside of the transaction of an Idempotency-Key, and once', async () => {
    await connectTaxProvider(shop, server.url)
    server.calls.length = 0
    const headers = { 'idempotency-key': 'connect' }
    const path = `/tax/providers/${id()}/connection`
    const change = () => shop.call('PUT', path, { username: 'another' }, { headers })
    const [first, again] = [await change(), await change()]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(server.calls).toHaveLength(1)
  })
})

describe('the memory of answers', () => {
  const answer = (bytes: number) => ({ id: 'x'.repeat((bytes - 400) / 2), lines: [] })
  const store = (id: number) => ({ id, hash: `store${id}`, limits: {} })

  test('is bounded for a store and for all', () => {
    const memory = new AnswerMemory(clock, { max: 3_000, storeMax: 2_000 })
    memory.add(store(1), 'a', answer(1_000))
    memory.add(store(1), 'b', answer(1_000))
    memory.add(store(1), 'c', answer(1_000))
    expect([memory.find(store(1), 'a'), memory.bytes]).toEqual([undefined, 2_000])
    expect(memory.find(store(1), 'b')).toBeDefined()
    memory.add(store(2), 'a', answer(1_000))
    expect(memory.find(store(1), 'b')).toBeDefined()
    memory.add(store(2), 'b', answer(1_000))
    expect([memory.find(store(1), 'b'), memory.bytes]).toEqual([undefined, 3_000])
    memory.add(store(1), 'd', answer(2_002))
    expect([memory.find(store(1), 'd'), memory.bytes]).toEqual([undefined, 3_000])
  })
})

describe('a provider', () => {
  test('is not skipped after failures that are more than a minute apart, or after a success', () => {
    const breaker = new Breaker(clock)
    for (let i = 0; i < 5; i++) {
      breaker.fail('one')
      now += 15_001
    }
    expect(breaker.isOpen('one')).toBe(false)
    breaker.fail('one')
    expect(breaker.isOpen('one')).toBe(false)
    now += 60_000
    for (let i = 0; i < 4; i++) breaker.fail('two')
    breaker.succeed('two')
    breaker.fail('two')
    expect(breaker.isOpen('two')).toBe(false)
    for (let i = 0; i < 4; i++) breaker.fail('two')
    expect(breaker.isOpen('two')).toBe(true)
  })
})
