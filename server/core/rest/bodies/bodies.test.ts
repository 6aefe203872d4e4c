import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

// Bodies while they arrive, on real connections: the memory that senders share (C-048).

const KIB = 1024
const LIST = '/catalog/brands'
const SIGN_IN = '/b2b/api/io/auth/customers'

const warnings: { holder: string; bytes: number; msg: string }[] = []
let server: FastifyInstance
let port = 0
let sockets: Socket[] = []

beforeAll(async () => {
  const { installation, files } = await theHouse()
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) })
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0' })
  const bodies = { storesMax: 300 * KIB, othersMax: 24 * KIB, perAddressMax: 4, othersMs: 300_000 }
  server = (await createApp({ ...installation, files, log, bodies }, config, 'http://shop.test')).server
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => server.close())

/** A connection that is written to by hand. */
async function open() {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  let isClosed = false
  socket.on('data', (bytes) => (text += bytes)).on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  await once(socket, 'connect')
  return {
    socket,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
    text: () => text,
    isClosed: () => isClosed,
  }
}

const head = (method: string, path: string, headers: Record<string, string | number>) =>
  `${[
    `${method} ${path} HTTP/1.1`,
    'host: storeward',
    'connection: close',
    ...Object.entries({ 'content-type': 'application/json', ...headers }).map((header) => header.join(': ')),
  ].join('\r\n')}\r\n\r\n`

const create = ({ store, admin }: Shop, headers: Record<string, string | number>) =>
  head('POST', `/stores/${store.hash}/v3${LIST}`, { 'x-auth-token': admin.access_token, ...headers })

const brand = (name: string, size: number) => {
  const open = `{"name":"${name}","x":"`
  return `${open}${'x'.repeat(size - open.length - 2)}"}`
}

/** Sends the head and the first bytes of a body, and waits until the server holds them. */
async function begin(shop: Shop, body: string, sent: number) {
  const connection = await open()
  const held = server.bodies.bytes
  connection.socket.write(create(shop, { 'content-length': body.length }) + body.slice(0, sent))
  await vi.waitUntil(() => server.bodies.bytes === held + sent, 60_000)
  return { ...connection, finish: () => connection.socket.write(body.slice(sent)) }
}

const answered = (connection: { status(): number; isClosed(): boolean }) =>
  vi.waitUntil(() => connection.isClosed() && connection.status(), 60_000)

async function release() {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await vi.waitUntil(() => server.bodies.bytes === 0, 60_000)
  warnings.length = 0
}

describe('a length that is declared', () => {
  test('counts nothing: the body of another sender arrives while any length is announced', async () => {
    const shop = await openShop()
    const honest = await begin(shop, brand('honest', 100 * KIB), 70 * KIB)
    for (const [path, status] of [
      ['/nowhere', 404],
      [`/stores/${shop.store.hash}/v3${LIST}`, 401],
      [SIGN_IN, 413],
    ] as const) {
      for (const length of [999_999_999, 300 * KIB]) {
        const attacker = await open()
        attacker.socket.write(head('POST', path, { 'content-length': length }))
        expect([path, await answered(attacker)]).toEqual([path, status])
      }
    }
    honest.finish()
    expect(await answered(honest)).toBe(200)
    expect(warnings).toEqual([])
    await release()
  })

  test('of an unknown path is 404 at once, before the body', async () => {
    const attacker = await open()
    attacker.socket.write(head('POST', '/nowhere', { 'content-length': 1_000 }))
    await vi.waitUntil(() => attacker.status() === 404, 60_000)
    expect(server.bodies.bytes).toBe(0)
    // The rest of the body has a moment to come, then the connection goes.
    await answered(attacker)
    await release()
  })
})

describe('bytes that have arrived', () => {
  test('past the bound cost the store that sends most its largest body, which is 503', async () => {
    const [greedy, other] = [await openShop(), await openShop()]
    const honest = await begin(other, brand('honest', 100 * KIB), 90 * KIB)
    const small = await begin(greedy, brand('small', 70 * KIB), 10 * KIB)
    const large = await begin(greedy, brand('large', 190 * KIB), 180 * KIB)
    const more = await open()
    more.socket.write(create(greedy, { 'content-length': 150 * KIB }) + brand('more', 150 * KIB))
    expect(await answered(large)).toBe(503)
    expect(large.text()).toMatch(/\r\nretry-after: 1\r\n/)
    expect(await answered(more)).toBe(200)
    for (const connection of [small, honest]) {
      connection.finish()
      expect(await answered(connection)).toBe(200)
    }
    expect(warnings).toEqual([
      expect.objectContaining({
        holder: expect.stringMatching(/^store \d+$/),
        bytes: 180 * KIB,
        cuts: 1,
        msg: 'bodies are refused: too many are on their way',
      }),
    ])
    await release()
  })

  test('of strangers never cost a store its body', async () => {
    const shop = await openShop()
    const honest = await begin(shop, brand('honest', 290 * KIB), 280 * KIB)
    const strangers: Awaited<ReturnType<typeof open>>[] = []
    for (let i = 0; i < 4; i++) {
      const stranger = await open()
      stranger.socket.write(head('POST', SIGN_IN, { 'content-length': 15 * KIB }) + 'x'.repeat(10 * KIB))
      strangers.push(stranger)
    }
    await vi.waitUntil(() => strangers.filter(({ status }) => status() === 503).length === 2, 60_000)
    expect(strangers.map(({ status }) => status())).toEqual([503, 503, 0, 0])
    honest.finish()
    expect(await answered(honest)).toBe(200)
    await release()
  })

  test('of a form that is read into memory count too', async () => {
    const shop = await openShop()
    expect((await shop.call('POST', LIST, { name: 'Ferm' })).status).toBe(200)
    const { payload, headers } = form('image_file', 'a.png', Buffer.alloc(280 * KIB))
    const upload = await open()
    upload.socket.write(
      head('POST', `/stores/${shop.store.hash}/v3${LIST}/1/image`, {
        ...headers,
        'x-auth-token': shop.admin.access_token,
        'content-length': payload.length,
      }),
    )
    upload.socket.write(payload.subarray(0, 200 * KIB))
    await vi.waitUntil(() => server.bodies.bytes > 100 * KIB, 60_000)
    const other = await open()
    other.socket.write(create(await openShop(), { 'content-length': 160 * KIB }) + brand('other', 160 * KIB))
    expect(await answered(upload)).toBe(503)
    expect(await answered(other)).toBe(200)
    await release()
  })
})

test('an address may have so many bodies on their way without a token: the oldest makes room', async () => {
  const strangers: Awaited<ReturnType<typeof open>>[] = []
  for (let i = 0; i < 6; i++) {
    const stranger = await open()
    stranger.socket.write(`${head('POST', SIGN_IN, { 'content-length': 1_000 })}{`)
    strangers.push(stranger)
    const held = Math.min(i + 1, 4)
    await vi.waitUntil(
      () => server.bodies.bytes === held && strangers.filter(({ status }) => status() === 503).length === i + 1 - held,
      60_000,
    )
  }
  expect(strangers.map(({ status }) => status())).toEqual([503, 503, 0, 0, 0, 0])
  await release()
})

test('a hundred bodies in chunks arrive at once', async () => {
  const shop = await openShop()
  const bodies = Array.from({ length: 100 }, (_, i) => brand(`chunked ${i}`, KIB))
  const connections = await Promise.all(
    bodies.map(async (body) => {
      const connection = await open()
      connection.socket.write(create(shop, { 'transfer-encoding': 'chunked' }))
      connection.socket.write(`${body.length.toString(16)}\r\n${body}\r\n`)
      return connection
    }),
  )
  await vi.waitUntil(() => server.bodies.bytes === 100 * KIB, 60_000)
  for (const { socket } of connections) socket.write('0\r\n\r\n')
  for (const connection of connections) expect(await answered(connection)).toBe(200)
  expect(warnings).toEqual([])
  await release()
})

test('a body in chunks of a byte is read whole', async () => {
  const shop = await openShop()
  const body = brand('bytes', 40 * KIB)
  const connection = await open()
  connection.socket.write(create(shop, { 'transfer-encoding': 'chunked' }))
  connection.socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)
  expect(await answered(connection)).toBe(200)
  expect(JSON.parse(connection.text().split('\r\n\r\n')[1] ?? '').data.name).toBe('bytes')
  await release()
})

/** Runs work against a server with other settings. */
async function withServer(settings: Record<string, string>, work: (other: FastifyInstance) => Promise<void>) {
  const { installation, files } = await theHouse()
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', ...settings })
  const log = pino({ level: 'silent' })
  const other = (await createApp({ ...installation, files, log }, config, 'http://shop.test')).server
  const own = port
  port = Number(new URL(await other.listen({ host: '127.0.0.1', port: 0 })).port)
  try {
    await work(other)
  } finally {
    port = own
    await other.close()
  }
}

test('a body that a stranger sends too slowly is 408', async () => {
  await withServer({ HEADERS_SECONDS: '1' }, async ({ bodies }) => {
    const stranger = await open()
    stranger.socket.write(`${head('POST', SIGN_IN, { 'content-length': 1_000 })}{`)
    expect(await answered(stranger)).toBe(408)
    expect(stranger.text()).toMatch(/\r\nconnection: close\r\n/)
    expect(bodies.bytes).toBe(0)
  })
})

describe('a sign-in', () => {
  test.each(['/io/auth/backend', '/io/auth/customers', '/v2/login', '/io/auth/customers/storefront'])(
    'of more than 16 KiB is 413 (%s)',
    async (path) => {
      const method = path.endsWith('/storefront') ? 'DELETE' : 'POST'
      const body = (size: number) => brand('x', size)
      for (const [size, isTooLarge] of [
        [16 * KIB, false],
        [16 * KIB + 1, true],
      ] as const) {
        const declared = await open()
        declared.socket.write(head(method, `/b2b/api${path}`, { 'content-length': size }) + body(size))
        expect((await answered(declared)) === 413).toBe(isTooLarge)
        const chunked = await open()
        const chunks = `${size.toString(16)}\r\n${body(size)}\r\n0\r\n\r\n`
        chunked.socket.write(head(method, `/b2b/api${path}`, { 'transfer-encoding': 'chunked' }) + chunks)
        expect((await answered(chunked)) === 413).toBe(isTooLarge)
      }
      await release()
    },
  )

  test('of an address with too many refused ones is 429 before its body is read, and other routes stay open', async () => {
    const shop = await openShop()
    await withServer({ FAILED_LOGINS_MAX: '2' }, async () => {
      for (const text of ['{"', '{}']) {
        const malformed = await open()
        malformed.socket.write(head('POST', SIGN_IN, { 'content-length': 2 }) + text)
        expect(await answered(malformed)).toBe(text === '{}' ? 422 : 400)
      }
      const barred = await open()
      barred.socket.write(head('POST', SIGN_IN, { 'content-length': 10 * KIB }))
      await vi.waitUntil(() => barred.status() === 429, 60_000)
      expect(barred.text()).toMatch(/\r\nretry-after: \d+\r\n/)
      const account = await open()
      account.socket.write(create(shop, { 'content-length': 40 }) + brand('open', 40))
      expect(await answered(account)).toBe(200)
    })
  })
})

test('an address that opens connections and sends no head loses the oldest; those that were used stay', async () => {
  await withServer({ CONNECTIONS_MAX: '16' }, async () => {
    const used = await open()
    used.socket.write('GET /healthz HTTP/1.1\r\nhost: storeward\r\n\r\n')
    await vi.waitUntil(() => used.status() === 200, 60_000)
    const silent = await Promise.all(Array.from({ length: 4 }, open))
    // Once these are a second old, each new one evicts the oldest.
    await vi.waitUntil(async () => {
      const more = await open()
      more.socket.destroy()
      return silent.every(({ isClosed }) => isClosed())
    }, 60_000)
    const stranger = await open()
    stranger.socket.write(head('GET', '/healthz', {}))
    expect(await answered(stranger)).toBe(200)
    expect(used.isClosed()).toBe(false)
  })
  await release()
})

test('a sender that disconnects releases its bytes', async () => {
  const shop = await openShop()
  const gone = await begin(shop, brand('gone', 100 * KIB), 70 * KIB)
  gone.socket.destroy()
  await vi.waitUntil(() => server.bodies.bytes === 0, 60_000)
})
