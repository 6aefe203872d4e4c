import { once } from 'node:events'
import { METHODS as NODE_METHODS } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { METHODS } from './api.ts'

// Behaviour that needs a real connection: docs/contract/conventions.md sections 1, 8, 10 and 11 (C-051, C-054, C-061).

const KIB = 1024
const MIB = 1024 * KIB

let server: FastifyInstance
let port = 0
let shop: Shop
let accepted: Socket[] = []

beforeAll(async () => {
  const { installation, files } = await theHouse()
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0' })
  const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://shop.test')
  server = app.server
  server.server.on('connection', (socket) => accepted.push(socket))
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Ferm', meta_description: 'x'.repeat(2_000) })
})
afterAll(() => server.close())

interface Received {
  status: number
  headers: Record<string, string>
  body: string
  /** The bytes that the server had read of the connection in the end. */
  bytesRead: number
}

/** Sends bytes on a connection of their own, and reads until the server closes it. */
async function exchange(pieces: Iterable<string | Buffer>): Promise<Received> {
  accepted = []
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
  // A server that refuses a body may reset the connection on which it still comes.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  for (const piece of pieces) {
    if (!socket.writable) break
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    await turn()
  }
  await closed
  const text = Buffer.concat(received).toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...headers] = text.slice(0, end).split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((header) => [
        header.slice(0, header.indexOf(':')).toLowerCase(),
        header.slice(header.indexOf(':') + 1).trim(),
      ]),
    ),
    body: text.slice(end + 4),
    bytesRead: accepted[0]?.bytesRead ?? 0,
  }
}

const head = (method: string, path: string, headers: Record<string, string | number> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: shop.test',
    'Connection: close',
    `X-Auth-Token: ${shop.admin.access_token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

const at = (path: string) => `/stores/${shop.store.hash}/v3${path}`
const problem = (status: number, title: unknown = expect.any(String)) => ({
  status,
  title,
  type: `http://shop.test/docs/errors#${status}`,
  errors: {},
})

/** A refusal in the contract's shape, which closes nothing and has its request id. */
function expectProblem({ status, headers, body }: Received, expected: number, title?: string) {
  expect({ status, body: JSON.parse(body) }).toEqual({ status: expected, body: problem(expected, title) })
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
}

describe('a method', () => {
  const unsupported = NODE_METHODS.filter((method) => !METHODS.some((known) => known === method))

  test('that HTTP defines and the contract does not is 501: PATCH, TRACE, CONNECT and all the others', async () => {
    expect(unsupported).toEqual(expect.arrayContaining(['PATCH', 'TRACE', 'CONNECT', 'PROPFIND']))
    for (const method of unsupported) {
      expectProblem(await exchange([head(method, method === 'CONNECT' ? 'shop.test:443' : at('/catalog/brands'))]), 501)
    }
  })

  test.each(['FOO', 'get', 'GETS', 'BREW', 'OPTIONS2'])('that is unknown is 501: %s', async (method) => {
    expectProblem(await exchange([head(method, at('/catalog/brands'))]), 501)
  })

  test('that is known is routed: 200, 405 and 404', async () => {
    expect((await exchange([head('GET', at('/catalog/brands'))])).status).toBe(200)
    const wrong = await exchange([head('POST', at('/catalog/brands/1'))])
    expectProblem(wrong, 405)
    expect(wrong.headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
    expectProblem(await exchange([head('GET', at('/catalog/nothing'))]), 404)
  })
})

describe('an answer without a body', () => {
  test.each([
    ['HEAD', '/catalog/brands', {}, 200],
    ['HEAD', '/catalog/brands', { 'Accept-Encoding': 'gzip' }, 200],
    ['HEAD', '/catalog/brands/9', {}, 404],
    ['DELETE', '/catalog/brands?name=none', {}, 204],
    ['OPTIONS', '/catalog/brands', {}, 204],
    ['GET', '/catalog/brands/1/metafields/1', { 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' }, 304],
  ])('has not one byte: %s %s %j', async (method, path, headers, status) => {
    const metafield = { key: 'k', value: 'v', namespace: 'n', permission_set: 'read' }
    await shop.call('POST', '/catalog/brands/1/metafields', metafield)
    const answer = await exchange([head(method, at(path), headers as Record<string, string>)])
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: '' })
    if (method === 'HEAD') expect(Number(answer.headers['content-length'])).toBeGreaterThan(0)
  })
})

describe('an address', () => {
  test.each([
    '/catalog/brands/./1',
    '/catalog/brands/../brands',
    '/catalog/x/../brands',
    '/catalog/brands\\1',
    '/catalog/brands/1;x',
  ])('is taken literally: %s is 404', async (path) => {
    expectProblem(await exchange([head('GET', at(path))]), 404)
  })

  test('of 16 KiB and more is 414, at any length', async () => {
    for (const length of [17 * KIB, 31 * KIB, 33 * KIB, 60 * KIB]) {
      for (const path of ['/', '/catalog/brands?name=']) {
        expectProblem(await exchange([head('GET', at(path + 'a'.repeat(length)))]), 414)
      }
    }
  })
})

describe('headers', () => {
  test('of 32 KiB and more are 431, and of less are read', async () => {
    for (const length of [33 * KIB, 64 * KIB]) {
      expectProblem(await exchange([head('GET', at('/catalog/brands'), { 'X-Long': 'a'.repeat(length) })]), 431)
    }
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`X-Many-${i}`, 'a'.repeat(40)]))
    expectProblem(await exchange([head('GET', at('/catalog/brands'), many)]), 431)
    expect((await exchange([head('GET', at('/catalog/brands'), { 'X-Long': 'a'.repeat(30 * KIB) })])).status).toBe(200)
  })

  test.each([
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['two lengths', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na`],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a length that is no number', `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`],
  ])('with %s are 400', async (_, bytes) => {
    expectProblem(await exchange([bytes]), 400)
  })
})

describe('a request that another parser of HTTP could read differently', () => {
  const brand = (name: string) => `{"name":"${name}"}`
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const json = { 'Content-Type': 'application/json' }
  const create = (name: string) =>
    `${head('POST', at('/catalog/brands'), { ...json, 'Content-Length': brand(name).length })}${brand(name)}`
  const statuses = ({ status, body }: Received) => [
    status,
    ...[...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code)),
  ]
  const isThere = async (name: string) =>
    (await shop.call('GET', `/catalog/brands?name=${name}`)).body.data.length === 1

  test.each([
    ['chunks that are compressed too', 'Transfer-Encoding: gzip, chunked'],
    ['chunks of the identity', 'Transfer-Encoding: identity, chunked'],
    ['a coding that nobody knows', 'Transfer-Encoding: xchunked'],
    ['a coding behind the chunks', 'Transfer-Encoding: chunked, gzip'],
    ['two codings in two headers', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'],
    ['two addresses', `Transfer-Encoding: chunked\r\nHost: other.test`],
    ['the same address twice', `Transfer-Encoding: chunked\r\nhost: shop.test`],
  ])('is 400 and closes, and the bytes behind it are ignored: %s', async (what, header) => {
    const name = what.replaceAll(' ', '-')
    const open = head('POST', at('/catalog/brands'), json).replace('Connection: close', header)
    const answer = await exchange([`${open}${chunked(brand(name))}${create(`${name}-behind`)}`])
    expectProblem(answer, 400, 'Bad Request')
    expect(answer.headers.connection).toBe('close')
    expect(statuses(answer)).toEqual([400])
    expect([await isThere(name), await isThere(`${name}-behind`)]).toEqual([false, false])
  })

  test('is answered in its turn, after the ones before it', async () => {
    const first = head('GET', at('/catalog/brands/1')).replace('Connection: close\r\n', '')
    const second = head('GET', at('/catalog/brands')).replace('Connection: close', 'Host: other.test')
    expect(statuses(await exchange([`${first}${second}${first}`]))).toEqual([200, 400])
  })

  test('chunks alone are valid, in any case', async () => {
    const open = head('POST', at('/catalog/brands'), { ...json, 'Transfer-Encoding': 'Chunked' })
    expect((await exchange([`${open}${chunked(brand('in-chunks'))}`])).status).toBe(200)
  })

  test('a request for another protocol is answered in this one, and the connection closes: the bytes behind it are ignored', async () => {
    const asking = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' }
    const open = head('GET', at('/catalog/brands/1'), asking).replace('Connection: close\r\n', '')
    const answer = await exchange([`${open}${create('behind-upgrade')}`])
    expect(statuses(answer)).toEqual([200])
    expect(answer.headers.connection).toBe('close')
    expect(await isThere('behind-upgrade')).toBe(false)
  })
})

describe('a body of 100 MiB is 413 before it is read (C-051)', () => {
  /** The first whole answer: bytes that are still on their way when the connection closes reset it, and may cost the answer. */
  async function heard(pieces: () => Iterable<string | Buffer>): Promise<Received> {
    for (let tries = 1; ; tries++) {
      const answer = await exchange(pieces())
      if (answer.body !== '' || tries === 10) return answer
    }
  }

  const piece = Buffer.alloc(64 * KIB, 0x20)
  const json = { 'Content-Type': 'application/json' }

  test('when its length is declared', async () => {
    function* pieces() {
      yield head('POST', at('/catalog/brands'), { ...json, 'Content-Length': 100 * MIB })
      for (let sent = 0; sent < 100 * MIB; sent += piece.length) yield piece
    }
    const answer = await heard(pieces)
    expectProblem(answer, 413, 'The body is too large.')
    expect(answer.headers.connection).toBe('close')
    expect(answer.bytesRead).toBeLessThan(MIB)
  })

  test('when it comes in chunks', async () => {
    function* pieces() {
      yield head('POST', at('/catalog/brands'), { ...json, 'Transfer-Encoding': 'chunked' })
      for (let sent = 0; sent < 100 * MIB; sent += piece.length) {
        yield Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
      }
      yield '0\r\n\r\n'
    }
    const answer = await heard(pieces)
    expectProblem(answer, 413, 'The body is too large.')
    expect(answer.headers.connection).toBe('close')
    expect(answer.bytesRead).toBeGreaterThan(4 * MIB)
    expect(answer.bytesRead).toBeLessThan(5 * MIB)
  })

  test('and one of 4 MiB is read to its end', async () => {
    const body = `{"name":"large","x":"${'a'.repeat(4 * MIB - 23)}"}`
    expect(body.length).toBe(4 * MIB)
    const length = { ...json, 'Content-Length': body.length }
    expect((await exchange([head('POST', at('/catalog/brands'), length), body])).status).toBe(200)
    const longer = `${body} `
    const more = { ...json, 'Content-Length': longer.length }
    expect((await exchange([head('POST', at('/catalog/brands'), more), longer])).status).toBe(413)
  })
})

test('a refused upload of 2 MiB is read and dropped: its client hears the refusal and goes on with the connection', async () => {
  const form = () => {
    const data = new FormData()
    data.set('image_file', new Blob([new Uint8Array(2 * MIB)], { type: 'image/png' }), 'picture.png')
    return data
  }
  const upload = async (tries = 1): Promise<[number, string | null]> => {
    const headers = { 'X-Auth-Token': 'wrong' }
    const url = `http://127.0.0.1:${port}${at('/catalog/products/1/images')}`
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: form() })
      return [answer.status, answer.headers.get('connection')]
    } catch (error) {
      // On a busy machine the body can take longer than the two seconds for which the server reads on.
      if (tries === 10) throw error
      return upload(tries + 1)
    }
  }
  for (let i = 0; i < 5; i++) expect(await upload()).toEqual([401, 'keep-alive'])
})

test('a chunked body is like any other, also an empty one', async () => {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const request = head('POST', at('/catalog/brands'), headers)
  const chunks = ['9\r\n{"name":"\r\n', '8\r\nChunked"\r\n', '1\r\n}\r\n', '0\r\n\r\n']
  const answer = await exchange([request, ...chunks])
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body).data.name).toBe('Chunked')
  const empty = await exchange([request, '0\r\n\r\n'])
  expect({ status: empty.status, title: JSON.parse(empty.body).title }).toEqual({
    status: 400,
    title: 'The body is missing.',
  })
})
