/**
 * A drill on a cluster: 16 clients write to four stores while a store gets a shard of its own and moves ten times, a node and the coordinator are
 * away, and the server is killed. Each write is repeated under its key until it is answered. Nothing that was answered may be lost or done
 * twice, and the other stores may be refused only while the coordinator is away.
 *
 * CITUS_CLUSTER=program node server/test/citus/drill.ts [--moves 10] [--upgrade .../server/bin/storeward.js]
 *
 * With --upgrade that version of the program migrates the database while this one serves.
 * The program starts a cluster (`start FOLDER` prints the administrator's URL) with its nodes in FOLDER/node0, which is the coordinator,
 * FOLDER/node1 and so on. Needs Linux.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connected } from '../../core/db/setup/prepare.ts'
import { readConfig } from '../../process/config.ts'
import { openInstallation } from '../../process/installation.ts'
import { nodeInCluster } from './cluster.ts'

const SECRET = 'a secret for drills, as long as it has to be'
const CLIENTS = 16
const STORES = 4
const AWAY_MS = 6_000
const QUIET_MS = 5_000
const PROGRAM = fileURLToPath(new URL('../../bin/storeward.js', import.meta.url))
const { values } = parseArgs({ options: { moves: { type: 'string', default: '10' }, upgrade: { type: 'string' } } })

interface DrillStore {
  id: number
  hash: string
  token: string
}

/** A write that was answered. */
interface Answered {
  store: DrillStore
  kind: 'brands' | 'products'
  id: number
  name: string
}

const { CITUS_CLUSTER } = process.env
if (CITUS_CLUSTER === undefined) throw new Error('The drill needs CITUS_CLUSTER, a program that starts a cluster.')
const folder = mkdtempSync(join(tmpdir(), 'storeward-drill-'))
const { stdout } = spawnSync(CITUS_CLUSTER, ['start', folder], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = stdout.trim().split('\n').at(-1) ?? ''

/** The current phase of the drill, and the answers of each store by phase. */
let phase = 'quiet'
const answers = new Map<string, Map<string, number>>()
const answered: Answered[] = []
let isOn = true

function count(store: number, outcome: string) {
  const counts = answers.get(phase) ?? new Map<string, number>()
  answers.set(phase, counts)
  const key = `${store}: ${outcome}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

async function makeStores(): Promise<DrillStore[]> {
  const installation = await openInstallation(readConfig({ SECRET, DATABASE_URL: url }), { prepares: true })
  const stores: DrillStore[] = []
  for (let i = 0; i < STORES; i++) {
    const { id, hash } = await installation.directory.create({ name: `Drill ${i}`, plan: 'unlimited' })
    const { access_token } = await installation.accounts.create(hash, 'drill', ['all'])
    stores.push({ id, hash, token: access_token })
  }
  await installation.close()
  return stores
}

const environment = { ...process.env, SECRET, DATABASE_URL: url, HOST: '127.0.0.1', PORT: '18995', LOG_LEVEL: 'error' }
const base = `http://${environment.HOST}:${environment.PORT}`

let server: ChildProcess | undefined

async function startServer(program: string): Promise<ChildProcess> {
  const started = spawn(process.execPath, [program, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isReady = () =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (started.exitCode !== null) throw new Error('The server did not start.')
    await sleep(200)
  }
  return started
}

/** @returns undefined without an answer */
async function send({ hash, token }: DrillStore, path: string, body?: object, key?: string) {
  try {
    const answer = await fetch(`${base}/stores/${hash}/v3/catalog${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-auth-token': token, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
  } catch {
    return undefined
  }
}

async function client(number: number, stores: readonly DrillStore[]) {
  const place = number % stores.length
  const store = stores[place]
  if (!store) throw new Error('There are stores.')
  for (let turn = 0; isOn; turn++) {
    const kind = turn % 2 === 0 ? 'brands' : 'products'
    const name = `Of ${number}, ${turn}`
    const body = kind === 'brands' ? { name } : { name, type: 'physical', weight: 1, price: 5 }
    for (;;) {
      const answer = await send(store, `/${kind}`, body, `drill ${name}`)
      const isBare = answer?.status === 503 && answer.retry === null
      count(place, `${answer?.status ?? 'no answer'}${isBare ? ' without Retry-After' : ''}`)
      if (answer?.status === 200) {
        answered.push({ store, kind, name, id: JSON.parse(answer.text).data.id })
        break
      }
      await sleep(200)
    }
    if (turn % 5 === 0) {
      const read = await send(store, '/brands?limit=1')
      if (read?.status !== 200) count(place, `read ${read?.status ?? 'no answer'}`)
    }
  }
}

/** The answered writes that are not stored, or are stored twice. */
async function faults(stores: readonly DrillStore[]): Promise<string[]> {
  const found: string[] = []
  for (const kind of ['brands', 'products'] as const) {
    for (const { id } of stores) {
      const rows = await connected(url, async (admin) => {
        const stored = await admin.query<{ id: number; name: string }>(
          `select id, name from ${kind} where store_id = $1`,
          [id],
        )
        return stored.rows
      })
      const names = Map.groupBy(rows, ({ name }) => name)
      for (const [name, { length }] of names)
        if (length > 1) found.push(`${kind} of store ${id}: "${name}" is there twice`)
      for (const one of answered) {
        const isLost = !names.get(one.name)?.some((row) => row.id === one.id)
        if (one.store.id === id && one.kind === kind && isLost)
          found.push(`${kind} of store ${id}: "${one.name}" is lost`)
      }
    }
  }
  return found
}

/** Does something while the clients write. */
async function during(name: string, work: () => Promise<unknown>) {
  phase = name
  const began = performance.now()
  await work()
  console.log(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  phase = `after ${name}`
  await sleep(QUIET_MS)
}

/** Ends a node at once, and starts it again after a while as it was started before. */
async function takeAway(node: string) {
  const data = join(folder, node)
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  process.kill(pid, 'SIGQUIT')
  await sleep(AWAY_MS)
  const { uid, gid } = statSync(data)
  const env = { PATH: process.env.PATH, HOME: data }
  spawn(program, args, { uid, gid, env, cwd: '/', stdio: 'ignore', detached: true }).unref()
  const isBack = () =>
    connected(url, (admin) => admin.query('select 1')).then(
      () => true,
      () => false,
    )
  while (!(await isBack())) await sleep(200)
}

/** Moves a store to the next node, by the command for operators. */
async function place({ hash, id }: DrillStore) {
  const here = new URL(await nodeInCluster(url, id)).host
  const names = await connected(url, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      "select nodename || ':' || nodeport as name from pg_dist_node where shouldhaveshards order by groupid",
    )
    return rows.map(({ name }) => name)
  })
  const next = names[(names.indexOf(here) + 1) % names.length] ?? ''
  await run(PROGRAM, 'store', 'place', hash, '--node', next)
}

async function run(...args: string[]) {
  const command = spawn(process.execPath, args, { env: environment, stdio: 'inherit' })
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} failed.`)
}

try {
  const stores = await makeStores()
  server = await startServer(PROGRAM)
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i, stores))
  const [moved] = stores
  if (!moved) throw new Error('There are stores.')
  await during('nothing', () => sleep(QUIET_MS))
  for (let move = 1; move <= Number(values.moves); move++) await during(`move ${move}`, () => place(moved))
  const { upgrade } = values
  if (upgrade !== undefined) await during('an upgrade', () => run(upgrade, 'migrate'))
  await during('a node away', () => takeAway('node1'))
  await during('the coordinator away', () => takeAway('node0'))
  await during('the server killed', async () => {
    server?.kill('SIGKILL')
    // An older version refuses a database that a newer one has migrated.
    server = await startServer(upgrade ?? PROGRAM)
  })
  isOn = false
  await Promise.all(clients)
  for (const [name, counts] of answers) {
    console.log(
      `${name.padEnd(28)} ${[...counts]
        .sort()
        .map(([key, number]) => `${key} ${number}`)
        .join(', ')}`,
    )
  }
  const found = await faults(stores)
  for (const fault of found) console.log(fault)
  console.log(`${answered.length} answered writes, ${found.length} lost or twice`)
  process.exitCode = found.length > 0 ? 1 : 0
} finally {
  isOn = false
  server?.kill('SIGTERM')
  spawnSync(CITUS_CLUSTER, ['stop', folder], { stdio: 'inherit' })
  rmSync(folder, { recursive: true, force: true })
}
