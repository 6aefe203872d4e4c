import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { holdTable } from '../../../test/harness/administrator.ts'

// docs/contract/categories.md section 3.

const first = { id: 1, name: 'Default catalog tree', channels: [1] }

const upsert = async (shop: Shop, body: unknown) => {
  const answered = await shop.call('PUT', '/catalog/trees', body)
  return { status: answered.status, body: answered.body }
}
const trees = async (shop: Shop, query = '') => (await shop.call('GET', `/catalog/trees${query}`)).body.data
const add = async ({ call }: Shop, category: { name: string; tree_id?: number; parent_id?: number }) =>
  (await call('POST', '/catalog/trees/categories', [{ tree_id: 1, parent_id: 0, ...category }])).body.data[0]
    .category_id

/** The events of a store so far, in order. */
const eventsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])

describe('the trees of a store', () => {
  test('begin with one tree, that of channel 1', async () => {
    const { call } = await openShop()
    const { status, body } = await call('GET', '/catalog/trees')
    const pagination = {
      total: 1,
      count: 1,
      per_page: 250,
      current_page: 1,
      total_pages: 1,
      links: { current: '?page=1&limit=250' },
    }
    expect({ status, body }).toEqual({ status: 200, body: { data: [first], meta: { pagination } } })
    expect((await call('GET', '/catalog/trees/1/categories')).body).toEqual({ data: [], meta: {} })
  })

  test('are created without an id and changed with one, and answered in the order of the body', async () => {
    const shop = await openShop()
    expect(
      await upsert(shop, [{ name: 'For the table', channels: [] }, { id: 1, name: 'Main' }, { name: 'ÅÄÖ' }]),
    ).toEqual({
      status: 200,
      body: {
        data: [
          { id: 2, name: 'For the table', channels: [] },
          { id: 1, name: 'Main', channels: [1] },
          { id: 3, name: 'ÅÄÖ', channels: [] },
        ],
        meta: { total: 3, success: 3, failed: 0 },
      },
    })
    expect(await trees(shop)).toEqual([
      { id: 1, name: 'Main', channels: [1] },
      { id: 2, name: 'For the table', channels: [] },
      { id: 3, name: 'ÅÄÖ', channels: [] },
    ])
    // Names may repeat; ids never do.
    await shop.call('DELETE', '/catalog/trees?id:in=3')
    expect((await upsert(shop, [{ name: 'Main' }])).body.data).toEqual([{ id: 4, name: 'Main', channels: [] }])
  })

  test('are found by ids and channels, on one page for every page number', async () => {
    const shop = await openShop()
    await upsert(shop, [{ name: 'Two' }, { name: 'Three' }])
    const ids = async (query: string) => (await trees(shop, query)).map(({ id }: { id: number }) => id)
    expect(await ids('?id:in=1,3,9')).toEqual([1, 3])
    expect(await ids('?channel_id:in=1,2')).toEqual([1])
    expect(await ids('?channel_id:in=9007199254740991')).toEqual([])
    expect(await ids('?channel_id:in=1&id:in=2')).toEqual([])
    expect(await ids('?page=2&limit=1')).toEqual([1, 2, 3])
    expect((await shop.call('GET', '/catalog/trees?page=2&limit=1&id:in=1,3')).body.meta.pagination).toMatchObject({
      total: 2,
      current_page: 1,
      total_pages: 1,
      links: { current: '?id%3Ain=1%2C3&page=1&limit=250' },
    })
    for (const [query, status] of [
      ['limit=251', 413],
      ['page=0', 422],
      ['name=Two', 422],
      ['id:in=', 422],
      ['id:in=a', 422],
    ] as const) {
      expect((await shop.call('GET', `/catalog/trees?${query}`)).status, query).toBe(status)
    }
  })

  test('have a channel each, and can exchange them', async () => {
    const shop = await openShop()
    const till = { name: 'Till', type: 'pos', platform: 'square' }
    const { id } = (await shop.call('POST', '/channels', till)).body.data
    const second = { id: 2, name: 'Till', channels: [id] }
    expect((await upsert(shop, [{ name: 'Till', channels: [id] }])).body.data).toEqual([second])
    expect(await trees(shop, `?channel_id:in=${id}`)).toEqual([second])
    await upsert(shop, [
      { id: 2, channels: [1] },
      { id: 1, channels: [id] },
    ])
    expect(await trees(shop)).toEqual([
      { ...first, channels: [id] },
      { ...second, channels: [1] },
    ])
    const title = `The channel ${id} already shows the category tree 1.`
    expect(await upsert(shop, [{ name: 'Three', channels: [id] }])).toMatchObject({ status: 409, body: { title } })
    const changed = (channel: number, tree_id: number) => [`store/channel/${channel}/categoryTree/updated`, { tree_id }]
    expect((await eventsOf(shop)).slice(-4)).toEqual([changed(id, 1), changed(1, 1), changed(1, 2), changed(id, 2)])
  })

  test('pass a channel to each other in one request', async () => {
    const shop = await openShop()
    await upsert(shop, [{ name: 'Two' }])
    expect(
      (
        await upsert(shop, [
          { id: 2, channels: [1] },
          { id: 1, channels: [] },
        ])
      ).body.data,
    ).toEqual([
      { id: 2, name: 'Two', channels: [1] },
      { id: 1, name: first.name, channels: [] },
    ])
    expect(
      (
        await upsert(shop, [
          { id: 1, channels: [1] },
          { id: 2, channels: [] },
        ])
      ).status,
    ).toBe(200)
    expect(await trees(shop)).toEqual([first, { id: 2, name: 'Two', channels: [] }])
  })

  test.each([
    ['a channel that another tree has', [{ name: 'Two', channels: [1] }]],
    [
      'a channel twice',
      [
        { id: 1, channels: [] },
        { name: 'Two', channels: [1] },
        { name: 'Three', channels: [1] },
      ],
    ],
  ])('are refused with %s (409), and none is stored', async (_, body) => {
    const shop = await openShop()
    const { status, body: refusal } = await upsert(shop, body)
    const title = expect.stringMatching(/^The channel 1 already shows the category tree \d\.$/)
    expect({ status, refusal }).toMatchObject({ status: 409, refusal: { title } })
    expect(Object.keys(refusal.errors)).toContain(`${body.length - 1}.channels`)
    expect(await trees(shop)).toEqual([first])
  })

  test('are refused with all mistakes (422), and none is stored', async () => {
    const shop = await openShop()
    expect(await upsert(shop, [{ id: 9 }, { channels: [2] }, { name: 'Good' }])).toEqual({
      status: 422,
      body: invalid({
        '0.id': 'There is no category tree 9.',
        '1.name': 'error.path.missing',
        '1.channels.0': 'There is no channel 2.',
      }),
    })
    expect(await upsert(shop, [{ name: '' }, { name: 'a'.repeat(256) }, { id: 0 }, { name: 5, channels: 1 }])).toEqual({
      status: 422,
      body: invalid({
        '0.name': 'name must not be blank.',
        '1.name': 'name must have at most 255 characters, not 256.',
        '2.id': 'id must be at least 1, not 0.',
        '3.name': 'error.expected.jsstring',
        '3.channels': 'error.expected.jsarray',
      }),
    })
    expect((await upsert(shop, [{ id: 1, channels: [1, 1] }])).body.errors).toEqual({
      '0.channels': 'channels must hold at most 1.',
    })
    expect((await upsert(shop, { name: 'No list' })).body.errors).toEqual({ '': 'error.expected.jsarray' })
    expect((await upsert(shop, [])).status).toBe(422)
    expect(await trees(shop)).toEqual([first])
  })

  test('are at most 50 in a request (413) and 250 in a store (403)', async () => {
    const shop = await openShop()
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Tree ${i}` }))
    expect((await upsert(shop, many(51))).status).toBe(413)
    for (let i = 0; i < 4; i++) expect((await upsert(shop, many(50))).status).toBe(200)
    expect(await upsert(shop, many(50))).toEqual({
      status: 403,
      body: problem(403, 'A store can hold at most 250 trees.'),
    })
    expect((await upsert(shop, many(49))).status).toBe(200)
    expect((await upsert(shop, many(1))).status).toBe(403)
    expect((await upsert(shop, [{ id: 250, name: 'The last' }])).status).toBe(200)
  })

  test('publish events in their channel when they change, and only then', async () => {
    const shop = await openShop()
    await upsert(shop, [{ id: 1, name: first.name, channels: [1] }])
    await upsert(shop, [{ name: 'Two' }])
    expect(await eventsOf(shop)).toEqual([])
    await upsert(shop, [{ id: 1, name: 'Main' }])
    await upsert(shop, [
      { id: 1, channels: [] },
      { id: 2, channels: [1] },
    ])
    await shop.call('DELETE', '/catalog/trees?id:in=1,2')
    const changed = (tree_id: number) => ['store/channel/1/categoryTree/updated', { tree_id }]
    expect(await eventsOf(shop)).toEqual([changed(1), changed(1), changed(2), changed(2)])
  })

  test('are created with one id each by concurrent first requests', async () => {
    const shop = await openShop()
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => upsert(shop, [{ name: `Tree ${i}` }])))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await trees(shop)).map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 13 }, (_, i) => i + 1))
  })
})

describe('a deleted tree', () => {
  test('takes its categories and their rows with it, without events for these', async () => {
    const shop = await openShop()
    await upsert(shop, [{ name: 'Two' }])
    const top = await add(shop, { name: 'Cups', tree_id: 2 })
    const below = await add(shop, { name: 'Small', tree_id: 2, parent_id: top })
    const kept = await add(shop, { name: 'Mugs' })
    await shop.call('POST', `/catalog/categories/${below}/metafields`, {
      key: 'a',
      value: 'b',
      namespace: 'c',
      permission_set: 'read',
    })
    const before = await eventsOf(shop)
    expect(await shop.call('DELETE', '/catalog/trees?id:in=2,9')).toMatchObject({ status: 204, text: '' })
    expect((await shop.call('GET', '/catalog/trees/categories')).body.data).toMatchObject([{ category_id: kept }])
    expect((await shop.call('GET', '/catalog/categories/metafields')).body.data).toEqual([])
    expect((await shop.call('GET', '/catalog/trees/2/categories')).status).toBe(404)
    expect(await eventsOf(shop)).toEqual(before)
    // Its address is free again.
    expect(
      (await shop.call('GET', `/catalog/categories/${await add(shop, { name: 'Cups' })}`)).body.data,
    ).toMatchObject({
      custom_url: { url: '/cups/' },
    })
  })

  test('may be the first one, which does not return', async () => {
    const shop = await openShop()
    await add(shop, { name: 'Mugs' })
    expect((await shop.call('DELETE', '/catalog/trees?id:in=1')).status).toBe(204)
    expect(await trees(shop)).toEqual([])
    expect((await shop.call('GET', '/catalog/categories')).body.data).toEqual([])
    const orphan = await shop.call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0 })
    expect({ status: orphan.status, body: orphan.body }).toEqual({
      status: 422,
      body: invalid({ tree_id: 'There is no category tree 1.' }),
    })
    expect((await upsert(shop, [{ name: 'New', channels: [1] }])).body.data).toEqual([
      { id: 2, name: 'New', channels: [1] },
    ])
  })

  test('is named by its id: no filter is 422, an unknown one deletes nothing', async () => {
    const shop = await openShop()
    for (const query of ['', '?id:in=', '?channel_id:in=1', '?id=1']) {
      expect((await shop.call('DELETE', `/catalog/trees${query}`)).status, query).toBe(422)
    }
    expect((await shop.call('DELETE', '/catalog/trees?id:in=7')).status).toBe(204)
    expect(await trees(shop)).toEqual([first])
  })

  test('gets no category while it is deleted', async () => {
    const shop = await openShop()
    for (let id = 2; id < 22; id++) {
      await upsert(shop, [{ name: `Tree ${id}` }])
      const [deleted, created] = await Promise.all([
        shop.call('DELETE', `/catalog/trees?id:in=${id}`),
        shop.call('POST', '/catalog/trees/categories', [{ name: 'Late', tree_id: id, parent_id: 0 }]),
      ])
      expect(deleted.status).toBe(204)
      expect([201, 422]).toContain(created.status)
      expect((await shop.call('GET', `/catalog/trees/categories?tree_id:in=${id}`)).body.data).toEqual([])
    }
  })
})

describe('all categories of a tree', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await upsert(shop, [{ name: 'Two' }])
    const categories = [
      { name: 'Tableware', parent_id: 0, sort_order: 2 },
      { name: 'Cups', parent_id: 1, sort_order: 5 },
      { name: 'Mugs', parent_id: 1, sort_order: -1, is_visible: false },
      { name: 'Small', parent_id: 2 },
      { name: 'New', parent_id: 0, sort_order: 1 },
      { name: 'Other', parent_id: 1, sort_order: 5 },
      { name: 'Elsewhere', parent_id: 0, tree_id: 2 },
    ]
    for (const category of categories)
      await shop.call('POST', '/catalog/trees/categories', [{ tree_id: 1, ...category }])
  })

  interface Branch {
    children?: unknown[]
    is_visible?: boolean
  }
  const node = (path: number[], name: string, url: string, { children = [], is_visible = true }: Branch = {}) => ({
    id: path.at(-1),
    parent_id: path.at(-2) ?? 0,
    depth: path.length - 1,
    path,
    name,
    is_visible,
    url,
    children,
  })
  const small = node([1, 2, 4], 'Small', '/small/')
  const mugs = node([1, 3], 'Mugs', '/mugs/', { is_visible: false })
  const cups = (children: unknown[]) => node([1, 2], 'Cups', '/cups/', { children })
  const other = node([1, 6], 'Other', '/other/')
  const top = (children: unknown[]) => [node([5], 'New', '/new/'), node([1], 'Tableware', '/tableware/', { children })]

  test.each([
    ['', top([mugs, cups([small]), other])],
    ['?depth=1', top([])],
    ['?depth=2', top([mugs, cups([]), other])],
    ['?depth=3', top([mugs, cups([small]), other])],
    ['?depth=100', top([mugs, cups([small]), other])],
    ['?page=2&limit=1', top([mugs, cups([small]), other])],
  ])('are nested%s, siblings by sort_order and then by id', async (query, data) => {
    const { status, body } = await shop.call('GET', `/catalog/trees/1/categories${query}`)
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
  })

  test('belong to one tree', async () => {
    expect((await shop.call('GET', '/catalog/trees/2/categories')).body.data).toEqual([
      node([7], 'Elsewhere', '/elsewhere/'),
    ])
  })

  test.each(['depth=0', 'depth=a', 'level=1', 'page=0'])('are refused with %s (422)', async (query) => {
    expect((await shop.call('GET', `/catalog/trees/1/categories?${query}`)).status).toBe(422)
  })

  test('are 404 for an unknown tree, and for one of another store', async () => {
    const stranger = await openShop()
    for (const [path, title] of [
      ['9', 'The category tree 9 does not exist.'],
      ['2', 'The category tree 2 does not exist.'],
      ['x', 'There is nothing at this path.'],
    ]) {
      const { status, body } = await stranger.call('GET', `/catalog/trees/${path}/categories`)
      expect({ status, body }).toEqual({ status: 404, body: problem(404, title) })
    }
  })

  test('are answered to one request at a time; a second one waits, and is refused after a second (429)', async () => {
    const release = await holdTable(shop, 'categories')
    const held = shop.call('GET', '/catalog/trees/1/categories')
    const refused = await shop.call('GET', '/catalog/trees/1/categories')
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 429,
      body: problem(429, 'Too many requests'),
    })
    expect(refused.headers['x-retry-after']).toBe('1')
    const waiting = shop.call('GET', '/catalog/trees/2/categories')
    await release()
    expect((await held).status).toBe(200)
    expect((await waiting).status).toBe(200)
    expect((await shop.call('GET', '/catalog/trees/1/categories')).status).toBe(200)
  })

  test('may be 16,000', async () => {
    const large = await openShop()
    const db = await dbOf(large)
    // Every eighth category is at the top, the others are below the previous one.
    await db.transaction((tx) =>
      tx.rows(sql`
        -- of a test
        with counter as (
          insert into counters (store_id, resource, last_id, total, version)
          values (${db.store.id}, 'categories', 16000, 16000, 1)
        )
        insert into categories (store_id, id, parent_id, name, name_key, description, views, sort_order, page_title,
          page_title_key, search_keywords, meta_keywords, meta_description, layout_file, is_visible,
          default_product_sort, image_url, custom_url)
        select ${db.store.id}, n, case when n % 8 = 1 then 0 else n - 1 end, 'Category ' || n, 'category ' || n, '', 0, 0,
          '', '', '', '[]', '', 'category.html', true, 'use_store_settings', '',
          jsonb_build_object('url', '/category-' || n || '/', 'is_customized', false)
        from generate_series(1, 16000) n`),
    )
    const { status, body } = await large.call('GET', '/catalog/trees/1/categories')
    expect(status).toBe(200)
    expect(body.data).toHaveLength(2_000)
    const paths: number[][] = []
    const walk = (nodes: { path: number[]; children: [] }[]): void =>
      nodes.forEach(({ path, children }) => {
        paths.push(path)
        walk(children)
      })
    walk(body.data)
    expect(paths).toHaveLength(16_000)
    expect(paths[15]).toEqual([9, 10, 11, 12, 13, 14, 15, 16])
    // A few statements delete all of them.
    expect((await large.call('DELETE', '/catalog/trees?id:in=1')).status).toBe(204)
    expect((await large.call('GET', '/catalog/trees/categories')).body.data).toEqual([])
  })
})
