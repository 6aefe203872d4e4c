/**
 * The effect of a tax provider and a carrier that hang on the shoppers of other stores. Shoppers of one store go through checkouts at a
 * fixed rate, in turns with services that answer at once and with services that never answer, while shoppers of four other stores go
 * through theirs. Prints the times of these others, and the longest time that a transaction stood idle.
 *
 *   node bench/providers.ts [--quick]
 *
 * Exits with 1 if the p99 of the others beside hanging services is more than 1.2 times that beside answering ones.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import { ServiceClient } from '../server/core/net/service-client.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { setCarrier } from '../server/sales/shipping/carriers/registration.ts'
import { setTaxProvider } from '../server/sales/tax/providers/registration.ts'
import { startTestCarrier } from '../server/sandbox/services/test-carrier.ts'
import { startTestTax } from '../server/sandbox/services/test-tax.ts'
import { memoryOf } from './cpu.ts'
import { figure } from './report.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, ROUND_MS] = options.quick ? [2, 6_000] : [5, 15_000]
const OTHERS = 4
/** The time between two shoppers of a store. */
const EACH_MS = 250
const BAR = 1.2
const ORIGINS = ['http://127.0.0.1:*']

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

const folder = await mkdtemp(join(tmpdir(), 'storeward-providers-'))
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
const [tax, carrier] = [await startTestTax(), await startTestCarrier()]
const services = new ServiceClient({ addresses: new Addresses(['127.0.0.0/8']), origins: ORIGINS })
const server = await openServer()

async function openServer() {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  await files.open()
  const parts = { ...installation, files, services, log: pino({ level: 'silent' }) }
  const { server } = await createApp(parts, readConfig({ FAILED_LOGINS_MAX: '0' }), 'http://127.0.0.1')
  return server
}

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => Promise<{ id: string; data: Data }>
interface Data {
  id: string
  line_items: { physical_items: { id: string }[] }
  consignments: { id: string; available_shipping_options: { id: string }[] }[]
}

/** A store with a product and a zone. Its tax provider and carrier behave as named; without a name it calculates by its own rates. */
async function openStore(behaviour?: 'normal' | 'hang'): Promise<Call> {
  const { id, hash } = await installation.directory.create({ name: `Shop ${behaviour ?? ''}`, plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
  const call: Call = async (method, path, payload) => {
    const { statusCode, body } = await server.inject({
      method,
      url: `/stores/${hash}${path}`,
      headers: { 'x-auth-token': access_token },
      ...(payload ? { payload } : {}),
    })
    if (statusCode >= 400) throw new Error(`${method} ${path}: ${statusCode} ${body.slice(0, 300)}`)
    return body === '' ? {} : JSON.parse(body)
  }
  await call('POST', '/v3/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 10 })
  await call('POST', '/v2/shipping/zones', { name: 'World', type: 'global' })
  const own = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }
  await call('POST', '/v2/shipping/zones/1/methods', own)
  if (behaviour === undefined) {
    const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 }))
    await call('POST', '/v3/tax/rates', [{ tax_zone_id: 1, name: 'Tax', enabled: true, priority: 1, class_rates }])
    return call
  }
  const db = await installation.directory.dbById(id)
  if (!db) throw new Error('The store is not there.')
  const parts = { secrets: installation.secrets, origins: ORIGINS }
  await setTaxProvider(db, { id: 'testtax', url: `${tax.url}/{profile}`, isActive: true }, parts)
  await setCarrier(db, { id: 'testcarrier', rateUrl: `${carrier.url}/rate` }, parts)
  await call('POST', '/v2/shipping/carrier/connection', { carrier_id: 'testcarrier', connection: {} })
  const settings = { carrier_options: behaviour === 'hang' ? { behaviour } : {} }
  await call('POST', '/v2/shipping/zones/1/methods', { name: 'Test', type: 'testcarrier', settings })
  await call('PUT', '/v3/tax/providers/testtax/connection', { username: 'demo', password: 'demo', profile: behaviour })
  return call
}

/** One shopper, from the cart to a chosen way of shipping. @returns the milliseconds of each request */
async function goThroughCheckout(call: Call): Promise<number[]> {
  const times: number[] = []
  const timed: Call = async (...request) => {
    const began = performance.now()
    const answer = await call(...request)
    times.push(performance.now() - began)
    return answer
  }
  const { data: cart } = await timed('POST', '/v3/carts', { line_items: [{ product_id: 1, quantity: 2 }] })
  await timed('POST', `/v3/checkouts/${cart.id}/billing-address`, address)
  const line_items = cart.line_items.physical_items.map(({ id }) => ({ item_id: id, quantity: 2 }))
  const include = 'include=consignments.available_shipping_options'
  const { data } = await timed('POST', `/v3/checkouts/${cart.id}/consignments?${include}`, [{ address, line_items }])
  const [consignment] = data.consignments
  const shipping_option_id = consignment?.available_shipping_options[0]?.id
  await timed('PUT', `/v3/checkouts/${cart.id}/consignments/${consignment?.id}`, { shipping_option_id })
  await timed('GET', `/v3/checkouts/${cart.id}`)
  return times
}

/** Shoppers that come at a fixed rate for a time. @returns the milliseconds of all requests, once the last one has gone */
async function shop(call: Call, forMs: number): Promise<number[]> {
  const visits: Promise<number[]>[] = []
  for (const began = performance.now(); performance.now() - began < forMs; ) {
    visits.push(goThroughCheckout(call))
    await sleep(EACH_MS)
  }
  return (await Promise.all(visits)).flat()
}

const percentile = (times: readonly number[], part: number) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0

async function compare(admin: pg.Client) {
  const others = await Promise.all(Array.from({ length: OTHERS }, () => openStore()))
  const shopBeside = async (behaviour: 'normal' | 'hang', forMs: number) => {
    // A provider that failed five times is skipped for half a minute, so that each round has a store of its own.
    const troubled = await openStore(behaviour)
    const own = shop(troubled, forMs)
    const beside = (await Promise.all(others.map((call) => shop(call, forMs)))).flat()
    return { own: await own, beside }
  }
  await shopBeside('normal', 5_000)
  const watch = watchTransactions(admin)
  const memory = memoryOf(process.pid)
  const ratios: number[] = []
  const all = { quiet: [] as number[], hanging: [] as number[], own: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const { beside: quiet } = await shopBeside('normal', ROUND_MS)
    const { beside: hanging, own } = await shopBeside('hang', ROUND_MS)
    ratios.push(percentile(hanging, 0.99) / percentile(quiet, 0.99))
    all.quiet.push(...quiet)
    all.hanging.push(...hanging)
    all.own.push(...own)
  }
  const show = (name: string, times: readonly number[]) =>
    console.log(
      `${name.padEnd(32)}p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, ${times.length} requests`,
    )
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${ROUNDS} rounds`)
  show('others, beside answers', all.quiet)
  show('others, beside hanging services', all.hanging)
  show('the store that waits', all.own)
  console.log(`longest idle time of a transaction: ${(await watch.stop()).toFixed(0)} ms`)
  console.log(`memory: ${memory.toFixed(0)} MiB before, ${memoryOf(process.pid).toFixed(0)} after`)
  const { median, lowest, highest } = figure(ratios)
  console.log(`p99 ${median.toFixed(2)} times (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar ${BAR}`)
  if (median > BAR) process.exitCode = 1
}

/** Looks every 50 ms for transactions that wait for their process. @returns a function that ends this, with the longest time seen in milliseconds */
function watchTransactions(admin: pg.Client) {
  let isOn = true
  let longest = 0
  const watching = (async () => {
    for (; isOn; await sleep(50)) {
      const { rows } = await admin.query(`
        select coalesce(max(extract(epoch from clock_timestamp() - state_change)) * 1000, 0)::float8 as ms
        from pg_stat_activity where state like 'idle in transaction%'`)
      longest = Math.max(longest, Number(rows[0]?.ms))
    }
  })()
  return {
    async stop() {
      isOn = false
      await watching
      return longest
    },
  }
}

try {
  const administrator = await findEmbedded(folder)
  const admin = new pg.Client({ connectionString: administrator })
  await admin.connect()
  await compare(admin)
  await admin.end()
} finally {
  await server.close()
  await services.close()
  await Promise.all([tax.close(), carrier.close()])
  await installation.close()
  await rm(folder, { recursive: true, force: true })
}
