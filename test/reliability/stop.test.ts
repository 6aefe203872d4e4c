import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  asAdministrator,
  ask,
  clientOf,
  everyBrand,
  figure,
  isAlive,
  newFolder,
  openShop,
  postmasterOf,
  sized,
  startLoad,
  startServer,
  until,
} from './rig.ts'

const CLIENTS = sized(64, 16)

test('C-008: SIGTERM under load answers open requests, loses no acknowledged write and ends with code 0', {
  timeout: 300_000,
}, async () => {
  const { server, shop } = await openShop()
  const { folder } = server
  const load = startLoad(clientOf(server, shop, CLIENTS), CLIENTS)
  await until('the load runs', () => load.created.length > 100)
  const postmaster = postmasterOf(folder) ?? 0

  const began = performance.now()
  server.child.kill('SIGTERM')
  const code = await server.ended
  const took = performance.now() - began
  await load.stop()
  expect(code).toBe(0)
  expect(took).toBeLessThan(20_000)
  expect(isAlive(postmaster)).toBe(false)

  const late = load.samples.filter(({ at, ms, status }) => at < began && at + ms > began && status !== 0)
  // On a very busy machine the database may be busy too.
  expect(load.samples.filter(({ status }) => ![0, 200, 503].includes(status))).toEqual([])

  const lines = server.printed().match(/"status":200,/g)?.length
  expect(lines, 'every answer is in the log').toBe(load.samples.filter(({ status }) => status === 200).length)

  const again = await startServer(folder)
  const stored = new Map((await everyBrand(clientOf(again, shop))).map((brand) => [brand.id, brand]))
  for (const brand of load.created) expect(stored.get(brand.id)).toEqual(brand)
  figure(
    'C-008',
    `SIGTERM with ${CLIENTS} clients: exit code 0 after ${took.toFixed(0)} ms, ${late.length} answered meanwhile, ` +
      `${load.created.length} writes answered, 0 lost`,
  )
})

test('C-008: an open request is answered, though new connections are refused and idle ones closed', {
  timeout: 300_000,
}, async () => {
  const { server, shop } = await openShop()
  const { folder } = server
  const call = clientOf(server, shop)
  await call('POST', '/catalog/brands', { name: 'first' })
  const port = Number(new URL(server.url).port)
  const silent = connect(port, '127.0.0.1')
  let isSilentClosed = false
  silent
    .on('error', () => {})
    .on('close', () => {
      isSilentClosed = true
    })
  await asAdministrator(folder, async (admin) => {
    await admin.query('begin')
    await admin.query('lock table brands in exclusive mode')
    const write = call('POST', '/catalog/brands', { name: 'in flight' })
    await until('the write waits', async () => {
      const { rows } = await admin.query(`select from pg_locks where not granted`)
      return rows.length > 0
    })
    server.child.kill('SIGTERM')
    await until('new connections are refused', () =>
      ask(server.url, 'GET', '/healthz').then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
      ),
    )
    await until('a connection that says nothing is closed', () => isSilentClosed)
    await sleep(300)
    await admin.query('rollback')
    const { status, headers } = await write
    expect([status, headers.connection]).toEqual([200, 'close'])
  })
  expect(await server.ended).toBe(0)
})

test('C-008: a request that never ends keeps the server no longer than the grace time', {
  timeout: 300_000,
}, async () => {
  const { server, shop } = await openShop({ STOP_SECONDS: '2' })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /stores/${shop.hash}/v3/catalog/brands HTTP/1.1\r\nhost: x\r\nx-auth-token: ${shop.token}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  )
  await sleep(200)
  const began = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  const took = performance.now() - began
  expect(took).toBeGreaterThan(1_900)
  expect(took).toBeLessThan(10_000)
  figure('C-008', `a request that never ends: exit code 0 after ${took.toFixed(0)} ms of a grace time of 2,000 ms`)
})

test('C-008: after SIGTERM /readyz is 503 and requests are answered, until DRAIN_SECONDS are over', {
  timeout: 300_000,
}, async () => {
  const { server, shop } = await openShop({ DRAIN_SECONDS: '3600' })
  const readiness = async () => (await ask(server.url, 'GET', '/readyz')).status
  expect(await readiness()).toBe(200)
  server.child.kill('SIGTERM')
  await until('balancers are sent away', async () => (await readiness()) === 503)
  // A client with connections of its own, all of them newer than the signal.
  const call = clientOf(server, shop)
  for (const name of ['first', 'second']) {
    const { status, headers } = await call('POST', '/catalog/brands', { name })
    expect([status, headers.connection]).toEqual([200, 'close'])
  }
  expect((await ask(server.url, 'GET', '/healthz')).status).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.ended, 'a second signal ends it at once').toBe(null)
})

test('C-008: DRAIN_SECONDS after SIGTERM, and at once after SIGINT, the port is closed', {
  timeout: 300_000,
}, async () => {
  const { folder } = await newFolder()
  const drains = await startServer(folder, { DRAIN_SECONDS: '1' })
  const began = performance.now()
  drains.child.kill('SIGTERM')
  expect(await drains.ended).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(990)
  const interrupted = await startServer(folder, { DRAIN_SECONDS: '3600' })
  interrupted.child.kill('SIGINT')
  expect(await interrupted.ended).toBe(0)
})
