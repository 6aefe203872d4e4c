import { expect, test } from 'vitest'
import {
  asAdministrator,
  type Client,
  clientOf,
  figure,
  headOf,
  isAlive,
  isFull,
  memoryOf,
  percentile,
  type Raw,
  rawConnection,
  type ServerProcess,
  sharedServers,
  sized,
  timeUntil,
  until,
} from './rig.ts'

// At full size with the default times of the settings.
const HEADERS_SECONDS = sized(10, 2)
const REQUEST_SECONDS = sized(30, 3)
const IDLE_SECONDS = sized(60, 3)
const env = {
  HEADERS_SECONDS: String(HEADERS_SECONDS),
  REQUEST_SECONDS: String(REQUEST_SECONDS),
  IDLE_SECONDS: String(IDLE_SECONDS),
}
// The server checks its connections once a second; the rest is for a busy machine.
const LATE_MS = sized(3_000, 8_000)
const SLOW = sized(2_000, 300)
const READERS = sized(300, 30)
const options = { timeout: 300_000 }
const openShop = sharedServers()

test(
  'C-047: heads that arrive at a byte a second are closed by time, and other clients hardly notice',
  options,
  async () => {
    const { server, shop } = await openShop(env)
    const call = clientOf(server, shop)
    await call('POST', '/catalog/brands', { name: 'first' })
    await latencyOf(call)
    const before = await latencyOf(call)

    const slow = Array.from({ length: SLOW }, () => rawConnection(server))
    const head = headOf(shop, 'GET', '/catalog/brands')
    const drip = dripInto(slow, head)
    await until('all are connected', () => slow.every(({ socket }) => !socket.connecting))
    const among = await latencyOf(call)
    await until('all slow connections are closed', () => slow.every(({ isClosed }) => isClosed()), 60_000)
    drip.stop()
    // On a busy machine two measurements of the same thing differ, so there are two.
    const alone = Math.max(before, await latencyOf(call))

    const lives = slow.map(({ life }) => life())
    expect(Math.max(...lives)).toBeLessThan(HEADERS_SECONDS * 1_000 + LATE_MS)
    // A client that is cut off in the middle of a byte may miss the answer.
    expect(slow.filter(({ heard }) => heard().startsWith('HTTP/1.1 408 ')).length).toBeGreaterThan(SLOW * 0.9)
    expect(among).toBeLessThan(isFull ? Math.max(2 * alone, 50) : Math.max(10 * alone, 2_000))
    figure(
      'C-047',
      `${SLOW} connections at a byte a second, closed after ${seconds(lives)}; p99 of others ${alone.toFixed(1)} ms alone, ` +
        `${among.toFixed(1)} ms among them`,
    )
  },
)

test(
  'C-048: bodies that arrive at a byte a second are 408 by time, and hold no connection of the database',
  options,
  async () => {
    const { server, shop } = await openShop(env)
    const call = clientOf(server, shop)
    const body = JSON.stringify({ name: 'never whole', meta_description: 'x'.repeat(1_000) })
    const head = headOf(shop, 'POST', '/catalog/brands', {
      'content-type': 'application/json',
      'content-length': body.length,
    })
    const slow = Array.from({ length: sized(200, 50) }, () => rawConnection(server))
    for (const { socket } of slow) socket.write(head)
    const drip = dripInto(slow, body)
    await until('the bodies begin', () => slow.every(({ socket }) => socket.bytesWritten > head.length + 1))

    const busy = await asAdministrator(server.folder, (admin) =>
      admin.query(`select from pg_stat_activity where usename = 'storeward' and state <> 'idle'`),
    )
    expect(busy.rowCount).toBe(0)
    expect((await call('POST', '/catalog/brands', { name: 'meanwhile' })).status).toBe(200)
    await until('all slow connections are closed', () => slow.every(({ isClosed }) => isClosed()), 60_000)
    drip.stop()

    const lives = slow.map(({ life }) => life())
    expect(Math.max(...lives)).toBeLessThan(REQUEST_SECONDS * 1_000 + LATE_MS)
    for (const { heard } of slow) {
      const [answer = '', text = ''] = heard().split('\r\n\r\n')
      expect(answer).toMatch(/^HTTP\/1\.1 408 .*connection: close/s)
      expect(JSON.parse(text)).toMatchObject({ status: 408, errors: {} })
    }
    expect((await call('GET', '/catalog/brands')).body.meta.pagination.total).toBe(1)
    figure('C-048', `${slow.length} bodies at a byte a second: 408 and closed after ${seconds(lives)}`)
  },
)

test(
  'C-048: large unfinished bodies take bounded memory, and bodies sent at the same time arrive',
  options,
  async () => {
    const { server, shop } = await openShop()
    const call = clientOf(server, shop)
    const piece = 'x'.repeat(4_000_000)
    const head = headOf(shop, 'POST', '/catalog/brands', {
      'content-type': 'application/json',
      'content-length': 4_194_304,
    })
    const before = memoryOf(server.pid)
    const memory = watchMemory(server)
    const slow: Raw[] = []
    for (let i = 0; i < sized(200, 80); i++) {
      const raw = rawConnection(server)
      raw.socket.write(head + piece)
      slow.push(raw)
      await until('the server has taken what there is', () => raw.socket.writableLength === 0 || raw.isClosed())
    }
    // At most 256 MiB of them may be unfinished: 64 bodies.
    await until('the first ones are closed', () => slow.filter(({ isClosed }) => isClosed()).length >= slow.length - 64)
    expect(slow.at(-1)?.isClosed()).toBe(false)
    const peak = memory.stop()
    expect(peak - before).toBeLessThan(800)
    const large = { name: 'large', meta_description: 'x'.repeat(65_535), search_keywords: 'y'.repeat(65_535) }
    expect((await call('POST', '/catalog/brands', large)).status).toBe(200)
    figure(
      'C-048',
      `${slow.length} bodies of 4 MiB but for their end: memory from ${before.toFixed(0)} to ${peak.toFixed(0)} MiB at most`,
    )
  },
)

test(
  'C-049: readers that never read a large answer are closed by time, and their answers take bounded memory',
  options,
  async () => {
    const { server, shop } = await openShop(env)
    const call = clientOf(server, shop)
    const text = 'x'.repeat(20_000)
    // A few at a time: the last of 250 would wait longer than this server keeps a silent connection.
    for (let i = 0; i < 250; i += 10) {
      const some = Array.from({ length: 10 }, (_, nth) => ({ name: `brand ${i + nth}`, meta_description: text }))
      await Promise.all(some.map((brand) => call('POST', '/catalog/brands', brand)))
    }
    const { text: answer } = await call('GET', '/catalog/brands?limit=250')
    const before = memoryOf(server.pid)

    const readers: Raw[] = []
    const memory = watchMemory(server)
    const given = () => server.printed().match(/"status":499/g)?.length ?? 0
    for (let i = 0; i < READERS; i++) {
      const reader = rawConnection(server)
      reader.socket.pause()
      reader.socket.write(headOf(shop, 'GET', '/catalog/brands?limit=250'))
      readers.push(reader)
      // One after the other, so that they fill the memory and not the queue for the database.
      await until('the answer has begun', () => reader.socket.bytesRead > 0 || reader.isClosed())
    }
    // At most 64 MiB of them may wait: the first are too many by now, the last may still read.
    const [first, last] = [readers.shift(), readers.pop()]
    first?.socket.resume()
    last?.socket.resume()
    await until('the last reader has the whole answer', () => last?.heard().endsWith(answer))
    await until('the first one is closed', () => first?.isClosed())
    expect(first?.heard().length).toBeLessThan(answer.length)
    last?.socket.destroy()
    const took = await timeUntil(
      'the server has given all readers up',
      () => given() === READERS - 1,
      IDLE_SECONDS * 3_000 + 60_000,
    )
    const peak = memory.stop()
    for (const { socket } of readers) socket.resume()
    await until('the readers see it', () => readers.every(({ isClosed }) => isClosed()))
    // A stalled writer is noticed at the second check, so it may take twice the time.
    expect(took).toBeLessThan(IDLE_SECONDS * 2_000 + LATE_MS)
    for (const { heard } of readers) expect(heard().length).toBeLessThan(answer.length)
    // Garbage from making the answers comes on top of the 64 MiB, and is collected late.
    expect(peak - before).toBeLessThan(800)
    // The connections of the client have been idle for too long too.
    expect((await clientOf(server, shop)('GET', '/catalog/brands?limit=250')).text).toBe(answer)
    figure(
      'C-049',
      `${READERS} readers of ${mebibytes(answer.length)}: memory from ${before.toFixed(0)} to ${peak.toFixed(0)} MiB at most, ` +
        `the last closed after ${(took / 1_000).toFixed(1)} s`,
    )
  },
)

/** The highest memory of a process from now on, in MiB. */
function watchMemory({ pid }: ServerProcess) {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, isAlive(pid) ? memoryOf(pid) : 0)
  }, 50)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

/** Writes each text a byte a second to all connections that are still open. */
function dripInto(connections: Raw[], text: string) {
  let place = 0
  const write = () => {
    for (const { socket } of connections) if (socket.writable) socket.write(text[place % text.length] ?? '')
    place++
  }
  write()
  const timer = setInterval(write, 1_000)
  return { stop: () => clearInterval(timer) }
}

/** The 99th percentile of reads and lists by a few ordinary clients, in milliseconds. */
async function latencyOf(call: Client): Promise<number> {
  const times: number[] = []
  const clients = Array.from({ length: 4 }, async () => {
    for (let i = 0; i < sized(500, 50); i++) {
      const { status, ms } = await call('GET', i % 2 ? '/catalog/brands/1' : '/catalog/brands?limit=10')
      expect(status).toBe(200)
      times.push(ms)
    }
  })
  await Promise.all(clients)
  return percentile(times, 0.99)
}

const seconds = (times: number[]) =>
  `${(Math.min(...times) / 1_000).toFixed(1)} to ${(Math.max(...times) / 1_000).toFixed(1)} s`

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
