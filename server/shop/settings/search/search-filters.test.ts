import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const PATH = '/settings/search/filters'
const get = async (path = '') => (await shop.call('GET', `${PATH}${path}`)).body
const put = (body: unknown, path = '') => shop.call('PUT', `${PATH}${path}`, body)
const id = (facet: string) => Buffer.from(facet).toString('base64url')
const available = async (query = '') => (await get(`/available${query}`)).data
const brand = { id: id('brand:'), type: 'brand' }
const wholeBrand = {
  ...brand,
  display_name: 'Brand',
  is_enabled: true,
  collapsed_by_default: false,
  display_product_count: true,
  items_to_show: 10,
  sort_by: 'alpha',
}
const price = { id: id('price:'), type: 'price' }
const wholePrice = { ...price, display_name: 'Price', is_enabled: true, collapsed_by_default: false }

/** Two products with a brand and a category each, one option and one custom field. */
async function stock() {
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  const category = { name: 'Mugs', parent_id: 0 }
  const category_id = (await shop.call('POST', '/catalog/categories', category)).body.data.id
  const product = { type: 'physical', weight: 1, categories: [category_id], channels: [1] }
  await shop.call('POST', '/catalog/products', { ...product, name: 'Mug', price: 9.5, brand_id: 1 })
  await shop.call('POST', '/catalog/products', { ...product, name: 'Cup', price: 20 })
  await shop.call('DELETE', '/catalog/products/channel-assignments?product_id:in=2')
  const option = { display_name: 'Colour', type: 'dropdown', option_values: [{ label: 'Red', sort_order: 0 }] }
  await shop.call('POST', '/catalog/products/1/options', option)
  await shop.call('POST', '/catalog/products/2/options', { ...option, display_name: 'colour' })
  await shop.call('POST', '/catalog/products/2/custom-fields', { name: 'Clay', value: 'White' })
  return category_id
}

test('a store begins with the filters that need nothing of its catalog', async () => {
  const { data, meta } = await get()
  expect(meta).toEqual({})
  expect(data.map(({ type }: { type: string }) => type)).toEqual(['category', 'brand', 'rating', 'price', 'other'])
  expect(data[1]).toEqual(wholeBrand)
  expect(data[3]).toEqual(wholePrice)
  expect(data[4]).toMatchObject({ show_in_stock_filter: true, display_name: 'Other' })
})

test('the available filters come from the products of the store, of a channel or of a category', async () => {
  const category = await stock()
  const all = await available()
  expect(all).toEqual([
    { id: id('category:'), type: 'category', name: 'Category', product_count: 2 },
    { id: id('brand:'), type: 'brand', name: 'Brand', product_count: 1 },
    { id: id('rating:'), type: 'rating', name: 'Rating', product_count: 0 },
    { id: id('price:'), type: 'price', name: 'Price', price_range_min: 9.5, price_range_max: 20 },
    { id: id('product:option:colour'), type: 'product', name: 'Colour', product_count: 2 },
    { id: id('product:field:Clay'), type: 'product', name: 'Clay', product_count: 1 },
    { id: id('other:'), type: 'other', name: 'Other' },
  ])
  expect(await available(`?category_id=${category}`)).toEqual(all)
  const ofChannel = await available('?channel_id=1')
  expect(ofChannel.map(({ name }: { name: string }) => name)).not.toContain('Clay')
  expect(ofChannel[3]).toMatchObject({ price_range_min: 9.5, price_range_max: 9.5 })
  const none = await available('?channel_id=1&category_id=999')
  expect(none).toMatchObject([{ product_count: 0 }, {}, {}, { price_range_min: 0, price_range_max: 0 }, {}])
  expect((await shop.call('GET', `${PATH}/available?channel_id=2`)).status).toBe(422)
})

test('a PUT replaces the list, keeps its order, and adds missing fields', async () => {
  await stock()
  const colour = { id: id('product:option:colour'), type: 'product', sort_by: 'option_values', items_to_show: 5 }
  const { body } = await put([price, colour, { ...brand, display_name: 'Maker', show_in_stock_filter: true }])
  expect(body).toEqual({
    data: [wholePrice, { ...wholeBrand, ...colour, display_name: 'Colour' }, { ...wholeBrand, display_name: 'Maker' }],
    meta: {},
  })
  expect(await get()).toEqual(body)
  expect((await put([])).body.data).toEqual([])
  expect((await get()).data).toEqual([])
  expect(
    await rowsOf(shop, 'events').then((rows) => rows.filter(({ scope }) => `${scope}`.includes('settings'))),
  ).toEqual([])
})

test.each([
  [[{}], ['0.id', '0.type']],
  [[{ ...brand, id: 'x' }], ['0.id']],
  [[{ id: id('product:option:colour'), type: 'product' }], ['0.id']],
  [[{ ...brand, type: 'price' }], ['0.type']],
  [[brand, brand], ['1.id']],
  [[{ ...brand, sort_by: 'option_values' }], ['0.sort_by']],
  [[{ ...brand, items_to_show: 7, is_enabled: 1 }], ['0.is_enabled', '0.items_to_show']],
  [[{ ...brand, display_name: 'x'.repeat(256) }], ['0.display_name']],
  [[{ ...brand, type: 'colour' }], ['0.type']],
])('%j is refused', async (body, fields) => {
  const answer = await put(body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors).toSorted()).toEqual(fields)
  const context = { channel_id: 1 }
  const wrapped = await put([{ context, data: body }], '/contexts')
  expect(Object.keys(wrapped.body.errors).toSorted()).toEqual(fields.map((field) => `0.data.${field}`))
})

test('more than 100 filters, and 50 contexts, are 413', async () => {
  expect((await put(Array(101).fill(brand))).status).toBe(413)
  expect((await put(Array(51).fill({ context: { channel_id: 1 }, data: [] }), '/contexts')).status).toBe(413)
})

describe('the filters of channels and categories', () => {
  test('are added, replaced and deleted one by one, and each change publishes an event', async () => {
    const category_id = await stock()
    const whole = { context: { channel_id: 1 }, data: [price] }
    const ofMugs = { context: { channel_id: 1, category_id }, data: [brand] }
    const { body } = await put([ofMugs, whole], '/contexts')
    expect(body.data).toEqual([
      { ...ofMugs, data: [wholeBrand] },
      { ...whole, data: [wholePrice] },
    ])
    const all = await get('/contexts')
    expect(all.data).toEqual([...body.data].reverse())
    expect(all.meta.pagination).toMatchObject({ total: 2, count: 2 })
    expect((await get(`/contexts?category_id=${category_id}`)).data).toEqual([body.data[0]])
    expect((await get('/contexts?channel_id=2')).data).toEqual([])
    const paged = await get('/contexts?limit=1&page=2')
    expect(paged.data).toEqual([body.data[0]])
    expect((await get('/contexts?limit=1&page=3')).meta.pagination).toMatchObject({ total: 2, count: 0 })
    await put([ofMugs], '/contexts')
    expect((await put([{ ...whole, data: [] }], '/contexts')).body.data).toEqual([{ ...whole, data: [] }])
    expect((await get('/contexts')).data).toEqual([body.data[0]])
    const events = (await rowsOf(shop, 'events')).filter(({ scope }) => `${scope}`.includes('settings'))
    const scope = 'store/channel/1/settings/searchContextFilters/updated'
    expect(events.map(({ scope, data }) => [scope, JSON.parse(String(data))])).toEqual([
      [scope, { category_id: 0 }],
      [scope, { category_id }],
      [scope, { category_id: 0 }],
    ])
    expect((await get()).data).toHaveLength(5)
  })

  test('go with their category', async () => {
    const category_id = await stock()
    await put(
      [
        { context: { channel_id: 1, category_id }, data: [price] },
        { context: { channel_id: 1 }, data: [price] },
      ],
      '/contexts',
    )
    await shop.call('DELETE', '/catalog/products?id:in=1,2')
    expect((await shop.call('DELETE', `/catalog/categories/${category_id}`)).status).toBe(204)
    expect((await get('/contexts')).data).toEqual([{ context: { channel_id: 1 }, data: [wholePrice] }])
  })

  test('may be of more names than are offered at once', async () => {
    const categories = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, parent_id: 0 }))
    const made = await Promise.all(categories.map((one) => shop.call('POST', '/catalog/categories', one)))
    const places = [{}, ...made.map(({ body }) => ({ category_id: body.data.id }))]
    const names = Array.from({ length: 600 }, (_, i) => `n${i}`)
    for (const third of [0, 200, 400]) {
      const custom_fields = names.slice(third, third + 200).map((name) => ({ name, value: 'x' }))
      const product = { name: `Mug ${third}`, type: 'physical', weight: 1, price: 1, custom_fields }
      expect((await shop.call('POST', '/catalog/products', product)).status).toBe(200)
    }
    expect(await available()).toHaveLength(505)
    const contexts = places.map((place, i) => ({
      context: { channel_id: 1, ...place },
      data: names.slice(100 * i, 100 * i + 100).map((name) => ({ id: id(`product:field:${name}`), type: 'product' })),
    }))
    expect(await put(contexts, '/contexts')).toMatchObject({ status: 200 })
  })

  test('name a channel, a category that it shows, and each of them once', async () => {
    const category_id = await stock()
    const fields = async (...contexts: object[]) => {
      const { status, body } = await put(
        contexts.map((context) => ({ context, data: [price] })),
        '/contexts',
      )
      expect(status).toBe(422)
      return Object.keys(body.errors).toSorted()
    }
    expect(await fields({})).toEqual(['0.context.channel_id'])
    expect(await fields({ channel_id: 2 })).toEqual(['0.context.channel_id'])
    expect(await fields({ channel_id: 1, category_id: 99 })).toEqual(['0.context.category_id'])
    expect(await fields({ channel_id: 1, category_id }, { channel_id: 1, category_id })).toEqual(['1.context'])
    const body = { name: 'Second', type: 'storefront', platform: 'custom' }
    const other = (await shop.call('POST', '/channels', body)).body.data.id
    expect(await fields({ channel_id: other, category_id })).toEqual(['0.context.category_id'])
    expect((await put([{ context: { channel_id: other }, data: [price] }], '/contexts')).status).toBe(200)
    await shop.call('PUT', `/channels/${other}`, { status: 'deleted' })
    expect((await get('/contexts')).data).toEqual([])
  })
})
