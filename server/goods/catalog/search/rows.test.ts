import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { connectAsAdministrator } from '../../../test/harness/administrator.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { storeProductNames } from '../product-row/names.ts'
import { countFacets } from './counts.ts'
import { refreshCategory, refreshRunner } from './refresh.ts'
import { updateSearchRows } from './rows.ts'
import { VALUES } from './values.ts'
import type { SearchedProduct } from './words.ts'

// The copies for searches follow every change of the catalog (docs/decisions/085-search-by-rows.md).

const TABLES = ['search_rows', 'product_facets', 'search_words'] as const

/** The copies of a store, without those of deleted products' names. */
async function copiesOf(shop: Shop) {
  const copies: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows = await rowsOf(shop, table)
    copies[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return copies
}

/** Writes the copies of all products again, as if each had changed now. */
async function rebuild(shop: Shop) {
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    const products = await tx.rows<SearchedProduct>(
      sql`select id, name, sku, upc, search_keywords from products where store_id = ${shop.store.id} order by id`,
    )
    await storeProductNames(tx, products)
    updateSearchRows(
      tx,
      Array.from({ length: 40 }, (_, i) => i + 1),
    )
  })
}

let shop: Shop

async function send(method: string, path: string, body?: object) {
  const answer = await shop.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body?.data
}

const thing = (name: string, more: object = {}) => ({ name, type: 'physical', weight: 1, price: 5, ...more })
const value = (label: string) => ({ option_display_name: 'Size', label })

beforeAll(async () => {
  shop = await openShop()
  for (const name of ['Cups', 'Plates', 'Jugs']) await send('POST', '/catalog/categories', { name, parent_id: 0 })
  await send('POST', '/catalog/categories', { name: 'Mugs', parent_id: 1 })
  await send('POST', '/catalog/categories', { name: 'Small mugs', parent_id: 4 })
  await send('POST', '/catalog/brands', { name: 'Acme' })
})

const review = {
  title: 'x',
  text: 'x',
  name: 'Ann',
  rating: 4,
  status: 'approved',
  date_reviewed: '2026-01-01T00:00:00Z',
}
const isMug = { product_id: 1 }

/** Requests that change a copy, each with those before it. */
const CHANGES: readonly [request: string, body?: object][] = [
  ['POST /catalog/products', thing('Mug', { categories: [5], brand_id: 1, sku: 'M-1', search_keywords: 'cup, Tasse' })],
  [
    'POST /catalog/products',
    thing('Bowl', {
      inventory_tracking: 'variant',
      custom_fields: [{ name: 'Glaze', value: 'Matt' }],
      variants: ['S', 'L'].map((label) => ({ sku: `B-${label}`, inventory_level: 2, option_values: [value(label)] })),
    }),
  ],
  ['POST /catalog/products', [thing('Jar'), thing('Lid', { categories: [2] })]],
  ['PUT /catalog/products/1', { name: 'Red mug' }],
  ['PUT /catalog/products/1', { search_keywords: 'beaker' }],
  ['PUT /catalog/products/1', { upc: '012345678905' }],
  ['PUT /catalog/products/1', { price: 7.1234 }],
  ['PUT /catalog/products/1', { sale_price: 3 }],
  ['PUT /catalog/products/1', { sort_order: 4 }],
  ['PUT /catalog/products/1', { total_sold: 9 }],
  ['PUT /catalog/products/1', { is_featured: true }],
  ['PUT /catalog/products/1', { is_free_shipping: true }],
  ['PUT /catalog/products/1', { categories: [2, 5] }],
  ['PUT /catalog/products/1', { custom_fields: [{ name: 'Glaze', value: 'matt' }] }],
  ['PUT /catalog/products/1', { inventory_tracking: 'product' }],
  ['PUT /catalog/products/1', { inventory_level: 5 }],
  ['PUT /catalog/products/1', { is_visible: false }],
  ['PUT /catalog/products', [{ id: 1, is_visible: true }]],
  ['PUT /catalog/products', [{ id: 3, brand_name: 'Bolt' }]],
  ['PUT /catalog/products/1/variants/1', { sale_price: 2 }],
  ['PUT /catalog/products/1/variants/1', { sku: 'M-2' }],
  ['PUT /catalog/variants', [{ id: 1, upc: '098765432109' }]],
  ['POST /catalog/products/1/custom-fields', { name: 'Origin', value: 'Wien' }],
  ['PUT /catalog/products/1/custom-fields/3', { value: 'Graz' }],
  ['DELETE /catalog/products/1/custom-fields/3'],
  ['POST /catalog/products/1/reviews', review],
  ['PUT /catalog/products/1/reviews/1', { rating: 2 }],
  ['DELETE /catalog/products/1/reviews/1'],
  ['PUT /catalog/products/2/options/1', { display_name: 'Format' }],
  ['POST /catalog/products/2/options/1/values', { label: 'XL', sort_order: 3 }],
  ['PUT /catalog/products/2/options/1/values/3', { label: 'XXL' }],
  ['DELETE /catalog/products/2/options/1/values/3'],
  ['PUT /inventory/adjustments/absolute', { reason: '', items: [{ location_id: 1, ...isMug, quantity: 0 }] }],
  ['POST /inventory/adjustments/relative', { reason: '', items: [{ location_id: 1, ...isMug, quantity: 3 }] }],
  [
    'PUT /inventory/adjustments/absolute',
    { reason: '', items: ['B-S', 'B-L'].map((sku) => ({ location_id: 1, sku, quantity: 0 })) },
  ],
  ['PUT /catalog/variants', [{ id: 2, inventory_level: 4 }]],
  ['PUT /catalog/products/category-assignments', [{ product_id: 2, category_id: 5 }]],
  ['DELETE /catalog/products/category-assignments?category_id:in=5&product_id:in=2'],
  ['DELETE /catalog/products/channel-assignments?product_id:in=2'],
  ['PUT /catalog/products/channel-assignments', [{ product_id: 2, channel_id: 1 }]],
  ['PUT /catalog/categories/4', { parent_id: 3 }],
  ['PUT /catalog/trees/categories', [{ category_id: 4, parent_id: 2 }]],
  ['DELETE /catalog/products/2/options/1'],
  ['DELETE /catalog/categories/2'],
  ['DELETE /catalog/brands/1'],
  ['DELETE /catalog/products/1'],
  ['DELETE /catalog/products?id:in=2,3'],
]

test.each(CHANGES)('%s', async (request, body) => {
  const before = await copiesOf(shop)
  const [method = '', path = ''] = request.split(' ')
  if (request === 'DELETE /catalog/categories/2') await send('PUT', '/catalog/categories/4', { parent_id: 0 })
  if (path === '/catalog/categories/2') {
    for (const id of [1, 4]) await send('PUT', `/catalog/products/${id}`, { categories: [2, 3] })
  }
  await send(method, path, body)
  ;(await theHouse()).clock.move(2_000)
  await doJobs([refreshRunner(storeProductNames)])
  const after = await copiesOf(shop)
  expect(after).not.toEqual(before)
  await rebuild(shop)
  expect(await copiesOf(shop)).toEqual(after)
})

describe('the copies of a product', () => {
  test('have its columns and values, and none while it is hidden', async () => {
    const own = await openShop()
    await own.call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
    await own.call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 1 })
    const body = thing('Red mug', {
      ...{
        price: 12.5,
        sale_price: 9.99,
        brand_name: 'Acme',
        categories: [2],
        total_sold: 3,
        sort_order: -2,
        sku: 'M-1',
      },
      ...{ is_free_shipping: true, search_keywords: 'Mug, Tässe', custom_fields: [{ name: 'Glaze', value: 'Matt' }] },
    })
    expect((await own.call('POST', '/catalog/products', body)).status).toBe(200)
    const [glaze] = await rowsOf(own, 'facet_values')
    expect(glaze).toEqual({
      store_id: own.store.id,
      value: expect.any(Number),
      attribute_key: 'glaze',
      attribute: 'Glaze',
      label_key: 'matt',
      label: 'Matt',
      position: 0,
    })
    const values = [
      VALUES.brand + 1,
      VALUES.category + 2,
      VALUES.tree + 1,
      VALUES.tree + 2,
      VALUES.flag + 2,
      VALUES.flag + 3,
    ]
    const own_values = [...values, Number(glaze?.value)]
    expect((await rowsOf(own, 'product_facets')).map((row) => row.value)).toEqual(own_values)
    const [row] = await rowsOf(own, 'search_rows')
    expect(row).toMatchObject({ product_id: 1, channel_id: 1, price: 99_900, sold: 3, featured: -2, rating: 0 })
    expect(row).toMatchObject({ name_key: 'red mug', in_stock: true })
    const words = await rowsOf(own, 'search_words')
    expect(words.map(({ word, in_name }) => [word, in_name])).toEqual([
      ['1', false],
      ['m', false],
      ['mug', true],
      ['red', true],
      ['tässe', false],
    ])
    await own.call('PUT', '/catalog/products/1', { is_visible: false })
    expect([...(await rowsOf(own, 'search_rows')), ...(await rowsOf(own, 'product_facets'))]).toEqual([])
  })

  test('of an older version are written by a job of its store', async () => {
    const own = await openShop()
    await own.call('POST', '/catalog/products', [thing('Red mug'), thing('Blue mug')])
    const db = await dbOf(own)
    const copies = await copiesOf(own)
    await db.transaction(async (tx) => {
      for (const table of TABLES) await tx.rows(sql`delete from ${sql.id(table)} where store_id = ${own.store.id}`)
      await tx.rows(sql`update product_names set words = null where store_id = ${own.store.id}`)
      await refreshCategory(tx, 0)
    })
    ;(await theHouse()).clock.move(2_000)
    await doJobs([refreshRunner(storeProductNames)])
    expect(await copiesOf(own)).toEqual(copies)
  })
})

/** The counts that follow from the copies, by context and value. */
async function recount(of: Shop) {
  const counts = new Map<string, [products: number, inStock: number]>()
  for (const { channel_id, facets, in_stock } of await rowsOf(of, 'search_rows')) {
    const values = (typeof facets === 'string' ? facets.slice(1, -1).split(',') : (facets as number[])).map(Number)
    const isContext = (one: number) => one === 0 || (one >= VALUES.category && one < VALUES.flag)
    for (const context of values.filter(isContext)) {
      for (const one of values) {
        const key = `${channel_id} ${context} ${one}`
        const [products, inStock] = counts.get(key) ?? [0, 0]
        counts.set(key, [products + 1, inStock + (in_stock ? 1 : 0)])
      }
    }
  }
  return Object.fromEntries([...counts].sort())
}

async function stored(of: Shop) {
  const rows = await rowsOf(of, 'facet_counts')
  const counts = rows.map(({ channel_id, context, value, products, in_stock }): [string, unknown[]] => [
    `${channel_id} ${context} ${value}`,
    [products, in_stock],
  ])
  return Object.fromEntries(counts.sort())
}

/** Counts what has changed. Other files may have left more stores than one look finds. */
async function countAll(of: Shop) {
  const { directory } = (await theHouse()).installation
  do await countFacets(directory)
  while ((await rowsOf(of, 'uncounted_facets')).length > 0)
}

describe('stored counts', () => {
  test('follow all changes, and no count is left at 0', async () => {
    const own = await openShop()
    await own.call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
    const create = (name: string, more: object = {}) => own.call('POST', '/catalog/products', thing(name, more))
    for (const name of ['A', 'B', 'C']) await create(name, { brand_name: `Brand ${name}`, categories: [1] })
    expect(await stored(own)).toEqual({})
    await countAll(own)
    expect(await stored(own)).toEqual(await recount(own))
    await own.call('PUT', '/catalog/products/1', { brand_name: 'Brand B', inventory_tracking: 'product' })
    await own.call('PUT', '/catalog/products/1', { is_featured: true })
    await own.call('DELETE', '/catalog/products/3')
    await countAll(own)
    expect(await stored(own)).toEqual(await recount(own))
    expect(await rowsOf(own, 'uncounted_facets')).toEqual([])
    await own.call('DELETE', '/catalog/products?id:in=1,2')
    await countAll(own)
    expect(await stored(own)).toEqual({})
  })

  test('of many products at once are right, and of one with very many categories', async () => {
    const own = await openShop()
    const admin = await connectAsAdministrator(own.store)
    const ofProduct = `case when n = 1000 then (select array_agg(${VALUES.category}::bigint + c) || 0::bigint from generate_series(1, 700) c)
      else array[0::bigint, ${VALUES.brand}::bigint + n % 7, ${VALUES.category}::bigint + n % 3] end`
    await admin.query(`
      insert into search_rows (store_id, product_id, channel_id, facets, in_stock, price, sold, featured, rating, name_key)
      select ${own.store.id}, n, 1, ${ofProduct}, true, 1, 0, 0, 0, 'p' from generate_series(1000, 5999) n`)
    await admin.query(`
      insert into uncounted_facets (store_id, product_id, channel_id, facets, in_stock, changes)
      select ${own.store.id}, n, 1, '{}', false, 1 from generate_series(1000, 5999) n`)
    await admin.end()
    await countAll(own)
    expect(await stored(own)).toEqual(await recount(own))
    expect((await stored(own))['1 0 0']).toEqual([5_000, 5_000])
    expect(await rowsOf(own, 'uncounted_facets')).toEqual([])
  })

  test('are right with two workers beside changes', async () => {
    const { directory } = (await theHouse()).installation
    const own = await openShop()
    await own.call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
    const names = Array.from({ length: 12 }, (_, i) => thing(`P ${i}`, { categories: [1] }))
    for (const body of names) await own.call('POST', '/catalog/products', body)
    let isDone = false
    const work = async () => {
      while (!isDone) await countFacets(directory)
    }
    const workers = [work(), work()]
    await Promise.all(
      names.map(async (_, i) => {
        for (const is_featured of [true, false, true]) {
          const brand_name = `Brand ${(i + (is_featured ? 1 : 0)) % 3}`
          const answer = await own.call('PUT', `/catalog/products/${i + 1}`, { is_featured, brand_name })
          expect(answer.status, answer.text).toBe(200)
        }
      }),
    )
    isDone = true
    await Promise.all(workers)
    await countAll(own)
    expect(await stored(own)).toEqual(await recount(own))
  })
})
