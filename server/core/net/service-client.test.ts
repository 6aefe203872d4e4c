import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, test } from 'vitest'
import { Addresses } from './addresses.ts'
import { ServiceClient } from './service-client.ts'

/** The path of a request decides about the answer. */
const answers: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>> = {
  '/echo': (response, request) =>
    request
      .setEncoding('utf8')
      .toArray()
      .then((parts) => response.end(JSON.stringify({ headers: request.headers, body: parts.join('') }))),
  '/empty': (response) => response.end(),
  '/refused': (response) => response.writeHead(401).end('{}'),
  '/moved': (response) => response.writeHead(302, { location: '/echo' }).end('{}'),
  '/text': (response) => response.end('not JSON'),
  '/full': (response) => response.end(JSON.stringify('x'.repeat(1024 * 1024 - 2))),
  '/long': (response) => response.end(JSON.stringify('x'.repeat(1024 * 1024 - 1))),
  '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
  '/broken': (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  '/silent': () => {},
  '/held': (response) => response.write(' '.repeat(1024 * 1024 - 1)),
  '/slow': (response) => response.write('{'),
}
const server = createServer((request, response) => answers[request.url ?? '']?.(response, request))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
const url = (path: string) => `http://127.0.0.1:${port}${path}`

const client = new ServiceClient({
  addresses: new Addresses(['127.0.0.0/8'], async () => ['10.0.0.1']),
  origins: ['http://127.0.0.1:*', 'http://inner.test'],
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await client.close()
})

const post = (to: string, totalMs = 60_000) =>
  client.post({ kind: 'carrier_rate', url: to, headers: { authorization: 'Basic eDp5' }, body: { a: 1 }, totalMs })

describe('a service', () => {
  test('gets JSON with the headers, and its answer is read', async () => {
    expect(await post(url('/echo'))).toMatchObject({
      ok: true,
      status: 200,
      body: {
        headers: { authorization: 'Basic eDp5', 'content-type': 'application/json; charset=utf-8' },
        body: '{"a":1}',
      },
    })
    expect(await post(url('/empty'))).toEqual({ ok: true, status: 200, body: undefined })
    expect(await post(url('/refused'))).toEqual({ ok: true, status: 401, body: {} })
    expect(await post(url('/full'))).toMatchObject({ ok: true })
  })

  test('can verify the signature of a body, each with an id of its own', async () => {
    const secret = 'shared by both'
    const ids = new Set<unknown>()
    for (const _ of [1, 2]) {
      const sent = await client.post({
        kind: 'carrier_rate',
        url: url('/echo'),
        headers: {},
        body: { a: 1 },
        totalMs: 60_000,
        secret,
      })
      const { headers, body } = Object(sent).body
      expect(new Webhook(Buffer.from(secret).toString('base64')).verify(body, headers)).toEqual({ a: 1 })
      ids.add(headers['webhook-id'])
    }
    expect(ids.size).toBe(2)
    expect(Object(await post(url('/echo'))).body.headers).not.toHaveProperty('webhook-signature')
  })

  test('is not followed to another address', async () => {
    expect(await post(url('/moved'))).toEqual({ ok: true, status: 302, body: {} })
  })

  test.each([
    ['text', '/text', 'unreadable'],
    ['more than 1 MiB', '/long', 'unreadable'],
    ['compressed bytes', '/zipped', 'unreadable'],
    ['half of an answer', '/broken', 'unreachable'],
  ])('that answers with %s has no answer (C-041)', async (_, path, reason) => {
    expect(await post(url(path))).toEqual({ ok: false, reason })
  })

  test.each(['/silent', '/slow'])('at %s has one time limit for everything', async (path) => {
    expect(await post(url(path), 50)).toEqual({ ok: false, reason: 'timeout' })
  })

  test.each([
    ['by http', 'http://tax.example.com'],
    ['at another port', 'https://tax.example.com:8443'],
    ['with a user', `http://a:b@127.0.0.1:${port}/echo`],
    ['at no address', 'tax.example.com'],
    ['at a private address', 'https://tax.example.com'],
    ['at a freed origin with a private address', 'http://inner.test'],
  ])('%s is not asked', async (_, to) => {
    expect(await post(to)).toEqual({ ok: false, reason: 'forbidden' })
  })

  test('that nobody runs is unreachable', async () => {
    const gone = createServer()
    gone.listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const place = gone.address()
    gone.close()
    await once(gone, 'close')
    const free = typeof place === 'object' ? place?.port : undefined
    expect(await post(`http://127.0.0.1:${free}/`)).toEqual({ ok: false, reason: 'unreachable' })
  })
})

describe('the calls of a client', () => {
  test('are counted by kind and outcome', async () => {
    const counted = new ServiceClient({ addresses: new Addresses(['127.0.0.0/8']), origins: ['http://127.0.0.1:*'] })
    const call = (to: string) => counted.post({ kind: 'tax_estimate', url: to, headers: {}, body: {}, totalMs: 60_000 })
    const running = call(url('/empty'))
    expect([...counted.calls.running]).toEqual([['tax_estimate', 1]])
    await running
    for (const path of ['/empty', '/refused', '/text']) await call(url(path))
    await call('http://10.0.0.1/')
    counted.calls.skip('carrier_rate')
    await counted.close()
    expect(counted.calls.ended().map(({ kind, outcome, count }) => [kind, outcome, count])).toEqual([
      ['tax_estimate', 'answered', 2],
      ['tax_estimate', 'refused', 1],
      ['tax_estimate', 'unreadable', 1],
      ['tax_estimate', 'forbidden', 1],
      ['carrier_rate', 'skipped', 1],
    ])
    expect([...counted.calls.running]).toEqual([['tax_estimate', 0]])
  })

  test('read at most 64 MiB at the same time: the next long answer is left unread', async () => {
    const ending = new AbortController()
    const limited = new ServiceClient({
      addresses: new Addresses(['127.0.0.0/8']),
      origins: ['http://127.0.0.1:*'],
      limit: () => ending.signal,
    })
    const call = (to: string) => limited.post({ kind: 'carrier_rate', url: to, headers: {}, body: {}, totalMs: 1 })
    const held = Array.from({ length: 65 }, () => call(url('/held')))
    expect(await Promise.race(held)).toEqual({ ok: false, reason: 'busy' })
    expect(await call(url('/empty'))).toMatchObject({ ok: true })
    ending.abort()
    const outcomes = await Promise.all(held)
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'busy')).toHaveLength(1)
    await limited.close()
  })
})
