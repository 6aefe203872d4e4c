import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFacetsOf } from '../../../../../goods/catalog/search/counts.ts'
import { sized } from '../../../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../test/fixtures/webhooks.ts'

// A second search, which looks at every product and shares no code with the first: random stores, channels, groups and filters must find and
// count the same by both.

const STORES = sized(10, 2)
const SEARCHES = sized(100, 60)
const PRODUCTS = 40
const CATEGORIES = 8
const BRANDS = ['Ada', 'Bob', 'Cyd']
const COLOURS = ['Red', 'Tan', 'Sky']
const SIZES = ['S', 'L']

interface Drawn {
  hidesSoldOut: boolean
  /** Categories of both trees. The first ones have parents among those before them. */
  categories: { tree: 1 | 2; parent: number; isVisible: boolean }[]
  products: {
    thing: string
    isVisible: boolean
    channels: number
    categories: number[]
    brand: number
    colours: string[]
    size: string | null
    stars: number
    isFeatured: boolean
    isFree: boolean
    level: number | null
    price: number
  }[]
  /** The categories of the group of each customer. */
  groups: [number[], number[]]
}

const drawnStore: fc.Arbitrary<Drawn> = fc.record({
  hidesSoldOut: fc.boolean(),
  categories: fc.array(
    fc.record({
      tree: fc.constantFrom<1 | 2>(1, 1, 2),
      parent: fc.integer({ min: 0, max: 7 }),
      isVisible: fc.constantFrom(true, true, true, false),
    }),
    { minLength: CATEGORIES, maxLength: CATEGORIES },
  ),
  products: fc.array(
    fc.record({
      thing: fc.constantFrom('mug', 'jug', 'box'),
      isVisible: fc.constantFrom(true, true, true, false),
      channels: fc.constantFrom(1, 1, 2, 3),
      categories: fc.uniqueArray(fc.integer({ min: 0, max: CATEGORIES - 1 }), { maxLength: 3 }),
      brand: fc.integer({ min: 0, max: 3 }),
      colours: fc.uniqueArray(fc.constantFrom(...COLOURS), { maxLength: 2 }),
      size: fc.constantFrom(null, ...SIZES),
      stars: fc.constantFrom(0, 0, 2, 4, 5),
      isFeatured: fc.boolean(),
      isFree: fc.boolean(),
      level: fc.constantFrom(null, 0, 3),
      price: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: PRODUCTS, maxLength: PRODUCTS },
  ),
  groups: fc.tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: CATEGORIES - 1 }), { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.integer({ min: 0, max: CATEGORIES - 1 }), { minLength: 1, maxLength: 2 }),
  ),
})

interface Search {
  channel: 1 | 2
  /** The group of the customer; null for a guest. */
  group: 0 | 1 | null
  term: string | null
  page: number | null
  below: boolean
  categories: number[]
  matchesAll: boolean
  brands: number[]
  colours: string[]
  sizes: string[]
  minPrice: number | null
  maxPrice: number | null
  minRating: number | null
  isFeatured: boolean
  isFree: boolean
  inStock: boolean
}

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, otherwise: Value) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary })

const drawnSearch: fc.Arbitrary<Search> = fc.record({
  channel: fc.constantFrom<1 | 2>(1, 1, 2),
  group: fc.constantFrom<0 | 1 | null>(null, null, 0, 1),
  term: rarely(fc.constantFrom<string | null>('mug', 'jug box', 'jug', 'red', 'ada', 'zzz'), null),
  page: rarely<number | null>(fc.integer({ min: 0, max: CATEGORIES }), null),
  below: fc.boolean(),
  categories: rarely(fc.uniqueArray(fc.integer({ min: 0, max: CATEGORIES }), { minLength: 1, maxLength: 2 }), []),
  matchesAll: fc.boolean(),
  brands: rarely(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }), []),
  colours: rarely(fc.uniqueArray(fc.constantFrom(...COLOURS, 'none'), { minLength: 1, maxLength: 2 }), []),
  sizes: rarely(fc.uniqueArray(fc.constantFrom(...SIZES), { minLength: 1, maxLength: 2 }), []),
  minPrice: rarely<number | null>(fc.integer({ min: 1, max: 9 }), null),
  maxPrice: rarely<number | null>(fc.integer({ min: 1, max: 9 }), null),
  minRating: rarely<number | null>(fc.integer({ min: 1, max: 5 }), null),
  isFeatured: rarely(fc.boolean(), false),
  isFree: rarely(fc.boolean(), false),
  inStock: rarely(fc.boolean(), false),
})

/** A category of a store that was made. */
interface MadeCategory {
  id: number
  tree: 1 | 2
  parent: number | null
  isVisible: boolean
}

interface MadeStore {
  shop: Shop
  drawn: Drawn
  token: string
  hosts: Record<1 | 2, string>
  customers: [number, number]
  categories: MadeCategory[]
}

async function make(drawn: Drawn): Promise<MadeStore> {
  const shop = await openShop()
  const send = async (method: string, path: string, body?: object, version: 'v2' | 'v3' = 'v3') => {
    const answer = await shop.call(method, path, body, { version })
    expect(answer.status, answer.text).toBeLessThan(300)
    return version === 'v2' ? answer.body : answer.body?.data
  }
  const second = await send('POST', '/channels', {
    name: 'Two',
    type: 'storefront',
    platform: 'custom',
    status: 'active',
  })
  const host = `www.two-${shop.store.hash}.example`
  await send('POST', '/sites', { channel_id: second.id, url: `https://${host}` })
  const tree = (await send('PUT', '/catalog/trees', [{ name: 'Two', channels: [second.id] }]))[0].id
  const categories: MadeCategory[] = []
  const levels: number[] = []
  for (const [i, { tree: nr, parent, isVisible }] of drawn.categories.entries()) {
    const above = categories[parent]
    // A parent of the same tree, at most two levels up.
    const isAbove = above && parent < i && above.tree === nr && (levels[parent] ?? 0) < 3
    const body = { name: `Category ${i}`, parent_id: isAbove ? above.id : 0, is_visible: isVisible }
    const made = await send('POST', '/catalog/trees/categories', [{ ...body, tree_id: nr === 1 ? 1 : tree }])
    levels.push(isAbove ? (levels[parent] ?? 0) + 1 : 1)
    categories.push({ id: made[0].category_id, tree: nr, parent: isAbove ? above.id : null, isVisible })
  }
  for (const name of BRANDS) await send('POST', '/catalog/brands', { name })
  const fields = (colours: string[], size: string | null) => [
    ...colours.map((value) => ({ name: 'Colour', value })),
    ...(size === null ? [] : [{ name: 'size', value: size }]),
  ]
  await send(
    'POST',
    '/catalog/products',
    drawn.products.map((one, i) => ({
      ...{ name: `${one.thing} ${i}`, type: 'physical', weight: 1, price: one.price, is_visible: one.isVisible },
      ...{ brand_id: one.brand, is_featured: one.isFeatured, is_free_shipping: one.isFree },
      categories: one.categories.map((nr) => categories[nr]?.id),
      custom_fields: fields(one.colours, one.size),
      ...(one.level === null ? {} : { inventory_tracking: 'product', inventory_level: one.level }),
    })),
  )
  const assigned = (channel: number) => drawn.products.flatMap(({ channels }, i) => (channels & channel ? i + 1 : []))
  const into = assigned(2).map((product_id) => ({ product_id, channel_id: second.id }))
  await send('PUT', '/catalog/products/channel-assignments', into)
  const gone = drawn.products.flatMap(({ channels }, i) => (channels & 1 ? [] : i + 1))
  if (gone.length > 0) {
    await send('DELETE', `/catalog/products/channel-assignments?channel_id:in=1&product_id:in=${gone.join(',')}`)
  }
  for (const [i, { stars }] of drawn.products.entries()) {
    const review = { title: 'x', text: 'x', name: 'A', status: 'approved', date_reviewed: '2026-01-01T00:00:00Z' }
    if (stars > 0) await send('POST', `/catalog/products/${i + 1}/reviews`, { ...review, rating: stars })
  }
  const product_out_of_stock_behavior = drawn.hidesSoldOut ? 'hide_product' : 'do_nothing'
  await send('PUT', '/settings/inventory', { product_out_of_stock_behavior })
  const filter = (type: string, key: string, display_name: string) => ({
    ...{ id: Buffer.from(`${type}:${key}`).toString('base64url'), type, display_name },
  })
  const hasField = (name: 'colours' | 'size') =>
    drawn.products.some((one) => (name === 'size' ? one.size !== null : one.colours.length > 0))
  await send('PUT', '/settings/search/filters', [
    ...[filter('category', '', 'Category'), filter('brand', '', 'Brand'), filter('rating', '', 'Rating')],
    ...(hasField('colours') ? [filter('product', 'field:Colour', 'Colour')] : []),
    ...(hasField('size') ? [filter('product', 'field:size', 'Size')] : []),
    filter('other', '', 'Other'),
  ])
  const customers: number[] = []
  for (const [i, group] of drawn.groups.entries()) {
    const access = { type: 'specific', categories: group.map((nr) => categories[nr]?.id) }
    const { id } = await send('POST', '/customer_groups', { name: `Group ${i}`, category_access: access }, 'v2')
    const person = { email: `${i}@example.com`, first_name: 'A', last_name: 'B', customer_group_id: id }
    customers.push((await send('POST', '/customers', [person]))[0].id)
  }
  const token = await makeToken(shop, 'impersonation', { channel_ids: [1, second.id] })
  const [one = 0, two = 0] = customers
  const hosts = { 1: `store-${shop.store.hash}.shop.test`, 2: host }
  return { shop, drawn, token, hosts, customers: [one, two], categories }
}

/** The result of a search: names, and the counts of facets by `facet value`, with a star for a chosen one. */
interface Result {
  names: string[]
  counts: Record<string, string>
}

const COUNT = 'isSelected productCount'
const CATEGORY = `entityId ${COUNT}`
const QUERY = `query ($filters: SearchProductsFiltersInput!) { site { search { searchProducts(filters: $filters, sort: NEWEST) {
  products(first: 50) { edges { node { entityId } } collectionInfo { totalItems } }
  filters { edges { node { __typename
    ... on BrandSearchFilter { brands { edges { node { entityId ${COUNT} } } } }
    ... on CategorySearchFilter { categories { edges { node { ${CATEGORY} subCategories { edges { node { ${CATEGORY}
      subCategories { edges { node { ${CATEGORY} } } } } } } } } } }
    ... on RatingSearchFilter { ratings { edges { node { value ${COUNT} } } } }
    ... on ProductAttributeSearchFilter { filterKey attributes { edges { node { value ${COUNT} } } } }
    ... on OtherSearchFilter { freeShipping { ${COUNT} } isFeatured { ${COUNT} } isInStock { ${COUNT} } } } } } } } } }`

interface Item {
  entityId?: number
  value?: string
  isSelected: boolean
  productCount: number
  subCategories?: { edges: { node: Item }[] }
}

async function search({ shop, token, hosts, customers, categories }: MadeStore, asked: Search): Promise<Result> {
  const ids = (list: readonly number[]) => list.map((nr) => categories[nr]?.id ?? 999)
  const chosen = asked.categories.length > 0
  const filters = {
    searchTerm: asked.term,
    categoryEntityId: asked.page === null ? null : ids([asked.page])[0],
    categoryEntityIds: chosen && !asked.matchesAll ? ids(asked.categories) : null,
    categoryIdsFilter: chosen && asked.matchesAll ? { entityIds: ids(asked.categories), matchBehavior: 'AND' } : null,
    searchSubCategories: asked.below,
    brandEntityIds: asked.brands,
    productAttributes: [
      ...(asked.colours.length > 0 ? [{ attribute: 'colour', values: asked.colours }] : []),
      ...(asked.sizes.length > 0 ? [{ attribute: 'Size', values: asked.sizes }] : []),
    ],
    price: { minPrice: asked.minPrice, maxPrice: asked.maxPrice },
    rating: asked.minRating === null ? null : { minRating: asked.minRating },
    isFeatured: asked.isFeatured,
    isFreeShipping: asked.isFree,
    hideOutOfStock: asked.inStock,
  }
  const headers: Record<string, string> =
    asked.group === null ? {} : { 'x-svc-customer-id': String(customers[asked.group]) }
  const { status, body } = await askStorefront(shop, {
    ...{ token, query: QUERY, variables: { filters }, host: hosts[asked.channel], headers },
  })
  expect([status, body.errors]).toEqual([200, undefined])
  const { products, filters: facets } = body.data.site.search.searchProducts
  const counts: Record<string, string> = {}
  const add = (facet: string, key: string | number | undefined, item: Item | null) => {
    if (item) counts[`${facet} ${key}`] = `${item.productCount}${item.isSelected ? '*' : ''}`
  }
  const addCategory = (item: Item) => {
    add('category', item.entityId, item)
    for (const { node } of item.subCategories?.edges ?? []) addCategory(node)
  }
  for (const { node } of facets.edges) {
    const items = (list: { edges: { node: Item }[] } | undefined) => list?.edges.map((edge) => edge.node) ?? []
    for (const item of items(node.brands)) add('brand', item.entityId, item)
    for (const item of items(node.categories)) addCategory(item)
    for (const item of items(node.ratings)) add('rating', item.value, item)
    for (const item of items(node.attributes)) add(node.filterKey.toLowerCase(), item.value, item)
    if (node.__typename === 'OtherSearchFilter') {
      for (const flag of ['freeShipping', 'isFeatured', 'isInStock']) add('flag', flag, node[flag])
    }
  }
  const names = products.edges.map(({ node }: { node: { entityId: number } }) => String(node.entityId))
  expect(products.collectionInfo.totalItems).toBe(names.length)
  return { names, counts }
}

/** The same by looking at every product. */
function naive({ drawn, categories }: MadeStore, asked: Search): Result {
  const allowed = asked.group === null ? null : (drawn.groups[asked.group] ?? [])
  const canOpen = (nr: number) => {
    const category = categories[nr]
    return category?.isVisible === true && category.tree === asked.channel && (allowed?.includes(nr) ?? true)
  }
  if (asked.page !== null && !canOpen(asked.page)) return { names: [], counts: {} }
  type Product = Drawn['products'][number]
  const isInStock = ({ level }: Product) => level === null || level > 0
  const isVisible = (one: Product) =>
    one.isVisible &&
    (one.channels & asked.channel) > 0 &&
    !(drawn.hidesSoldOut && !isInStock(one)) &&
    (allowed === null || one.categories.some((nr) => allowed.includes(nr)))
  const nrOf = (id: number | null) => categories.findIndex((one) => one.id === id)
  const isBelow = (nr: number, top: number): boolean =>
    nr >= 0 && (nr === top || isBelow(nrOf(categories[nr]?.parent ?? null), top))
  const isIn = (one: Product, top: number, below: boolean) =>
    one.categories.some((nr) => (below ? isBelow(nr, top) : nr === top))
  const words = (one: Product) => [one.thing, ...(one.brand > 0 ? [BRANDS[one.brand - 1]?.toLowerCase()] : [])]
  const filters: Record<string, (one: Product) => boolean> = {
    ...(asked.categories.length > 0
      ? {
          category: (one) => {
            const within = (nr: number) => canOpen(nr) && isIn(one, nr, asked.below)
            return asked.matchesAll ? asked.categories.every(within) : asked.categories.some(within)
          },
        }
      : {}),
    ...(asked.brands.length > 0 ? { brand: ({ brand }) => asked.brands.includes(brand) } : {}),
    ...(asked.colours.length > 0
      ? { colour: ({ colours }) => colours.some((one) => asked.colours.includes(one)) }
      : {}),
    ...(asked.sizes.length > 0 ? { size: ({ size }) => size !== null && asked.sizes.includes(size) } : {}),
    ...(asked.minRating === null ? {} : { rating: ({ stars }) => stars >= (asked.minRating ?? 0) }),
    ...(asked.isFeatured ? { 'flag isFeatured': ({ isFeatured }) => isFeatured } : {}),
    ...(asked.isFree ? { 'flag freeShipping': ({ isFree }) => isFree } : {}),
    ...(asked.inStock ? { 'flag isInStock': isInStock } : {}),
    context: (one) =>
      (asked.page === null || isIn(one, asked.page, asked.below)) &&
      (asked.minPrice === null || one.price >= asked.minPrice) &&
      (asked.maxPrice === null || one.price <= asked.maxPrice) &&
      (asked.term === null || asked.term.split(' ').every((word) => words(one).some((own) => own?.startsWith(word)))),
  }
  const found = (without: string) =>
    drawn.products.filter(
      (one) => isVisible(one) && Object.entries(filters).every(([facet, passes]) => facet === without || passes(one)),
    )
  const counts: Record<string, string> = {}
  const count = (facet: string, key: string | number, isChosen: boolean, has: (one: Product) => boolean) => {
    const products = found(facet === 'flag' ? `flag ${key}` : facet).filter(has).length
    if (products > 0 || isChosen) counts[`${facet} ${key}`] = `${products}${isChosen ? '*' : ''}`
  }
  for (const [i] of BRANDS.entries())
    count('brand', i + 1, asked.brands.includes(i + 1), ({ brand }) => brand === i + 1)
  for (const colour of COLOURS)
    count('colour', colour, asked.colours.includes(colour), ({ colours }) => colours.includes(colour))
  for (const size of SIZES) count('size', size, asked.sizes.includes(size), (one) => one.size === size)
  for (const stars of [1, 2, 3, 4, 5]) count('rating', stars, asked.minRating === stars, (one) => one.stars >= stars)
  count('flag', 'isFeatured', asked.isFeatured, ({ isFeatured }) => isFeatured)
  count('flag', 'freeShipping', asked.isFree, ({ isFree }) => isFree)
  count('flag', 'isInStock', asked.inStock, isInStock)
  for (const [nr, { id }] of categories.entries()) {
    if (canOpen(nr)) count('category', id, asked.categories.includes(nr), (one) => isIn(one, nr, true))
  }
  // A category is shown below its parent, up to the category of the page.
  const top = asked.page === null ? null : (categories[asked.page]?.id ?? null)
  const isShown = (id: number): boolean => {
    const parent = categories[nrOf(id)]?.parent ?? null
    return parent === top || (parent !== null && counts[`category ${parent}`] !== undefined && isShown(parent))
  }
  for (const { id } of categories) if (!isShown(id)) delete counts[`category ${id}`]
  const names = drawn.products.flatMap((one, i) => (found('').includes(one) ? String(i + 1) : []))
  return { names: names.toReversed(), counts }
}

test('a search finds and counts what a look at every product does', { timeout: 600_000 }, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  for (const [i, drawn] of fc.sample(drawnStore, { numRuns: STORES, seed }).entries()) {
    const store = await make(drawn)
    await countFacetsOf(await dbOf(store.shop))
    for (const asked of fc.sample(drawnSearch, { numRuns: SEARCHES, seed: seed + i })) {
      expect(await search(store, asked), `seed ${seed}, store ${i}: ${JSON.stringify(asked)}`).toEqual(
        naive(store, asked),
      )
    }
  }
})
