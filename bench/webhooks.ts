/**
 * The soak of the webhooks: from a change to the first byte at its receiver, with the server as in production (which
 * sends the webhooks itself) and a receiver in a process of its own.
 *
 * node bench/webhooks.ts [--seconds <n>] [--quick] [--json] [--strict] [--profile <folder>]
 * [steady|burst|hanging|crowd|kill...]
 *
 * --quick measures shorter and kills 5 times in place of 50, --strict exits with 1 if a bar is missed, --profile writes
 * a CPU profile of the server. Needs Linux: CPU time is read from /proc.
 */
import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Db } from '../server/core/db/database.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { publish } from '../server/core/events/publish.ts'
import { eventId } from '../server/doors/webhooks/sending/event-id.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { freePort } from '../server/process/main.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import type { Receipt } from './receiver.ts'
import { ask, startServer, stop } from './subjects.ts'

const STORES = 4
const CATEGORIES = 50
const SCOPES = ['store/category/', 'store/channel/1/category/'] as const
const HANGING = 100_000
const DRAIN_MS = 180_000
const CROWD = 300
const names = ['steady', 'burst', 'hanging', 'crowd', 'kill'] as const
type Name = (typeof names)[number]

const { values: options, positionals } = parseArgs({
  options: {
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
  allowPositionals: true,
})
const unknown = positionals.filter((given) => !names.some((name) => name === given))
if (unknown.length > 0) throw new Error(`There is no soak ${unknown}; there are ${names}.`)
const secondsOr = (usual: number, quick: number) => Number(options.seconds ?? (options.quick ? quick : usual))

interface Shop {
  id: number
  hash: string
  token: string
  /** Paths of its hooks' destinations, with the beginning of the scopes that each subscribes to. */
  hooks: Map<string, string>
}

interface Result {
  soak: Name
  passed: boolean
  figures: Record<string, number | string>
}

let renamed = 0
const monotonic = () => Number(process.hrtime.bigint()) / 1e6
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const folder = await mkdtemp(join(tmpdir(), 'storeward-soak-'))
const settings = {
  PORT: String(await freePort('127.0.0.1')),
  OUTGOING_SUBNETS: '127.0.0.0/8 ::1/128',
  WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
  WEBHOOK_JITTER: '0',
}
const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`] : []
let server = await startServer(folder, flags, settings)
const receiver = fork(new URL('./receiver.ts', import.meta.url))
try {
  const { ports, silent } = await ask<{ ports: number[]; silent: number }>(receiver, { ports: STORES * SCOPES.length })
  const soaks: Record<Name, () => Promise<Result>> = {
    steady,
    burst,
    hanging: () => hanging(silent),
    crowd: () => crowd(silent),
    kill,
  }
  const shops = await openShops(ports)
  const results: Result[] = []
  for (const name of names) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const before = loadavg()[0]?.toFixed(1)
    const result = await soaks[name]()
    result.figures.load = `${before} before, ${loadavg()[0]?.toFixed(1)} after`
    results.push(result)
    if (!options.json) print(result)
  }
  if (options.json) console.log(JSON.stringify(results, null, 2))
  if (options.strict && results.some(({ passed }) => !passed)) process.exitCode = 1

  /** Changes over HTTP: two events each, and each event goes to one hook. */
  async function steady(): Promise<Result> {
    const seconds = secondsOr(60, 10)
    const { latencies, ...figures } = await soak(shops, (work) => paced(100, seconds, work))
    const p99 = quantile(latencies, 0.99)
    const passed = isWhole(figures) && figures.repeated === 0 && p99 < 250
    return {
      soak: 'steady',
      passed,
      figures: { source: '100 PUT of categories per second, 2 events each', ...timesOf(latencies), ...figures },
    }
  }

  /** Too many for the requests that one process can send beside it, so a publisher commits them. */
  async function burst(): Promise<Result> {
    const seconds = secondsOr(30, 10)
    const installation = await open()
    const dbs = new Map<number, Db>()
    for (const { id } of shops) dbs.set(id, must(await installation.directory.dbById(id)))
    const { latencies, ...figures } = await soak(
      shops,
      (work) => paced(500, seconds, work),
      ({ id }, category) =>
        must(dbs.get(id))
          .transaction(async (tx) => publishChange(tx, category))
          .then(() => true),
    )
    await installation.close()
    return {
      soak: 'burst',
      passed: isWhole(figures) && figures.per_second >= 950,
      figures: {
        source: '500 transactions per second of a publisher, 2 events each',
        ...timesOf(latencies),
        ...figures,
      },
    }
  }

  /** Store B with and without the queue of store A for a host that never answers. */
  async function hanging(silent: number): Promise<Result> {
    const seconds = secondsOr(30, 10)
    const [a, ...others] = shops
    const b = others.slice(0, 1)
    if (!a) throw new Error('There is no store.')
    const round = async () => soak(b, (work) => paced(25, seconds, work))
    await soak(b, (work) => paced(25, 3, work))
    const before = await round()
    const created = await call(a, 'POST', '/hooks', {
      scope: 'store/category/*',
      destination: `http://127.0.0.1:${silent}/hangs`,
    })
    await administer(`update hooks set is_active = id = ${created.data.id} where store_id = ${a.id}`)
    const installation = await open()
    const db = must(await installation.directory.dbById(a.id))
    for (let i = 0; i < HANGING; i += 1_000) {
      await db.transaction(async (tx) => {
        for (let n = i; n < i + 1_000; n++)
          publish(tx, 'store/category/updated', `category ${n % 10_000}`, { type: 'category', id: n })
      })
    }
    await installation.close()
    await until(async () => (await backlog([a])).undispatched === 0)
    const queued = (await backlog([a])).queued
    const during = await round()
    const left = (await backlog([a])).queued
    await call(a, 'DELETE', `/hooks/${created.data.id}`)
    await administer(`update hooks set is_active = true where store_id = ${a.id}`)
    const after = await round()
    const without = quantile([...before.latencies, ...after.latencies], 0.99)
    const ratio = quantile(during.latencies, 0.99) / without
    return {
      soak: 'hanging',
      passed: [before, during, after].every(isWhole) && ratio < 1.3 && left > HANGING * 0.95,
      figures: {
        source: '25 PUT of categories per second in store B, 2 events each; the queue of store A by a publisher',
        queued: `${queued} at first, ${left} at last`,
        ratio: ratio.toFixed(2),
        p99_without: `${quantile(before.latencies, 0.99).toFixed(1)} before, ${quantile(after.latencies, 0.99).toFixed(1)} after`,
        p99_with: quantile(during.latencies, 0.99).toFixed(1),
        writes_without: `${before.write_ms}; ${after.write_ms}`,
        writes_with: during.write_ms,
        lost: before.lost + during.lost + after.lost,
      },
    }
  }

  /** Store B with and without 300 other stores that all wait for one host that never answers. */
  async function crowd(silent: number): Promise<Result> {
    const seconds = secondsOr(30, 10)
    const b = shops.slice(1, 2)
    const round = async () => soak(b, (work) => paced(25, seconds, work))
    await soak(b, (work) => paced(25, 3, work))
    const before = await round()
    const installation = await open()
    const others: Shop[] = []
    for (let i = 0; i < CROWD; i++) {
      const { id, hash } = await installation.directory.create({ name: `Crowd ${i}`, plan: 'unlimited' })
      const { access_token: token } = await installation.accounts.create(hash, 'crowd', ['all'])
      const shop = { id, hash, token, hooks: new Map<string, string>() }
      const destination = `http://127.0.0.1:${silent}/hangs/${id}`
      await call(shop, 'POST', '/hooks', { scope: 'store/category/*', destination })
      others.push(shop)
    }
    for (const { id } of others) {
      const db = must(await installation.directory.dbById(id))
      await db.transaction(async (tx) => {
        for (let n = 1; n <= 100; n++)
          publish(tx, 'store/category/updated', `category ${n}`, { type: 'category', id: n })
      })
    }
    await installation.close()
    await until(async () => (await backlog(others)).undispatched === 0)
    const queued = (await backlog(others)).queued
    const during = await round()
    const left = (await backlog(others)).queued
    await administer('update hooks set is_active = false where store_id = any($1)', [idsOf(others)])
    await until(async () => (await backlog(others)).queued === 0)
    const after = await round()
    const without = quantile([...before.latencies, ...after.latencies], 0.99)
    const ratio = quantile(during.latencies, 0.99) / without
    return {
      soak: 'crowd',
      passed: [before, during, after].every(isWhole) && ratio < 1.3 && left > queued * 0.9,
      figures: {
        source: `25 PUT of categories per second in store B, 2 events each; ${CROWD} stores with 100 events each by a publisher`,
        queued: `${queued} at first, ${left} at last`,
        ratio: ratio.toFixed(2),
        p99_without: `${quantile(before.latencies, 0.99).toFixed(1)} before, ${quantile(after.latencies, 0.99).toFixed(1)} after`,
        p50_without: `${quantile(before.latencies, 0.5).toFixed(1)} before, ${quantile(after.latencies, 0.5).toFixed(1)} after`,
        p50_with: quantile(during.latencies, 0.5).toFixed(1),
        p99_with: quantile(during.latencies, 0.99).toFixed(1),
        max_with: quantile(during.latencies, 1).toFixed(1),
        writes_without: `${before.write_ms}; ${after.write_ms}`,
        writes_with: during.write_ms,
        lost: before.lost + during.lost + after.lost,
      },
    }
  }

  async function kill(): Promise<Result> {
    const kills = options.quick ? 5 : 50
    let over = false
    const { latencies: _, ...figures } = await soak(shops, async (work) => {
      const flowing = paced(100, 3_600, work, () => over)
      for (let i = 0; i < kills; i++) {
        // At some point between the start and the middle of the work.
        await sleep(300 + Math.random() * 1_500)
        await killServer()
        server = await startServer(folder, flags, settings)
      }
      await sleep(1_000)
      over = true
      await flowing
    })
    return {
      soak: 'kill',
      passed: isWhole(figures),
      figures: { source: '100 PUT of categories per second, 2 events each', kills, ...figures },
    }
  }

  type Write = (shop: Shop, category: number) => Promise<boolean>

  /**
   * Changes categories in these stores, waits until all is delivered, and compares the callbacks with the committed
   * events.
   */
  async function soak(
    inShops: Shop[],
    go: (work: (nr: number) => Promise<void>) => Promise<unknown>,
    write: Write = putCategory,
  ) {
    await ask(receiver, {})
    const baseline = await lastSeqs(inShops)
    const committed = new Map<string, number[]>()
    const busy = new Map<string, Promise<void>>()
    const postmaster = await postmasterPid()
    const cpuBefore = [cpuOf(server.pid), cpuOfPostgres(postmaster)]
    const { pid } = server
    const writes: number[] = []
    let refused = 0
    let queuedMax = 0
    let watching = true
    const watch = (async () => {
      for (; watching; await sleep(1_000)) {
        const waits = await backlog(inShops).catch(() => undefined)
        if (waits) queuedMax = Math.max(queuedMax, waits.queued + waits.undispatched)
      }
    })()
    const began = monotonic()
    await go((nr) => {
      const shop = must(inShops[nr % inShops.length])
      const category = (Math.floor(nr / inShops.length) % CATEGORIES) + 1
      const key = `${shop.id} ${category}`
      // One after the other for each category, so that the k-th answer belongs to the k-th event.
      const done = (busy.get(key) ?? Promise.resolve()).then(async () => {
        const before = monotonic()
        const isCommitted = await write(shop, category).catch(() => false)
        writes.push(monotonic() - before)
        if (!isCommitted) refused++
        else committed.set(key, [...(committed.get(key) ?? []), monotonic()])
      })
      busy.set(key, done)
      return done
    })
    const ended = monotonic()
    await until(async () => {
      const { queued, undispatched } = await backlog(inShops)
      return queued + undispatched === 0
    })
    const drained = monotonic()
    watching = false
    await watch
    const { receipts } = await ask<{ receipts: Receipt[] }>(receiver, {})
    const events = await eventsSince(inShops, baseline)
    const checked = check(inShops, events, receipts, refused === 0 ? committed : new Map())
    const [ofServer, ofDatabase] = [cpuOf(server.pid), cpuOfPostgres(await postmasterPid())].map((after, i) =>
      ((after - (cpuBefore[i] ?? 0)) / 1_000 / events.length).toFixed(2),
    )
    const happened = Map.groupBy(events, ({ store_id, resource }) => `${store_id} ${resource.split(' ')[1]}`)
    const forgotten = [...committed].filter(
      ([key, answers]) => (happened.get(key)?.length ?? 0) < answers.length * SCOPES.length,
    ).length
    const cpu =
      pid === server.pid ? `${ofServer} server, ${ofDatabase} database` : 'not measured: the server was killed'
    return {
      events: events.length,
      per_second: Math.round((events.length * 1_000) / (ended - began)),
      writes_refused: refused,
      // Categories with fewer events than answered changes.
      forgotten,
      // The general slowness of a machine that is busy with other things.
      write_ms: `${quantile(writes, 0.5).toFixed(1)} p50, ${quantile(writes, 0.99).toFixed(1)} p99`,
      backlog_max: queuedMax,
      drained_after_ms: Math.round(drained - ended),
      cpu_ms_per_event: cpu,
      ...checked,
    }
  }

  async function killServer() {
    const postmaster = await postmasterPid()
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    // The embedded database ends with its server.
    await until(async () => !isAlive(postmaster))
  }
} finally {
  agent.destroy()
  receiver.disconnect()
  await stop(receiver)
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

function print({ soak, passed, figures }: Result) {
  console.log(`${soak}: ${passed ? 'reached' : 'MISSED'}`)
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${name.padEnd(20)}${figure}`)
}

interface EventRow {
  store_id: number
  seq: number
  ms: number
  nonce: number
  scope: string
  resource: string
}

/**
 * Compares committed events with callbacks and their order. @param committed the time of each change's answer, by store
 * and category
 */
function check(shops: Shop[], events: EventRow[], receipts: Receipt[], committed: Map<string, number[]>) {
  const came = Map.groupBy(receipts, ({ path, id }) => `${path} ${id}`)
  const seen = new Set<string>()
  const latencies: number[] = []
  let lost = 0
  for (const shop of shops) {
    for (const [path, scope] of shop.hooks) {
      const turns = new Map<string, number>()
      for (const event of events) {
        if (event.store_id !== shop.id || !event.scope.startsWith(scope)) continue
        const key = `${path} ${eventId(event)}`
        seen.add(key)
        const [first] = came.get(key) ?? []
        const turn = turns.get(event.resource) ?? 0
        turns.set(event.resource, turn + 1)
        const at = committed.get(`${shop.id} ${event.resource.split(' ')[1]}`)?.[turn]
        if (!first) lost++
        else if (at !== undefined) latencies.push(first.at - at)
      }
    }
  }
  const byId = new Map(events.map((event) => [`${event.store_id} ${eventId(event)}`, event]))
  const lastSeq = new Map<string, number>()
  let disordered = 0
  for (const [key, [first]] of came) {
    const [path = '', id] = key.split(' ')
    const event = byId.get(`${path.split('/')[1]} ${id}`)
    if (!event || !first) continue
    const lane = `${path} ${event.resource}`
    if ((lastSeq.get(lane) ?? 0) > event.seq) disordered++
    lastSeq.set(lane, Math.max(event.seq, lastSeq.get(lane) ?? 0))
  }
  const invented = [...came.keys()].filter((key) => !seen.has(key)).length
  return { lost, invented, disordered, repeated: receipts.length - came.size, latencies }
}

function isWhole({
  lost,
  invented,
  disordered,
  forgotten,
}: Record<'lost' | 'invented' | 'disordered' | 'forgotten', number>): boolean {
  return lost + invented + disordered + forgotten === 0
}

/** Starts work at a fixed pace for any duration of it, within bounds. */
async function paced(
  perSecond: number,
  seconds: number,
  work: (nr: number) => Promise<void>,
  isOver: () => boolean = () => false,
) {
  const began = monotonic()
  const open = new Set<Promise<void>>()
  for (let nr = 0; nr < perSecond * seconds && !isOver(); nr++) {
    const wait = began + (nr * 1_000) / perSecond - monotonic()
    if (wait > 1) await sleep(wait)
    if (open.size >= 64) await Promise.race(open)
    const done: Promise<void> = work(nr).finally(() => open.delete(done))
    open.add(done)
  }
  await Promise.all(open)
}

/** @returns whether it was accepted */
async function putCategory(shop: Shop, category: number): Promise<boolean> {
  await call(shop, 'PUT', `/catalog/categories/${category}`, { name: `Category ${category} ${++renamed}` })
  return true
}

function publishChange(tx: Parameters<typeof publish>[0], id: number) {
  publish(tx, 'store/category/updated', `category ${id}`, { type: 'category', id })
  publish(tx, 'store/channel/1/category/updated', `category ${id}`, { category_id: id, tree_id: 1 })
}

// biome-ignore lint/suspicious/noExplicitAny: a body of the API, of which a few known fields are read
function call({ hash, token }: Shop, method: string, path: string, body?: object): Promise<any> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port: settings.PORT,
        method,
        path: `/stores/${hash}/v3${path}`,
        headers: { 'x-auth-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
        timeout: 10_000,
      },
      async (response) => {
        try {
          const text = (await response.toArray()).join('')
          if (response.statusCode && response.statusCode < 300) resolve(text ? JSON.parse(text) : undefined)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
        } catch (error) {
          reject(error)
        }
      },
    )
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error('No answer in time.')))
    outgoing.end(body && JSON.stringify(body))
  })
}

function open() {
  return openInstallation(readConfig({ STOREWARD_DATA: folder }))
}

/** Stores with categories, then hooks for them, each at a host of its own. */
async function openShops(ports: number[]): Promise<Shop[]> {
  const { directory, accounts, close } = await open()
  const shops: Shop[] = []
  for (let i = 0; i < STORES; i++) {
    const { id, hash } = await directory.create({ name: `Soak ${i}`, plan: 'unlimited' })
    const { access_token: token } = await accounts.create(hash, 'soak', ['all'])
    const shop = { id, hash, token, hooks: new Map<string, string>() }
    for (let n = 1; n <= CATEGORIES; n++)
      await call(shop, 'POST', '/catalog/categories', { parent_id: 0, name: `Category ${n}` })
    // Not before the events of the categories are handed out: a hook gets no events from before its creation.
    await until(async () => (await backlog([shop])).undispatched === 0)
    for (const [j, scope] of SCOPES.entries()) {
      const path = `/${id}/${j}`
      shop.hooks.set(path, scope)
      const destination = `http://127.0.0.1:${ports[i * SCOPES.length + j]}${path}`
      await call(shop, 'POST', '/hooks', { scope: `${scope}*`, destination })
    }
    shops.push(shop)
  }
  await close()
  return shops
}

/** As the administrator of the database, who sees all stores. */
async function administer<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const url = new URL(must(await findEmbedded(folder)))
  url.pathname = '/storeward'
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

function idsOf(shops: Shop[]) {
  return shops.map(({ id }) => id)
}

async function backlog(shops: Shop[]): Promise<{ queued: number; undispatched: number }> {
  const [row] = await administer<{ queued: number; undispatched: number }>(
    `select (select count(*)::int from deliveries where store_id = any($1)) as queued,
       (select coalesce(sum(last_seq - dispatched_seq), 0)::int from event_streams where store_id = any($1)) as undispatched`,
    [idsOf(shops)],
  )
  return must(row)
}

async function lastSeqs(shops: Shop[]): Promise<Map<number, number>> {
  const rows = await administer<{ store_id: number; last_seq: string }>(
    'select store_id, last_seq from event_streams where store_id = any($1)',
    [idsOf(shops)],
  )
  return new Map(rows.map(({ store_id, last_seq }) => [store_id, Number(last_seq)]))
}

async function eventsSince(shops: Shop[], baseline: Map<number, number>): Promise<EventRow[]> {
  const rows = await administer<EventRow>(
    `select store_id, seq, ms, nonce, scope, resource from events where store_id = any($1) order by store_id, seq`,
    [idsOf(shops)],
  )
  return rows
    .map((row) => ({ ...row, seq: Number(row.seq), ms: Number(row.ms) }))
    .filter(({ store_id, seq }) => seq > (baseline.get(store_id) ?? 0))
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(isSo: () => Promise<boolean>) {
  for (const began = monotonic(); ; await sleep(100)) {
    if (await isSo()) return
    if (monotonic() - began > DRAIN_MS) throw new Error('What was waited for did not come about.')
  }
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Something is missing.')
  return value
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function timesOf(latencies: number[]) {
  return {
    measured: latencies.length,
    p50_ms: quantile(latencies, 0.5).toFixed(1),
    p99_ms: quantile(latencies, 0.99).toFixed(1),
    max_ms: quantile(latencies, 1).toFixed(1),
  }
}
