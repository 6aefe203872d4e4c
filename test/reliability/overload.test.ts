import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  asAdministrator,
  ask,
  clientOf,
  everyBrand,
  figure,
  handlesOf,
  headOf,
  isFull,
  memoryOf,
  percentile,
  type Raw,
  rawConnection,
  sharedServers,
  sized,
  timeUntil,
  until,
} from './rig.ts'

const options = { timeout: 300_000 }
const openShop = sharedServers()

test(
  'C-050: idle connections are accepted up to the limit and refused past it, and live ones are served',
  options,
  async () => {
    const max = sized(10_000, 200)
    const { server, shop } = await openShop({ CONNECTIONS_MAX: String(max) })
    const call = clientOf(server, shop, 1)
    expect((await call('POST', '/catalog/brands', { name: 'first' })).status).toBe(200)

    const open: Raw[] = []
    while (open.length < max - 1) {
      const next = Array.from({ length: Math.min(200, max - 1 - open.length) }, () => rawConnection(server))
      for (const { socket } of next) socket.write('GET /healthz HTTP/1.1\r\nhost: storeward\r\n\r\n')
      await until('they are answered', () => next.every(({ heard }) => heard().startsWith('HTTP/1.1 200 ')))
      open.push(...next)
    }
    const handles = handlesOf(server.pid)
    expect(handles).toBeLessThan(max + 256)

    const more = Array.from({ length: 50 }, () => rawConnection(server))
    for (const { socket } of more) socket.write('GET /healthz HTTP/1.1\r\nhost: storeward\r\n\r\n')
    await until('those past the limit are closed', () => more.every(({ isClosed }) => isClosed()))
    expect(more.map(({ heard }) => heard()).join('')).toBe('')
    expect(open.every(({ isClosed }) => !isClosed())).toBe(true)
    expect((await call('GET', '/catalog/brands/1')).status).toBe(200)

    for (const { socket } of open) socket.destroy()
    await until('the next is accepted again', () =>
      ask(server.url, 'GET', '/healthz').then(
        () => true,
        () => false,
      ),
    )
    figure('C-050', `${max} idle connections, ${handles} handles; 50 more refused, those that live were served`)
  },
)

test.each(['with a length', 'in chunks'])(
  'C-051: a body of 100 MB %s is 413 early, and takes little memory',
  options,
  async (how) => {
    const { server, shop } = await openShop()
    const isChunked = how === 'in chunks'
    const head = headOf(shop, 'POST', '/catalog/brands', {
      'content-type': 'application/json',
      ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': 100_000_000 }),
    })
    const bytes = Buffer.alloc(64 * 1024, 'x')
    const piece = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), bytes, Buffer.from('\r\n')]) : bytes
    const flood = async () => {
      const { socket, heard, isClosed } = rawConnection(server)
      socket.write(head)
      const began = performance.now()
      for (let sent = 0; sent < 100_000_000 && socket.writable; sent += bytes.length) {
        if (!socket.write(piece)) await new Promise((go) => socket.once('drain', go).once('close', go))
      }
      await until('the connection is closed', isClosed)
      const read = socket.bytesWritten
      // Bytes that arrive after the answer reset the connection, and the client may then miss the answer.
      if (heard() !== '') expect(heard()).toMatch(/^HTTP\/1\.1 413 .*connection: close/s)
      return { read, heard: heard() !== '', ms: performance.now() - began }
    }
    for (let i = 0; i < 3; i++) await flood()
    const before = memoryOf(server.pid)
    const floods = []
    for (let i = 0; i < 5; i++) floods.push(await flood())
    const rise = memoryOf(server.pid) - before
    await until('all are in the log', () => server.printed().match(/"status":413/g)?.length === 8)
    expect(rise).toBeLessThan(64)
    expect(Math.max(...floods.map(({ ms }) => ms))).toBeLessThan(5_000)
    const sent = Math.max(...floods.map(({ read }) => read)) / 1024 / 1024
    figure(
      'C-051',
      `100 MB ${how}: 413 after at most ${sent.toFixed(1)} MiB sent, socket buffers included, and ` +
        `${Math.max(...floods.map(({ ms }) => ms)).toFixed(0)} ms; memory ${rise.toFixed(1)} MiB more after five; ` +
        `${floods.filter(({ heard }) => heard).length} of 5 raw clients heard it`,
    )
  },
)

test(
  'C-055: requests of clients that go away are 499 in the log, release everything, and their writes are made whole or not at all',
  options,
  async () => {
    const { server, shop } = await openShop()
    const call = clientOf(server, shop)
    await call('POST', '/catalog/brands', { name: 'first' })
    const count = sized(1_000, 100)
    const bodyOf = (i: number) => ({ name: `left ${i}`, page_title: `title ${i}` })

    // Some wait for a lock when they go, so they are certainly under way; the others go at any time.
    const waiting = await asAdministrator(server.folder, async (admin) => {
      await admin.query('begin')
      await admin.query('lock table brands in exclusive mode')
      const connections = Array.from({ length: 5 }, (_, i) => leaving(i))
      await until('they wait for the lock', async () => {
        const { rowCount } = await admin.query('select from pg_locks where not granted')
        return (rowCount ?? 0) >= connections.length
      })
      for (const { socket } of connections) socket.destroy()
      await until('the log has them', () => count499() === connections.length)
      await admin.query('rollback')
      return connections.length
    })
    await until('their writes are made', async () => (await everyBrand(call)).length === 1 + waiting)

    for (let i = waiting; i < count; i++) {
      const { socket } = leaving(i)
      socket.once('connect', () => setTimeout(() => socket.destroy(), Math.random() * 20))
      if (i % 50 === 0) await sleep(20)
    }
    const lines = () =>
      server.printed().match(/"route":"\/stores\/:store_hash\/v3\/catalog\/brands","status":\d+/g) ?? []
    await sleep(1_000)
    await until('nobody works for them any more', async () => (await busyBackends()) === 0)
    for (const brand of await everyBrand(call)) {
      if (brand.name !== 'first') expect(brand).toMatchObject(bodyOf(Number(brand.name.slice(5))))
    }
    expect(lines().filter((line) => !/(200|499|503)$/.test(line))).toEqual([])
    const replies = await Promise.all(Array.from({ length: 50 }, () => call('GET', '/catalog/brands?limit=1')))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const { rows } = await asAdministrator(server.folder, (admin) =>
      admin.query(`select count(*)::int as connections from pg_stat_activity where application_name = 'storeward'`),
    )
    // The pool, the two pipes and the pulse.
    expect(rows[0].connections).toBeLessThanOrEqual(8 + 2 + 1)
    figure(
      'C-055',
      `${count} clients that went away: ${count499()} of them 499 in the log, ${(await everyBrand(call)).length - 1} writes made, ` +
        `${rows[0].connections} connections to the database afterwards`,
    )

    function leaving(i: number): Raw {
      const raw = rawConnection(server)
      const body = JSON.stringify(bodyOf(i))
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      raw.socket.write(`${headOf(shop, 'POST', '/catalog/brands', headers)}${body}`)
      return raw
    }
    function count499() {
      return server.printed().match(/"status":499/g)?.length ?? 0
    }
    async function busyBackends() {
      const { rowCount } = await asAdministrator(server.folder, (admin) =>
        admin.query(`select from pg_stat_activity where usename = 'storeward' and state <> 'idle'`),
      )
      return rowCount
    }
  },
)

test(
  'C-056: with more slow lists than connections the rest is 503 soon, and all requests work when they are over',
  options,
  async () => {
    const { server, shop } = await openShop()
    const call = clientOf(server, shop, 1_000)
    await call('POST', '/catalog/brands', { name: 'first' })
    const lists = sized(500, 100)
    let [recovery, unready] = [0, 0]
    const replies = await asAdministrator(server.folder, async (admin) => {
      await admin.query('begin')
      await admin.query('lock table brands in access exclusive mode')
      const asked = Array.from({ length: lists }, () => call('GET', '/catalog/brands?name:like=first'))
      let done = false
      const probing = (async () => {
        while (!done) {
          if ((await ask(server.url, 'GET', '/readyz')).status !== 200) unready++
          await sleep(100)
        }
      })()
      // At full size, waits for the statement timeout, which ends even those that got a connection.
      if (isFull) await Promise.all(asked)
      else await until('most are refused', () => (server.printed().match(/"status":503/g)?.length ?? 0) >= lists - 20)
      await admin.query('rollback')
      recovery = await timeUntil('lists are served again', async () => {
        const next = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/catalog/brands')))
        return next.every(({ status }) => status === 200)
      })
      done = true
      await probing
      return Promise.all(asked)
    })
    const refused = replies.filter(({ status }) => status === 503)
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(refused.length).toBeGreaterThanOrEqual(lists - 20)
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ status: 503, errors: {} })
      expect(headers['retry-after']).toBe('1')
    }
    const waits = refused.map(({ ms }) => ms)
    expect(percentile(waits, 0.5)).toBeLessThan(isFull ? 2_000 : 6_000)
    expect(Math.max(...waits)).toBeLessThan(isFull ? 7_000 : 12_000)
    expect(recovery).toBeLessThan(isFull ? 1_000 : 5_000)
    expect(unready).toBe(0)
    figure(
      'C-056',
      `${lists} lists behind a lock: ${refused.length} were 503, half within ${percentile(waits, 0.5).toFixed(0)} ms, ` +
        `the last after ${Math.max(...waits).toFixed(0)} ms; recovered ${recovery.toFixed(0)} ms after the lock; always ready`,
    )
  },
)

test('P6: memory stays flat over many requests', options, async () => {
  const { server, shop } = await openShop()
  const call = clientOf(server, shop, 16)
  await call('POST', '/catalog/brands', { name: 'first' })
  const rounds = async (requests: number) => {
    let left = requests
    const clients = Array.from({ length: 16 }, async (_, client) => {
      while (left-- > 0) {
        const [method, path, body] = kinds[left % kinds.length] ?? ['GET', '/catalog/brands', undefined]
        await call(method, path, typeof body === 'function' ? body(client) : body)
      }
    })
    await Promise.all(clients)
  }
  const kinds: [string, string, ((client: number) => unknown)?][] = [
    ['GET', '/catalog/brands/1'],
    ['GET', '/catalog/brands?name:like=first'],
    ['GET', '/catalog/brands/999'],
    ['PUT', '/catalog/brands/1', () => ({ page_title: `changed ${Math.random()}` })],
    ['POST', '/catalog/brands', () => ({ name: '' })],
    ['GET', '/nowhere'],
    ['GET', '/catalog/brands?limit=999'],
  ]
  const requests = sized(50_000, 1_000)
  await rounds(sized(20_000, 1_000))
  const before = memoryOf(server.pid)
  const began = performance.now()
  await rounds(requests)
  const took = performance.now() - began
  const after = memoryOf(server.pid)
  expect(after - before).toBeLessThan(80)
  figure(
    'P6',
    `${requests} requests in ${(took / 1_000).toFixed(1)} s: memory from ${before.toFixed(0)} to ${after.toFixed(0)} MiB, ` +
      `${handlesOf(server.pid)} handles`,
  )
})
