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
import { storeProductNames } from '../server/goods/catalog/product-row/names.ts'
import { countFacets } from '../server/goods/catalog/search/counts.ts'
import { updateSearchRows } from '../server/goods/catalog/search/rows.ts'
import type { SearchedProduct } from '../server/goods/catalog/search/words.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { figure } from './report.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, products: { type: 'string', default: '250000' } },
})
const PRODUCTS = Number(options.products)
const [ROUNDS, REQUESTS] = options.quick ? [3, 10] : [7, 30]
const WARM_UP = 50
const OTHERS = 20
const PRODUCTS_OF_OTHERS = 100
const LEAVES = 100
const BRANDS = 100
const AT_ONCE = 1_000

const GLAZE = 'Amber Ash Bone Cobalt Copper Fern Moss Ochre Sand Slate Smoke Umber'.split(' ')
const MATERIAL = 'Beech Brass Ceramic Cork Enamel Glass Linen Oak Stoneware Walnut Wool'.split(' ')
const THING = 'Basket Bench Bowl Carafe Chair Clock Hook Jug Lamp Mug Plate Rug Shelf Stool Tray Vase'.split(' ')

const FILTERS = [
  ['category', '', 'Category'],
  ['brand', '', 'Brand'],
  ['product', 'field:Glaze', 'Glaze'],
  ['product', 'field:Material', 'Material'],
  ['rating', '', 'Rating'],
  ['price', '', 'Price'],
  ['other', '', 'Other'],
].map(([type, key, display_name]) => ({
  id: Buffer.from(`${type}:${key}`).toString('base64url'),
  type,
  display_name,
}))

const CARDS = `{ site { products(first: 50) { edges { node { name path prices { price { formattedV2 } } defaultImage { urlTemplate }
  brand { name } inventory { isInStock } variants(first: 1) { edges { node { sku } } } } } } } }`
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
  let big: Db | undefined
  let hash = ''
  let access = ''
  for (let i = 0; i <= OTHERS; i++) {
    const store = await directory.create({ name: `Bench ${i}`, plan: 'unlimited' })
    const { access_token } = await accounts.create(store.hash, 'bench', ['all'])
    const db = await directory.dbById(store.id)
    if (!db) throw new Error('The store is not there.')
    const call = async (path: string, payload: object) => {
      const headers = { 'x-auth-token': access_token }
      const answer = await server.inject({ method: 'POST', url: `/stores/${store.hash}/v3${path}`, headers, payload })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    }
    const began = performance.now()
    await fill(db, admin, call, i === 0 ? PRODUCTS : PRODUCTS_OF_OTHERS)
    if (i > 0) continue
    ;[big, hash, access] = [db, store.hash, access_token]
    console.log(`${PRODUCTS} products with their copies in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  }
  if (!big) throw new Error('There is no store.')
  const counting = performance.now()
  await countFacets(directory)
  console.log(`counted in ${((performance.now() - counting) / 1_000).toFixed(0)} s`)
  await admin.query('vacuum analyze')
  await admin.query('checkpoint')

  const token = await signToken(big, installation.secrets, {
    iat: Math.floor(Date.now() / 1_000),
    eat: 0,
    cid: [1],
    sub: 'bench',
    token_type: 2,
    jti: randomUUID(),
  })
  const search = async (filters: string, selection: string) => {
    const query = `{ site { search { searchProducts(filters: {${filters}}) { ${selection} } } } }`
    const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' }
    const answer = await server.inject({
      method: 'POST',
      url: `/storefront/${hash}/graphql`,
      headers,
      payload: { query },
    })
    if (answer.statusCode !== 200 || answer.json().errors) throw new Error(answer.body)
  }
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

  const headers = { 'x-auth-token': access }
  await measurePages({
    postmaster,
    async ask(query, variables = {}) {
      const answer = await server.inject({
        method: 'POST',
        url: `/storefront/${hash}/graphql`,
        headers: { authorization: `Bearer ${token}`, host: '127.0.0.1' },
        payload: { query, variables },
      })
      if (answer.statusCode !== 200 || answer.json().errors) throw new Error(answer.body)
    },
    async list() {
      const answer = await server.inject({
        url: `/stores/${hash}/v3/catalog/products?limit=50&include=primary_image,variants`,
        headers,
      })
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
  const db = big
  const empty = await measure('a transaction', Number.POSITIVE_INFINITY, async () => {
    await db.transaction((tx) => tx.rows(sql`select 1`))
  })
  const writing = await measure('a transaction that writes the copies', Number.POSITIVE_INFINITY, async (nr) => {
    const id = ((nr * 104_729) % PRODUCTS) + 1
    await db.transaction(async (tx) => {
      await tx.rows(
        sql`update products set calculated_price = ${nr % 700} where store_id = ${tx.store.id} and id = ${id}`,
      )
      updateSearchRows(tx, [id], 'row')
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

interface AskedPages {
  postmaster: number
  ask(query: string, variables?: object): Promise<void>
  /** The REST list of the same products as the cards. */
  list(): Promise<void>
}

async function measurePages({ postmaster, ask, list }: AskedPages) {
  const beside = { rounds: ROUNDS, times: REQUESTS, own: () => ask(CARDS), beside: list }
  for (let i = 0; i < WARM_UP; i++) await Promise.all([ask(CARDS), list()])
  await compareWorks({ name: '50 cards, database CPU', bar: 1.5, cpu: () => cpuOfPostgres(postmaster), ...beside })
  await compareWorks({ name: '50 cards, time', bar: 2, cpu: () => performance.now() * 1_000, ...beside })
  let nr = 0
  const page = async () => {
    nr++
    const id = ((nr * 7_919) % PRODUCTS) + 1
    for (const fields of PRODUCT_PAGE)
      await ask(`query ($id: Int!) { site { product(entityId: $id) { ${fields} } } }`, { id })
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

/** Fills a store with products in three levels of categories, with a brand and two custom fields, and writes their copies. */
async function fill(db: Db, admin: pg.Client, call: (path: string, payload: object) => Promise<void>, count: number) {
  const store = db.store.id
  await call('/catalog/categories', { name: 'All', parent_id: 0 })
  for (let i = 0; i < 10; i++) await call('/catalog/categories', { name: `Group ${i}`, parent_id: 1 })
  for (let i = 0; i < LEAVES; i++) await call('/catalog/categories', { name: `Leaf ${i}`, parent_id: (i % 10) + 2 })
  for (let i = 0; i < BRANDS; i++) await call('/catalog/brands', { name: `Brand ${i}` })
  await call('/catalog/products', {
    ...{ name: 'First', type: 'physical', weight: 1, price: 5, sku: 'P-000001', brand_id: 1, categories: [12] },
    custom_fields: [
      { name: 'Glaze', value: 'Ash' },
      { name: 'Material', value: 'Oak' },
    ],
  })
  const named = `(($3::text[])[n % 12 + 1] || ' ' || ($4::text[])[n % 11 + 1] || ' ' || ($5::text[])[n % 16 + 1] || ' ' || lpad(n::text, 6, '0'))`
  await admin.query(
    `with new as (
       select $1::int as store_id, n as id, ${named} as called, 'P-' || lpad(n::text, 6, '0') as code, round((n % 5000) * 0.1 + 1, 1) as costs
       from generate_series(2, $2::int) n
     ), product as (
       insert into products select made.* from new join products kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'name', called, 'name_key', lower(called),
           'sku', code, 'sku_key', lower(code), 'price', costs, 'calculated_price', costs, 'base_variant_id', new.id,
           'brand_id', new.id % ${BRANDS} + 1, 'total_sold', new.id * 7 % 1000, 'sort_order', new.id % 50,
           'reviews_count', new.id % 3, 'reviews_rating_sum', new.id % 3 * (new.id % 5 + 1),
           'categories', jsonb_build_array(new.id % ${LEAVES} + 12),
           'custom_url', jsonb_build_object('url', '/p-' || new.id || '/', 'is_customized', false))) made
     ), variant as (
       insert into variants select made.* from new join variants kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'product_id', new.id, 'sku', code,
           'sku_key', lower(code), 'calculated_price', costs)) made
     ), glaze as (
       insert into custom_fields (store_id, id, product_id, name, value)
       select store_id, id * 2, id, 'Glaze', ($3::text[])[id % 12 + 1] from new
     ), material as (
       insert into custom_fields (store_id, id, product_id, name, value)
       select store_id, id * 2 + 1, id, 'Material', ($4::text[])[id % 11 + 1] from new
     ), sold as (
       insert into product_channels (store_id, product_id, channel_id) select store_id, id, 1 from new
     )
     insert into product_categories (store_id, product_id, category_id) select store_id, id, id % ${LEAVES} + 12 from new`,
    [store, count, GLAZE, MATERIAL, THING],
  )
  await admin.query('update counters set last_id = $2, total = $2 where store_id = $1 and resource = $3', [
    store,
    count,
    'products',
  ])
  await admin.query(`insert into settings (store_id, family, channel_id, value) values ($1, 'search/filters', 0, $2)`, [
    store,
    JSON.stringify({ filters: FILTERS }),
  ])
  await admin.query('analyze')
  for (let after = 0; after < count; after += AT_ONCE) {
    await db.transaction(async (tx) => {
      const rows = await tx.rows<SearchedProduct>(sql`
        select id, name, sku, upc, search_keywords from products
        where store_id = ${store} and id > ${after} and id <= ${after + AT_ONCE} order by id`)
      await storeProductNames(tx, rows)
      updateSearchRows(
        tx,
        rows.map(({ id }) => id),
      )
    })
  }
}
