import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/process/config.ts'
import { openInstallation } from '../../server/process/installation.ts'
import {
  ask,
  figure,
  headOf,
  memoryOf,
  percentile,
  rawConnection,
  type ServerProcess,
  type Shop,
  sharedServers,
  sized,
  until,
} from './rig.ts'
import type { Attack, Attacked } from './stranger.ts'

// Heads with a large Content-Length and little else, from a client without a token (C-048).

const UNAVAILABLE = 'The service is not available at the moment.'
const STORES = 30
const HEADS_A_SECOND = sized(1_000, 100)
const SECONDS = sized(30, 3)
const options = { timeout: 300_000 }
const openShop = sharedServers()

const brandOf = (bytes: number) => JSON.stringify({ name: `large ${Math.random()}`, x: 'x'.repeat(bytes - 40) })

/** The heads of a hostile client, without the bodies that they announce. */
const hostileHeads = ({ hash }: Shop) => {
  // Too many failed authentications block an address. The proxy of the test gives these another one.
  const json = 'host: storeward\r\nx-forwarded-for: 192.0.2.1\r\ncontent-type: application/json\r\n'
  const post = (path: string, framing: string) => `POST ${path} HTTP/1.1\r\n${json}${framing}\r\n\r\n`
  return [
    post('/nowhere', 'content-length: 999999999'),
    post('/nowhere', 'content-length: 60000'),
    post(`/stores/${hash}/v3/catalog/brands`, 'content-length: 4000000'),
    post('/b2b/api/io/auth/customers', 'content-length: 16000'),
    `${post('/b2b/api/io/auth/customers', 'transfer-encoding: chunked')}1000\r\n${'x'.repeat(0x1000)}\r\n`,
    `${post(`/gateways/stripe/callbacks/${hash}`, 'content-length: 900000')}${'x'.repeat(10_000)}`,
    `POST /nowhere HTTP/1.1\r\n${json}`,
  ]
}

test('C-048: a client without a token that announces large bodies blocks no other body', options, async () => {
  const { server, shop } = await openShop()
  const body = brandOf(300_000)
  const headers = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' }
  const honest = Array.from({ length: 30 }, () => rawConnection(server))
  for (const { socket } of honest) socket.write(headOf(shop, 'POST', '/catalog/brands', headers))
  for (const [i, { socket }] of honest.entries())
    socket.write(body.replace('large', `${i}`.padStart(5)).slice(0, 200_000))
  await until('the server has the first part of each body', () =>
    honest.every(({ socket }) => socket.writableLength === 0),
  )
  for (let i = 0; i < 5; i++) {
    const stranger = rawConnection(server)
    stranger.socket.write(hostileHeads(shop)[0] ?? '')
    await until('the stranger is refused', stranger.isClosed)
    expect(stranger.heard()).toMatch(/^HTTP\/1\.1 4\d\d /)
  }
  for (const { socket } of honest) socket.write(body.slice(200_000))
  await until('all are answered', () => honest.every(({ isClosed }) => isClosed()))
  expect(honest.map(({ heard }) => heard().slice(9, 12))).toEqual(honest.map(() => '200'))
})

test('C-048: bodies of 1 MB from 30 stores are answered during an attack with hostile heads', options, async () => {
  const { server, shop } = await openShop({ TRUST_PROXY: '1' })
  const shops = await newShops(server, STORES)
  const send = ({ hash, token }: Shop) =>
    ask(server.url, 'POST', `/stores/${hash}/v3/catalog/brands`, {
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      payload: brandOf(1_000_000),
    })
  const alone = await Promise.all(shops.map(send))
  const before = memoryOf(server.pid)

  const spent = processorOf(server.pid)
  const attack = beginAttack({
    port: Number(new URL(server.url).port),
    heads: hostileHeads(shop),
    aSecond: HEADS_A_SECOND,
    seconds: SECONDS,
  })
  const answers = await Promise.all(
    shops.map(async (each, i) => {
      await sleep((i / STORES) * SECONDS * 1_000)
      let answer = await send(each)
      // The database of a busy machine may refuse for a moment. The body has arrived by then.
      while (answer.status === 503 && answer.body.title === UNAVAILABLE) answer = await send(each)
      return answer
    }),
  )
  const attacked = await attack
  const processor = processorOf(server.pid) - spent
  const peak = memoryOf(server.pid)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const times = (all: { ms: number }[]) => {
    const ms = all.map((one) => one.ms)
    return `${percentile(ms, 0.5).toFixed(0)} ms (median), ${Math.max(...ms).toFixed(0)} ms (slowest)`
  }
  figure(
    'C-048',
    `${attacked.sent} hostile heads in ${attacked.seconds.toFixed(1)} s, ${attacked.ended} ended, ${attacked.failed} failed; ` +
      `${STORES} bodies of 1 MB from as many stores: all 200, ${times(answers)}; all at once without strangers ${times(alone)}; ` +
      `processor: server ${processor.toFixed(1)} s, stranger ${attacked.processor.toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}; ` +
      `memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at the end`,
  )
})

/** Starts an attack from another process. */
async function beginAttack(attack: Attack): Promise<Attacked> {
  const stranger = fork(new URL('./stranger.ts', import.meta.url))
  onTestFinished(() => void stranger.kill('SIGKILL'))
  stranger.send(attack)
  const [attacked] = await once(stranger, 'message')
  return attacked
}

/** Seconds of the processor that a process has used. */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function newShops({ folder }: ServerProcess, count: number): Promise<Shop[]> {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  try {
    const shops: Shop[] = []
    for (let i = 0; i < count; i++) {
      const { hash } = await installation.directory.create({ name: `Shop ${i}`, plan: 'unlimited' })
      const account = await installation.accounts.create(hash, 'admin', ['all'])
      shops.push({ hash, token: account.access_token, secret: account.client_secret, clientId: account.client_id })
    }
    return shops
  } finally {
    await installation.close()
  }
}
