/**
 * The cost of the GraphQL of buyers. The caller of a token with its permissions beside a request that only checks the token, and a list of
 * 250 items beside the prices of 250 products by REST: CPU of server and database. A page of quotes and a page of orders with a text and a
 * status, among many: database CPU. The requests of the first page of a portal: CPU of the server. Reads of another store while 200
 * buyers click, beside quiet ones, and the memory of the server. `server/doors/b2b/purchases/budget.test.ts` bounds statements.
 *
 *   node bench/buyers.ts [--quick]
 *
 * Exits with 1 if a bar is missed. `--quick` takes 50,000 quotes and orders in place of 1,000,000. Needs Linux: CPU time is read from /proc.
 */
import { fork } from 'node:child_process'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import t from 'typebox'
import { Value } from 'typebox/value'
import { BUYER_PAGES, buyerPage, type Clicks } from './buyer-clicks.ts'
import {
  type CompanyHouse,
  type CompanyStore,
  copyCompanies,
  copyCompanyOrders,
  copyQuotes,
  dataOf,
  EACH,
  makeFirm,
  makeProducts,
  openCompanyStore,
  quoteBody,
  withCompanyHouse,
} from './company-data.ts'
import { cpuOf, memoryOf } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { compareP99, openReading, readDuring, readQuietly } from './reads-beside.ts'
import { figure } from './report.ts'
import { ask, stop } from './subjects.ts'

const ITEMS = 250
const PRICED = 50
const PAGE_MS = 5
const FIRST_PAGE_MS = 60
const BUYERS = 200
const CLICK_SECONDS = 30
const MEMORY_MIB = 300
const QUIET_READS = 2_000
const PASSWORD = 'correct horse 7'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [QUOTES, ROUNDS, TIMES] = options.quick ? [50_000, 5, 20] : [1_000_000, 9, 50]

const LoginAnswer = t.Object({ login: t.Object({ result: t.Object({ token: t.String() }) }) })
const LOGIN = 'mutation ($data: UserLoginType!) { login(loginData: $data) { result { token } } }'

await withCompanyHouse('buyers', async (house) => {
  const store = await openCompanyStore(house, 'Buyers')
  const products = await makeProducts(store, ITEMS)
  const firm = await makeFirm(store, 'Acme', PASSWORD)
  const { ask: buyer } = await signIn(house, store, firm.email)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; CPU in milliseconds, median of ${ROUNDS} rounds`)
  await compareWorks({
    name: 'caller with permissions / a request that checks the token',
    bar: 1.5,
    cpu: house.cpu,
    rounds: ROUNDS,
    times: TIMES * 4,
    own: () =>
      buyer(
        '{ customerInfo { userType permissions { code permissionLevel } userInfo { email role companyRoleName } } }',
      ),
    beside: () => buyer('{ __typename }'),
  })
  await compareList(house, store, { buyer, products })
  await bound(
    'first page of a portal, server',
    FIRST_PAGE_MS,
    () => cpuOf(process.pid),
    async () => {
      for (const page of BUYER_PAGES) await buyer(buyerPage(page, store.hash))
    },
  )
  await fill(house, store, { firm, product: products.slice(0, 1) })
  for (const [name, query] of [
    ['page of 10 quotes', buyerPage('quotes', store.hash)],
    ['page of orders with a text and a status', buyerPage('orders', store.hash)],
  ] as const) {
    await bound(`${name}, database`, PAGE_MS, house.cpuOfDatabase, () => buyer(query))
  }
  await compareClicks(house, store, firm)
})

type Ask = (query: string) => Promise<unknown>

/** Signs a buyer in. @returns its token, and a function that sends its operations to the server of this process. Each must succeed. */
async function signIn({ app }: CompanyHouse, { hash }: CompanyStore, email: string, remoteAddress = '127.0.0.1') {
  const send = async (payload: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await app.inject({ method: 'POST', url: '/b2b/graphql', remoteAddress, headers, payload })
    const { data, errors } = answer.json()
    if (errors) throw new Error(`${JSON.stringify(payload)}: ${answer.body.slice(0, 500)}`)
    return data
  }
  const data = { storeHash: hash, email, password: PASSWORD }
  const { token } = Value.Parse(LoginAnswer, await send({ query: LOGIN, variables: { data } })).login.result
  const ask: Ask = (query) => send({ query }, { authorization: `Bearer ${token}` })
  return { token, ask }
}

/** Prints the cost of a work in milliseconds. */
async function bound(name: string, bar: number, cpu: () => number, work: () => Promise<unknown>) {
  const costs: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = cpu()
    for (let n = 0; n < TIMES; n++) await work()
    if (round > 0) costs.push((cpu() - before) / TIMES / 1_000)
  }
  const { median, lowest, highest } = figure(costs)
  console.log(
    `${name.padEnd(62)}${median.toFixed(2)} ms (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar ${bar} ms`,
  )
  if (median > bar) process.exitCode = 1
}

interface Listing {
  buyer: Ask
  products: readonly { productId: number; variantId: number }[]
}

async function compareList({ cpu }: CompanyHouse, { call }: CompanyStore, { buyer, products }: Listing) {
  const Made = t.Object({ shoppingListsCreate: t.Object({ shoppingList: t.Object({ id: t.String() }) }) })
  const create = `mutation { shoppingListsCreate(shoppingListData: {name: "Many", description: "", status: 0}) { shoppingList { id } } }`
  const { id } = Value.Parse(Made, await buyer(create)).shoppingListsCreate.shoppingList
  const items = products.map((one) => `{productId: ${one.productId}, variantId: ${one.variantId}, quantity: 1}`)
  await buyer(
    `mutation { shoppingListsItemsCreate(shoppingListId: ${id}, items: [${items}]) { shoppingListsItems { id } } }`,
  )
  const list = `{ shoppingList(id: ${id}) { id grandTotal products(first: ${ITEMS}) { totalCount edges { node {
    id productId variantId quantity basePrice productName variantSku } } } } }`
  const prices = async () => {
    for (let first = 0; first < ITEMS; first += PRICED) {
      const priced = products.slice(first, first + PRICED).map(({ productId }) => ({ product_id: productId }))
      await call('POST', '/v3/pricing/products', { channel_id: 1, currency_code: 'USD', items: priced })
    }
  }
  await compareWorks({
    name: `list of ${ITEMS} items with prices / prices of ${ITEMS} products`,
    bar: 3,
    cpu,
    rounds: ROUNDS,
    times: Math.ceil(TIMES / 5),
    own: () => buyer(list),
    beside: prices,
  })
}

interface Filled {
  firm: { companyId: number; customerId: number; email: string }
  product: readonly { productId: number }[]
}

async function fill(house: CompanyHouse, store: CompanyStore, { firm, product }: Filled) {
  await store.companion('POST', '/rfq', quoteBody(firm.companyId, firm.email, product))
  await store.call('POST', '/v2/orders', {
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2: 'DK', email: firm.email },
    products: product.map(({ productId }) => ({ product_id: productId, quantity: 1 })),
    customer_id: firm.customerId,
    status_id: 11,
  })
  await copyCompanies(house, store, QUOTES / EACH)
  await copyQuotes(house, store, QUOTES)
  await copyCompanyOrders(house, store, QUOTES)
  await house.admin.query('vacuum analyze')
  console.log(`${QUOTES} quotes and orders, ${EACH} of each in each company`)
}

/** Reads of another store while buyers click, beside quiet reads, and the memory of the server. Both talk to the server of its own process. */
async function compareClicks(house: CompanyHouse, store: CompanyStore, firm: Filled['firm']) {
  const { server } = house
  const read = await openReading(house)
  const tokens = await makeBuyers(house, store, firm.companyId)
  const quiet = await readQuietly(read, QUIET_READS)
  const clicks: Clicks = { port: server.port, hash: store.hash, tokens, seconds: CLICK_SECONDS }
  const buyers = fork(new URL('./buyer-clicks.ts', import.meta.url))
  const { times, result } = await readDuring(read, ask<{ clicked: number }>(buyers, clicks))
  await stop(buyers)
  const rate = (result.clicked / CLICK_SECONDS).toFixed(0)
  compareP99(`reads while ${BUYERS} buyers click (${rate} a second)`, times, quiet, 1.3)
  const memory = memoryOf(server.pid)
  console.log(`memory of the server after the clicks: ${memory.toFixed(0)} MiB, bar ${MEMORY_MIB}`)
  if (memory > MEMORY_MIB) process.exitCode = 1
}

/** Users of a company who are signed in, each at an address of its own. @returns their tokens */
async function makeBuyers(house: CompanyHouse, store: CompanyStore, companyId: number): Promise<string[]> {
  const { call, companion } = store
  const User = t.Object({ bcId: t.Integer() })
  const tokens: string[] = []
  for (let n = 0; n < BUYERS; n++) {
    const email = `buyer${n}@example.com`
    const body = { firstName: 'Jo', lastName: `Ek${n}`, email, companyId, channelIds: [1], role: 1 }
    const { bcId } = dataOf(User, await companion('POST', '/users', body))
    await call('PUT', '/v3/customers', [{ id: bcId, authentication: { new_password: PASSWORD } }])
    tokens.push((await signIn(house, store, email, `10.0.0.${n}`)).token)
  }
  return tokens
}
