/**
 * The cost of copies of stores: forks and deletions of stores of three sizes, the statements of a fork with row policies and without them, and
 * the requests of a neighbour while a large store is forked.
 *
 * node bench/forks.ts [--quick]
 *
 * Prints milliseconds, and the CPU of the database. Needs Linux.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { copyRows } from '../server/core/db/copies/copier.ts'
import { storeTables } from '../server/core/db/copies/tables.ts'
import { setUpTestGateway } from '../server/sales/payments/providers-command.ts'
import { fillDemoStore } from '../server/sandbox/demo/demo.ts'
import { STORE_HASH } from '../server/sandbox/demo/record.ts'
import { deleteStore } from '../server/stores/directory/deletion.ts'
import { forkStore } from '../server/stores/forks/forks.ts'
import { loadProducts } from './catalog-data.ts'
import { type Cost, costOf } from './cpu.ts'
import { withOwnApp } from './own-server.ts'
import { figure } from './report.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, NEIGHBOUR_MS] = options.quick ? [3, 5_000] : [9, 20_000]
const SIZES = { tiny: 12, large: 10_000 } as const
/** A number that no store has. */
const NOBODY = 2_000_000_000

await withOwnApp('forks', async ({ installation, files, base, administrator, postmaster }) => {
  const { directory, accounts } = installation
  const parts = { ...installation, files, openGateway: setUpTestGateway }

  const demo = await openStore(STORE_HASH)
  await fillDemoStore(installation, files, { admin: demo.token, otherclient: demo.token, readonly: '', noscope: '' })
  const stores = { demo, tiny: await openStore('benchtiny'), large: await openStore('benchlarge') }
  for (const name of ['tiny', 'large'] as const) {
    await createProduct(stores[name])
    await loadProducts(administrator, [stores[name]], SIZES[name])
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  console.log(['store', 'fork ms', 'CPU', 'deletion ms', 'CPU'].map((text) => text.padStart(22)).join(''))
  for (const [name, store] of Object.entries(stores)) await measureForks(name, store.hash)
  for (const [name, store] of Object.entries(stores)) await measurePolicies(name, store)
  await measureNeighbour()

  async function openStore(hash: string) {
    const { id } = await directory.create({ name: hash, hash, plan: 'unlimited', isTest: true })
    const db = await directory.dbById(id)
    if (!db) throw new Error('There is no store.')
    await setUpTestGateway(db)
    return { id, hash, token: (await accounts.create(hash, 'admin', ['all'])).access_token }
  }

  async function createProduct({ hash, token }: { hash: string; token: string }) {
    const product = {
      name: 'Amber Ash Basket 000001',
      sku: 'P-000001',
      type: 'physical',
      weight: 1,
      price: 24,
      images: [{ image_url: 'https://cdn.example.com/basket.png' }],
      custom_fields: [{ name: 'Material', value: 'Ash' }],
    }
    const answer = await fetch(`${base}/stores/${hash}/v3/catalog/products`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(product),
    })
    if (answer.status !== 200) throw new Error(`The first product is answered with ${answer.status}.`)
  }

  async function measureForks(name: string, hash: string) {
    const [forks, deletions]: [Cost[], Cost[]] = [[], []]
    // The first fork opens a connection, which reads the catalog.
    for (let round = -1; round < ROUNDS; round++) {
      let fork = ''
      const forked = await costOf(process.pid, postmaster, async () => {
        fork = (await forkStore(parts, hash)).hash
      })
      const deleted = await costOf(process.pid, postmaster, () => deleteStore(parts, fork))
      if (round < 0) continue
      forks.push(forked)
      deletions.push(deleted)
    }
    const ms = (costs: Cost[]) => text(costs.map(({ ms }) => ms))
    const cpu = (costs: Cost[]) => text(costs.map(({ database }) => database))
    console.log([name, ms(forks), cpu(forks), ms(deletions), cpu(deletions)].map((cell) => cell.padStart(22)).join(''))
  }

  /** The statements of a fork by the role that may read one store and write another, and by a superuser, in turns. */
  async function measurePolicies(name: string, store: { id: number; hash: string }) {
    const cell = directory.cellOf((await directory.find(store.hash)) ?? { hash: store.hash, cell: '' })
    const tables = (await storeTables(cell.system)).filter(({ name }) => !name.startsWith('directory.'))
    const copy = {
      target: NOBODY,
      sources: [{ store: store.id, purpose: 'test fork' as const, paths: { from: 'none', to: 'none' } }],
      tables: tables.toReversed(),
    }
    const admin = new pg.Client({ connectionString: administrator })
    await admin.connect()
    // The database stops if something fails; that failure is reported then.
    admin.on('error', () => {})
    const sides = { with: cell, without: { ...cell, forkUrl: administrator } }
    const measured = { with: [] as Cost[], without: [] as Cost[] }
    for (let round = -1; round < ROUNDS; round++) {
      for (const side of ['with', 'without'] as const) {
        const cost = await costOf(process.pid, postmaster, () => copyRows(sides[side], copy))
        if (round >= 0) measured[side].push(cost)
        await admin.query('set session_replication_role = replica')
        for (const { name: table } of tables)
          await admin.query(`delete from ${pg.escapeIdentifier(table)} where store_id = ${NOBODY}`)
      }
    }
    await admin.end()
    const ratio = (of: 'ms' | 'database') =>
      figure(measured.with.map((cost, i) => cost[of] / (measured.without[i]?.[of] ?? Number.NaN)))
    const [time, cpu] = [ratio('ms'), ratio('database')]
    console.log(
      `${name}: with policies ${text(measured.with.map(({ ms }) => ms))} ms, without ${text(measured.without.map(({ ms }) => ms))} ms: ` +
        `${time.median.toFixed(2)} times as long (${time.lowest.toFixed(2)} to ${time.highest.toFixed(2)}), CPU ${cpu.median.toFixed(2)} times (bar 1.15)`,
    )
  }

  /** The requests of another store, alone and while the large store is forked and the fork deleted, in turns. */
  async function measureNeighbour() {
    const ask = async (until: () => boolean) => {
      const times: number[] = []
      const client = async () => {
        while (!until()) {
          const began = performance.now()
          const answer = await fetch(`${base}/stores/${STORE_HASH}/v3/catalog/products?limit=10`, {
            headers: { 'x-auth-token': demo.token },
          })
          if (!answer.ok) throw new Error(`A neighbour is answered with ${answer.status}.`)
          await answer.arrayBuffer()
          times.push(performance.now() - began)
          await sleep(10)
        }
      }
      await Promise.all([client(), client()])
      return times
    }
    const quantile = (times: number[], part: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
    const ratios: { p50: number[]; p99: number[] } = { p50: [], p99: [] }
    for (let round = 0; round < 3; round++) {
      const end = performance.now() + NEIGHBOUR_MS
      const alone = await ask(() => performance.now() > end)
      let isDone = false
      const [beside] = await Promise.all([
        ask(() => isDone),
        (async () => {
          const last = performance.now() + NEIGHBOUR_MS
          while (performance.now() < last) await deleteStore(parts, (await forkStore(parts, stores.large.hash)).hash)
          isDone = true
        })(),
      ])
      ratios.p50.push(quantile(beside, 0.5) / quantile(alone, 0.5))
      ratios.p99.push(quantile(beside, 0.99) / quantile(alone, 0.99))
      console.log(
        `neighbour alone p50 ${quantile(alone, 0.5).toFixed(1)} ms, p99 ${quantile(alone, 0.99).toFixed(1)} ms (${alone.length}); ` +
          `beside forks p50 ${quantile(beside, 0.5).toFixed(1)} ms, p99 ${quantile(beside, 0.99).toFixed(1)} ms (${beside.length})`,
      )
    }
    console.log(
      `neighbour: p50 ${figure(ratios.p50).median.toFixed(2)} times, p99 ${figure(ratios.p99).median.toFixed(2)} times (bar 1.3), load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
})

function text(values: readonly number[]): string {
  const { median, lowest, highest } = figure([...values])
  return `${Math.round(median)} (${Math.round(lowest)} to ${Math.round(highest)})`
}
