import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { ask, askBare, backendToken, enableCompanion, makeStaff, refused } from '../../../test/fixtures/companion.ts'
import { openShop, openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { changeStaff, deleteStaff } from '../staff/staff.ts'
import { setCompanion } from '../tokens/store.ts'

// docs/contract/b2b.md sections 1 to 3.

const COMPANIES = '/v3/io/companies'
const NO_TOKEN = 'The headers X-Auth-Token and X-Store-Hash are required.'
const BAD_TOKEN = 'The token of the header X-Auth-Token is not valid.'
const BAD_STAFF_TOKEN = 'The token of the header authToken is invalid or expired.'
const DISABLED = 'The business-to-business API is not enabled for this store.'

test('an unknown token is 401, a missing or different hash 500, a missing scope 403, a store without the API 403', async () => {
  const [here, there] = [await openStaffedShop(), await openShop()]
  const token = here.admin.access_token
  const get = (headers: Record<string, string>) => askBare('GET', COMPANIES, undefined, headers)
  const of = async (headers: Record<string, string>) => {
    const { status, body } = await get(headers)
    return [status, body]
  }
  expect(await of({})).toEqual([401, refused(401, NO_TOKEN, NO_TOKEN)])
  expect(await of({ 'x-store-hash': here.store.hash })).toEqual([401, refused(401, NO_TOKEN, NO_TOKEN)])
  expect(await of({ 'x-auth-token': 'x'.repeat(31) })).toEqual([401, refused(401, BAD_TOKEN, BAD_TOKEN)])
  expect(await of({ 'x-auth-token': 'x'.repeat(31), 'x-store-hash': 'nowhere' })).toMatchObject([401, {}])
  const missing = 'The header X-Store-Hash is required beside X-Auth-Token.'
  expect(await of({ 'x-auth-token': token })).toEqual([500, refused(500, 'Server Error', missing)])
  const different = 'The header X-Store-Hash does not name the store of the token.'
  for (const hash of [there.store.hash, 'nowhere', `${here.store.hash}, ${here.store.hash}`]) {
    const found = await of({ 'x-auth-token': token, 'x-store-hash': hash })
    expect(found).toEqual([500, refused(500, 'Server Error', different)])
  }
  const pair = { 'x-auth-token': here.noscope.access_token, 'x-store-hash': here.store.hash }
  const scope = "You don't have a required scope to access the endpoint"
  expect(await of(pair)).toEqual([403, refused(403, scope, scope)])
  const own = { 'x-auth-token': token, 'x-store-hash': here.store.hash }
  expect(await of(own)).toEqual([403, refused(403, DISABLED, DISABLED)])

  await enableCompanion(here)
  const opened = await get(own)
  expect(opened.status).toBe(200)
  expect(opened.body).toEqual({
    code: 200,
    data: [],
    meta: { message: 'SUCCESS', pagination: { totalCount: 0, limit: 10, offset: 0 } },
  })
  expect(opened.headers).toMatchObject({
    'x-request-id': expect.any(String),
    'x-requests-allocated': '2147483647 times/60 s',
    'x-requests-remaining': '2147483647 times',
    'x-requests-window-length': '60 s',
    'x-request-window-resets-after': '60.0 s',
  })
  await setCompanion(await dbOf(here), false)
  expect(await of(own)).toMatchObject([403, {}])
})

test('a backend token replaces the pair of headers, and X-Auth-Token wins over it', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const authtoken = await backendToken(shop)
  const get = async (headers: Record<string, string>) => (await askBare('GET', COMPANIES, undefined, headers)).status
  expect(await get({ authtoken })).toBe(200)
  // The store of the token counts, not that of the header.
  expect(await get({ authtoken, 'x-store-hash': other.store.hash })).toBe(200)
  expect(await get({ authtoken, 'x-auth-token': 'x'.repeat(31), 'x-store-hash': shop.store.hash })).toBe(401)
  expect(await get({ authtoken: 'x', 'x-auth-token': shop.admin.access_token, 'x-store-hash': shop.store.hash })).toBe(
    200,
  )
  const wrong = await askBare('GET', COMPANIES, undefined, { authtoken: 'x' })
  expect([wrong.status, wrong.body]).toEqual([401, refused(401, BAD_STAFF_TOKEN, BAD_STAFF_TOKEN)])
})

test('a store has 150 requests a minute from all callers; the 151st is 429 until the minute is over', async () => {
  const shop = await openShop({ plan: 'standard' })
  const { clock } = await theHouse()
  await enableCompanion(shop)
  const first = await ask(shop, 'GET', COMPANIES)
  expect(first.headers).toMatchObject({
    'x-requests-allocated': '150 times/60 s',
    'x-requests-remaining': '149 times',
    'x-request-window-resets-after': '60.0 s',
  })
  // The row that 148 more requests would leave.
  const db = await dbOf(shop)
  await db.transaction((tx) =>
    tx.rows(sql`update b2b_request_windows set used = 149 where store_id = ${tx.store.id} returning used`),
  )
  const last = await ask(shop, 'GET', COMPANIES)
  expect([last.status, last.headers['x-requests-remaining']]).toEqual([200, '0 times'])
  const refusal = await ask(shop, 'GET', COMPANIES)
  expect(refusal.status).toBe(429)
  expect(refusal.body).toEqual(refused(429, 'Too many requests', 'Too many requests'))
  expect(refusal.headers).toMatchObject({ 'x-requests-remaining': '0 times', 'x-retry-after': expect.any(String) })
  clock.move(60_000)
  expect((await ask(shop, 'GET', COMPANIES)).headers['x-requests-remaining']).toBe('149 times')
})

describe('refusals have the envelope', () => {
  let shop: Shop
  const open = async () => {
    shop ??= await openShop()
    await enableCompanion(shop)
    return shop
  }
  test.each([
    ['nothing at the path', ['GET', '/v3/io/nothing', undefined], 404, 'Not Found Error'],
    ['another method', ['POST', '/v3/io/companies/1', {}], 405, expect.stringContaining('POST is not supported')],
    ['an unknown company', ['GET', '/v3/io/companies/7', undefined], 404, 'Not Found Error'],
    ['a malformed company id', ['GET', '/v3/io/companies/abc', undefined], 400, 'Invalid companyId'],
    ['a company id with a fraction', ['PUT', '/v3/io/companies/1.5', { city: 'x' }], 400, 'Invalid companyId'],
    [
      'a status with an invalid company id',
      ['PUT', '/v3/io/companies/x/status', { companyStatus: 1 }],
      400,
      'Invalid companyId',
    ],
    ['a company id out of range', ['DELETE', '/v3/io/companies/99999999999999', undefined], 404, 'Not Found Error'],
    ['a malformed user id', ['GET', '/v3/io/users/abc', undefined], 404, 'Not Found Error'],
    ['a limit above 250', ['GET', '/v3/io/companies?limit=251', undefined], 413, 'Request Entity Too Large'],
    ['a limit of 0', ['GET', '/v3/io/companies?limit=0', undefined], 422, 'Parameter Error'],
    ['an offset below 0', ['GET', '/v3/io/users?offset=-1', undefined], 422, 'Parameter Error'],
    ['a limit that is not a number', ['GET', '/v3/io/users?limit=x', undefined], 422, 'Parameter Error'],
    ['a field of the wrong type', ['PUT', '/v3/io/companies/1', { city: 7 }], 422, 'Parameter Error'],
  ] satisfies [string, [string, string, unknown], number, unknown][])(
    '%s',
    async (_, [method, path, body], code, message) => {
      const found = await ask(await open(), method, path, body)
      expect(found.status).toBe(code)
      expect(found.body).toEqual(refused(code, message, expect.anything()))
      expect(found.headers['x-request-id']).toEqual(expect.any(String))
    },
  )

  test('broken JSON, a foreign type, an Accept without JSON, an unknown method', async () => {
    const here = await open()
    const json = { 'content-type': 'application/json' }
    const broken = await here.call('POST', COMPANIES, undefined, { payload: '{', headers: json, version: 'b2b' })
    expect(broken).toMatchObject({ status: 400, body: { code: 400, meta: { message: 'API logic error' } } })
    const xml = { 'content-type': 'text/xml' }
    const typed = await here.call('POST', COMPANIES, undefined, { payload: '<a/>', headers: xml, version: 'b2b' })
    expect(typed).toMatchObject({ status: 415, body: { code: 415 } })
    const accepted = await here.call('GET', COMPANIES, undefined, { headers: { accept: 'text/xml' }, version: 'b2b' })
    expect(accepted).toMatchObject({ status: 406, body: { code: 406 } })
    expect(await ask(here, 'PATCH', COMPANIES)).toMatchObject({ status: 501, body: { code: 501 } })
  })

  test('a store that its operator closed', async () => {
    const closed = await openShop()
    const authtoken = await backendToken(closed)
    const { directory } = (await theHouse()).installation
    await directory.setState(closed.store.hash, 'maintenance')
    expect(await askBare('GET', COMPANIES, undefined, { authtoken })).toMatchObject({
      status: 503,
      body: { code: 503, meta: { message: 'The store is down for maintenance.' } },
      headers: { 'retry-after': '60' },
    })
  })
})

test('mistakes have the names of fields; a snake_case twin counts if the field is absent; unknown names are ignored', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const query = await ask(shop, 'GET', '/v3/io/users?roles=1,3&companyId=x')
  const roles = { 1: ['roles must be at most 2, not 3.'] }
  expect(query.body).toEqual(
    refused(422, 'Parameter Error', { roles, companyId: ['companyId must be an integer, not "x"'] }),
  )
  const { body } = await ask(shop, 'POST', COMPANIES, { company_name: '', companyPhone: 7, adminEmail: 'nobody' })
  expect(body.detail).toContain('country is required. adminFirstName is required.')
  expect(body).toEqual(
    refused(422, 'Parameter Error', {
      companyEmail: ['This field is required'],
      country: ['This field is required'],
      adminFirstName: ['This field is required'],
      adminLastName: ['This field is required'],
      companyName: [expect.any(String)],
      companyPhone: ['companyPhone must be a text.'],
      adminEmail: [expect.any(String)],
    }),
  )
  const made = await ask(shop, 'POST', `${COMPANIES}?search=x`, {
    company_name: 'Twins',
    company_email: 'office@twins.example.com',
    company_phone: '1',
    country: 'Chile',
    admin_first_name: 'Eva',
    admin_last_name: 'Paz',
    adminEmail: 'eva@twins.example.com',
    admin_email: 'not this one',
  })
  expect(made.status).toBe(200)
  expect((await ask(shop, 'GET', `${COMPANIES}?name=none&q=TWI`)).body.data).toMatchObject([{ companyName: 'Twins' }])
})

test('pages of any origin may request tokens of shoppers, and nothing else', async () => {
  const preflight = { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' }
  for (const path of ['/io/auth/storefront', '/io/auth/customers', '/v3/io/auth/storefront']) {
    const { status, headers } = await askBare('OPTIONS', path, undefined, preflight)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authToken, Authorization, Content-Type, X-Store-Hash',
      'access-control-max-age': '1728000',
    })
    // A wildcard origin excludes cookies.
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const refusal = await askBare('GET', '/io/auth/storefront?jwtToken=x', undefined, { origin: 'null' })
  expect(refusal).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': '*' } })
  const { headers } = await askBare('OPTIONS', COMPANIES, undefined, preflight)
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('the token of a member fails when the member is deleted or loses the role', async () => {
  const shop = await openShop()
  const { email, password } = await makeStaff(shop)
  const { body } = await askBare('POST', '/io/auth/backend', { storeHash: shop.store.hash, email, password })
  const authtoken = body.data[0].token
  const status = async () => (await askBare('GET', COMPANIES, undefined, { authtoken })).status
  const db = await dbOf(shop)
  await changeStaff(db, email, { role: 'custom' })
  expect(await status()).toBe(401)
  await changeStaff(db, email, { role: 'administrator' })
  expect(await status()).toBe(200)
  await deleteStaff(db, email)
  expect(await status()).toBe(401)
})
