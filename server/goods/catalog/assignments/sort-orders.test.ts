import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/categories.md section 5.

const PATH = '/catalog/categories/1/products/sort-order'

const places = (...pairs: [product_id: number, sort_order: number | null][]) =>
  pairs.map(([product_id, sort_order]) => ({ product_id, sort_order }))

describe('the sort orders of products in a category', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
    for (const name of ['One', 'Two']) await shop.call('POST', '/catalog/categories', { name, parent_id: 0 })
    for (const name of ['A', 'B', 'C', 'D']) {
      const fields = { name, type: 'physical', weight: 1, price: 1, categories: name === 'D' ? [2] : [1, 2] }
      await shop.call('POST', '/catalog/products', fields)
    }
  })
  const put = async (body: unknown, path = PATH) => {
    const { status, body: answer } = await shop.call('PUT', path, body)
    return { status, body: answer }
  }
  const get = async (query = '') => (await shop.call('GET', `${PATH}${query}`)).body.data

  test('are null until they are set, and then come first', async () => {
    const { status, body } = await shop.call('GET', PATH)
    const pagination = {
      total: 3,
      count: 3,
      per_page: 50,
      current_page: 1,
      total_pages: 1,
      links: { current: '?page=1&limit=50' },
    }
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: places([1, null], [2, null], [3, null]), meta: { pagination } },
    })
    const before = await rowsOf(shop, 'events')
    expect(await put(places([3, 0], [1, 7]))).toEqual({ status: 200, body: places([3, 0], [1, 7]) })
    expect((await shop.call('GET', PATH)).body).toEqual({
      data: places([3, 0], [1, 7], [2, null]),
      meta: { pagination },
    })
    expect(await put(places([2, 7], [3, 9], [2, 8], [2, 7]))).toEqual({ status: 200, body: places([2, 7], [3, 9]) })
    expect(await get()).toEqual(places([1, 7], [2, 7], [3, 9]))
    expect(await get('?limit=1&page=2')).toEqual(places([2, 7]))
    const other = await shop.call('GET', '/catalog/categories/2/products/sort-order')
    expect(other.body.data).toEqual(places([1, null], [2, null], [3, null], [4, null]))
    expect(await rowsOf(shop, 'events')).toEqual(before)
  })

  test('can be sent back as they were read, and removed with null', async () => {
    await put(places([3, 0], [1, 7]))
    const read = await get()
    expect(await put(read)).toEqual({ status: 200, body: read })
    expect(await get()).toEqual(read)
    expect(await put(places([3, null]))).toEqual({ status: 200, body: places([3, null]) })
    expect(await get()).toEqual(places([1, 7], [2, null], [3, null]))
    expect(await get('?limit=2&page=2')).toEqual(places([3, null]))
  })

  test('stay while a product stays, and go when it leaves', async () => {
    await put(places([1, 1], [2, 2], [3, 3]))
    await shop.call('PUT', '/catalog/products/1', { categories: [1] })
    await shop.call('PUT', '/catalog/products/category-assignments', [{ product_id: 2, category_id: 1 }])
    await shop.call('DELETE', '/catalog/products/category-assignments?product_id:in=3')
    await shop.call('PUT', '/catalog/products/category-assignments', [{ product_id: 3, category_id: 1 }])
    expect(await get()).toEqual(places([1, 1], [2, 2], [3, null]))
  })

  test('are refused for products of other categories (422), and none is set', async () => {
    expect(await put(places([1, 1], [4, 2], [99, 3]))).toEqual({
      status: 422,
      body: invalid({
        '1.product_id': 'The product 4 is not in this category.',
        '2.product_id': 'The product 99 is not in this category.',
      }),
    })
    expect(
      await put([
        { product_id: 1, sort_order: -1 },
        { sort_order: 2_147_483_648 },
        { product_id: '1', sort_order: 0.5 },
      ]),
    ).toEqual({
      status: 422,
      body: invalid({
        '0.sort_order': 'sort_order must be at least 0, not -1.',
        '1.product_id': 'error.path.missing',
        '1.sort_order': 'sort_order must be at most 2147483647, not 2147483648.',
        '2.product_id': 'error.expected.jsnumber',
        '2.sort_order': 'sort_order must be a whole number, not 0.5.',
      }),
    })
    expect((await put({ product_id: 1, sort_order: 1 })).body.errors).toEqual({ '': 'error.expected.jsarray' })
    expect(await put([])).toEqual({ status: 200, body: [] })
    expect(await get()).toEqual(places([1, null], [2, null], [3, null]))
    expect((await put(places([1, 2_147_483_647]))).status).toBe(200)
  })

  test('are found for existing categories of any tree (404)', async () => {
    const missing = { status: 404, body: problem(404, 'The category 9 does not exist.') }
    const { status, body } = await shop.call('GET', '/catalog/categories/9/products/sort-order')
    expect({ status, body }).toEqual(missing)
    expect(await put([], '/catalog/categories/9/products/sort-order')).toEqual(missing)
    await shop.call('PUT', '/catalog/trees', [{ name: 'Two' }])
    await shop.call('POST', '/catalog/trees/categories', [{ name: 'Elsewhere', tree_id: 2, parent_id: 0 }])
    expect((await shop.call('GET', '/catalog/categories/3/products/sort-order')).status).toBe(200)
    for (const [query, code] of [
      ['limit=251', 413],
      ['product_id=1', 422],
    ] as const) {
      expect((await shop.call('GET', `${PATH}?${query}`)).status, query).toBe(code)
    }
  })
})
