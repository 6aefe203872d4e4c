/**
 * The cost of prices, in database CPU: 250 products for a customer whose list has 1,000,000 records, beside a list of 10,000 records and
 * beside the same variants and records read by key; an order of five lines without prices beside one with prices; a batch of 1,000
 * records beside one `insert ... on conflict`; the options of a parcel in a store with 40,000 postal codes beside its zone by key. Also
 * the pure half of a pricing request beside `JSON.stringify` of its answer, in CPU of this process.
 *
 *   node bench/prices.ts [--quick]
 *
 * Exits with 1 if a ratio is above its bar. `--quick` measures fewer rounds, with 100,000 records. Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Db, prepared } from '../server/core/db/database.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { sql } from '../server/core/db/sql.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { createOrder } from '../server/sales/orders/writing/create.ts'
import { gather } from '../server/sales/pricing/gather.ts'
import { pricesFrom, pricesOf } from '../server/sales/pricing/products.ts'
import { storeBatch } from '../server/sales/pricing/records/batches.ts'
import { offeredBy, servingZones } from '../server/sales/shipping/parcels/shipping-options.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { startServer } from './subjects.ts'

const ITEMS = 250
const PRODUCTS = 10_000
const BATCH = 1_000
const LINES = 5
/** Shipping zones, and the postal codes of each. */
const [ZONES, CODES] = [40, 1_000]

/** Facts of goods that only carriers ask for. */
const NO_GOODS = {
  product_id: 1,
  variant_id: 1,
  sku: '',
  name: '',
  length: 0,
  width: 0,
  height: 0,
  list_price: 0n,
}

type Work = () => Promise<unknown>

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [RECORDS, ROUNDS, TIMES] = options.quick ? [100_000, 5, 10] : [1_000_000, 11, 30]

const folder = await mkdtemp(join(tmpdir(), 'storeward-prices-'))
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
  const [large, small] = [await openStore('Large', RECORDS), await openStore('Small', PRODUCTS)]
  await client.query('vacuum analyze')
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; a list of ${RECORDS} records; CPU in milliseconds, median of ${ROUNDS} rounds`,
  )

  const keys = ids(ITEMS)
  const request = {
    channel_id: 1,
    currency_code: 'USD',
    customer_id: 1,
    country_code: 'DK',
    items: keys.map((product_id) => ({ product_id })),
  }
  await ratio(`prices of ${ITEMS} products, beside their rows by key`, 1.6, ofDatabase, [
    () => pricesOf(large.db, request),
    () => readByKey(large.id, keys),
  ])
  await ratio(`the same, beside a list of ${PRODUCTS} records`, 1.1, ofDatabase, [
    () => pricesOf(large.db, request),
    () => pricesOf(small.db, request),
  ])
  const found = await gather(large.db, { ...request, customer_group_id: 0 }, keys)
  const answer = pricesFrom(found, request)
  await ratio('the pure half, beside JSON.stringify of the answer', 2, ofProcess, [
    async () => pricesFrom(found, request),
    async () => JSON.stringify(answer),
  ])
  await ratio(`an order of ${LINES} lines without prices, beside one with prices`, 1.3, ofDatabase, [
    () => createOrder(large.db, orderOf({})),
    () => createOrder(large.db, orderOf({ price_ex_tax: 10, price_inc_tax: 12.5 })),
  ])
  await addPostalCodes(large.call)
  const parcel = () => ({
    destination: {
      country_iso2: 'US',
      state_iso2: 'TX',
      zip: String(10_000 + Math.floor(Math.random() * ZONES * CODES)),
    },
    channel: 1,
  })
  const line = { quantity: 1, weight: 1, value: 100_000n, is_free_shipping: false, fixed_cost: 0n }
  await ratio(`options of a parcel, ${ZONES * CODES} postal codes, beside its zone`, 1.6, ofDatabase, [
    async () => {
      const [serving] = await servingZones(large.db, [parcel()])
      const { options } = offeredBy(serving, { lines: [{ ...line, ...NO_GOODS }], channel: 1, currency: 'USD' })
      if (options.length !== 1) throw new Error('The parcel has no option.')
    },
    () => readZone(large.db, 1 + Math.floor(Math.random() * ZONES)),
  ])
  let price = 0
  const items = () => {
    price++
    return ids(BATCH).map((variant_id) => ({ variant_id, currency: 'usd', price }))
  }
  await ratio(`a batch of ${BATCH} records, beside one insert on conflict`, 4, ofDatabase, [
    () => large.db.transaction((tx) => storeBatch(tx, { items: items(), list: 1, onlyNew: false, isStrict: false })),
    () => insertRecords(large.id, items()),
  ])
}

function ofDatabase(): number {
  return cpuOfPostgres(postmaster)
}

function ofProcess(): number {
  return cpuOf(process.pid)
}

/** Ids all over the products, in an order without a pattern. */
function ids(count: number): number[] {
  return Array.from({ length: count }, (_, i) => ((i * 7_919) % PRODUCTS) + 1)
}

function orderOf(prices: { price_ex_tax?: number; price_inc_tax?: number }) {
  return {
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2: 'DK', email: 'ida@example.com' },
    customer_id: 1,
    products: ids(LINES).map((product_id) => ({ product_id, quantity: 2, ...prices })),
    status_id: 11,
  }
}

/** Compares two works. @param cpu that has been used so far, in microseconds */
function ratio(name: string, bar: number, cpu: () => number, [own, beside]: readonly [Work, Work]) {
  const times = cpu === ofProcess ? TIMES * 20 : TIMES
  return compareWorks({ name, bar, cpu, rounds: ROUNDS, times, own, beside })
}

/** Adds shipping zones with postal codes from 10000 on, each with a method. */
async function addPostalCodes(call: Awaited<ReturnType<typeof openStore>>['call']) {
  for (let zone = 0; zone < ZONES; zone++) {
    const locations = Array.from({ length: CODES }, (_, i) => ({
      zip: String(10_000 + zone * CODES + i),
      country_iso2: 'US',
    }))
    await call('POST', '/v2/shipping/zones', { name: `Zone ${zone}`, type: 'zip', locations })
    const method = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }
    await call('POST', `/v2/shipping/zones/${zone + 1}/methods`, method)
  }
  await client.query('vacuum analyze shipping_zone_locations, shipping_zones, shipping_methods')
}

/** The floor of options: a zone with its methods and the currencies, by key. */
function readZone(db: Db, id: number) {
  return db.rows(
    prepared(sql`
    select to_json(zone) as zone,
      (select json_agg(method) from shipping_methods method where store_id = ${db.store.id} and zone_id = ${id}) as methods,
      (select json_agg(currency) from currencies currency where store_id = ${db.store.id}) as currencies
    from shipping_zones zone where store_id = ${db.store.id} and id = ${id}`),
  )
}

/** The floor of prices: products with their variants, and records, each by key. */
async function readByKey(store: number, keys: readonly number[]) {
  const read = (name: string, text: string) => client.query({ name, text, values: [store, keys] })
  const products = await read(
    'products by key',
    `select product.id, product.price, product.sale_price, product.retail_price, product.map_price, tax_class_id, base_variant_id,
       categories, variant.id as variant_id, variant.price as own_price, variant.sale_price as own_sale_price,
       variant.retail_price as own_retail_price, variant.map_price as own_map_price, purchasing_disabled, option_values
     from products product join variants variant on variant.store_id = product.store_id and variant.product_id = product.id
     where product.store_id = $1 and product.id = any($2::int[])`,
  )
  const records = await read(
    'records by key',
    `select variant_id, price, sale_price, retail_price, map_price, bulk_pricing_tiers from price_records
     where store_id = $1 and price_list_id = 1 and variant_id = any($2::int[]) and currency = 'usd'`,
  )
  return [products, records]
}

function insertRecords(store: number, items: readonly { variant_id: number; price: number }[]) {
  return client.query({
    name: 'insert records',
    text: `insert into price_records select $1, 1, variant_id, 'usd', 1, variant_id, price, null, null, null, price, '[]', now(), now()
      from unnest($2::int[], $3::numeric[]) wanted (variant_id, price)
      on conflict (store_id, price_list_id, variant_id, currency) do update
        set price = excluded.price, calculated_price = excluded.calculated_price, date_modified = excluded.date_modified`,
    values: [store, items.map(({ variant_id }) => variant_id), items.map(({ price }) => price)],
  })
}

/** A store whose customer has a list, with products, and a tax rate for Denmark. */
async function openStore(name: string, records: number) {
  const store = { ...(await installation.directory.create({ name, plan: 'unlimited' })), limits: {} }
  const { access_token } = await installation.accounts.create(store.hash, 'admin', ['all'])
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${store.hash}${path}`, {
      method,
      headers: { 'x-auth-token': access_token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${await answer.text()}`)
  }
  await call('POST', '/v3/catalog/products', { name: 'Product 1', type: 'physical', weight: 1, price: 20 })
  await call('POST', '/v2/customer_groups', { name: 'Trade' })
  await call('POST', '/v3/customers', [
    { email: 'tom@example.com', first_name: 'Tom', last_name: 'Trade', customer_group_id: 1 },
  ])
  await call('POST', '/v3/pricelists', { name: 'Trade' })
  await call('POST', '/v3/pricelists/assignments', [{ price_list_id: 1, customer_group_id: 1 }])
  await call('PUT', '/v3/pricelists/1/records', [{ variant_id: 1, currency: 'usd', price: 15 }])
  await call('POST', '/v3/tax/zones', [
    { name: 'Denmark', shopper_target_settings: { locations: [{ country_code: 'DK' }] } },
  ])
  await call('POST', '/v3/tax/rates', [{ name: 'Moms', tax_zone_id: 2, class_rates: [{ rate: 25, tax_class_id: 0 }] }])
  await copyRows(store.id, records)
  const [cell] = installation.directory.cells
  if (!cell) throw new Error('The database is not running.')
  return { id: store.id, db: cell.api.of(store), call }
}

/** Copies the product and the record of a store. */
async function copyRows(store: number, records: number) {
  await client.query(
    `with product as (
       insert into products select made.* from products kind, generate_series(2, $2::int) n,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'name', 'Product ' || n, 'name_key', 'product ' || n,
           'base_variant_id', n, 'custom_url', jsonb_build_object('url', '/p-' || n || '/', 'is_customized', false))) made
       where kind.store_id = $1 and kind.id = 1
     )
     insert into variants select made.* from variants kind, generate_series(2, $2::int) n,
       lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'product_id', n)) made
     where kind.store_id = $1 and kind.id = 1`,
    [store, PRODUCTS],
  )
  await client.query(
    `insert into price_records select made.* from price_records kind, generate_series(2, $2::int) n,
       lateral jsonb_populate_record(kind, jsonb_build_object('variant_id', n, 'product_id', n, 'price', n % 90 + 1,
         'calculated_price', n % 90 + 1)) made
     where kind.store_id = $1`,
    [store, records],
  )
  await client.query('update price_record_sets set total = $2 where store_id = $1', [store, records])
}
