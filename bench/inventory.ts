/**
 * Adjustments of 2,000 items in one request, beside the floor: one `update ... from unnest` of the same rows, begun and committed.
 *
 *   node bench/inventory.ts [--rounds <count>]
 *
 * The figures of docs/decisions/021-stock.md come from here. Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { type Cost, costOf } from './cpu.ts'
import { figure } from './report.ts'
import { startServer } from './subjects.ts'

const ITEMS = 2_000
const AT_ONCE = 100
const WARM_UP = 3

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const ROUNDS = Number(options.rounds)

const folder = await mkdtemp(join(tmpdir(), 'storeward-inventory-'))
const server = await startServer(folder, [])
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
try {
  await compare()
} finally {
  await installation.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare() {
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()

  console.log(
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  const shapes = { 'of 2,000 products': 1, 'of 400 products with 5 variants each': 5 }
  for (const [title, variants] of Object.entries(shapes)) {
    const { id, call } = await openStore(title)
    const items = await fill(call, variants)
    await call('PUT', '/inventory/adjustments/absolute', { items: items.map((item) => ({ ...item, quantity: 1_000 })) })
    const { rows } = await client.query('select product_id, variant_id from stock where store_id = $1 order by 1, 2', [
      id,
    ])
    const places = [rows.map((row) => row.product_id), rows.map((row) => row.variant_id)]

    const ways = {
      request: (round: number) => {
        const quantity = round % 2 === 0 ? 1 : -1
        return call('POST', '/inventory/adjustments/relative', { items: items.map((item) => ({ ...item, quantity })) })
      },
      floor: async (round: number) => {
        await client.query('begin')
        await client.query(
          `update stock set on_hand = on_hand + given.quantity
           from unnest($2::int[], $3::int[], $4::int[]) as given (product_id, variant_id, quantity)
           where store_id = $1 and stock.product_id = given.product_id and stock.variant_id = given.variant_id and location_id = 1`,
          [id, ...places, rows.map(() => (round % 2 === 0 ? 1 : -1))],
        )
        await client.query('commit')
      },
    }
    const measured = { request: [] as Cost[], floor: [] as Cost[] }
    for (let round = -WARM_UP * 2; round < ROUNDS * 2; round++) {
      for (const way of ['request', 'floor'] as const) {
        const cost = await costOf(server.pid, postmaster, () => ways[way](round))
        if (round >= 0) measured[way].push(cost)
      }
    }
    const times = figure(measured.request.map(({ ms }, i) => ms / (measured.floor[i]?.ms ?? ms)))
    console.log(`\n2,000 relative adjustments ${title}`)
    for (const [way, costs] of Object.entries(measured)) {
      const of = (key: keyof Cost) => show(figure(costs.map((cost) => cost[key])))
      console.log(`  ${way.padEnd(8)} ${of('ms')} ms, server CPU ${of('server')} ms, database CPU ${of('database')} ms`)
    }
    console.log(`  times the floor: ${show(times)}; bar 5: ${times.median <= 5 ? 'reached' : 'MISSED'}`)
  }
  console.log(
    `\nload ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  await client.end()
}

function show({ median, lowest, highest }: ReturnType<typeof figure>) {
  return `${median.toFixed(1)} (${lowest.toFixed(1)} to ${highest.toFixed(1)})`
}

async function openStore(name: string) {
  const { id, hash } = await installation.directory.create({ name, plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': access_token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  return { id, call }
}

/** Creates products until there are this many items. @returns the identity of each */
async function fill(call: Awaited<ReturnType<typeof openStore>>['call'], variants: number) {
  const products = ITEMS / variants
  const hasOptions = variants > 1
  for (let made = 0; made < products; made += AT_ONCE) {
    const list = Array.from({ length: Math.min(AT_ONCE, products - made) }, (_, i) => product(made + i, variants))
    await call('POST', '/catalog/products', list)
  }
  return Array.from({ length: ITEMS }, (_, i) => ({
    location_id: 1,
    ...(hasOptions ? { variant_id: i + 1 } : { product_id: i + 1 }),
  }))
}

function product(nr: number, variants: number) {
  return {
    name: `Mug ${nr}`,
    sku: `MUG-${nr}`,
    type: 'physical',
    weight: 0.4,
    price: 18.5,
    description:
      '<p>Thrown by hand, glazed twice, and made to be used every day of the year by whoever comes for coffee.</p>',
    inventory_tracking: variants > 1 ? 'variant' : 'product',
    ...(variants > 1
      ? {
          variants: Array.from({ length: variants }, (_, i) => ({
            sku: `MUG-${nr}-${i}`,
            option_values: [{ option_display_name: 'Size', label: String(i) }],
          })),
        }
      : {}),
  }
}
