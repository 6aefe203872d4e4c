/**
 * Reads of orders and changes of stock levels beside their limit: the same statements in the same pieces behind the same walls, sent by a bare
 * route that drops all rows. Requests a second of 16 connections, in turns, and the CPU of a request.
 *
 * node bench/limits.ts [--quick]
 *
 * Exits with 1 if a rate is less than its share of the limit. Needs Linux: CPU time is read from /proc.
 */
import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Connection } from '../server/core/db/wire/connection.ts'
import type { Statement } from '../server/core/db/wire/exchange.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { type Installation, openInstallation } from '../server/process/installation.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import type { RecordedRequest } from './limits-floor.ts'
import { figure } from './report.ts'
import { ask, type Subject, startLoad, startServer, stop } from './subjects.ts'

const CONNECTIONS = 16
const ORDERS = 2_000
const PRODUCTS = 2_000
/** Ids and amounts are above this, ids of stores below it: a store is replaced in recorded values. */
const LARGE = 5_000
const STOCK_PATH = '/v3/inventory/adjustments/absolute'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, SECONDS] = options.quick ? [3, 1] : [7, 2]

interface OpenStore {
  id: number
  hash: string
  token: string
}

interface ComparedRequest {
  title: string
  /** The least share of the limit. */
  bar: number
  paths: string[]
}

const READS: Record<string, ComparedRequest> = {
  list: { title: 'list of 50 orders', bar: 0.6, paths: ['/v2/orders?limit=50'] },
  lines: {
    title: 'list of 50 orders with lines',
    bar: 0.6,
    paths: ['/v2/orders?limit=50&include=consignments,consignments.line_items'],
  },
  order: {
    title: 'order by id with 5 lines',
    bar: 0.6,
    paths: Array.from(
      { length: 500 },
      (_, i) => `/v2/orders/${1 + ((i * 7_919) % ORDERS)}?include=consignments,consignments.line_items`,
    ),
  },
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-limits-'))
const server = await startServer(folder, [])
const generator = startLoad()
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
try {
  await compare()
} finally {
  await generator.stop()
  await installation.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare() {
  const administrator = await findEmbedded(folder)
  const cell = installation.directory.cells[0]
  if (!administrator || !cell) throw new Error('The database is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  const shop = await openStore('Orders')
  await fillOrders(admin, shop)
  const counted: OpenStore[] = []
  for (let i = 0; i < 2 * ROUNDS + 3; i++) counted.push(await openStore(`Stock ${i}`))
  await fillStock(admin, counted)
  await admin.query('vacuum analyze')
  await admin.end()

  const { app, recorded } = await openRecorder(installation)
  const requests: Record<string, RecordedRequest[]> = {}
  for (const [name, { paths }] of Object.entries(READS)) {
    requests[name] = []
    for (const path of paths.slice(0, 100)) requests[name].push(await recorded(shop, 'GET', path))
  }
  const [first, ...others] = counted
  if (!first) throw new Error('There is no store.')
  const levels: RecordedRequest[] = []
  for (let id = 1; id <= PRODUCTS; id++) levels.push(await recorded(first, 'PUT', STOCK_PATH, levelOf(id)))
  const floors = others.slice(ROUNDS + 1)
  for (const [i, store] of floors.entries()) requests[`stock${i}`] = levels.map((one) => movedTo(one, first, store))
  await app.close()

  const child = fork(new URL('./limits-floor.ts', import.meta.url), { serialization: 'advanced' })
  const databaseUrl = new URL(url)
  databaseUrl.searchParams.set('options', '-c role=storeward')
  const { port } = await ask<{ port: number }>(child, { url: databaseUrl.href, requests })
  const floor: Subject = { pid: child.pid ?? 0, port, stop: () => stop(child) }
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${CONNECTIONS} connections, ${ROUNDS} rounds; requests a second, and CPU in us of process and database`,
  )
  try {
    for (const [name, { title, bar, paths }] of Object.entries(READS)) {
      const own = paths.map((path) => message(shop, 'GET', path))
      const limit = [`GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`]
      await compareSides(
        title,
        bar,
        () => run(server, own, SECONDS),
        () => run(floor, limit, SECONDS),
      )
    }
    let round = 0
    await compareSides(
      'stock level of a product set',
      0.7,
      () => {
        const store = others[round] ?? first
        const sent = Array.from({ length: PRODUCTS }, (_, i) => message(store, 'PUT', STOCK_PATH, levelOf(i + 1)))
        return run(server, sent, 60, PRODUCTS)
      },
      () => run(floor, [`GET /stock${round++} HTTP/1.1\r\nhost: x\r\n\r\n`], 60, PRODUCTS),
    )
  } finally {
    await floor.stop()
  }
}

function levelOf(id: number) {
  return { items: [{ location_id: 1, product_id: LARGE + id, quantity: LARGE + 7 }] }
}

interface Side {
  rate: number
  process: number
  database: number
}

async function compareSides(title: string, bar: number, own: () => Promise<Side>, limit: () => Promise<Side>) {
  const rounds: { own: Side; limit: Side }[] = []
  // The first round warms both sides up.
  for (let i = 0; i <= ROUNDS; i++) rounds.push({ own: await own(), limit: await limit() })
  rounds.shift()
  const { median, lowest, highest } = figure(rounds.map((round) => round.own.rate / round.limit.rate))
  const figures = (side: 'own' | 'limit') => {
    const of = (key: keyof Side) => figure(rounds.map((round) => round[side][key])).median.toFixed(0)
    return `${of('rate')} (${of('process')} + ${of('database')})`
  }
  console.log(
    `${title.padEnd(32)}${figures('own')} / ${figures('limit')} = ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar ${bar}`,
  )
  if (median < bar) process.exitCode = 1
}

async function run({ pid, port }: Subject, messages: string[], seconds: number, most = 100_000): Promise<Side> {
  const [own, database] = [cpuOf(pid), cpuOfPostgres(postmaster)]
  const plan = { port, connections: CONNECTIONS, seconds, requests: most, messages, first: 0 }
  const load = await generator.run(plan)
  return {
    rate: load.requests / load.seconds,
    process: (cpuOf(pid) - own) / load.requests,
    database: (cpuOfPostgres(postmaster) - database) / load.requests,
  }
}

function message({ hash, token }: OpenStore, method: string, path: string, given?: object): string {
  const body = given ? JSON.stringify(given) : ''
  const head = [
    `${method} /stores/${hash}${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    `x-auth-token: ${token}`,
    ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

async function openStore(name: string): Promise<OpenStore> {
  const { id, hash } = await installation.directory.create({ name, plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
  return { id, hash, token: access_token }
}

/** A server in this process, whose statements are recorded. */
async function openRecorder(installation: Installation) {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  const policy = { addresses: new Addresses([]), origins: [] }
  const log = pino({ level: 'silent' })
  const { server: app } = await createApp({ ...installation, files, policy, log }, readConfig({}), 'http://127.0.0.1')
  const recorded = async ({ id, hash, token }: OpenStore, method: 'GET' | 'PUT', url: string, payload?: object) => {
    const send = () =>
      app.inject({
        method,
        url: `/stores/${hash}${url}`,
        headers: { 'x-auth-token': token },
        ...(payload ? { payload } : {}),
      })
    // The first request also finds its account.
    if (method === 'GET') await send()
    const pieces: Statement[][] = []
    const original = Connection.prototype.send
    Connection.prototype.send = function (statements, onAnswer) {
      if (!statements.some(({ text }) => text === 'select' || /\bapi_accounts\b|\bdirectory\./.test(text))) {
        pieces.push(
          statements.map(({ text, values, name }) => ({
            text,
            values: [...values],
            ...(name ? { name } : {}),
            dropsRows: true,
          })),
        )
      }
      return original.call(this, statements, onAnswer)
    }
    const { statusCode, body } = await send()
    Connection.prototype.send = original
    if (statusCode !== 200) throw new Error(`${method} ${url} is answered with ${statusCode}: ${body}`)
    return { store: id, pieces, isTransaction: method !== 'GET' }
  }
  return { app, recorded }
}

/** The same request in another store. */
function movedTo({ pieces, ...request }: RecordedRequest, from: OpenStore, to: OpenStore): RecordedRequest {
  const moved = (statement: Statement) => ({
    ...statement,
    values: statement.values.map((value) => (value === from.id ? to.id : value)),
  })
  return { ...request, store: to.id, pieces: pieces.map((piece) => piece.map(moved)) }
}

async function fillOrders(admin: pg.Client, { hash, token, id }: OpenStore) {
  const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v2/orders`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({
      billing_address: { first_name: 'Zoë', zip: '1051', country_iso2: 'DK', email: 'zoe@example.com' },
      products: Array.from({ length: 5 }, (_, i) => ({
        name: `Größe ${i}`,
        quantity: i + 1,
        price_ex_tax: 10 + i,
        price_inc_tax: 12.5 + i,
      })),
      status_id: 11,
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { rows } = await admin.query(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'order_id'
       and table_name in ('order_products', 'order_addresses', 'order_shipping_addresses', 'order_taxes', 'order_consignments')`,
  )
  await admin.query(
    `insert into orders select made.* from orders kind, generate_series(2, $2::int) n,
       lateral jsonb_populate_record(kind, jsonb_build_object('id', n)) made where kind.store_id = $1 and kind.id = 1`,
    [id, ORDERS],
  )
  for (const { table_name } of rows) {
    await admin.query(
      `insert into ${table_name} select made.* from ${table_name} kind, generate_series(2, $2::int) n,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', kind.id + n * 10, 'order_id', n)) made
       where kind.store_id = $1 and kind.order_id = 1`,
      [id, ORDERS],
    )
  }
  await admin.query(`update counters set last_id = 1000000, total = $2 where store_id = $1 and resource = 'orders'`, [
    id,
    ORDERS,
  ])
}

/** Products with a level, in all stores alike. */
async function fillStock(admin: pg.Client, stores: readonly OpenStore[]) {
  for (const { id, hash, token } of stores) {
    const call = async (method: string, path: string, body: object) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}${path}`, {
        method,
        headers: { 'x-auth-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const product = {
      name: 'Mug',
      type: 'physical',
      weight: 1,
      price: 9,
      inventory_tracking: 'product',
      inventory_level: 5,
    }
    await call('POST', '/v3/catalog/products', product)
    for (const [table, ids] of [
      [
        'products',
        `'id', ${LARGE} + n, 'name', 'Mug ' || n, 'name_key', 'mug ' || n, 'base_variant_id', ${LARGE} + n, 'custom_url', jsonb_build_object('url', '/m-' || n || '/', 'is_customized', false)`,
      ],
      ['variants', `'id', ${LARGE} + n, 'product_id', ${LARGE} + n`],
      ['stock', `'product_id', ${LARGE} + n`],
    ]) {
      await admin.query(
        `insert into ${table} select made.* from ${table} kind, generate_series(1, $2::int) n,
           lateral jsonb_populate_record(kind, jsonb_build_object(${ids})) made where kind.store_id = $1`,
        [id, PRODUCTS],
      )
    }
  }
}
