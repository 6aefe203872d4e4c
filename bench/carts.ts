/**
 * The cost of carts, with very many others in the table. Evaluating a checkout of 50 lines with 20 promotions, tax and two consignments, beside parsing and printing its answer, in
 * CPU of this process; an order of five lines from a checkout beside `POST /v2/orders` of the same, in database CPU; 16 clients that create
 * carts in one store beside 16 stores, in time; reads of others while many carts expire, beside reads right before; the memory of the server
 * before and after all of this. Reading a checkout and changing a quantity stand beside a bare route that sends the same statements in the same pieces and
 * answers the same bytes, in CPU of server and database together; server/sales/carts/changes/budget.test.ts bounds their statements.
 *
 *   node bench/carts.ts [--quick]
 *
 * Exits with 1 if a ratio is above its bar. `--quick` measures fewer rounds, with 20,000 carts of which 10,000 expire, in place of 1,000,000 and
 * 100,000. Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { systemClock } from '../server/core/clock.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Connection } from '../server/core/db/wire/connection.ts'
import type { Statement } from '../server/core/db/wire/exchange.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import { ServiceClient } from '../server/core/net/service-client.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { readCart } from '../server/sales/carts/changes/change.ts'
import { cartPartsOf } from '../server/sales/carts/changes/parts.ts'
import { evaluateCart } from '../server/sales/carts/evaluation/evaluate.ts'
import { countPaidOrders } from '../server/sales/orders/reading/paid-orders.ts'
import { CarrierDesk } from '../server/sales/shipping/carriers/quotes.ts'
import { Estimates } from '../server/sales/tax/estimates/estimates.ts'
import { cpuOf, cpuOfPostgres, memoryOf } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { startServer } from './subjects.ts'

const LINES = 50
const PROMOTIONS = 20
const ORDERED = 5
const CLIENTS = 16
/** Reads of a checkout between two looks at the carts that are left. */
const READS = 50
const MEMORY_MAX_MIB = 300

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, TIMES, CARTS, EXPIRING] = options.quick ? [5, 10, 20_000, 10_000] : [11, 30, 1_000_000, 100_000]
/** Requests in a round of one kind: the compiler is done with a route after some hundred. */
const REQUESTS = options.quick ? 50 : 200

const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  state_or_province_code: 'TX',
  country_code: 'US',
  postal_code: '78701',
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-carts-'))
const server = await startServer(folder, [])
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
const client = await connect()
try {
  await compare()
} finally {
  await client.end()
  await installation.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function connect(): Promise<pg.Client> {
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function compare() {
  console.log(`memory of the server before the first request: ${memoryOf(server.pid).toFixed(0)} MiB`)
  const store = await openStore('Carts')
  const checkout = await openCheckout(store)
  const others = await openOthers()
  await copyCart(others, CARTS - EXPIRING, 'later')
  await client.query('vacuum analyze carts')
  await client.query('checkpoint')
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${CARTS} carts; CPU in milliseconds, median of ${ROUNDS} rounds`)
  await compareEvaluation(store, checkout.id)
  await compareRequests(store, checkout)
  await compareOrders(store)
  await compareClients(store)
  await compareReads(store, checkout.id, others)
  const memory = memoryOf(server.pid)
  console.log(`memory of the server: ${memory.toFixed(0)} MiB, bar ${MEMORY_MAX_MIB}`)
  if (memory > MEMORY_MAX_MIB) process.exitCode = 1
}

type OpenStore = Awaited<ReturnType<typeof openStore>>

/** The pure evaluation of a checkout. No carrier and no tax provider is asked. */
async function compareEvaluation({ db, call }: OpenStore, id: string) {
  const services = new ServiceClient({ addresses: new Addresses([]), origins: [] })
  const { secrets } = installation
  const clock = systemClock
  const parts = cartPartsOf({
    desk: new CarrierDesk({ services, secrets, clock }),
    estimates: new Estimates({ services, secrets, clock }),
    countOrders: countPaidOrders,
    sites: { domain: 'localhost', publicUrl: 'http://localhost', allowsPorts: true },
  })
  const { cart, facts } = await readCart(db, parts, { id, quotes: parts.quotesOf({}), at: clock.now() })
  const text = JSON.stringify(await call('GET', `/v3/checkouts/${id}`))
  await compareWorks({
    name: 'evaluating a checkout, beside parsing and printing its answer',
    bar: 5,
    cpu: () => cpuOf(process.pid),
    rounds: ROUNDS,
    times: TIMES * 20,
    own: async () => evaluateCart(cart.document, facts),
    beside: async () => JSON.stringify(JSON.parse(text)),
  })
}

/** Reading a checkout, and changing a quantity, beside their floors. Both run in this process. */
async function compareRequests(
  { id: store, hash, token, wire }: OpenStore,
  { id, line }: { id: string; line: string },
) {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  const parts = { ...installation, files, policy: { addresses: new Addresses([]), origins: [] } }
  const log = pino({ level: 'silent' })
  const { server: app } = await createApp({ ...parts, log }, readConfig({}), 'http://127.0.0.1')
  const headers = { 'x-auth-token': token }
  let quantity = 2
  const requests = {
    'reading a checkout': () => app.inject({ url: `/stores/${hash}/v3/checkouts/${id}`, headers }),
    'changing a quantity': () => {
      quantity = 5 - quantity
      const url = `/stores/${hash}/v3/carts/${id}/items/${line}`
      return app.inject({ method: 'PUT', url, headers, payload: { line_item: { quantity } } })
    },
  }
  for (const [name, request] of Object.entries(requests)) {
    await request()
    const { pieces, body } = await overheard(request)
    const floor = fastify().get('/', async (_, reply) => {
      const connection = await wire.lend(store)
      for (const piece of pieces) await connection.ask(piece)
      wire.takeBack(connection)
      return reply.type('application/json').send(JSON.stringify(body))
    })
    await compareWorks({
      name: `${name}, beside its statements and bytes`,
      bar: 1.6,
      cpu: () => cpuOf(process.pid) + cpuOfPostgres(postmaster),
      rounds: ROUNDS,
      times: REQUESTS,
      own: request,
      beside: () => floor.inject('/'),
    })
    await floor.close()
  }
  await app.close()
}

/** The statements of a request in the pieces in which they leave, walls and commits among them, and its answer. */
async function overheard(request: () => Promise<{ statusCode: number; json(): unknown }>) {
  const pieces: (readonly Statement[])[] = []
  const { send } = Connection.prototype
  Connection.prototype.send = function (statements, onAnswer) {
    pieces.push(statements)
    return send.call(this, statements, onAnswer)
  }
  const answer = await request().finally(() => {
    Connection.prototype.send = send
  })
  if (answer.statusCode !== 200) throw new Error(`The request is answered with ${answer.statusCode}.`)
  return { pieces, body: answer.json() }
}

async function compareOrders({ call }: OpenStore) {
  const products = Array.from({ length: ORDERED }, (_, i) => ({ product_id: i + 1, quantity: 2 }))
  const ready: string[] = []
  for (let n = 0; n < (ROUNDS + 1) * TIMES; n++) {
    const { data: cart } = await call<{ data: CreatedCart }>('POST', '/v3/carts', { line_items: products })
    await call('POST', `/v3/checkouts/${cart.id}/billing-address`, address)
    await ship(call, cart, [address])
    ready.push(cart.id)
  }
  const {
    state_or_province_code: _,
    country_code: country_iso2,
    address1: street_1,
    postal_code: zip,
    ...person
  } = address
  const order = { billing_address: { ...person, street_1, zip, state: 'Texas', country_iso2 }, products, status_id: 0 }
  await compareWorks({
    name: `an order of ${ORDERED} lines from a checkout, beside POST /v2/orders`,
    bar: 1.5,
    cpu: () => cpuOfPostgres(postmaster),
    rounds: ROUNDS,
    times: TIMES,
    own: () => call('POST', `/v3/checkouts/${ready.pop()}/orders`),
    beside: () => call('POST', '/v2/orders', order),
  })
}

/** A store with all clients must reach at least 0.8 times the rate of a store for each. */
async function compareClients(store: OpenStore) {
  const stores: OpenStore[] = []
  for (let n = 0; n < CLIENTS; n++) stores.push(await openStore(`Store ${n}`, 1))
  const create = ({ call }: OpenStore) => call('POST', '/v3/carts', { line_items: [{ product_id: 1, quantity: 1 }] })
  await compareWorks({
    name: `${CLIENTS} clients that create carts in one store, beside ${CLIENTS} stores`,
    bar: 1 / 0.8,
    cpu: () => performance.now() * 1_000,
    rounds: ROUNDS,
    times: TIMES,
    own: () => Promise.all(stores.map(() => create(store))),
    beside: () => Promise.all(stores.map(create)),
  })
}

/** A store with one cart, to be copied. */
async function openOthers() {
  const { id: store, call } = await openStore('Others', 1)
  const line_items = [{ product_id: 1, quantity: 1 }]
  const { data: cart } = await call<{ data: CreatedCart }>('POST', '/v3/carts', { line_items })
  return { store, cart: cart.id }
}

type CopiedCart = Awaited<ReturnType<typeof openOthers>>

/** Copies a cart. Copies that end soon do so half a minute later, when the database has written all of them. */
async function copyCart({ store, cart }: CopiedCart, count: number, ends: 'soon' | 'later') {
  await client.query(
    `insert into carts (store_id, id, channel_id, currency_code, customer_id, email, email_key, version, created_at, updated_at, idle_at,
       spell, token, reminder_at, reminders, expires_at, due_at, order_id, document)
     select store_id, $3 || right(md5(n::text)::uuid::text, 35), channel_id, currency_code, customer_id, email, email_key, version, created_at,
       updated_at, null, spell, token, reminder_at, reminders, ends_at, ends_at, order_id, document
     from carts, generate_series(1, $4::int) n, lateral (select clock_timestamp() + $5::interval as ends_at) one
     where store_id = $1 and id = $2`,
    [store, cart, ends === 'soon' ? 'e' : '1', count, ends === 'soon' ? '30 seconds' : '30 days'],
  )
}

/** Reads of a store while carts of another one expire, beside quiet reads before and behind. */
async function compareReads({ call }: OpenStore, id: string, others: CopiedCart) {
  await copyCart(others, EXPIRING, 'soon')
  await client.query('vacuum analyze carts')
  await client.query('checkpoint')
  const readSome = async () => {
    const times: number[] = []
    for (let n = 0; n < READS; n++) {
      const began = performance.now()
      await call('GET', `/v3/checkouts/${id}`)
      times.push(performance.now() - began)
    }
    return times
  }
  const left = async () => {
    const { rows } = await client.query(`select count(*)::int from carts where store_id = $1 and id like 'e%'`, [
      others.store,
    ])
    return Number(rows[0].count)
  }
  const quiet: number[] = []
  const during: number[] = []
  let began: number | undefined
  for (let count = EXPIRING; count > 0; ) {
    const times = await readSome()
    count = await left()
    if (count < EXPIRING) began ??= performance.now()
    ;(began === undefined ? quiet : during).push(...times)
  }
  const seconds = (performance.now() - (began ?? 0)) / 1_000
  // Quiet reads before and behind: the tail of either half alone differs by up to three times.
  for (let n = quiet.length; n > 0; n -= READS) quiet.push(...(await readSome()))
  const ratio = p99(during) / p99(quiet)
  const figures = `p99 ${p99(during).toFixed(1)} ms / ${p99(quiet).toFixed(1)} ms = ${ratio.toFixed(2)}, bar 1.3`
  console.log(`reads while ${EXPIRING} carts expire in ${seconds.toFixed(0)} s, beside quiet ones: ${figures}`)
  if (ratio > 1.3) process.exitCode = 1
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

/** Opens a store with products and a tax rate. */
async function openStore(name: string, products = LINES) {
  const store = { ...(await installation.directory.create({ name, plan: 'unlimited' })), limits: {} }
  const { access_token } = await installation.accounts.create(store.hash, 'admin', ['all'])
  const call = async <A = unknown>(method: string, path: string, body?: object): Promise<A> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${store.hash}${path}`, {
      method,
      headers: { 'x-auth-token': access_token, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${await answer.text()}`)
    const read: A = JSON.parse(await answer.text())
    return read
  }
  for (let n = 1; n <= products; n++) {
    await call('POST', '/v3/catalog/products', { name: `Mug ${n}`, type: 'physical', weight: 1, price: 9 + n })
  }
  await call('POST', '/v3/tax/rates', [
    { name: 'Tax', tax_zone_id: 1, class_rates: [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 })) },
  ])
  const [cell] = installation.directory.cells
  if (!cell) throw new Error('The database is not running.')
  return { id: store.id, hash: store.hash, token: access_token, db: cell.api.of(store), wire: cell.api.wire, call }
}

/** A checkout of 50 lines with 20 promotions and two consignments. */
async function openCheckout({ call }: OpenStore) {
  for (let n = 1; n <= PROMOTIONS; n++) {
    const rules = [{ action: { cart_items: { discount: { percentage_amount: '1' }, items: { products: [n] } } } }]
    await call('POST', '/v3/promotions', { redemption_type: 'AUTOMATIC', name: `Promotion ${n}`, rules })
  }
  const line_items = Array.from({ length: LINES }, (_, i) => ({ product_id: i + 1, quantity: 2 }))
  const { data: cart } = await call<{ data: CreatedCart }>('POST', '/v3/carts', { line_items })
  await call('POST', `/v3/checkouts/${cart.id}/billing-address`, address)
  await ship(call, cart, [address, { ...address, city: 'Dallas' }])
  return { id: cart.id, line: cart.line_items.physical_items[0]?.id ?? '' }
}

interface CreatedCart {
  id: string
  line_items: { physical_items: { id: string; quantity: number }[] }
}

/** Ships the units of a cart in equal parts to addresses, each for an own price. */
async function ship(call: OpenStore['call'], { id, line_items }: CreatedCart, addresses: readonly object[]) {
  const items = line_items.physical_items.map((line) => ({
    item_id: line.id,
    quantity: line.quantity / addresses.length,
  }))
  const consignments = addresses.map((one) => ({ address: one, line_items: items }))
  const { data } = await call<{ data: { consignments: { id: string }[] } }>(
    'POST',
    `/v3/checkouts/${id}/consignments`,
    consignments,
  )
  for (const consignment of data.consignments) {
    const custom_shipping = { price: 6, description: 'Van' }
    await call('PUT', `/v3/checkouts/${id}/consignments/${consignment.id}`, { custom_shipping })
  }
}
