/**
 * Database CPU of searches in a store of 250,000 products beside 20 others: pages without facets, and results with facets, as shops ask
 * for them. Also of a change of a product with six values, and the part of it that search has; of a list of 50 cards beside the REST list of
 * the same products; and the CPU of the four operations of a product's page.
 *
 * node bench/storefront-search.ts [--quick] [--products 250000]
 *
 * Exits with 1 if a result takes more than its bar. The figures of docs/decisions/085-search-by-rows.md come from here. Needs Linux.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import type { Db } from '../server/core/db/database.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { sql } from '../server/core/db/sql.ts'
import { Files } from '../server/core/files/files.ts'
import { signToken } from '../server/doors/storefront/tokens/tokens.ts'
import { countFacets } from '../server/goods/catalog/search/counts.ts'
import { updateSearchRows } from '../server/goods/catalog/search/rows.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { figure } from './report.ts'
import { addPriceList, CURRENCIES, countAll, fillSearched } from './storefront-data.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, products: { type: 'string', default: '250000' } },
})
const PRODUCTS = Number(options.products)
const [ROUNDS, REQUESTS] = options.quick ? [3, 10] : [7, 30]
const WARM_UP = 50
const OTHERS = 20
const PRODUCTS_OF_SMALL = 10_000
const PRODUCTS_OF_OTHERS = 100
/** The records of the price list of a customer. */
const RECORDS = PRODUCTS * CURRENCIES.length

const CARDS = `{ site { products(first: 50) { edges { node { name path prices { price { formattedV2 } } defaultImage { urlTemplate }
  brand { name } inventory { isInStock } variants(first: 1) { edges { node { sku } } } } } } } }`
/** The operation that every page of a shop sends besides its own. */
const LAYOUT = `{ site { categoryTree { entityId name path children { entityId name path } } route(path: "/p-77/") { node { __typename id } } } }`
/** The operations of the page of a product. */
const PRODUCT_PAGE = [
  `name defaultImage { altText url(width: 600) } seo { pageTitle metaDescription metaKeywords } plainTextDescription(characterLimit: 200)`,
  `entityId name path sku description warranty brand { name path } condition upc mpn images { edges { node { altText url(width: 500) isDefault } } }
    reviewSummary { averageRating numberOfReviews } customFields { edges { node { entityId name value } } }
    productOptions(first: 50) { edges { node { __typename entityId displayName isRequired isVariantOption
      ... on MultipleChoiceOption { displayStyle values(first: 50) { edges { node { entityId label isDefault isSelected } } } } } } }
    availabilityV2 { status description } inventory { isInStock aggregated { availableToSell warningLevel } }
    minPurchaseQuantity maxPurchaseQuantity weight { value unit }`,
  `prices { price { value } basePrice { value } salePrice { value } retailPrice { value } priceRange { min { value } max { value } } }
    relatedProducts(first: 8) { edges { node { entityId name path brand { name path } reviewSummary { numberOfReviews averageRating }
      defaultImage { altText url(width: 300) } inventory { isInStock } prices { price { value } salePrice { value } basePrice { value } } } } }`,
  `reviewSummary { averageRating numberOfReviews } reviews(first: 5) { pageInfo { hasNextPage endCursor }
    edges { node { author { name } entityId title text rating createdAt { utc } } } }`,
]

const folder = await mkdtemp(join(tmpdir(), 'storeward-search-'))
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
try {
  await compare()
} finally {
  await installation.close()
  await rm(folder, { recursive: true, force: true })
}

async function compare() {
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  // The database stops if something fails; that failure is reported then.
  admin.on('error', () => {})
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  await files.open()
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({}),
    'http://127.0.0.1',
  )
  const { directory, accounts } = installation
  const stores: SearchedStore[] = []
  for (let i = 0; i <= OTHERS; i++) {
    const { id, hash } = await directory.create({ name: `Bench ${i}`, plan: 'unlimited' })
    const { access_token } = await accounts.create(hash, 'bench', ['all'])
    const db = await directory.dbById(id)
    if (!db) throw new Error('The store is not there.')
    const store = { db, hash, headers: { 'x-auth-token': access_token } }
    const began = performance.now()
    const call = async (path: string, payload: object) => {
      const { statusCode, body } = await server.inject({
        method: 'POST',
        url: `/stores/${hash}${path}`,
        headers: store.headers,
        payload,
      })
      if (statusCode >= 300) throw new Error(body)
    }
    await fillSearched(db, admin, call, [PRODUCTS, PRODUCTS_OF_SMALL][i] ?? PRODUCTS_OF_OTHERS)
    if (i > 1) continue
    stores.push(store)
    await countAll(admin, id)
    if (i === 0) await addPriceList(db, admin, call, PRODUCTS)
    console.log(`store ${i + 1} with its copies in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  }
  const [big, small] = stores
  if (!big || !small) throw new Error('There are no stores.')
  await countFacets(directory)
  await admin.query('vacuum analyze')
  await admin.query('checkpoint')

  /** The function that sends operations to the storefront of a store, for a guest or a customer. */
  const askerOf = async ({ db, hash }: SearchedStore) => {
    const token = await signToken(db, installation.secrets, {
      iat: Math.floor(Date.now() / 1_000),
      eat: 0,
      cid: [1],
      sub: 'bench',
      token_type: 2,
      jti: randomUUID(),
    })
    return async (query: string, variables: object = {}, customer?: number) => {
      const answer = await server.inject({
        method: 'POST',
        url: `/storefront/${hash}/graphql`,
        headers: {
          authorization: `Bearer ${token}`,
          host: '127.0.0.1',
          ...(customer === undefined ? {} : { 'x-svc-customer-id': String(customer) }),
        },
        payload: { query, variables },
      })
      if (answer.statusCode !== 200 || answer.json().errors) throw new Error(answer.body)
    }
  }
  const ask = await askerOf(big)
  const search = (filters: string, selection: string) =>
    ask(`{ site { search { searchProducts(filters: {${filters}}) { ${selection} } } } }`)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; CPU of the database in ms, median (lowest to highest)`)
  const measure = async (name: string, bar: number, work: (nr: number) => Promise<void>) => {
    const rounds: number[] = []
    // Each connection plans a statement for its values five times before it keeps a plan.
    for (let i = 0; i < WARM_UP; i++) await work(i)
    for (let round = 0; round < ROUNDS; round++) {
      const began = cpuOfPostgres(postmaster)
      for (let i = 0; i < REQUESTS; i++) await work(WARM_UP + round * REQUESTS + i)
      rounds.push((cpuOfPostgres(postmaster) - began) / REQUESTS / 1_000)
    }
    const { median, lowest, highest } = figure(rounds)
    const beside = Number.isFinite(bar) ? `, bar ${bar}` : ''
    console.log(`${name}: ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})${beside}`)
    if (median > bar) process.exitCode = 1
    return median
  }
  const page = 'products(first: 12) { edges { node { name path } } pageInfo { hasNextPage endCursor } }'
  const total = `${page.slice(0, -1)} collectionInfo { totalItems } }`
  const facets = `filters(first: 10) { edges { node { __typename displayName
    ... on BrandSearchFilter { brands { edges { node { entityId name productCount } } } }
    ... on CategorySearchFilter { categories { edges { node { entityId name productCount } } } }
    ... on ProductAttributeSearchFilter { attributes { edges { node { value productCount } } } }
    ... on RatingSearchFilter { ratings { edges { node { value productCount } } } } } } }`
  const leaf = 'categoryEntityId: 12'
  const three =
    'brandEntityIds: [3, 5], productAttributes: [{attribute: "Glaze", values: ["Ash", "Moss"]}, {attribute: "Material", values: ["Oak"]}]'
  await measure('page of a category', 5, () => search(leaf, page))
  await measure('page of all', 5, () => search('', page))
  await measure('page of all below a category', 5, () => search('categoryEntityId: 1, searchSubCategories: true', page))
  await measure('category with facets and total', 25, () => search(leaf, `${total} ${facets}`))
  await measure('all with facets and total', 60, () => search('', `${total} ${facets}`))
  await measure('term with facets and total', 90, () => search('searchTerm: "walnut"', `${total} ${facets}`))
  await measure('three filters with facets and total', 60, () => search(three, `${total} ${facets}`))

  const { headers, hash, db } = big
  await measurePages({
    postmaster,
    ask,
    askSmall: await askerOf(small),
    async list() {
      const url = `/stores/${hash}/v3/catalog/products?limit=50&include=primary_image,variants`
      const answer = await server.inject({ url, headers })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },
  })
  const change = async (nr: number) => {
    const id = ((nr * 7_919) % PRODUCTS) + 1
    const payload = { price: 1 + (nr % 900) + 0.5 }
    const answer = await server.inject({
      method: 'PUT',
      url: `/stores/${hash}/v3/catalog/products/${id}`,
      headers,
      payload,
    })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  const whole = await measure('change of a price', Number.POSITIVE_INFINITY, change)
  const empty = await measure('a transaction', Number.POSITIVE_INFINITY, async () => {
    await db.transaction((tx) => tx.rows(sql`select 1`))
  })
  const writing = await measure('a transaction that writes the copies', Number.POSITIVE_INFINITY, async (nr) => {
    const id = ((nr * 104_729) % PRODUCTS) + 1
    await db.transaction(async (tx) => {
      await tx.rows(
        sql`update products set calculated_price = ${nr % 700} where store_id = ${tx.store.id} and id = ${id}`,
      )
      updateSearchRows(tx, [id], 'sorting')
    })
  })
  const updating = await measure('the same without the copies', Number.POSITIVE_INFINITY, async (nr) => {
    const id = ((nr * 104_723) % PRODUCTS) + 1
    await db.transaction((tx) =>
      tx.rows(sql`update products set calculated_price = ${nr % 700} where store_id = ${tx.store.id} and id = ${id}`),
    )
  })
  const own = writing - updating
  console.log(
    `a change takes ${(whole / (whole - own)).toFixed(2)} times the CPU that it would take without search (bar 1.25)`,
  )
  console.log(`an empty transaction takes ${empty.toFixed(2)} ms`)
  await server.close()
  await admin.end()
}

/** A store whose storefront is searched. */
interface SearchedStore {
  db: Db
  hash: string
  /** The headers of requests by its API account. */
  headers: Record<string, string>
}

type Ask = (query: string, variables?: object, customer?: number) => Promise<void>

interface AskedPages {
  postmaster: number
  ask: Ask
  /** Asks the small store. */
  askSmall: Ask
  /** The REST list of the same products as the cards. */
  list(): Promise<void>
}

async function measurePages({ postmaster, ask, askSmall, list }: AskedPages) {
  const beside = { rounds: ROUNDS, times: REQUESTS, own: () => ask(CARDS), beside: list }
  for (let i = 0; i < WARM_UP; i++) await Promise.all([ask(CARDS), list()])
  await compareWorks({ name: '50 cards, database CPU', bar: 1.5, cpu: () => cpuOfPostgres(postmaster), ...beside })
  await compareWorks({ name: '50 cards, time', bar: 2, cpu: () => performance.now() * 1_000, ...beside })
  const withList = () => ask(CARDS, {}, 1)
  for (let i = 0; i < WARM_UP; i++) await withList()
  await compareWorks({
    name: `50 cards of a customer with ${RECORDS} records`,
    bar: 1.3,
    cpu: () => cpuOfPostgres(postmaster),
    rounds: ROUNDS,
    times: REQUESTS,
    own: withList,
    beside: () => ask(CARDS),
  })
  let nr = 0
  const pageOf = (asked: Ask, products: number) => async () => {
    nr++
    const id = ((nr * 7_919) % products) + 1
    for (const fields of PRODUCT_PAGE)
      await asked(`query ($id: Int!) { site { product(entityId: $id) { ${fields} } } }`, { id })
  }
  const page = pageOf(ask, PRODUCTS)
  const smallPage = pageOf(askSmall, PRODUCTS_OF_SMALL)
  const layoutOf = (asked: Ask) => () => asked(LAYOUT)
  const both = { rounds: ROUNDS, times: REQUESTS, bar: 1.2, cpu: () => cpuOf(process.pid) + cpuOfPostgres(postmaster) }
  for (const [name, own, beside] of [
    ['50 cards', () => ask(CARDS), () => askSmall(CARDS)],
    ['page of a product', page, smallPage],
    ['menu and route', layoutOf(ask), layoutOf(askSmall)],
  ] as const) {
    for (let i = 0; i < WARM_UP; i++) await Promise.all([own(), beside()])
    await compareWorks({ ...both, name: `${name}, ${PRODUCTS} products beside ${PRODUCTS_OF_SMALL}`, own, beside })
  }
  for (let i = 0; i < WARM_UP; i++) await page()
  const rounds: { server: number; database: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [own, database] = [cpuOf(process.pid), cpuOfPostgres(postmaster)]
    for (let i = 0; i < REQUESTS; i++) await page()
    rounds.push({
      server: (cpuOf(process.pid) - own) / REQUESTS / 1_000,
      database: (cpuOfPostgres(postmaster) - database) / REQUESTS / 1_000,
    })
  }
  for (const side of ['server', 'database'] as const) {
    const { median, lowest, highest } = figure(rounds.map((round) => round[side]))
    console.log(
      `page of a product, ${side} CPU: ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar 6`,
    )
    if (median > 6) process.exitCode = 1
  }
}
