import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { isOfGate, overhear } from '../../../../../test/harness/overhear.ts'
import { globalId } from '../global-ids.ts'

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

const mug = {
  name: 'Mug',
  type: 'physical',
  sku: 'MUG',
  weight: 2,
  width: 3,
  height: 4,
  depth: 5,
  price: 10,
  retail_price: 15,
  sale_price: 8,
  map_price: 7,
  description: '<p>A <b>fine</b> mug &amp; more</p><script>alert(1)</script>',
  warranty: 'Two years',
  brand_name: 'Ferm',
  upc: '012345678905',
  mpn: 'M-1',
  condition: 'Used',
  is_condition_shown: true,
  order_quantity_minimum: 2,
  order_quantity_maximum: 9,
  page_title: 'The mug',
  meta_keywords: ['mug', 'cup'],
  meta_description: 'A mug',
  is_featured: true,
  inventory_tracking: 'variant',
  custom_fields: [
    { name: 'Glaze', value: 'Sand' },
    { name: 'Origin', value: 'Wien' },
  ],
  images: [
    { image_url: 'https://cdn.example.com/side.png', description: 'Side' },
    { image_url: 'https://cdn.example.com/front.png', description: 'Front', is_thumbnail: true },
  ],
  videos: [{ title: 'Making', video_id: 'z3fRu9pkuXE' }],
  bulk_pricing_rules: [{ quantity_min: 5, quantity_max: 0, type: 'percent', amount: 10 }],
  variants: [
    { sku: 'MUG-S', inventory_level: 3, option_values: [{ option_display_name: 'Size', label: 'S' }] },
    { sku: 'MUG-L', price: 20, inventory_level: 0, option_values: [{ option_display_name: 'Size', label: 'L' }] },
  ],
}

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  impersonation = await makeToken(shop, 'impersonation')
  const category = async (name: string, parent_id = 0, more: object = {}) =>
    (await send('POST', '/catalog/categories', { name, parent_id, ...more })).id
  ids.cups = await category('Cups', 0, { sort_order: 2, description: 'All cups' })
  ids.mugs = await category('Mugs', ids.cups)
  ids.plates = await category('Plates', 0, { sort_order: 1 })
  ids.hidden = await category('Hidden', 0, { is_visible: false })
  ids.below = await category('Below', ids.hidden)
  const create = async (product: object) => (await send('POST', '/catalog/products', product)).id
  ids.mug = await create({ ...mug, categories: [ids.mugs, ids.cups] })
  const plain = (name: string, more: object = {}) => ({ name, type: 'physical', weight: 1, price: 5, ...more })
  ids.plate = await create(plain('Plate', { categories: [ids.plates], price: 1_234.5, related_products: [ids.mug] }))
  ids.bowl = await create(plain('Bowl', { categories: [ids.plates, ids.cups], inventory_tracking: 'product' }))
  ids.secret = await create(plain('Secret', { is_visible: false, categories: [ids.cups], sku: 'SECRET' }))
  ids.jug = await create(plain('Jug', { categories: [ids.cups], is_price_hidden: true, availability: 'disabled' }))
  ids.vase = await create(
    plain('Vase', { categories: [ids.mugs], availability: 'preorder', preorder_release_date: '2027-05-01T00:00:00Z' }),
  )
  const rating = (rating: number, status: string) =>
    send('POST', `/catalog/products/${ids.mug}/reviews`, {
      title: `${rating}`,
      text: '<i>ok</i>',
      name: 'Ann',
      rating,
      status,
      date_reviewed: `2026-01-0${rating}T00:00:00Z`,
    })
  for (const stars of [5, 2, 3]) await rating(stars, 'approved')
  await rating(1, 'pending')
  for (const [kind, id] of [
    ['products', ids.mug],
    ['brands', 1],
    ['categories', ids.mugs],
  ] as const) {
    for (const permission_set of ['read', 'read_and_sf_access'] as const) {
      await send('POST', `/catalog/${kind}/${id}/metafields`, {
        key: permission_set,
        value: 'v',
        namespace: 'n',
        permission_set,
      })
    }
  }
})

test('a product with all its fields', async () => {
  const { site } = await ask(`{ site { product(entityId: ${ids.mug}) {
    id entityId sku path name description plainTextDescription cut: plainTextDescription(characterLimit: 6) warranty
    minPurchaseQuantity maxPurchaseQuantity isPriceHidden type availability availabilityDescription upc mpn gtin condition showCartAction
    weight { value unit } height { value unit } width { value } depth { value }
    prices { price { value currencyCode formattedV2 } salePrice { value } basePrice { value } retailPrice { value } mapPrice { value }
      saved { value } priceRange { min { value } max { value } } retailPriceRange { min { value } }
      bulkPricing { __typename minimumQuantity maximumQuantity ... on BulkPricingPercentageDiscount { percentOff } } }
    reviewSummary { averageRating numberOfReviews summationOfRatings }
    availabilityV2 { __typename status description }
    categories { edges { node { entityId name } } }
    brand { id entityId name path products { edges { node { name } } collectionInfo { totalItems } }
      metafields(namespace: "n") { edges { node { key } } } }
    customFields { edges { node { entityId name value } } }
    glaze: customFields(names: ["Glaze"]) { edges { node { value } } }
    images { edges { node { urlOriginal altText isDefault } } } defaultImage { urlTemplate altText }
    videos { edges { node { title url } } }
    metafields(namespace: "n") { edges { node { id entityId key value description } } }
    none: metafields(namespace: "n", keys: ["other"]) { edges { node { key } } }
    createdAt { utc } seo { pageTitle metaDescription metaKeywords }
    giftWrappingOptions { edges { node { name } } } locales { edges { node { path } } }
  } } }`)
  expect(site.product).toEqual({
    id: globalId('Product', ids.mug ?? 0),
    entityId: ids.mug,
    sku: 'MUG',
    path: '/mug/',
    name: 'Mug',
    description: mug.description,
    plainTextDescription: 'A fine mug & more',
    cut: 'A fine',
    warranty: 'Two years',
    minPurchaseQuantity: 2,
    maxPurchaseQuantity: 9,
    isPriceHidden: false,
    type: 'physical',
    availability: 'available',
    availabilityDescription: '',
    upc: '012345678905',
    mpn: 'M-1',
    gtin: null,
    condition: 'USED',
    showCartAction: true,
    weight: { value: 2, unit: 'Ounces' },
    height: { value: 4, unit: 'Inches' },
    width: { value: 3 },
    depth: { value: 5 },
    prices: {
      price: { value: 8, currencyCode: 'USD', formattedV2: '$8.00' },
      salePrice: { value: 8 },
      basePrice: { value: 10 },
      retailPrice: { value: 15 },
      mapPrice: { value: 7 },
      saved: { value: 7 },
      priceRange: { min: { value: 8 }, max: { value: 20 } },
      retailPriceRange: { min: { value: 15 } },
      bulkPricing: [
        { __typename: 'BulkPricingPercentageDiscount', minimumQuantity: 5, maximumQuantity: null, percentOff: 10 },
      ],
    },
    reviewSummary: { averageRating: 10 / 3, numberOfReviews: 3, summationOfRatings: 10 },
    availabilityV2: { __typename: 'ProductAvailable', status: 'Available', description: '' },
    categories: {
      edges: [{ node: { entityId: ids.cups, name: 'Cups' } }, { node: { entityId: ids.mugs, name: 'Mugs' } }],
    },
    brand: {
      id: globalId('Brand', 1),
      entityId: 1,
      name: 'Ferm',
      path: '/ferm/',
      products: { edges: [{ node: { name: 'Mug' } }], collectionInfo: { totalItems: 1 } },
      metafields: { edges: [{ node: { key: 'read_and_sf_access' } }] },
    },
    customFields: {
      edges: [
        { node: { entityId: expect.any(Number), name: 'Glaze', value: 'Sand' } },
        { node: { entityId: expect.any(Number), name: 'Origin', value: 'Wien' } },
      ],
    },
    glaze: { edges: [{ node: { value: 'Sand' } }] },
    images: {
      edges: [
        { node: { urlOriginal: expect.stringMatching(/^http/), altText: 'Side', isDefault: false } },
        { node: { urlOriginal: expect.stringMatching(/^http/), altText: 'Front', isDefault: true } },
      ],
    },
    defaultImage: { urlTemplate: expect.stringMatching(/^http/), altText: 'Front' },
    videos: { edges: [{ node: { title: 'Making', url: 'https://www.youtube.com/watch?v=z3fRu9pkuXE' } }] },
    metafields: {
      edges: [
        {
          node: {
            id: expect.any(String),
            entityId: expect.any(Number),
            key: 'read_and_sf_access',
            value: 'v',
            description: '',
          },
        },
      ],
    },
    none: { edges: [] },
    createdAt: { utc: expect.stringMatching(/Z$/) },
    seo: { pageTitle: 'The mug', metaDescription: 'A mug', metaKeywords: 'mug, cup' },
    giftWrappingOptions: { edges: [] },
    locales: { edges: [] },
  })
})

test('a product is found by its ids, a variant and a SKU, and unknown ones are null', async () => {
  const { data: variants } = (await shop.call('GET', `/catalog/products/${ids.mug}/variants`)).body
  const large = variants.find(({ sku }: { sku: string }) => sku === 'MUG-L')
  const { option_id, id: value } = large.option_values[0]
  const named = [
    [`id: "${globalId('Product', ids.mug ?? 0)}"`, 'MUG'],
    [`variantEntityId: ${large.id}`, 'MUG-L'],
    ['sku: "mug-l"', 'MUG-L'],
    ['sku: "MUG"', 'MUG'],
    [`entityId: ${ids.mug}, optionValueIds: [{ optionEntityId: ${option_id}, valueEntityId: ${value} }]`, 'MUG-L'],
    [`entityId: ${ids.mug}, optionValueIds: [{ optionEntityId: 777, valueEntityId: 777 }]`, 'MUG'],
  ]
  for (const [args, sku] of named) {
    const { site } = await ask(`{ site { product(${args}) { entityId sku prices { price { value } } } } }`)
    expect(site.product, args).toEqual({
      entityId: ids.mug,
      sku,
      prices: { price: { value: sku === 'MUG-L' ? 20 : 8 } },
    })
  }
  for (const args of [
    'entityId: 777',
    'entityId: -1',
    'entityId: 2147483647',
    'id: "x"',
    `id: "${globalId('Brand', 1)}"`,
    'variantEntityId: 777',
    'sku: "none"',
    'sku: "SECRET"',
    `entityId: ${ids.secret}`,
  ]) {
    expect((await ask(`{ site { product(${args}) { entityId } } }`)).site.product, args).toBeNull()
  }
  expect((await ask('{ site { product { entityId } } }')).site.product).toBeNull()
})

test('options come before modifiers, each in the kind of the schema, and selected values are marked', async () => {
  const modifiers = [
    {
      type: 'text',
      display_name: 'Engraving',
      required: true,
      config: { default_value: 'Hi', text_characters_limited: true, text_min_length: 1, text_max_length: 9 },
    },
    {
      type: 'multi_line_text',
      display_name: 'Letter',
      required: false,
      config: { text_lines_limited: true, text_max_lines: 3 },
    },
    {
      type: 'numbers_only_text',
      display_name: 'Count',
      required: false,
      config: {
        default_value: '4',
        number_limited: true,
        number_limit_mode: 'lowest',
        number_lowest_value: 2,
        number_integers_only: true,
      },
    },
    {
      type: 'date',
      display_name: 'Day',
      required: false,
      config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value: '2027-01-01T00:00:00Z' },
    },
    {
      type: 'checkbox',
      display_name: 'Gift',
      required: false,
      config: { checked_by_default: true, checkbox_label: 'Wrap it' },
      option_values: [
        { label: 'Yes', value_data: { checked_value: true } },
        { label: 'No', value_data: { checked_value: false } },
      ],
    },
    {
      type: 'file',
      display_name: 'Photo',
      required: false,
      config: { file_types_mode: 'specific', file_types_supported: ['images'], file_max_size: 5 },
    },
    {
      type: 'swatch',
      display_name: 'Colour',
      required: false,
      option_values: [{ label: 'Red', sort_order: 0, value_data: { colors: ['#ff0000'] } }],
    },
    {
      type: 'product_list',
      display_name: 'Saucer',
      required: false,
      config: { product_list_adjusts_inventory: true },
      option_values: [
        { label: 'Plate', sort_order: 0, value_data: { product_id: ids.plate } },
        { label: 'Secret', sort_order: 1, value_data: { product_id: ids.secret } },
      ],
    },
  ]
  for (const [sort_order, modifier] of modifiers.entries()) {
    await send('POST', `/catalog/products/${ids.mug}/modifiers`, { ...modifier, sort_order })
  }
  const shape = `edges { node { __typename entityId displayName isRequired isVariantOption
    ... on TextFieldOption { textDefault: defaultValue minLength maxLength }
    ... on MultiLineTextFieldOption { maxLines }
    ... on NumberFieldOption { numberDefault: defaultValue lowest highest isIntegerOnly limitNumberBy }
    ... on DateFieldOption { earliest latest limitDateBy }
    ... on CheckboxOption { checkedByDefault label checkedOptionValueEntityId uncheckedOptionValueEntityId }
    ... on FileUploadFieldOption { maxFileSize fileTypes }
    ... on MultipleChoiceOption { displayStyle values { edges { node { __typename label isDefault isSelected
      ... on SwatchOptionValue { hexColors imageUrl(width: 5) }
      ... on ProductPickListOptionValue { productId autoAdjustInventory linkedProduct { name inventory { isInStock isStockTracked } }
        defaultImage { altText } } } } } } } }`
  const { site } = await ask(`{ site {
    product(entityId: ${ids.mug}) { productOptions { ${shape} } options { edges { node { displayName values { edges { node { label } } } } } } }
    chosen: product(sku: "MUG-L") { productOptions(first: 1) { ${shape} pageInfo { hasNextPage } } } } }`)
  const plain = {
    displayName: expect.any(String),
    entityId: expect.any(Number),
    isRequired: false,
    isVariantOption: false,
  }
  const value = { isDefault: false, isSelected: null }
  const sizes = (selected: string | null) =>
    ['S', 'L'].map((label) => ({
      node: {
        __typename: 'MultipleChoiceOptionValue',
        label,
        isDefault: false,
        isSelected: selected === null ? null : label === selected,
      },
    }))
  const kinds = site.product.productOptions.edges.map(({ node }: { node: object }) => node)
  expect(kinds).toEqual([
    {
      ...plain,
      __typename: 'MultipleChoiceOption',
      isRequired: true,
      isVariantOption: true,
      displayStyle: expect.any(String),
      values: { edges: sizes(null) },
    },
    { ...plain, __typename: 'TextFieldOption', isRequired: true, textDefault: 'Hi', minLength: 1, maxLength: 9 },
    { ...plain, __typename: 'MultiLineTextFieldOption', maxLines: 3 },
    {
      ...plain,
      __typename: 'NumberFieldOption',
      numberDefault: 4,
      lowest: 2,
      highest: null,
      isIntegerOnly: true,
      limitNumberBy: 'LOWEST_VALUE',
    },
    {
      ...plain,
      __typename: 'DateFieldOption',
      earliest: '2027-01-01T00:00:00.000Z',
      latest: null,
      limitDateBy: 'EARLIEST_DATE',
    },
    {
      ...plain,
      __typename: 'CheckboxOption',
      checkedByDefault: true,
      label: 'Wrap it',
      checkedOptionValueEntityId: expect.any(Number),
      uncheckedOptionValueEntityId: expect.any(Number),
    },
    { ...plain, __typename: 'FileUploadFieldOption', maxFileSize: 5, fileTypes: ['images'] },
    {
      ...plain,
      __typename: 'MultipleChoiceOption',
      displayStyle: 'Swatch',
      values: {
        edges: [
          { node: { ...value, __typename: 'SwatchOptionValue', label: 'Red', hexColors: ['#FF0000'], imageUrl: null } },
        ],
      },
    },
    {
      ...plain,
      __typename: 'MultipleChoiceOption',
      displayStyle: 'ProductPickList',
      values: {
        edges: [
          {
            node: {
              ...value,
              __typename: 'ProductPickListOptionValue',
              label: 'Plate',
              productId: ids.plate,
              autoAdjustInventory: true,
              defaultImage: null,
              linkedProduct: { name: 'Plate', inventory: { isInStock: true, isStockTracked: false } },
            },
          },
          {
            node: {
              ...value,
              __typename: 'ProductPickListOptionValue',
              label: 'Secret',
              productId: ids.secret,
              autoAdjustInventory: true,
              defaultImage: null,
              linkedProduct: null,
            },
          },
        ],
      },
    },
  ])
  expect(site.product.options.edges).toEqual([
    { node: { displayName: 'Size', values: { edges: [{ node: { label: 'S' } }, { node: { label: 'L' } }] } } },
  ])
  expect(site.chosen.productOptions).toMatchObject({
    edges: [{ node: { values: { edges: sizes('L') } } }],
    pageInfo: { hasNextPage: true },
  })
})

test('variants with their filters, prices and options', async () => {
  const names = async (args: string) => {
    const { site } = await ask(
      `{ site { product(entityId: ${ids.mug}) { variants${args} { edges { node { sku } } } } } }`,
    )
    return site.product.variants.edges.map(({ node }: { node: { sku: string } }) => node.sku)
  }
  const { site } = await ask(`{ site { product(entityId: ${ids.mug}) { variants { edges { node {
    id entityId sku weight { value } upc mpn isPurchasable defaultImage { altText } prices { price { value } }
    productOptions { edges { node { displayName ... on MultipleChoiceOption { values { edges { node { label } } } } } } }
    options { edges { node { values { edges { node { label } } } } } } metafields(namespace: "n") { edges { node { key } } } } } } } } }`)
  const [small, large] = site.product.variants.edges.map(({ node }: { node: object }) => node)
  const optionOf = (label: string) => ({ edges: [{ node: { label } }] })
  expect(small).toEqual({
    id: globalId('Variant', small.entityId),
    entityId: expect.any(Number),
    sku: 'MUG-S',
    weight: { value: 2 },
    upc: '012345678905',
    mpn: 'M-1',
    isPurchasable: true,
    defaultImage: null,
    prices: { price: { value: 8 } },
    productOptions: { edges: [{ node: { displayName: 'Size', values: optionOf('S') } }] },
    options: { edges: [{ node: { values: optionOf('S') } }] },
    metafields: { edges: [] },
  })
  expect(large.prices).toEqual({ price: { value: 20 } })
  expect(await names('(first: 1)')).toEqual(['MUG-S'])
  expect(await names('(last: 1)')).toEqual(['MUG-L'])
  expect(await names(`(entityIds: [${large.entityId}, 777])`)).toEqual(['MUG-L'])
  expect(await names('(skus: ["MUG-S", "none"])')).toEqual(['MUG-S'])
  expect(await names('(isPurchasable: false)')).toEqual([])
  const { data } = (await shop.call('GET', `/catalog/products/${ids.mug}/variants/${large.entityId}`)).body
  const [{ option_id, id }] = data.option_values
  expect(await names(`(optionValueIds: [{ optionEntityId: ${option_id}, valueEntityId: ${id} }])`)).toEqual(['MUG-L'])
})

test('the approved reviews in four orders, between two ratings, page by page', async () => {
  const ratings = async (args: string) => {
    const { site } = await ask(`{ site { product(entityId: ${ids.mug}) { reviews${args} {
      edges { node { rating } } pageInfo { hasNextPage endCursor } } } } }`)
    const { edges, pageInfo } = site.product.reviews
    return { list: edges.map(({ node }: { node: { rating: number } }) => node.rating), pageInfo }
  }
  expect((await ratings('')).list).toEqual([5, 3, 2])
  expect((await ratings('(sort: OLDEST)')).list).toEqual([2, 3, 5])
  expect((await ratings('(sort: HIGHEST_RATING)')).list).toEqual([5, 3, 2])
  expect((await ratings('(sort: LOWEST_RATING)')).list).toEqual([2, 3, 5])
  expect((await ratings('(filters: { rating: { minRating: 3, maxRating: 4 } })')).list).toEqual([3])
  const first = await ratings('(first: 2)')
  expect(first).toMatchObject({ list: [5, 3], pageInfo: { hasNextPage: true } })
  expect((await ratings(`(first: 2, after: "${first.pageInfo.endCursor}")`)).list).toEqual([2])
  const { site } = await ask(
    `{ site { product(entityId: ${ids.mug}) { reviews(first: 1) { edges { node { entityId author { name } title text createdAt { utc } } } } } } }`,
  )
  expect(site.product.reviews.edges[0].node).toEqual({
    entityId: expect.any(Number),
    author: { name: 'Ann' },
    title: '5',
    text: '<i>ok</i>',
    createdAt: { utc: '2026-01-05T00:00:00.000Z' },
  })
})

describe('lists of products', () => {
  const list = async (field: string, customer?: number) => {
    const { site } = await ask(
      `{ site { found: ${field} { edges { node { name } } collectionInfo { totalItems } } } }`,
      customer,
    )
    const names = site.found.edges.map(({ node }: { node: { name: string } }) => node.name)
    expect(site.found.collectionInfo.totalItems).toBeGreaterThanOrEqual(names.length)
    return names
  }

  test('have their orders, and leave out products that shoppers must not see', async () => {
    expect(await list('products')).toEqual(['Mug', 'Plate', 'Bowl', 'Jug', 'Vase'])
    expect(await list('newestProducts')).toEqual(['Vase', 'Jug', 'Bowl', 'Plate', 'Mug'])
    expect(await list('bestSellingProducts(first: 2)')).toHaveLength(2)
    expect(await list('featuredProducts')).toEqual(['Mug'])
    expect(await list(`products(entityIds: [${ids.bowl}, ${ids.secret}, ${ids.mug}, 777, -1])`)).toEqual([
      'Mug',
      'Bowl',
    ])
    expect(await list(`products(ids: ["${globalId('Product', ids.jug ?? 0)}", "x"])`)).toEqual(['Jug'])
    expect(await list('products(ids: ["x"])')).toEqual([])
    expect(await list('products(hideOutOfStock: true)')).toEqual(['Mug', 'Plate', 'Jug', 'Vase'])
    expect(await list('products(first: 0)')).toEqual([])
  })

  test('are walked forwards and backwards without repeating a product', async () => {
    const page = async (args: string) => {
      const { site } = await ask(`{ site { newestProducts(${args}) { edges { node { name } cursor }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`)
      return site.newestProducts
    }
    const names = ({ edges }: { edges: { node: { name: string } }[] }) => edges.map(({ node }) => node.name)
    const first = await page('first: 2')
    expect([names(first), first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([
      ['Vase', 'Jug'],
      true,
      false,
    ])
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`)
    expect([names(second), second.pageInfo.hasPreviousPage]).toEqual([['Bowl', 'Plate'], true])
    const back = await page(`last: 2, before: "${second.pageInfo.startCursor}"`)
    expect([names(back), back.pageInfo.hasNextPage, back.pageInfo.hasPreviousPage]).toEqual([
      ['Vase', 'Jug'],
      true,
      false,
    ])
    expect(names(await page('last: 1'))).toEqual(['Mug'])
  })

  test('begin at their ends with an empty cursor, which public clients send for the first page', async () => {
    for (const field of ['newestProducts', 'brands', 'currencies']) {
      for (const [empty, without] of [
        ['first: 2, after: ""', 'first: 2'],
        ['first: 2, after: "", before: ""', 'first: 2'],
        ['last: 2, before: ""', 'last: 2'],
      ]) {
        const page = async (args: string | undefined) =>
          (await ask(`{ site { ${field}(${args}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage } } } }`))
            .site[field]
        expect(await page(empty), `${field}: ${empty}`).toEqual(await page(without))
      }
    }
  })

  test('of a category have nine orders', async () => {
    const sorted = async (sortBy: string) => {
      const { site } = await ask(
        `{ site { category(entityId: ${ids.cups}) { products(sortBy: ${sortBy}) { edges { node { name } cursor } } } } }`,
      )
      const { edges } = site.category.products
      // Each cursor leads to the rest of the list.
      const after = await ask(
        `{ site { category(entityId: ${ids.cups}) { products(sortBy: ${sortBy}, after: "${edges[0].cursor}") { edges { node { name } } } } } }`,
      )
      const names = edges.map(({ node }: { node: { name: string } }) => node.name)
      expect(after.site.category.products.edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(
        names.slice(1),
      )
      return names
    }
    expect(await sorted('A_TO_Z')).toEqual(['Bowl', 'Jug', 'Mug'])
    expect(await sorted('Z_TO_A')).toEqual(['Mug', 'Jug', 'Bowl'])
    expect(await sorted('LOWEST_PRICE')).toEqual(['Bowl', 'Jug', 'Mug'])
    expect(await sorted('HIGHEST_PRICE')).toEqual(['Mug', 'Jug', 'Bowl'])
    expect(await sorted('NEWEST')).toEqual(['Jug', 'Bowl', 'Mug'])
    expect((await sorted('BEST_REVIEWED'))[0]).toBe('Mug')
    for (const sort of ['DEFAULT', 'FEATURED', 'BEST_SELLING']) expect(await sorted(sort)).toHaveLength(3)
  })

  test('refuse arguments that make no page, and say which', async () => {
    const refused: [string, RegExp][] = [
      ['first: 1, last: 1', /first and last/],
      ['first: 51', /^first must be 0 to 50, not 51/],
      ['last: -1', /^last must be/],
      ['after: "x"', /^after is not a cursor/],
      [`after: "${Buffer.from('["a",2]').toString('base64')}"`, /^after is not a cursor/],
      [`before: "${Buffer.from('[1,2,3]').toString('base64')}"`, /^before is not a cursor/],
      ['before: "x", after: "y"', /before and after/],
    ]
    for (const [args, message] of refused) {
      for (const field of ['newestProducts', 'brands', 'currencies']) {
        const answer = await askStorefront(shop, {
          token,
          query: `{ site { ${field}(${args}) { pageInfo { endCursor } } } }`,
        })
        expect([answer.status, answer.message], `${field} ${args}`).toEqual([200, expect.stringMatching(message)])
      }
    }
  })

  test('of related products name those of the product, or others of its categories', async () => {
    const related = async (id: number | undefined) => {
      const { site } = await ask(
        `{ site { product(entityId: ${id}) { relatedProducts { edges { node { name } } } } } }`,
      )
      return site.product.relatedProducts.edges.map(({ node }: { node: { name: string } }) => node.name)
    }
    expect(await related(ids.plate)).toEqual(['Mug'])
    expect(await related(ids.mug)).toEqual(['Bowl', 'Jug', 'Vase'])
  })
})

test('the menu, categories and breadcrumbs have visible categories only', async () => {
  const { site } = await ask(`{ site {
    categoryTree { entityId name path description productCount hasChildren image { urlOriginal } children { name children { name } } }
    part: categoryTree(rootEntityId: ${ids.mugs}) { name } none: categoryTree(rootEntityId: ${ids.below}) { name }
    category(entityId: ${ids.mugs}) { id entityId name path description defaultImage { altText } defaultProductSort
      seo { pageTitle } breadcrumbs(depth: 5) { edges { node { entityId name path } } } near: breadcrumbs(depth: 1) { edges { node { name } } }
      metafields(namespace: "n") { edges { node { key } } } products { edges { node { name } } } }
    hidden: category(entityId: ${ids.hidden}) { name } unknown: category(entityId: 777) { name } } }`)
  expect(site.categoryTree).toEqual([
    {
      entityId: ids.plates,
      name: 'Plates',
      path: '/plates/',
      description: '',
      productCount: 2,
      hasChildren: false,
      image: null,
      children: [],
    },
    {
      entityId: ids.cups,
      name: 'Cups',
      path: '/cups/',
      description: 'All cups',
      productCount: 3,
      hasChildren: true,
      image: null,
      children: [{ name: 'Mugs', children: [] }],
    },
  ])
  expect([site.part, site.none, site.hidden, site.unknown]).toEqual([[{ name: 'Mugs' }], [], null, null])
  expect(site.category).toEqual({
    id: globalId('Category', ids.mugs ?? 0),
    entityId: ids.mugs,
    name: 'Mugs',
    path: expect.stringMatching(/^\/.*mugs\/$/),
    description: '',
    defaultImage: null,
    defaultProductSort: 'DEFAULT',
    seo: { pageTitle: 'Mugs' },
    breadcrumbs: {
      edges: [
        { node: { entityId: ids.cups, name: 'Cups', path: '/cups/' } },
        { node: { entityId: ids.mugs, name: 'Mugs', path: expect.any(String) } },
      ],
    },
    near: { edges: [{ node: { name: 'Mugs' } }] },
    metafields: { edges: [{ node: { key: 'read_and_sf_access' } }] },
    products: { edges: [{ node: { name: 'Mug' } }, { node: { name: 'Vase' } }] },
  })
})

test('brands are found by id and by their products', async () => {
  const { site } =
    await ask(`{ site { brand(entityId: 1) { name seo { pageTitle } searchKeywords } none: brand(entityId: 777) { name }
    brands { edges { node { name } } } named: brands(entityIds: [777]) { edges { node { name } } }
    ofProducts: brands(productEntityIds: [${ids.mug}, ${ids.plate}]) { edges { node { name } } } } }`)
  expect(site).toEqual({
    brand: { name: 'Ferm', seo: { pageTitle: 'Ferm' }, searchKeywords: [] },
    none: null,
    brands: { edges: [{ node: { name: 'Ferm' } }] },
    named: { edges: [] },
    ofProducts: { edges: [{ node: { name: 'Ferm' } }] },
  })
})

describe('stock', () => {
  const FIELDS = `inventory { isInStock isStockTracked hasVariantInventory aggregated { availableToSell warningLevel }
    byLocation { edges { node { locationEntityCode availableToSell isInStock } } } }`
  const stockOf = async (id: number | undefined) =>
    (await ask(`{ site { product(entityId: ${id}) { ${FIELDS} } } }`)).site.product.inventory

  test('is displayed as the settings say', async () => {
    const hidden = { isInStock: true, isStockTracked: true, hasVariantInventory: true, aggregated: null }
    expect(await stockOf(ids.mug)).toMatchObject(hidden)
    expect(await stockOf(ids.plate)).toMatchObject({
      isInStock: true,
      isStockTracked: false,
      aggregated: null,
      byLocation: null,
    })
    expect(await stockOf(ids.bowl)).toMatchObject({ isInStock: false, isStockTracked: true })
    await send('PUT', '/settings/inventory', { stock_level_display: 'show' })
    expect(await stockOf(ids.mug)).toMatchObject({
      aggregated: { availableToSell: 3, warningLevel: 0 },
      byLocation: { edges: [{ node: { availableToSell: 3, isInStock: true } }] },
    })
    await send('PUT', '/settings/inventory', { stock_level_display: 'show_when_low' })
    expect((await stockOf(ids.mug)).aggregated).toBeNull()
    const { site } = await ask(
      `{ site { product(entityId: ${ids.mug}) { variants { edges { node { sku inventory { isInStock aggregated { availableToSell } byLocation { edges { node { availableToSell } } } } } } } } } }`,
    )
    expect(site.product.variants.edges).toMatchObject([
      { node: { sku: 'MUG-S', inventory: { isInStock: true, aggregated: null } } },
      { node: { sku: 'MUG-L', inventory: { isInStock: false, aggregated: { availableToSell: 0 } } } },
    ])
  })

  test('hides products that are sold out, if the settings say so', async () => {
    const found = async () =>
      (await ask(`{ site { products { edges { node { name } } } product(entityId: ${ids.bowl}) { name } } }`)).site
    for (const [behavior, alone] of [
      ['hide_product', null],
      ['hide_product_and_accessible', { name: 'Bowl' }],
    ]) {
      await send('PUT', '/settings/inventory', { product_out_of_stock_behavior: behavior })
      const { products, product } = await found()
      expect(products.edges).not.toContainEqual({ node: { name: 'Bowl' } })
      expect(product).toEqual(alone)
    }
    await send('PUT', '/settings/inventory', { product_out_of_stock_behavior: 'do_nothing' })
  })
})

test('availability has three types', async () => {
  const of = async (id: number | undefined) =>
    (
      await ask(`{ site { product(entityId: ${id}) { showCartAction isPriceHidden availabilityV2 { __typename status
        ... on ProductPreOrder { message willBeReleasedAt { utc } } ... on ProductUnavailable { message } } } } }`)
    ).site.product
  expect(await of(ids.jug)).toEqual({
    showCartAction: false,
    isPriceHidden: true,
    availabilityV2: { __typename: 'ProductUnavailable', status: 'Unavailable', message: null },
  })
  expect(await of(ids.vase)).toMatchObject({
    availabilityV2: {
      __typename: 'ProductPreOrder',
      status: 'Preorder',
      willBeReleasedAt: { utc: '2027-05-01T00:00:00.000Z' },
    },
  })
})

describe('a customer', () => {
  test('sees the categories and the prices of the group, everywhere', async () => {
    const group = async (name: string, body: object) =>
      (await shop.call('POST', '/customer_groups', { name, ...body }, { version: 'v2' })).body.id
    const customer = async (email: string, customer_group_id: number) =>
      (await send('POST', '/customers', [{ email, first_name: 'A', last_name: 'B', customer_group_id }]))[0].id
    const plates = await group('Plates', {
      category_access: { type: 'specific', categories: [ids.plates] },
      discount_rules: [{ type: 'all', method: 'percent', amount: '10' }],
    })
    const nothing = await group('Nothing', { category_access: { type: 'none' } })
    const [ann, bo] = [await customer('ann@example.com', plates), await customer('bo@example.com', nothing)]
    const query = `{ site { products { edges { node { name prices { price { value } } } } collectionInfo { totalItems } }
      mug: product(entityId: ${ids.mug}) { name } sku: product(sku: "MUG") { name } variant: product(sku: "MUG-L") { name }
      newestProducts { edges { node { name } } } featuredProducts { edges { node { name } } }
      plate: product(entityId: ${ids.plate}) { relatedProducts { edges { node { name } } } categories { edges { node { name } } } }
      categoryTree { name } brand(entityId: 1) { products { edges { node { name } } } } } }`
    const { site } = await ask(query, ann)
    expect(site).toEqual({
      products: {
        edges: [
          { node: { name: 'Plate', prices: { price: { value: 1_111.05 } } } },
          { node: { name: 'Bowl', prices: { price: { value: 4.5 } } } },
        ],
        collectionInfo: { totalItems: 2 },
      },
      mug: null,
      sku: null,
      variant: null,
      newestProducts: { edges: [{ node: { name: 'Bowl' } }, { node: { name: 'Plate' } }] },
      featuredProducts: { edges: [] },
      plate: { relatedProducts: { edges: [] }, categories: { edges: [{ node: { name: 'Plates' } }] } },
      categoryTree: [{ name: 'Plates' }],
      brand: { products: { edges: [] } },
    })
    expect((await ask('{ site { products { edges { node { name } } } categoryTree { name } } }', bo)).site).toEqual({
      products: { edges: [] },
      categoryTree: [],
    })
  })

  test('sees prices that guests do not see, if the settings say so', async () => {
    const { ids: people } = { ids: (await shop.call('GET', '/customers')).body.data }
    const prices = async (customer?: number) =>
      (await ask(`{ site { product(entityId: ${ids.plate}) { prices { price { formattedV2 } } } } }`, customer)).site
        .product.prices
    expect(await prices()).toEqual({ price: { formattedV2: '$1,234.50' } })
    await send('PUT', '/settings/storefront/product', { hide_price_from_guests: true })
    expect([await prices(), await prices(people[0].id)]).toEqual([null, { price: { formattedV2: '$1,111.05' } }])
    await send('PUT', '/settings/storefront/product', { hide_price_from_guests: false, show_product_price: false })
    expect([await prices(), await prices(people[0].id)]).toEqual([null, null])
    await send('PUT', '/settings/storefront/product', { show_product_price: true })
    const { site } = await ask(
      `{ site { product(entityId: ${ids.plate}) { prices(currencyCode: CHF) { price { value } } } } }`,
    )
    expect(site.product.prices).toBeNull()
  })
})

/** The round trips and statements of an operation whose caller is known. */
async function workOf(query: string, customer?: number) {
  await ask(query, customer)
  const heard = overhear()
  await ask(query, customer)
  heard.stop()
  // Workers of the server, and the gate on a slow machine, send statements beside the request.
  const own = heard.pieces.filter((piece) => piece[0]?.name === 'wall to read' && !piece.some(isOfGate))
  return { walls: own.length, sent: own.flat().filter((statement) => !statement.dropsRows).length }
}

/** Does work while the clock stands still, so that cached tokens don't expire. */
async function withoutTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    return await work()
  } finally {
    clock.mockRestore()
  }
}

test('lists below a list take one statement for all of its items', async () => {
  const name = 'edges { node { name } } collectionInfo { totalItems }'
  const below = (first: number) => `{ site { products(first: ${first}) { edges { node {
    relatedProducts(first: 2) { edges { node { name } } } brand { products(first: 2) { ${name} } }
    categories { edges { node { products(first: 2, sortBy: A_TO_Z) { ${name} } } } } } } } } }`
  const [few, many] = await withoutTime(async () => [await workOf(below(2)), await workOf(below(50))])
  expect(many).toEqual(few)
  const { site } = await ask(below(2))
  const [first, second] = site.products.edges.map(({ node }: { node: object }) => node)
  expect([first.relatedProducts, second.relatedProducts]).toEqual([
    { edges: [{ node: { name: 'Bowl' } }, { node: { name: 'Jug' } }] },
    { edges: [{ node: { name: 'Mug' } }] },
  ])
  expect(first.brand.products).toEqual({ edges: [{ node: { name: 'Mug' } }], collectionInfo: { totalItems: 1 } })
  expect(second.categories.edges.map(({ node }: { node: object }) => node)).toEqual([
    {
      products: { edges: [{ node: { name: 'Bowl' } }, { node: { name: 'Plate' } }], collectionInfo: { totalItems: 2 } },
    },
  ])
})

test('an operation with more than 64 lists is refused, whatever kind they are', async () => {
  const lists = (field: string) =>
    `{ site { ${Array.from({ length: 65 }, (_, i) => `a${i}: ${field.replace('#', String(i + 1))}`).join(' ')} } }`
  for (const field of [
    'products(entityIds: [#]) { edges { cursor } }',
    'brands(entityIds: [#]) { edges { cursor } }',
  ]) {
    const answer = await askStorefront(shop, { token, query: lists(field) })
    expect([answer.status, answer.body.errors?.length > 0], field).toEqual([200, true])
    expect(answer.message).toMatch(/64/)
  }
})

test('a page of cards takes at most 9 statements in at most 6 round trips, however many products it has', async () => {
  const card = `edges { node { name path prices { price { formattedV2 } } defaultImage { urlTemplate } brand { name } inventory { isInStock }
    variants(first: 1) { edges { node { sku } } } } }`
  const cards = (first: number) => `{ site { products(first: ${first}) { ${card} } } }`
  const [one, all] = await withoutTime(async () => [await workOf(cards(1)), await workOf(cards(50))])
  expect(all).toEqual(one)
  expect(all.sent).toBeLessThanOrEqual(9)
  expect(all.walls).toBeLessThanOrEqual(6)
})

/** The four operations of the page of a product. */
const PRODUCT_PAGE = [
  `{ site { product(entityId: #) { name defaultImage { altText url(width: 600) } seo { pageTitle metaDescription metaKeywords }
    plainTextDescription(characterLimit: 200) } } }`,
  `{ site { product(entityId: #) { entityId name path sku description warranty brand { name path } condition upc mpn
    images { edges { node { altText url(width: 500) isDefault } } } defaultImage { altText url(width: 500) }
    reviewSummary { averageRating numberOfReviews } customFields { edges { node { entityId name value } } }
    productOptions(first: 50) { edges { node { __typename entityId displayName isRequired isVariantOption
      ... on MultipleChoiceOption { displayStyle values(first: 50) { edges { node { entityId label isDefault isSelected
        ... on SwatchOptionValue { hexColors imageUrl(width: 36) }
        ... on ProductPickListOptionValue { defaultImage { url(width: 48) } } } } } } } } }
    availabilityV2 { status description } inventory { isInStock aggregated { availableToSell warningLevel } }
    minPurchaseQuantity maxPurchaseQuantity weight { value unit } } } }`,
  `{ site { product(entityId: #) { prices { price { value } basePrice { value } salePrice { value } retailPrice { value }
      priceRange { min { value } max { value } } }
    relatedProducts(first: 8) { edges { node { entityId name path brand { name path } reviewSummary { numberOfReviews averageRating }
      defaultImage { altText url(width: 300) } productOptions(first: 3) { edges { node { entityId } } } inventory { isInStock }
      prices { price { value } salePrice { value } basePrice { value } } } } } } } }`,
  `{ site { product(entityId: #) { reviewSummary { averageRating numberOfReviews }
    reviews(first: 5) { pageInfo { hasNextPage endCursor } edges { node { author { name } entityId title text rating createdAt { utc } } } } } } }`,
]

test('the page of a product takes at most 24 statements in at most 12 round trips', async () => {
  const all = await withoutTime(async () => {
    const works: Awaited<ReturnType<typeof workOf>>[] = []
    for (const query of PRODUCT_PAGE) works.push(await workOf(query.replace('#', String(ids.mug))))
    return works
  })
  expect(all.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThanOrEqual(24)
  expect(all.reduce((sum, { walls }) => sum + walls, 0)).toBeLessThanOrEqual(12)
})

test.each([
  [
    'the layout',
    3,
    `{ site { settings { storeName status logoV2 { __typename ... on StoreTextLogo { text } ... on StoreImageLogo { image { url(width: 155) } } }
      contact { address phone email } socialMediaLinks { name url } giftCertificates { isEnabled } locales { code isDefault } }
      currencies(first: 25) { edges { node { code isTransactional isDefault } } } } }`,
  ],
  [
    'the menu',
    3,
    '{ site { categoryTree { entityId name path children { entityId name path children { entityId name path } } } } }',
  ],
  [
    'a route',
    3,
    '{ site { route(path: "/mug/", redirectBehavior: FOLLOW) { redirect { toUrl } node { __typename ... on Product { entityId } } } } }',
  ],
  ['the status', 3, '{ site { settings { status } } }'],
])('%s, which every page asks for, takes at most %i statements', async (_, max, query) => {
  const { sent } = await withoutTime(() => workOf(query))
  expect(sent).toBeLessThanOrEqual(max)
})
