/**
 * The database CPU of a request on plain PostgreSQL and on Citus, of all nodes together, in turns, with the same server program; that of an idle
 * server with 10,000 stores and 1,000 hooks that wait; and the requests per second of 64 stores.
 *
 * node bench/engines.ts --plain postgres://...=PID --citus postgres://...=PID,PID,PID [--quick]
 *
 * The URLs are those of an administrator, and the numbers the processes of the nodes, the coordinator first. The figures of docs/growth.md
 * come from here. Needs Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOfPostgres } from './cpu.ts'

// Databases that were prepared before have a secret already.
const SECRET = process.env.SECRET ?? 'a secret for measurements, as long as it has to be'
const AT_ONCE = 8
const PRODUCTS = 500
const IDLE_MS = 10_000
const IDLE = { stores: 10_000, hooks: 1_000 }
const { values: options } = parseArgs({
  options: { plain: { type: 'string' }, citus: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const [ROUNDS, REQUESTS] = options.quick ? [3, 100] : [3, 400]
const CROWD = { stores: 64, atOnce: 16, ms: options.quick ? 3_000 : 10_000 }

type Call = (method: string, path: string, body?: unknown) => Promise<void>

interface Side {
  name: string
  url: string
  nodes: number[]
  server: ChildProcess
  /** Calls of the first store, and those of many. */
  call: Call
  calls: Call[]
}

async function open(name: string, given: string | undefined): Promise<Side> {
  const [, url, pids] = /^(.*)=([\d,]+)$/.exec(given ?? '') ?? []
  if (url === undefined || pids === undefined)
    throw new Error(`--${name} is the URL of a database, =, and the processes of its nodes.`)
  const config = readConfig({ SECRET, DATABASE_URL: url })
  const installation = await openInstallation(config, { prepares: true })
  const stores: { hash: string; token: string }[] = []
  for (let i = 0; i < CROWD.stores; i++) {
    const { hash } = await installation.directory.create({ name: 'Bench', plan: 'unlimited' })
    const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
    stores.push({ hash, token: access_token })
  }
  await installation.close()
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL('../server/bin/storeward.js', import.meta.url)), 'serve'],
    {
      env: { ...process.env, SECRET, DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const base = `http://127.0.0.1:${port}`
  const calls = stores.map(({ hash, token }): Call => {
    const call: Call = async (method, path, body) => {
      const answer = await fetch(`${base}/stores/${hash}${path}`, {
        method,
        headers: { 'x-auth-token': token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      // A busy machine: the request is sent again, and the refused one counts too.
      if (answer.status === 503) return call(method, path, body)
      if (!answer.ok) throw new Error(`${name}: ${method} ${path} is answered with ${answer.status}: ${text}`)
    }
    return call
  })
  const [call] = calls
  if (!call) throw new Error('There are stores.')
  while (
    !(await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error(`The server on ${name} did not start.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { name, url, nodes: pids.split(',').map(Number), server, call, calls }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

let made = 0
const product = () => ({ name: `Product ${++made}`, type: 'physical', weight: 1, price: 9.5, sku: `SKU-${made}` })

const order = {
  billing_address: { first_name: 'Ida', zip: '1051', email: 'ida@example.com' },
  products: Array.from({ length: 5 }, (_, i) => ({
    name: `Print ${i}`,
    quantity: 1,
    price_ex_tax: 20,
    price_inc_tax: 25,
  })),
}

const WORK: Record<string, (side: Side, i: number) => Promise<void>> = {
  'brand by key': ({ call }) => call('GET', '/v3/catalog/brands/1'),
  'product by key': ({ call }, i) => call('GET', `/v3/catalog/products/${(i % PRODUCTS) + 1}`),
  '50 products': ({ call }, i) => call('GET', `/v3/catalog/products?limit=50&page=${(i % 8) + 1}`),
  'create brand': ({ call }) => call('POST', '/v3/catalog/brands', { name: `Brand ${++made}` }),
  'create product': ({ call }) => call('POST', '/v3/catalog/products', product()),
  '100 products (1 of 20)': ({ call }, i) =>
    i % 20 > 0 ? Promise.resolve() : call('POST', '/v3/catalog/products', Array.from({ length: 100 }, product)),
  'order of 5 lines': ({ call }) => call('POST', '/v2/orders', order),
}

/** A request of one of many stores: three of four read. */
const mixed = ({ calls }: Side, i: number): Promise<void> => {
  const call = calls[i % calls.length]
  const kind = Math.floor(i / calls.length) % 4
  if (!call) throw new Error('There are stores.')
  if (kind === 0) return call('POST', '/v3/catalog/brands', { name: `Brand ${++made}` })
  return call('GET', kind === 1 ? '/v3/catalog/brands?limit=50' : '/v3/catalog/brands/1')
}

/** The numbers of stores without requests are above these. */
const IDLE_FROM = 1_000_000

/** Adds stores without requests, and hooks that are due tomorrow. @returns a function that removes them */
async function addIdle({ url }: Side): Promise<() => Promise<void>> {
  const ask = async (texts: readonly string[]) => {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    for (const text of texts) await admin.query(text)
    await admin.end()
  }
  const numbers = (count: number) => `generate_series(${IDLE_FROM + 1}, ${IDLE_FROM + count}) id`
  await ask([
    `insert into store_profiles (store_id, name, plan) select id, 'Idle', 'standard' from ${numbers(IDLE.stores)}`,
    `insert into event_streams (store_id, last_seq, last_ms, dispatched_seq) select id, 5, 5, 5 from ${numbers(IDLE.stores)}`,
    `insert into due_hooks (store_id, hook_id, host, due_at)
     select id, 1, 'example.com', now() + interval '1 day' from ${numbers(IDLE.hooks)}`,
    'analyze store_profiles, event_streams, due_hooks',
  ])
  return () =>
    ask(
      ['due_hooks', 'event_streams', 'store_profiles'].map(
        (name) => `delete from ${name} where store_id > ${IDLE_FROM}`,
      ),
    )
}

/** Requests per second of many stores. */
async function rateOf(side: Side): Promise<number> {
  const end = performance.now() + CROWD.ms
  let done = 0
  const one = async () => {
    while (performance.now() < end) await mixed(side, done++)
  }
  await Promise.all(Array.from({ length: CROWD.atOnce }, one))
  return (done / CROWD.ms) * 1_000
}

async function inTurn(count: number, work: (i: number) => Promise<void>) {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

/** CPU of each node in microseconds, divided by a number. */
async function cpu({ nodes }: Side, by: number, work: () => Promise<unknown>): Promise<number[]> {
  const before = nodes.map(cpuOfPostgres)
  await work()
  return nodes.map((pid, i) => (cpuOfPostgres(pid) - (before[i] ?? 0)) / by)
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
const median = (rounds: number[][]) => rounds.toSorted((one, other) => sum(one) - sum(other))[rounds.length >> 1] ?? []
const show = (numbers: number[]) =>
  `${sum(numbers).toFixed(0)} (${numbers.map((number) => number.toFixed(0)).join(' + ')})`

const sides = [await open('plain', options.plain), await open('citus', options.citus)]
try {
  for (const side of sides) {
    for (const call of side.calls) await call('POST', '/v3/catalog/brands', { name: 'The first' })
    await inTurn(PRODUCTS, () => side.call('POST', '/v3/catalog/products', product()))
  }
  console.log(
    `database CPU in microseconds for each request, all nodes (each of them); ${AT_ONCE} at once, ${ROUNDS} rounds of ${REQUESTS}`,
  )
  for (const [name, work] of Object.entries(WORK)) {
    const rounds = sides.map((): number[][] => [])
    for (const side of sides) await inTurn(REQUESTS / 4, (i) => work(side, i))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [s, side] of sides.entries()) {
        rounds[s]?.push(await cpu(side, REQUESTS, () => inTurn(REQUESTS, (i) => work(side, i))))
      }
    }
    report(name, rounds.map(median))
  }
  const rates = sides.map((): number[] => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, side] of sides.entries()) {
      const rate = await rateOf(side)
      if (round >= 0) rates[i]?.push(rate)
    }
  }
  const [plainRate = 0, citusRate = 0] = rates.map(
    (rounds) => rounds.toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0,
  )
  console.log(
    `requests per second of ${CROWD.stores} stores, ${CROWD.atOnce} at once: plain ${plainRate.toFixed(0)}, citus ${citusRate.toFixed(0)}, ` +
      `${(citusRate / plainRate).toFixed(2)} times, load ${loadavg()[0]?.toFixed(1)}`,
  )
  const removals = await Promise.all(sides.map(addIdle))
  const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const idling: number[][] = []
  for (const side of sides) idling.push(await cpu(side, IDLE_MS / 1_000, idle))
  report('an idle second', idling)
  for (const remove of removals) await remove()
} finally {
  for (const { server } of sides) {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  }
}

function report(name: string, [plain = [], citus = []]: number[][]) {
  const times = (sum(citus) / sum(plain)).toFixed(1)
  console.log(
    `${name.padEnd(16)} plain ${show(plain).padEnd(14)} citus ${show(citus).padEnd(30)} ${times} times, load ${loadavg()[0]?.toFixed(1)}`,
  )
}
