import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../../server/core/db/setup/embedded.ts'
import { watching } from '../../server/test/harness/watch.ts'
import {
  asAdministrator,
  type Client,
  clientOf,
  figure,
  newFolder,
  newShop,
  type ServerProcess,
  sized,
  startServer,
  until,
  whenFileEnds,
} from './rig.ts'

// Two servers on one database, as in production: each sees and waits for the adjustments of the other.

const CLIENTS = 20
const OPERATIONS = sized(10_000, 200)
const BATCHES = sized(1_000, 30)
const options = { timeout: sized(900_000, 120_000) }

const mug = { type: 'physical', weight: 0.4, price: 18.5, inventory_tracking: 'product' }
const ABSOLUTE = '/inventory/adjustments/absolute'
const RELATIVE = '/inventory/adjustments/relative'

const atEnd = whenFileEnds()
let folder: string
let servers: ServerProcess[]

/** Two servers on one PostgreSQL. */
beforeAll(async () => {
  folder = (await newFolder(atEnd)).folder
  const database = await startEmbedded({ folder })
  atEnd(() => database.stop())
  const url = new URL(database.url)
  url.pathname = '/storeward'
  const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
  // One uses the folder; the other has one of its own.
  servers = await Promise.all([startServer(folder, env, atEnd), startServer(join(folder, 'second'), env, atEnd)])
})

/** A store, a client of it at each server, and products with this quantity at the first location. */
async function openStock(products: number, quantity: number) {
  const shop = await newShop(folder)
  const calls = servers.map((server) => clientOf(server, shop))
  const names = Array.from({ length: products }, (_, i) => ({ ...mug, name: `Mug ${i}`, sku: `M-${i}` }))
  await must(calls[0], 'POST', '/catalog/products', names)
  await set(calls[0], products, quantity)
  return (i: number) => calls[i % calls.length]
}

async function must(call: Client | undefined, method: string, path: string, body?: unknown) {
  const reply = await call?.(method, path, body)
  expect([method, path, reply?.status, reply?.body]).toEqual([method, path, 200, expect.anything()])
  return reply?.body
}

const set = (call: Client | undefined, products: number, quantity: number) =>
  must(call, 'PUT', ABSOLUTE, {
    items: Array.from({ length: products }, (_, i) => ({ location_id: 1, product_id: i + 1, quantity })),
  })

/** The level in the catalog and the stock on hand of each product. */
async function levels(call: Client | undefined): Promise<[number, number][]> {
  const shown = await must(call, 'GET', '/catalog/products?limit=250')
  const { data } = await must(call, 'GET', '/inventory/locations/1/items?limit=1000')
  return data.map((item: { total_inventory_onhand: number }, i: number) => [
    shown.data[i].inventory_level,
    item.total_inventory_onhand,
  ])
}

interface Change {
  amount_before: number
  amount_after: number
}

/** Checks the published history of a product at the first location: each amount follows from the one before. */
async function mustBeChain(call: Client | undefined, product_id: number, onHand: number) {
  const { data }: { data: Change[] } = await must(
    call,
    'GET',
    `/inventory/adjustments?product_id=${product_id}&limit=1000`,
  )
  expect(data[0]?.amount_after ?? 0).toBe(onHand)
  expect(
    data.filter(({ amount_before }, i) => i + 1 < data.length && data[i + 1]?.amount_after !== amount_before),
  ).toEqual([])
}

const stockEvents = () =>
  asAdministrator(folder, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from events where scope = 'store/channel/*/inventory/product/stock_changed'`,
    )
    return rows[0]?.count ?? 0
  })

test(
  'C-023: 20 clients of two servers adjust one variant: nothing is lost, and each change is published',
  options,
  async () => {
    const call = await openStock(1, 1_000)
    const before = await stockEvents()
    const began = performance.now()
    let sum = 1_000
    let done = 0
    const client = async (nr: number) => {
      while (done < OPERATIONS) {
        const quantity = done++ % 3 === 0 ? -2 : 1
        await must(call(nr), 'POST', RELATIVE, { items: [{ location_id: 1, sku: 'M-0', quantity }] })
        sum += quantity
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, nr) => client(nr)))
    const seconds = (performance.now() - began) / 1_000
    expect(await levels(call(1))).toEqual([[sum, sum]])
    await mustBeChain(call(1), 1, sum)
    expect((await stockEvents()) - before).toBe(done)
    figure(
      'C-023',
      `${done} adjustments of one variant by ${CLIENTS} clients of two servers: ${(done / seconds).toFixed()} a second`,
    )
  },
)

test(
  'C-024: batches in opposite order over two servers all succeed, without a 500 and without a deadlock',
  options,
  async () => {
    const PRODUCTS = 20
    const call = await openStock(PRODUCTS, 1_000)
    const before = await Promise.all(servers.map(retriesOf))
    const rising = Array.from({ length: PRODUCTS }, (_, i) => ({ location_id: 1, product_id: i + 1, quantity: 1 }))
    let done = 0
    const client = async (nr: number) => {
      while (done < BATCHES) {
        done++
        await must(call(nr), 'POST', RELATIVE, { items: nr % 4 < 2 ? rising : rising.toReversed() })
        // The catalog writes the same rows.
        if (done % 5 === 0) await must(call(nr + 1), 'PUT', '/catalog/products', [{ id: (done % 9) + 1, price: done }])
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, nr) => client(nr)))
    expect(await levels(call(0))).toEqual(Array.from({ length: PRODUCTS }, () => [1_000 + done, 1_000 + done]))
    expect(await Promise.all(servers.map(retriesOf))).toEqual(before)
    figure('C-024', `${done} batches of ${PRODUCTS} in opposite order: none tried again`)
  },
)

/** The number of transactions that a server repeated, by its metrics. */
async function retriesOf({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: watching })).text()
  const [, count] = /^storeward_transaction_retries_total(?:\{[^}]*\})? (\d+)/m.exec(text) ?? []
  expect(count, text.slice(0, 2_000)).toBeDefined()
  return Number(count)
}

test('C-002: after kill -9 a batch of adjustments is wholly there or wholly absent', options, async () => {
  const PRODUCTS = 10
  const { folder, shop } = await newFolder()
  let server = await startServer(folder)
  const names = Array.from({ length: PRODUCTS }, (_, i) => ({ ...mug, name: `Mug ${i}`, sku: `M-${i}` }))
  await must(clientOf(server, shop), 'POST', '/catalog/products', names)
  await set(clientOf(server, shop), PRODUCTS, 0)
  const items = names.map((_, i) => ({ location_id: 1, product_id: i + 1, quantity: 1 }))
  let answered = 0
  let sent = 0
  const rounds = sized(10, 1)
  for (let round = 0; round < rounds; round++) {
    const call = clientOf(server, shop, 24)
    let ofRound = 0
    const batches = Array.from({ length: sized(200, 40) }, async () => {
      sent++
      const reply = await call('POST', RELATIVE, { items })
      if (reply.status === 200) ofRound++
    })
    await until('some batches have been answered', () => ofRound >= 10)
    server.child.kill('SIGKILL')
    await Promise.allSettled(batches)
    answered += ofRound
    await server.ended
    server = await startServer(folder)
    const found = await levels(clientOf(server, shop))
    const [[first] = [0]] = found
    expect(found).toEqual(names.map(() => [first, first]))
    expect(first).toBeGreaterThanOrEqual(answered)
    expect(first).toBeLessThanOrEqual(sent)
    for (const { product_id } of items) await mustBeChain(clientOf(server, shop), product_id, first)
  }
  figure(
    'C-002',
    `${sent} batches of ${PRODUCTS} adjustments and ${rounds} kills: 0 torn, 0 of ${answered} answered ones lost`,
  )
})
