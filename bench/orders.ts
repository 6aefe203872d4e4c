/**
 * The cost of orders, in database CPU: lists of 50 out of 1,000,000 orders of one store, an order by id with its
 * products and addresses, and creating an order of five lines. Also the number of orders that are created in a second
 * besides 200 other stores, and the process CPU of a refund quote of 100 lines.
 *
 * node bench/orders.ts [--quick]
 *
 * Exits with 1 if a list takes more than 5 ms of database CPU. `--quick` takes 50,000 orders. Needs Linux.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import type { Db } from '../server/core/db/database.ts'
import { quoteRefund, type RefundableOrder } from '../server/sales/orders/arithmetic/refund-quote.ts'
import { listOrders, showOrder } from '../server/sales/orders/reading/lists.ts'
import { linksTo } from '../server/sales/orders/reading/show.ts'
import { lines, orderAddresses } from '../server/sales/orders/row/rows.ts'
import { rowsOfOrders } from '../server/sales/orders/row/sub-resources.ts'
import { createOrder } from '../server/sales/orders/writing/create.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { type OwnServer, withOwnServer } from './own-server.ts'
import { figure } from './report.ts'

const BAR_MS = 5
const OTHER_STORES = 200
const CLIENTS = 8
const CREATED_FOR_MS = 5_000

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ORDERS, ROUNDS, TIMES] = options.quick ? [50_000, 3, 20] : [1_000_000, 5, 50]

await withOwnServer('orders', compare)

async function compare({ directory, cell, admin, postmaster }: OwnServer) {
  const store = { ...(await directory.create({ name: 'Own', plan: 'unlimited' })), limits: {} }
  const db = cell.api.of(store)
  await createOrder(db, orderOf(5))
  await addOthers(directory, cell)
  await fill(admin, store.id)

  const links = linksTo('http://localhost', store.hash)
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${ORDERS} orders; milliseconds of database CPU, median (lowest to highest)`,
  )
  const list = (query: object) => () => listOrders(db, { page: 1, limit: 50, ...query }, links)
  const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString()
  const lists: Record<string, object> = {
    'all of them': {},
    'page 100': { page: 100 },
    'newest first': { sort: 'id:desc' },
    'changed last': { sort: 'date_modified:desc' },
    'changed since a day': { min_date_modified: day(999), sort: 'date_modified' },
    'of a status': { status_id: 11 },
    'of a rare status': { status_id: 12 },
    'of a customer': { customer_id: 77 },
    'of an address': { email: 'buyer77@example.com' },
    'of a day': { min_date_created: day(500), max_date_created: day(501) },
    'since half of the time': { min_date_created: day(500) },
    'a status, since a day': { status_id: 11, min_date_modified: day(999) },
    'a status, since half of the time': { status_id: 11, min_date_created: day(500) },
    'changed since half of the time': { min_date_modified: day(500) },
    'a status, changed since half of the time': { status_id: 11, min_date_modified: day(500) },
    'a customer, changed since half of the time': { customer_id: 77, min_date_modified: day(500) },
    'a customer, since half of the time': { customer_id: 77, min_date_created: day(500) },
    'newest first, until half of the time': { sort: 'id:desc', max_date_created: day(500) },
    'above a total': { min_total: 990 },
    'behind an id': { min_id: Math.floor(ORDERS * 0.9) },
    'a channel, newest first': { channel_id: 1, sort: 'date_created:desc' },
    'a way to pay': { payment_method: 'Cash' },
  }
  for (const [name, query] of Object.entries(lists)) {
    const median = await measure(postmaster, `list: ${name}`, list(query))
    if (median > BAR_MS) process.exitCode = 1
  }
  await measure(postmaster, 'one with products and addresses, 3 statements', async () => {
    await Promise.all([
      showOrder(db, 7, {}, links),
      rowsOfOrders(db, lines, [7]),
      rowsOfOrders(db, orderAddresses, [7]),
    ])
  })
  await measure(postmaster, 'create, 5 lines', () => createOrder(db, orderOf(5)))
  await measureCreates(db)
  await measureQuote()
}

/** Other stores besides the measured one, each with orders of its own. */
async function addOthers(directory: OwnServer['directory'], cell: OwnServer['cell']) {
  for (let i = 0; i < OTHER_STORES; i++) {
    const store = { ...(await directory.create({ name: `Other ${i}`, plan: 'unlimited' })), limits: {} }
    const db = cell.api.of(store)
    await Promise.all(Array.from({ length: 10 }, () => createOrder(db, orderOf(5))))
  }
}

/** Orders of one store that several clients create as fast as they can. */
async function measureCreates(db: Db) {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    let created = 0
    const client = async () => {
      for (; performance.now() - began < CREATED_FOR_MS; created++) await createOrder(db, orderOf(5))
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    rates.push((created * 1_000) / (performance.now() - began))
  }
  const { median, lowest, highest } = figure(rates)
  console.log(
    `orders of 5 lines a second, by ${CLIENTS} clients ${median.toFixed(0)} (${lowest.toFixed(0)} to ${highest.toFixed(0)})`,
  )
}

function orderOf(count: number) {
  return {
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2: 'DK', email: 'ida@example.com' },
    products: Array.from({ length: count }, (_, i) => ({
      name: `Thing ${i}`,
      quantity: i + 1,
      price_ex_tax: 10 + i,
      price_inc_tax: 12.5 + i,
    })),
    status_id: 11,
  }
}

/** Copies the first order over a thousand days, with other customers, totals and statuses. */
async function fill(admin: pg.Client, store: number) {
  const pieces = 10
  for (let piece = 0; piece < pieces; piece++) {
    await admin.query(
      `insert into orders select made.* from orders kind, generate_series($2::int, $3::int) n,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'customer_id', n % 5000, 'total_inc_tax', n % 1000,
           'status_id', case when n % 1000 = 0 then 12 when n % 10 = 0 then 11 else 10 end, 'is_deleted', n % 50 = 0,
           'email', 'buyer' || n % 5000 || '@example.com', 'email_key', 'buyer' || n % 5000 || '@example.com',
           'payment_method', case n % 100 when 0 then 'Cash' else 'Card' end,
           'payment_method_key', case n % 100 when 0 then 'cash' else 'card' end,
           'date_created', timestamptz '2020-01-01Z' + (n::bigint * 1000 * 86400 / $4::bigint) * interval '1 second',
           'date_modified', timestamptz '2020-01-01Z' + (n::bigint * 1000 * 86400 / $4::bigint) * interval '1 second')) made
       where kind.store_id = $1 and kind.id = 1`,
      [store, 2 + (piece * ORDERS) / pieces, 1 + ((piece + 1) * ORDERS) / pieces, ORDERS],
    )
  }
  await admin.query(
    `insert into order_spans (store_id, first_id, last_id, earliest, latest, latest_change)
       select store_id, (id - 1) / 250 * 250 + 1, (id - 1) / 250 * 250 + 250, min(date_created), max(date_created), max(date_modified)
       from orders where store_id = $1 group by 1, 2, 3
     on conflict (store_id, first_id) do update set earliest = excluded.earliest`,
    [store],
  )
  await admin.query(`update counters set last_id = $2, total = $2 where store_id = $1 and resource = 'orders'`, [
    store,
    ORDERS + 1,
  ])
  await admin.query('vacuum analyze')
}

async function measure(postmaster: number, name: string, deed: () => Promise<unknown>): Promise<number> {
  const round = async () => {
    const before = cpuOfPostgres(postmaster)
    for (let n = 0; n < TIMES; n++) await deed()
    return (cpuOfPostgres(postmaster) - before) / TIMES / 1_000
  }
  await round()
  const rounds: number[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await round())
  return show(name, rounds)
}

function show(name: string, rounds: number[]): number {
  const { median, lowest, highest } = figure(rounds)
  console.log(`${name.padEnd(50)}${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`)
  return median
}

/** A quote of 100 lines, each of which was refunded in part before. */
async function measureQuote() {
  const components = Array.from({ length: 100 }, (_, i) => ({
    type: 'PRODUCT' as const,
    id: i + 1,
    basis: BigInt(1_000_000 + i * 7_919),
    tax: BigInt(80_000 + i * 613),
    size: 7n,
    done: 2n,
  }))
  const past = {
    total: 0n,
    tax: 0n,
    precise: 0n,
    preciseTax: 0n,
    itemPart: 0n,
    itemTax: 0n,
    correction: 0n,
    isPlain: true,
  }
  const order: RefundableOrder = {
    id: 1,
    decimals: 2,
    isInclusive: false,
    captured: 10n ** 12n,
    components,
    refunds: [past],
  }
  const items = components.map(({ id }) => ({ item_type: 'PRODUCT' as const, item_id: id, quantity: 3 }))
  const rounds = Array.from({ length: 15 }, () => {
    const before = cpuOf(process.pid)
    for (let n = 0; n < 300; n++) quoteRefund(order, items)
    return (cpuOf(process.pid) - before) / 300 / 1_000
  })
  show('a refund quote of 100 lines, CPU of the process', rounds.slice(5))
}
