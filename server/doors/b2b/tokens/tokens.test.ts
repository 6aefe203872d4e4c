import { createHmac, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { signJwt } from '../../../core/secrets/jwt.ts'
import {
  ask,
  askBare,
  backendToken,
  enableCompanion,
  makeCompany,
  makeStaff,
  refused,
} from '../../../test/fixtures/companion.ts'
import { type Answered, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { signCurrentCustomer } from '../../storefront/graphql/current-customer.ts'
import { openSession } from '../../storefront/sessions/sessions.ts'
import { changeStaff } from '../staff/staff.ts'
import { setCompanion } from './store.ts'

// docs/contract/b2b.md sections 4 and 5.

const PASSWORD = 'correct horse 7'
const FALSE = 'The credentials are not correct.'
const DISABLED = 'The business-to-business API is not enabled for this store.'
const BAD_JWT = 'The credentials are missing or invalid: a current-customer JWT is needed.'
const BAD_STAFF_TOKEN = 'The token of the header authToken is invalid or expired.'
const BACKEND = '/v3/io/auth/backend'

const seconds = async () => Math.floor((await theHouse()).clock.now().getTime() / 1_000)
const secrets = async () => (await theHouse()).installation.secrets
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** A shop with a plain customer and the admin of a company, both with passwords. */
async function openBuyers() {
  const shop = await openShop()
  await enableCompanion(shop)
  const plain = { email: 'plain@example.com', first_name: 'P', last_name: 'L' }
  await shop.call('POST', '/customers', [{ ...plain, authentication: { new_password: PASSWORD } }])
  const { companyId, customerId } = await makeCompany(shop, 'Acme')
  await shop.call('PUT', '/customers', [{ id: customerId, authentication: { new_password: PASSWORD } }])
  return { shop, companyId, customerId, email: 'ann@acme.example.com' }
}
type Buyers = Awaited<ReturnType<typeof openBuyers>>

describe('a backend token', () => {
  test('is created with credentials of staff, listed completely, and deleted: then it fails at once', async () => {
    const [shop, other] = [await openShop(), await openShop()]
    await enableCompanion(other)
    const { email, password } = await makeStaff(shop)
    const end = (await seconds()) + 3_600
    const body = {
      storeHash: shop.store.hash,
      email: email.toUpperCase(),
      password,
      channelId: 1,
      name: 'ci',
      endAt: end,
    }
    const made = await askBare('POST', BACKEND, body, { 'idempotency-key': 'same' })
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      code: 200,
      data: [{ name: 'ci', token: expect.any(String) }],
      meta: { message: 'SUCCESS' },
    })
    const authtoken = made.body.data[0].token
    expect(claimsOf(authtoken)).toEqual({
      email,
      store_hash: shop.store.hash,
      db: 'default',
      is_backend_user: true,
      name: 'ci',
      exp: end,
      jti: expect.any(String),
    })
    // Both prefixes reach it; an empty name is allowed.
    const { name: _, endAt: _e, ...short } = body
    const second = await askBare('POST', '/io/auth/backend', short)
    expect(second.body.data[0].name).toBe('backend token')
    const list = await askBare('GET', '/v3/io/backend/tokens?limit=1', undefined, { authtoken })
    expect(list.body).toEqual({
      code: 200,
      data: [{ id: 1, name: 'ci', email, storeHash: shop.store.hash, token: authtoken, eventChannel: 'api' }],
      meta: { message: 'SUCCESS', pagination: { totalCount: 2, limit: 1, offset: 0 } },
    })
    expect((await ask(other, 'GET', '/io/backend/tokens')).body.data).toEqual([])

    for (const wrong of [{ id: 9 }, { id: 1, name: 'other' }, { id: 1, email: 'x@example.com' }]) {
      const refusal = await askBare('DELETE', BACKEND, wrong, { authtoken })
      expect(refusal.body).toEqual(refused(404, 'Not Found Error', 'There is no matching token.'))
    }
    expect((await ask(other, 'DELETE', '/io/auth/backend', { id: 1 })).status).toBe(404)
    const gone = await askBare('DELETE', BACKEND, { id: 1, email, name: 'ci' }, { authtoken })
    expect([gone.status, gone.body]).toEqual([200, { code: 200, data: [], meta: { message: 'SUCCESS' } }])
    const { status } = await askBare('GET', '/io/backend/tokens', undefined, { authtoken })
    expect(status).toBe(401)
    expect((await ask(shop, 'GET', '/io/backend/tokens')).body.data).toMatchObject([{ id: 2 }])
  })

  test('is invalid before beginAt and from endAt on, and then not listed', async () => {
    const shop = await openShop()
    const { clock } = await theHouse()
    const now = await seconds()
    const authtoken = await backendToken(shop, false, { beginAt: now + 100, endAt: now + 200 })
    const status = async () => (await askBare('GET', '/io/backend/tokens', undefined, { authtoken })).status
    expect(await status()).toBe(401)
    clock.move((now + 101) * 1_000 - clock.now().getTime())
    expect(await status()).toBe(200)
    clock.move((now + 200) * 1_000 - clock.now().getTime())
    expect(await status()).toBe(401)
    expect((await ask(shop, 'GET', '/io/backend/tokens')).body.data).toEqual([])
  })

  test.each([
    ['a wrong password', { password: 'wrong 1' }, [400, 'API logic error', FALSE]],
    ['an unknown address', { email: 'nobody@example.com' }, [400, 'API logic error', FALSE]],
    ['an unknown store', { storeHash: 'nowhere' }, [400, 'API logic error', FALSE]],
    ['no password', { password: undefined }, [422, 'Parameter Error', { password: ['This field is required'] }]],
    [
      'an unknown channel',
      { channelId: 7 },
      [422, 'Parameter Error', { channelId: ['The channel 7 does not exist.'] }],
    ],
    ['a past endAt', { endAt: 1_000 }, [422, 'Parameter Error', { endAt: ['endAt must be in the future.'] }]],
    [
      'a beginAt at endAt',
      { beginAt: 9_000_000_000, endAt: 9_000_000_000 },
      [422, 'Parameter Error', { beginAt: ['beginAt must be before endAt.'] }],
    ],
  ] satisfies [string, object, Parameters<typeof refused>][])(
    'is refused for %s',
    async (_, wrong, [code, message, errors]) => {
      const shop = await openShop()
      const { email, password } = await makeStaff(shop)
      const { status, body } = await askBare('POST', BACKEND, { storeHash: shop.store.hash, email, password, ...wrong })
      expect(status).toBe(code)
      expect(body).toEqual(refused(code, message, errors))
    },
  )

  test('is refused to custom roles, and in a store without the API', async () => {
    const shop = await openShop()
    const { email, password } = await makeStaff(shop, 'custom')
    const post = async () => (await askBare('POST', BACKEND, { storeHash: shop.store.hash, email, password })).body
    expect(await post()).toEqual(refused(400, 'API logic error', 'role forbidden'))
    await changeStaff(await dbOf(shop), email, { role: 'owner' })
    await setCompanion(await dbOf(shop), false)
    expect(await post()).toEqual(refused(403, DISABLED, DISABLED))
  })

  test('ten wrong passwords bar their address, even with the right one, and no other address (C-099)', async () => {
    const shop = await openShop()
    const [one, other] = [await makeStaff(shop), await makeStaff(shop)]
    const post = async ({ email }: { email: string }, password: string) =>
      (await askBare('POST', BACKEND, { storeHash: shop.store.hash, email, password })).status
    const guesses = await Promise.all(Array.from({ length: 11 }, () => post(one, 'wrong 1')))
    expect(guesses.filter((status) => status === 400)).toHaveLength(10)
    expect(await post(one, one.password)).toBe(429)
    expect(await post(other, other.password)).toBe(200)
  })
})

describe('an authToken of a shopper', () => {
  let buyers: Buyers
  beforeAll(async () => {
    buyers = await openBuyers()
  })
  const jwtFor = async (customer: number, more: object = {}) => {
    const { clientId, clientSecret } = (await secrets()).companionApplication
    const { shop, email } = buyers
    return signCurrentCustomer(
      { id: customer, email, group_id: '0' },
      { storeHash: shop.store.hash, clientId, secret: clientSecret, now: (await theHouse()).clock.now(), ...more },
    )
  }
  const exchange = async (jwt: string, query = '', headers: Record<string, string> = {}) =>
    askBare('GET', `/io/auth/storefront?jwtToken=${jwt}${query}`, undefined, headers)

  test('is issued for a current-customer JWT: the last one, until a minute before its end', async () => {
    const { shop, customerId, email } = buyers
    const { clock } = await theHouse()
    const jwt = await jwtFor(customerId)
    const first = await exchange(jwt, '', { 'x-store-hash': shop.store.hash })
    expect(first.body).toEqual({ code: 200, data: { token: expect.any(String) }, meta: { message: 'SUCCESS' } })
    const claims = claimsOf(first.body.data.token)
    expect(claims).toEqual({
      email,
      bc_customer_id: customerId,
      store_hash: shop.store.hash,
      db: 'default',
      bc_channel_id: 1,
      exp: expect.any(Number),
      jti: expect.any(String),
    })
    expect(claims.exp - (await seconds())).toBeGreaterThanOrEqual(86_399)
    expect((await exchange(jwt)).body).toEqual(first.body)
    const old = await askBare('POST', '/v2/login', { bcToken: jwt, storeHash: shop.store.hash, customerId })
    expect(old.body).toEqual({ ...first.body, message: 'SUCCESS' })
    clock.move(86_400_000 - 90_000)
    expect((await exchange(await jwtFor(customerId))).body).toEqual(first.body)
    clock.move(31_000)
    expect((await exchange(await jwtFor(customerId))).body.data.token).not.toBe(first.body.data.token)
  })

  test('is issued for credentials, with a chosen name and times, also to plain customers', async () => {
    const { shop, email, customerId } = buyers
    const now = await seconds()
    const body = {
      storeHash: shop.store.hash,
      email,
      password: PASSWORD,
      channelId: 1,
      name: 'shop',
      endAt: now + 30 * 86_400,
    }
    const made = await askBare('POST', '/io/auth/customers', { ...body, beginAt: now + 5 })
    expect(made.body).toEqual({
      code: 200,
      data: { name: 'shop', token: expect.any(String) },
      meta: { message: 'SUCCESS' },
    })
    expect(claimsOf(made.body.data.token)).toMatchObject({
      bc_customer_id: customerId,
      name: 'shop',
      channel_ids: [1],
      token_type: 'storefront',
      nbf: now + 5,
      exp: now + 30 * 86_400,
    })
    const plain = { storeHash: shop.store.hash, email: 'plain@example.com', password: PASSWORD }
    expect((await askBare('POST', '/v3/io/auth/customers', plain)).body.data.name).toBe('storefront token')
  })

  test('is issued to users of companies that are not approved; their orders are refused later', async () => {
    const { shop, companyId, email } = await openBuyers()
    for (const companyStatus of [0, 2, 3]) {
      await ask(shop, 'PUT', `/v3/io/companies/${companyId}/status`, { companyStatus })
      const credentials = { storeHash: shop.store.hash, email, password: PASSWORD }
      expect((await askBare('POST', '/io/auth/customers', credentials)).status).toBe(200)
    }
  })

  test('is issued to a server for a customer, and ends with the customer access token', async () => {
    const { shop, customerId } = buyers
    const post = (body: object) => ask(shop, 'POST', '/io/auth/customers/storefront', body)
    const made = await post({ customerId, channelId: '1' })
    expect(made.body).toEqual({ code: 200, data: { token: [expect.any(String)] }, meta: { message: 'SUCCESS' } })
    const db = await dbOf(shop)
    const session = { customer: customerId, channel: 1, kind: 'token' as const }
    const { value, expiresAt } = await db.transaction(async (tx) => openSession(tx, await secrets(), session))
    for (const name of ['expiresAt', 'expires_at']) {
      const linked = await post({ customerId, customerAccessToken: { value, [name]: expiresAt.toISOString() } })
      expect(claimsOf(linked.body.data.token[0]).exp).toBeLessThanOrEqual(expiresAt.getTime() / 1_000)
    }
    const bad = 'The customer access token is not valid for this customer.'
    for (const wrong of [
      { customerId: 1, customerAccessToken: { value } },
      { customerId, customerAccessToken: { value: `${value}1` } },
      { customerId, customerAccessToken: { value: 'x' } },
    ]) {
      expect((await post(wrong)).body).toEqual(refused(401, bad, bad))
    }
    expect((await post({ customerId: 99 })).body).toEqual(
      refused(404, 'Not Found Error', 'The customer 99 does not exist.'),
    )
    const fields = { customerId: ['This field is required'] }
    expect((await post({ channelId: 1 })).body).toEqual(refused(422, 'Parameter Error', fields))
    const channel = { channelId: ['The channel 7 does not exist.'] }
    expect((await post({ customerId, channelId: 7 })).body).toEqual(refused(422, 'Parameter Error', channel))
  })

  test('is ended by its bearer, by the deletion of the user, and by twenty newer ones', async () => {
    const { shop, customerId } = await openBuyers()
    const rows = async () =>
      (await dbOf(shop)).rows(sql`select jti from b2b_storefront_tokens where store_id = ${shop.store.id}`)
    const make = async () =>
      (await ask(shop, 'POST', '/io/auth/customers/storefront', { customerId })).body.data.token[0]
    const token = await make()
    expect(await rows()).toHaveLength(1)
    const nothing = { code: 200, data: [], meta: { message: 'SUCCESS' } }
    for (const id of ['x', `${token}x`, 'a.b.c']) {
      expect((await askBare('DELETE', '/io/auth/customers/storefront', { id })).body).toEqual(nothing)
    }
    expect(await rows()).toHaveLength(1)
    const gone = await askBare('DELETE', '/io/auth/customers/storefront', { id: token, name: 'x', email: 'y' })
    expect(gone.body).toEqual(nothing)
    expect(await rows()).toHaveLength(0)
    for (let i = 0; i < 21; i++) await make()
    expect(await rows()).toHaveLength(20)
    await ask(shop, 'DELETE', '/v3/io/companies/1')
    expect(await rows()).toHaveLength(0)
  })

  describe('is refused', () => {
    test.each([
      ['a wrong password', { password: 'wrong 1' }, 400, FALSE],
      ['an unknown address', { email: 'nobody@example.com' }, 400, FALSE],
      ['an unknown store', { storeHash: 'nowhere' }, 400, FALSE],
      ['an unknown channel', { channelId: 7 }, 400, FALSE],
      ['a past endAt', { endAt: 1_000 }, 422, { endAt: ['endAt must be in the future.'] }],
      ['an endAt after 30 days', { endAt: 9_000_000_000 }, 422, { endAt: ['endAt must be within 30 days.'] }],
      ['a beginAt after the end', { beginAt: 9_000_000_000 }, 422, { beginAt: ['beginAt must be before endAt.'] }],
      ['no store', { storeHash: undefined }, 422, { storeHash: ['This field is required'] }],
    ])('for %s', async (_, wrong, code, errors) => {
      const { shop, email } = buyers
      const { status, body } = await askBare('POST', '/io/auth/customers', {
        storeHash: shop.store.hash,
        email,
        password: PASSWORD,
        ...wrong,
      })
      expect(status).toBe(code)
      expect(body.data.errMsg).toEqual(errors)
    })

    test('at a channel that the user may not use, and in a store without the API', async () => {
      const { shop, email, customerId } = await openBuyers()
      const storefront = { name: 'Other', type: 'storefront', platform: 'custom' }
      const { id: channelId } = (await shop.call('POST', '/channels', storefront)).body.data
      await shop.call('PUT', '/customers', [{ id: customerId, channel_ids: [1, channelId] }])
      const credentials = { storeHash: shop.store.hash, email, password: PASSWORD }
      const elsewhere = await askBare('POST', '/io/auth/customers', { ...credentials, channelId })
      expect(elsewhere.body.data.errMsg).toBe(`The user may not sign in at the channel ${channelId}.`)
      expect(elsewhere.status).toBe(400)
      await setCompanion(await dbOf(shop), false)
      const { body } = await askBare('POST', '/io/auth/customers', credentials)
      expect(body).toEqual(refused(403, DISABLED, DISABLED))
    })

    test('after ten wrong passwords, like every sign-in of the customer', async () => {
      const { shop, email } = await openBuyers()
      const post = (password: string) =>
        askBare('POST', '/io/auth/customers', { storeHash: shop.store.hash, email, password })
      const guesses = await Promise.all(Array.from({ length: 11 }, () => post('wrong 1')))
      expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
      const barred = await post(PASSWORD)
      expect(barred).toMatchObject({ status: 429, headers: { 'x-retry-after': expect.any(String) } })
      const beside = await shop.call('POST', '/customers/validate-credentials', { email, password: PASSWORD })
      expect(beside.status).toBe(429)
    })

    test('for a JWT beside another store, another customer or an unknown channel', async () => {
      const { shop, customerId } = buyers
      const other = await openShop()
      await enableCompanion(other)
      const jwt = await jwtFor(customerId)
      const elsewhere = await exchange(jwt, '', { 'x-store-hash': other.store.hash })
      expect(elsewhere.body).toEqual(refused(401, BAD_JWT, BAD_JWT))
      for (const wrong of [{ storeHash: other.store.hash }, { customerId: 1 }]) {
        expect((await askBare('POST', '/v2/login', { bcToken: jwt, ...wrong })).body).toEqual(
          refused(401, BAD_JWT, BAD_JWT),
        )
      }
      const channel = await exchange(jwt, '&channelId=7')
      expect(channel.body).toEqual(refused(422, 'Parameter Error', { channelId: ['The channel 7 does not exist.'] }))
      expect((await askBare('GET', '/io/auth/storefront')).status).toBe(422)
      expect((await askBare('POST', '/v2/login', {})).body.data.errMsg).toEqual({
        bcToken: ['This field is required'],
      })
      expect((await exchange(await jwtFor(99))).status).toBe(401)
      expect(shop.store.hash).not.toBe(other.store.hash)
    })
  })
})

describe('forged, confused and expired tokens are refused, independent of the keys that they name (C-101)', () => {
  let shop: Shop
  let other: Shop
  let buyers: Buyers
  let good: Record<string, unknown>
  let keys: { here: string; there: string; application: string }
  let now: number
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = pair.privateKey.export({ format: 'jwk' })
  const publicPem = String(pair.publicKey.export({ format: 'pem', type: 'spki' }))

  beforeAll(async () => {
    buyers = await openBuyers()
    shop = buyers.shop
    other = await openShop()
    await enableCompanion(other)
    const { companionKey, companionApplication } = await secrets()
    keys = {
      here: companionKey(shop.store.hash),
      there: companionKey(other.store.hash),
      application: companionApplication.clientSecret,
    }
    now = await seconds()
    good = claimsOf(await backendToken(shop))
  })

  /** Makes a token with any header by hand, since no library would make it. */
  const forge = (header: object, claims: object, sign: (text: string) => string) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${sign(text)}`
  }
  const hmac = (hash: string, key: string) => (text: string) => createHmac(hash, key).update(text).digest('base64url')
  const hs256 = (claims: object, key: string, header: object = {}) =>
    forge({ typ: 'JWT', alg: 'HS256', ...header }, claims, hmac('sha256', key))
  const symmetric = (key: string) => ({ kty: 'oct', k: Buffer.from(key).toString('base64url') })
  const without = (claims: object, name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

  /** Ways to forge a token of any kind. @param key the right key */
  const forgeries: Readonly<
    Record<string, (claims: Record<string, unknown>, key: string) => string | Promise<string>>
  > = {
    nothing: () => '',
    'no token': () => 'x',
    'two parts': (claims, key) => hs256(claims, key).split('.').slice(0, 2).join('.'),
    'four parts': (claims, key) => `${hs256(claims, key)}.x`,
    'an empty signature': (claims, key) => hs256(claims, key).replace(/[^.]*$/, ''),
    'a cut signature': (claims, key) => hs256(claims, key).slice(0, -4),
    'a signature with padding': (claims, key) => `${hs256(claims, key)}=`,
    'claims that are no JSON': (_, key) => {
      const text = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{').toString('base64url')}`
      return `${text}.${hmac('sha256', key)(text)}`
    },
    'claims that are a list': (_, key) => hs256([], key),
    'algorithm none': (claims) => forge({ alg: 'none', typ: 'JWT' }, claims, () => ''),
    'algorithm None': (claims) => forge({ alg: 'None' }, claims, () => ''),
    'algorithm NONE with a signature': (claims, key) => forge({ alg: 'NONE' }, claims, hmac('sha256', key)),
    'no algorithm': (claims, key) => forge({ typ: 'JWT' }, claims, hmac('sha256', key)),
    'algorithm hs256': (claims, key) => hs256(claims, key, { alg: 'hs256' }),
    HS384: (claims, key) => forge({ alg: 'HS384' }, claims, hmac('sha384', key)),
    HS512: (claims, key) => forge({ alg: 'HS512' }, claims, hmac('sha512', key)),
    'HS256 declared as RS256': (claims, key) => hs256(claims, key, { alg: 'RS256' }),
    'an elliptic key of its own': (claims) => signJwt(claims, jwk, { alg: 'ES256' }),
    'a public key as a secret': (claims) => hs256(claims, publicPem),
    'a key that it carries': (claims) => hs256(claims, 'mine', { jwk: symmetric('mine') }),
    'a key at an address': (claims) => hs256(claims, 'mine', { jku: 'https://evil.example.com/keys', kid: '1' }),
    'a key of a certificate': (claims) => hs256(claims, 'mine', { x5c: ['bWluZQ=='], x5u: 'https://evil.example.com' }),
    'a kid that is a path': (claims) => hs256(claims, '', { kid: '../../dev/null' }),
    'a critical header': (claims, key) => hs256(claims, key, { crit: ['exp'], exp: 1 }),
    'an empty key': (claims) => hs256(claims, ''),
    'the hash of the store as the key': (claims) => hs256(claims, shop.store.hash),
    'the key of another store': (claims) => hs256(claims, keys.there),
    'claims changed behind the signature': (claims, key) => {
      const [head, , signature] = hs256(claims, key).split('.')
      return [head, Buffer.from(JSON.stringify({ ...claims, name: 'x' })).toString('base64url'), signature].join('.')
    },
    'the store of somebody else': (claims, key) => hs256({ ...claims, store_hash: other.store.hash }, key),
    'a store that is none': (claims, key) => hs256({ ...claims, store_hash: 'nowhere' }, key),
    'a store that is SQL': (claims, key) => hs256({ ...claims, store_hash: "' or true --" }, key),
    'no store': (claims, key) => hs256(without(claims, 'store_hash'), key),
    'very long claims': (claims, key) => hs256({ ...claims, more: 'x'.repeat(8_000) }, key),
  }

  const asBackend = (authtoken: string): Promise<Answered> =>
    askBare('GET', '/v3/io/companies', undefined, { authtoken })
  const asJwt = (jwtToken: string): Promise<Answered> => askBare('POST', '/v2/login', { bcToken: jwtToken || ' ' })

  test.each(Object.entries(forgeries))('as a backend token: %s', async (_, make) => {
    const { status, body } = await asBackend(await make(good, keys.here))
    expect(body).toEqual(refused(401, BAD_STAFF_TOKEN, BAD_STAFF_TOKEN))
    expect(status).toBe(401)
  })

  test.each([
    ['no name of its own', (claims: object) => hs256(without(claims, 'jti'), keys.here)],
    ['the name of no token', (claims: object) => hs256({ ...claims, jti: 'x' }, keys.here)],
    ['a time that is a text', (claims: object) => hs256({ ...claims, exp: '9' }, keys.here)],
    ['an end that is now', (claims: object) => hs256({ ...claims, exp: now }, keys.here)],
    ['a beginning to come', (claims: object) => hs256({ ...claims, nbf: now + 3_600 }, keys.here)],
    ['the mark of a shopper', (claims: object) => hs256({ ...claims, is_backend_user: false }, keys.here)],
    ['the secret of the application', (claims: object) => hs256(claims, keys.application)],
    ['a token of a shopper', async () => (await shopperToken()).token],
    ['a current-customer JWT', () => hs256(currentCustomer(), keys.application)],
    ['the token of an account', () => shop.admin.access_token],
  ])('as a backend token: %s', async (_, make) => {
    expect((await asBackend(await make(good))).body).toEqual(refused(401, BAD_STAFF_TOKEN, BAD_STAFF_TOKEN))
  })

  test('the valid backend token opens its store', async () => {
    expect((await asBackend(hs256(good, keys.here))).status).toBe(200)
  })

  const shopperToken = async () => {
    const { body } = await ask(shop, 'POST', '/io/auth/customers/storefront', { customerId: buyers.customerId })
    return { token: String(body.data.token[0]) }
  }
  /** The claims of a valid JWT. */
  const currentCustomer = () => ({
    customer: { id: buyers.customerId, email: buyers.email, group_id: '0' },
    iss: 'bc/apps',
    sub: shop.store.hash,
    iat: now,
    exp: now + 900,
    version: 1,
    aud: clientId,
    application_id: clientId,
    store_hash: shop.store.hash,
    operation: 'current_customer',
  })
  let clientId: string
  beforeAll(async () => {
    clientId = (await secrets()).companionApplication.clientId
  })

  const { nothing: _n, 'very long claims': _v, ...everyKind } = forgeries
  test.each(Object.entries(everyKind))('as a current-customer JWT: %s', async (_, make) => {
    const { status, body } = await asJwt(await make(currentCustomer(), keys.application))
    expect(body).toEqual(refused(401, BAD_JWT, BAD_JWT))
    expect(status).toBe(401)
  })

  test.each([
    ['one that has ended', { iat: 1_000, exp: 1_900 }],
    ['one that has ended half a minute ago', () => ({ exp: now - 30 })],
    ['one from the future', () => ({ iat: now + 60, exp: now + 960 })],
    ['one without an end', { exp: undefined }],
    ['one of another issuer', { iss: 'bc' }],
    ['one for another application', { aud: 'other' }],
    ['one of another operation', { operation: 'customer_login' }],
    ['one of a customer who is not there', { customer: { id: 99, email: 'x@example.com', group_id: '0' } }],
    ['one whose customer is a text', { customer: { id: '1', email: 'x@example.com', group_id: '0' } }],
    ['one without a customer', { customer: undefined }],
  ])('as a current-customer JWT: %s', async (_, wrong) => {
    const claims = { ...currentCustomer(), ...(typeof wrong === 'function' ? wrong() : wrong) }
    expect((await asJwt(hs256(claims, keys.application))).body).toEqual(refused(401, BAD_JWT, BAD_JWT))
  })

  test.each([
    ['a token of a shopper', async () => (await shopperToken()).token],
    ['a backend token', () => hs256(good, keys.here)],
    ['one that the key of the store has signed', () => hs256(currentCustomer(), keys.here)],
    ['one that an account of the store has signed', () => hs256(currentCustomer(), shop.admin.client_secret)],
  ])('as a current-customer JWT: %s', async (_, make) => {
    expect((await asJwt(await make())).body).toEqual(refused(401, BAD_JWT, BAD_JWT))
  })

  test('the valid current-customer JWT is accepted, up to half a minute after its end', async () => {
    expect((await asJwt(hs256(currentCustomer(), keys.application))).status).toBe(200)
    // Relative to the present time: on a busy machine the file may have started half a minute ago.
    const late = hs256({ ...currentCustomer(), exp: (await seconds()) - 10 }, keys.application)
    expect((await asJwt(late)).status).toBe(200)
  })
})
