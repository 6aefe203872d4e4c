import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryReader } from '../../core/rest/input/validator.ts'
import { Problem } from '../../core/rest/problem.ts'
import { type App, createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { enableCompanion } from '../fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../fixtures/shop.ts'
import { askStorefront, makeToken } from '../fixtures/storefront.ts'
import { SECRET } from '../harness/postgres.ts'
import { Maker, theOperations } from './operations.ts'

// Values that PostgreSQL refuses in a statement: integers beyond their column and texts with U+0000. The schemas of all
// routes and requests to all routes show that the server refuses them before a statement.

const INT4_MAX = 2_147_483_647
const BEYOND_INT4 = '2147483648'
const BEYOND_INT8 = '9223372036854775808'
const HOSTILE = [BEYOND_INT4, BEYOND_INT8, '-1e10', '-9223372036854775809', 'a\u0000b']

/**
 * Query and path integers that may need more than 4 bytes, by name, with the reason. All others must fit a column of 4
 * bytes.
 */
const WIDE: Readonly<Record<string, string>> = {
  'GET /promotions channels': 'channels have ids of 8 bytes',
  'HEAD /promotions channels': 'channels have ids of 8 bytes',
  page: 'a bigint offset: pages up to 10^12 of at most 1,000 entries',
  channel_id: 'channels have ids of 8 bytes',
  'channel_id:in': 'channels have ids of 8 bytes',
  channelId: 'channels have ids of 8 bytes',
  channelIds: 'channels have ids of 8 bytes',
  'GET /pickup/methods id:in': 'pickup methods have ids of 8 bytes',
  'HEAD /pickup/methods id:in': 'pickup methods have ids of 8 bytes',
  'DELETE /pickup/methods id:in': 'pickup methods have ids of 8 bytes',
  'GET /operator/v1/stores/:store_hash/events before': 'events have numbers of 8 bytes',
  'HEAD /operator/v1/stores/:store_hash/events before': 'events have numbers of 8 bytes',
  'created_at:min': 'Unix seconds, which become a date',
  'created_at:max': 'Unix seconds, which become a date',
  minExpired: 'Unix seconds, which become a date',
  maxExpired: 'Unix seconds, which become a date',
  minCreated: 'Unix seconds, which become a date',
  maxCreated: 'Unix seconds, which become a date',
  minModified: 'Unix seconds, which become a date',
  maxModified: 'Unix seconds, which become a date',
}

interface SchemaFacts {
  type?: string
  minimum?: number
  maximum?: number
  items?: SchemaFacts
  isFieldName?: boolean
  properties?: Record<string, SchemaFacts>
}

let app: App
let shop: Shop
beforeAll(async () => {
  const { installation, files } = await theHouse()
  // Includes the pages of the sandbox.
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test' })
  const parts = { ...installation, files, log: pino({ level: 'silent' }), inspector: true }
  app = await createApp(parts, config, 'http://shop.test')
  shop = await openShop()
  await enableCompanion(shop)
})
afterAll(() => app.server.close())

const methodsOf = ({ method }: { method: string | string[] }) => [method].flat().join()
const short = (url: string) => url.replace(/^\/stores\/:store_hash\/v\d/, '').replaceAll(/(:\w+)\([^/]*\)/g, '$1')
const nameOf = (route: { method: string | string[]; url: string }) => `${methodsOf(route)} ${short(route.url)}`

const propertiesOf = (schema: unknown): [string, SchemaFacts][] =>
  Object.entries((schema as SchemaFacts | undefined)?.properties ?? {})

const isWithin4Bytes = ({ minimum, maximum }: SchemaFacts) =>
  minimum !== undefined && maximum !== undefined && minimum >= -INT4_MAX - 1 && maximum <= INT4_MAX

/** Whether a route accepts this query parameter. */
function accepts(schema: object, query: Record<string, string>): boolean {
  try {
    queryReader(schema)(query)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

describe('the schemas of all mounted routes', () => {
  test('bound each integer of a query or a path by its column', () => {
    const unbounded = app.mounted.flatMap((route) =>
      [...propertiesOf(route.schema?.querystring), ...propertiesOf(route.schema?.params)].flatMap(([name, schema]) => {
        const value = schema.items ?? schema
        if (value.type !== 'integer' || isWithin4Bytes(value)) return []
        const isWide = name in WIDE || `${nameOf(route)} ${name}` in WIDE
        const isSafe = Math.abs(value.minimum ?? Infinity) <= 2 ** 53 && Math.abs(value.maximum ?? Infinity) <= 2 ** 53
        return isWide && isSafe ? [] : [`${nameOf(route)} ${name}`]
      }),
    )
    expect(unbounded).toEqual([])
  })

  test('take no text with U+0000 in a query', () => {
    const taken = app.mounted.flatMap((route) => {
      const schema = route.schema?.querystring
      return propertiesOf(schema).flatMap(([name, { items }]) =>
        // Names of fields are only compared with those of the schema.
        items?.isFieldName !== true &&
        (accepts(Object(schema), { [name]: 'a\u0000b' }) || accepts(Object(schema), { [name]: '\u0000' }))
          ? [`${nameOf(route)} ${name}`]
          : [],
      )
    })
    expect(taken).toEqual([])
    const names = app.mounted.flatMap(({ schema }) => propertiesOf(schema?.querystring))
    expect(names.length).toBeGreaterThan(1_000)
  })
})

/** All patterns in a schema, with those of its parts. */
function patternsIn(schema: unknown, found = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return found
  seen.add(schema)
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') found.add(value)
    else patternsIn(value, found, seen)
  }
  return found
}

/** Long texts of one character, with an end that fails most patterns at last. */
const EVIL = ['a', 'A', '0', ' ', '-', '_', '.', '/', 'aA0', 'é', '1,', 'a@'].flatMap((piece) =>
  ['', '<', '!', '\n', ' ', '\u0000'].map((end) => `${piece.repeat(100_000)}${end}`),
)

test('C-085: no pattern of a schema needs more than one pass over a text', () => {
  const patterns = new Set<string>()
  for (const { schema } of app.mounted) patternsIn(schema, patterns)
  expect(patterns.size).toBeGreaterThan(25)
  // A pattern that goes back at each character needs a minute for each of the texts, others a millisecond.
  const endless = [...patterns].filter((pattern) => {
    const context = { pattern: new RegExp(pattern, 'u'), texts: EVIL }
    try {
      runInNewContext('for (const text of texts) pattern.test(text)', context, { timeout: 20_000 })
      return false
    } catch {
      return true
    }
  })
  expect(endless).toEqual([])
}, 600_000)

/**
 * Sends a request as the administrator of the shop, with the headers of both families. @returns the request if the
 * answer is a 500
 */
async function faultOf(method: string, url: string): Promise<string[]> {
  const { statusCode } = await app.server.inject({
    method: method as 'GET',
    url,
    headers: { 'x-auth-token': shop.admin.access_token, 'x-store-hash': shop.store.hash },
  })
  return statusCode === 500 ? [`${method} ${url}`] : []
}

test('no route answers such values in its path with 500', async () => {
  const faults: string[] = []
  for (const { method, url } of app.mounted) {
    if (method !== 'GET' || !url.includes(':')) continue
    const names = [...short(url).matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    for (const hostile of HOSTILE) {
      for (const name of [...names, 'store_hash']) {
        const path = url
          .replaceAll(/(:\w+)\([^/]*\)/g, '$1')
          .replaceAll(/:(\w+)/g, (_, other) =>
            other === name ? encodeURIComponent(hostile) : /^store(_hash)?$/.test(other) ? shop.store.hash : '1',
          )
        faults.push(...(await faultOf('GET', path)))
      }
    }
  }
  expect([...new Set(faults)]).toEqual([])
})

test('no operation of the document answers such values in its query with 500', async () => {
  const operations = (await theOperations()).filter(
    ({ method, queryNames }) => (method === 'GET' || method === 'DELETE') && queryNames.length > 0,
  )
  const maker = new Maker(
    shop,
    (await theOperations()).filter(({ example }) => example !== undefined),
  )
  const faults: string[] = []
  for (const { name, method, version, template, queryNames } of operations) {
    const operation = operations.find((one) => one.name === name && one.version === version)
    const ids = operation ? await maker.idsFor(operation) : {}
    const below = template.replaceAll(/:(\w+)/g, (_, param) => encodeURIComponent(ids[param] ?? ''))
    const path = version === 'b2b' ? `/b2b/api${below}` : `/stores/${shop.store.hash}/${version}${below}`
    const route = app.mounted.find((one) => one.method === method && short(one.url) === template)
    for (const hostile of HOSTILE) {
      const all = new URLSearchParams(Object.fromEntries(queryNames.map((query) => [query, hostile])))
      faults.push(...(await faultOf(method, `${path}?${all}`)))
      // A value that passes the schema reaches the database.
      for (const query of queryNames) {
        if (route?.schema?.querystring && !accepts(Object(route.schema.querystring), { [query]: hostile })) continue
        faults.push(...(await faultOf(method, `${path}?${new URLSearchParams({ [query]: hostile })}`)))
      }
    }
  }
  expect(faults).toEqual([])
})

describe('forged tokens and logins', () => {
  const NUL = 'a\u0000b'
  const jwtOf = (claims: object) =>
    [{ alg: 'HS256', kid: NUL }, claims, { of: 'nobody' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')

  test('are refused at every door if they contain U+0000', async () => {
    const claims = {
      iss: NUL,
      sub: NUL,
      jti: NUL,
      iat: 1,
      email: NUL,
      store_hash: NUL,
      operation: 'customer_login',
      customer_id: 1,
      token_type: 'storefront',
    }
    const jwt = jwtOf(claims)
    const host = `store-${shop.store.hash}.shop.test`
    const requests = [
      { url: `/login/token/${jwt}`, headers: { host } },
      { url: '/customer/current.jwt?app_client_id=%00', headers: { host } },
      { url: '/graphql', method: 'POST', headers: { host, authorization: `Bearer ${jwt}` } },
      { url: `/stores/${shop.store.hash}/payments`, method: 'POST', headers: { authorization: `PAT ${jwt}` } },
      { url: '/b2b/api/v3/io/companies', headers: { authtoken: jwt } },
      { url: `/b2b/api/io/auth/storefront?jwtToken=${jwt}`, headers: { 'x-store-hash': shop.store.hash } },
    ] as const
    for (const request of requests) {
      const { statusCode } = await app.server.inject(request)
      expect([302, 400, 401, 404, 422], request.url).toContain(statusCode)
    }
  })

  test('are failed logins if their address contains U+0000', async () => {
    const token = await makeToken(shop, 'private')
    const query = 'mutation L($email: String!) { login(email: $email, password: "x") { result } }'
    const answer = await askStorefront(shop, { token, query, variables: { email: NUL } })
    expect([answer.status, answer.message]).toEqual([200, 'Invalid credentials'])
  })
})
