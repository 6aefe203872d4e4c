/**
 * The way of a store with 10,000 products out and in: the export of a bundle, its import into another store, and the dump of the store by its
 * public API, as from another server, with the import of that dump.
 *
 * node bench/bundles.ts [--quick]
 *
 * Prints seconds, the CPU of this process and of the database, and the growth of memory. With `--quick` the store has 1,000 products.
 */
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FolderTarget, openBundle } from '../server/doors/powers/bundles/bundle.ts'
import { dumpHosted } from '../server/doors/powers/bundles/hosted/dump.ts'
import { exportBundle, importInto } from '../server/doors/powers/bundles/store-bundles.ts'
import { loadProducts } from './catalog-data.ts'
import { costOf, memoryOf } from './cpu.ts'
import { withOwnApp } from './own-server.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const PRODUCTS = options.quick ? 1_000 : 10_000
const SAMPLE_MS = 50

await withOwnApp('bundles', async ({ folder, installation, files, app, base, administrator, postmaster }) => {
  const { directory, accounts } = installation
  if (!app.callers) throw new Error('The server has routes.')
  const parts = { ...installation, files, server: app.server, callers: app.callers, publicUrl: 'http://127.0.0.1' }

  const source = await openStore('source')
  const first = { name: 'Amber Ash Basket 000001', sku: 'P-000001', type: 'physical', weight: 1, price: 24 }
  const answer = await fetch(`${base}/stores/source/v3/catalog/products`, {
    method: 'POST',
    headers: { 'x-auth-token': source.token, 'content-type': 'application/json' },
    body: JSON.stringify({ ...first, custom_fields: [{ name: 'Material', value: 'Ash' }] }),
  })
  if (answer.status !== 200) throw new Error(`The first product is answered with ${answer.status}.`)
  await loadProducts(administrator, [source], PRODUCTS)
  console.log(`${PRODUCTS} products, load ${loadavg()[0]?.toFixed(1)}`)

  const bundle = join(folder, 'bundle')
  await measure('export (20 s)', () => exportBundle(parts, 'source', new FolderTarget(bundle)))
  await measure('import (60 s)', () => importFrom(bundle, 'target'))
  const dump = join(folder, 'dump')
  await measure('dump by the API', () =>
    dumpHosted({ url: `${base}/stores/source`, token: source.token, folder: dump }),
  )
  await measure('import of the dump', () => importFrom(dump, 'other'))

  async function openStore(hash: string) {
    const { id } = await directory.create({ name: hash, hash, plan: 'unlimited', isTest: true })
    return { id, token: (await accounts.create(hash, 'admin', ['all'])).access_token }
  }

  async function importFrom(path: string, hash: string) {
    const { id } = await openStore(hash)
    const db = await directory.dbById(id)
    if (!db) throw new Error('There is no store.')
    const opened = await openBundle(path)
    const report = await importInto(parts, db, opened)
    await opened.close()
    if (report.refusals > 0 || report.rows.products !== PRODUCTS)
      throw new Error(JSON.stringify(report).slice(0, 2_000))
  }

  async function measure(name: string, work: () => Promise<unknown>) {
    globalThis.gc?.()
    const before = memoryOf(process.pid)
    let highest = before
    const sampler = setInterval(() => {
      highest = Math.max(highest, memoryOf(process.pid))
    }, SAMPLE_MS)
    const { ms, server, database } = await costOf(process.pid, postmaster, work)
    clearInterval(sampler)
    const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`
    console.log(
      `${name.padEnd(22)}${seconds(ms).padStart(10)}, CPU ${seconds(server)} and ${seconds(database)} of the database, ` +
        `memory ${Math.round(before)} MiB and at most ${Math.round(highest - before)} more, load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
})
