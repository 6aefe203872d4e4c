import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Algorithm, signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import type { CreatedAccount } from '../../../stores/accounts/accounts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askStorefront, CUSTOMER, makeToken, ORIGIN, type Question } from '../../../test/fixtures/storefront.ts'
import { readCurrentCustomer } from '../graphql/current-customer.ts'

let shop: Shop
let tokens: { storefront: string; private: string }
let app: CreatedAccount
const ask = (asked: Question) => askStorefront(shop, asked)
const host = () => `store-${shop.store.hash}.shop.test`

beforeAll(async () => {
  shop = await openShop()
  const people = ['ann', 'bo', 'cy'].map((name) => ({
    email: `${name}@example.com`,
    first_name: name,
    last_name: 'Lee',
    authentication: { new_password: 'correct horse 7', force_password_reset: name === 'cy' },
  }))
  expect((await shop.call('POST', '/customers', people)).status).toBe(200)
  tokens = { storefront: await makeToken(shop, 'storefront'), private: await makeToken(shop, 'private') }
  app = await (await theHouse()).installation.accounts.create(shop.store.hash, 'app', ['store_v2_customers_login'])
})

const login = (email: string, password: string) =>
  `mutation { login(email: "${email}", password: "${password}") { result customer { entityId } customerAccessToken { value } } }`

async function get(path: string, headers: Record<string, string> = {}, from = '127.0.0.1') {
  const { server } = await theHouse()
  return server.inject({ url: path, headers: { host: host(), ...headers }, remoteAddress: from })
}
const cookieOf = (headers: Record<string, unknown>) => String(headers['set-cookie']).split(';')[0] ?? ''

test("a browser logs in with a cookie that scripts can't read, and logs out", async () => {
  const inBrowser = { token: tokens.storefront, headers: { origin: ORIGIN } }
  const answer = await ask({ ...inBrowser, query: login('ann@example.com', 'correct horse 7') })
  expect(answer.body.data.login).toEqual({ result: 'success', customer: { entityId: 1 }, customerAccessToken: null })
  expect(answer.body.errors[0].message).toBe(
    'A customer access token is only returned to servers; a browser gets a cookie.',
  )
  expect(answer.headers['set-cookie']).toMatch(
    /^SHOP_TOKEN=[0-9a-f]{64}_\d{10}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
  )
  const cookie = cookieOf(answer.headers)
  const withCookie = { ...inBrowser, headers: { origin: ORIGIN, cookie: `a=b; ${cookie}` } }
  expect((await ask({ ...withCookie, query: CUSTOMER })).body.data.customer).toEqual({
    entityId: 1,
    email: 'ann@example.com',
    firstName: 'ann',
    lastName: 'Lee',
  })
  // Below the server's own address, each store has its own cookie.
  const below = await ask({
    ...inBrowser,
    host: 'shop.test',
    path: `/storefront/${shop.store.hash}/1`,
    query: login('ann@example.com', 'correct horse 7'),
  })
  expect(String(below.headers['set-cookie'])).toContain(`Path=/storefront/${shop.store.hash}; `)
  const out = await ask({ ...withCookie, query: 'mutation { logout { result } }' })
  expect(out.body).toEqual({ data: { logout: { result: 'success' } } })
  expect(out.headers['set-cookie']).toMatch(/^SHOP_TOKEN=; Path=\/; Max-Age=0;/)
  expect((await ask({ ...withCookie, query: CUSTOMER })).body.data.customer).toBeNull()
  expect((await ask({ ...inBrowser, query: 'mutation { logout { result } }' })).body.data.logout.result).toBe('success')
})

test('a wrong password and an unknown address have the same answer and a limit of attempts (C-099)', async () => {
  const secret = { token: tokens.private }
  for (const [email, password] of [
    ['ann@example.com', 'wrong'],
    ['nobody@example.com', 'correct horse 7'],
  ] as const) {
    const { status, body } = await ask({ ...secret, query: login(email, password) })
    expect([status, body.data]).toEqual([200, null])
    expect(body.errors).toEqual([
      { message: 'Invalid credentials', locations: [{ line: 1, column: 12 }], path: ['login'] },
    ])
  }
  expect((await ask({ ...secret, query: login('cy@example.com', 'correct horse 7') })).message).toBe('Reset password')
  for (let guess = 1; guess <= 10; guess++) {
    expect((await ask({ ...secret, query: login('bo@example.com', 'wrong') })).message).toBe('Invalid credentials')
  }
  expect((await ask({ ...secret, query: login('bo@example.com', 'correct horse 7') })).message).toBe(
    'Too many requests',
  )
  expect((await ask({ ...secret, query: login('ann@example.com', 'correct horse 7') })).body.data.login.result).toBe(
    'success',
  )
})

test("an application reads the current customer with its JWT, and other clients can't", async () => {
  const inBrowser = { token: tokens.storefront, headers: { origin: ORIGIN } }
  const cookie = cookieOf((await ask({ ...inBrowser, query: login('ann@example.com', 'correct horse 7') })).headers)
  const { clock } = await theHouse()
  for (const name of ['app_client_id', 'app-client-id']) {
    const answer = await get(`/customer/current.jwt?${name}=${app.client_id}`, { cookie })
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'no-store',
    ])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const seen = { storeHash: shop.store.hash, clientId: app.client_id, secrets: [app.client_secret], now: clock.now() }
    expect(await readCurrentCustomer(answer.body, seen)).toEqual({ id: 1, email: 'ann@example.com', group_id: '0' })
  }
  const right = `/customer/current.jwt?app_client_id=${app.client_id}`
  const second = await openShop()
  const refused: [string, Record<string, string>][] = [
    [right, {}],
    [right, { cookie: 'SHOP_TOKEN=x' }],
    [right, { cookie, host: `store-${second.store.hash}.shop.test` }],
    ['/customer/current.jwt', { cookie }],
    ['/customer/current.jwt?app_client_id=nobody', { cookie }],
    [`/customer/current.jwt?app_client_id=${second.admin.client_id}`, { cookie }],
    [`${right}&app_client_id=again`, { cookie }],
  ]
  for (const [path, headers] of refused) {
    const answer = await get(path, headers)
    expect([answer.statusCode, answer.json().errors], path).toEqual([
      404,
      [{ message: 'No customer is logged in, or the client is unknown.' }],
    ])
  }
})

async function loginJwt(
  changes: object = {},
  { by = app, alg = 'HS256' }: { by?: Pick<CreatedAccount, 'client_id' | 'client_secret'>; alg?: Algorithm } = {},
) {
  const { clock } = await theHouse()
  const claims = {
    iss: by.client_id,
    iat: unixSeconds(clock.now()),
    jti: randomUUID(),
    operation: 'customer_login',
    store_hash: shop.store.hash,
    customer_id: 1,
  }
  return signJwt({ ...claims, ...changes }, by.client_secret, { alg })
}

test('the JWT of an application logs a customer in once', async () => {
  const jwt = await loginJwt({ redirect_to: '/cart.php?a=b', request_ip: '10.0.0.7', channel_id: 1 })
  const answer = await get(`/login/token/${jwt}`, {}, '10.0.0.7')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/cart.php?a=b'])
  const cookie = cookieOf(answer.headers)
  expect((await get(`/customer/current.jwt?app_client_id=${app.client_id}`, { cookie })).statusCode).toBe(200)
  expect((await get(`/login/token/${jwt}`, {}, '10.0.0.7')).headers.location).toBe('/login.php')
  const below = `/storefront/${shop.store.hash}`
  const bare = await get(`${below}/login/token/${await loginJwt({}, { alg: 'HS512' })}`, { host: 'shop.test' })
  expect(bare.headers.location).toBe(`${below}/account.php`)
  const out = await get(`/login/token/${await loginJwt({ redirect_to: '/login.php?action=logout' })}`)
  expect(out.headers.location).toBe('/login.php?action=logout')
  expect((await get(`/customer/current.jwt?app_client_id=${app.client_id}`, { cookie })).statusCode).toBe(404)

  const query =
    'mutation L($jwt: String!) { loginWithCustomerLoginJwt(jwt: $jwt) { redirectTo customer { entityId } customerAccessToken { value } } }'
  const once = await loginJwt({ redirect_to: '/a' })
  const asked = { token: tokens.private, query, variables: { jwt: once } }
  const { data } = (await ask(asked)).body
  expect(data.loginWithCustomerLoginJwt).toMatchObject({ redirectTo: '/a', customer: { entityId: 1 } })
  const { value } = data.loginWithCustomerLoginJwt.customerAccessToken
  expect(
    (await ask({ token: tokens.private, query: CUSTOMER, headers: { 'x-svc-customer-access-token': value } })).body.data
      .customer.entityId,
  ).toBe(1)
  expect((await ask(asked)).message).toBe('The login JWT was used before.')
})

test("an account that is excluded from a channel can't log in by JWT, and loses its session", async () => {
  const person = { email: 'dee@example.com', first_name: 'dee', last_name: 'Lee' }
  const [{ id }] = (await shop.call('POST', '/customers', [person])).body.data
  const { id: elsewhere } = (
    await shop.call('POST', '/channels', { name: 'Elsewhere', type: 'storefront', platform: 'custom' })
  ).body.data
  const arrive = async () => get(`/login/token/${await loginJwt({ customer_id: id })}`)
  const cookie = cookieOf((await arrive()).headers)
  const known = async () => (await get(`/customer/current.jwt?app_client_id=${app.client_id}`, { cookie })).statusCode
  expect(await known()).toBe(200)
  await shop.call('PUT', '/customers', [{ id, channel_ids: [elsewhere] }])
  expect(await known()).toBe(404)
  expect((await arrive()).headers.location).toBe('/login.php')
  await shop.call('PUT', '/customers', [{ id, channel_ids: null }])
  await shop.call('PUT', '/customers/settings/channels/1', { allow_global_logins: false })
  expect((await arrive()).headers.location).toBe('/login.php')
  await shop.call('PUT', '/customers/settings/channels/1', { allow_global_logins: true })
  expect((await arrive()).headers.location).toBe('/account.php')
})

test('an invalid JWT leads to the login page without a reason', async () => {
  const { clock, installation } = await theHouse()
  const now = unixSeconds(clock.now())
  const other = await openShop()
  const unable = await installation.accounts.create(shop.store.hash, 'unable', ['store_v2_customers'])
  const parts = (await loginJwt()).split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const refused: [string, string | Promise<string>][] = [
    ['no JWT', 'x'],
    ['unsigned', `${parts[0]}.${parts[1]}.`],
    ['algorithm none', `${none}.${parts[1]}.`],
    ['an unknown client', loginJwt({}, { by: { client_id: 'nobody', client_secret: 's' } })],
    ['a client of another store', loginJwt({}, { by: other.admin })],
    [
      'the secret of another client',
      loginJwt({}, { by: { client_id: app.client_id, client_secret: unable.client_secret } }),
    ],
    ['a client without the scope', loginJwt({}, { by: unable })],
    ['too old', loginJwt({ iat: now - 40 })],
    ['too early', loginJwt({ iat: now + 60 })],
    ['another operation', loginJwt({ operation: 'current_customer' })],
    ['another store', loginJwt({ store_hash: other.store.hash })],
    ['another channel', loginJwt({ channel_id: 2 })],
    ['an unknown customer', loginJwt({ customer_id: 99 })],
    ['a customer as a text', loginJwt({ customer_id: '1' })],
    ['another address', loginJwt({ request_ip: '10.0.0.8' })],
    ['no jti', loginJwt({ jti: undefined })],
    ...['https://evil.test', '//evil.test', '/\\evil.test', '/a\\b', 'account.php', '/a\nb', '/a b', ''].map(
      (redirect_to): [string, Promise<string>] => [redirect_to, loginJwt({ redirect_to })],
    ),
  ]
  for (const [name, jwt] of refused) {
    const answer = await get(`/login/token/${encodeURIComponent(await jwt)}`)
    expect([answer.statusCode, answer.headers.location], name).toEqual([302, '/login.php'])
    expect(answer.headers['set-cookie'], name).toBe(
      `login_message=${encodeURIComponent('We could not log you in. Please try again.')}; Path=/; Max-Age=60; SameSite=Lax`,
    )
  }
  // A JWT with a valid signature is spent even if it is refused for another reason.
  const jti = randomUUID()
  await get(`/login/token/${await loginJwt({ jti, customer_id: 99 })}`)
  expect((await get(`/login/token/${await loginJwt({ jti })}`)).headers.location).toBe('/login.php')
  const db = await installation.directory.dbById(shop.store.id)
  const spent = async () =>
    (
      await db?.rows({
        name: '',
        text: 'select client_id from spent_login_tokens where store_id = $1',
        values: [shop.store.id],
      })
    )?.length ?? 0
  const before = await spent()
  clock.move(601_000)
  await get(`/login/token/${await loginJwt()}`)
  expect(await spent()).toBeLessThan(before)
})
