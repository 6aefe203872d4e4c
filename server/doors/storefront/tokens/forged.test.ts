import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign as signBytes,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { JWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Algorithm, signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken, type Question } from '../../../test/fixtures/storefront.ts'
import { rotateKeys, signingKey } from './keys.ts'

// Forged and changed tokens. Each is refused with the sentence of its check (docs/contract/storefront-tokens.md
// section 5), and the server never requests an address that a token names.

let shop: Shop
let other: Shop
let now: number
let real: string
let key: { kid: string; key: JWK }
let foreign: { kid: string; key: JWK }
let publicKey: JWK
let own: KeyObject
/** A server that forged tokens name, with the number of its calls. */
let trap: Server
let calls = 0
let lure: string

beforeAll(async () => {
  ;[shop, other] = [await openShop(), await openShop()]
  await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
  real = await makeToken(shop, 'storefront')
  await makeToken(other, 'storefront')
  const { clock, installation } = await theHouse()
  now = unixSeconds(clock.now())
  const [db, otherDb] = await Promise.all([shop, other].map(({ store }) => installation.directory.dbById(store.id)))
  if (!db || !otherDb) throw new Error('A store has no database.')
  key = await signingKey(db, installation.secrets)
  foreign = await signingKey(otherDb, installation.secrets)
  const { d: _, ...shown } = key.key
  publicKey = shown
  own = createPrivateKey({ key: { ...key.key }, format: 'jwk' })
  trap = createServer(() => calls++).listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const address = trap.address()
  lure = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/keys`
})

afterAll(() => {
  trap.close()
  expect(calls).toBe(0)
})

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const parts = (token = real) => token.split('.') as [string, string, string]

/** The claims of a valid token. */
const claims = (changes: object = {}) => ({
  iss: 'SVC',
  iat: now,
  eat: now + 60,
  exp: now + 60,
  sid: shop.store.id,
  cid: [1],
  cors: [],
  sub: 'x',
  token_type: 1,
  jti: randomUUID(),
  ...changes,
})
/** A token signed by the store's own key. */
const signed = (changes: object = {}, header: object = {}) =>
  signJwt(claims(changes), key.key, { alg: 'ES256', kid: key.kid, ...header })
/** A token with this header, signed by the store's own key with ES256. */
function signedAs(header: object, payload: unknown = claims()) {
  const text = `${encode(header)}.${encode(payload)}`
  const signature = signBytes('sha256', Buffer.from(text), {
    key: own,
    dsaEncoding: 'ieee-p1363',
  })
  return `${text}.${signature.toString('base64url')}`
}
function hmac(header: object, secret: string | Buffer, hash = 'sha256') {
  const text = `${encode(header)}.${encode(claims())}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}
const spki = (jwk: JWK) => Buffer.from(JSON.stringify(jwk))
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const strange: JWK = ec.privateKey.export({ format: 'jwk' })

const SIGNATURE = 'The JWT signature is invalid.'
const JSON_FAULT = 'The JWT has no valid JSON.'
const FORMAT = 'The JWT has JSON of an unknown format.'
const PARTS = 'The token is not a JWT: it does not have three parts.'
const MISSING = 'Credentials are missing: no token was sent as Authorization: Bearer.'
const EXPIRED = 'The JWT is expired.'
const EARLY = 'The JWT is not valid yet.'
const STORE = 'The store id of the JWT does not match the store of this address.'
const CHANNEL = 'The channel id of this address is not among those of the JWT.'

type Forgery = () => string | undefined | Promise<string>
const withHeader = (header: object) => () => signed({}, header)
const without = (field: string) => () => signed({ [field]: undefined })
const refused: [string, Forgery, string][] = [
  ['no token', () => undefined, MISSING],
  ['another word before it', () => `x Basic`, MISSING],
  ['one part', () => 'abc', PARTS],
  ['two parts', () => parts().slice(0, 2).join('.'), PARTS],
  ['four parts', () => `${real}.x`, PARTS],
  ['five parts, as of an encrypted one', () => `${real}.x.y`, PARTS],
  ['three empty parts', () => '..', JSON_FAULT],
  ['a header that is not JSON', () => ['x', ...parts().slice(1)].join('.'), JSON_FAULT],
  ['claims that are not JSON', () => [parts()[0], encode('{'), parts()[2]].join('.'), JSON_FAULT],
  ['claims that are a list', () => signedAs({ alg: 'ES256', kid: key.kid }, [1]), JSON_FAULT],
  [
    'claims that are not UTF-8',
    () => [parts()[0], Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url'), parts()[2]].join('.'),
    JSON_FAULT,
  ],
  ['base64 instead of base64url', () => `${parts().slice(0, 2).join('.')}.${'+/'.repeat(43)}`, SIGNATURE],
  ['a padded part', () => `${parts()[0]}=.${parts()[1]}.${parts()[2]}`, JSON_FAULT],
  ['bits behind the end of the signature', () => `${real.slice(0, -1)}${real.endsWith('B') ? 'C' : 'B'}`, SIGNATURE],
  ['no signature', () => `${parts()[0]}.${parts()[1]}.`, SIGNATURE],
  ['a signature cut off', () => real.slice(0, -4), SIGNATURE],
  ['a signature of zeros', () => `${parts()[0]}.${parts()[1]}.${Buffer.alloc(64).toString('base64url')}`, SIGNATURE],
  [
    'a signature in the other form of ECDSA',
    () => {
      const text = `${parts()[0]}.${parts()[1]}`
      return `${text}.${signBytes('sha256', Buffer.from(text), own).toString('base64url')}`
    },
    SIGNATURE,
  ],
  ['the signature of another token', async () => `${parts()[0]}.${parts()[1]}.${parts(await signed())[2]}`, SIGNATURE],
  ['claims that were changed', () => [parts()[0], encode(claims({ token_type: 3 })), parts()[2]].join('.'), SIGNATURE],
  ['algorithm none, unsigned', () => `${encode({ alg: 'none', kid: key.kid })}.${encode(claims())}.`, SIGNATURE],
  ['algorithm None', () => `${encode({ alg: 'None' })}.${encode(claims())}.`, SIGNATURE],
  ['algorithm nOnE with a signature', () => signedAs({ alg: 'nOnE', kid: key.kid }), SIGNATURE],
  ['no algorithm', () => signedAs({ kid: key.kid }), SIGNATURE],
  ['an algorithm that is a list', () => signedAs({ alg: ['ES256'], kid: key.kid }), SIGNATURE],
  ['ES384 in the header', () => signedAs({ alg: 'ES384', kid: key.kid }), SIGNATURE],
  ['es256 in small letters', () => signedAs({ alg: 'es256', kid: key.kid }), SIGNATURE],
  ['HS256 by the public key as JSON', () => hmac({ alg: 'HS256', kid: key.kid }, spki(publicKey)), SIGNATURE],
  ['HS256 by the x of the public key', () => hmac({ alg: 'HS256', kid: key.kid }, publicKey.x ?? ''), SIGNATURE],
  ['HS512 by the name of the key', () => hmac({ alg: 'HS512', kid: key.kid }, key.kid, 'sha512'), SIGNATURE],
  ['HS256 by an empty secret', () => hmac({ alg: 'HS256', kid: key.kid }, ''), SIGNATURE],
  ["HS256 by a client's secret", () => hmac({ alg: 'HS256', kid: key.kid }, shop.admin.client_secret), SIGNATURE],
  [
    'ES256 in the header, HMAC by the public key',
    () => hmac({ alg: 'ES256', kid: key.kid }, spki(publicKey)),
    SIGNATURE,
  ],
  [
    'RS256 by a key of their own',
    () => {
      const text = `${encode({ alg: 'RS256', kid: key.kid })}.${encode(claims())}`
      return `${text}.${signBytes('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`
    },
    SIGNATURE,
  ],
  ['ES256 by a key of their own', () => signJwt(claims(), strange, { alg: 'ES256', kid: key.kid }), SIGNATURE],
  [
    'a key of their own in jwk',
    () =>
      signJwt(claims(), strange, { alg: 'ES256', kid: key.kid, jwk: ec.publicKey.export({ format: 'jwk' }) } as {
        alg: Algorithm
      }),
    SIGNATURE,
  ],
  [
    'a key of their own in jwk, without kid',
    () =>
      signJwt(claims(), strange, { alg: 'ES256', jwk: ec.publicKey.export({ format: 'jwk' }) } as { alg: Algorithm }),
    SIGNATURE,
  ],
  [
    'a key of their own in jku',
    () => signJwt(claims(), strange, { alg: 'ES256', kid: key.kid, jku: lure } as { alg: Algorithm }),
    SIGNATURE,
  ],
  [
    'a key of their own in x5u',
    () => signJwt(claims(), strange, { alg: 'ES256', kid: key.kid, x5u: lure } as { alg: Algorithm }),
    SIGNATURE,
  ],
  [
    'a key of their own in x5c',
    () => signJwt(claims(), strange, { alg: 'ES256', kid: key.kid, x5c: ['MIIB'] } as { alg: Algorithm }),
    SIGNATURE,
  ],
  ['an issuer of their own', () => signJwt(claims({ iss: lure }), strange, { alg: 'ES256', kid: key.kid }), FORMAT],
  ['no kid', withHeader({ kid: undefined }), SIGNATURE],
  ['an empty kid', withHeader({ kid: '' }), SIGNATURE],
  ['a kid that is a path', withHeader({ kid: '../../../../dev/null' }), SIGNATURE],
  ['a kid that is an address', () => signed({}, { kid: lure }), SIGNATURE],
  ['a kid that is SQL', withHeader({ kid: "' or kid <> '" }), SIGNATURE],
  ['a kid that is a number', () => signedAs({ alg: 'ES256', kid: 1 }), SIGNATURE],
  ['a kid that is a list', () => signedAs({ alg: 'ES256', kid: [key.kid] }), SIGNATURE],
  ['a kid with a zero byte', withHeader({ kid: 'a\0b' }), JSON_FAULT],
  ['a kid of the store with a blank', () => signed({}, { kid: `${key.kid} ` }), SIGNATURE],
  [
    'the key of another store, with its kid',
    () => signJwt(claims(), foreign.key, { alg: 'ES256', kid: foreign.kid }),
    SIGNATURE,
  ],
  [
    'the key of another store, with our kid',
    () => signJwt(claims(), foreign.key, { alg: 'ES256', kid: key.kid }),
    SIGNATURE,
  ],
  [
    'an extension that must be understood',
    () => signedAs({ alg: 'ES256', kid: key.kid, crit: ['exp'], exp: 1 }),
    SIGNATURE,
  ],
  ['unencoded claims', () => signedAs({ alg: 'ES256', kid: key.kid, crit: ['b64'], b64: false }), SIGNATURE],
  ['a token of another store', () => makeToken(other, 'storefront'), STORE],
  ['our key, another store', () => signed({ sid: other.store.id }), STORE],
  ['no store', without('sid'), FORMAT],
  ['a store as a text', () => signed({ sid: String(shop.store.id) }), FORMAT],
  ['another channel', () => signed({ cid: [2] }), CHANNEL],
  ['no channel', () => signed({ cid: [] }), FORMAT],
  ['the channel as a text', () => signed({ cid: ['1'] }), FORMAT],
  ['the channel beside the list', () => signed({ cid: 1 }), FORMAT],
  ['no claims', () => signedAs({ alg: 'ES256', kid: key.kid }, {}), FORMAT],
  ['another issuer', () => signed({ iss: 'BC' }), FORMAT],
  ['no type', without('token_type'), FORMAT],
  ['an unknown type', () => signed({ token_type: 4 }), FORMAT],
  ['a type as a string', () => signed({ token_type: '1' }), FORMAT],
  ['an unknown scope', () => signed({ token_type: 3, scopes: ['Everything'] }), FORMAT],
  ['no jti', without('jti'), FORMAT],
  ['a malformed jti', () => signed({ jti: 'x' }), FORMAT],
  ['no expiry', without('eat'), FORMAT],
  ['an expiry below zero', () => signed({ eat: -1 }), FORMAT],
  ['an expiry in milliseconds', () => signed({ eat: (now + 60) * 1_000 }), FORMAT],
  ['an expiry as a text', () => signed({ eat: String(now + 60) }), FORMAT],
  ['expired for half a minute', () => signed({ eat: now - 31, exp: now - 31 }), EXPIRED],
  ['expired long ago, with an exp in the future', () => signed({ eat: 1, exp: now + 60 }), EXPIRED],
  ['issued 90 seconds in the future', () => signed({ iat: now + 90 }), EARLY],
  ['expired and of another channel', () => signed({ eat: now - 60, cid: [2] }), EXPIRED],
]

const ask = (token: string | undefined, more: Question = {}) =>
  askStorefront(shop, { token, query: '{ __typename }', ...more })

test.each(refused)('C-101: %s', async (_, forge, sentence) => {
  const forged = await forge()
  const answer =
    forged === 'x Basic' ? await ask(undefined, { headers: { authorization: 'Basic abc' } }) : await ask(forged)
  expect(answer).toMatchObject({ status: 401, body: { errors: [{ message: sentence }] } })
  expect(Object.keys(answer.body)).toEqual(['errors'])
})

test('valid tokens pass, at the bounds of their times', async () => {
  // Relative to the present time: on a busy machine the file may have started long ago.
  const now = unixSeconds((await theHouse()).clock.now())
  const passing = [
    real,
    await signed(),
    await signed({ eat: now - 25 }),
    await signed({ eat: 0, exp: undefined }),
    await signed({ iat: now + 25 }),
    await signed({ cid: [2, 1] }),
    // Headers that name keys are ignored.
    await signed({}, { jku: lure, jwk: strange, x5u: lure }),
  ]
  for (const token of passing) expect((await ask(token)).status).toBe(200)
  for (const word of ['bearer', 'BEARER', 'Bearer ']) {
    expect((await ask(undefined, { headers: { authorization: `${word} ${real}` } })).status).toBe(200)
  }
})

test('a token is verified by the key that it names, even after a rotation', async () => {
  const { installation } = await theHouse()
  const db = await installation.directory.dbById(shop.store.id)
  if (!db) throw new Error('The store has no database.')
  await rotateKeys(db, installation.secrets)
  const newer = await signingKey(db, installation.secrets)
  expect((await ask(await signJwt(claims(), newer.key, { alg: 'ES256', kid: newer.kid }))).status).toBe(200)
  expect((await ask(await signed())).status).toBe(200)
  for (const crossed of [
    signJwt(claims(), newer.key, { alg: 'ES256', kid: key.kid }),
    signJwt(claims(), key.key, { alg: 'ES256', kid: newer.kid }),
  ]) {
    expect((await ask(await crossed)).message).toBe(SIGNATURE)
  }
})
