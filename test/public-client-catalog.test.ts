import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The client of public-client.test.ts creates, reads, changes and deletes a whole catalog, as an integration does. Its
// types come from the public documentation, which so checks input and output too.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const connect = async () => typedClient(port, await openShop())

type Client = Awaited<ReturnType<typeof connect>>

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Brands, and a tree of categories: Table (1) with Mugs (2) and Bowls (3), and Light (4). */
async function prepare(client: Client) {
  for (const name of ['Ferm', 'Muuto']) await client.post('/catalog/brands', { body: { name } })
  for (const [name, parent_id] of [
    ['Table', 0],
    ['Mugs', 1],
    ['Bowls', 1],
    ['Light', 0],
  ] as const) {
    await client.post('/catalog/categories', { body: { name, parent_id } })
  }
}

const image = (file: string) => ({ image_url: `https://cdn.example.com/${file}` })

// Sub-resources of a new product have no id, but the types of the public documentation require one.
const unborn = { id: 0, product_id: 0 }
const glaze = (label: string) => [{ option_display_name: 'Glaze', label }]

/** A product with all possible sub-resources, id 1. */
const createMug = (client: Client) =>
  client.post('/catalog/products', {
    body: {
      name: 'Stoneware mug',
      type: 'physical',
      sku: 'MUG',
      weight: 0.4,
      price: 18.5,
      brand_id: 1,
      categories: [2],
      inventory_tracking: 'variant',
      custom_fields: [{ name: 'Made in', value: 'Portugal' }],
      images: [
        { ...image('mug.png'), is_thumbnail: true },
        { ...image('mug-back.png'), sort_order: 1 },
      ],
      bulk_pricing_rules: [{ ...unborn, quantity_min: 6, quantity_max: 0, type: 'percent', amount: 10 }],
      variants: [
        { ...unborn, sku: 'MUG-SAND', inventory_level: 5, option_values: glaze('Sand') },
        { ...unborn, sku: 'MUG-SEA', inventory_level: 7, price: 21, option_values: glaze('Sea') },
      ],
    },
  })

test('a product is created with variants, images and custom fields, and read with them', async () => {
  const client = await connect()
  await prepare(client)
  const mug = await createMug(client)
  expect(mug).toMatchObject({ id: 1, name: 'Stoneware mug', price: 18.5, brand_id: 1, categories: [2] })

  const path = { product_id: 1 }
  const include = ['custom_fields', 'bulk_pricing_rules', 'options', 'modifiers', 'channels'] as const
  expect(await client.get('/catalog/products/{product_id}', { path, query: { include } })).toMatchObject({
    inventory_level: 12,
    base_variant_id: null,
    custom_url: { url: '/stoneware-mug/', is_customized: false },
    custom_fields: [{ id: 1, name: 'Made in', value: 'Portugal' }],
    bulk_pricing_rules: [{ id: 1, quantity_min: 6, quantity_max: 0, type: 'percent', amount: 10 }],
    options: [
      { id: 1, display_name: 'Glaze', type: 'rectangles', option_values: [{ label: 'Sand' }, { label: 'Sea' }] },
    ],
    modifiers: [],
    channels: [1],
  })
  expect(await client.get('/catalog/products/{product_id}/images', { path })).toMatchObject([
    { id: 1, is_thumbnail: true, url_standard: 'https://cdn.example.com/mug.png' },
    { id: 2, is_thumbnail: false, sort_order: 1 },
  ])
  expect(await client.get('/catalog/products/{product_id}/variants', { path })).toMatchObject([
    { id: 1, sku: 'MUG-SAND', price: null, calculated_price: 18.5, option_values: [{ option_id: 1, label: 'Sand' }] },
    { id: 2, sku: 'MUG-SEA', price: 21, calculated_price: 21, option_values: [{ option_id: 1, label: 'Sea' }] },
  ])
  expect(await client.get('/catalog/trees/{tree_id}/categories', { path: { tree_id: 1 } })).toMatchObject([
    { id: 1, name: 'Table', children: [{ name: 'Mugs', path: [1, 2] }, { name: 'Bowls' }] },
    { id: 4, children: [] },
  ])
})

test('options, values, modifiers and variants are created one by one', async () => {
  const client = await connect()
  const body = { name: 'Bowl', type: 'physical', weight: 1, price: 30, sku: 'BOWL' } as const
  await client.post('/catalog/products', { body })
  const path = { product_id: 1 }

  const size = await client.post('/catalog/products/{product_id}/options', {
    path,
    body: {
      display_name: 'Size',
      type: 'rectangles',
      option_values: [
        { label: 'S', sort_order: 0, is_default: true },
        { label: 'M', sort_order: 1 },
      ],
    },
  })
  expect(size).toMatchObject({ id: 1, display_name: 'Size', option_values: [{ id: 1, label: 'S' }, { id: 2 }] })
  const ofSize = { product_id: 1, option_id: 1 }
  const large = await client.post('/catalog/products/{product_id}/options/{option_id}/values', {
    path: ofSize,
    body: { label: 'L', sort_order: 2 },
  })
  expect(large).toMatchObject({ id: 3, label: 'L', is_default: false })
  expect(
    await client.put('/catalog/products/{product_id}/options/{option_id}/values/{value_id}', {
      path: { ...ofSize, value_id: 3 },
      body: { label: 'XL', sort_order: 2 },
    }),
  ).toMatchObject({ id: 3, label: 'XL', sort_order: 2 })

  for (const [id, sku] of [
    [1, 'BOWL-S'],
    [2, 'BOWL-M'],
    [3, 'BOWL-XL'],
  ] as const) {
    await client.post('/catalog/products/{product_id}/variants', {
      path,
      body: { sku, option_values: [{ option_id: 1, id }] },
    })
  }
  const variants = await client.get('/catalog/products/{product_id}/variants', { path })
  expect(variants?.map(({ id, sku }) => [id, sku])).toEqual([
    [2, 'BOWL-S'],
    [3, 'BOWL-M'],
    [4, 'BOWL-XL'],
  ])

  const gift = await client.post('/catalog/products/{product_id}/modifiers', {
    path,
    body: { display_name: 'Gift wrap', type: 'checkbox', required: false, config: { checkbox_label: 'Yes, please' } },
  })
  expect(gift).toMatchObject({ id: 1, type: 'checkbox', option_values: [{ label: 'Yes' }, { label: 'No' }] })
  const value = await client.put('/catalog/products/{product_id}/modifiers/{modifier_id}/values/{value_id}', {
    path: { product_id: 1, modifier_id: 1, value_id: 1 },
    body: { label: 'Yes', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 4.5 } } },
  })
  expect(value).toMatchObject({ label: 'Yes', adjusters: { price: { adjuster: 'relative', adjuster_value: 4.5 } } })

  // Deleting a value deletes its variant; deleting the option deletes all of them.
  expect(
    await client.delete('/catalog/products/{product_id}/options/{option_id}/values/{value_id}', {
      path: { ...ofSize, value_id: 2 },
    }),
  ).toBeNull()
  expect(
    await client.get('/catalog/products/{product_id}/variants/{variant_id}', { path: { ...path, variant_id: 3 } }),
  ).toBeNull()
  await client.delete('/catalog/products/{product_id}/options/{option_id}', { path: ofSize })
  expect(await client.get('/catalog/products/{product_id}/variants', { path })).toMatchObject([
    { id: 5, sku: 'BOWL', option_values: [] },
  ])
})

test('many products are read with filters to the end, and changed in batches', async () => {
  const client = await connect()
  await prepare(client)
  for (let i = 1; i <= 23; i++) {
    await client.post('/catalog/products', {
      body: {
        name: `Bowl ${String(i).padStart(2, '0')}`,
        type: 'physical',
        weight: 1,
        price: i,
        sku: `BOWL-${i}`,
        brand_id: i % 2 ? 1 : 2,
        categories: [3],
        custom_fields: [{ name: 'Number', value: String(i) }],
      },
    })
  }
  const names = (products: readonly { name?: string }[] | null) => products?.map(({ name }) => name)

  const odd = await all(client.list('/catalog/products', { query: { brand_id: 1, limit: 5 } }))
  expect(odd).toHaveLength(12)
  expect(odd.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => 2 * i + 1))
  // A page with options is short for every limit.
  const include = ['options', 'custom_fields'] as const
  const whole = await all(client.list('/catalog/products', { query: { include, limit: 50 } }))
  expect(whole.map(({ custom_fields }) => custom_fields?.[0]?.value)).toEqual(
    Array.from({ length: 23 }, (_, i) => String(i + 1)),
  )
  expect(names(await client.get('/catalog/products', { query: { keyword: 'bowl 1', limit: 2 } }))).toEqual([
    'Bowl 10',
    'Bowl 11',
  ])
  expect(names(await client.get('/catalog/products', { query: { sku: 'bowl-7' } }))).toEqual(['Bowl 07'])
  expect(
    await client.get('/catalog/products', {
      query: { 'id:in': [3, 4], include_fields: ['price'], sort: 'price', direction: 'desc' },
    }),
  ).toEqual([
    { id: 4, price: 4 },
    { id: 3, price: 3 },
  ])

  const raised = await client.put('/catalog/products', {
    body: [1, 2, 3].map((id) => ({ id, price: 100 + id, is_featured: true })),
  })
  expect(raised).toMatchObject([{ price: 101 }, { price: 102 }, { price: 103 }])
  expect(await client.get('/catalog/products', { query: { is_featured: 1 } })).toHaveLength(3)
  expect(
    await client.put('/catalog/variants', {
      body: [
        { id: 4, price: 3.5 },
        { id: 5, inventory_level: 9 },
      ],
    }),
  ).toMatchObject([
    { id: 4, price: 3.5, calculated_price: 3.5 },
    { id: 5, inventory_level: 9 },
  ])
  expect(await client.get('/catalog/variants', { query: { sku: 'BOWL-4' } })).toMatchObject([{ id: 4, product_id: 4 }])
  await expect(client.put('/catalog/products', { body: [{ id: 1, price: 5 }, { id: 99 }] })).rejects.toThrow(
    /: 422 - .*"1\.id"/,
  )

  await client.delete('/catalog/products', { query: { brand_id: 2 } })
  expect(
    (await all(client.list('/catalog/products', { query: { limit: 5 } }))).map(({ brand_id }) => brand_id),
  ).toEqual(Array(12).fill(1))
})

test('parts, metafields, assignments and channels of a product are created and deleted', async () => {
  const client = await connect()
  await prepare(client)
  await createMug(client)
  const path = { product_id: 1 }

  expect(
    await client.post('/catalog/products/{product_id}/images', {
      path,
      body: { ...image('top.png'), is_thumbnail: true },
    }),
  ).toMatchObject({ id: 3, product_id: 1, is_thumbnail: true })
  expect(await client.get('/catalog/products/{product_id}/images', { path })).toMatchObject([
    { id: 1, is_thumbnail: false },
    { id: 3, is_thumbnail: true },
    { id: 2 },
  ])
  const field = { product_id: 1, custom_field_id: 1 }
  expect(
    await client.put('/catalog/products/{product_id}/custom-fields/{custom_field_id}', {
      path: field,
      body: { name: 'Made in', value: 'Spain' },
    }),
  ).toMatchObject({ value: 'Spain' })
  await client.delete('/catalog/products/{product_id}/custom-fields/{custom_field_id}', { path: field })
  expect(await client.get('/catalog/products/{product_id}/custom-fields', { path })).toEqual([])
  await client.post('/catalog/products/{product_id}/videos', {
    path,
    body: { title: 'The kiln', video_id: 'z3fRu9pkuXE' },
  })
  await client.post('/catalog/products/{product_id}/reviews', {
    path,
    body: { title: 'Warm', date_reviewed: '2026-02-03T04:05:06Z', rating: 5, status: 'approved', name: 'Ada' },
  })
  expect(await client.get('/catalog/products/{product_id}', { path, query: { include: ['videos'] } })).toMatchObject({
    videos: [{ video_id: 'z3fRu9pkuXE' }],
    reviews_count: 1,
    reviews_rating_sum: 5,
  })

  const metafield = { namespace: 'warehouse', key: 'bin', value: '4', permission_set: 'write' } as const
  expect(await client.post('/catalog/products/{product_id}/metafields', { path, body: metafield })).toMatchObject({
    id: 1,
    resource_type: 'product',
    resource_id: 1,
    value: '4',
  })
  const ofVariant = { product_id: 1, variant_id: 2 }
  expect(
    await client.post('/catalog/products/{product_id}/variants/{variant_id}/metafields', {
      path: ofVariant,
      body: metafield,
    }),
  ).toMatchObject({ id: 2, resource_type: 'variant', resource_id: 2 })

  const assignments = '/catalog/products/category-assignments'
  await client.put(assignments, { body: [{ product_id: 1, category_id: 4 }] })
  expect(await client.get(assignments)).toEqual([
    { product_id: 1, category_id: 2 },
    { product_id: 1, category_id: 4 },
  ])
  expect(await client.get('/catalog/products', { query: { 'categories:in': [4] } })).toMatchObject([
    { categories: [2, 4] },
  ])
  expect(await client.get('/catalog/products/channel-assignments')).toEqual([{ product_id: 1, channel_id: 1 }])
  const places = '/catalog/categories/{category_id}/products/sort-order'
  await client.send(`PUT ${places}`, { path: { category_id: 4 }, body: [{ product_id: 1, sort_order: 3 }] })
  expect(await client.get(places, { path: { category_id: 4 } })).toEqual([{ product_id: 1, sort_order: 3 }])
})

test('a refused deletion names its obstacle, and succeeds without it', async () => {
  const client = await connect()
  await prepare(client)
  await createMug(client)

  const mugs = { category_id: 2 }
  await expect(client.delete('/catalog/categories/{category_id}', { path: mugs })).rejects.toThrow(/: 409 - /)
  await expect(client.delete('/catalog/categories/{category_id}', { path: { category_id: 1 } })).rejects.toThrow(
    /: 409 - /,
  )
  await expect(createMug(client)).rejects.toThrow(/: 409 - /)
  await expect(client.delete('/catalog/products')).rejects.toThrow(/: 422 - /)

  expect(await client.delete('/catalog/brands/{brand_id}', { path: { brand_id: 1 } })).toBeNull()
  const path = { product_id: 1 }
  expect(await client.get('/catalog/products/{product_id}', { path })).toMatchObject({ brand_id: 0 })
  expect(await client.delete('/catalog/products/{product_id}', { path })).toBeNull()
  expect(await client.get('/catalog/products/{product_id}', { path })).toBeNull()
  expect(await client.get('/catalog/products/{product_id}/variants', { path })).toBeNull()
  expect(await client.get('/catalog/variants')).toEqual([])
  expect(await client.delete('/catalog/trees/categories', { query: { 'tree_id:in': [1] } })).toBeUndefined()
  expect(await all(client.list('/catalog/categories'))).toEqual([])
  expect(await client.get('/catalog/summary')).toMatchObject({ variant_count: 0 })
})
