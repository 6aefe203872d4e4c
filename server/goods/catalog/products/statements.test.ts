import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { isOfGate, overhear } from '../../../test/harness/overhear.ts'

/** A shop with this number of products, each with two variants, a picture and a custom field. */
async function openMugs(count: number): Promise<Shop> {
  const shop = await openShop()
  const mug = (n: number) => ({
    name: `Mug ${n}`,
    type: 'physical',
    weight: 1,
    price: 10,
    variants: ['S', 'L'].map((label) => ({
      sku: `M-${n}-${label}`,
      option_values: [{ option_display_name: 'Size', label }],
    })),
    images: [{ image_url: 'https://cdn.example.com/mug.png' }],
    custom_fields: [{ name: 'Glaze', value: 'Sand' }],
  })
  await shop.call(
    'POST',
    '/catalog/products',
    Array.from({ length: count }, (_, i) => mug(i + 1)),
  )
  return shop
}

/** The statements of a request whose account is known and whose statements are prepared. */
async function statementsOf({ call }: Shop, path: string): Promise<string[]> {
  await call('GET', path)
  const heard = overhear()
  expect((await call('GET', path)).status).toBe(200)
  heard.stop()
  // Walls drop their rows.
  return heard.statements
    .filter((statement) => !statement.dropsRows && statement.values.length > 0 && !isOfGate(statement))
    .map(({ text }) => text)
}

test('a product with its variants, images and custom fields is read by four statements', async () => {
  const sent = await statementsOf(await openMugs(1), '/catalog/products/1?include=variants,images,custom_fields')
  expect(sent.map((text) => / from "?(\w+)"?/.exec(text)?.[1]).sort()).toEqual([
    'custom_fields',
    'product_images',
    'products',
    'variants',
  ])
})

test('a page of products with sub-resources takes as many statements as one product', async () => {
  const path = '/catalog/products?include=variants,images,custom_fields,bulk_pricing_rules,videos,reviews,channels'
  const [few, many] = [await statementsOf(await openMugs(1), path), await statementsOf(await openMugs(40), path)]
  expect([few.length, many.length]).toEqual([8, 8])
})

/** The tables of each round trip of a transaction, from its begin to its commit. */
async function piecesOf(
  { call }: Shop,
  path: string,
  bodies: readonly [object, object],
  method: 'POST' | 'PUT' = 'POST',
): Promise<string[][]> {
  // The first request finds its account, and creates the store's counters.
  expect((await call(method, path, bodies[0])).status).toBe(200)
  const heard = overhear()
  const answer = await call(method, path, bodies[1])
  heard.stop()
  expect(answer.status).toBe(200)
  const first = heard.pieces.findIndex(([statement]) => statement?.text === 'begin')
  return (
    heard.pieces
      .slice(first)
      // So does the check of an idle connection.
      .filter(([statement]) => statement?.text !== 'select')
      .map((piece) =>
        piece.flatMap(
          ({ text }) => /(?:insert into|update|delete from|from) "?(\w+)"?|^commit$/.exec(text)?.at(-1) ?? text,
        ),
      )
  )
}

/** The rows of search, which a transaction writes at its end, and the events. */
const ENDS = ['event_streams', 'events', 'commit']
const LAST = ['products', 'products', ...ENDS]

const cup = (n: number) => ({ name: `Cup ${n}`, type: 'physical', weight: 1, price: 10, sku: `C-${n}` })

test('a product is created in two round trips', async () => {
  expect(await piecesOf(await openShop(), '/catalog/products', [cup(1), cup(2)])).toEqual([
    ['begin', expect.stringContaining('set_config'), 'counters'],
    ['urls', 'skus', 'products', 'product_names', 'variants', 'product_channels', ...LAST],
  ])
})

test('a product with a taken address is created by a second attempt, and uses no further id', async () => {
  const shop = await openShop()
  const other = { ...cup(1), name: 'Cup-1', sku: 'OTHER' }
  const pieces = await piecesOf(shop, '/catalog/products', [cup(1), other])
  expect(pieces.filter(([first]) => first === 'begin')).toHaveLength(2)
  expect((await shop.call('GET', '/catalog/products')).body.data).toMatchObject([
    { id: 1, custom_url: { url: '/cup-1/' } },
    { id: 2, name: 'Cup-1', custom_url: { url: '/cup-1-1/' } },
  ])
  const published = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/product/created')
  expect(published.map(({ resource }) => resource)).toEqual(['product 1', 'product 2'])
  expect((await shop.call('POST', '/catalog/products', { ...cup(3), sku: 'OTHER' })).status).toBe(409)
  expect((await shop.call('POST', '/catalog/products', cup(4))).body.data.id).toBe(3)
})

test('a product with an Idempotency-Key gets a free address before its answer is stored', async () => {
  const shop = await openShop()
  const post = (body: object, key: string) =>
    shop.call('POST', '/catalog/products', body, { headers: { 'idempotency-key': key } })
  expect((await post(cup(1), 'first key')).body.data.id).toBe(1)
  const taken = { ...cup(1), name: 'Cup-1', sku: 'OTHER' }
  expect((await post(taken, 'second key')).body.data.custom_url.url).toBe('/cup-1-1/')
  expect((await post(taken, 'second key')).body.data.id).toBe(2)
})

test('a hundred products with all sub-resources are created in three round trips', async () => {
  const shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Acme' })
  await shop.call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
  const many = (from: number) =>
    Array.from({ length: 100 }, (_, i) => ({
      ...cup(from + i),
      brand_name: 'Acme',
      categories: [1],
      variants: ['S', 'L'].map((label) => ({
        sku: `C-${from + i}-${label}`,
        option_values: [{ option_display_name: 'Size', label }],
      })),
      custom_fields: [{ name: 'Glaze', value: 'Sand' }],
      bulk_pricing_rules: [{ quantity_min: 5, quantity_max: 9, type: 'price', amount: 1 }],
      images: [{ image_url: 'https://cdn.example.com/cup.png' }],
    }))
  const pieces = await piecesOf(shop, '/catalog/products?include_fields=id', [many(1), many(101)])
  // Sub-resources in the body are read again for the answer.
  const shown = ['variants', 'custom_fields', 'bulk_pricing_rules', 'product_images']
  expect(pieces).toEqual([
    ['begin', expect.stringContaining('set_config'), 'brands', 'categories', 'products', 'categories', 'counters'],
    [
      ...[
        'urls',
        'skus',
        'products',
        'product_names',
        'options',
        'option_values',
        'variants',
        'custom_fields',
        'bulk_pricing_rules',
      ],
      ...['product_images', 'product_channels', 'product_categories'],
    ],
    LAST,
    [expect.stringContaining('set_config'), ...shown.toSorted()],
  ])
})

test('a product is changed in three round trips, and so are several', async () => {
  const shop = await openShop()
  for (const n of [1, 2]) await shop.call('POST', '/catalog/products', cup(n))
  expect(await piecesOf(shop, '/catalog/products/1', [{ price: 11 }, { price: 12 }], 'PUT')).toEqual([
    ['begin', expect.stringContaining('set_config'), 'products', 'products'],
    ['products', 'variants'],
    // The price is copied by a statement of its own, and the products are locked already.
    ['search_rows', ...ENDS],
  ])
  const both = (price: number) => [1, 2].map((id) => ({ id, price }))
  expect(await piecesOf(shop, '/catalog/products', [both(13), both(14)], 'PUT')).toEqual([
    ['begin', expect.stringContaining('set_config'), 'products', 'products'],
    ['products', 'variants', 'products', 'variants'],
    ['search_rows', ...ENDS],
  ])
})

test('a variant is created in four round trips and changed in three', async () => {
  const shop = await openShop()
  const sized = (label: string) => ({ sku: `C-${label}`, option_values: [{ option_display_name: 'Size', label }] })
  await shop.call('POST', '/catalog/products', { ...cup(1), variants: ['S', 'M', 'L'].map(sized) })
  for (const id of [2, 3]) await shop.call('DELETE', `/catalog/products/1/variants/${id}`)
  expect(await piecesOf(shop, '/catalog/products/1/variants', [sized('M'), sized('L')])).toEqual([
    ['begin', expect.stringContaining('set_config'), 'products', 'option_values'],
    ['counters'],
    ['skus', 'variants', 'variants', 'products'],
    LAST,
  ])
  expect(await piecesOf(shop, '/catalog/products/1/variants/4', [{ price: 11 }, { price: 12 }], 'PUT')).toEqual([
    ['begin', expect.stringContaining('set_config'), 'products', 'variants'],
    ['variants', 'products'],
    LAST,
  ])
})

test('a stock level is set in two round trips, and that of a variant in three', async () => {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { ...cup(1), inventory_tracking: 'product' })
  const sizes = ['S', 'L'].map((label) => ({
    sku: label,
    option_values: [{ option_display_name: 'Size', label }],
  }))
  await shop.call('POST', '/catalog/products', { ...cup(2), inventory_tracking: 'variant', variants: sizes })
  const levels = (item: object) => [4, 5].map((quantity) => ({ items: [{ location_id: 1, quantity, ...item }] }))
  const pieces = async (item: object) => {
    const [first = {}, second = {}] = levels(item)
    return piecesOf(shop, '/inventory/adjustments/absolute', [first, second], 'PUT')
  }
  const begin = ['begin', expect.stringContaining('set_config'), 'locations']
  const changes = ['stock', 'variants', 'products', 'products', ...ENDS]
  expect(await pieces({ product_id: 1 })).toEqual([[...begin, 'products', 'stock'], changes])
  for (const item of [{ sku: 'S' }, { variant_id: 3 }]) {
    expect(await pieces(item)).toEqual([[...begin, 'products', 'variants'], ['stock', 'stock'], changes])
  }
})

test('a brand is created in one round trip, which is the whole transaction', async () => {
  expect(await piecesOf(await openShop(), '/catalog/brands', [{ name: 'Acme' }, { name: 'Bolt' }])).toEqual([
    [expect.stringContaining('set_config'), 'counters', 'urls'],
  ])
})

test('a brand with a taken address is created by a second attempt, and uses no further id', async () => {
  const shop = await openShop()
  expect(await piecesOf(shop, '/catalog/brands', [{ name: 'Acme' }, { name: 'Acme!' }])).toEqual([
    ['begin', expect.stringContaining('set_config'), 'counters', 'urls'],
    ['urls'],
    ['urls'],
    ['urls'],
    ['brands'],
    ['commit'],
  ])
  expect((await shop.call('GET', '/catalog/brands')).body.data).toMatchObject([
    { id: 1, custom_url: { url: '/acme/' } },
    { id: 2, name: 'Acme!', custom_url: { url: '/acme-1/' } },
  ])
})

test('with an Idempotency-Key a brand is stored with its answer', async () => {
  const shop = await openShop()
  const post = (name: string, key: string) =>
    shop.call('POST', '/catalog/brands', { name }, { headers: { 'idempotency-key': key } })
  expect((await post('Acme', 'first key')).body.data.id).toBe(1)
  expect((await post('Acme!', 'second key')).body.data.custom_url.url).toBe('/acme-1/')
  expect((await post('Acme!', 'second key')).body.data.id).toBe(2)
})

/** Two products whose names, addresses, SKUs, brands and categories are taken or unknown. */
const faults = {
  brand: { brand_id: 99 },
  category: { categories: [99] },
  address: { custom_url: { url: '/first/', is_customized: true } },
  sku: { sku: 'FIRST' },
  name: { name: 'First' },
}

test.each([
  ['brand', 'category', 'brand_id'],
  ['brand', 'address', 'brand_id'],
  ['brand', 'sku', 'brand_id'],
  ['brand', 'name', 'brand_id'],
  ['category', 'address', 'categories.0'],
  ['category', 'sku', 'categories.0'],
  ['category', 'name', 'categories.0'],
  ['address', 'sku', 'custom_url.url'],
  ['address', 'name', 'custom_url.url'],
  ['sku', 'name', 'sku'],
] as const)('a product with a refused %s and %s is refused for one of them: %s', async (one, other, field) => {
  const { call } = await openShop()
  const first = { ...cup(1), name: 'First', sku: 'FIRST' }
  expect((await call('POST', '/catalog/products', first)).status).toBe(200)
  const answer = await call('POST', '/catalog/products', { ...cup(2), ...faults[one], ...faults[other] })
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([409, [field]])
  expect((await call('GET', '/catalog/products')).body.data.map(({ id }: { id: number }) => id)).toEqual([1])
})
