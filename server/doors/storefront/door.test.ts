import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../core/db/database.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { askStorefront, CUSTOMER, makeToken, ORIGIN, type Question, SITE } from '../../test/fixtures/storefront.ts'
import { holdTable } from '../../test/harness/administrator.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { WATCH_TOKEN, watching } from '../../test/harness/watch.ts'
import { Logins } from './sessions/logins.ts'

let shop: Shop
let tokens: Record<'storefront' | 'impersonation' | 'private', string>
const ask = (asked: Question = {}) => askStorefront(shop, asked)

beforeAll(async () => {
  shop = await openShop({ name: 'Fern & Co' })
  const people = ['ann', 'bo'].map((name) => ({ email: `${name}@example.com`, first_name: name, last_name: 'Lee' }))
  const made = await shop.call(
    'POST',
    '/customers',
    people.map((person) => ({ ...person, authentication: { new_password: 'correct horse 7' } })),
  )
  expect(made.status).toBe(200)
  tokens = {
    storefront: await makeToken(shop, 'storefront', { expires_at: 0 }),
    impersonation: await makeToken(shop, 'impersonation'),
    private: await makeToken(shop, 'private', { expires_at: 0 }),
  }
})

let ahead = 0
/** Moves the clock by a second, so that cached results expire. */
function aSecondLater<T>(work: () => Promise<T>): Promise<T> {
  ahead += 1_000
  return work()
}
beforeAll(() => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
})
afterAll(() => {
  vi.restoreAllMocks()
})

test('a storefront shows its settings at each of its addresses, and the status of its channel', async () => {
  const { data: second } = (
    await shop.call('POST', '/channels', {
      name: 'Second',
      type: 'storefront',
      platform: 'custom',
      status: 'prelaunch',
    })
  ).body
  const site = await shop.call('POST', '/sites', { channel_id: second.id, url: 'https://www.second.example' })
  expect(site.status).toBe(201)
  await shop.call('PUT', '/settings/store/profile?channel_id=1', {
    store_address: '',
    store_email: '',
    store_name: 'Fern of channel 1',
    store_phone: '',
  })
  const token = await makeToken(shop, 'storefront', { channel_ids: [1, second.id] })
  const given = `https://store-${shop.store.hash}.shop.test`
  const first = { storeName: 'Fern of channel 1', url: { vanityUrl: given }, status: 'LAUNCHED' }
  const other = { storeName: 'Fern & Co', url: { vanityUrl: 'https://www.second.example' }, status: 'PRE_LAUNCH' }
  const { hash } = shop.store
  const places: [Question, object][] = [
    [{}, first],
    [{ host: `STORE-${hash}.shop.test:8080` }, first],
    [{ host: `store-${hash}-1.shop.test` }, first],
    [{ host: `store-${hash}-${second.id}.shop.test` }, other],
    [{ host: 'www.second.example' }, other],
    [{ host: 'Second.example:443' }, other],
    [{ host: 'shop.test', path: `/storefront/${hash}` }, first],
    [{ host: 'shop.test', path: `/storefront/${hash}/1` }, first],
    [{ host: 'shop.test', path: `/storefront/${hash}/${second.id}` }, other],
  ]
  for (const [place, settings] of places) {
    const answer = await ask({ token, ...place })
    expect(answer, JSON.stringify(place)).toMatchObject({ status: 200, body: { data: { site: { settings } } } })
    expect(answer.headers['x-svc-graphql-complexity']).toBe('3')
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  const whole = await ask({ token, query: '{ site { settings { storeHash channelId status } } customer { email } }' })
  expect(whole.body).toEqual({
    data: { site: { settings: { storeHash: hash, channelId: 1, status: 'LAUNCHED' } }, customer: null },
  })

  for (const place of [
    { host: 'nowhere.example' },
    { host: 'second.example:8080' },
    { host: 'store-nowhere123.shop.test' },
    { host: `store-${hash}-7.shop.test` },
    { host: 'shop.test' },
    { host: 'shop.test', path: '/storefront/nowhere123' },
    { host: 'shop.test', path: `/storefront/${hash}/7` },
    { host: 'shop.test', path: `/storefront/${hash}/x` },
  ]) {
    expect((await ask({ token, ...place })).status, JSON.stringify(place)).toBe(404)
  }
  const ends = ['inactive', 'archived'].map((status, i) => [status, ['MAINTENANCE', 'HIBERNATION'][i]])
  for (const [status, word] of ends) {
    await shop.call('PUT', `/channels/${second.id}`, { status })
    const { body } = await aSecondLater(() =>
      ask({ token, host: 'second.example', query: '{ site { settings { status } } }' }),
    )
    expect(body.data.site.settings.status).toBe(word)
  }
})

test('a store that is not active answers 503, before tokens are checked', async () => {
  const closed = await openShop()
  const { directory } = (await theHouse()).installation
  expect((await askStorefront(closed, {})).status).toBe(401)
  await directory.setState(closed.store.hash, 'maintenance')
  const answer = await aSecondLater(() => askStorefront(closed, {}))
  expect(answer).toMatchObject({ status: 503, body: { errors: [{ message: 'The store is closed at the moment.' }] } })
  expect(answer.headers['retry-after']).toBe('60')
})

describe('a browser', () => {
  const from = (origin: string, more: Question = {}) =>
    ask({ token: tokens.storefront, ...more, headers: { origin, ...more.headers } })

  test('reads with a storefront token from the origins of the token and of the site', async () => {
    for (const origin of [ORIGIN, `https://store-${shop.store.hash}.shop.test`]) {
      const answer = await from(origin, { headers: { 'sec-fetch-mode': 'cors' } })
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': 'X-Svc-graphql-complexity, x-request-id, retry-after, x-retry-after',
        },
      })
      expect(String(answer.headers.vary).toLowerCase()).toContain('origin')
    }
  })

  test('is refused from another origin, without CORS headers (C-102)', async () => {
    for (const origin of [
      'null',
      'https://example.com',
      'https://www.example.com.evil.test',
      'https://evil-www.example.com',
      'http://www.example.com',
      'https://www.example.com:8443',
      'https://WWW.example.com',
      'https://a.www.example.com',
      '*',
      `${ORIGIN}/`,
      'http://shop.test',
    ]) {
      const answer = await from(origin)
      expect(answer, origin).toMatchObject({
        status: 401,
        message: "The Origin header does not match the token's origins.",
      })
      expect(answer.headers['access-control-allow-origin'], origin).toBeUndefined()
    }
  })

  test('is refused with the token of a server, by each sign of a browser', async () => {
    const signs: Record<string, string>[] = [
      { origin: ORIGIN },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
      { cookie: 'a=b; SHOP_TOKEN=x' },
    ]
    for (const headers of signs) {
      for (const [kind, word] of [
        ['private', 'Private'],
        ['impersonation', 'Customer impersonation'],
      ] as const) {
        const answer = await ask({ token: tokens[kind], headers })
        expect(answer).toMatchObject({ status: 403, message: `${word} tokens are not allowed from a browser script.` })
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      }
    }
    const servers: Record<string, string>[] = [{ cookie: 'a=SHOP_TOKEN=x' }, { 'sec-fetch-mode': 'cors' }]
    for (const headers of servers) {
      expect((await ask({ token: tokens.private, headers })).status).toBe(200)
    }
  })

  test('learns the allowed headers in a preflight', async () => {
    const answer = await from('https://anything.example', { method: 'OPTIONS', token: undefined })
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'https://anything.example',
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers':
          'authorization, content-type, x-correlation-id, x-svc-customer-access-token, x-bc-customer-access-token',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    })
    const plain = await ask({ method: 'OPTIONS' })
    expect([plain.status, plain.headers.allow]).toEqual([204, 'POST, OPTIONS'])
    expect(plain.headers['access-control-allow-origin']).toBeUndefined()
  })
})

test('settings close the server to storefront tokens without an Origin, and to introspection', async () => {
  const { installation, files } = await theHouse()
  const config = readConfig({
    SECRET,
    STOREFRONT_S2S: 'false',
    INTROSPECTION: 'false',
    REQUIRE_HTTPS: 'true',
    TRUST_PROXY: '1',
  })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    config,
    'http://shop.test',
  )
  const send = (headers: Record<string, string>, query = SITE) =>
    server.inject({
      method: 'POST',
      url: `/storefront/${shop.store.hash}/graphql`,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-proto': 'https',
        authorization: `Bearer ${tokens.storefront}`,
        ...headers,
      },
      payload: { query },
    })
  const refused = await send({})
  expect([refused.statusCode, refused.json().errors[0].message]).toEqual([
    401,
    'Storefront tokens are for browsers: the Origin header is missing.',
  ])
  expect((await send({ origin: ORIGIN })).statusCode).toBe(200)
  expect((await send({ authorization: `Bearer ${tokens.private}` })).statusCode).toBe(200)
  const { errors } = (await send({ origin: ORIGIN }, '{ __schema { types { name } } }')).json()
  expect(errors[0].message).toContain('introspection has been disabled')
  const plain = await send({ 'x-forwarded-proto': 'http', host: 'shop.test' })
  expect([plain.statusCode, plain.headers.location]).toEqual([
    301,
    `https://shop.test/storefront/${shop.store.hash}/graphql`,
  ])
  await server.close()
})

test('refusals name the configured header prefix', async () => {
  const { installation, files } = await theHouse()
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, HEADER_PREFIX: 'X-Acme' }),
    'http://shop.test',
  )
  const answer = await server.inject({
    method: 'POST',
    url: `/storefront/${shop.store.hash}/graphql`,
    headers: { authorization: `Bearer ${tokens.impersonation}`, 'x-acme-customer-id': '99' },
    payload: { query: SITE },
  })
  expect([answer.statusCode, answer.json()]).toEqual([
    401,
    { errors: [{ message: 'The customer of the header X-Acme-Customer-Id does not exist.' }] },
  ])
  await server.close()
})

test('log and metrics name the store and the client, and contain no token (C-103)', async () => {
  const { installation, files } = await theHouse()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { server } = await createApp(
    { ...installation, files, log },
    readConfig({ SECRET, WATCH_TOKEN }),
    'http://shop.test',
  )
  const host = `store-${shop.store.hash}.shop.test`
  const send = (token: string, headers: Record<string, string> = {}, query = SITE) =>
    server.inject({
      method: 'POST',
      url: '/graphql',
      headers: { host, authorization: `Bearer ${token}`, ...headers },
      payload: { query },
    })
  const secret = 'f'.repeat(64)
  await send(tokens.storefront)
  await send(`${tokens.private}x`)
  await send(tokens.private, { 'x-svc-customer-access-token': `${secret}_4102444800` })
  await send(tokens.storefront, { origin: ORIGIN, cookie: `SHOP_TOKEN=${secret}_4102444800` })
  await send(
    tokens.private,
    {},
    'mutation { login(email: "ann@example.com", password: "guessed 7 horses") { result } }',
  )
  await server.inject({ url: `/login/token/${tokens.private}`, headers: { host } })
  const metrics = (await server.inject({ url: '/metrics', headers: watching })).body
  const output = `${lines.join('')}${metrics}`
  const signatures = Object.values(tokens).map((token) => token.split('.')[2] ?? '')
  for (const word of [...signatures, secret, 'guessed', 'Bearer']) expect(output).not.toContain(word)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    store: shop.store.hash,
    client: shop.admin.client_id,
    route: '/graphql',
    status: 200,
  })
  expect(output).toContain('a login by JWT is refused')
  expect(metrics).toContain('route="/login/token/:jwt",status="302"')
  await server.close()
})

describe('a request acts for', () => {
  const as = async (asked: Question) => ask({ query: CUSTOMER, ...asked })
  const ann = { entityId: 1, email: 'ann@example.com', firstName: 'ann', lastName: 'Lee' }

  test('the named customer with an impersonation token', async () => {
    for (const name of ['X-Svc-Customer-Id', 'X-Bc-Customer-Id']) {
      const { body } = await as({ token: tokens.impersonation, headers: { [name]: '1' } })
      expect(body).toEqual({ data: { customer: ann } })
    }
    expect((await as({ token: tokens.impersonation })).body).toEqual({ data: { customer: null } })
    for (const id of ['0', '-1', '1.0', 'x', '3', '2147483648', '99999999999', '']) {
      const answer = await as({ token: tokens.impersonation, headers: { 'X-Svc-Customer-Id': id } })
      expect(answer, id).toMatchObject({
        status: 401,
        message: 'The customer of the header X-Svc-Customer-Id does not exist.',
      })
    }
  })

  test('only the customer of its session (C-110)', async () => {
    for (const kind of ['storefront', 'private'] as const) {
      const named = await as({ token: tokens[kind], headers: { 'X-Svc-Customer-Id': '1' } })
      expect(named.body).toEqual({ data: { customer: null } })
      const login =
        'mutation { login(email: "ann@example.com", password: "correct horse 7") { result customer { entityId } customerAccessToken { value expiresAt } } }'
      const { body } = await ask({ token: tokens[kind], query: login })
      const { value, expiresAt } = body.data.login.customerAccessToken
      expect(body.data.login).toMatchObject({ result: 'success', customer: { entityId: 1 } })
      expect(value).toBe(`${value.slice(0, 64)}_${Date.parse(expiresAt) / 1_000}`)
      for (const name of ['X-Svc-Customer-Access-Token', 'X-Bc-Customer-Access-Token']) {
        const own = await as({ token: tokens[kind], headers: { [name]: value, 'X-Svc-Customer-Id': '2' } })
        expect(own.body).toEqual({ data: { customer: ann } })
      }
      const impersonating = await as({
        token: tokens.impersonation,
        headers: { 'X-Svc-Customer-Access-Token': value, 'X-Svc-Customer-Id': '2' },
      })
      expect(impersonating.body.data.customer.entityId).toBe(2)
      const inBrowser = await as({
        token: tokens.storefront,
        headers: { 'X-Svc-Customer-Access-Token': value, origin: ORIGIN },
      })
      expect(inBrowser.body).toEqual({ data: { customer: null } })
    }
  })

  test('nobody with a bad customer access token, or is refused on request', async () => {
    const headers = { 'X-Svc-Customer-Access-Token': `${'0'.repeat(64)}_4102444800` }
    expect(await as({ token: tokens.private, headers })).toMatchObject({
      status: 200,
      body: { data: { customer: null } },
    })
    for (const name of [
      'X-Svc-Error-On-Invalid-Customer-Access-Token',
      'X-Bc-Error-On-Invalid-Customer-Access-Token',
    ]) {
      const { status, body } = await as({ token: tokens.private, headers: { ...headers, [name]: 'true' } })
      expect([status, body.data, body.errors[0].extensions]).toEqual([
        200,
        null,
        { code: 'INVALID_CUSTOMER_ACCESS_TOKEN' },
      ])
    }
    const { body } = await ask({ token: tokens.private, query: 'mutation { logout { result } }' })
    expect(body.errors[0].extensions).toEqual({ code: 'MISSING_CUSTOMER_ACCESS_TOKEN' })
  })
})

test('a private token reads only the fields of its scopes', async () => {
  const both = '{ site { settings { storeHash } } customer { email } }'
  const only = async (...scopes: string[]) =>
    (await ask({ token: await makeToken(shop, 'private', { scopes }), query: both })).body
  const lack = (path: string, scope: string) => ({
    message: `The token lacks a scope that this field needs: ${scope}.`,
    locations: expect.any(Array),
    path: [path],
    extensions: { code: 'INSUFFICIENT_ACCESS_SCOPE', requiredScopes: [scope] },
  })
  const site = { settings: { storeHash: shop.store.hash } }
  expect(await only('Unauthenticated', 'Customer')).toEqual({ data: { site, customer: null } })
  expect(await only('Unauthenticated')).toEqual({
    data: { site, customer: null },
    errors: [lack('customer', 'Customer')],
  })
  expect(await only('Customer')).toEqual({ data: null, errors: [lack('site', 'Unauthenticated')] })
  const b2b = await only('B2B')
  expect(b2b.data).toBeNull()
  const login = await ask({
    token: await makeToken(shop, 'private', { scopes: ['Unauthenticated'] }),
    query: 'mutation { login(email: "ann@example.com", password: "correct horse 7") { result } }',
  })
  expect(login.body.errors[0].extensions.requiredScopes).toEqual(['Customer'])
})

test('a revoked token fails within a second in every process; others stay valid (C-100)', async () => {
  const [revoked, kept] = [await makeToken(shop, 'storefront'), await makeToken(shop, 'storefront')]
  const endless = await makeToken(shop, 'private', { expires_at: 0 })
  const revoke = (token: string, path = '/storefront/api-token', as?: { access_token: string }) =>
    shop.call('DELETE', path, undefined, { headers: { 'sf-api-token': token }, ...(as ? { as } : {}) })
  expect((await ask({ token: revoked })).status).toBe(200)
  expect((await ask({ token: endless })).status).toBe(200)
  expect(await revoke(revoked)).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
  expect((await revoke(revoked)).status).toBe(200)
  // Each path revokes tokens of each type.
  expect((await revoke(endless, '/storefront/api-token-customer-impersonation')).status).toBe(200)
  for (const token of [revoked, endless]) {
    expect(await aSecondLater(() => ask({ token }))).toMatchObject({ status: 401, message: 'Unknown JWT token.' })
  }
  expect((await aSecondLater(() => ask({ token: kept }))).status).toBe(200)

  const { accounts } = (await theHouse()).installation
  const impersonator = await accounts.create(shop.store.hash, 'impersonator', [
    'store_storefront_api_customer_impersonation',
  ])
  expect((await revoke(kept, '/storefront/api-token-customer-impersonation', impersonator)).status).toBe(403)
  expect(
    (
      await revoke(
        tokens.impersonation,
        '/storefront/api-token',
        await accounts.create(shop.store.hash, 'maker', ['store_storefront_api']),
      )
    ).status,
  ).toBe(403)
  const foreign = await makeToken(await openShop(), 'storefront')
  for (const wrong of [foreign, 'x', 'a.b.c', kept.slice(0, -4), '']) {
    const answer = await revoke(wrong)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['Sf-Api-Token']])
  }
  expect((await shop.call('DELETE', '/storefront/api-token')).status).toBe(422)
  const { clock } = await theHouse()
  const expiring = await makeToken(shop, 'storefront')
  clock.move(3_700_000)
  expect((await revoke(expiring)).status).toBe(200)
  // The next revocation deletes expired ones.
  await revoke(await makeToken(shop, 'storefront'))
  const db = await (await theHouse()).installation.directory.dbById(shop.store.id)
  const rows = await db?.rows({
    name: '',
    text: 'select jti, expires_at from revoked_storefront_tokens where store_id = $1 order by 2',
    values: [shop.store.id],
  })
  expect(rows).toEqual([
    expect.objectContaining({ expires_at: expect.any(String) }),
    expect.objectContaining({ expires_at: null }),
  ])
})

test('an invalid request is refused in the form of GraphQL', async () => {
  const { storefront: token } = tokens
  const query = '{ customer { email } }'
  const cases: [Question, number, RegExp][] = [
    [{ token, method: 'GET' }, 405, /requests use POST/],
    [{ token, method: 'PUT' }, 405, /requests use POST/],
    [{ token, payload: '' }, 400, /must be JSON with a query/],
    [{ token, payload: '{' }, 400, /not valid JSON. Syntax error at line 1/],
    [{ token, payload: '"x"' }, 400, /must be JSON with a query/],
    [{ token, payload: '{}' }, 400, /must be JSON with a query/],
    [{ token, payload: JSON.stringify({ query, variables: [] }) }, 400, /must be JSON/],
    [{ token, payload: JSON.stringify({ query, operationName: 'a b' }) }, 400, /must be JSON/],
    [{ token, payload: JSON.stringify(Array(1_000).fill({ query })) }, 400, /one operation, not a list/],
    [{ token, payload: JSON.stringify({ query: `${query}${' '.repeat(64 * 1024)}` }) }, 413, /longer than 65536/],
    [{ token, payload: JSON.stringify({ query, variables: { a: 'x'.repeat(256 * 1024) } }) }, 413, /too large/],
    [{ token, headers: { 'content-type': 'text/plain' }, payload: query }, 415, /Content-Type/],
  ]
  for (const [asked, status, message] of cases) {
    const answer = await ask(asked)
    expect(answer.status, JSON.stringify(asked).slice(0, 200)).toBe(status)
    expect(answer.message).toMatch(message)
  }
  const named = { token, query: 'query A { site { settings { storeHash } } } query B { customer { email } }' }
  // Each operation of a document is compiled separately.
  for (let i = 0; i < 15; i++) {
    expect((await ask({ ...named, operationName: 'A' })).body.data).toHaveProperty('site')
    expect((await ask({ ...named, operationName: 'B' })).body.data).toEqual({ customer: null })
  }
  expect((await ask(named)).message).toContain('Must provide operation name')
  expect((await ask({ ...named, operationName: 'C' })).message).toContain('Unknown operation named "C"')
  const variables = { token, query: 'mutation M($e: String!) { login(email: $e, password: "x") { result } }' }
  expect((await ask({ ...variables, variables: { e: 7 } })).message).toContain('Variable "$e" got invalid value')
  expect((await ask({ token, query: '{ custome { email } }' })).message).toBe(
    'Cannot query field "custome" on type "Query".',
  )
  expect(await ask({ token, query: '{ customer { email }' })).toMatchObject({
    status: 200,
    body: { errors: [{ message: 'Syntax Error: Expected Name, found <EOF>.', locations: [{ line: 1, column: 21 }] }] },
  })
})

test('a store has 40 requests at once; the next one waits, and is refused after a second', async () => {
  const { storefront: token } = tokens
  expect((await ask({ token })).status).toBe(200)
  const askAtOnce = async () => {
    const release = await holdTable(shop, 'settings')
    const answers = Array.from({ length: 41 }, () => ask({ token }))
    const first = await Promise.race(answers).finally(release)
    return { first, refused: (await Promise.all(answers)).filter(({ status }) => status === 429).length }
  }
  // It is tried again: another request was answered first once, on a busy machine.
  await expect.poll(askAtOnce).toMatchObject({
    first: { status: 429, headers: { 'x-retry-after': '1' }, message: 'Too many requests' },
    refused: 1,
  })
})

test.each([
  [new Error('A fault of the server.'), 500, 'Internal error', undefined],
  [new DatabaseUnavailable('gone'), 503, 'The service is not available at the moment.', '1'],
])('a fault of the server has no status that a cache may keep: %s', async (fault, status, message, retry) => {
  const login = vi.spyOn(Logins.prototype, 'byPassword').mockRejectedValueOnce(fault)
  try {
    const query = 'mutation { login(email: "ann@example.com", password: "x") { result } }'
    const answer = await ask({ token: tokens.private, query })
    expect(answer).toMatchObject({ status, body: { data: null, errors: [{ message }] } })
    expect(answer.headers['retry-after']).toBe(retry)
  } finally {
    login.mockRestore()
  }
})
