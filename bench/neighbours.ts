/**
 * The effect of one store on its neighbours. 50 clients of one store (250,000 products) send slow lists, of pages to
 * which no links lead, while clients of other stores read, list and change. Measured in turns: quiet, beside the lists,
 * quiet, ...
 *
 * node bench/neighbours.ts [--seconds <n>] [--rounds <n>] [--lists <n>]
 *
 * Exits with 1 if the others' p50 beside the lists is more than 1.5 times the quiet one, or if one of them is refused.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { loadProducts, PRODUCTS } from './catalog-data.ts'
import type { OpenStore } from './data.ts'
import { figure } from './report.ts'
import { startServer } from './subjects.ts'

const OTHERS = 4
const BAR = 1.5
const PAGE = 250

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    lists: { type: 'string', default: '50' },
  },
})
const [seconds, rounds, lists] = [options.seconds, options.rounds, options.lists].map(Number)

/** One request: its status and its time. */
interface Sample {
  status: number
  ms: number
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-neighbours-'))
const server = await startServer(folder, [])
try {
  const [big, ...others] = await openStores()
  if (big) await compare(big, others)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function openStores(): Promise<OpenStore[]> {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const stores: OpenStore[] = []
  for (let i = 0; i <= OTHERS; i++) {
    const { id, hash } = await installation.directory.create({ name: `Neighbour ${i}`, plan: 'unlimited' })
    const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
    const store = { id, hash, token: access_token }
    const product = {
      name: 'Amber Ash Basket 000001',
      sku: 'P-000001',
      type: 'physical',
      weight: 1,
      price: 24,
      images: [{ image_url: 'https://cdn.example.com/basket.png' }],
      custom_fields: [{ name: 'Material', value: 'Ash' }],
    }
    const { status } = await ask(store, 'POST', '/catalog/products', product)
    if (status !== 200) throw new Error(`The first product is answered with ${status}.`)
    stores.push(store)
  }
  await installation.close()
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  await loadProducts(url.href, stores)
  return stores
}

async function compare(big: OpenStore, others: readonly OpenStore[]) {
  const quiet: Sample[] = []
  const beside: Sample[] = []
  const slow: Sample[] = []
  await during(others, 3)
  const ratios: number[] = []
  for (let round = 0; round < (rounds ?? 0); round++) {
    const before = await during(others, seconds ?? 0)
    quiet.push(...before)
    const asking = keepListing(big)
    await new Promise((done) => setTimeout(done, 500))
    const loud = await during(others, seconds ?? 0)
    beside.push(...loud)
    slow.push(...(await asking.stop()))
    ratios.push(percentile(loud, 0.5) / percentile(before, 0.5))
    // All earlier requests have ended, and the remembered positions of pages are stale.
    await ask(big, 'DELETE', `/catalog/products/${round + 2}`)
  }
  const { median, lowest, highest } = figure(ratios)
  console.log(`load ${loadavg()[0]?.toFixed(1)} (mean of the last minute, this run included)`)
  console.log(summary('others, quiet', quiet))
  console.log(summary(`others, beside ${lists} lists`, beside))
  console.log(summary('the lists', slow))
  const isKept = median <= BAR && beside.every(({ status }) => status === 200)
  const judged = isKept ? 'reached' : 'MISSED'
  console.log(
    `p50 ${median.toFixed(2)} times (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar ${BAR} and no 503: ${judged}`,
  )
  if (!isKept) process.exitCode = 1
}

/** The requests of the other stores, each one after another: by id, a list, a change. */
async function during(others: readonly OpenStore[], length: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const deadline = performance.now() + length * 1_000
  await Promise.all(
    others.map(async (store) => {
      for (let turn = 0; performance.now() < deadline; turn++) {
        samples.push(await ask(store, 'GET', '/catalog/products/2'))
        samples.push(await ask(store, 'GET', '/catalog/products?limit=10'))
        samples.push(await ask(store, 'PUT', '/catalog/products/1', { price: (turn % 90) + 1 }))
      }
    }),
  )
  return samples
}

/** Sends lists with deep pages, to which the database has to count, until it is stopped. */
function keepListing(store: OpenStore) {
  const samples: Sample[] = []
  let isOn = true
  let turn = 0
  const clients = Array.from({ length: lists ?? 0 }, async () => {
    while (isOn) {
      const page = PRODUCTS / PAGE - 1 - ((turn++ * 37) % 500)
      const field = turn % 2 === 0 ? 'name' : 'sku'
      samples.push(await ask(store, 'GET', `/catalog/products?limit=${PAGE}&sort=${field}&page=${page}`))
    }
  })
  return {
    async stop() {
      isOn = false
      await Promise.all(clients)
      return samples
    },
  }
}

async function ask({ hash, token }: OpenStore, method: string, path: string, body?: object): Promise<Sample> {
  const began = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v3${path}`, {
    method,
    headers: { 'x-auth-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - began }
}

function percentile(samples: readonly Sample[], share: number): number {
  const times = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  return times[Math.floor(times.length * share)] ?? 0
}

function summary(who: string, samples: readonly Sample[]): string {
  const statuses = Object.entries(Object.groupBy(samples, ({ status }) => String(status))).map(
    ([status, some = []]) => `${some.length} x ${status}`,
  )
  return `${who}: p50 ${percentile(samples, 0.5).toFixed(1)} ms, p99 ${percentile(samples, 0.99).toFixed(1)} ms; ${statuses.join(', ')}`
}
