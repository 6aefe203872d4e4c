import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openStaffedShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'

// docs/contract/conventions.md section 1: the first failing step decides the status. The tests begin with a request that makes
// every mistake, and correct the reported one until none is left: each step comes before all later ones.

interface Request {
  method: string
  path: string
  shop: Shop
  token?: string
  headers: Record<string, string>
  payload?: string
}

const PAGE_URL = '/catalog/brands/metafields'
const MIB = 1024 * 1024

/** A server that requires https and trusts the proxy in front of it. */
async function strictServer() {
  const { installation, files } = await theHouse()
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', REQUIRE_HTTPS: 'true', TRUST_PROXY: '1' })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    config,
    'http://shop.test',
  )
  const send = async ({ method, path, shop, token, headers, payload }: Request) => {
    const answer = await server.inject({
      method: method as 'GET',
      url: `/stores/${shop.store.hash}/v3${path}`,
      headers: { ...headers, ...(token === undefined ? {} : { 'x-auth-token': token }) },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body }
  }
  return { server, send }
}

test('each step from https to the values of the body is checked before all later ones', async () => {
  const { server, send } = await strictServer()
  const [closed, busy, open] = [
    await openStaffedShop(),
    await openStaffedShop({ plan: 'standard' }),
    await openStaffedShop(),
  ]
  const { directory } = (await theHouse()).installation
  await directory.setState(closed.store.hash, 'maintenance')
  const https = { 'x-forwarded-proto': 'https' }

  const wrong: Request = {
    method: 'PATCH',
    path: '/catalog/nothing?foo=1',
    shop: closed,
    headers: { accept: 'text/xml', 'content-type': 'text/plain' },
    payload: `["${'a'.repeat(5 * MIB)}`,
  }
  const steps: [step: string, status: number, request: Request][] = []
  const expectNext = (step: string, status: number, changes: Partial<Request> = {}) => {
    const headers = { ...steps.at(-1)?.[2].headers, ...changes.headers }
    steps.push([step, status, { ...(steps.at(-1)?.[2] ?? wrong), ...changes, headers }])
  }
  expectNext('1 https', 301, { headers: wrong.headers })
  expectNext('2 method', 501, { headers: https })
  expectNext('4 token', 401, { method: 'POST' })
  expectNext('5 state of the store', 503, { token: closed.noscope.access_token })
  expectNext('6 rate limit', 429, { shop: busy, token: busy.noscope.access_token })
  expectNext('7 path', 404, { shop: open, token: open.noscope.access_token })
  expectNext('8 method of the path', 405, { path: `/catalog/brands/7?foo=1` })
  expectNext('9 scope', 403, { method: 'DELETE', path: `${PAGE_URL}?foo=1` })
  expectNext('10 Accept', 406, { token: open.admin.access_token })
  expectNext('11 Content-Type', 415, { headers: { accept: '*/*' } })
  expectNext('12 size of the body', 413, { headers: { 'content-type': 'application/json' } })
  expectNext('13 bytes of the body', 400, { payload: '["a' })
  expectNext('14 query', 422, { payload: '["a"]' })
  expectNext('15 body', 422, { path: PAGE_URL })
  expectNext('none', 422, { payload: '[1]' })

  // The whole quota of the busy shop's client is used up.
  const greedy = { ...wrong, method: 'GET', path: '/', shop: busy, token: busy.noscope.access_token, headers: https }
  await Promise.all(Array.from({ length: 150 }, () => send(greedy)))

  const titles: string[] = []
  for (const [step, status, request] of steps) {
    const answer = await send(request)
    expect(answer.status, step).toBe(status)
    titles.push(answer.text === '' ? '' : JSON.parse(answer.text).title)
    if (step === '2 method') {
      // 3: OPTIONS is answered there, before the token is checked.
      expect((await send({ ...request, method: 'OPTIONS', path: PAGE_URL })).status).toBe(204)
      expect((await send({ ...request, method: 'OPTIONS' })).status).toBe(404)
    }
  }
  // Both are 422, and so is a batch with an unknown id: the titles differ.
  expect(titles.slice(-3)).toEqual(['The query is not valid: "foo" is not a parameter here.', INVALID, undefined])
  await server.close()
})

const INVALID = 'JSON data is missing or invalid'

const metafield = { key: 'bin', value: '4', namespace: 'warehouse', permission_set: 'read' }

test('15 before 16: the body is checked before the ids of the path are looked up', async () => {
  const { call } = await openStaffedShop()
  for (const [method, path, body, good] of [
    ['POST', '/catalog/brands/9/metafields', {}, metafield],
    ['PUT', '/catalog/brands/9', { name: 5 }, { name: 'five' }],
    ['PUT', '/catalog/brands/9/metafields/9', { value: '' }, { value: 'x' }],
    ['PUT', '/catalog/categories/9', { sort_order: 'x' }, { sort_order: 1 }],
  ] as const) {
    expect((await call(method, path, body)).status, path).toBe(422)
    expect((await call(method, path, good)).status, path).toBe(404)
  }
  expect((await call('GET', '/catalog/brands/9/metafields?colour=red')).status).toBe(422)
  expect((await call('GET', '/catalog/brands/9/metafields?limit=251')).status).toBe(413)
  expect((await call('GET', '/catalog/brands/9/metafields')).status).toBe(404)
})

test('16 before 17: an unknown id is not found for any caller', async () => {
  const { call, otherclient } = await openStaffedShop()
  for (const name of ['one', 'two']) await call('POST', '/catalog/brands', { name })
  await call('POST', '/catalog/brands/1/metafields', metafield)
  const asOther = { as: otherclient }
  expect((await call('PUT', '/catalog/brands/2/metafields/1', { key: 'x' }, asOther)).status).toBe(404)
  expect((await call('PUT', '/catalog/brands/1/metafields/1', { key: 'x' }, asOther)).status).toBe(403)
})

test('17 before 18: a caller without the right learns of no conflict', async () => {
  const { call, otherclient } = await openStaffedShop()
  await call('POST', '/catalog/brands', { name: 'one' })
  for (const key of ['bin', 'shelf']) await call('POST', '/catalog/brands/1/metafields', { ...metafield, key })
  expect((await call('PUT', '/catalog/brands/1/metafields/1', { key: 'shelf' }, { as: otherclient })).status).toBe(403)
  expect((await call('PUT', '/catalog/brands/1/metafields/1', { key: 'shelf' })).status).toBe(409)
})

test('18 before 19: a conflict is reported before a limit', async () => {
  const { call } = await openStaffedShop({ limits: { brands: 1 } })
  await call('POST', '/catalog/brands', { name: 'one' })
  expect((await call('POST', '/catalog/brands', { name: 'ONE' })).status).toBe(409)
  expect((await call('POST', '/catalog/brands', { name: 'two' })).status).toBe(507)
})
