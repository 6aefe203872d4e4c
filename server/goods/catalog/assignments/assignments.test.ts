import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { copyProduct } from '../../../test/fixtures/many/products.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/categories.md section 6, and the deletion of categories with products (section 2).

const CATEGORIES = '/catalog/products/category-assignments'
const CHANNELS = '/catalog/products/channel-assignments'

/** A store with this number of products and categories. */
async function openShelves(products: number, categories: number): Promise<Shop> {
  const shop = await openShop()
  for (let id = 1; id <= categories; id++) {
    await shop.call('POST', '/catalog/categories', { name: `Category ${id}`, parent_id: 0 })
  }
  for (let id = 1; id <= products; id++) {
    await shop.call('POST', '/catalog/products', { name: `Product ${id}`, type: 'physical', weight: 1, price: 1 })
  }
  return shop
}

const links = (...pairs: [product_id: number, category_id: number][]) =>
  pairs.map(([product_id, category_id]) => ({ product_id, category_id }))

const put = async ({ call }: Shop, path: string, body: unknown) => {
  const { status, body: answer, text } = await call('PUT', path, body)
  return { status, body: answer ?? text }
}
const done = { status: 204, body: '' }

const assigned = async ({ call }: Shop, query = '') => (await call('GET', `${CATEGORIES}${query}`)).body.data

const product = async ({ call }: Shop, id: number) => (await call('GET', `/catalog/products/${id}`)).body.data

/** The lists in the rows of products, and the links: they must never differ. */
async function categoriesOf(shop: Shop): Promise<number[][]> {
  const [rows, all] = [await rowsOf(shop, 'products'), await rowsOf(shop, 'product_categories')]
  const lists = rows.map(({ id, categories }) => {
    const linked = all.filter(({ product_id }) => product_id === id).map(({ category_id }) => Number(category_id))
    expect(categories).toEqual(linked.sort((one, other) => one - other))
    return linked
  })
  expect(lists.flat()).toHaveLength(all.length)
  return lists
}

const eventsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])

const updated = (id: number) => ['store/product/updated', { type: 'product', id }]
const placed = (action: string, product_id: number, category_id: number) => [
  `store/channel/1/category/product/${action}`,
  { product_id, category_id },
]

describe('products in categories', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShelves(3, 4)
  })

  test('are assigned, and listed by product and category', async () => {
    expect(await put(shop, CATEGORIES, links([2, 4], [1, 3], [2, 1], [2, 1]))).toEqual(done)
    const { status, body } = await shop.call('GET', CATEGORIES)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: links([1, 3], [2, 1], [2, 4]),
        meta: { pagination: onlyPage(3) },
      },
    })
    expect((await product(shop, 2)).categories).toEqual([1, 4])
    expect(await categoriesOf(shop)).toEqual([[3], [1, 4], []])
  })

  test('are found by product and by category, page by page', async () => {
    await put(shop, CATEGORIES, links([1, 1], [1, 2], [2, 2], [3, 2], [3, 4]))
    expect(await assigned(shop, '?product_id:in=1,3')).toEqual(links([1, 1], [1, 2], [3, 2], [3, 4]))
    expect(await assigned(shop, '?category_id:in=4,1,9')).toEqual(links([1, 1], [3, 4]))
    expect(await assigned(shop, '?category_id:in=2&product_id:in=2')).toEqual(links([2, 2]))
    const second = (await shop.call('GET', `${CATEGORIES}?category_id:in=2&page=2&limit=2`)).body
    expect(second).toEqual({
      data: links([3, 2]),
      meta: {
        pagination: {
          total: 3,
          count: 1,
          per_page: 2,
          current_page: 2,
          total_pages: 2,
          links: {
            previous: '?category_id%3Ain=2&page=1&limit=2',
            current: '?category_id%3Ain=2&page=2&limit=2',
          },
        },
      },
    })
    expect((await shop.call('GET', `${CATEGORIES}?page=9`)).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 5, count: 0, current_page: 9 } },
    })
    for (const [query, status] of [
      ['limit=251', 413],
      ['product_id=1', 422],
      ['channel_id:in=1', 422],
      ['product_id:in=', 422],
      ['category_id:in=0', 422],
    ] as const) {
      expect((await shop.call('GET', `${CATEGORIES}?${query}`)).status, query).toBe(status)
    }
  })

  test('publish events of new assignments and of their products only', async () => {
    const { clock } = await theHouse()
    await put(shop, CATEGORIES, links([1, 1]))
    const [one, two] = [await product(shop, 1), await product(shop, 2)]
    const before = (await eventsOf(shop)).length
    clock.move(5_000)
    expect(await put(shop, CATEGORIES, links([1, 1]))).toEqual(done)
    expect(await product(shop, 1)).toEqual(one)
    expect(await eventsOf(shop)).toHaveLength(before)
    await put(shop, CATEGORIES, links([2, 3], [1, 1], [2, 2]))
    expect((await eventsOf(shop)).slice(before)).toEqual([
      updated(2),
      placed('assigned', 2, 2),
      placed('assigned', 2, 3),
    ])
    expect(await product(shop, 1)).toEqual(one)
    const changed = await product(shop, 2)
    expect(changed).toEqual({ ...two, categories: [2, 3], date_modified: changed.date_modified })
    expect(Date.parse(changed.date_modified)).toBeGreaterThanOrEqual(Date.parse(two.date_modified) + 5_000)
  })

  test('publish events in the channel of their tree, after it has moved', async () => {
    const kiosk = { name: 'Kiosk', type: 'pos', platform: 'square' }
    const { id } = (await shop.call('POST', '/channels', kiosk)).body.data
    const tree = (await shop.call('PUT', '/catalog/trees', [{ name: 'Kiosk', channels: [id] }])).body.data[0].id
    const made = [{ name: 'Shown', tree_id: tree, parent_id: 0 }]
    const { category_id } = (await shop.call('POST', '/catalog/trees/categories', made)).body.data[0]
    await put(shop, CATEGORIES, links([1, category_id]))
    expect((await eventsOf(shop)).slice(-3)).toEqual([
      [`store/channel/${id}/category/created`, { category_id, tree_id: tree }],
      updated(1),
      [`store/channel/${id}/category/product/assigned`, { product_id: 1, category_id }],
    ])
    await shop.call('DELETE', `/catalog/trees?id:in=${tree}`)
  })

  test('publish events in the channel of their tree only', async () => {
    await shop.call('PUT', '/catalog/trees', [{ name: 'Two' }])
    const tree = [{ name: 'Elsewhere', tree_id: 2, parent_id: 0 }]
    const { body } = await shop.call('POST', '/catalog/trees/categories', tree)
    const { category_id } = body.data[0]
    const before = (await eventsOf(shop)).length
    await put(shop, CATEGORIES, links([1, category_id]))
    await shop.call('DELETE', `${CATEGORIES}?category_id:in=${category_id}`)
    expect((await eventsOf(shop)).slice(before)).toEqual([updated(1), updated(1)])
  })

  test('are refused with every unknown id (422), and none is assigned', async () => {
    expect(await put(shop, CATEGORIES, links([1, 1], [9, 1], [1, 9], [9, 9]))).toEqual({
      status: 422,
      body: invalid({
        '1.product_id': 'There is no product 9.',
        '2.category_id': 'There is no category 9.',
        '3.product_id': 'There is no product 9.',
        '3.category_id': 'There is no category 9.',
      }),
    })
    expect(await put(shop, CATEGORIES, [{ product_id: 1 }, { product_id: '1', category_id: 0 }])).toEqual({
      status: 422,
      body: invalid({
        '0.category_id': 'error.path.missing',
        '1.product_id': 'error.expected.jsnumber',
        '1.category_id': 'category_id must be at least 1, not 0.',
      }),
    })
    expect((await put(shop, CATEGORIES, [])).status).toBe(422)
    expect((await put(shop, CATEGORIES, { product_id: 1, category_id: 1 })).status).toBe(422)
    expect(await categoriesOf(shop)).toEqual([[], [], []])
  })

  test('are removed by a filter, also from their last category, with events', async () => {
    await put(shop, CATEGORIES, links([1, 1], [1, 2], [2, 2], [3, 2], [3, 4]))
    const before = (await eventsOf(shop)).length
    for (const query of ['', '?product_id:in=', '?product_id=1', '?page=1']) {
      expect((await shop.call('DELETE', `${CATEGORIES}${query}`)).status, query).toBe(422)
    }
    expect((await shop.call('DELETE', CATEGORIES)).body).toEqual(
      problem(422, 'The deletion of assignments needs a filter in the query.'),
    )
    expect((await shop.call('DELETE', `${CATEGORIES}?product_id:in=9`)).status).toBe(204)
    expect(await eventsOf(shop)).toHaveLength(before)
    const gone = await shop.call('DELETE', `${CATEGORIES}?category_id:in=2&product_id:in=1,2`)
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' })
    expect(await categoriesOf(shop)).toEqual([[1], [], [2, 4]])
    expect((await eventsOf(shop)).slice(before)).toEqual([
      updated(1),
      updated(2),
      placed('unassigned', 1, 2),
      placed('unassigned', 2, 2),
    ])
    await shop.call('DELETE', `${CATEGORIES}?product_id:in=3`)
    expect(await categoriesOf(shop)).toEqual([[1], [], []])
  })

  test('match the categories in bodies of products', async () => {
    const fields = { type: 'physical', weight: 1, price: 1 }
    await shop.call('POST', '/catalog/products', { ...fields, name: 'New', categories: [4, 1, 4] })
    await shop.call('PUT', '/catalog/products/1', { categories: [3, 2] })
    expect(await categoriesOf(shop)).toEqual([[2, 3], [], [], [1, 4]])
    const before = (await eventsOf(shop)).length
    await shop.call('PUT', '/catalog/products/1', { categories: [2, 3] })
    expect(await eventsOf(shop)).toHaveLength(before)
    await shop.call('PUT', '/catalog/products', [
      { id: 1, categories: [4, 3] },
      { id: 4, categories: [] },
    ])
    expect(await categoriesOf(shop)).toEqual([[3, 4], [], [], []])
    const scopes = (await eventsOf(shop)).slice(before).filter(([scope]) => scope.includes('category/product'))
    expect(scopes).toEqual([
      placed('assigned', 1, 4),
      placed('unassigned', 1, 2),
      placed('unassigned', 4, 1),
      placed('unassigned', 4, 4),
    ])
    await shop.call('DELETE', '/catalog/products/1')
    expect(await assigned(shop)).toEqual([])
  })

  test('are never lost or doubled by concurrent requests (C-024)', async () => {
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all([
        put(shop, CATEGORIES, links([1, 1], [2, 2], [3, 3])),
        put(shop, CATEGORIES, links([3, 1], [2, 4], [1, 2])),
        shop.call('DELETE', `${CATEGORIES}?category_id:in=1`),
        shop.call('PUT', '/catalog/products/2', { categories: [1, 3] }),
        shop.call('PUT', '/catalog/products', [
          { id: 3, categories: [4] },
          { id: 1, categories: [2] },
        ]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 200, 200])
      await categoriesOf(shop)
    }
  })
})

describe('a product', () => {
  test('is in at most 1,000 categories (422)', async () => {
    const shop = await openShelves(2, 0)
    for (let i = 0; i < 5; i++) {
      const some = Array.from({ length: i === 4 ? 1 : 250 }, (_, n) => ({
        name: `C ${i} ${n}`,
        tree_id: 1,
        parent_id: 0,
      }))
      await shop.call('POST', '/catalog/trees/categories', some)
    }
    const all = Array.from({ length: 1_000 }, (_, i): [number, number] => [1, i + 1])
    expect(await put(shop, CATEGORIES, links(...all))).toEqual(done)
    expect((await product(shop, 1)).categories).toHaveLength(1_000)
    const sentence = 'A product can be in at most 1000 categories.'
    expect(await put(shop, CATEGORIES, links([2, 1001], [1, 1001]))).toEqual({
      status: 422,
      body: invalid({ '1.category_id': sentence }),
    })
    expect((await product(shop, 2)).categories).toEqual([])
    expect(await put(shop, CATEGORIES, links([1, 1], [2, 1001]))).toEqual(done)
    const ids = Array.from({ length: 1_001 }, (_, i) => i + 1)
    expect((await shop.call('PUT', '/catalog/products/2', { categories: ids })).status).toBe(422)
  })
})

describe('a category with products', () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShelves(3, 3)
    await put(shop, CATEGORIES, links([1, 1], [1, 2], [2, 2], [2, 3]))
  })

  test.each([
    ['DELETE /catalog/categories/2', '/catalog/categories/2'],
    ['a filter', '/catalog/categories?name=Category%202'],
    ['the other family', '/catalog/trees/categories?category_id:in=2'],
  ])('is deleted by %s if its products are in others too; they change without events', async (_, path) => {
    const { clock } = await theHouse()
    const before = (await eventsOf(shop)).length
    const { date_modified } = await product(shop, 1)
    clock.move(5_000)
    expect([202, 204]).toContain((await shop.call('DELETE', path)).status)
    expect(await categoriesOf(shop)).toEqual([[1], [3], []])
    expect((await product(shop, 1)).date_modified > date_modified).toBe(true)
    expect((await eventsOf(shop)).slice(before)).toEqual([
      ['store/category/deleted', { type: 'category', id: 2 }],
      ['store/channel/1/category/deleted', { category_id: 2, tree_id: 1 }],
    ])
  })

  test.each([
    ['alone', '/catalog/categories/2'],
    ['with others', '/catalog/categories?id:in=2,3'],
    ['by the other family', '/catalog/trees/categories?category_id:in=2,3'],
    ['with its tree', '/catalog/trees?id:in=1'],
  ])('is not deleted %s if a product would have no category left (409)', async (_, path) => {
    await shop.call('DELETE', `${CATEGORIES}?category_id:in=1`)
    await shop.call('DELETE', `${CATEGORIES}?product_id:in=2&category_id:in=3`)
    const { status, body } = await shop.call('DELETE', path)
    expect({ status, body }).toEqual({
      status: 409,
      body: problem(409, 'The product 1 would have no category left.'),
    })
    expect(await categoriesOf(shop)).toEqual([[2], [2], []])
    expect((await shop.call('GET', '/catalog/categories')).body.data).toHaveLength(3)
  })

  test('leaves no product without a category when the last two of it are deleted at once', async () => {
    for (let round = 0; round < 15; round++) {
      const [one, two] = await Promise.all(
        ['One', 'Two'].map(
          async (name) =>
            (await shop.call('POST', '/catalog/categories', { name: `${name} ${round}`, parent_id: 0 })).body.data.id,
        ),
      )
      await shop.call('PUT', '/catalog/products/3', { categories: [one, two] })
      const answers = await Promise.all([
        shop.call('DELETE', `/catalog/categories/${one}`),
        shop.call('DELETE', `${CATEGORIES}?product_id:in=3&category_id:in=${two}`),
        shop.call('DELETE', `/catalog/categories/${two}`),
      ])
      const [first, , last] = answers.map(({ status }) => status)
      expect([204, 409]).toContain(first)
      expect([204, 409]).toContain(last)
      await categoriesOf(shop)
      await shop.call('DELETE', `${CATEGORIES}?product_id:in=3`)
    }
  })

  test('is unknown to a product that is assigned while it is deleted', async () => {
    for (let round = 0; round < 15; round++) {
      const { body } = await shop.call('POST', '/catalog/categories', { name: `Race ${round}`, parent_id: 0 })
      const { id } = body.data
      const [deleted, assigned] = await Promise.all([
        shop.call('DELETE', `/catalog/categories/${id}`),
        put(shop, CATEGORIES, links([1, id])),
      ])
      expect(deleted.status).toBe(204)
      expect([204, 422]).toContain(assigned.status)
      expect(await categoriesOf(shop)).toEqual([[1, 2], [2, 3], []])
    }
  })

  /** Two categories with 2,500 products in both: copies of one. */
  const openLarge = async () => {
    const large = await openShelves(1, 2)
    await copyProduct(large, 2_500)
    const db = await dbOf(large)
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into product_categories (store_id, product_id, category_id)
        select ${db.store.id}, n, category from generate_series(1, 2500) n, generate_series(1, 2) category
        on conflict do nothing`)
      await tx.rows(sql`update products set categories = '[1, 2]' where store_id = ${db.store.id}`)
    })
    return { ...large, db }
  }
  const linked = async ({ call }: Shop, id: number) =>
    (await call('GET', `${CATEGORIES}?category_id:in=${id}&limit=1`)).body.meta.pagination.total

  test('may have more products than one statement removes', async () => {
    const large = await openLarge()
    expect((await large.call('DELETE', '/catalog/categories/1')).status).toBe(204)
    expect([await linked(large, 1), await linked(large, 2)]).toEqual([0, 2_500])
    expect((await product(large, 2_500)).categories).toEqual([2])
    expect((await large.call('DELETE', '/catalog/categories/2')).status).toBe(409)
    expect(await linked(large, 2)).toBe(2_500)
    expect((await large.call('DELETE', `${CATEGORIES}?category_id:in=2`)).status).toBe(204)
    expect((await product(large, 2_500)).categories).toEqual([])
    expect((await large.call('DELETE', '/catalog/categories/2')).status).toBe(204)
  })

  test.each([
    ['/catalog/categories/1', 204],
    ['/catalog/categories?id=1', 204],
    ['/catalog/trees/categories?category_id:in=1', 202],
    ['/catalog/trees?id:in=1', 204],
  ])('blocks no request for long while a great many products are removed: DELETE %s', async (path, status) => {
    const large = await openLarge()
    const { call, db, store } = large
    // The second category is in another tree, so that it is not deleted too.
    await call('PUT', '/catalog/trees', [{ name: 'Other' }])
    await call('PUT', '/catalog/trees/categories', [{ category_id: 2, tree_id: 2, parent_id: 0 }])
    let deleted: Promise<{ status: number }> | undefined
    // A lock on one of the last products blocks the deletion.
    await db.transaction(async (tx) => {
      await tx.rows(sql`select from products where store_id = ${store.id} and id = 2300 for update`)
      deleted = call('DELETE', path)
      await expect.poll(async () => linked(large, 1)).toBe(500)
      expect((await call('PUT', '/catalog/products/1', { price: 2 })).body.data).toMatchObject({
        price: 2,
        categories: [2],
      })
      const beside = [{ name: 'Beside', tree_id: 2 }]
      expect((await call('POST', '/catalog/trees/categories', beside)).status).toBe(201)
      expect((await call('GET', '/catalog/categories/1')).status).toBe(200)
    })
    expect((await deleted)?.status).toBe(status)
    expect((await call('GET', '/catalog/categories/1')).status).toBe(404)
    expect([await linked(large, 1), await linked(large, 2)]).toEqual([0, 2_500])
    expect((await product(large, 2_300)).categories).toEqual([2])
  })

  test.each([
    [`${CATEGORIES}?category_id:in=1`, 204],
    ['/catalog/categories/1', 204],
    ['/catalog/trees/categories?category_id:in=1', 202],
  ])('loses all products, even if another request removes many at the same time: DELETE %s', async (path, status) => {
    const large = await openLarge()
    const { call, db, store } = large
    let deleted: Promise<{ status: number }> | undefined
    await db.transaction(async (tx) => {
      const first = sql`store_id = ${store.id} and product_id <= 2000 and category_id = 1`
      await tx.rows(sql`update products set categories = '[2]' where store_id = ${store.id} and id <= 2000`)
      await tx.rows(sql`delete from product_categories where ${first}`)
      deleted = call('DELETE', path)
      const waiting = async () =>
        await db.row(sql`
          -- of a test
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
      await expect.poll(waiting).toEqual({ count: 1 })
    })
    expect((await deleted)?.status).toBe(status)
    expect([await linked(large, 1), await linked(large, 2)]).toEqual([0, 2_500])
    expect((await product(large, 2_500)).categories).toEqual([2])
  })

  test('removes large numbers in steps with events of their own', async () => {
    const large = await openLarge()
    const { call, db, store } = large
    const count = async () =>
      (await rowsOf(large, 'events')).filter(({ scope }) => /unassigned/.test(String(scope))).length
    let deleted: Promise<{ status: number }> | undefined
    await db.transaction(async (tx) => {
      await tx.rows(sql`select from products where store_id = ${store.id} and id = 2300 for update`)
      deleted = call('DELETE', `${CATEGORIES}?category_id:in=1`)
      await expect.poll(async () => linked(large, 1)).toBe(500)
      expect(await count()).toBe(2_000)
      expect((await call('PUT', '/catalog/products/1', { price: 2 })).body.data).toMatchObject({
        price: 2,
        categories: [2],
      })
    })
    expect((await deleted)?.status).toBe(204)
    expect([await linked(large, 1), await count()]).toEqual([0, 2_500])
  })

  test('stays with its remaining products if one of them loses its other category meanwhile (409)', async () => {
    const large = await openLarge()
    const { call, db, store } = large
    let deleted: Promise<{ status: number }> | undefined
    await db.transaction(async (tx) => {
      await tx.rows(sql`select from products where store_id = ${store.id} and id = 2300 for update`)
      deleted = call('DELETE', '/catalog/categories/1')
      await expect.poll(async () => linked(large, 1)).toBe(500)
      await tx.rows(sql`
        delete from product_categories where store_id = ${store.id} and product_id = 2300 and category_id = 2`)
      await tx.rows(sql`update products set categories = '[1]' where store_id = ${store.id} and id = 2300`)
    })
    expect((await deleted)?.status).toBe(409)
    expect((await call('GET', '/catalog/categories/1')).status).toBe(200)
    expect([(await product(large, 1)).categories, (await product(large, 2_300)).categories]).toEqual([[2], [1]])
    expect([await linked(large, 1), await linked(large, 2)]).toEqual([500, 2_499])
  })
})

describe('products in channels', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShelves(3, 0)
  })
  const sold = async (query = '') => (await shop.call('GET', `${CHANNELS}${query}`)).body.data
  const inFirst = (...ids: number[]) => ids.map((product_id) => ({ product_id, channel_id: 1 }))

  test('are removed and assigned, listed, and have events', async () => {
    await shop.call('DELETE', `${CHANNELS}?channel_id:in=1`)
    expect((await shop.call('GET', CHANNELS)).body).toEqual({
      data: [],
      meta: {
        pagination: {
          total: 0,
          count: 0,
          per_page: 50,
          current_page: 1,
          total_pages: 0,
          links: { current: '?page=1&limit=50' },
        },
      },
    })
    const before = (await eventsOf(shop)).length
    expect(await put(shop, CHANNELS, inFirst(3, 1, 3))).toEqual(done)
    expect(await put(shop, CHANNELS, inFirst(1))).toEqual(done)
    expect(await sold()).toEqual(inFirst(1, 3))
    expect(await sold('?product_id:in=3,9')).toEqual(inFirst(3))
    expect(await sold('?channel_id:in=2')).toEqual([])
    expect(await sold('?limit=1&page=2')).toEqual(inFirst(3))
    expect((await shop.call('DELETE', `${CHANNELS}?product_id:in=1,2`)).status).toBe(204)
    expect(await sold()).toEqual(inFirst(3))
    expect((await eventsOf(shop)).slice(before)).toEqual([
      ['store/channel/1/product/assigned', { product_id: 1 }],
      ['store/channel/1/product/assigned', { product_id: 3 }],
      ['store/channel/1/product/unassigned', { product_id: 1 }],
    ])
  })

  test('are sold in one, several or all channels', async () => {
    const ids: number[] = []
    for (const name of ['Till', 'Kiosk']) {
      ids.push((await shop.call('POST', '/channels', { name, type: 'pos', platform: 'square' })).body.data.id)
    }
    const [till = 0, kiosk = 0] = ids
    const of = (product_id: number, ...channels: number[]) => channels.map((channel_id) => ({ product_id, channel_id }))
    await shop.call('DELETE', `${CHANNELS}?product_id:in=1,2,3`)
    const before = (await eventsOf(shop)).length
    expect(await put(shop, CHANNELS, [...of(2, kiosk, 1), ...of(1, till, kiosk)])).toEqual(done)
    expect(await sold()).toEqual([...of(1, till, kiosk), ...of(2, 1, kiosk)])
    expect(await sold(`?channel_id:in=${kiosk},1&product_id:in=1`)).toEqual(of(1, kiosk))
    const including = (await shop.call('GET', '/catalog/products?include=channels&include_fields=id')).body.data
    expect(including.map(({ channels }: { channels: number[] }) => channels)).toEqual([[till, kiosk], [1, kiosk], []])
    await shop.call('DELETE', `${CHANNELS}?channel_id:in=${kiosk}`)
    expect(await sold()).toEqual([...of(1, till), ...of(2, 1)])
    expect((await eventsOf(shop)).slice(before)).toEqual([
      ...of(1, till, kiosk).map(({ channel_id }) => [
        `store/channel/${channel_id}/product/assigned`,
        { product_id: 1 },
      ]),
      ...of(2, kiosk, 1).map(({ channel_id }) => [`store/channel/${channel_id}/product/assigned`, { product_id: 2 }]),
      [`store/channel/${kiosk}/product/unassigned`, { product_id: 1 }],
      [`store/channel/${kiosk}/product/unassigned`, { product_id: 2 }],
    ])
  })

  test('are refused with every unknown id (422), and none is assigned', async () => {
    const before = await sold()
    const body = [
      { product_id: 2, channel_id: 1 },
      { product_id: 9, channel_id: 1 },
      { product_id: 2, channel_id: 9_007_199_254_740_991 },
    ]
    expect(await put(shop, CHANNELS, body)).toEqual({
      status: 422,
      body: invalid({
        '1.product_id': 'There is no product 9.',
        '2.channel_id': 'There is no channel 9007199254740991.',
      }),
    })
    expect((await put(shop, CHANNELS, [{ product_id: 2, channel_id: 2 ** 53 }])).body.errors).toEqual({
      '0.channel_id': expect.stringContaining('at most 9007199254740991'),
    })
    expect((await put(shop, CHANNELS, [])).status).toBe(422)
    for (const query of ['', '?channel_id=1', '?category_id:in=1', '?product_id:in=']) {
      expect((await shop.call('DELETE', `${CHANNELS}${query}`)).status, query).toBe(422)
    }
    expect((await shop.call('GET', `${CHANNELS}?limit=251`)).status).toBe(413)
    expect((await shop.call('GET', `${CHANNELS}?category_id:in=1`)).status).toBe(422)
    expect(await sold()).toEqual(before)
  })
})
