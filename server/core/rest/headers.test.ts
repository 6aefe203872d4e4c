import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'

// docs/contract/conventions.md sections 8 to 11: headers, HEAD, OPTIONS, 304, and how addresses are read.

const LIST = '/catalog/brands'
const ONE = `${LIST}/1`
const METAFIELD = `${ONE}/metafields/1`

let shop: StaffedShop
let call: StaffedShop['call']
beforeAll(async () => {
  shop = await openStaffedShop()
  call = shop.call
  await call('POST', LIST, { name: 'Ferm', meta_description: 'x'.repeat(2_000) })
  await call('POST', `${ONE}/metafields`, { key: 'k', value: 'v', namespace: 'n', permission_set: 'read' })
})

const raw = async (method: string, url: string, headers: Record<string, string> = {}) => {
  const { server } = await theHouse()
  return server.inject({ method: method as 'GET', url, headers })
}

describe('every answer', () => {
  test('has an id of its own, with any outcome of the request', async () => {
    const seen: unknown[] = []
    for (const [status, method, path, body] of [
      [200, 'GET', LIST],
      [200, 'HEAD', LIST],
      [204, 'DELETE', `${LIST}?name=none`],
      [204, 'OPTIONS', LIST],
      [404, 'GET', '/nothing'],
      [405, 'DELETE', `${ONE}/metafields`],
      [422, 'POST', LIST, {}],
      [501, 'PATCH', LIST],
    ] as const) {
      const answer = await call(method, path, body)
      expect(answer.status).toBe(status)
      seen.push(answer.headers['x-request-id'])
    }
    for (const [status, url] of [
      [401, `/stores/${shop.store.hash}/v3${LIST}`],
      [400, `/stores/${shop.store.hash}/v3/%`],
      [404, '/nothing'],
      [200, '/healthz'],
    ] as const) {
      const answer = await raw('GET', url)
      expect(answer.statusCode).toBe(status)
      seen.push(answer.headers['x-request-id'])
    }
    for (const id of seen) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('ignores a request id of the client', async () => {
    const { headers } = await call('GET', LIST, undefined, {
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('repeats a correlation id that is a UUID, and no other', async () => {
    for (const [id, repeated] of [
      ['0b6ed0a4-2b1c-4b49-9a0e-3f1d5a6c7e8f', true],
      ['0B6ED0A4-2B1C-4B49-9A0E-3F1D5A6C7E8F', true],
      ['00000000-0000-0000-0000-000000000000', true],
      ['0b6ed0a42b1c4b499a0e3f1d5a6c7e8f', false],
      ['{0b6ed0a4-2b1c-4b49-9a0e-3f1d5a6c7e8f}', false],
      ['0b6ed0a4-2b1c-4b49-9a0e-3f1d5a6c7e8f ,x', false],
      ['g b6ed0a4', false],
      ['', false],
    ] as const) {
      for (const [method, path] of [
        ['GET', LIST],
        ['GET', '/nothing'],
        ['DELETE', `${LIST}/999`],
      ] as const) {
        const { headers } = await call(method, path, undefined, { headers: { 'x-correlation-id': id } })
        expect(headers['x-correlation-id'], id).toBe(repeated ? id : undefined)
      }
    }
  })

  test('is not kept by caches, and has a Date', async () => {
    for (const [method, path] of [
      ['GET', LIST],
      ['GET', '/nothing'],
      ['POST', LIST],
      ['OPTIONS', LIST],
    ] as const) {
      const { headers } = await call(method, path)
      expect(headers['cache-control']).toBe('no-store')
      const date = String(headers.date)
      expect(new Date(date).toUTCString()).toBe(date)
    }
  })

  test('gives pages of another origin no access', async () => {
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const answer = await call(method, LIST, undefined, { headers })
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('HEAD', () => {
  const volatile = /^(date|x-request-id|x-rate-limit-.*|.*-apilimit-remaining)$/
  const lasting = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.test(name)))

  test.each([
    ['a list', `${LIST}?name:like=f&limit=5`, {}],
    ['a list with gzip', LIST, { 'accept-encoding': 'gzip' }],
    ['one thing', ONE, {}],
    ['one thing with gzip', ONE, { 'accept-encoding': 'gzip' }],
    ['a thing that knows its time', METAFIELD, {}],
    ['what is not there', `${LIST}/999`, {}],
    ['a path that leads nowhere', '/nothing', {}],
    ['a query that is not valid', `${LIST}?colour=red`, {}],
    ['a page that is too large', `${LIST}?limit=251`, {}],
    ['a wrong Accept', LIST, { accept: 'text/xml' }],
  ] as const)('of %s is GET without the body', async (_, path, headers) => {
    const url = `/stores/${shop.store.hash}/v3${path}`
    const get = await raw('GET', url, { ...headers, 'x-auth-token': shop.admin.access_token })
    const head = await raw('HEAD', url, { ...headers, 'x-auth-token': shop.admin.access_token })
    expect(head.statusCode).toBe(get.statusCode)
    expect(head.body).toBe('')
    expect(lasting(head.headers)).toEqual(lasting(get.headers))
  })

  test('needs no more than a read scope, and no less', async () => {
    expect((await call('HEAD', LIST, undefined, { as: shop.readonly })).status).toBe(200)
    expect((await call('HEAD', LIST, undefined, { as: shop.noscope })).status).toBe(403)
  })

  test('costs as much as a GET', async () => {
    const { call: ask } = await openStaffedShop({ plan: 'standard' })
    const left = async (method: string) => Number((await ask(method, LIST)).headers['x-rate-limit-requests-left'])
    const first = await left('GET')
    expect([await left('HEAD'), await left('HEAD')]).toEqual([first - 1, first - 2])
  })
})

describe('OPTIONS', () => {
  test.each([
    [LIST, 'GET, HEAD, POST, DELETE, OPTIONS'],
    [`${LIST}/`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    [`${LIST}?limit=251`, 'GET, HEAD, POST, DELETE, OPTIONS'],
    [`${LIST}/999`, 'GET, HEAD, PUT, DELETE, OPTIONS'],
    [`${ONE}/image`, 'POST, DELETE, OPTIONS'],
    [`${LIST}/metafields`, 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    [`${ONE}/metafields`, 'GET, HEAD, POST, OPTIONS'],
    [METAFIELD, 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ])('%s lists its methods for anybody, and costs nothing', async (path, allow) => {
    const answer = await raw('OPTIONS', `/stores/${shop.store.hash}/v3${path}`)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.body).toBe('')
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(Object.keys(answer.headers).filter((name) => /rate|apilimit|access-control/.test(name))).toEqual([])
    // The same list stands in a 405.
    const wrong = allow.includes('PUT') ? 'POST' : 'PUT'
    if (!allow.includes(wrong)) {
      const refused = await call(wrong, path.replace(/\?.*/, ''), {})
      expect({ status: refused.status, allow: refused.headers.allow }).toEqual({ status: 405, allow })
    }
  })

  test('of an unknown path is 404', async () => {
    for (const path of ['/nothing', `${LIST}/0`, `${LIST}/x`, '/catalog//brands']) {
      expect((await raw('OPTIONS', `/stores/${shop.store.hash}/v3${path}`)).statusCode).toBe(404)
    }
  })

  test('of an unknown store has the same answer as that of a known one', async () => {
    const answer = await raw('OPTIONS', `/stores/nosuchstore/v3${LIST}`)
    expect(answer.statusCode).toBe(204)
  })
})

test('a method in a header or query changes nothing (C-072)', async () => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    expect((await call('GET', ONE, undefined, { headers: { [name]: 'DELETE' } })).status).toBe(200)
    const posted = await call('POST', `${ONE}/metafields`, {}, { headers: { [name]: 'GET' } })
    expect(posted.status).toBe(422)
    const written = await call('POST', LIST, { name: 'x' }, { headers: { [name]: 'GET' }, as: shop.readonly })
    expect(written.status).toBe(403)
  }
  expect((await call('PUT', `${ONE}?_method=DELETE`, {})).status).toBe(200)
  expect((await call('GET', ONE)).status).toBe(200)
})

describe('If-Modified-Since', () => {
  let modified = ''
  beforeAll(async () => {
    const { headers, body } = await call('GET', METAFIELD)
    modified = String(headers['last-modified'])
    expect(modified).toBe(new Date(body.data.date_modified).toUTCString())
  })
  const ask = (since: string, path = METAFIELD, method = 'GET') =>
    call(method, path, undefined, { headers: { 'if-modified-since': since } })
  const shifted = (seconds: number) => new Date(new Date(modified).getTime() + seconds * 1_000).toUTCString()

  test('is 304 from the second of the last change on, without a body but with the numbers of the quota', async () => {
    for (const since of [modified, shifted(1), shifted(1e9)]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await ask(since, METAFIELD, method)
        expect({ status, text, modified: headers['last-modified'] }).toEqual({ status: 304, text: '', modified })
        expect(headers['x-rate-limit-requests-left']).toBeDefined()
        expect(headers).not.toHaveProperty('content-type')
      }
    }
  })

  test('is 200 for an earlier second, and after a change', async () => {
    expect((await ask(shifted(-1))).status).toBe(200)
    const { clock } = await theHouse()
    clock.move(5_000)
    try {
      await call('PUT', METAFIELD, { value: 'changed' })
      expect((await ask(modified)).body.data.value).toBe('changed')
      modified = String((await call('GET', METAFIELD)).headers['last-modified'])
      expect((await ask(modified)).status).toBe(304)
    } finally {
      clock.move(-5_000)
    }
  })

  test.each([
    'rubbish',
    '',
    '2099',
    '2099-01-01',
    '2099-01-01T00:00:00Z',
    'Sunday, 06-Nov-99 08:49:37 GMT',
    'Sun Nov  6 08:49:37 2099',
    'Mon, 01 Jan 2099 00:00:00 GMT',
    'Thu, 01 Jan 2099 00:00:00 +0000',
    'Thu, 32 Jan 2099 00:00:00 GMT',
    'thu, 01 jan 2099 00:00:00 gmt',
  ])('%s is no HTTP date, and is ignored', async (since) => {
    expect((await ask(since)).status).toBe(200)
  })

  test('is ignored without a time of modification, on lists and on writes', async () => {
    const far = 'Thu, 01 Jan 2099 00:00:00 GMT'
    for (const path of [ONE, LIST, `${ONE}/metafields`, `${LIST}/metafields`]) {
      const { status, headers } = await ask(far, path)
      expect({ status, modified: headers['last-modified'] }).toEqual({ status: 200, modified: undefined })
    }
    const headers = { 'if-modified-since': far }
    expect((await call('PUT', METAFIELD, {}, { headers })).status).toBe(200)
    expect((await ask(far, `${ONE}/metafields/999`)).status).toBe(404)
  })
})

describe('an address', () => {
  test.each([
    ['with one slash at its end', `${LIST}/`, 200],
    ['with one slash at its end and a query', `${ONE}/?include_fields=id`, 200],
    ['with two slashes at its end', `${LIST}//`, 404],
    ['with two slashes in the middle', '/catalog//brands', 404],
    ['with two slashes at its beginning', '//catalog/brands', 404],
    ['in capitals', '/Catalog/Brands', 404],
    ['with a letter encoded', '/catalog/%62rands', 200],
    ['with a letter encoded twice', '/catalog/%2562rands', 404],
    ['with a slash encoded', '/catalog%2Fbrands', 404],
    ['with an id and a slash encoded', `${LIST}/1%2Fmetafields`, 404],
    ['with a question mark encoded', `${LIST}%3Flimit=1`, 404],
    ['with a semicolon', `${LIST};limit=1`, 404],
    ['with an empty query', `${LIST}?`, 200],
    ['with a suffix', `${LIST}.json`, 404],
  ])('%s is read so', async (_, path, status) => {
    expect((await call('GET', path)).status).toBe(status)
  })

  test.each([
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    'abc',
    '%31x',
    '2147483648',
    '99999999999',
    '9'.repeat(300),
    '１',
    '%00',
    'null',
  ])('with the id %s is 404 for any method', async (id) => {
    for (const [method, path] of [
      ['GET', `${LIST}/${id}`],
      ['PUT', `${LIST}/${id}`],
      ['DELETE', `${LIST}/${id}`],
      ['GET', `${LIST}/${id}/metafields`],
      ['GET', `${ONE}/metafields/${id}`],
      ['DELETE', `${LIST}/${id}/image`],
    ] as const) {
      const { status, body } = await call(method, encodeURI(decodeURI(path)), method === 'PUT' ? {} : undefined)
      expect({ status, errors: body.errors }).toEqual({ status: 404, errors: {} })
    }
  })

  test('may hold the largest id, which is unknown', async () => {
    const { status, body } = await call('GET', `${LIST}/2147483647`)
    expect({ status, title: body.title }).toEqual({ status: 404, title: 'The brand 2147483647 does not exist.' })
    expect((await call('GET', `${LIST}/%31`)).status).toBe(200)
  })

  test.each(['%', '%z', '%zz', '%e9', '%c0%af', '%ed%a0%80'])('with %s in its path is 400', async (part) => {
    for (const path of [`${LIST}/${part}`, `/catalog/${part}/1`]) {
      const { statusCode, body } = await raw('GET', `/stores/${shop.store.hash}/v3${path}`, {
        'x-auth-token': shop.admin.access_token,
      })
      expect({ status: statusCode, body: JSON.parse(body) }).toEqual({
        status: 400,
        body: {
          status: 400,
          title: 'The path is not well formed.',
          type: 'http://shop.test/docs/errors#400',
          errors: {},
        },
      })
    }
  })

  test('with a badly encoded query is taken literally', async () => {
    await call('POST', LIST, { name: '50%' })
    expect((await call('GET', `${LIST}?name=50%`)).body.data).toHaveLength(1)
    expect((await call('GET', `${LIST}?name=50%25`)).body.data).toHaveLength(1)
    expect((await call('GET', `${LIST}?name=%ff`)).body.data).toEqual([])
    expect((await call('GET', `${LIST}?%=1`)).status).toBe(422)
  })

  test('with an impossible store has the answer of an unknown store', async () => {
    const headers = { 'x-auth-token': shop.admin.access_token }
    for (const hash of ['%00', 'A', '__proto__', "'", '%2F', 'x'.repeat(300), shop.store.hash.toUpperCase()]) {
      expect((await raw('GET', `/stores/${hash}/v3${LIST}`, headers)).statusCode, hash).toBe(403)
      expect((await raw('GET', `/stores/${hash}/v3${LIST}`, { 'x-auth-token': 'x' })).statusCode, hash).toBe(401)
    }
  })

  test('is at most as long as a request line of 16 KiB: more is 414 on any path', async () => {
    const prefix = `/stores/${shop.store.hash}/v3`
    const room = 16 * 1024 - 'GET  HTTP/1.1'.length - prefix.length
    for (const [start, status] of [
      [`${LIST}?name=`, 200],
      [`${LIST}/`, 404],
      ['/', 404],
      [`${LIST}/1/`, 404],
    ] as const) {
      const path = start.padEnd(room, '9')
      expect((await call('GET', path)).status).toBe(status)
      const long = await call('GET', `${path}9`)
      expect({ status: long.status, body: long.body }).toEqual({
        status: 414,
        body: {
          status: 414,
          title: 'The request line is longer than 16384 bytes.',
          type: 'http://shop.test/docs/errors#414',
          errors: {},
        },
      })
    }
    const parameters = Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join('&')
    expect((await call('GET', `${LIST}?${parameters}`)).status).toBe(414)
    const fewer = Array.from({ length: 3_000 }, () => 'p=1').join('&')
    expect((await call('GET', `${LIST}?${fewer}`)).status).toBe(422)
  })
})

test('over https has a Strict-Transport-Security header in every answer, if the proxy in front is trusted', async () => {
  const { installation, files } = await theHouse()
  const headers = { 'x-auth-token': shop.admin.access_token, 'x-forwarded-proto': 'https' }
  for (const [TRUST_PROXY, expected] of [
    ['1', 'max-age=31536000'],
    ['', undefined],
  ] as const) {
    const { server } = await createApp(
      { ...installation, files, log: pino({ level: 'silent' }) },
      readConfig({ SECRET, TRUST_PROXY }),
      'http://shop.test',
    )
    for (const path of [LIST, '/nothing']) {
      const answer = await server.inject({ url: `/stores/${shop.store.hash}/v3${path}`, headers })
      expect(answer.headers['strict-transport-security'], `${TRUST_PROXY} ${path}`).toBe(expected)
    }
    await server.close()
  }
  expect((await call('GET', LIST)).headers).not.toHaveProperty('strict-transport-security')
})

describe('plain http with https required', () => {
  test('is redirected to the same address under https, with no body, before all else', async () => {
    const { installation, files } = await theHouse()
    const config = readConfig({ SECRET, REQUIRE_HTTPS: 'true' })
    const { server } = await createApp(
      { ...installation, files, log: pino({ level: 'silent' }) },
      config,
      'http://shop.test',
    )
    const url = `/stores/${shop.store.hash}/v3${LIST}?name=a%20b&limit=2`
    for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS'] as const) {
      const answer = await server.inject({
        method,
        url,
        headers: { host: 'api.example.com', 'x-forwarded-proto': 'https' },
      })
      expect({ status: answer.statusCode, body: answer.body, location: answer.headers.location }).toEqual({
        status: 301,
        body: '',
        location: `https://api.example.com${url}`,
      })
    }
    await server.close()
  })
})
