import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../../test/servers/certificate.ts'
import { Sender } from './sender.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const BODY = '{"scope":"store/order/created","note":"für alle"}'
const MIB = 1024 * 1024

const origins = ['http', 'https'].flatMap((scheme) =>
  ['receiver.test', 'elsewhere.test', 'nowhere.test', '127.0.0.1', '[::1]'].map((host) => `${scheme}://${host}:*`),
)
const loopback = (answers: string[][] = [['127.0.0.1']]) => {
  const asked: string[] = []
  const addresses = new Addresses(['127.0.0.1/32'], async (host) => {
    asked.push(host)
    if (host === 'nowhere.test') throw new Error('ENOTFOUND')
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  })
  return { policy: { addresses, origins }, asked }
}

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function sender(limits: ConstructorParameters<typeof Sender>[1] = {}, { policy } = loopback()): Sender {
  const made = new Sender(policy, { exchangeMs: 5_000, ...limits })
  open.push(made)
  return made
}

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, host), 'listening')
  open.unshift({
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const at = (port: number, { scheme = 'http', host = 'receiver.test', path = '/hook?a=b%20c' } = {}) => ({
  destination: `${scheme}://${host}:${port}${path}`,
  headers: { 'webhook-id': 'evt_1', 'X-Own': 'yes' },
  body: BODY,
})

/** Sends to an HTTP receiver with this answer. */
async function answered(listener: RequestListener, limits = {}) {
  const port = await listen(createHttpServer(listener))
  return sender(limits).send(at(port), NOW)
}

/** Sends to a receiver that handles the bare connection after the request. */
async function treated(onRequest: (socket: Socket) => void, limits = {}) {
  const port = await listen(createServer((socket) => socket.once('data', () => onRequest(socket))))
  return sender(limits).send(at(port), NOW)
}

const say = (status: number, headers: Record<string, string> = {}, body?: string): RequestListener => {
  return (_, response) => response.writeHead(status, headers).end(body)
}

test('a callback arrives unchanged: method, path, headers and bytes', async () => {
  const received: unknown[] = []
  const outcome = await answered(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method, url, httpVersion, headers } = request
    received.push({ method, url, httpVersion, headers, body })
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Thank you.')
  })
  expect(outcome).toEqual({ ok: true, status: 200, excerpt: 'Thank you.' })
  expect(received).toEqual([
    {
      method: 'POST',
      url: '/hook?a=b%20c',
      httpVersion: '1.1',
      headers: {
        host: expect.stringMatching(/^receiver\.test:\d+$/),
        connection: 'keep-alive',
        'webhook-id': 'evt_1',
        'x-own': 'yes',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(BODY)),
      },
      body: BODY,
    },
  ])
})

test.each([200, 201, 202, 204, 226, 299])('status %s is a success', async (status) => {
  expect(await answered(say(status))).toEqual({ ok: true, status, excerpt: '' })
})

test.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599, 999])('status %s is a refusal', async (status) => {
  expect(await answered(say(status))).toMatchObject({ ok: false, reason: 'refused', status })
})

test('a refusal has status, excerpt and message', async () => {
  expect(await answered(say(500, {}, 'Out of order.'))).toEqual({
    ok: false,
    reason: 'refused',
    message: 'The receiver answered 500.',
    status: 500,
    excerpt: 'Out of order.',
  })
})

test.each([301, 302, 303, 307, 308])('a redirect is never followed: %s', async (status) => {
  let visits = 0
  const elsewhere = await listen(createHttpServer((_, response) => response.end(String(++visits))))
  const outcome = await answered(say(status, { location: `http://receiver.test:${elsewhere}/` }))
  expect(outcome).toMatchObject({
    reason: 'refused',
    status,
    message: `The receiver answered ${status}, and redirects are not followed.`,
  })
  expect(visits).toBe(0)
})

test('only 410 means gone', async () => {
  expect(await answered(say(410))).toMatchObject({ ok: false, isGone: true })
  expect(await answered(say(404))).not.toHaveProperty('isGone')
})

test.each([
  [429, '120', 120_000],
  [503, '0', 0],
  [503, '9'.repeat(400), Number.MAX_SAFE_INTEGER],
  [503, 'Sun, 01 Mar 2026 12:01:30 GMT', 90_000],
  [503, 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
  [503, 'soon', undefined],
  [503, '-5', undefined],
  [503, '1.5', undefined],
  [503, '', undefined],
  [500, '120', undefined],
  [301, '120', undefined],
])('%s with Retry-After "%s" waits %s ms', async (status, value, expected) => {
  const outcome = await answered(say(status, { 'retry-after': value }))
  expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(expected)
})

describe('the excerpt of an answer', () => {
  test.each([
    ['is the beginning of the answer', 'a'.repeat(5_000), 'a'.repeat(1_000)],
    ['counts characters, not bytes', '😀'.repeat(1_500), '😀'.repeat(1_000)],
    ['keeps line ends and tabs', 'a\r\n\tb', 'a\r\n\tb'],
    ['shows bytes that are no UTF-8 as what they are', Buffer.from([0x61, 0xe9, 0x62]), 'a\u{fffd}b'],
    ['leaves out a character that was cut', Buffer.from([0x61, 0xf0, 0x9f, 0x98]), 'a'],
    ['is empty for a null character', 'a\0b', ''],
    ['is empty for what is compressed', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), ''],
    ['is empty for what steers a terminal', 'a\u001b[2Jb', ''],
  ])('%s', async (_, body, excerpt) => {
    expect(await answered((_, response) => response.end(body))).toEqual({ ok: true, status: 200, excerpt })
  })
})

describe('the headers of an answer', () => {
  // Two of them are connection and content-length.
  const headers = (count: number): RequestListener => {
    return (_, response) => {
      response.sendDate = false
      for (let i = 0; i < count - 2; i++) response.setHeader(`x-${i}`, 'a'.repeat(8_192))
      response.shouldKeepAlive = false
      response.writeHead(200, { 'content-length': 0 }).end()
    }
  }

  test.each([
    ['64 headers, the longest that may be', headers(64)],
    ['a name of 64 bytes', say(200, { ['n'.repeat(64)]: 'a' })],
    ['a value of 8 KiB', say(200, { 'x-long': 'v'.repeat(8_192) })],
    [
      'an interim answer first',
      (_, response) => response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end()),
    ],
  ] satisfies [string, RequestListener][])('%s are a success', async (_, listener) => {
    expect(await answered(listener)).toMatchObject({ ok: true, status: 200 })
  })

  test.each([
    ['65 headers', headers(65), 'The answer has more than 64 headers.'],
    ['a name of 65 bytes', say(200, { ['n'.repeat(65)]: 'a' }), 'The answer has a header that is too long.'],
    ['a value over 8 KiB', say(200, { 'x-long': 'v'.repeat(8_193) }), 'The answer has a header that is too long.'],
  ])('%s are a failure', async (_, listener, message) => {
    expect(await answered(listener)).toEqual({ ok: false, reason: 'unreadable', message })
  })
})

describe('the body of an answer', () => {
  test('of 64 KiB is read, and the connection is kept', async () => {
    const ports = new Set<number | undefined>()
    const port = await listen(
      createHttpServer((request, response) => {
        ports.add(request.socket.remotePort)
        response.end('a'.repeat(64 * 1024))
      }),
    )
    const one = sender()
    for (let i = 0; i < 9; i++) expect(await one.send(at(port), NOW)).toMatchObject({ ok: true, status: 200 })
    // There are two if the next callback starts before undici has returned the first connection.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test.each([
    [200, { ok: true }],
    [500, { ok: false, reason: 'refused' }],
  ])('of 1 GB is cut, and status %s counts', async (status, expected) => {
    const cut = Promise.withResolvers<number>()
    const outcome = await answered((request, response) => {
      const { socket } = request
      socket.on('close', () => cut.resolve(socket.bytesWritten))
      response.writeHead(status, { 'content-length': 1024 * MIB })
      pour(response, Buffer.alloc(MIB, 'a'))
    })
    expect(outcome).toMatchObject({ ...expected, status, excerpt: 'a'.repeat(1_000) })
    // The kernel buffers of both sides are filled, although nobody reads them.
    expect(await cut.promise).toBeLessThan(32 * MIB)
  })

  test.each([
    ['breaks off', (socket: Socket) => socket.end(), {}],
    ['is reset', (socket: Socket) => socket.resetAndDestroy(), {}],
    // Long enough for a busy machine to read the status first.
    ['hangs', () => {}, { exchangeMs: 2_000 }],
  ])('that %s does not revoke a 2xx', async (_, then, limits) => {
    const outcome = await treated(
      (socket) =>
        socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 1000\r\n\r\nThanks', () => setImmediate(then, socket)),
      limits,
    )
    expect(outcome).toMatchObject({ ok: true, status: 202 })
  })
})

describe('a receiver without an answer', () => {
  test('times out', async () => {
    const outcome = await answered(() => {}, { exchangeMs: 200 })
    expect(outcome).toEqual({ ok: false, reason: 'timeout', message: 'There was no answer within 0.2 s.' })
  })

  test('times out, even if it sends a byte of its headers now and then', async () => {
    const outcome = await treated(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
        const drip = setInterval(() => socket.write('a'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      { exchangeMs: 300 },
    )
    expect(outcome).toMatchObject({ reason: 'timeout' })
  })

  test('delays the sixth callback by no more than its own time-out', async () => {
    const port = await listen(createHttpServer(() => {}))
    const one = sender({ exchangeMs: 300 })
    // Five connections hang. Those that wait for one would end after a second time-out if theirs began only then. The timer is in
    // the same event loop, so a busy machine delays it as well.
    const sent = Promise.all(Array.from({ length: 12 }, () => one.send(at(port), NOW)))
    const outcomes = await Promise.race([sent, sleep(500, [])])
    expect(outcomes.map((outcome) => !outcome.ok && outcome.reason)).toEqual(Array(12).fill('timeout'))
  })

  test('that never finishes the TLS handshake times out earlier', async () => {
    const port = await listen(createServer(() => {}))
    const outcome = await sender({ connectMs: 100 }).send(at(port, { scheme: 'https' }), NOW)
    expect(outcome).toEqual({ ok: false, reason: 'timeout', message: 'There was no connection in time.' })
  })

  test.each([
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes amid the headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nx-a: b')],
  ])('that %s is unreachable', async (_, then) => {
    const outcome = await treated(then)
    expect(outcome).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/^The connection broke before an answer came \(\w+\)\.$/),
    )
  })

  test('that listens on no port is unreachable', async () => {
    const server = createServer()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    expect(await sender().send(at(port), NOW)).toEqual({
      ok: false,
      reason: 'unreachable',
      message: 'There is no connection (ECONNREFUSED).',
    })
  })

  test('without an address is unreachable', async () => {
    expect(await sender().send(at(80, { host: 'nowhere.test' }), NOW)).toEqual({
      ok: false,
      reason: 'unreachable',
      message: 'The host of the destination does not resolve.',
    })
  })
})

describe('an answer that is not HTTP is unreadable, and cut', () => {
  const endless = (head: string, chunk: string) => (socket: Socket) => {
    socket.write(head)
    pour(socket, Buffer.from(chunk.repeat(Math.ceil((64 * 1024) / chunk.length))))
  }

  test.each([
    ['another protocol', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
    ['a header without a colon', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n')],
    [
      'two lengths',
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'),
    ],
    ['a status of 99', (socket: Socket) => socket.write('HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n')],
    ['a status of 0', (socket: Socket) => socket.write('HTTP/1.1 000 Low\r\ncontent-length: 0\r\n\r\n')],
    ['a change of protocol to none', (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['headers without end', endless('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n')],
    ['a header without end', endless('HTTP/1.1 200 OK\r\nx-a: ', 'b')],
    ['a name without end', endless('HTTP/1.1 200 OK\r\n', 'b')],
    ['a status line without end', endless('HTTP/1.1 200 ', 'a')],
    ['interim answers without end', endless('', 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n')],
    ['line ends without end', endless('', '\r\n')],
  ])('%s', async (_, onRequest) => {
    const cut = Promise.withResolvers<number>()
    const outcome = await treated((socket) => {
      socket.on('close', () => cut.resolve(socket.bytesWritten))
      onRequest(socket)
    })
    expect(outcome).toMatchObject({ ok: false, reason: 'unreadable' })
    expect(await cut.promise).toBeLessThan(32 * MIB)
  })

  test.each([
    ['extensions of a chunk without end', endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'a')],
    ['trailers without end', endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'x-a: b\r\n')],
  ])('%s after the answer are cut too', async (_, onRequest) => {
    const cut = Promise.withResolvers<number>()
    const outcome = await treated((socket) => {
      socket.on('close', () => cut.resolve(socket.bytesWritten))
      onRequest(socket)
    })
    expect(outcome).toMatchObject({ ok: true, status: 200 })
    expect(await cut.promise).toBeLessThan(32 * MIB)
  })

  test.each([
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    ['an invitation to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('an unrequested %s ends the exchange', async (_, text) => {
    expect(await treated((socket) => socket.write(text))).toMatchObject({ ok: false, reason: 'unreachable' })
  })

  test('an unrequested second answer is not taken for the answer to the next callback', async () => {
    const port = await listen(
      createServer((socket) =>
        socket.on('data', () => {
          socket.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 Planted\r\ncontent-length: 0\r\n\r\n')
        }),
      ),
    )
    const one = sender()
    for (let i = 0; i < 3; i++) expect(await one.send(at(port), NOW)).toMatchObject({ ok: false, status: 500 })
  })
})

describe('TLS', () => {
  const ca = TEST_CERTIFICATE
  const secure = (listener: RequestListener = say(204)) =>
    listen(createHttpsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, listener))
  const https = { scheme: 'https' }

  test('succeeds with a certificate of a known authority for the host', async () => {
    expect(await sender({ ca }).send(at(await secure(), https), NOW)).toEqual({
      ok: true,
      status: 204,
      excerpt: '',
    })
  })

  test('fails with a self-signed certificate, even if the environment allows it', async () => {
    const given = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await sender().send(at(await secure(), https), NOW)).toEqual({
        ok: false,
        reason: 'unreachable',
        message: 'There is no connection (DEPTH_ZERO_SELF_SIGNED_CERT).',
      })
    } finally {
      if (given === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = given
    }
  })

  test('fails with the certificate of another host', async () => {
    const outcome = await sender({ ca }).send(at(await secure(), { ...https, host: 'elsewhere.test' }), NOW)
    expect(outcome).toMatchObject({
      reason: 'unreachable',
      message: 'There is no connection (ERR_TLS_CERT_ALTNAME_INVALID).',
    })
  })

  test('fails with a receiver of plain HTTP', async () => {
    const port = await listen(createHttpServer(say(200)))
    expect(await sender().send(at(port, https), NOW)).toMatchObject({ ok: false, reason: 'unreachable' })
  })

  test('also cuts an endless answer', async () => {
    const cut = Promise.withResolvers<number>()
    const port = await secure((request) => {
      const { socket } = request
      socket.on('close', () => cut.resolve(socket.bytesWritten))
      pour(socket, Buffer.from('\r\n'.repeat(32 * 1024)))
    })
    expect(await sender({ ca }).send(at(port, https), NOW)).toMatchObject({ reason: 'unreadable' })
    expect(await cut.promise).toBeLessThan(32 * MIB)
  })
})

describe('connections', () => {
  const counting = async () => {
    const sockets = new Set<Socket>()
    const server = createHttpServer((_, response) => response.end())
    server.on('connection', (socket) => sockets.add(socket))
    return { port: await listen(server), sockets }
  }

  test('are used again, one after another', async () => {
    const { port, sockets } = await counting()
    const { policy, asked } = loopback()
    const one = sender({}, { policy, asked })
    for (let i = 0; i < 20; i++) await one.send(at(port), NOW)
    expect(sockets.size).toBeLessThanOrEqual(2)
    expect(asked.length).toBe(sockets.size)
  })

  test('are limited to five for each origin', async () => {
    const { port, sockets } = await counting()
    const one = sender()
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => one.send(at(port), NOW)))
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
    expect(sockets.size).toBe(5)
  })

  test('are opened again after one broke', async () => {
    let turn = 0
    const port = await listen(
      createHttpServer((request, response) => {
        if (++turn % 2 === 0) request.socket.destroy()
        else response.end()
      }),
    )
    const one = sender()
    const results: boolean[] = []
    for (let i = 0; i < 6; i++) results.push((await one.send(at(port), NOW)).ok)
    expect(results).toEqual([true, false, true, false, true, false])
  })

  test('do not add the bytes of many answers up', async () => {
    const port = await listen(createHttpServer((_, response) => response.end('a'.repeat(60_000))))
    const one = sender()
    for (let i = 0; i < 60; i++) expect(await one.send(at(port), NOW)).toMatchObject({ ok: true })
  })

  test('finish their work when the sender closes', async () => {
    const arrived = Promise.withResolvers<ServerResponse>()
    const port = await listen(createHttpServer((_, response) => arrived.resolve(response)))
    const one = new Sender(loopback().policy)
    const sent = one.send(at(port), NOW)
    const response = await arrived.promise
    const closed = one.close()
    response.end('late')
    expect(await sent).toEqual({ ok: true, status: 200, excerpt: 'late' })
    await closed
  })
})

describe('a forbidden address', () => {
  /** A server that must not be reached, on an address outside the allowed subnet and a shared port. */
  const canaryBeside = async () => {
    const { port, allowed } = await inTwoPlaces(say(200))
    return { port, touched: allowed.touched }
  }

  async function inTwoPlaces(listener: RequestListener) {
    const touched: (string | undefined)[] = []
    const canary = createServer((socket) => touched.push(socket.localAddress))
    const port = await listen(canary, '127.0.0.2')
    await listen(createHttpServer(listener), '127.0.0.1', port)
    return { port, allowed: { touched } }
  }

  const FORBIDDEN = {
    ok: false,
    reason: 'forbidden',
    message: 'The host of the destination does not resolve to a public address.',
  }

  test('is reached neither by its name nor as a literal', async () => {
    const { port, touched } = await canaryBeside()
    const { policy } = loopback([['127.0.0.2']])
    const strict = {
      addresses: policy.addresses,
      origins: [...origins, 'http://127.0.0.2:*', 'http://[::ffff:7f00:2]:*'],
    }
    const one = sender({}, { policy: strict, asked: [] })
    for (const host of ['receiver.test', '127.0.0.2', '127.2', '2130706434', '[::ffff:127.0.0.2]', '①②⑦.⓪.⓪.②']) {
      expect(await one.send(at(port, { host }), NOW)).toEqual(FORBIDDEN)
    }
    expect(touched).toEqual([])
  })

  test('is skipped for an allowed one', async () => {
    const { port, touched } = await canaryBeside()
    const one = sender({}, loopback([['127.0.0.2', '10.0.0.1', '127.0.0.1']]))
    expect(await one.send(at(port), NOW)).toMatchObject({ ok: true })
    expect(touched).toEqual([])
  })

  test('is not reached by a name that resolves differently the second time', async () => {
    const { port, allowed } = await inTwoPlaces((_, response) => response.setHeader('connection', 'close').end())
    const { policy, asked } = loopback([['127.0.0.1'], ['127.0.0.2']])
    const one = sender({}, { policy, asked })
    expect(await one.send(at(port), NOW)).toMatchObject({ ok: true, status: 200 })
    expect(asked.length).toBe(1)
    // The first connection is closed by now; the second resolves and checks the name again.
    expect(await one.send(at(port), NOW)).toEqual(FORBIDDEN)
    expect(asked.length).toBe(2)
    expect(allowed.touched).toEqual([])
  })
})

test.each([
  [
    'http',
    'http://93.184.216.34/',
    'The destination must begin with https://, unless WEBHOOK_ORIGINS allows it otherwise.',
  ],
  [
    'another port',
    'https://93.184.216.34:8443/',
    'The destination must use port 443, unless WEBHOOK_ORIGINS allows it otherwise.',
  ],
  ['what is no address', 'nonsense', 'The destination must be an address such as https://example.com/webhooks.'],
])('a destination that settings no longer allow is not called: %s', async (_, destination, message) => {
  const strict = { addresses: new Addresses([]), origins: [] }
  const outcome = await sender({}, { policy: strict, asked: [] }).send({ destination, headers: {}, body: BODY }, NOW)
  expect(outcome).toEqual({ ok: false, reason: 'forbidden', message })
})

test.each([
  ['a line end in a header', { 'x-own': 'a\r\nb: c' }],
  ['a header with a blank in its name', { 'x own': 'a' }],
])('our own mistakes are thrown: %s', async (_, headers) => {
  const port = await listen(createHttpServer(say(200)))
  await expect(sender().send({ ...at(port), headers }, NOW)).rejects.toThrow(/header/)
})

afterAll(() => expect(open).toEqual([]))

/** Writes until the other side cuts the connection. */
function pour(to: Socket | ServerResponse, chunk: Buffer) {
  const more = () => {
    while (!to.destroyed && to.write(chunk));
  }
  to.on('drain', more).on('error', () => {})
  more()
}
