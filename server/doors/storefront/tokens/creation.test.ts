import { expect, test } from 'vitest'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import { openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { listKeys, removeKey, rotateKeys } from './keys.ts'
import { verifyToken } from './tokens.ts'

const STOREFRONT = '/storefront/api-token'
const IMPERSONATION = '/storefront/api-token-customer-impersonation'
const PRIVATE = '/storefront/api-token-private'
const CORS = { allowed_cors_origins: ['https://www.example.com'] }

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

async function dbOf({ store }: Shop) {
  const db = await (await theHouse()).installation.directory.dbById(store.id)
  if (!db) throw new Error('The store has no database.')
  return db
}
const seconds = async () => unixSeconds((await theHouse()).clock.now())

test('each type of token has its claims: store, channels, client and purpose', async () => {
  const shop = await openStaffedShop()
  const { data: second } = (
    await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
  ).body
  const now = await seconds()
  const kinds: [string, object, object][] = [
    [
      STOREFRONT,
      { channel_id: 1, expires_at: now + 60, ...CORS },
      { eat: now + 60, exp: now + 60, cid: [1], cors: CORS.allowed_cors_origins, token_type: 1 },
    ],
    [
      STOREFRONT,
      {
        channel_ids: [second.id, 1],
        expires_at: 0,
        allowed_cors_origins: ['http://localhost:3000', 'https://a.example'],
      },
      { eat: 0, cid: [second.id, 1], cors: ['http://localhost:3000', 'https://a.example'], token_type: 1 },
    ],
    [
      IMPERSONATION,
      { channel_id: 1, expires_at: now + 60, ...CORS, scopes: ['B2B'] },
      { eat: now + 60, exp: now + 60, cid: [1], token_type: 2 },
    ],
    [
      PRIVATE,
      { channel_ids: [1], expires_at: 0, scopes: ['Customer', 'B2B'], ...CORS },
      { eat: 0, cid: [1], scopes: ['Customer', 'B2B'], token_type: 3 },
    ],
  ]
  for (const [path, body, own] of kinds) {
    const answer = await shop.call('POST', path, body)
    const { token } = answer.body
    expect(answer).toMatchObject({ status: 200, body: { token, data: { token }, meta: {} } })
    const { kid } = headerOf(token)
    expect(headerOf(token)).toEqual({ typ: 'JWT', alg: 'ES256', kid })
    const { iat, jti, ...claims } = claimsOf(token)
    expect(claims).toEqual({ iss: 'SVC', sid: shop.store.id, sub: shop.admin.client_id, ...own })
    expect(iat).toBeGreaterThanOrEqual(now)
    expect(iat).toBeLessThanOrEqual(await seconds())
    expect(jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(await verifyToken(await dbOf(shop), token, { channel: 1, now: (await theHouse()).clock.now() })).toEqual(
      claimsOf(token),
    )
  }
})

test('a request with only the customer header gets an impersonation token for channel 1 and a day', async () => {
  const shop = await openStaffedShop()
  for (const name of ['X-Svc-Customer-Id', 'X-Bc-Customer-Id']) {
    const { status, body } = await shop.call('POST', IMPERSONATION, undefined, { headers: { [name]: '12' } })
    expect(status).toBe(200)
    const { iat, eat, cid } = claimsOf(body.token)
    expect(cid).toEqual([1])
    expect(eat - iat).toBe(86_400)
  }
  const body = { channel_id: 1, expires_at: (await seconds()) + 60 }
  const withBoth = await shop.call('POST', IMPERSONATION, body, { headers: { 'X-Svc-Customer-Id': '12' } })
  expect(claimsOf(withBoth.body.token).eat).toBe(body.expires_at)
  expect((await shop.call('POST', IMPERSONATION)).status).toBe(400)
  expect((await shop.call('POST', STOREFRONT, undefined, { headers: { 'X-Svc-Customer-Id': '12' } })).status).toBe(400)
})

test('mistakes in a new token are reported by field, at their bounds', async () => {
  const shop = await openStaffedShop()
  const now = await seconds()
  const later = now + 60
  const here = { channel_id: 1, expires_at: later }
  const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const refused: [string, object, string[]][] = [
    [STOREFRONT, {}, ['expires_at', 'allowed_cors_origins']],
    [STOREFRONT, { expires_at: later, ...CORS }, ['channel_id']],
    [STOREFRONT, { ...here, channel_ids: [1], ...CORS }, ['channel_ids']],
    [STOREFRONT, { ...here, channel_id: 0, ...CORS }, ['channel_id']],
    [STOREFRONT, { channel_ids: [], expires_at: later, ...CORS }, ['channel_ids']],
    [STOREFRONT, { channel_ids: [1, 1], expires_at: later, ...CORS }, ['channel_ids']],
    [STOREFRONT, { channel_ids: many(51), expires_at: later, ...CORS }, ['channel_ids']],
    [STOREFRONT, { ...here, expires_at: -1, ...CORS }, ['expires_at']],
    [STOREFRONT, { ...here, expires_at: now, ...CORS }, ['expires_at']],
    [STOREFRONT, { ...here, expires_at: later * 1_000, ...CORS }, ['expires_at']],
    [STOREFRONT, { ...here, expires_at: 10_000_000_000, ...CORS }, ['expires_at']],
    [STOREFRONT, { ...here, expires_at: '1', ...CORS }, ['expires_at']],
    [STOREFRONT, { ...here, allowed_cors_origins: [] }, ['allowed_cors_origins']],
    [
      STOREFRONT,
      { ...here, allowed_cors_origins: many(3).map((n) => `https://${n}.example`) },
      ['allowed_cors_origins'],
    ],
    ...[
      'https://*.example.com',
      '*',
      'null',
      'example.com',
      'ftp://example.com',
      'https://example.com/',
      'https://example.com/a',
      'https://example.com?a',
      'https://Example.com',
      'https://ann@example.com',
      'https://example.com:443',
      '',
    ].map((origin): [string, object, string[]] => [
      STOREFRONT,
      { ...here, allowed_cors_origins: ['https://a.example', origin] },
      ['allowed_cors_origins.1'],
    ]),
    [IMPERSONATION, { expires_at: later }, ['channel_id']],
    [IMPERSONATION, { ...here, expires_at: 0 }, ['expires_at']],
    [PRIVATE, here, ['scopes']],
    [PRIVATE, { ...here, scopes: [] }, ['scopes']],
    [PRIVATE, { ...here, scopes: ['Customer', 'customer'] }, ['scopes.1']],
  ]
  for (const [path, body, fields] of refused) {
    const answer = await shop.call('POST', path, body)
    expect(answer.status, JSON.stringify(body)).toBe(422)
    expect(Object.keys(answer.body.errors), JSON.stringify(body)).toEqual(fields)
  }
  const unknown = await shop.call('POST', STOREFRONT, { channel_ids: [1, 7, 8], expires_at: later, ...CORS })
  expect(unknown).toMatchObject({ status: 422, body: { errors: { channel_ids: 'This store has no channels 7, 8.' } } })
  const three = await shop.call('POST', STOREFRONT, {
    ...here,
    allowed_cors_origins: many(3).map((n) => `https://${n}.example`),
  })
  expect(three.body.title).toBe('The list of allowed_cors_origins must not exceed 2.')
  expect((await shop.call('POST', STOREFRONT, { ...here, expires_at: 9_999_999_999, ...CORS })).status).toBe(200)
})

test('a token is never stored, not even for an Idempotency-Key', async () => {
  const shop = await openStaffedShop()
  const make = () =>
    shop.call(
      'POST',
      IMPERSONATION,
      { channel_id: 1, expires_at: 4_102_444_800 },
      { headers: { 'idempotency-key': 'once' } },
    )
  const [one, other] = [await make(), await make()]
  expect(one.body.token).not.toBe(other.body.token)
  expect(
    await (await dbOf(shop)).rows({
      name: '',
      text: 'select key from idempotent_answers where store_id = $1',
      values: [shop.store.id],
    }),
  ).toEqual([])
})

test('a key signs until there is a newer one, and verifies until it is removed', async () => {
  const shop = await openStaffedShop()
  const db = await dbOf(shop)
  const { clock, installation } = await theHouse()
  const make = async () => (await shop.call('POST', STOREFRONT, { channel_id: 1, expires_at: 0, ...CORS })).body.token
  const judge = (token: string) => verifyToken(db, token, { channel: 1, now: clock.now() })
  // Both requests find no key. Only one key is stored.
  const [first, beside] = await Promise.all([make(), make()])
  expect(headerOf(first).kid).toBe(headerOf(beside).kid)
  const kid = await rotateKeys(db, installation.secrets)
  const second = await make()
  expect(headerOf(second).kid).toBe(kid)
  expect((await listKeys(db)).map(({ kid, signs }) => [kid, signs])).toEqual([
    [kid, true],
    [headerOf(first).kid, false],
  ])
  await judge(first)
  await judge(second)
  expect(await removeKey(db, headerOf(first).kid)).toBe(true)
  expect(await removeKey(db, headerOf(first).kid)).toBe(false)
  await expect(judge(first)).rejects.toThrow('The JWT signature is invalid.')
  await judge(second)
  for (let keys = 1; keys < 10; keys++) await rotateKeys(db, installation.secrets)
  await expect(rotateKeys(db, installation.secrets)).rejects.toThrow('at most 10 keys')
})
