/**
 * The cost of the companion API. A company and a user by id beside a category by id, a quote of 50 lines beside an order of 50 lines, and a
 * list of quotes by a representative of 1,000 companies beside one by an account: CPU of server and database. Lists of 50 quotes with two
 * filters in database CPU, among many and among 10,000. Creating orders in a store with the companion API beside one without it. Other
 * requests while ten files of 10 MB are uploaded, beside quiet ones. `server/doors/b2b/purchases/budget.test.ts` bounds statements.
 *
 *   node bench/companies.ts [--quick] [--lists]
 *
 * Exits with 1 if a bar is missed. `--quick` takes 50,000 quotes in place of 1,000,000; `--lists` measures only the lists. Needs Linux: CPU time is read from /proc.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import t from 'typebox'
import { createStaff } from '../server/doors/b2b/staff/staff.ts'
import { setCompanion } from '../server/doors/b2b/tokens/store.ts'
import {
  type CompanyHouse,
  type CompanyStore,
  copyCompanies,
  copyQuotes,
  dataOf,
  EACH,
  firmNamed,
  makeFirm,
  makeProducts,
  openCompanyStore,
  quoteBody,
  withCompanyHouse,
} from './company-data.ts'
import type { AttachmentRound } from './company-uploads.ts'
import { memoryOf } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { compareP99, openReading, readDuring, readQuietly } from './reads-beside.ts'
import { figure } from './report.ts'
import { ask, stop } from './subjects.ts'

const LINES = 50
const FEW = 10_000
const ASSIGNED = 1_000
const LIST_MS = 5
const UPLOADS = 10
const UPLOAD_BYTES = 10 * 1_000_000
const MEMORY_MIB = 100
/** Quiet reads before each round of uploads, and the pause behind a round. */
const QUIET_READS = 250
const PAUSE_MS = 200
const PASSWORD = 'correct horse 7'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, lists: { type: 'boolean', default: false } },
})
const [QUOTES, ROUNDS, TIMES] = options.quick ? [50_000, 5, 20] : [1_000_000, 9, 50]

await withCompanyHouse('companies', async (house) => {
  const store = await openCompanyStore(house, 'Companies')
  const products = await makeProducts(store, LINES)
  const firm = await makeFirm(store, 'Acme', PASSWORD)
  await store.companion('POST', '/rfq', quoteBody(firm.companyId, firm.email, products.slice(0, 1)))
  console.log(`load ${loadavg()[0]?.toFixed(1)}; CPU in milliseconds, median of ${ROUNDS} rounds`)
  if (!options.lists) {
    await compareReads(house, store)
    await compareCreates(house, store, { firm, products })
    await compareFollowed(house)
    await compareUploads(house)
  }
  await compareLists(house, store)
})

async function compareReads({ cpu }: CompanyHouse, { call, companion }: CompanyStore) {
  const made = await call('POST', '/v3/catalog/categories', { name: 'Cups', parent_id: 0 })
  const { id } = dataOf(t.Object({ id: t.Integer() }), made)
  const category = () => call('GET', `/v3/catalog/categories/${id}`)
  const measured = { bar: 1.3, cpu, rounds: ROUNDS, times: TIMES * 4, beside: category }
  await compareWorks({
    ...measured,
    name: 'company by id / category by id',
    own: () => companion('GET', '/companies/1'),
  })
  await compareWorks({ ...measured, name: 'user by id / category by id', own: () => companion('GET', '/users/1') })
}

interface Buying {
  firm: { companyId: number; email: string }
  products: readonly { productId: number; variantId: number }[]
}

async function compareCreates({ cpu }: CompanyHouse, { call, companion }: CompanyStore, { firm, products }: Buying) {
  const order = {
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2: 'DK', email: 'ida@example.com' },
    products: products.map(({ productId }) => ({ product_id: productId, quantity: 1 })),
    status_id: 0,
  }
  await compareWorks({
    name: `quote of ${LINES} lines / order of ${LINES} lines`,
    bar: 3,
    cpu,
    rounds: ROUNDS,
    times: TIMES,
    own: () => companion('POST', '/rfq', quoteBody(firm.companyId, firm.email, products)),
    beside: () => call('POST', '/v2/orders', order),
  })
}

/** Orders of a plain customer and of a user of a company, beside those of a store without the companion API. */
async function compareFollowed(house: CompanyHouse) {
  const [store, other] = [await openCompanyStore(house, 'With'), await openCompanyStore(house, 'Without')]
  await setCompanion(other.db, false)
  const firm = await makeFirm(store, 'Acme', PASSWORD)
  for (const { call } of [store, other]) {
    await call('POST', '/v3/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 10 })
  }
  const order = (customer_id: number, status_id: number) => ({
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2: 'DK', email: 'ida@example.com' },
    products: Array.from({ length: 5 }, () => ({ product_id: 1, quantity: 1 })),
    status_id,
    customer_id,
  })
  const measured = { cpu: house.cpuOfDatabase, rounds: ROUNDS, times: TIMES }
  for (const [name, customer, status] of [
    ['guest', 0, 11],
    ['company, incomplete', firm.customerId, 0],
    ['company, placed', firm.customerId, 11],
  ] as const) {
    await compareWorks({
      ...measured,
      name: `order of 5 lines with the companion API / without (${name})`,
      own: () => store.call('POST', '/v2/orders', order(customer, status)),
      beside: () => other.call('POST', '/v2/orders', order(0, status)),
    })
  }
}

async function compareLists(house: CompanyHouse, many: CompanyStore) {
  const few = await openCompanyStore(house, 'Few')
  const [product] = await makeProducts(few, 1)
  const other = await makeFirm(few, 'Acme', PASSWORD)
  if (!product) throw new Error('A product was not made.')
  await few.companion('POST', '/rfq', quoteBody(other.companyId, other.email, [product]))
  await house.admin.query('delete from b2b_quotes where store_id = $1 and id > 1', [many.id])
  for (const [store, count] of [
    [many, QUOTES],
    [few, FEW],
  ] as const) {
    await copyCompanies(house, store, count / EACH)
    await copyQuotes(house, store, count)
  }
  await house.admin.query('vacuum analyze')
  console.log(`${QUOTES} quotes beside ${FEW}, ${EACH} in each company; milliseconds of database CPU`)
  const end = Date.UTC(2020, 0, 1) / 1_000 + 1_000 * 86_400
  // As many quotes in both stores: the last 200 in time.
  const since = (count: number) => Math.floor(end - (200 * 1_000 * 86_400) / count)
  const firm = encodeURIComponent(firmNamed(42))
  const queries: Record<string, (count: number) => string> = {
    'a company and a status': () => `company=${firm}&status=2`,
    'a status, changed since a time': (count) => `status=4&minModified=${since(count)}`,
    'a text, created since a time': () => `q=${firm}&minCreated=${Math.floor(end - 500 * 86_400)}`,
    'a number and a company': () => `quoteNumber=QN0000042&company=${firm}`,
    'created and changed in a time': (count) => `minCreated=${since(count)}&maxModified=${end}`,
  }
  for (const [name, query] of Object.entries(queries)) {
    const list = (store: CompanyStore, count: number) => () => store.companion('GET', `/rfq?limit=50&${query(count)}`)
    await compareWorks({
      name: `list: ${name}`,
      bar: 1.2,
      cpu: house.cpuOfDatabase,
      rounds: ROUNDS,
      times: TIMES,
      own: list(many, QUOTES),
      beside: list(few, FEW),
    })
    const costs: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const before = house.cpuOfDatabase()
      for (let i = 0; i < TIMES; i++) await list(many, QUOTES)()
      costs.push((house.cpuOfDatabase() - before) / TIMES / 1_000)
    }
    if (figure(costs).median > LIST_MS) {
      console.log(`  above ${LIST_MS} ms`)
      process.exitCode = 1
    }
  }
  await compareStaff(house, many)
}

/** A representative with 1,000 assigned companies. */
async function compareStaff({ cpu, installation, admin }: CompanyHouse, store: CompanyStore) {
  const rep = { email: 'rep@example.com', name: 'Rae Rep', role: 'owner', isSalesRep: true } as const
  const { id, email, password } = await createStaff(store.db, installation.ids, rep)
  await admin.query(
    `insert into b2b_assignments (store_id, staff_id, company_id, assigned_at)
     select $1, $2, id, now() from companies where store_id = $1 order by id limit $3`,
    [store.id, id, ASSIGNED],
  )
  await admin.query('analyze b2b_assignments')
  const signedIn = await store.companion('POST', '/auth/backend', { storeHash: store.hash, email, password }, {})
  const [token] = dataOf(t.Array(t.Object({ token: t.String() })), signedIn)
  if (!token) throw new Error('The representative has no token.')
  const headers = { authtoken: token.token }
  await compareWorks({
    name: 'list of 50 quotes by a representative / by an account',
    bar: 1.5,
    cpu,
    rounds: ROUNDS,
    times: TIMES,
    own: () => store.companion('GET', '/rfq?limit=50', undefined, headers),
    beside: () => store.companion('GET', '/rfq?limit=50'),
  })
}

/**
 * Reads of another store while files are uploaded to the server of its own process, beside quiet reads and beside reads while another
 * program receives the same files; and the memory of the server.
 */
async function compareUploads(house: CompanyHouse) {
  const { server } = house
  const read = await openReading(house)
  const uploading: { store: CompanyStore; companyId: number }[] = []
  for (let n = 0; n <= ROUNDS; n++) {
    const store = await openCompanyStore(house, `Uploading ${n}`)
    uploading.push({ store, companyId: (await makeFirm(store, 'Acme', PASSWORD)).companyId })
  }
  const clients = fork(new URL('./company-uploads.ts', import.meta.url))
  const floor = fork(new URL('./uploads-floor.ts', import.meta.url), [house.folder])
  const [{ port: floorPort }] = await once(floor, 'message')
  const before = memoryOf(server.pid)
  let highest = before
  const quiet: number[] = []
  const during: number[] = []
  const besideFloor: number[] = []
  for (const { store, companyId } of uploading) {
    const uploadTo = (port: number) => {
      const { hash, token } = store
      const round: AttachmentRound = { port, hash, token, companyId, uploads: UPLOADS, size: UPLOAD_BYTES }
      return ask(clients, round)
    }
    quiet.push(...(await readQuietly(read, QUIET_READS)))
    const { times } = await readDuring(read, uploadTo(server.port), () => {
      highest = Math.max(highest, memoryOf(server.pid))
    })
    during.push(...times)
    await sleep(PAUSE_MS)
    besideFloor.push(...(await readDuring(read, uploadTo(floorPort))).times)
    await sleep(PAUSE_MS)
  }
  await stop(clients)
  floor.disconnect()
  compareP99(`reads during ${UPLOADS} uploads of 10 MB`, during, quiet, 1.3)
  compareP99('reads while a program only writes the same bytes', besideFloor, quiet)
  console.log(`memory during the uploads: ${(highest - before).toFixed(0)} MiB more, bar ${MEMORY_MIB}`)
  if (highest - before > MEMORY_MIB) process.exitCode = 1
}
