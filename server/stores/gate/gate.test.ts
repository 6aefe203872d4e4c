import { once } from 'node:events'
import { request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { problem } from '../../test/document/expected.ts'
import { type Operation, send, theOperations } from '../../test/document/operations.ts'
import { type Answered, openStaffedShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { ACCOUNT_SCOPES, type Area, access, DEFAULT_SCOPES } from '../accounts/scopes.ts'

const { installation, files } = await theHouse()
const { accounts, directory } = installation

const PATH = '/catalog/brands'
const UNAUTHORIZED = 'Unauthorized: client or token not valid for this store'
const SCOPE_MISSING = "You don't have a required scope to access the endpoint"
const UNKNOWN = { access_token: 'x'.repeat(31) }

/** Another server on the same databases. Like another process, it shares no memory with the first. */
async function anotherServer(settings: Record<string, string> = {}): Promise<FastifyInstance> {
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', ...settings })
  const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://shop.test')
  return app.server
}

describe('the identification of clients (docs/contract/auth.md sections 3 and 4)', () => {
  test('a missing token is 401, and the answer names the missing header', async () => {
    const { call } = await openStaffedShop()
    const answer = await call('GET', PATH, undefined, { as: { access_token: '' } })
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'X-Auth-Token' } })
    const { store } = await openStaffedShop()
    const { server } = await theHouse()
    const without = await server.inject({ url: `/stores/${store.hash}/v3${PATH}` })
    expect(without.statusCode).toBe(401)
    expect(without.headers['www-authenticate']).toBe('X-Auth-Token')
    expect(without.json()).toEqual(problem(401, 'The header X-Auth-Token is required.'))
  })

  test('an unknown, malformed or altered token, and one of another store, get the same 401', async () => {
    const { call, admin, store } = await openStaffedShop()
    const other = await openStaffedShop()
    const { access_token: token } = admin
    for (const access_token of [
      UNKNOWN.access_token,
      other.admin.access_token,
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      `Bearer ${token}`,
      `${token},${token}`,
      `"${token}"`,
      '-',
      'ünknown',
      'x'.repeat(8_000),
      admin.client_id,
      admin.client_secret,
      store.hash,
      "' or true --",
    ]) {
      const answer = await call('GET', PATH, undefined, { as: { access_token } })
      expect(answer.status, access_token).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('X-Auth-Token')
      expect(answer.body).toEqual(problem(401, UNAUTHORIZED))
    }
  })

  test('X-Auth-Client and Authorization are never read', async () => {
    const { call, admin, otherclient, noscope } = await openStaffedShop()
    const ignored: Record<string, string>[] = [
      { 'x-auth-client': 'stencil-cli' },
      { 'x-auth-client': otherclient.client_id },
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${noscope.access_token}` },
    ]
    for (const headers of ignored) {
      expect((await call('GET', PATH, undefined, { headers })).status).toBe(200)
    }
    const headers = { 'x-auth-client': admin.client_id, authorization: `Bearer ${admin.access_token}` }
    expect((await call('GET', PATH, undefined, { as: UNKNOWN, headers })).status).toBe(401)
    expect((await call('GET', PATH, undefined, { as: noscope, headers })).status).toBe(403)
  })

  test('two X-Auth-Token headers are 401, even the same one twice', async () => {
    const { admin, readonly, store } = await openStaffedShop()
    const server = await anotherServer()
    const port = new URL(await server.listen({ port: 0 })).port
    const ask = async (tokens: string[]) => {
      const path = `/stores/${store.hash}/v3${PATH}`
      const sent = request({ port, path, headers: { 'x-auth-token': tokens }, agent: false }).end()
      const [response] = await once(sent, 'response')
      return response.resume().statusCode
    }
    expect(await ask([admin.access_token])).toBe(200)
    expect(await ask([admin.access_token, admin.access_token])).toBe(401)
    expect(await ask([admin.access_token, readonly.access_token])).toBe(401)
    expect(await ask(['', admin.access_token])).toBe(401)
    await server.close()
  })

  test.each([
    'nosuchstore',
    'ABCDE',
    'x',
    'a'.repeat(17),
    '%00',
    '%20',
    '%C3%A9t%C3%A9s',
    '%2e%2e%2fstores',
    'abc%00de',
    "'%20or%20true--",
  ])('the unknown store %s is 403 with a token that is valid somewhere, 401 with any other', async (hash) => {
    const { admin, call } = await openStaffedShop()
    const { server } = await theHouse()
    const ask = (token: string | undefined) =>
      server.inject({ url: `/stores/${hash}/v3${PATH}`, headers: token === undefined ? {} : { 'x-auth-token': token } })
    const lost = await ask(admin.access_token)
    expect([lost.statusCode, lost.json()]).toEqual([403, problem(403, SCOPE_MISSING)])
    expect(lost.headers).not.toHaveProperty('www-authenticate')
    const stranger = await ask(UNKNOWN.access_token)
    expect([stranger.statusCode, stranger.json()]).toEqual([401, problem(401, UNAUTHORIZED)])
    expect((await ask(undefined)).statusCode).toBe(401)
    expect((await call('GET', PATH)).status).toBe(200)
  })

  test('a store hash in another case names an unknown store', async () => {
    const { admin, store } = await openStaffedShop({ hash: `abc${process.pid}xyz` })
    const { server } = await theHouse()
    const url = `/stores/${store.hash.toUpperCase()}/v3${PATH}`
    expect((await server.inject({ url, headers: { 'x-auth-token': admin.access_token } })).statusCode).toBe(403)
  })

  test('a missing scope is 403, which lists the accepted scopes and reveals nothing about the resource', async () => {
    const { call, noscope, readonly } = await openStaffedShop()
    for (const [method, path, as] of [
      ['GET', PATH, noscope],
      ['GET', `${PATH}/1`, noscope],
      ['POST', PATH, readonly],
      ['DELETE', `${PATH}/999`, readonly],
    ] as const) {
      const answer = await call(method, path, undefined, { as })
      const detail = expect.stringMatching(/^One of these scopes is needed: /)
      expect([answer.status, answer.body]).toEqual([403, { ...problem(403, SCOPE_MISSING), detail }])
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
  })

  test('a method in a header or a query overrides nothing (C-072)', async () => {
    const { call, readonly } = await openStaffedShop()
    await call('POST', PATH, { name: 'Kept' })
    const headers = { 'x-http-method-override': 'GET', 'x-http-method': 'GET', 'x-method-override': 'GET' }
    expect((await call('DELETE', `${PATH}/1`, undefined, { as: readonly, headers })).status).toBe(403)
    expect((await call('POST', `${PATH}?_method=GET`, { name: 'x' }, { as: readonly, headers })).status).toBe(403)
    const deleting = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
    expect((await call('GET', `${PATH}/1`, undefined, { headers: deleting })).status).toBe(200)
    expect((await call('GET', `${PATH}/1`)).status).toBe(200)
  })

  test('the scope is checked before the resource is looked up', async () => {
    const { call, noscope } = await openStaffedShop()
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', `${PATH}/1`],
    ] as const) {
      expect((await call(method, path, undefined, { as: UNKNOWN })).status).toBe(401)
      expect((await call(method, path, undefined, { as: noscope })).status).toBe(method === 'GET' ? 404 : 405)
    }
    expect((await call('PATCH', PATH, undefined, { as: UNKNOWN })).status).toBe(501)
    expect((await call('OPTIONS', PATH, undefined, { as: UNKNOWN })).status).toBe(204)
  })
})

describe('changes that take effect within a second in every process (docs/contract/auth.md sections 1 and 2)', () => {
  const asking =
    (server: FastifyInstance, { store }: Shop, token: string) =>
    async () => {
      const url = `/stores/${store.hash}/v3${PATH}`
      return (await server.inject({ url, headers: { 'x-auth-token': token } })).statusCode
    }

  /** The clock of the process, which decides the age of remembered callers. */
  function stoppedClock() {
    const now = vi.spyOn(performance, 'now')
    const began = Math.floor(performance.now())
    onTestFinished(() => now.mockRestore())
    return (ms: number) => now.mockReturnValue(began + ms)
  }

  test('the deletion of an account, in the process that knew its token and in every other (C-100)', async () => {
    const shop = await openStaffedShop()
    const servers = [(await theHouse()).server, await anotherServer()]
    const asks = servers.map((server) => asking(server, shop, shop.otherclient.access_token))
    const clock = stoppedClock()
    clock(0)
    for (const ask of asks) expect(await ask()).toBe(200)
    await accounts.delete(shop.store.hash, shop.otherclient.client_id)
    clock(999)
    for (const ask of asks) expect(await ask()).toBe(200)
    clock(1_000)
    for (const ask of asks) expect(await ask()).toBe(401)
    expect((await shop.call('GET', PATH)).status).toBe(200)
  })

  test.each(['maintenance', 'upgrading', 'suspended'] as const)(
    'a store in the state %s: 503 with Retry-After for every path and every valid token, and 200 again when it is active',
    async (state) => {
      const shop = await openStaffedShop()
      const ask = asking((await theHouse()).server, shop, shop.admin.access_token)
      const clock = stoppedClock()
      clock(0)
      expect(await ask()).toBe(200)
      await directory.setState(shop.store.hash, state)
      clock(1_000)
      const closed = await shop.call('GET', PATH)
      expect(closed).toMatchObject({ status: 503, headers: { 'retry-after': '60' } })
      expect(closed.body).toMatchObject({ status: 503, errors: {}, title: expect.stringContaining('The store is ') })
      for (const [method, path, as] of [
        ['GET', '/nowhere', shop.admin],
        ['GET', PATH, shop.noscope],
        ['POST', `${PATH}/1`, shop.admin],
      ] as const) {
        expect((await shop.call(method, path, undefined, { as })).status).toBe(503)
      }
      expect((await shop.call('GET', PATH, undefined, { as: UNKNOWN })).status).toBe(401)
      const other = await openStaffedShop()
      expect((await other.call('GET', PATH)).status).toBe(200)

      await directory.setState(shop.store.hash, 'active')
      clock(2_000)
      expect(await ask()).toBe(200)
    },
  )
})

describe('failed authentications', () => {
  const ask = (server: FastifyInstance, { store }: Shop, token: string, remoteAddress: string) =>
    server.inject({ url: `/stores/${store.hash}/v3${PATH}`, headers: { 'x-auth-token': token }, remoteAddress })

  test('100 in a minute are 401; then all requests of the address are 429 without rate headers for a minute, and other addresses are not affected', async () => {
    const shop = await openStaffedShop()
    const server = await anotherServer({ FAILED_LOGINS_MAX: '100' })
    const [here, there] = ['192.0.2.1', '192.0.2.2']
    const now = vi.spyOn(performance, 'now')
    const began = Math.floor(performance.now())
    const at = (ms: number) => now.mockReturnValue(began + ms)

    at(0)
    expect((await ask(server, shop, shop.admin.access_token, here)).statusCode).toBe(200)
    for (let i = 0; i < 100; i++) expect((await ask(server, shop, `wrong ${i}`, here)).statusCode).toBe(401)
    for (const token of ['wrong', shop.admin.access_token]) {
      const barred = await ask(server, shop, token, here)
      expect([barred.statusCode, barred.json()]).toEqual([429, problem(429, 'Too many requests')])
      expect(Object.keys(barred.headers).filter((name) => /rate-limit|apilimit|x-retry/.test(name))).toEqual([])
      expect(barred.headers['retry-after']).toBe('60')
    }
    expect((await ask(server, shop, shop.admin.access_token, there)).statusCode).toBe(200)
    at(59_999)
    expect((await ask(server, shop, shop.admin.access_token, here)).statusCode).toBe(429)
    at(60_000)
    expect((await ask(server, shop, shop.admin.access_token, here)).statusCode).toBe(200)
    expect((await ask(server, shop, 'wrong', here)).statusCode).toBe(401)
    now.mockRestore()
    await server.close()
  })

  describe('count for the address of the client', () => {
    const PROXY = '10.1.2.3'
    const OUTER_PROXY = '10.9.9.9'
    const CLIENT = '192.0.2.1'

    let networks = 0

    /**
     * A server that bars an address at its first failure, and a client with a wrong token. Servers share their failures, so the clients
     * of each are in another network.
     */
    async function strictServer(settings: Record<string, string>) {
      const network = `198.18.${++networks}.`
      const here = (address: string) => address.replaceAll('192.0.2.', network)
      const shop = await openStaffedShop()
      const server = await anotherServer({ FAILED_LOGINS_MAX: '1', ...settings })
      onTestFinished(async () => void (await server.close()))
      return async (remoteAddress: string, forwarded?: string | string[]) => {
        const entries = typeof forwarded === 'string' ? here(forwarded) : forwarded?.map(here)
        const headers = {
          'x-auth-token': 'wrong',
          ...(entries === undefined ? {} : { 'x-forwarded-for': entries }),
        }
        const url = `/stores/${shop.store.hash}/v3${PATH}`
        return (await server.inject({ url, headers, remoteAddress: here(remoteAddress) })).statusCode
      }
    }

    test('without a proxy the address is the peer of the connection, and the header is ignored', async () => {
      const fail = await strictServer({})
      expect(await fail(CLIENT, '192.0.2.77')).toBe(401)
      expect(await fail(CLIENT, '192.0.2.78')).toBe(429)
      expect(await fail('192.0.2.77')).toBe(401)
    })

    test.each([
      ['a number of proxies', '1'],
      ['the subnet of the proxy', '10.1.0.0/16'],
    ])('behind %s it is the last entry of the proxy, and entries from the client are ignored', async (_, trusted) => {
      const fail = await strictServer({ TRUST_PROXY: trusted })
      expect(await fail(PROXY, CLIENT)).toBe(401)
      // A client cannot gain by sending a new address each time.
      for (const forged of ['192.0.2.50', '192.0.2.51, 192.0.2.52', '10.1.2.3, 10.1.2.3', 'unknown', '']) {
        expect(await fail(PROXY, `${forged}, ${CLIENT}`), forged).toBe(429)
      }
      expect(await fail(PROXY, ['192.0.2.60', CLIENT])).toBe(429)
      // No other address is barred instead.
      expect(await fail(PROXY, '192.0.2.50')).toBe(401)
      expect(await fail(PROXY, '192.0.2.52')).toBe(401)
    })

    test.each([
      ['their number', '2'],
      ['their subnets', '10.1.0.0/16 10.9.9.9/32'],
    ])('behind two proxies, configured by %s, it is the entry of the outer one', async (_, trusted) => {
      const fail = await strictServer({ TRUST_PROXY: trusted })
      expect(await fail(PROXY, `${CLIENT}, ${OUTER_PROXY}`)).toBe(401)
      expect(await fail(PROXY, `192.0.2.50, ${CLIENT}, ${OUTER_PROXY}`)).toBe(429)
      expect(await fail(PROXY, `192.0.2.51, ${OUTER_PROXY}`)).toBe(401)
    })

    test('a client that bypasses the proxies is not believed if their subnets are configured', async () => {
      const fail = await strictServer({ TRUST_PROXY: '10.1.0.0/16' })
      expect(await fail(CLIENT, '192.0.2.50')).toBe(401)
      expect(await fail(CLIENT, '192.0.2.51')).toBe(429)
      expect(await fail(PROXY, '192.0.2.50')).toBe(401)
    })
  })

  test('only a proxy can declare that a request came by https', async () => {
    const shop = await openStaffedShop()
    const server = await anotherServer({ REQUIRE_HTTPS: 'true', TRUST_PROXY: '10.1.0.0/16' })
    const ask = async (remoteAddress: string) => {
      const headers = { 'x-auth-token': shop.admin.access_token, 'x-forwarded-proto': 'https' }
      return (await server.inject({ url: `/stores/${shop.store.hash}/v3${PATH}`, headers, remoteAddress })).statusCode
    }
    expect([await ask('10.1.2.3'), await ask('192.0.2.1')]).toEqual([200, 301])
    await server.close()
  })

  test.each([
    ['https://admin.example.com/shops', 'https://admin.example.com/shops/stores/abcde/v3/hooks?limit=1'],
    ['', 'https://localhost:80/stores/abcde/v3/hooks?limit=1'],
  ])('redirects to https lead to PUBLIC_URL if that is "%s"', async (PUBLIC_URL, location) => {
    const server = await anotherServer({ REQUIRE_HTTPS: 'true', PUBLIC_URL })
    const { statusCode, headers } = await server.inject('/stores/abcde/v3/hooks?limit=1')
    expect([statusCode, headers.location]).toEqual([301, location])
    await server.close()
  })
})

describe('the quota (docs/contract/auth.md section 7)', () => {
  const NAMES = [
    'x-rate-limit-time-window-ms',
    'x-rate-limit-time-reset-ms',
    'x-rate-limit-requests-quota',
    'x-rate-limit-requests-left',
    'x-svc-apilimit-remaining',
  ]
  const numbers = ({ headers }: Answered) => NAMES.map((name) => Number(headers[name]))

  test('of quota + 50 simultaneous requests exactly the quota is admitted, and the rest is 429 with all headers (C-058)', async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    const answers = await Promise.all(Array.from({ length: 200 }, () => call('GET', PATH)))
    const [passed, refused] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status === 429),
    ]
    expect([passed.length, refused.length]).toEqual([150, 50])
    for (const answer of answers) {
      const [window, reset, quota, left, hourLeft] = numbers(answer)
      expect([window, quota]).toEqual([30_000, 150])
      for (const number of [reset, left, hourLeft]) expect(number).toBeGreaterThanOrEqual(0)
      expect(reset).toBeLessThanOrEqual(30_000)
    }
    expect(new Set(passed.map((answer) => numbers(answer)[3]))).toEqual(
      new Set(Array.from({ length: 150 }, (_, i) => i)),
    )
    for (const { headers, body } of refused) {
      expect(body).toEqual(problem(429, 'Too many requests'))
      expect(headers['x-rate-limit-requests-left']).toBe('0')
      expect(headers['x-svc-apilimit-remaining']).toBe('19850')
      expect(Number(headers['x-retry-after'])).toBe(Math.ceil(Number(headers['x-rate-limit-time-reset-ms']) / 1_000))
    }
  })

  test('a refused write stores nothing, and another store is not affected (C-059)', async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    for (let i = 0; i < 150; i++) await call('GET', '/nowhere')
    expect((await call('POST', PATH, { name: 'Late' })).status).toBe(429)
    const other = await openStaffedShop({ plan: 'standard' })
    expect((await other.call('POST', PATH, { name: 'In time' })).headers).toMatchObject({
      'x-rate-limit-requests-left': '149',
    })
  })

  test('every request with a valid token costs one and shows the numbers, whether it succeeds or fails', async () => {
    const { call, noscope } = await openStaffedShop({ plan: 'standard' })
    let left = 150
    for (const [status, method, path, body, options] of [
      [200, 'GET', PATH, undefined, {}],
      [200, 'HEAD', PATH, undefined, {}],
      [200, 'POST', PATH, { name: 'One' }, {}],
      [204, 'DELETE', `${PATH}/1`, undefined, {}],
      [400, 'POST', PATH, undefined, { payload: '{' }],
      [404, 'GET', '/nowhere', undefined, {}],
      [404, 'GET', `${PATH}/9`, undefined, {}],
      [405, 'POST', `${PATH}/9`, {}, {}],
      [406, 'GET', PATH, undefined, { headers: { accept: 'text/xml' } }],
      [413, 'GET', `${PATH}?limit=251`, undefined, {}],
      [415, 'POST', PATH, undefined, { payload: 'x', headers: { 'content-type': 'text/plain' } }],
      [422, 'GET', `${PATH}?colour=red`, undefined, {}],
    ] as const) {
      const answer = await call(method, path, body, options)
      expect([status, ...numbers(answer)]).toEqual([
        answer.status,
        30_000,
        expect.any(Number),
        150,
        --left,
        19_850 + left,
      ])
    }
    // The other client shares the remaining quota, and the hour of the store goes on.
    const answer = await call('GET', PATH, undefined, { as: noscope })
    expect([answer.status, ...numbers(answer)]).toEqual([403, 30_000, 30_000, 75, 74, 19_850 + left - 1])
  })

  test('requests without a valid token cost nothing and show no numbers', async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    for (const answer of [
      await call('GET', PATH, undefined, { as: UNKNOWN }),
      await call('OPTIONS', PATH),
      await call('PATCH', PATH),
    ]) {
      expect(Object.keys(answer.headers).filter((name) => /rate-limit|apilimit|x-retry/.test(name))).toEqual([])
    }
    expect((await call('GET', PATH)).headers['x-rate-limit-requests-left']).toBe('149')
  })

  test('the answers of a closed store have the numbers too', async () => {
    const { call, store } = await openStaffedShop({ plan: 'standard' })
    await directory.setState(store.hash, 'maintenance')
    const answer = await call('GET', PATH)
    expect([answer.status, ...numbers(answer)]).toEqual([503, 30_000, 30_000, 150, 149, 19_999])
  })

  test('without a limit all clients can parse the numbers', async () => {
    const { call } = await openStaffedShop({ plan: 'unlimited' })
    expect(numbers(await call('GET', PATH))).toEqual([30_000, 30_000, 2_147_483_647, 2_147_483_647, 2_147_483_647])
  })

  test("the setting HEADER_PREFIX changes the name of the contract's own header", async () => {
    const shop = await openStaffedShop()
    const server = await anotherServer({ HEADER_PREFIX: 'X-Acme' })
    const { headers } = await server.inject({
      url: `/stores/${shop.store.hash}/v3${PATH}`,
      headers: { 'x-auth-token': shop.admin.access_token },
    })
    expect(headers).toHaveProperty('x-acme-apilimit-remaining')
    expect(headers).not.toHaveProperty('x-svc-apilimit-remaining')
    await server.close()
  })
})

describe('scopes, each alone (C-071)', async () => {
  const operations = await theOperations()

  /** The rows of docs/contract/auth.md section 6 that paths identify. The first match counts. */
  const rows: [RegExp, Area][] = [
    [/^\/catalog\//, 'catalog'],
    [/^\/hooks\b/, 'webhooks'],
    [/^\/channels\/:channel_id\/active-theme$/, 'activeTheme'],
    [/^\/channels\/:channel_id\/listings\b/, 'listings'],
    [/^\/channels\/:channel_id\/site\b/, 'sites'],
    [/^\/sites\b/, 'sites'],
    [/^\/channels\b/, 'channels'],
    [/^\/themes\b/, 'themes'],
    [/^\/customers\/:customer_id\/stored-instruments$/, 'storedInstruments'],
    [/^\/customers\b/, 'customers'],
    [/^\/pricelists\b/, 'catalog'],
    [/^\/(promotions|coupons|banners|gift_certificates)\b/, 'marketing'],
    [/^\/tax\/(?!zonecheck$)/, 'information'],
    [/^\/tax_classes\b/, 'information'],
    [/^\/shipping\/(zones|methods|carrier)\b/, 'information'],
    [/^\/shipping\/(products|settings)\b/, 'customs'],
  ]

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s requires the scopes of its row',
    (_, { method, template, scopes }) => {
      const area = rows.find(([path]) => path.test(template))?.[1]
      if (area) {
        expect(scopes).toEqual(access(area)[method === 'GET' ? 'read' : 'write'].config.scopes)
        return
      }
      // The row may be missing. Then all names must be known, and no read scope opens a write.
      expect(scopes.filter((scope) => !ACCOUNT_SCOPES.has(scope))).toEqual([])
      expect(scopes.length).toBeGreaterThan(0)
      if (method !== 'GET' && method !== 'POST') expect(scopes.filter((scope) => /_read/.test(scope))).toEqual([])
    },
  )

  test('each accepted scope opens its route, and all other scopes together do not', async () => {
    const shop = await openStaffedShop()
    const uuid = '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a01'
    const idOf = (name: string) => {
      if (name === 'currency_code') return 'usd'
      if (name === 'job_id') return uuid.replaceAll('-', '')
      return /uuid$|^(segment|shopper_profile|cart|checkout)_id$/.test(name) ? uuid : 1
    }
    const ids = new Proxy<Record<string, number | string>>({}, { get: (_, name) => idOf(String(name)) })
    // Without the scope the answer is 403. With it the request fails at the next step, before any work.
    const statuses = (list: Operation[], as: { access_token: string }) =>
      Promise.all(
        list.map(async (operation) => {
          const { status } = await send(shop, operation, ids, { as, headers: { accept: 'text/xml' } })
          return [operation.name, status] as const
        }),
      )
    const expected = (list: Operation[], granted: ReadonlySet<string>) =>
      list.map(({ name, scopes }) => [name, scopes.some((scope) => granted.has(scope)) ? 406 : 403])
    // Tests all routes that a scope opens, and one of each kind that it does not: the work grows with the routes only.
    const openings = Map.groupBy(operations, ({ scopes }) => scopes.join())
    const oneOfEach = [...openings.values()].flatMap((alike) => alike.slice(0, 1))

    for (const scope of ACCOUNT_SCOPES) {
      const account = await accounts.create(shop.store.hash, scope, [scope])
      const asked = [...new Set([...operations.filter(({ scopes }) => scopes.includes(scope)), ...oneOfEach])]
      expect(await statuses(asked, account), scope).toEqual(expected(asked, new Set([scope, ...DEFAULT_SCOPES])))
      await accounts.delete(shop.store.hash, account.client_id)
    }
    for (const [opening, alike] of openings) {
      const others = [...ACCOUNT_SCOPES].filter((scope) => !opening.split(',').includes(scope))
      const account = await accounts.create(shop.store.hash, 'all others', others)
      expect(await statuses(alike, account), opening).toEqual(expected(alike, new Set([...others, ...DEFAULT_SCOPES])))
      await accounts.delete(shop.store.hash, account.client_id)
    }
  })
})
