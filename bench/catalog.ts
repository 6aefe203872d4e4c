/**
 * The catalog of a store with 250,000 products besides 200 others: each workload beside its floor or beside another
 * workload, then again with 10,000 more stores in the same database.
 *
 * node bench/catalog.ts [--quick] [--stores <count>] [--profile <folder>] [workload...]
 *
 * Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { readConfig } from '../server/process/config.ts'
import { type Installation, openInstallation } from '../server/process/installation.ts'
import { loadProducts, moreStores, PIECES, PRODUCTS } from './catalog-data.ts'
import { memoryOf } from './cpu.ts'
import type { OpenStore } from './data.ts'
import { type House, measure, quickly, thoroughly } from './measure.ts'
import { record } from './record.ts'
import { factsOf, figure, type Measured, table } from './report.ts'
import { type Subject, startFloor, startLoad, startServer } from './subjects.ts'
import type { Workload } from './workloads.ts'

const STORES = 200
const SINGLE = 1_000
const AT_ONCE = 100
const BATCH_BAR = 40
const MOVE_BAR = 0.1

const { values: options, positionals: names } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    stores: { type: 'string', default: '10000' },
    profile: { type: 'string' },
  },
  allowPositionals: true,
})
const pace = options.quick ? quickly : thoroughly

const SEVEN = 'name,sku,price,is_visible,inventory_level,date_modified'
const pages = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
const someIds = Array.from({ length: 500 }, (_, i) => String(((i * 7_919) % PRODUCTS) + 1))
const productPage = (query: string) => `/catalog/products?limit=250&${query}`

const workloads: readonly Workload[] = [
  {
    name: 'seven',
    title: '250 products, 7 fields',
    path: () => productPage(`include_fields=${SEVEN}`),
    keys: [''],
    stores: 'big',
    beside: 'floor',
    bars: { rate: 1.4 },
  },
  {
    name: 'all',
    title: '250 products, all fields',
    path: () => productPage('page=1'),
    keys: [''],
    stores: 'big',
    beside: 'floor',
    bars: { rate: 1.4 },
  },
  {
    name: 'like',
    title: '50 products by name:like of 250,000, with total',
    path: (key) => `/catalog/products?name:like=${encodeURIComponent(key)}&limit=50`,
    keys: PIECES,
    stores: 'big',
    beside: 'floor',
    bars: { databaseMs: 15 },
  },
  {
    name: 'keyword',
    title: '50 products by keyword of 250,000, with total',
    path: (key) => `/catalog/products?keyword=${encodeURIComponent(key)}&limit=50`,
    keys: PIECES,
    stores: 'big',
    beside: 'floor',
    bars: { databaseMs: 15 },
  },
  {
    name: 'product',
    title: 'product by id with variants, images and custom fields, beside the product alone',
    path: (key) => `/catalog/products/${key}?include=variants,images,custom_fields`,
    keys: someIds,
    stores: 'big',
    beside: 'product-alone',
  },
  {
    name: 'product-alone',
    title: 'product by id',
    path: (key) => `/catalog/products/${key}`,
    keys: someIds,
    stores: 'big',
    beside: 'floor',
  },
  {
    name: 'deep',
    title: 'page 500 of 250, which no walk leads to, beside page 1',
    path: () => productPage(`include_fields=${SEVEN}&page=500`),
    keys: [''],
    stores: 'big',
    beside: 'seven',
    bars: { database: 10 },
  },
  {
    name: 'deep-by-name',
    title: 'page 500 of 250 by name, which no walk leads to, beside page 1',
    path: () => productPage(`include_fields=${SEVEN}&sort=name&page=500`),
    keys: [''],
    stores: 'big',
    beside: 'first-by-name',
    bars: { database: 10 },
  },
  {
    name: 'first-by-name',
    title: 'page 1 of 250 by name',
    path: () => productPage(`include_fields=${SEVEN}&sort=name&page=1`),
    keys: [''],
    stores: 'big',
    beside: 'floor',
  },
  {
    name: 'walk',
    title: 'walk through all 1,000 pages of 250, beside page 1',
    path: (key) => productPage(`include_fields=${SEVEN}&page=${key}`),
    keys: pages(PRODUCTS / 250),
    stores: 'big',
    beside: 'seven',
    connections: 1,
    bars: { database: 2 },
  },
]
const chosen = workloads.filter(({ name }) => names.length === 0 || names.includes(name))

const folder = await mkdtemp(join(tmpdir(), 'storeward-bench-'))
const running: { stop(): Promise<void> }[] = []
try {
  await measureAll()
} finally {
  for (const subject of running.toReversed()) await subject.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measureAll() {
  const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`] : []
  const server = started(await startServer(folder, flags))
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  running.push({ stop: () => installation.close() })
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const stores = await openStores(installation, server)
  await loadProducts(url.href, stores)
  const statements = await record(
    installation,
    join(folder, 'files'),
    stores,
    chosen.filter(({ beside }) => beside === 'floor'),
  )
  const generator = started(startLoad())
  const floor = started(await startFloor(url.href, statements, { mapsRows: true }))
  const house = { server, floor, generator, postmaster, stores }

  const facts = await factsOf(url.href)
  const before = await measureEach(house)
  console.log(table({ facts, measured: before }))
  if (names.length === 0) console.log(`\n${await batches(server, stores)}`)

  const more = Number(options.stores)
  if (more > 0) {
    await moreStores(installation, url.href, stores[1]?.id ?? 0, more)
    console.log(`\nwith ${more} more stores:\n${moved(before, await measureEach(house))}`)
  }
  console.log(`\nmemory of the server at the end: ${memoryOf(server.pid).toFixed()} MiB`)
}

async function measureEach(house: House): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const workload of chosen) measured.push(await measure(house, workload, workloads, pace))
  return measured
}

/** 200 stores with a product each, created by the server, and an account in some. */
async function openStores({ directory, accounts }: Installation, server: Subject): Promise<OpenStore[]> {
  const open: OpenStore[] = []
  for (let i = 0; i < STORES; i++) {
    const { id, hash } = await directory.create({ name: `Bench ${i}`, plan: 'unlimited' })
    const { access_token } = await accounts.create(hash, 'bench', ['all'])
    const store = { id, hash, token: access_token }
    await post(server, store, {
      ...product('Amber Ash Basket 000001', 'P-000001'),
      images: [{ image_url: 'https://cdn.example.com/basket.png', description: 'A basket' }],
      custom_fields: [{ name: 'Material', value: 'Ash' }],
    })
    open.push(store)
  }
  return open
}

function product(name: string, sku: string) {
  return {
    name,
    sku,
    type: 'physical',
    weight: 1.2,
    price: 24.5,
    description: '<p>Woven by hand, in one piece, and made to carry what a house needs from one room to the next.</p>',
    inventory_tracking: 'product',
    inventory_level: 40,
    search_keywords: 'basket, woven',
    meta_keywords: ['basket', 'ash'],
  }
}

async function post(server: Subject, { hash, token }: OpenStore, body: object) {
  const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v3/catalog/products`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

/** 1,000 products one by one, and in 10 requests. */
async function batches(server: Subject, stores: readonly OpenStore[]): Promise<string> {
  const store = stores[2]
  if (!store) throw new Error('There is no store to fill.')
  let made = 0
  const next = () => product(`Made ${++made}`, `M-${made}`)
  const rounds: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const begin = performance.now()
    for (let i = 0; i < SINGLE; i++) await post(server, store, next())
    const between = performance.now()
    for (let i = 0; i < SINGLE / AT_ONCE; i++) await post(server, store, Array.from({ length: AT_ONCE }, next))
    rounds.push((between - begin) / (performance.now() - between))
  }
  const { median, lowest, highest } = figure(rounds)
  const judged = median >= BATCH_BAR ? 'reached' : 'MISSED'
  return `1,000 products in 10 requests: ${median.toFixed(1)} times as fast as one by one (${lowest.toFixed(1)} to ${highest.toFixed(1)}), bar ${BATCH_BAR}: ${judged}`
}

/** The change of the server's figures. */
function moved(before: readonly Measured[], after: readonly Measured[]): string {
  return after
    .map((now, i) => {
      const change = (of: 'server' | 'database') => median(now, of) / median(before[i] ?? now, of) - 1
      const [server, database] = [change('server'), change('database')]
      const judged = Math.max(server, database) <= MOVE_BAR ? 'reached' : 'MISSED'
      return `  ${now.title}: server CPU ${percent(server)}, database CPU ${percent(database)}, bar +10 %: ${judged}`
    })
    .join('\n')
}

function median({ rounds }: Measured, of: 'server' | 'database') {
  return figure(rounds.map(({ own }) => own[of])).median
}
function percent(share: number) {
  return `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`
}

function started<S extends { stop(): Promise<void> }>(subject: S): S {
  running.push(subject)
  return subject
}
