import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { holdTable } from '../../../test/harness/administrator.ts'

// docs/contract/categories.md section 2. Metafields are in metafields.test.ts, the other trees in tree-categories.test.ts,
// products in assignments.test.ts.

const text = (length: number) => 'a'.repeat(length)
const ids = (data: { id: number }[]) => data.map(({ id }) => id)

const add = async ({ call }: Shop, name: string, parent_id = 0): Promise<number> =>
  (await call('POST', '/catalog/categories', { name, parent_id })).body.data.id

/** Creates a chain of categories, each below the previous one. @returns the last */
const chain = async (shop: Shop, levels: number, name = 'Level'): Promise<number> => {
  let last = 0
  for (let level = 1; level <= levels; level++) last = await add(shop, `${name} ${level}`, last)
  return last
}

const whole = {
  parent_id: 1,
  name: 'Cups',
  description: '<p>Cups</p>',
  views: 7,
  sort_order: -2_147_483_648,
  page_title: 'All cups',
  search_keywords: 'cup',
  meta_keywords: ['cup', 'mug'],
  meta_description: 'Cups of all kinds',
  layout_file: 'cups.html',
  is_visible: false,
  default_product_sort: 'price_desc',
  image_url: 'https://cdn.example.com/cups.png',
  custom_url: { url: '/tableware/cups/', is_customized: true },
}

describe('a new category', () => {
  test('is answered as a whole, with its defaults', async () => {
    const { call } = await openShop()
    const { status, body } = await call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0 })
    const data = {
      id: 1,
      parent_id: 0,
      name: 'Mugs',
      description: '',
      views: 0,
      sort_order: 0,
      page_title: '',
      search_keywords: '',
      meta_keywords: [],
      meta_description: '',
      layout_file: 'category.html',
      is_visible: true,
      default_product_sort: 'use_store_settings',
      image_url: '',
      custom_url: { url: '/mugs/', is_customized: false },
    }
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await call('GET', '/catalog/categories/1')).body).toEqual({ data, meta: {} })
  })

  test('keeps every field as it was sent, and fields that a change leaves out', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop, 'Tableware')
    const data = { id: 2, ...whole }
    expect((await call('POST', '/catalog/categories', { ...whole, id: 77, tree_id: 5 })).body).toEqual({
      data,
      meta: {},
    })
    expect((await call('PUT', '/catalog/categories/2', data)).body).toEqual({ data, meta: {} })
    expect((await call('PUT', '/catalog/categories/2', { id: 9 })).body).toEqual({ data, meta: {} })
    const changed = { ...data, is_visible: true, sort_order: 2_147_483_647 }
    const changes = { is_visible: true, sort_order: 2_147_483_647 }
    expect((await call('PUT', '/catalog/categories/2', changes)).body.data).toEqual(changed)
    expect((await call('GET', '/catalog/categories?id=2')).body).toEqual({
      data: [changed],
      meta: {
        pagination: {
          total: 1,
          count: 1,
          per_page: 50,
          current_page: 1,
          total_pages: 1,
          links: { current: '?id=2&page=1&limit=50' },
        },
      },
    })
  })

  test.each([
    ['a name of 1 character', { name: 'a' }],
    ['a name of 50', { name: text(50) }],
    ['a description of 65,535', { description: text(65_535) }],
    ['a page_title of 255', { page_title: text(255) }],
    ['search_keywords of 255', { search_keywords: text(255) }],
    ['a url of 255', { custom_url: { url: `/${text(253)}/`, is_customized: true } }],
    ['a layout_file of 50', { layout_file: text(50) }],
  ])('may have %s', async (_, fields) => {
    const { call } = await openShop()
    const { status, body } = await call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0, ...fields })
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: fields })
  })

  test.each([
    ['an empty name', { name: '' }, { name: 'name must not be blank.' }],
    ['a name of blanks', { name: ' ' }, { name: 'name must not be blank.' }],
    ['a name of 51 characters', { name: text(51) }, { name: 'name must have at most 50 characters, not 51.' }],
    ['a description of 65,536', { description: text(65_536) }, { description: expect.stringContaining('65535') }],
    ['a page_title of 256', { page_title: text(256) }, { page_title: expect.stringContaining('255') }],
    ['null for its parent', { parent_id: null }, { parent_id: 'error.expected.jsnumber' }],
    ['a text for its parent', { parent_id: '0' }, { parent_id: 'error.expected.jsnumber' }],
    ['a parent below 0', { parent_id: -1 }, { parent_id: expect.stringContaining('at least 0') }],
    ['a sort_order beyond 32 bits', { sort_order: 2_147_483_648 }, { sort_order: expect.stringContaining('at most') }],
    ['a text for is_visible', { is_visible: 'true' }, { is_visible: 'error.expected.jsboolean' }],
    [
      'an unknown default_product_sort',
      { default_product_sort: 'cheapest' },
      { default_product_sort: expect.stringContaining('use_store_settings, featured, newest, best_selling') },
    ],
    ['an empty url', { custom_url: { url: '' } }, { 'custom_url.url': 'url must have at least 1 character.' }],
    ['a url of 256', { custom_url: { url: `/${text(254)}/` } }, { 'custom_url.url': expect.stringContaining('255') }],
    [
      'a url without room for the slash at its end',
      { custom_url: { url: `/${text(254)}` } },
      { 'custom_url.url': expect.stringContaining('not allowed') },
    ],
    [
      'a url that is none',
      { custom_url: { url: 'no address' } },
      { 'custom_url.url': expect.stringContaining('not allowed') },
    ],
  ])('must not have %s', async (_, fields, errors) => {
    const shop = await openShop()
    await add(shop, 'Here before')
    for (const [method, path] of [
      ['POST', '/catalog/categories'],
      ['PUT', '/catalog/categories/1'],
    ] as const) {
      const { status, body } = await shop.call(method, path, { name: 'Mugs', parent_id: 0, ...fields })
      expect({ status, body }, method).toEqual({ status: 422, body: invalid(errors) })
    }
    expect((await shop.call('GET', '/catalog/categories')).body.data).toMatchObject([{ name: 'Here before' }])
  })

  test('may have a layout_file of 50 characters when it is new, and of 500 when it is changed', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop, 'Mugs')
    const refused = (max: number) =>
      invalid({ layout_file: `layout_file must have at most ${max} characters, not ${max + 1}.` })
    const fresh = { name: 'Cups', parent_id: 0, layout_file: text(51) }
    expect(await call('POST', '/catalog/categories', fresh)).toMatchObject({ status: 422, body: refused(50) })
    const changed = await call('PUT', '/catalog/categories/1', { layout_file: text(500) })
    expect(changed).toMatchObject({ status: 200, body: { data: { layout_file: text(500) } } })
    const tooLong = await call('PUT', '/catalog/categories/1', { layout_file: text(501) })
    expect(tooLong).toMatchObject({ status: 422, body: refused(500) })
  })

  test('needs a name and a parent', async () => {
    const { call } = await openShop()
    const { status, body } = await call('POST', '/catalog/categories', { views: 1 })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({ name: 'error.path.missing', parent_id: 'error.path.missing' }),
    })
  })

  test('is refused if its parent has a child of this name, in any spelling (409)', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop, 'Crème')
    await add(shop, 'Other')
    await add(shop, 'Crème', 2)
    const sentence = 'A category with this name already exists below this parent.'
    const duplicate = problem(409, sentence, { name: sentence })
    for (const name of ['Crème', 'CRÈME', 'Cre\u0300me', ' Crème ']) {
      const { status, body } = await call('POST', '/catalog/categories', { name, parent_id: 0 })
      expect({ status, body }, name).toEqual({ status: 409, body: duplicate })
    }
    expect((await call('PUT', '/catalog/categories/2', { name: 'crème' })).body).toEqual(duplicate)
    expect((await call('PUT', '/catalog/categories/3', { parent_id: 0 })).body).toEqual(duplicate)
    expect((await call('PUT', '/catalog/categories/1', { name: 'CRÈME' })).status).toBe(200)
    expect(await add(shop, 'Crème', 1)).toBe(4)
  })

  test('is refused if a brand or category has the requested address (409)', async () => {
    const shop = await openShop()
    const { call } = shop
    await call('POST', '/catalog/brands', { name: 'Ferm' })
    await add(shop, 'Mugs')
    const taken = (url: string) =>
      problem(409, `The address ${url} is taken.`, { 'custom_url.url': `The address ${url} is taken.` })
    for (const url of ['/ferm/', '/MUGS/']) {
      const fields = { name: 'Cups', parent_id: 0, custom_url: { url } }
      const { status, body } = await call('POST', '/catalog/categories', fields)
      expect({ status, body }).toEqual({ status: 409, body: taken(url) })
    }
    expect(await add(shop, 'Cups')).toBe(2)
    const put = await call('PUT', '/catalog/categories/2', { name: 'Plates', custom_url: { url: '/ferm/' } })
    expect({ status: put.status, body: put.body }).toEqual({ status: 409, body: taken('/ferm/') })
    expect((await call('GET', '/catalog/categories/2')).body.data).toMatchObject({
      name: 'Cups',
      custom_url: { url: '/cups/', is_customized: false },
    })
    const moved = await call('PUT', '/catalog/categories/2', { name: 'Plates', custom_url: { url: '/own' } })
    expect(moved.body.data.custom_url).toEqual({ url: '/own/', is_customized: true })
    expect(await add(shop, 'Ferm')).toBe(3)
    expect((await call('GET', '/catalog/categories/3')).body.data.custom_url.url).toBe('/ferm-1/')
  })
})

describe('the tree of categories', () => {
  test('has eight levels and no ninth', async () => {
    const shop = await openShop()
    const { call } = shop
    expect(await chain(shop, 8)).toBe(8)
    const deep = invalid({ parent_id: 'Categories can be at most 8 levels deep.' })
    const ninth = await call('POST', '/catalog/categories', { name: 'Level 9', parent_id: 8 })
    expect({ status: ninth.status, body: ninth.body }).toEqual({ status: 422, body: deep })

    // Two levels below the sixth make eight, below the seventh nine.
    await chain(shop, 2, 'Other')
    expect((await call('PUT', '/catalog/categories/9', { parent_id: 7 })).body).toEqual(deep)
    expect((await call('PUT', '/catalog/categories/9', { parent_id: 6 })).status).toBe(200)
    expect((await call('PUT', '/catalog/categories/9', { parent_id: 0 })).status).toBe(200)
  })

  test('has no rings: no category moves below itself or a descendant', async () => {
    const shop = await openShop()
    const { call } = shop
    await chain(shop, 3)
    const ring = invalid({ parent_id: 'A category cannot be moved below itself or one of its descendants.' })
    for (const parent_id of [1, 2, 3]) {
      const { status, body } = await call('PUT', '/catalog/categories/1', { parent_id })
      expect({ status, body }, `below ${parent_id}`).toEqual({ status: 422, body: ring })
    }
    await add(shop, 'Other')
    expect((await call('PUT', '/catalog/categories/4', { parent_id: 3 })).status).toBe(200)
    expect((await call('PUT', '/catalog/categories/1', { parent_id: 4 })).body).toEqual(ring)
  })

  test('has no rings either when two categories are moved below each other at once', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop, 'One')
    await add(shop, 'Two')
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([
        call('PUT', '/catalog/categories/1', { parent_id: 2 }),
        call('PUT', '/catalog/categories/2', { parent_id: 1 }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      for (const id of [1, 2]) await call('PUT', `/catalog/categories/${id}`, { parent_id: 0 })
    }
  })

  test('accepts existing parents of this store only (422)', async () => {
    const shop = await openShop()
    const other = await openShop()
    await add(shop, 'One')
    await chain(other, 3)
    for (const parent_id of [3, 99, 2_147_483_647]) {
      const missing = invalid({ parent_id: `There is no category ${parent_id}.` })
      const created = await shop.call('POST', '/catalog/categories', { name: 'Two', parent_id })
      expect({ status: created.status, body: created.body }).toEqual({ status: 422, body: missing })
      expect((await shop.call('PUT', '/catalog/categories/1', { parent_id })).body).toEqual(missing)
    }
    // The unknown category comes before the unknown parent (docs/contract/conventions.md section 1).
    expect((await shop.call('PUT', '/catalog/categories/99', { parent_id: 99 })).status).toBe(404)
  })

  test('loses a category without children, with its metafields', async () => {
    const shop = await openShop()
    const { call } = shop
    await chain(shop, 2)
    await call('POST', '/catalog/categories/2/metafields', {
      key: 'a',
      value: 'b',
      namespace: 'c',
      permission_set: 'read',
    })
    const held = await call('DELETE', '/catalog/categories/1')
    expect({ status: held.status, body: held.body }).toEqual({
      status: 409,
      body: problem(409, 'The category 1 has categories below it.'),
    })
    expect(await call('DELETE', '/catalog/categories/2')).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', '/catalog/categories/metafields')).body.data).toEqual([])
    expect((await call('DELETE', '/catalog/categories/1')).status).toBe(204)
    const gone = await call('DELETE', '/catalog/categories/1')
    expect({ status: gone.status, body: gone.body }).toEqual({
      status: 404,
      body: problem(404, 'The category 1 does not exist.'),
    })
  })

  test('loses no parent to a deletion while a child is created below it (C-012)', async () => {
    const shop = await openShop()
    const { call } = shop
    for (let race = 0; race < sized(1_000, 30); race++) {
      const id = await add(shop, `Race ${race}`)
      const [deleted, created] = await Promise.all([
        call('DELETE', `/catalog/categories/${id}`),
        call('POST', '/catalog/categories', { name: 'Below', parent_id: id }),
      ])
      expect([
        [204, 422],
        [409, 200],
      ]).toContainEqual([deleted.status, created.status])
    }
  })

  test('accepts one of several siblings that request the same name at once', async () => {
    const { call } = await openShop()
    for (let round = 0; round < 20; round++) {
      const names = [`Åre ${round}`, `A\u030are ${round}`, `åRE ${round}`]
      const answers = await Promise.all(
        names.map((name) => call('POST', '/catalog/categories', { name, parent_id: 0 })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
  })

  test('holds 16,000 categories in a store: one more is 403', async () => {
    const { call, store } = await openShop()
    const { directory } = (await theHouse()).installation
    await directory
      .cellOf(store)
      .api.of(store)
      .transaction((tx) =>
        tx.rows(sql`
          -- of a test
          with counter as (
            insert into counters (store_id, resource, last_id, total, version)
            values (${store.id}, 'categories', 15999, 15999, 1)
          )
          insert into categories (store_id, id, parent_id, name, name_key, description, views, sort_order, page_title,
            page_title_key, search_keywords, meta_keywords, meta_description, layout_file, is_visible,
            default_product_sort, image_url, custom_url)
          select ${store.id}, n, 0, 'Category ' || n, 'category ' || n, '', 0, 0, '', '', '', '[]', '', 'category.html',
            true, 'use_store_settings', '', jsonb_build_object('url', '/category-' || n || '/', 'is_customized', false)
          from generate_series(1, 15999) n`),
      )
    const fields = (name: string) => ({ name, parent_id: 0 })
    expect((await call('POST', '/catalog/categories', fields('The last'))).body.data.id).toBe(16_000)
    const { status, body } = await call('POST', '/catalog/categories', fields('One more'))
    expect({ status, body }).toEqual({ status: 403, body: problem(403, 'A store can hold at most 16000 categories.') })
    expect((await call('POST', '/catalog/categories', fields('category 7'))).status).toBe(409)
  })
})

describe('the list of categories', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    for (const category of [
      { name: 'Tableware', parent_id: 0, sort_order: 5, page_title: 'All for the table' },
      { name: 'cups', parent_id: 1, sort_order: -1, search_keywords: 'TABLE, 100%' },
      { name: 'Mugs', parent_id: 1, is_visible: false },
      { name: 'Åre', parent_id: 0, sort_order: 5, page_title: 'Table of Åre' },
      { name: 'Small mugs', parent_id: 3 },
    ]) {
      await shop.call('POST', '/catalog/categories', category)
    }
    await add(await openShop(), 'Mugs')
  })

  test.each([
    ['', [1, 2, 3, 4, 5]],
    ['id=3', [3]],
    ['id:in=1,5,9', [1, 5]],
    ['id:not_in=1,5', [2, 3, 4]],
    ['id:min=4', [4, 5]],
    ['id:max=2', [1, 2]],
    ['id:greater=4', [5]],
    ['id:less=2', [1]],
    ['name=CUPS', [2]],
    ['name:like=MUG', [3, 5]],
    ['parent_id=0', [1, 4]],
    ['parent_id:in=0,3', [1, 4, 5]],
    ['parent_id:min=1', [2, 3, 5]],
    ['parent_id:max=1', [1, 2, 3, 4]],
    ['parent_id:greater=1', [5]],
    ['parent_id:less=1', [1, 4]],
    ['page_title=table%20of%20%C3%A5re', [4]],
    ['page_title:like=table', [1, 4]],
    ['is_visible=true', [1, 2, 4, 5]],
    ['is_visible=0', [3]],
    ['keyword=table', [1, 2, 4]],
    ['keyword=%C3%85RE', [4]],
    ['keyword=0%25', [2]],
    ['keyword=_', []],
    ['keyword=mug&is_visible=0', [3]],
    ['name:like=mug&parent_id=1', [3]],
    ['sort=name', [2, 3, 5, 1, 4]],
    ['sort=name&direction=desc', [4, 1, 5, 3, 2]],
    ['sort=id&direction=desc', [5, 4, 3, 2, 1]],
    ['sort=parent_id', [1, 4, 2, 3, 5]],
    ['sort=parent_id&direction=desc', [5, 2, 3, 1, 4]],
    ['sort=sort_order', [2, 3, 5, 1, 4]],
    ['sort=sort_order&direction=desc', [1, 4, 3, 5, 2]],
    ['limit=2&page=3', [5]],
  ])('for ?%s has exactly the matching categories', async (query, expected) => {
    const { status, body } = await shop.call('GET', `/catalog/categories?${query}`)
    expect({ status, ids: ids(body.data) }).toEqual({ status: 200, ids: expected })
  })

  test.each([
    ['limit=251', 413, '251'],
    ['colour=red', 422, 'colour'],
    ['is_visible=maybe', 422, 'maybe'],
    ['sort=views', 422, 'sort'],
    ['description=x', 422, 'description'],
    ['parent_id:not_in=1', 422, 'parent_id:not_in'],
  ])('for ?%s is refused with %i', async (query, status, hint) => {
    const answered = await shop.call('GET', `/catalog/categories?${query}`)
    expect(answered).toMatchObject({ status, body: problem(status, expect.stringContaining(hint)) })
  })

  test('shows the requested fields, and so does one category', async () => {
    const query = 'include_fields=name,views&exclude_fields=views'
    expect((await shop.call('GET', `/catalog/categories?id=2&${query}`)).body.data).toEqual([{ id: 2, name: 'cups' }])
    expect((await shop.call('GET', `/catalog/categories/2?${query}`)).body.data).toEqual({ id: 2, name: 'cups' })
  })
})

describe('a deletion of categories by a filter', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    for (const category of [
      { name: 'Tableware', parent_id: 0 },
      { name: 'Cups', parent_id: 1, page_title: 'All cups' },
      { name: 'Mugs', parent_id: 1, is_visible: false },
      { name: 'Small cups', parent_id: 2 },
      { name: 'New', parent_id: 0, search_keywords: 'fresh' },
      { name: 'Newer', parent_id: 0 },
      { name: 'Newest', parent_id: 0 },
    ]) {
      await shop.call('POST', '/catalog/categories', category)
    }
  })
  const left = async (query: string) => {
    const { status, body } = await shop.call('DELETE', `/catalog/categories?${query}`)
    return { status, body, ids: ids((await shop.call('GET', '/catalog/categories')).body.data) }
  }

  test('needs a filter (422)', async () => {
    for (const query of ['', 'sort=name', 'views=0', 'parent_id:not_in=9', 'limit=5', 'id:in=', 'is_visible=maybe']) {
      expect(await left(query), query).toMatchObject({ status: 422, ids: [1, 2, 3, 4, 5, 6, 7] })
    }
    // Every text contains an empty text.
    for (const query of ['keyword=', 'name:like=', 'page_title:like=%20', 'name=cups&name:like=', 'page_title=']) {
      expect(await left(query), query).toMatchObject({ status: 422, ids: [1, 2, 3, 4, 5, 6, 7] })
    }
    expect((await left('')).body).toEqual(problem(422, 'The deletion of categories needs a filter in the query.'))
  })

  test('deletes all matching categories, unless one of them has other children (409)', async () => {
    expect(await left('name=cups')).toEqual({
      status: 409,
      body: problem(409, 'The category 2 has categories below it.'),
      ids: [1, 2, 3, 4, 5, 6, 7],
    })
    expect((await left('id:max=3')).status).toBe(409)
    const before = (await rowsOf(shop, 'events')).length
    expect(await left('name:like=CUPS')).toMatchObject({ status: 204, ids: [1, 3, 5, 6, 7] })
    expect(
      (await rowsOf(shop, 'events')).slice(before).map(({ scope, data }) => [scope, JSON.parse(String(data))]),
    ).toEqual(
      [2, 4].flatMap((id) => [
        ['store/category/deleted', { type: 'category', id }],
        ['store/channel/1/category/deleted', { category_id: id, tree_id: 1 }],
      ]),
    )
    expect(await left('id:greater=5&id:less=7&name=Nothing')).toMatchObject({ status: 204, ids: [1, 3, 5, 6, 7] })
    expect(await left('keyword=fresh')).toMatchObject({ status: 204, ids: [1, 3, 6, 7] })
    expect(await left('is_visible=false')).toMatchObject({ status: 204, ids: [1, 6, 7] })
    expect(await left('parent_id=0&id:in=6,9')).toMatchObject({ status: 204, ids: [1, 7] })
    expect(await left('id:min=0')).toMatchObject({ status: 204, ids: [] })
  })
})

describe('the image of a category', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = async ({ call }: Shop, id: number) =>
    (await call('POST', `/catalog/categories/${id}/image`, undefined, form('image_file', 'a.png', PNG))).body.data
      .image_url
  const stored = async ({ store }: Shop) => {
    const { files } = await theHouse()
    return readdir(join(files.folder, store.hash))
  }
  const image = async ({ call }: Shop) => (await call('GET', '/catalog/categories/1')).body.data.image_url

  test('is stored and shown, and gone after DELETE', async () => {
    const shop = await openShop()
    await add(shop, 'Mugs')
    const url = await upload(shop, 1)
    expect(url).toMatch(/^http:\/\/shop\.test\/files\//)
    expect(await image(shop)).toBe(url)
    expect(await stored(shop)).toHaveLength(1)
    expect((await shop.call('DELETE', '/catalog/categories/1/image')).status).toBe(204)
    expect(await image(shop)).toBe('')
    expect(await stored(shop)).toEqual([])
    expect((await shop.call('DELETE', '/catalog/categories/2/image')).status).toBe(404)
  })

  test('is replaced by an image_url in JSON, also in the other family, and goes with its category', async () => {
    const shop = await openShop()
    await add(shop, 'Mugs')
    const own = await upload(shop, 1)
    await shop.call('PUT', '/catalog/categories/1', { image_url: own, views: 1 })
    expect(await stored(shop)).toHaveLength(1)
    await shop.call('PUT', '/catalog/categories/1', { image_url: 'https://cdn.example.com/a.png' })
    expect(await stored(shop)).toEqual([])
    await upload(shop, 1)
    await shop.call('PUT', '/catalog/trees/categories', [{ category_id: 1, image_url: '' }])
    expect([await image(shop), await stored(shop)]).toEqual(['', []])
    await upload(shop, 1)
    await shop.call('DELETE', '/catalog/categories/1')
    expect(await stored(shop)).toEqual([])
  })
})

describe('a category', () => {
  test('publishes events when it is created, changed and deleted, and none when nothing changes', async () => {
    const shop = await openShop()
    await add(shop, 'Mugs')
    await shop.call('PUT', '/catalog/categories/1', { name: 'Mugs', views: 0, custom_url: { url: '/mugs/' } })
    await shop.call('PUT', '/catalog/categories/1', { name: 'Mugs', views: 0, custom_url: { url: '/mugs/' } })
    await shop.call('DELETE', '/catalog/categories/1')
    expect((await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])).toEqual(
      ['created', 'updated', 'deleted'].flatMap((action) => [
        [`store/category/${action}`, { type: 'category', id: 1 }],
        [`store/channel/1/category/${action}`, { category_id: 1, tree_id: 1 }],
      ]),
    )
  })
})

describe('concurrent requests for categories', () => {
  test('are 40 of each kind in a store; one more waits, and is refused after a second (429)', async () => {
    const shop = await openShop()
    await add(shop, 'Mugs')
    const release = await holdTable(shop, 'categories')
    const one = '/catalog/categories/1'
    const asked = [
      ['GET', '/catalog/categories'],
      ['GET', one],
      ['PUT', one, { name: 'Cups' }],
      ['DELETE', one],
    ] as const
    const refused = asked.map(async ([method, path, body]) => {
      const answers = Array.from({ length: 41 }, () => shop.call(method, path, body))
      expect(await Promise.race(answers)).toMatchObject({ status: 429, body: problem(429, 'Too many requests') })
      return answers
    })
    const kinds = await Promise.all(refused)
    await release()
    for (const answers of kinds) {
      const late = (await Promise.all(answers)).filter(({ status }) => status === 429)
      expect(late).toHaveLength(1)
    }
  })
})
