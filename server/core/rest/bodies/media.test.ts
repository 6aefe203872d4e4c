import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// The types of requests and answers: docs/contract/conventions.md sections 8 and 9 (C-052, C-062).

const LIST = '/catalog/brands'
let shop: Shop
let call: Shop['call']
beforeAll(async () => {
  shop = await openShop()
  call = shop.call
  for (let i = 1; i <= 12; i++) await call('POST', LIST, { name: `brand ${i}`, page_title: 'x'.repeat(60) })
})

/** Sends exactly these headers, and the token. */
async function inject(method: string, path: string, headers: Record<string, string>, payload?: string | Buffer) {
  const { server } = await theHouse()
  const answer = await server.inject({
    method: method as 'GET',
    url: `/stores/${shop.store.hash}/v3${path}`,
    headers: { 'x-auth-token': shop.admin.access_token, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.body }
}

describe('Accept', () => {
  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json',
    'text/html;q=0.9, */*;q=0.1',
    'application/json;q=0.001',
    'application/json; charset=utf-8',
    'application/json;version=1;q=0.5',
    'text/xml , application/* ; q=0.2',
    '*/*;q=0, application/json',
    'application/*;q=0,application/json;q=1',
  ])('%s is answered', async (accept) => {
    const { status, headers } = await inject('GET', LIST, accept === undefined ? {} : { accept })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  test.each([
    'text/xml',
    'text/*',
    'text/html, application/xml;q=0.9',
    'application/problem+json',
    'application/jsonx',
    'json',
    'application/json;q=0',
    'application/json; q=0.0',
    'application/json;Q=0, */*',
    'application/*;q=0, */*',
    '*/*;q=0',
    'text/xml;application/json',
  ])('%s is 406, in JSON all the same', async (accept) => {
    for (const [method, path, body] of [
      ['GET', LIST],
      ['POST', LIST, { name: 'not accepted' }],
      ['DELETE', `${LIST}/1`],
    ] as const) {
      const { status, body: problem } = await call(method, path, body, { headers: { accept } })
      expect({ status, problem }).toEqual({
        status: 406,
        problem: {
          status: 406,
          title: 'Answers are application/json, which the Accept header excludes.',
          type: 'http://shop.test/docs/errors#406',
          errors: {},
        },
      })
    }
  })
})

describe('Content-Type', () => {
  let names = 0
  const payload = () => JSON.stringify({ name: `typed ${++names}` })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile=x',
    'application/vnd.api+json',
    'application/merge-patch+json; charset=utf-8',
  ])('%s is JSON', async (type) => {
    expect((await inject('POST', LIST, { 'content-type': type }, payload())).status).toBe(200)
  })

  test.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/jsonx',
    'application/json+xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'garbage',
    '/',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
  ])('%s is 415', async (type) => {
    for (const [method, path] of [
      ['POST', LIST],
      ['PUT', `${LIST}/1`],
      ['DELETE', `${LIST}/metafields`],
    ] as const) {
      const { status, text } = await inject(method, path, { 'content-type': type }, payload())
      expect(status).toBe(415)
      expect(JSON.parse(text)).toMatchObject({ status: 415, type: 'http://shop.test/docs/errors#415', errors: {} })
    }
  })

  test('of a form belongs to a route that takes a file, and no other', async () => {
    const { payload: bytes, headers } = form('image_file', 'a.png', Buffer.from('no picture'))
    expect((await inject('POST', `${LIST}/1/image`, headers, bytes)).status).toBe(422)
    expect((await inject('POST', LIST, headers, bytes)).status).toBe(415)
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=x']) {
      expect((await inject('POST', `${LIST}/1/image`, { 'content-type': type }, '{}')).status, type).toBe(415)
    }
    expect((await inject('POST', `${LIST}/1/image`, { 'content-type': 'multipart/form-data' }, bytes)).status).toBe(400)
  })

  test('is needed with a body: without one it is 400', async () => {
    for (const [method, path] of [
      ['POST', LIST],
      ['PUT', `${LIST}/1`],
      ['DELETE', `${LIST}/metafields`],
      ['POST', `${LIST}/1/image`],
    ] as const) {
      const { status, text } = await inject(method, path, {}, Buffer.from('{}'))
      expect({ status, body: JSON.parse(text) }).toEqual({
        status: 400,
        body: {
          status: 400,
          title: 'A body needs a Content-Type.',
          type: 'http://shop.test/docs/errors#400',
          errors: {},
        },
      })
    }
  })

  test('is not needed without a body, and has no effect then', async () => {
    const silent: Record<string, string>[] = [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'garbage' },
      { 'content-type': 'application/json', 'content-length': '0' },
    ]
    for (const headers of silent) {
      const { body } = await call('POST', LIST, { name: `short-lived ${++names}` })
      expect((await inject('DELETE', `${LIST}/${body.data.id}`, headers)).status).toBe(204)
      expect((await inject('POST', LIST, headers)).status).toBe(400)
      expect((await inject('GET', LIST, headers)).status).toBe(200)
    }
    // The body of a GET means nothing either.
    expect((await inject('GET', LIST, { 'content-type': 'text/plain' }, 'x')).status).toBe(200)
  })
})

describe('Content-Encoding of a request', () => {
  test.each(['gzip', 'deflate', 'br', 'zstd', 'identity', 'x-unknown'])('%s is 415', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const { status } = await inject('POST', LIST, headers, gzipSync('{"name":"compressed"}'))
    expect(status).toBe(415)
  })

  test('is refused before a bomb could go off', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(40_000)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const before = process.memoryUsage().arrayBuffers
    expect((await inject('POST', LIST, headers, bomb)).status).toBe(415)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('gzip', () => {
  const large = `${LIST}?limit=12`
  const small = `${LIST}/1`

  test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', '*', 'GZIP', 'deflate, gzip;q=0.1'])(
    'is used for a client that sends Accept-Encoding: %s',
    async (encoding) => {
      const plain = await inject('GET', large, {})
      const { status, headers, bytes } = await inject('GET', large, { 'accept-encoding': encoding })
      expect({ status, encoding: headers['content-encoding'], vary: headers.vary }).toEqual({
        status: 200,
        encoding: 'gzip',
        vary: expect.stringMatching(/accept-encoding/i),
      })
      expect(headers['content-type']).toBe(plain.headers['content-type'])
      expect(bytes.length).toBeLessThan(plain.bytes.length)
      expect(gunzipSync(bytes).toString()).toBe(plain.text)
    },
  )

  test.each([undefined, 'identity', 'br', 'deflate', 'gzip;q=0', 'zstd', ''])(
    'is not used for a client that sends Accept-Encoding: %s',
    async (encoding) => {
      const { status, headers, text } = await inject(
        'GET',
        large,
        encoding === undefined ? {} : { 'accept-encoding': encoding },
      )
      expect(status).toBe(200)
      expect(headers).not.toHaveProperty('content-encoding')
      expect(JSON.parse(text).data).toHaveLength(12)
    },
  )

  test('begins at 1 KiB', async () => {
    const sizes: [size: number, encoding: unknown][] = []
    const { length } = (await inject('PUT', small, { 'content-type': 'application/json' }, '{"meta_description":""}'))
      .text
    for (const size of [1_023, 1_024]) {
      const body = JSON.stringify({ meta_description: 'x'.repeat(size - length) })
      await inject('PUT', small, { 'content-type': 'application/json' }, body)
      const { headers } = await inject('GET', small, { 'accept-encoding': 'gzip' })
      sizes.push([(await inject('GET', small, {})).bytes.length, headers['content-encoding']])
    }
    expect(sizes).toEqual([
      [1_023, undefined],
      [1_024, 'gzip'],
    ])
  })

  test('is used for the answer to a write and for a long refusal too', async () => {
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
    const description = JSON.stringify({ meta_description: 'x'.repeat(2_000) })
    expect((await inject('PUT', small, headers, description)).headers['content-encoding']).toBe('gzip')
    const mistakes = JSON.stringify({ meta_keywords: Array(100).fill(5) })
    const { status, headers: answered, bytes } = await inject('PUT', small, headers, mistakes)
    expect({ status, encoding: answered['content-encoding'] }).toEqual({ status: 422, encoding: 'gzip' })
    expect(Object.keys(JSON.parse(gunzipSync(bytes).toString()).errors)).toHaveLength(100)
  })
})
