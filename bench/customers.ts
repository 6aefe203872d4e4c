/**
 * A store with very many customers: the database cost of a list by e-mail addresses or by a piece of a name, and of
 * creating ten customers in one request or one by one.
 *
 * node bench/customers.ts [--customers <count>] [--rounds <count>]
 *
 * The figures of docs/decisions/023-names-of-customers.md come from here. Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { migrate } from '../server/core/db/setup/prepare.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { type Cost, costOf } from './cpu.ts'
import { figure } from './report.ts'
import { startServer } from './subjects.ts'

const LIST_BAR_MS = 5
const BATCH_BAR = 4
const BATCH = 10
const REPEATS = 20
const WARM_UP = 3
const OTHER_STORES = 20
const CUSTOMERS_OF_OTHERS = 1_000

const { values: options } = parseArgs({
  options: { customers: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '7' } },
})
const CUSTOMERS = Number(options.customers)
const ROUNDS = Number(options.rounds)

// 100 first names and 90,720 last ones: of a million customers 10,000 share a first name and some dozen a last one. The
// commonest endings have 50,000 customers.
const FIRST =
  'Ada Alma Amir Ann Arun Asta Beth Bo Bruno Cara Carl Chen Cleo Cy Dana Dario Dev Dina Ebba Eli Elsa Emil Eva Ezra Fay Finn Flora Gabe Gia Gus Hana Hugo Ida Idris Igor Ines Ivan Jade Jan Jia Jon Juno Kai Kara Kim Lars Lea Leo Lia Liv Lou Lucy Luis Maja Marc Mei Mila Moa Nadia Ned Nia Nils Noa Nora Olaf Olga Omar Otis Pam Paul Per Pia Quinn Rafa Rey Rita Rosa Roy Ruth Sam Sara Sean Siv Sol Tara Ted Tess Theo Tim Tove Uma Una Vera Vic Wes Will Xena Yara Zara Zoe'.split(
    ' ',
  )
const HEAD = 'B Br C Ch Cl D Dr F Fl G Gr H J K Kl L M N P Pr R S Sch St T Th V W'.split(' ')
const VOWEL = 'a e i o u au ee ie oo'.split(' ')
const MIDDLE = 'b ck d ff g l ll m n nd r rt s sk t tz v x'.split(' ')
const TAIL = 'berg dahl ell er es feld ford ham in ing ker ley man mann o ow s son ton well'.split(' ')

/**
 * Pieces of names: of nobody, whole names, last names, the beginning of a last name after a first one, parts of last
 * names.
 */
const PATTERNS = [
  'xyzzy',
  'asta hindham',
  'roy hertberg',
  'ann feenmann',
  'hindham',
  'sumin',
  'feenmann',
  'zara sch',
  'theo tha',
  'rtberg',
  'schaub',
]

const folder = await mkdtemp(join(tmpdir(), 'storeward-customers-'))
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
  const large = await openStore('Large')
  await load(large.id)
  sayLoad()
  const emails = (round: number) => {
    const picked = Array.from({ length: 10 }, (_, i) => 1 + ((round * 7_919 + i * 99_991) % CUSTOMERS))
    return picked.map((nr) => `n${nr}@example.com`).join()
  }
  await list(postmaster, large.call, 'email:in, 10 addresses', (round) => `email:in=${emails(round)}`)
  for (const pattern of PATTERNS) {
    const query = `name:like=${encodeURIComponent(pattern)}`
    const { meta } = await large.call('GET', `/customers?${query}`)
    await list(postmaster, large.call, `name:like=${pattern}, ${meta.pagination.total} found`, () => query)
  }
  await batches(postmaster, large.call)
  sayLoad()
}

type Caller = Awaited<ReturnType<typeof openStore>>['call']

/** One figure is the mean of some requests: a single one is too short for the clock of the kernel. */
async function list(postmaster: number, call: Caller, title: string, query: (round: number) => string) {
  const costs: Cost[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const cost = await costOf(server.pid, postmaster, async () => {
      for (let i = 0; i < REPEATS; i++) await call('GET', `/customers?${query(round * REPEATS + i + 1_000)}`)
    })
    if (round >= 0) costs.push(cost)
  }
  const of = (key: keyof Cost) => figure(costs.map((cost) => cost[key] / REPEATS))
  const database = of('database')
  const verdict = database.median <= LIST_BAR_MS ? 'reached' : 'MISSED'
  console.log(`${title}`)
  console.log(
    `  ${show(of('ms'))} ms, server CPU ${show(of('server'))} ms, database CPU ${show(database)} ms; ${verdict}`,
  )
}

/** Ten customers in one request beside ten requests, in turns. */
async function batches(postmaster: number, call: Caller) {
  let nr = CUSTOMERS
  const customer = () => ({ email: `new${++nr}@example.com`, first_name: 'Ann', last_name: `New${nr}`, company: 'New' })
  const ways = {
    'one by one': async () => {
      for (let i = 0; i < BATCH; i++) await call('POST', '/customers', [customer()])
    },
    batch: () => call('POST', '/customers', Array.from({ length: BATCH }, customer)),
  }
  const measured = { 'one by one': [] as Cost[], batch: [] as Cost[] }
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const way of ['one by one', 'batch'] as const) {
      const cost = await costOf(server.pid, postmaster, async () => {
        for (let i = 0; i < REPEATS; i++) await ways[way]()
      })
      if (round >= 0) measured[way].push(cost)
    }
  }
  console.log(`${BATCH} customers`)
  for (const [way, costs] of Object.entries(measured)) {
    const of = (key: keyof Cost) => show(figure(costs.map((cost) => cost[key] / REPEATS)))
    console.log(`  ${way.padEnd(10)} ${of('ms')} ms, server CPU ${of('server')} ms, database CPU ${of('database')} ms`)
  }
  const times = figure(measured.batch.map(({ ms }, i) => (measured['one by one'][i]?.ms ?? ms) / ms))
  console.log(`  times as fast: ${show(times)}; bar ${BATCH_BAR}: ${times.median >= BATCH_BAR ? 'reached' : 'MISSED'}`)
}

function show({ median, lowest, highest }: ReturnType<typeof figure>) {
  return `${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`
}

function sayLoad() {
  const load = loadavg().map((mean) => mean.toFixed(1))
  console.log(`load ${load.join(' ')}`)
}

interface Listed {
  meta: { pagination: { total: number } }
}

async function openStore(name: string) {
  const { id, hash } = await installation.directory.create({ name, plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
  const call = async (method: string, path: string, body?: unknown): Promise<Listed> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v3${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': access_token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return JSON.parse(await answer.text())
  }
  return { id, call }
}

/**
 * The customers of the large store and of others besides it. SQL inserts them, since the speed of creates isn't
 * measured here.
 */
async function load(largeId: number) {
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  const stores = [{ id: largeId, count: CUSTOMERS }]
  for (let i = 0; i < OTHER_STORES; i++) {
    const { id } = await installation.directory.create({ name: `Other ${i}`, plan: 'unlimited' })
    stores.push({ id, count: CUSTOMERS_OF_OTHERS })
  }
  for (const { id, count } of stores) {
    for (let first = 1; first <= count; first += 100_000) {
      await client.query(
        `with new as (
           select n as id, ($2::text[])[n % 100 + 1] as first,
             ($3::text[])[n * 7 / 3 % 28 + 1] || ($4::text[])[n * 11 / 5 % 9 + 1] || ($5::text[])[n * 13 / 7 % 18 + 1]
               || ($6::text[])[n * 17 / 11 % 20 + 1] as last,
             now() - (n % 500) * interval '1 day' as at
           from generate_series($7::int, $8::int) n
         ), customer as (
           insert into customers (store_id, id, email, email_key, first_name, first_name_key, last_name, last_name_key,
             company, company_key, phone, phone_key, registration_ip_address, registration_ip_address_key, notes,
             tax_exempt_category, tax_exempt_category_key, customer_group_id, date_modified, date_created, address_count,
             attribute_count, authentication, password_hash, accepts_product_review_abandoned_cart_emails,
             origin_channel_id, channel_ids, store_credit)
           select $1, id, 'n' || id || '@example.com', 'n' || id || '@example.com', first, lower(first), last, lower(last),
             '', '', '555' || id, '555' || id, '', '', '', '', '', id % 5, at, at, 0, 0,
             '{"force_password_reset": false}', null, false, 1, null, 0
           from new
         )
         insert into customer_names (store_id, id, name_key)
         select $1, id, lower(first || ' ' || last) from new`,
        [id, FIRST, HEAD, VOWEL, MIDDLE, TAIL, first, Math.min(count, first + 99_999)],
      )
    }
    await client.query(
      `insert into counters (store_id, resource, last_id, total, version) values ($1, 'customers', $2, $2, 1)`,
      [id, count],
    )
  }
  // Computes the n-grams of the names.
  await migrate(url.href, ['cell'])
  await client.query('vacuum analyze customers')
  await client.query('vacuum analyze customer_names')
  await client.query('checkpoint')
  await client.end()
}
