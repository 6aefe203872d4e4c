/**
 * The database CPU of a request on plain PostgreSQL and on Citus, of all nodes together, in turns, with the same server program.
 *
 * node bench/engines.ts --plain postgres://...=PID --citus postgres://...=PID,PID,PID [--quick]
 *
 * The URLs are those of an administrator, and the numbers the processes of the nodes, the coordinator first. The figures of docs/growth.md
 * will come from here. Needs Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOfPostgres } from './cpu.ts'

// Databases that were prepared before have a secret already.
const SECRET = process.env.SECRET ?? 'a secret for measurements, as long as it has to be'
const AT_ONCE = 8
const PRODUCTS = 500
const IDLE_MS = 10_000
const { values: options } = parseArgs({
  options: { plain: { type: 'string' }, citus: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const [ROUNDS, REQUESTS] = options.quick ? [3, 100] : [3, 400]

interface Side {
  name: string
  nodes: number[]
  server: ChildProcess
  call(method: string, path: string, body?: unknown): Promise<void>
}

async function open(name: string, given: string | undefined): Promise<Side> {
  const [, url, pids] = /^(.*)=([\d,]+)$/.exec(given ?? '') ?? []
  if (url === undefined || pids === undefined)
    throw new Error(`--${name} is the URL of a database, =, and the processes of its nodes.`)
  const config = readConfig({ SECRET, DATABASE_URL: url })
  const installation = await openInstallation(config, { prepares: true })
  const { hash } = await installation.directory.create({ name: 'Bench', plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
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
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await fetch(`${base}/stores/${hash}/v3${path}`, {
      method,
      headers: { 'x-auth-token': access_token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    // A busy machine: the request is sent again, and the refused one counts too.
    if (answer.status === 503) return call(method, path, body)
    if (!answer.ok) throw new Error(`${name}: ${method} ${path} is answered with ${answer.status}: ${text}`)
  }
  while (
    !(await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error(`The server on ${name} did not start.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { name, nodes: pids.split(',').map(Number), server, call }
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

const WORK: Record<string, (side: Side, i: number) => Promise<void>> = {
  'brand by key': ({ call }) => call('GET', '/catalog/brands/1'),
  'product by key': ({ call }, i) => call('GET', `/catalog/products/${(i % PRODUCTS) + 1}`),
  '50 products': ({ call }, i) => call('GET', `/catalog/products?limit=50&page=${(i % 8) + 1}`),
  'create brand': ({ call }) => call('POST', '/catalog/brands', { name: `Brand ${++made}` }),
  'create product': ({ call }) => call('POST', '/catalog/products', product()),
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
    await side.call('POST', '/catalog/brands', { name: 'The first' })
    await inTurn(PRODUCTS, () => side.call('POST', '/catalog/products', product()))
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
  const idle = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const idling: number[][] = []
  for (const side of sides) idling.push(await cpu(side, IDLE_MS / 1_000, idle))
  report('an idle second', idling)
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
