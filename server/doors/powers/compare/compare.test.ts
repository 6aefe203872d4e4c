import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { type AnswerDifference, startComparison } from './compare.ts'
import { IdPairs } from './pairs.ts'

// Two stores of this server, behind a port that both are reached at.

const { server } = await theHouse()
const port = createServer((request, response) => void answer(request, response))
let address: string
let isDown = false

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (isDown && request.url?.includes('/v2/time')) return void request.socket.destroy()
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { 'x-auth-token': token = '', 'content-type': type } = request.headers
  const answered = await server.inject({
    method: request.method === 'POST' ? 'POST' : request.method === 'PUT' ? 'PUT' : 'GET',
    url: request.url ?? '',
    headers: { 'x-auth-token': String(token), ...(type === undefined ? {} : { 'content-type': type }) },
    ...(pieces.length > 0 ? { payload: Buffer.concat(pieces) } : {}),
  })
  response.writeHead(answered.statusCode, { 'content-type': String(answered.headers['content-type'] ?? 'text/plain') })
  response.end(answered.rawPayload)
}

beforeAll(async () => {
  await new Promise<void>((resolve) => port.listen(0, '127.0.0.1', resolve))
  const bound = port.address()
  if (bound === null || typeof bound === 'string') throw new Error('The server has a port.')
  address = `http://127.0.0.1:${bound.port}`
})
afterAll(() => {
  port.closeAllConnections()
  port.close()
})

/** A comparison of two shops with a client of the left one. */
async function comparing(left: Shop, right: Shop, { changes = false, ids = new IdPairs() } = {}) {
  const found: AnswerDifference[] = []
  const comparison = await startComparison({
    left: `${address}/stores/${left.store.hash}`,
    right: `${address}/stores/${right.store.hash}/`,
    rightToken: right.admin.access_token,
    changes,
    ids,
    port: 0,
    report: (difference) => found.push(difference),
  })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${comparison.address}${path}`, {
      method,
      headers: { 'x-auth-token': left.admin.access_token, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  /** Waits until this many requests of an operation are compared. */
  const compared = (operation: string, times: number) =>
    vi.waitFor(() => expect(comparison.counts().get(operation)?.compared).toBe(times), { timeout: 100_000 })
  return { comparison, found, call, compared }
}

test('answers are those of the left store, and only values that differ are reported', async () => {
  const [left, right] = [await openShop({ isTest: true }), await openShop({ isTest: true })]
  await right.call('POST', '/catalog/brands', { name: 'To shift ids' })
  await right.call('DELETE', '/catalog/brands?name=To shift ids')
  for (const shop of [left, right]) await shop.call('POST', '/catalog/brands', { name: 'Same', meta_keywords: ['a'] })
  const { comparison, found, call, compared } = await comparing(left, right)
  const { status, body } = await call('GET', '/v3/catalog/brands')
  expect([status, body.data[0].name]).toEqual([200, 'Same'])
  await compared('GET /v3/catalog/brands', 1)
  expect(found).toEqual([])
  const { id } = (await right.call('GET', '/catalog/brands')).body.data[0]
  await right.call('PUT', `/catalog/brands/${id}`, { name: 'Other' })
  await call('GET', '/v3/catalog/brands?limit=5')
  await compared('GET /v3/catalog/brands', 2)
  expect(found).toEqual([
    {
      operation: 'GET /v3/catalog/brands',
      path: '/v3/catalog/brands?limit=5',
      status: { left: 200, right: 200 },
      differences: expect.arrayContaining([{ at: 'data[0].name', left: 'Same', right: 'Other' }]),
      curl: {
        left: `curl -s '${address}/stores/${left.store.hash}/v3/catalog/brands?limit=5' -H "X-Auth-Token: $LEFT_TOKEN"`,
        right: `curl -s '${address}/stores/${right.store.hash}/v3/catalog/brands?limit=5' -H "X-Auth-Token: $RIGHT_TOKEN"`,
      },
    },
  ])
  expect(comparison.counts().get('GET /v3/catalog/brands')).toEqual({ compared: 2, different: 1 })
  // Neither token is in a report.
  for (const { access_token } of [left.admin, right.admin]) expect(JSON.stringify(found)).not.toContain(access_token)
  await comparison.close()
})

test('changes stay in the left store unless they are wanted', async () => {
  const [left, right] = [await openShop({ isTest: true }), await openShop({ isTest: true })]
  const only = await comparing(left, right)
  expect((await only.call('POST', '/v3/catalog/brands', { name: 'Left' })).status).toBe(200)
  await only.comparison.close()
  expect((await right.call('GET', '/catalog/brands')).body.data).toEqual([])
  expect(only.comparison.counts().size).toBe(0)
})

test('ids of rows that both stores have created are mapped in paths, queries and bodies', async () => {
  const [left, right] = [await openShop({ isTest: true }), await openShop({ isTest: true })]
  await right.call('POST', '/catalog/brands', { name: 'To shift ids' })
  const { comparison, found, call, compared } = await comparing(left, right, { changes: true })
  const brand = (await call('POST', '/v3/catalog/brands', { name: "O'Brand" })).body.data
  await compared('POST /v3/catalog/brands', 1)
  const product = { name: 'Lamp', type: 'physical', weight: 1, price: 5, brand_id: brand.id }
  expect((await call('POST', '/v3/catalog/products', product)).status).toBe(200)
  await compared('POST /v3/catalog/products', 1)
  const [there] = (await right.call('GET', '/catalog/products')).body.data
  expect(there).toMatchObject({ name: 'Lamp', brand_id: brand.id + 1 })
  await call('GET', `/v3/catalog/brands/${brand.id}`)
  await compared('GET /v3/catalog/brands/{id}', 1)
  await call('GET', `/v3/catalog/products?brand_id=${brand.id}&id:in=1`)
  await compared('GET /v3/catalog/products', 1)
  expect(found).toEqual([])
  await call('PUT', `/v3/catalog/brands/${brand.id}`, { name: '' })
  await compared('PUT /v3/catalog/brands/{id}', 1)
  expect(found).toEqual([])
  await comparison.close()
})

test('the id map of an import is used, and routes with secrets show no values', async () => {
  const [left, right] = [await openShop({ isTest: true }), await openShop({ isTest: true })]
  const person = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }
  await right.call('POST', '/customers', [{ ...person, email: 'shift@example.com' }])
  for (const [shop, company] of [
    [left, 'Secret Ltd'],
    [right, 'Hidden Ltd'],
  ] as const)
    expect((await shop.call('POST', '/customers', [{ ...person, company }])).status).toBe(200)
  const ids = new IdPairs([{ kind: 'customers', old_id: '1', new_id: '2' }])
  const { comparison, found, call, compared } = await comparing(left, right, { ids })
  await call('GET', '/v3/customers?id:in=1')
  await compared('GET /v3/customers', 1)
  expect(found).toMatchObject([{ differences: [{ at: 'data[0].company' }], path: '/v3/customers?id:in=***' }])
  expect(JSON.stringify(found)).not.toMatch(/Secret|Hidden/)
  await comparison.close()
})

test('a store that does not answer is reported, and a left one without answer is 502', async () => {
  const [left, right] = [await openShop({ isTest: true }), await openShop({ isTest: true })]
  const { comparison, found, call, compared } = await comparing(left, right)
  await call('GET', '/v3/catalog/nothing')
  await compared('GET /v3/catalog/nothing', 1)
  expect(found).toEqual([])
  isDown = true
  expect((await call('GET', '/v2/time')).status).toBe(502)
  isDown = false
  await comparison.close()
  await expect(
    startComparison({
      left: address,
      right: address,
      rightToken: '',
      changes: false,
      ids: new IdPairs(),
      port: 0,
      report() {},
    }),
  ).rejects.toThrow(`The address of a store is like https://api.example.com/stores/abc123, and not "${address}".`)
})
