import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../server/core/db/setup/embedded.ts'
import {
  ask,
  clientOf,
  damagedPages,
  everyBrand,
  figure,
  freeze,
  isFull,
  newFolder,
  percentile,
  postmasterOf,
  type Sample,
  type ServerProcess,
  type Shop,
  sharedServers,
  sized,
  startLoad,
  startServer,
  thaw,
  timeUntil,
  until,
} from './rig.ts'

const CLIENTS = sized(32, 8)
const OUTAGE_MS = sized(30_000, 3_000)
// The promised time, and one that a machine with other work may take.
const ANSWER_MS = isFull ? 2_000 : 4_000
const NOTICE_MS = isFull ? 2_000 : 4_000
// The time after which a hanging database is detected, and so the longest wait of a statement that was sent before.
const SILENCE_MS = isFull ? 1_600 : 2_500
const UNDER_WAY_MS = 14_000
const RECOVERY_MS = isFull ? 5_000 : 10_000
const options = { timeout: 300_000 }
const openShop = sharedServers()

interface Loss {
  /** The data folder of this PostgreSQL. */
  folder: string
  strike(): unknown
  /** Ends the outage. If undefined, the server recovers by itself. */
  mend?(): unknown
  /** Whether the database hangs, so that the last statements have to wait. */
  hangs?: boolean
}

test(
  'C-005: an embedded PostgreSQL that is stopped or killed is 503 for a moment, and no acknowledged write is lost',
  options,
  async () => {
    const { server, shop } = await openShop()
    const { folder } = server
    for (const [name, signal] of [
      ['an immediate stop', 'SIGQUIT'],
      ['a fast stop', 'SIGINT'],
      ['kill -9 of the postmaster', 'SIGKILL'],
    ] as const) {
      await survive(`C-005  ${name}`, server, shop, {
        folder,
        strike: () => process.kill(postmasterOf(folder) ?? 0, signal),
      })
    }
  },
)

test(
  'C-004: with a hanging PostgreSQL new requests are 503 within 2 s, and are served as soon as it goes on',
  options,
  async () => {
    const { server, shop } = await openShop()
    const { folder } = server
    await survive('C-004  PostgreSQL hangs', server, shop, {
      folder,
      strike: () => freeze(folder),
      mend: () => thaw(folder),
      hangs: true,
    })
  },
)

test("C-004: the server recovers after a long outage of the operator's own PostgreSQL", options, async () => {
  const { folder, shop } = await newFolder()
  const first = await startEmbedded({ folder })
  const url = new URL(first.url)
  url.pathname = '/storeward'
  let again = first
  const server = await startServer(folder, {
    DATABASE_URL: url.href,
    SECRET: await readFile(join(folder, 'secret'), 'utf8'),
  })
  try {
    await survive('C-004  PostgreSQL is away', server, shop, {
      folder,
      strike: () => first.stop(),
      mend: async () => {
        again = await startEmbedded({ folder, port: Number(url.port) })
      },
    })
  } finally {
    server.child.kill('SIGKILL')
    await again.stop()
  }
})

/** Runs load and the loss, and checks the answers and probes during the outage and after it. */
async function survive(name: string, server: ServerProcess, shop: Shop, { folder, strike, mend, hangs = false }: Loss) {
  const call = clientOf(server, shop)
  const load = startLoad(call, CLIENTS)
  await until('the load runs', () => load.created.length > 50)
  const probes = watchProbes(server)

  await strike()
  const struck = performance.now()
  if (mend) {
    await sleep(OUTAGE_MS)
    await mend()
  } else {
    await until('the outage is felt', () => load.samples.some(({ status }) => status === 503))
  }
  const recovery = await timeUntil('requests are served again', () => isServed(load.samples, probes.ready))
  await sleep(500)
  await Promise.all([load.stop(), probes.stop()])

  const refused = load.samples.filter(({ status }) => status !== 200)
  for (const { reply } of refused) {
    expect(reply?.status).toBe(503)
    expect(reply?.body).toEqual({
      status: 503,
      title: expect.any(String),
      type: expect.stringMatching(/#503$/),
      errors: {},
    })
    expect(Number(reply?.headers['retry-after'])).toBeGreaterThan(0)
  }
  const isUnderWay = ({ at }: Sample) => hangs && at > struck - ANSWER_MS && at < struck + SILENCE_MS
  const slowestOf = (samples: Sample[]) => Math.max(0, ...samples.map(({ ms }) => ms))
  const slowest = slowestOf(load.samples.filter((sample) => !isUnderWay(sample)))
  expect(slowest).toBeLessThan(ANSWER_MS)
  const slowestUnderWay = slowestOf(load.samples.filter(isUnderWay))
  expect(slowestUnderWay).toBeLessThan(UNDER_WAY_MS)
  expect(probes.healthy.every(({ status }) => status === 200)).toBe(true)
  const noticed = probes.ready.find(({ status, at, ms }) => status !== 200 && at + ms >= struck)
  const notice = noticed && noticed.at + noticed.ms - struck
  if (mend) expect(notice).toBeLessThan(NOTICE_MS)
  expect(recovery).toBeLessThan(RECOVERY_MS)

  const stored = new Map((await everyBrand(call)).map((brand) => [brand.id, brand]))
  for (const brand of load.created) expect(stored.get(brand.id)).toEqual(brand)
  expect(await damagedPages(folder)).toBe(0)
  figure(
    name,
    `${load.samples.length} requests, ${refused.length} of them 503, slowest ${slowest.toFixed(0)} ms, ` +
      (hangs ? `slowest of those under way ${slowestUnderWay.toFixed(0)} ms, ` : '') +
      `readiness false after ${notice?.toFixed(0) ?? '-'} ms, served again after ${recovery.toFixed(0)} ms, ` +
      `${load.created.length} writes answered, 0 lost (p99 ${percentile(
        load.samples.map(({ ms }) => ms),
        0.99,
      ).toFixed(0)} ms)`,
  )
}

/** Whether the last requests of every kind succeeded and the server reports that it is ready. */
function isServed(samples: Sample[], ready: Sample[]): boolean {
  const last = samples.slice(-3 * CLIENTS)
  return last.length === 3 * CLIENTS && last.every(({ status }) => status === 200) && ready.at(-1)?.status === 200
}

/** Calls both probes ten times a second. */
function watchProbes({ url }: ServerProcess) {
  const [healthy, ready]: [Sample[], Sample[]] = [[], []]
  let isOn = true
  const loops = (
    [
      [healthy, '/healthz'],
      [ready, '/readyz'],
    ] as const
  ).map(async ([samples, path]) => {
    while (isOn) {
      const at = performance.now()
      const status = await ask(url, 'GET', path).then(
        (reply) => reply.status,
        () => 0,
      )
      samples.push({ method: 'GET', status, ms: performance.now() - at, at })
      await sleep(100)
    }
  })
  return {
    healthy,
    ready,
    async stop() {
      isOn = false
      await Promise.all(loops)
    },
  }
}
