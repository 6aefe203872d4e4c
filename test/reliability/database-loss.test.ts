import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../server/core/db/embedded.ts'
import {
  ask,
  clientOf,
  damagedPages,
  everyBrand,
  figure,
  freeze,
  isFull,
  newFolder,
  openShop,
  percentile,
  postmasterOf,
  type Sample,
  type ServerProcess,
  type Shop,
  sized,
  startLoad,
  startServer,
  thaw,
  timeUntil,
  until,
} from './rig.ts'

const CLIENTS = sized(32, 8)
const OUTAGE_MS = sized(30_000, 3_000)
// What is promised, and what a machine that does other things besides may take.
const ANSWER_MS = isFull ? 2_000 : 4_000
const NOTICE_MS = isFull ? 2_000 : 4_000
const RECOVERY_MS = isFull ? 5_000 : 10_000
const options = { timeout: 120_000 }

interface Loss {
  /** Data folder of the PostgreSQL, and the database in it that is the server's. */
  home: string
  database?: string
  strike(): unknown
  /** What ends the outage; the server itself, if nothing does. */
  mend?(): unknown
}

test.each([
  ['C-005: an immediate stop', 'SIGQUIT'],
  ['C-004: a fast stop', 'SIGINT'],
  ['C-005: kill -9 of the postmaster', 'SIGKILL'],
] as const)(
  '%s of the embedded PostgreSQL is 503 for a moment, and no acknowledged write is lost',
  options,
  async (name, signal) => {
    const server = await startServer(await newFolder())
    const shop = await openShop(server)
    await survive(name, server, shop, {
      home: server.folder,
      strike: () => process.kill(postmasterOf(server.folder) ?? 0, signal),
    })
  },
)

test('C-004: PostgreSQL that hangs is 503 within 2 s, and served again as soon as it goes on', options, async () => {
  const server = await startServer(await newFolder())
  const shop = await openShop(server)
  await survive('C-004: a hanging PostgreSQL', server, shop, {
    home: server.folder,
    strike: () => freeze(server.folder),
    mend: () => thaw(server.folder),
  })
})

test("C-004: the operator's own PostgreSQL may be away for long", options, async () => {
  const home = await newFolder()
  const first = await startEmbedded({ folder: home })
  const port = Number(new URL(first.url).port)
  const env = { DATABASE_URL: first.url }
  const folder = await newFolder()
  const server = await startServer(folder, env)
  const shop = await openShop(server, env)
  let again = first
  try {
    await survive('C-004: a PostgreSQL that is away', server, shop, {
      home,
      database: 'postgres',
      strike: () => first.stop(),
      mend: async () => {
        again = await startEmbedded({ folder: home, port })
      },
    })
  } finally {
    server.child.kill('SIGKILL')
    await again.stop()
  }
})

/** Load, the loss, and what the server says and does meanwhile and afterwards. */
async function survive(name: string, server: ServerProcess, shop: Shop, { home, database, strike, mend }: Loss) {
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
  const slowest = Math.max(...load.samples.map(({ ms }) => ms))
  expect(slowest).toBeLessThan(ANSWER_MS)
  expect(probes.healthy.every(({ status }) => status === 200)).toBe(true)
  const noticed = probes.ready.find(({ status, at, ms }) => status !== 200 && at + ms >= struck)
  const notice = noticed && noticed.at + noticed.ms - struck
  if (mend) expect(notice).toBeLessThan(NOTICE_MS)
  expect(recovery).toBeLessThan(RECOVERY_MS)

  const stored = new Map((await everyBrand(call)).map((brand) => [brand.id, brand]))
  for (const brand of load.created) expect(stored.get(brand.id)).toEqual(brand)
  expect(await damagedPages(home, database)).toBe(0)
  figure(
    name.slice(0, 5),
    `${name.slice(7)}: ${load.samples.length} requests, ${refused.length} of them 503, slowest ${slowest.toFixed(0)} ms, ` +
      `readiness false after ${notice?.toFixed(0) ?? '-'} ms, served again after ${recovery.toFixed(0)} ms, ` +
      `${load.created.length} writes answered, 0 lost (p99 ${percentile(
        load.samples.map(({ ms }) => ms),
        0.99,
      ).toFixed(0)} ms)`,
  )
}

/** The last requests of every kind succeeded, and the server says that it is ready. */
function isServed(samples: Sample[], ready: Sample[]): boolean {
  const last = samples.slice(-3 * CLIENTS)
  return last.length === 3 * CLIENTS && last.every(({ status }) => status === 200) && ready.at(-1)?.status === 200
}

/** Asks both probes ten times a second. */
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
