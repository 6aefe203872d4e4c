import { beforeAll, describe, expect, test } from 'vitest'
import { countFacetsOf } from '../../../../../goods/catalog/search/counts.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../test/fixtures/webhooks.ts'

let shop: Shop
let token: string
let impersonation: string
const ids: Record<string, number> = {}

/** Sends an operation that has no mistake. @param customer by whom it is sent; a guest if not given */
async function ask(query: string, customer?: number) {
  const { status, body } = await askStorefront(shop, {
    token: customer === undefined ? token : impersonation,
    query,
    headers: customer === undefined ? {} : { 'x-svc-customer-id': String(customer) },
  })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}
async function send(method: string, path: string, body: object) {
  const answer = await shop.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

/** Counts what has changed, as the worker does. */
const count = async () => countFacetsOf(await dbOf(shop))

/** The names of the products that a search finds. */
async function found(filters: string, more = '', customer?: number): Promise<string[]> {
  const { site } = await ask(
    `{ site { search { searchProducts(filters: {${filters}} ${more}) { products(first: 50) {
      edges { node { name } } collectionInfo { totalItems } } } } } }`,
    customer,
  )
  const { edges, collectionInfo } = site.search.searchProducts.products
  const names = edges.map(({ node }: { node: { name: string } }) => node.name)
  expect(collectionInfo.totalItems).toBe(names.length)
  return names
}

const FACETS = `filters(first: 12) { edges { node { __typename displayName isCollapsedByDefault
  ... on BrandSearchFilter { displayProductCount displayItemsCount brands { edges { node { entityId name isSelected productCount } } } }
  ... on CategorySearchFilter { categories { edges { node { entityId name isSelected productCount
    subCategories { edges { node { entityId name isSelected productCount subCategories { edges { node { name } } } } } } } } } }
  ... on RatingSearchFilter { ratings { edges { node { value isSelected productCount } } } }
  ... on PriceSearchFilter { selected { minPrice maxPrice } }
  ... on ProductAttributeSearchFilter { filterName filterKey attributes { edges { node { value isSelected productCount } } } }
  ... on OtherSearchFilter { freeShipping { displayName isSelected productCount } isFeatured { displayName isSelected productCount }
    isInStock { displayName isSelected productCount } } } } }`

/** The facets of a search by their display names, without the connections around their items. */
async function facets(filters: string, customer?: number): Promise<Record<string, unknown>> {
  const { site } = await ask(`{ site { search { searchProducts(filters: {${filters}}) { ${FACETS} } } } }`, customer)
  const { edges } = site.search.searchProducts.filters
  return Object.fromEntries(edges.map(({ node }: { node: { displayName: string } }) => [node.displayName, plain(node)]))
}
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  if ('edges' in value && Array.isArray(value.edges)) return value.edges.map(({ node }) => plain(node))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  impersonation = await makeToken(shop, 'impersonation')
  const category = async (name: string, parent_id = 0, more: object = {}) =>
    (await send('POST', '/catalog/categories', { name, parent_id, ...more })).id
  ids.cups = await category('Cups', 0, { sort_order: 1 })
  ids.mugs = await category('Mugs', ids.cups)
  ids.big = await category('Big mugs', ids.mugs)
  ids.plates = await category('Plates', 0, { sort_order: 2 })
  ids.hidden = await category('Hidden', 0, { is_visible: false })
  const create = async (name: string, product: object) => {
    ids[name] = (
      await send('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 5, ...product })
    ).id
  }
  const coloured = (code: string, ...labels: string[]) => ({
    variants: labels.map((label) => ({
      sku: `${code}-${label}`,
      option_values: [{ option_display_name: 'Colour', label }],
    })),
  })
  await create('Red mug', {
    brand_name: 'Ferm & Co',
    categories: [ids.mugs],
    price: 10,
    sale_price: 8.5,
    is_featured: true,
    custom_fields: [{ name: 'Glaze', value: 'Matt' }],
    ...coloured('RM', 'Red', 'Blue'),
  })
  await create('Blue mug', {
    brand_name: 'Ferm & Co',
    categories: [ids.big],
    price: 20,
    total_sold: 7,
    is_free_shipping: true,
    custom_fields: [{ name: 'glaze', value: 'matt' }],
    ...coloured('BM', 'blue'),
  })
  await create('Plate, red', {
    brand_name: 'Acme',
    categories: [ids.plates],
    price: 8.5,
    total_sold: 9,
    sku: 'PL-9',
    upc: '012345678905',
    sort_order: -1,
    inventory_tracking: 'product',
    inventory_level: 0,
  })
  await create('Vase', { categories: [ids.plates, ids.cups], search_keywords: 'mugs, tulip stand', sort_order: 3 })
  await create('ถ้วยชาม', { categories: [ids.hidden] })
  await create('Secret mug', { is_visible: false, categories: [ids.mugs] })
  await create('Abroad mug', { categories: [ids.mugs] })
  await shop.call('DELETE', `/catalog/products/channel-assignments?product_id:in=${ids['Abroad mug']}`)
  for (const [name, rating] of [
    ['Red mug', 5],
    ['Red mug', 4],
    ['Vase', 3],
  ] as const) {
    await send('POST', `/catalog/products/${ids[name]}/reviews`, {
      title: 'x',
      text: 'x',
      name: 'Ann',
      rating,
      status: 'approved',
      date_reviewed: '2026-01-01T00:00:00Z',
    })
  }
  const type = (type: string, key = '', more: object = {}) => ({ id: base64(`${type}:${key}`), type, ...more })
  await send('PUT', '/settings/search/filters', [
    type('category', '', { display_name: 'Kind' }),
    type('brand', '', { display_name: 'Maker', items_to_show: 5, collapsed_by_default: true }),
    type('product', 'option:colour', { display_name: 'Colour' }),
    type('product', 'field:Glaze', { display_name: 'Finish', sort_by: 'item_count' }),
    type('rating'),
    type('price'),
    type('other'),
  ])
  await count()
})

/** Every product that shoppers may see, in the order of their ids. */
const ALL = ['Red mug', 'Blue mug', 'Plate, red', 'Vase', 'ถ้วยชาม']
const BY_FEATURED = ['Plate, red', 'Red mug', 'Blue mug', 'ถ้วยชาม', 'Vase']

describe('a search without filters', () => {
  test.each([
    ['FEATURED', BY_FEATURED],
    ['RELEVANCE', BY_FEATURED],
    ['NEWEST', ALL.toReversed()],
    ['BEST_SELLING', ['Plate, red', 'Blue mug', 'ถ้วยชาม', 'Vase', 'Red mug']],
    ['A_TO_Z', ['Blue mug', 'Plate, red', 'Red mug', 'Vase', 'ถ้วยชาม']],
    ['Z_TO_A', ['ถ้วยชาม', 'Vase', 'Red mug', 'Plate, red', 'Blue mug']],
    ['LOWEST_PRICE', ['Vase', 'ถ้วยชาม', 'Red mug', 'Plate, red', 'Blue mug']],
    ['HIGHEST_PRICE', ['Blue mug', 'Plate, red', 'Red mug', 'ถ้วยชาม', 'Vase']],
    ['BEST_REVIEWED', ['Red mug', 'Vase', 'ถ้วยชาม', 'Plate, red', 'Blue mug']],
  ])('sorted by %s', async (sort, names) => {
    expect(await found('', `sort: ${sort}`)).toEqual(names)
    const walked: string[] = []
    for (const direction of ['first: 2, after', 'last: 2, before']) {
      let cursor: string | null = null
      do {
        const args: string = cursor === null ? direction.slice(0, 8).replace(',', '') : `${direction}: "${cursor}"`
        const { site } = await ask(`{ site { search { searchProducts(filters: {}, sort: ${sort}) { products(${args}) {
          edges { node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } } }`)
        const { edges, pageInfo } = site.search.searchProducts.products
        const isBackward = direction.startsWith('last')
        const page = edges.map(({ node }: { node: { name: string } }) => node.name)
        walked.push(...(isBackward ? page.toReversed() : page))
        cursor = isBackward
          ? pageInfo.hasPreviousPage && pageInfo.startCursor
          : pageInfo.hasNextPage && pageInfo.endCursor
      } while (cursor)
    }
    expect(walked).toEqual([...names, ...names.toReversed()])
  })

  test('shows facets in the order and with the words of the settings', async () => {
    const items = (...values: unknown[]) => values
    const leaf = { isSelected: false, subCategories: [] }
    expect(await facets('')).toEqual({
      Kind: {
        __typename: 'CategorySearchFilter',
        displayName: 'Kind',
        isCollapsedByDefault: false,
        categories: [
          {
            ...{ entityId: ids.cups, name: 'Cups', isSelected: false, productCount: 3 },
            subCategories: [
              {
                entityId: ids.mugs,
                name: 'Mugs',
                isSelected: false,
                productCount: 2,
                subCategories: [{ name: 'Big mugs' }],
              },
            ],
          },
          { ...leaf, entityId: ids.plates, name: 'Plates', productCount: 2 },
        ],
      },
      Maker: {
        ...{ __typename: 'BrandSearchFilter', displayName: 'Maker', isCollapsedByDefault: true },
        ...{ displayProductCount: true, displayItemsCount: 5 },
        brands: items(
          { entityId: 2, name: 'Acme', isSelected: false, productCount: 1 },
          { entityId: 1, name: 'Ferm & Co', isSelected: false, productCount: 2 },
        ),
      },
      Colour: {
        ...{ __typename: 'ProductAttributeSearchFilter', displayName: 'Colour', isCollapsedByDefault: false },
        ...{ filterName: 'Colour', filterKey: 'Colour' },
        attributes: items(
          { value: 'Blue', isSelected: false, productCount: 2 },
          { value: 'Red', isSelected: false, productCount: 1 },
        ),
      },
      Finish: {
        ...{ __typename: 'ProductAttributeSearchFilter', displayName: 'Finish', isCollapsedByDefault: false },
        ...{ filterName: 'Glaze', filterKey: 'Glaze' },
        attributes: items({ value: 'Matt', isSelected: false, productCount: 2 }),
      },
      Rating: {
        ...{ __typename: 'RatingSearchFilter', displayName: 'Rating', isCollapsedByDefault: false },
        ratings: [4, 3, 2, 1].map((stars) => ({
          value: String(stars),
          isSelected: false,
          productCount: stars === 4 ? 1 : 2,
        })),
      },
      Price: { __typename: 'PriceSearchFilter', displayName: 'Price', isCollapsedByDefault: false, selected: null },
      Other: {
        ...{ __typename: 'OtherSearchFilter', displayName: 'Other', isCollapsedByDefault: false },
        freeShipping: { displayName: 'Free shipping', isSelected: false, productCount: 1 },
        isFeatured: { displayName: 'Featured', isSelected: false, productCount: 1 },
        isInStock: { displayName: 'In stock', isSelected: false, productCount: 4 },
      },
    })
    expect(Object.keys(await facets(''))).toEqual(['Kind', 'Maker', 'Colour', 'Finish', 'Rating', 'Price', 'Other'])
  })

  test('counts popular brands', async () => {
    const { site } = await ask(
      '{ site { popularBrands(first: 1) { edges { node { entityId name count path } } pageInfo { hasNextPage } } } }',
    )
    expect(site.popularBrands).toEqual({
      edges: [{ node: { entityId: 1, name: 'Ferm & Co', count: 2, path: '/ferm-co/' } }],
      pageInfo: { hasNextPage: true },
    })
  })
})

describe('a filter', () => {
  test.each<[string, string[]]>([
    ['brandEntityIds: [1]', ['Red mug', 'Blue mug']],
    ['brandEntityIds: [1, 2]', ['Plate, red', 'Red mug', 'Blue mug']],
    ['brandEntityIds: [99]', []],
    ['brandEntityIds: []', BY_FEATURED],
    ['price: {minPrice: 8.5}', ['Plate, red', 'Red mug', 'Blue mug']],
    ['price: {minPrice: 8.51}', ['Blue mug']],
    ['price: {maxPrice: 8.49}', ['ถ้วยชาม', 'Vase']],
    ['price: {minPrice: 8.5, maxPrice: 8.5}', ['Plate, red', 'Red mug']],
    ['price: {minPrice: 1e300}', []],
    ['price: {minPrice: 9, maxPrice: 8}', []],
    ['price: {}', BY_FEATURED],
    ['rating: {minRating: 4}', ['Red mug']],
    ['rating: {minRating: 4.6}', []],
    ['rating: {minRating: 1, maxRating: 4}', ['Vase']],
    ['isFeatured: true', ['Red mug']],
    ['isFeatured: false', BY_FEATURED],
    ['isFreeShipping: true', ['Blue mug']],
    ['hideOutOfStock: true', ['Red mug', 'Blue mug', 'ถ้วยชาม', 'Vase']],
    ['productAttributes: [{attribute: "Colour", values: ["Blue"]}]', ['Red mug', 'Blue mug']],
    ['productAttributes: [{attribute: "COLOUR", values: ["red", "green"]}]', ['Red mug']],
    [
      'productAttributes: [{attribute: "Glaze", values: ["MATT"]}, {attribute: "Colour", values: ["Red"]}]',
      ['Red mug'],
    ],
    ['productAttributes: [{attribute: "Colour", values: ["green"]}]', []],
    ['productAttributes: [{attribute: "Size", values: ["\\u0000"]}]', []],
    ['productAttributes: [{attribute: "Size", values: []}]', BY_FEATURED],
    ['isFeatured: true, brandEntityIds: [2]', []],
  ])('%s', async (filters, names) => {
    expect(await found(filters)).toEqual(names)
  })

  test('of categories reads one category, or all below it', async () => {
    const { cups, mugs, big, plates, hidden } = ids
    const cases: [string, string[]][] = [
      [`categoryEntityId: ${cups}`, ['Vase']],
      [`categoryEntityId: ${cups}, searchSubCategories: true`, ['Red mug', 'Blue mug', 'Vase']],
      [`categoryEntityId: ${hidden}`, []],
      ['categoryEntityId: 99', []],
      ['categoryEntityId: -1', []],
      [`categoryEntityIds: [${mugs}, ${plates}, 99]`, ['Plate, red', 'Red mug', 'Vase']],
      ['categoryEntityIds: [99]', []],
      [`categoryEntityIds: [${mugs}], searchSubCategories: true`, ['Red mug', 'Blue mug']],
      [`categoryIdsFilter: {entityIds: [${cups}, ${plates}], matchBehavior: AND}`, ['Vase']],
      [`categoryIdsFilter: {entityIds: [${cups}, 99], matchBehavior: AND}`, []],
      [`categoryIdsFilter: {entityIds: [${mugs}, ${big}], matchBehavior: OR}`, ['Red mug', 'Blue mug']],
      [`categoryEntityId: ${plates}, categoryEntityIds: [${cups}]`, ['Vase']],
    ]
    for (const [filters, names] of cases) expect([filters, await found(filters)]).toEqual([filters, names])
    const mode = (listing_mode: string) => send('PUT', '/settings/storefront/category', { listing_mode })
    await mode('child_categories')
    expect(await found(`categoryEntityId: ${cups}`)).toEqual(['Red mug', 'Blue mug', 'Vase'])
    await mode('child_categories_if_category_empty')
    expect(await found(`categoryEntityId: ${cups}`)).toEqual(['Vase'])
    expect(await found(`categoryEntityId: ${mugs}`)).toEqual(['Red mug'])
    await mode('current_category_only')
  })

  test.each([
    ['categoryEntityIds', '[# ]'],
    ['brandEntityIds', '[# ]'],
    ['categoryIdsFilter', '{entityIds: [# ], matchBehavior: OR}'],
    ['productAttributes', '[{attribute: "a", values: [" "]} #]'],
  ])('%s has a limit', async (name, shape) => {
    const many = (count: number) =>
      shape.replace(
        '#',
        Array(count)
          .fill(name === 'productAttributes' ? '{attribute: "b", values: ["c"]}' : '1')
          .join(' '),
      )
    const most = name === 'productAttributes' ? 19 : 250
    await found(`${name}: ${many(most)}`)
    const query = `{ site { search { searchProducts(filters: {${name}: ${many(most + 1)}}) { suggestions { sourceField } } } } }`
    const refused = await askStorefront(shop, { token, query })
    expect([refused.status, refused.message]).toEqual([200, expect.stringContaining(name)])
  })
})

describe('a term', () => {
  test.each<[string, string[]]>([
    ['mug', ['Blue mug', 'Red mug', 'Vase']],
    ['MUG', ['Blue mug', 'Red mug', 'Vase']],
    ['mu', ['Blue mug', 'Red mug', 'Vase']],
    ['red', ['Plate, red', 'Red mug']],
    ['red mug', ['Red mug']],
    ['mug, RED!', ['Red mug']],
    ['ferm', ['Blue mug', 'Red mug']],
    ['co', ['Blue mug', 'Red mug']],
    ['ferm red', ['Red mug']],
    ['tulip', ['Vase']],
    ['pl-9', ['Plate, red']],
    ['PL', ['Plate, red']],
    ['012345678905', ['Plate, red']],
    ['BM-blue', ['Blue mug']],
    ['late', ['Plate, red']],
    ['ถ้วย', ['ถ้วยชาม']],
    ['ชาม', ['ถ้วยชาม']],
    ['m', []],
    ['x', []],
    ['%_\\\\', []],
    ['nothing', []],
    ['  ', BY_FEATURED],
    ['', BY_FEATURED],
    ['\\u0000', BY_FEATURED],
    ['a'.repeat(10_000), []],
    ['mug '.repeat(2_500), ['Blue mug', 'Red mug', 'Vase']],
  ])('%j', async (term, names) => {
    expect(await found(`searchTerm: "${term}"`)).toEqual(names)
  })

  test('may have half of a character', async () => {
    const query =
      'query ($term: String) { site { search { searchProducts(filters: {searchTerm: $term}) { products { edges { node { name } } } } } } }'
    const edgesOf = async (term: string) => {
      const { status, body } = await askStorefront(shop, { token, query, variables: { term } })
      expect([status, body.errors]).toEqual([200, undefined])
      return body.data.site.search.searchProducts.products.edges
    }
    expect(await edgesOf('\ud800')).toEqual([])
    expect(await edgesOf('mug \ud800')).toHaveLength(3)
  })

  test('ranks whole words of the name before its beginning, a code and the rest', async () => {
    const own = await openShop()
    const create = (name: string, more: object = {}) =>
      own.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 5, ...more })
    await create('Rest', { search_keywords: 'oak', total_sold: 5 })
    await create('Other rest', { search_keywords: 'oak', total_sold: 6 })
    await create('Code', { sku: 'OAK' })
    await create('Oaken chair', { total_sold: 9 })
    await create('A chair of oak')
    const answer = await askStorefront(own, {
      token: await makeToken(own, 'storefront'),
      query:
        '{ site { search { searchProducts(filters: {searchTerm: "oak"}) { products { edges { node { name } } } } } } }',
    })
    const { edges } = answer.body.data.site.search.searchProducts.products
    expect(edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual([
      'A chair of oak',
      'Oaken chair',
      'Code',
      'Other rest',
      'Rest',
    ])
  })

  test('with one wrong letter finds the nearest word, and says so, unless the settings forbid it', async () => {
    const search = async (term: string) => {
      const { site } = await ask(`{ site { search { searchProducts(filters: {searchTerm: "${term}"}) {
        products { edges { node { name } } } suggestions { sourceField results { text } } } } } }`)
      const { products, suggestions } = site.search.searchProducts
      return [products.edges.map(({ node }: { node: { name: string } }) => node.name), suggestions]
    }
    const says = (text: string) => [{ sourceField: 'searchTerm', results: [{ text }] }]
    expect(await search('platw')).toEqual([['Plate, red'], says('plate')])
    expect(await search('plte')).toEqual([['Plate, red'], says('plate')])
    expect(await search('palte')).toEqual([[], []])
    expect(await search('red plattte')).toEqual([[], []])
    expect(await search('red platee')).toEqual([['Plate, red'], says('red plate')])
    expect(await search('plate')).toEqual([['Plate, red'], []])
    const settings = {
      content_product_sort: 'relevance',
      default_product_sort: 'relevance',
      product_filtering_enabled: true,
    }
    await send('PUT', '/settings/storefront/search', { ...settings, search_suggest: false })
    expect(await search('platw')).toEqual([[], []])
    await send('PUT', '/settings/storefront/search', { ...settings, search_suggest: true })
  })
})

describe('facets', () => {
  test('are counted under all filters but their own', async () => {
    const chosen = await facets('brandEntityIds: [2], searchTerm: "red"')
    expect(chosen.Maker).toMatchObject({
      brands: [
        { name: 'Acme', isSelected: true, productCount: 1 },
        { name: 'Ferm & Co', isSelected: false, productCount: 1 },
      ],
    })
    expect(chosen.Kind).toMatchObject({ categories: [{ name: 'Plates', productCount: 1 }] })
    expect(chosen).not.toHaveProperty('Colour')
    const two = await facets(
      `productAttributes: [{attribute: "colour", values: ["Red", "Blue"]}], rating: {minRating: 4}, isFeatured: true`,
    )
    expect(two.Colour).toMatchObject({
      attributes: [
        { value: 'Blue', isSelected: true, productCount: 1 },
        { value: 'Red', isSelected: true, productCount: 1 },
      ],
    })
    expect(two.Rating).toMatchObject({
      ratings: [4, 3, 2, 1].map((stars) => ({ isSelected: stars === 4, productCount: 1 })),
    })
    expect(two.Other).toMatchObject({ freeShipping: null, isFeatured: { isSelected: true, productCount: 1 } })
  })

  test('keep chosen values without products, and are valid for filters that exclude each other', async () => {
    const none = await facets(`brandEntityIds: [1], categoryEntityIds: [${ids.plates}], isFeatured: true`)
    expect(none.Maker).toMatchObject({ brands: [{ name: 'Ferm & Co', isSelected: true, productCount: 0 }] })
    expect(none.Kind).toMatchObject({
      categories: [
        { name: 'Cups', productCount: 1 },
        { name: 'Plates', isSelected: true, productCount: 0 },
      ],
    })
    expect(none.Other).toMatchObject({ isFeatured: { isSelected: true, productCount: 0 } })
  })

  test('of a category have the categories below it, and its own settings', async () => {
    const page = `categoryEntityId: ${ids.cups}, searchSubCategories: true`
    expect((await facets(page)).Kind).toMatchObject({
      categories: [{ name: 'Mugs', productCount: 2, subCategories: [{ name: 'Big mugs' }] }],
    })
    expect((await facets(`${page}, topLevelOnly: true`)).Kind).toMatchObject({
      categories: [{ name: 'Mugs', productCount: 2, subCategories: [] }],
    })
    const price = { id: base64('price:'), type: 'price', display_name: 'Cost' }
    const contexts = (data: object[]) =>
      send('PUT', '/settings/search/filters/contexts', [{ context: { channel_id: 1, category_id: ids.cups }, data }])
    await contexts([price])
    expect(await facets(`${page}, price: {minPrice: 2}`)).toEqual({
      Cost: {
        ...{ __typename: 'PriceSearchFilter', displayName: 'Cost', isCollapsedByDefault: false },
        selected: { minPrice: 2, maxPrice: null },
      },
    })
    await contexts([])
  })

  test('are empty while filtering is off, and then rating, options and stock filter nothing', async () => {
    const settings = { content_product_sort: 'relevance', default_product_sort: 'relevance', search_suggest: true }
    const filtering = (product_filtering_enabled: boolean) =>
      send('PUT', '/settings/storefront/search', { ...settings, product_filtering_enabled })
    await filtering(false)
    expect(await facets('')).toEqual({})
    expect(await found('rating: {minRating: 5}')).toEqual(BY_FEATURED)
    expect(await found('productAttributes: [{attribute: "Colour", values: ["Red"]}], hideOutOfStock: true')).toEqual(
      BY_FEATURED,
    )
    expect(await found('brandEntityIds: [2]')).toEqual(['Plate, red'])
    await filtering(true)
  })

  test('hide prices, and no price filters, while a setting hides prices', async () => {
    await send('PUT', '/settings/storefront/product', { show_product_price: false })
    expect(Object.keys(await facets('price: {minPrice: 9}'))).toEqual([
      'Kind',
      'Maker',
      'Colour',
      'Finish',
      'Rating',
      'Other',
    ])
    expect(await found('price: {minPrice: 9}')).toEqual(BY_FEATURED)
    await send('PUT', '/settings/storefront/product', { show_product_price: true })
  })
})

describe('a shopper', () => {
  test('of a group finds the products of its categories, with counts of their own', async () => {
    const only = { type: 'specific', categories: [ids.plates] }
    const id = await groupWith(only)
    const people = await send('POST', '/customers', [
      { email: 'p@example.com', first_name: 'P', last_name: 'L', customer_group_id: id },
      { email: 'n@example.com', first_name: 'N', last_name: 'L', customer_group_id: await groupWith({ type: 'none' }) },
    ])
    expect(await found('', '', people[0].id)).toEqual(['Plate, red', 'Vase'])
    expect(await found('searchTerm: "mug"', '', people[0].id)).toEqual(['Vase'])
    const own = await facets('', people[0].id)
    expect(own.Maker).toMatchObject({ brands: [{ name: 'Acme', productCount: 1 }] })
    expect(own.Kind).toMatchObject({ categories: [{ name: 'Plates', productCount: 2 }] })
    expect(await found('', '', people[1].id)).toEqual([])
    expect(await facets('', people[1].id)).toEqual({ Price: expect.anything() })
  })

  test('finds nothing that is sold out, if the settings hide it', async () => {
    const hiding = (product_out_of_stock_behavior: string) =>
      send('PUT', '/settings/inventory', { product_out_of_stock_behavior })
    await hiding('hide_product')
    expect(await found('')).toEqual(['Red mug', 'Blue mug', 'ถ้วยชาม', 'Vase'])
    expect((await facets('')).Maker).toMatchObject({ brands: [{ name: 'Ferm & Co', productCount: 2 }] })
    expect((await facets('brandEntityIds: [2]')).Maker).toMatchObject({
      brands: [
        { name: 'Acme', productCount: 0 },
        { name: 'Ferm & Co', productCount: 2 },
      ],
    })
    await hiding('do_nothing')
  })

  test('of another store finds nothing of this one', async () => {
    const other = await openShop()
    const query =
      '{ site { search { searchProducts(filters: {searchTerm: "mug"}) { products { edges { node { name } } } } } } }'
    const answer = await askStorefront(other, { token: await makeToken(other, 'storefront'), query })
    expect(answer.body.data.site.search.searchProducts.products.edges).toEqual([])
  })
})

async function groupWith(category_access: { type: string }): Promise<number> {
  const body = { name: category_access.type, category_access }
  const answer = await shop.call('POST', '/customer_groups', body, { version: 'v2' })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.id
}

describe('a page', () => {
  test.each([
    ['first: 1, last: 1', /first and last/],
    ['first: -1', /first must be 0 to 50/],
    ['first: 51', /first must be 0 to 50/],
    ['last: 51', /last must be 0 to 50/],
    ['first: 1, after: "x"', /after is not a cursor/],
    ['first: 1, after: "WzFd"', /after is not a cursor/],
  ])('of %s is refused', async (args, message) => {
    for (const field of ['products', 'filters']) {
      const query = `{ site { search { searchProducts(filters: {}) { ${field}(${args}) { edges { cursor } } } } } }`
      const answer = await askStorefront(shop, { token, query })
      if (field === 'filters' && args.includes('WzFd')) continue
      expect([answer.status, answer.message], field).toEqual([200, expect.stringMatching(message)])
    }
  })

  test('of no products has a total', async () => {
    const { site } = await ask(`{ site { search { searchProducts(filters: {}) { products(first: 0) {
      edges { cursor } pageInfo { hasNextPage } collectionInfo { totalItems } } } } } }`)
    expect(site.search.searchProducts.products).toMatchObject({ edges: [], collectionInfo: { totalItems: 5 } })
  })
})
