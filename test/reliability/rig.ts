import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import type { Db } from '../../server/core/db/database.ts'
import { findEmbedded, startEmbedded } from '../../server/core/db/setup/embedded.ts'
import { readConfig } from '../../server/process/config.ts'
import { type Installation, openInstallation } from '../../server/process/installation.ts'
import type { PlanName } from '../../server/stores/directory/plans.ts'
import { makePayable } from '../../server/test/fixtures/payable.ts'
import { WATCH_TOKEN } from '../../server/test/harness/watch.ts'

/**
 * The checks of this folder run small in `npm test`, with bounds for a busy machine, and at full size, with the
 * promised bounds, in `npm run reliability` (docs/reliability.md).
 */
export { isFull, seedsOf, sized } from '../../server/test/document/sized.ts'

/** Prints a measured figure, for docs/reliability.md. */
export function figure(check: string, text: string) {
  process.stdout.write(`    ${check}: ${text}\n`)
}

const repository = fileURLToPath(new URL('../..', import.meta.url))
const children = new Set<ChildProcess>()

// An interrupted run leaves no server behind. The run's folder holds all others.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A server as its operator starts it: a process with a data folder, an embedded PostgreSQL and a port of its own. */
export interface ServerProcess {
  url: string
  folder: string
  child: ChildProcess
  pid: number
  /** All its output, log included. */
  printed(): string
  /** The exit code after its end; null after a signal. */
  ended: Promise<number | null>
}

/** A store without quotas, and an account of it with all rights. */
export interface Shop {
  hash: string
  token: string
  secret: string
  clientId: string
}

/** Registers clean-up work for the end of the test or of the file. The last registered runs first. */
type AtEnd = (deed: () => void | Promise<void>) => unknown

/** For resources that the tests of a file share. Call it at the top of the file. */
export function whenFileEnds(): AtEnd {
  const deeds: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const deed of deeds.reverse()) await deed()
  })
  return (deed) => deeds.push(deed)
}

let prepared: Promise<Shop> | undefined

/** Creates a data folder to copy, with a store in it, once for all workers of a run. */
async function prepare(folder: string): Promise<Shop> {
  const shopFile = `${folder}.json`
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const shop = await newShop(folder)
    await writeFile(`${shopFile}.new`, JSON.stringify(shop))
    await rename(`${shopFile}.new`, shopFile)
    return shop
  }
  await until('another worker has made a data folder', () => existsSync(shopFile))
  return JSON.parse(await readFile(shopFile, 'utf8'))
}

/** A data folder with a store that a server has used before. */
export async function newFolder(atEnd: AtEnd = onTestFinished): Promise<{ folder: string; shop: Shop }> {
  const first = join(inject('folder'), 'reliability')
  prepared ??= prepare(first)
  const shop = await prepared
  const folder = await mkdtemp(`${first}-`)
  atEnd(() => remove(folder))
  // The database belongs to another account, and the copy must too.
  await promisify(execFile)('cp', ['-a', `${first}/.`, folder])
  return { folder, shop }
}

async function remove(folder: string) {
  const postmaster = postmasterOf(folder)
  if (postmaster) {
    // A frozen process doesn't receive the signal.
    thaw(folder)
    await until('PostgreSQL is gone', () => !isAlive(postmaster))
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Another store in the database of a folder. A server may be running there. */
export async function newShop(folder: string, plan: PlanName = 'unlimited'): Promise<Shop> {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  try {
    const store = await installation.directory.create({ name: 'A shop', plan })
    const { hash } = store
    await makePayable(installation, store)
    const account = await installation.accounts.create(hash, 'admin', ['all'])
    return { hash, token: account.access_token, secret: account.client_secret, clientId: account.client_id }
  } finally {
    await installation.close()
  }
}

/** A running server with a store. */
export async function openShop(env?: Record<string, string>): Promise<{ server: ServerProcess; shop: Shop }> {
  const { folder, shop } = await newFolder()
  return { server: await startServer(folder, env), shop }
}

/**
 * As `openShop`, for tests that don't change the state of the server. The tests of a file share one server for each
 * environment; each test has a store of its own and the output of its own time. Call it at the top of the file.
 */
export function sharedServers(): typeof openShop {
  const atEnd = whenFileEnds()
  const servers = new Map<string, Promise<ServerProcess>>()
  const begin = async (env: Record<string, string>) => startServer((await newFolder(atEnd)).folder, env, atEnd)
  return async (env = {}) => {
    const key = JSON.stringify(env)
    const started = servers.get(key) ?? begin(env)
    servers.set(key, started)
    const server = await started
    const shop = await newShop(server.folder)
    const { length } = server.printed()
    return { server: { ...server, printed: () => server.printed().slice(length) }, shop }
  }
}

/** Any end of this process, also a kill -9, ends the server too: the shell reads until we are gone. */
function endWithUs(child: ChildProcess) {
  const watcher = spawn('/bin/sh', ['-c', 'read _; kill -9 "$0"', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.once('exit', () => watcher.kill())
}

/** Starts `storeward serve`, and resolves when it listens. */
export async function startServer(
  folder: string,
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['server/bin/storeward.js', 'serve'], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      STOREWARD_DATA: folder,
      PORT: '0',
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
      WATCH_TOKEN,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  endWithUs(child)
  atEnd(() => kill(child))
  const ended = once(child, 'exit').then(([code]): number | null => {
    children.delete(child)
    return code
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more))
  // A feature that a library will remove.
  atEnd(() => expect(text).not.toContain('DeprecationWarning'))
  const address = () => /listens at (http:\S+)/.exec(text)?.[1]
  await until('the server listens', () => {
    if (child.exitCode !== null) throw new Error(`The server did not start. It said: ${text}`)
    return address() !== undefined
  })
  return { url: address() ?? '', folder, child, pid: child.pid ?? 0, printed: () => text, ended }
}

/** Starts a server again, as a service manager does, until a busy database answers it in time. */
export async function restartServer(...[folder, env, atEnd]: Parameters<typeof startServer>): Promise<ServerProcess> {
  for (;;) {
    try {
      return await startServer(folder, env, atEnd)
    } catch (error) {
      if (!String(error).includes('does not answer within')) throw error
    }
  }
}

/** Servers that run beside each other on one database, which goes on when they end. */
export interface Together {
  /** The folder of the database and of the first server. The others have folders of their own in it. */
  folder: string
  /** Settings of all servers. */
  env: Record<string, string>
  servers: ServerProcess[]
  /** The server of any number; they take turns. */
  at(i: number): ServerProcess
  /** Starts a server again, after its end. @param i as of `at` */
  restart(i: number): Promise<ServerProcess>
}

/**
 * Starts servers on one database, each with a folder of its own.
 * @param settings of each server; two without settings if not given
 */
export async function startTogether(
  atEnd: AtEnd = onTestFinished,
  settings: readonly Record<string, string>[] = [{}, {}],
): Promise<Together> {
  const { folder } = await newFolder(atEnd)
  const database = await startEmbedded({ folder })
  atEnd(() => database.stop())
  const url = new URL(database.url)
  url.pathname = '/storeward'
  const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
  const plans = settings.map((own, i) => ({
    folder: i === 0 ? folder : join(folder, `server${i}`),
    env: { ...env, ...own },
  }))
  const servers = await Promise.all(plans.map((plan) => startServer(plan.folder, plan.env, atEnd)))
  return {
    folder,
    env,
    servers,
    at: (i) => entryOf(servers, i % plans.length),
    async restart(i) {
      const plan = entryOf(plans, i % plans.length)
      const server = await restartServer(plan.folder, plan.env, atEnd)
      servers[i % plans.length] = server
      return server
    },
  }
}

function entryOf<T>(list: readonly T[], i: number): T {
  const entry = list[i]
  if (entry === undefined) throw new Error(`There is no server ${i}.`)
  return entry
}

/** Does work of an operator beside the servers. */
export async function besideServers<T>(
  { folder, env }: Pick<Together, 'folder' | 'env'>,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder, ...env }))
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

/** As `besideServers`, in the database of a store. */
export const inStore = <T>(together: Together, hash: string, work: (db: Db) => Promise<T>): Promise<T> =>
  besideServers(together, async ({ directory }) => {
    const store = await directory.find(hash)
    const db = store && (await directory.dbById(store.id))
    if (!db) throw new Error('The store is missing.')
    return work(db)
  })

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  // Tests read answers freely.
  // biome-ignore lint/suspicious/noExplicitAny: a test compares values, it does not compute with them
  body: any
  text: string
  ms: number
}

export interface Asking {
  agent?: Agent
  headers?: Record<string, string>
  body?: unknown
  /** Sent unchanged in place of a JSON body. */
  payload?: string
}

/** Sends a request to any path. Rejects if the connection breaks before the answer is complete. */
export function ask(url: string, method: string, path: string, asking: Asking = {}): Promise<Reply> {
  const began = performance.now()
  const { body } = asking
  const payload = asking.payload ?? (body === undefined ? undefined : JSON.stringify(body))
  const headers = {
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    ...asking.headers,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent: asking.agent ?? false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = /^application\/(problem\+)?json/.test(answer.headers['content-type'] ?? '') && text !== ''
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: isJson ? JSON.parse(text) : undefined,
          text,
          ms: performance.now() - began,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** A client of one shop that keeps up to this many connections alive. */
export function clientOf({ url }: { url: string }, shop: Shop, connections = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return (method: string, path: string, body?: unknown, asking: Asking = {}) =>
    ask(url, method, `/stores/${shop.hash}/v3${path}`, {
      agent,
      body,
      ...asking,
      headers: { 'x-auth-token': shop.token, ...asking.headers },
    })
}

export type Client = ReturnType<typeof clientOf>

/** A connection that the test writes to by hand. It records the bytes that it receives and the time of its close. */
export interface Raw {
  socket: Socket
  heard(): string
  isClosed(): boolean
  /** Milliseconds from the beginning to the close. */
  life(): number
}

export function rawConnection({ url }: { url: string }): Raw {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const began = performance.now()
  let text = ''
  let life: number | undefined
  socket.on('data', (chunk) => (text += chunk))
  socket.on('error', () => {})
  socket.on('close', () => {
    life = performance.now() - began
  })
  return { socket, heard: () => text, isClosed: () => life !== undefined, life: () => life ?? Number.NaN }
}

/** The head of a request to the shop, as text. */
export const headOf = (shop: Shop, method: string, path: string, headers: Record<string, string | number> = {}) =>
  [
    `${method} /stores/${shop.hash}/v3${path} HTTP/1.1`,
    'host: storeward',
    `x-auth-token: ${shop.token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** Waits for a condition, on slow machines too. */
export async function until(what: string, holds: () => unknown, timeout = 120_000) {
  for (const began = performance.now(); !(await holds()); await sleep(10)) {
    if (performance.now() - began > timeout) throw new Error(`Waited ${timeout} ms in vain until ${what}.`)
  }
}

/** The time until the condition held. */
export async function timeUntil(what: string, holds: () => unknown, timeout?: number): Promise<number> {
  const began = performance.now()
  await until(what, holds, timeout)
  return performance.now() - began
}

export const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** Resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Open files and connections of a process. */
export const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** The embedded PostgreSQL's postmaster, if its lock file names a living process. */
export function postmasterOf(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The postmaster and every process it has started. */
function familyOf(folder: string): number[] {
  const postmaster = postmasterOf(folder)
  if (postmaster === undefined) return []
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim()
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {} // some end before
  }
}

/** Freezes every process of the database, as a hanging disk or a lost network does. */
export const freeze = (folder: string) => signalAll(familyOf(folder), 'SIGSTOP')
export const thaw = (folder: string) => signalAll(familyOf(folder).reverse(), 'SIGCONT')

/** Queries the embedded PostgreSQL as its administrator. */
export async function asAdministrator<T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL((await findEmbedded(folder)) ?? '')
  url.pathname = '/storeward'
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Reads every row and every index of the database; PostgreSQL checks each page against its checksum. */
export async function damagedPages(folder: string): Promise<number> {
  return asAdministrator(folder, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and nspname in ('public', 'directory')`,
    )
    for (const { name } of tables) await client.query(`select sum(hashtext(t::text)) from ${name} t`)
    const { rows } = await client.query<{ failures: number; checked: boolean }>(
      `select coalesce(sum(checksum_failures), 0)::int as failures, current_setting('data_checksums') = 'on' as checked
       from pg_stat_database`,
    )
    if (!rows[0]?.checked) throw new Error('The cluster has no checksums.')
    return rows[0].failures
  })
}

/** One request of a load. Status 0: the connection broke. */
export interface Sample {
  method: string
  status: number
  ms: number
  /** When it was sent, on the clock of `performance.now()`. */
  at: number
  reply?: Reply
}

/** Clients that read, list and create brands, one request after another, until they are stopped. */
export function startLoad(call: Client, clients: number) {
  const samples: Sample[] = []
  let isOn = true
  const send = async (method: string, path: string, body?: unknown) => {
    const at = performance.now()
    try {
      const reply = await call(method, path, body)
      samples.push({ method, status: reply.status, ms: reply.ms, at, ...(reply.status === 200 ? {} : { reply }) })
      // A refused client retries, but not at once.
      if (reply.status !== 200) await sleep(20)
      return reply
    } catch {
      samples.push({ method, status: 0, ms: performance.now() - at, at })
      await sleep(20)
    }
  }
  const created: Brand[] = []
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; isOn; turn++) {
      const reply = await send('POST', '/catalog/brands', { name: `load ${client} ${turn} ${Math.random()}` })
      if (reply?.status === 200) created.push(reply.body.data)
      const known = created[Math.floor(Math.random() * created.length)]
      if (known && isOn) await send('GET', `/catalog/brands/${known.id}`)
      if (isOn) await send('GET', '/catalog/brands?name:like=load&limit=10')
    }
  })
  return {
    samples,
    /** The brands whose creation was answered with 200. */
    created,
    async stop() {
      isOn = false
      await Promise.all(loops)
    },
  }
}

export interface Brand {
  id: number
  name: string
}

/** Every brand of the shop, page by page. */
export async function everyBrand(call: Client): Promise<Brand[]> {
  const brands: Brand[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `/catalog/brands?limit=250&page=${page}`)
    brands.push(...body.data)
    if (page >= body.meta.pagination.total_pages) return brands
  }
}
