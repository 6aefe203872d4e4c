import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/categories.md section 4. The rules that both families share are in categories.test.ts.

const PATH = '/catalog/trees/categories'

/** The answer if no item of a list is saved. */
const noneSaved = (method: 'POST' | 'PUT', total: number, errors: object) => ({
  ...(method === 'POST' ? { data: [] } : {}),
  errors: invalid(errors),
  meta: { total, success: 0, failed: total },
})
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A store with a second tree, which has no channel. */
async function openTrees(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('PUT', '/catalog/trees', [{ name: 'Two' }])
  return shop
}

const send = async ({ call }: Shop, method: string, body: unknown) => {
  const answered = await call(method, PATH, body)
  return { status: answered.status, body: answered.body }
}

/** @returns the ids of the new ones */
const add = async (shop: Shop, ...categories: object[]): Promise<number[]> => {
  const { body } = await send(
    shop,
    'POST',
    categories.map((category) => ({ tree_id: 1, parent_id: 0, ...category })),
  )
  return body.data.map(({ category_id }: { category_id: number }) => category_id)
}

const get = async ({ call }: Shop, id: number) => (await call('GET', `${PATH}?category_id:in=${id}`)).body.data[0]

const eventsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])

const whole = {
  tree_id: 2,
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
  url: { path: '/tableware/cups/', is_customized: true },
}

describe('new categories', () => {
  test('are answered as a whole, with their defaults', async () => {
    const shop = await openTrees()
    const { status, body } = await send(shop, 'POST', [{ name: 'Mugs', tree_id: 2, parent_id: 0 }, whole])
    const plain = {
      category_id: 1,
      category_uuid: expect.stringMatching(UUID),
      tree_id: 2,
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
      url: { path: '/mugs/', is_customized: false },
    }
    const full = { ...whole, category_id: 2, category_uuid: expect.stringMatching(UUID) }
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: [plain, full], meta: { total: 2, success: 2, failed: 0 } },
    })
    const [mugs, cups] = body.data
    expect(mugs.category_uuid).not.toBe(cups.category_uuid)
    expect((await shop.call('GET', PATH)).body).toEqual({
      data: [mugs, cups],
      meta: { pagination: onlyPage(2) },
    })
  })

  test('need a tree or a parent, and are in the tree of their parent', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'Mugs', tree_id: 2 })
    expect(await add(shop, { name: 'Small', tree_id: undefined, parent_id: 1 })).toEqual([2])
    expect(await get(shop, 2)).toMatchObject({ tree_id: 2, parent_id: 1 })
    expect(await add(shop, { name: 'At the top', parent_id: undefined })).toEqual([3])
    expect(await get(shop, 3)).toMatchObject({ tree_id: 1, parent_id: 0 })
    expect(await send(shop, 'POST', [{ name: 'Nowhere' }, { name: 'Nowhere', parent_id: 0 }])).toEqual({
      status: 422,
      body: noneSaved('POST', 2, { '0.tree_id': 'error.path.missing', '1.tree_id': 'error.path.missing' }),
    })
  })

  test('are saved without the faulty ones (207)', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'Mugs' }, { name: 'Elsewhere', tree_id: 2 })
    const { status, body } = await send(
      shop,
      'POST',
      [
        { name: 'Mugs' },
        { name: 'Plates' },
        { name: 'Bowls', tree_id: 9, parent_id: 9 },
        { name: 'Bowls', parent_id: 2 },
        { name: 'Bowls', url: { path: '/mugs' } },
        { name: 'Bowls', url: { path: 'no address' } },
        { name: 'mugs', tree_id: 2 },
      ].map((category) => ({ tree_id: 1, parent_id: 0, ...category })),
    )
    expect({ status, body }).toEqual({
      status: 207,
      body: {
        data: [
          expect.objectContaining({ category_id: 3, name: 'Plates' }),
          expect.objectContaining({ category_id: 4, name: 'mugs', url: { path: '/mugs-1/', is_customized: false } }),
        ],
        errors: problem(422, 'Not all categories were saved.', {
          '0.name': 'A category with this name already exists below this parent.',
          '2.tree_id': 'There is no category tree 9.',
          '2.parent_id': 'There is no category 9.',
          '3.parent_id': 'The category 2 is in another tree.',
          '4.url.path': 'The address /mugs/ is taken.',
          '5.url.path': 'The address no address has characters or a form that is not allowed.',
        }),
        meta: { total: 7, success: 2, failed: 5 },
      },
    })
    expect((await shop.call('GET', PATH)).body.data).toHaveLength(4)
  })

  test('are 422 if none of them can be saved', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'Mugs' })
    const before = await eventsOf(shop)
    expect(await send(shop, 'POST', [{ name: 'MUGS', tree_id: 1, parent_id: 0 }])).toEqual({
      status: 422,
      body: noneSaved('POST', 1, { '0.name': 'A category with this name already exists below this parent.' }),
    })
    expect(await eventsOf(shop)).toEqual(before)
    expect(await add(shop, { name: 'Plates' })).toEqual([2])
  })

  test('are refused as a whole if an item is no category (422)', async () => {
    const shop = await openTrees()
    const { status, body } = await send(shop, 'POST', [
      { name: 'Good', tree_id: 1, parent_id: 0 },
      { tree_id: 1, parent_id: 0 },
      { name: 'a'.repeat(51), tree_id: 0, parent_id: -1, url: { path: `/${'a'.repeat(255)}` } },
      { name: 7, tree_id: '1', url: '/mugs/' },
    ])
    expect({ status, body }).toEqual({
      status: 422,
      body: noneSaved('POST', 4, {
        '1.name': 'error.path.missing',
        '2.name': 'name must have at most 50 characters, not 51.',
        '2.tree_id': 'tree_id must be at least 1, not 0.',
        '2.parent_id': 'parent_id must be at least 0, not -1.',
        '2.url.path': expect.stringContaining('at most 255'),
        '3.name': 'error.expected.jsstring',
        '3.tree_id': 'error.expected.jsnumber',
        '3.url': 'error.expected.jsobject',
      }),
    })
    expect((await shop.call('GET', PATH)).body.data).toEqual([])
  })

  test('are at most 250 in a request (413), at least one (422)', async () => {
    const shop = await openTrees()
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `Category ${i}`, tree_id: 1, parent_id: 0 }))
    expect((await send(shop, 'POST', many(251))).status).toBe(413)
    expect((await send(shop, 'POST', [])).status).toBe(422)
    const { status, body } = await send(shop, 'POST', many(250))
    expect({ status, meta: body.meta }).toEqual({ status: 201, meta: { total: 250, success: 250, failed: 0 } })
  })
})

test('have a layout_file of at most 50 characters, also in changes', async () => {
  const shop = await openTrees()
  const layout = (length: number) => 'x'.repeat(length)
  await add(shop, { name: 'Mugs', layout_file: layout(50) })
  expect(await get(shop, 1)).toMatchObject({ layout_file: layout(50) })
  const errors = { '0.layout_file': 'layout_file must have at most 50 characters, not 51.' }
  for (const [method, item] of [
    ['POST', { name: 'Cups', tree_id: 1, parent_id: 0 }],
    ['PUT', { category_id: 1 }],
  ] as const) {
    const answered = await send(shop, method, [{ ...item, layout_file: layout(51) }])
    expect(answered, method).toEqual({ status: 422, body: noneSaved(method, 1, errors) })
  }
  expect((await send(shop, 'PUT', [{ category_id: 1, layout_file: layout(49) }])).status).toBe(200)
  expect(await get(shop, 1)).toMatchObject({ layout_file: layout(49) })
})

describe('changes of categories', () => {
  test('are answered without the categories, and keep fields that they leave out', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'Tableware', tree_id: 2 })
    await add(shop, whole, { name: 'Mugs' })
    const before = await get(shop, 2)
    expect(
      await send(shop, 'PUT', [
        { category_id: 2, is_visible: true },
        { category_id: 3, url: { path: '/own' } },
      ]),
    ).toEqual({
      status: 200,
      body: { meta: { total: 2, success: 2, failed: 0 } },
    })
    expect(await get(shop, 2)).toEqual({ ...before, is_visible: true })
    expect(await get(shop, 3)).toMatchObject({ url: { path: '/own/', is_customized: true } })
    // Clients send back categories as they were read; ids and UUIDs of a category never change.
    const sent = { ...before, category_uuid: '00000000-0000-4000-8000-000000000000' }
    expect((await send(shop, 'PUT', [sent])).status).toBe(200)
    expect(await get(shop, 2)).toEqual(before)
  })

  test('are saved without the faulty ones (207)', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'Mugs' }, { name: 'Cups' }, { name: 'Elsewhere', tree_id: 2 })
    expect(
      await send(shop, 'PUT', [
        { category_id: 99, name: 'Nothing' },
        { category_id: 1, name: 'Cups' },
        { category_id: 1, parent_id: 3 },
        { category_id: 1, parent_id: 1 },
        { category_id: 2, name: 'Bowls' },
        { category_id: 1, name: 'Cups' },
        { category_id: 1, tree_id: 9 },
      ]),
    ).toEqual({
      status: 207,
      body: {
        errors: problem(422, 'Not all categories were saved.', {
          '0.category_id': 'The category 99 does not exist.',
          '1.name': 'A category with this name already exists below this parent.',
          '2.parent_id': 'The category 3 is in another tree.',
          '3.parent_id': 'A category cannot be moved below itself or one of its descendants.',
          '6.tree_id': 'There is no category tree 9.',
        }),
        meta: { total: 7, success: 2, failed: 5 },
      },
    })
    expect((await shop.call('GET', `${PATH}?include_fields=name`)).body.data).toEqual([
      { category_id: 1, name: 'Cups' },
      { category_id: 2, name: 'Bowls' },
      { category_id: 3, name: 'Elsewhere' },
    ])
  })

  test('are 422 if none of them can be saved', async () => {
    const shop = await openTrees()
    expect(await send(shop, 'PUT', [{ category_id: 99 }])).toEqual({
      status: 422,
      body: noneSaved('PUT', 1, { '0.category_id': 'The category 99 does not exist.' }),
    })
    expect(await send(shop, 'PUT', [{ name: 'No id' }, { category_id: 99 }])).toEqual({
      status: 422,
      body: noneSaved('PUT', 2, { '0.category_id': 'error.path.missing' }),
    })
    expect(
      (
        await send(
          shop,
          'PUT',
          Array.from({ length: 251 }, () => ({ category_id: 1 })),
        )
      ).status,
    ).toBe(413)
  })

  test('are refused like other bodies if they are no list of them', async () => {
    const shop = await openTrees()
    for (const method of ['POST', 'PUT']) {
      expect(await send(shop, method, [])).toEqual({
        status: 422,
        body: invalid({ '': 'The body must hold at least 1.' }),
      })
      expect(await send(shop, method, {})).toEqual({ status: 422, body: invalid({ '': 'error.expected.jsarray' }) })
    }
  })

  test('move a category to another tree, with all its descendants', async () => {
    const shop = await openTrees()
    const [cups = 0, plates = 0] = await add(shop, { name: 'Cups' }, { name: 'Plates', tree_id: 2 })
    const [small = 0] = await add(shop, { name: 'Small', parent_id: cups })
    const [tiny = 0] = await add(shop, { name: 'Tiny', parent_id: small })
    const before = (await eventsOf(shop)).length
    // Its parent stays, so it moves to the top unless the request names another parent.
    expect((await send(shop, 'PUT', [{ category_id: small, tree_id: 2 }])).status).toBe(200)
    expect(await get(shop, small)).toMatchObject({ tree_id: 2, parent_id: 0 })
    expect(await get(shop, tiny)).toMatchObject({ tree_id: 2, parent_id: small })
    const back = { category_id: small, tree_id: 1, parent_id: cups }
    expect((await send(shop, 'PUT', [{ category_id: small, parent_id: plates }, back])).status).toBe(200)
    expect(await get(shop, small)).toMatchObject({ tree_id: 1, parent_id: cups })
    expect(await get(shop, tiny)).toMatchObject({ tree_id: 1, parent_id: small })
    // A tree without a channel has events of the store only.
    const store = (id: number) => ['store/category/updated', { type: 'category', id }]
    const channel = (id: number) => ['store/channel/1/category/updated', { category_id: id, tree_id: 1 }]
    expect((await eventsOf(shop)).slice(before)).toEqual([
      ...[store(small), store(tiny)],
      store(small),
      ...[store(small), channel(small), store(tiny), channel(tiny)],
    ])
  })

  test('keep trees eight levels deep and without rings when a branch moves', async () => {
    const shop = await openTrees()
    let deep = 0
    for (let level = 1; level <= 7; level++) [deep = 0] = await add(shop, { name: `Level ${level}`, parent_id: deep })
    const [top = 0] = await add(shop, { name: 'Top', tree_id: 2 })
    await add(shop, { name: 'Below', tree_id: 2, parent_id: top })
    expect(await send(shop, 'PUT', [{ category_id: top, tree_id: 1, parent_id: deep }])).toEqual({
      status: 422,
      body: noneSaved('PUT', 1, { '0.parent_id': 'Categories can be at most 8 levels deep.' }),
    })
    expect((await send(shop, 'PUT', [{ category_id: top, tree_id: 1, parent_id: deep - 1 }])).status).toBe(200)
    expect((await send(shop, 'PUT', [{ category_id: 1, parent_id: deep }])).status).toBe(422)
  })

  test('in opposite orders never wait for each other (C-024)', async () => {
    const shop = await openTrees()
    const ids = await add(shop, ...['One', 'Two', 'Three', 'Four'].map((name) => ({ name })))
    for (let round = 0; round < 10; round++) {
      const changes = ids.map((category_id) => ({ category_id, views: round + 1 }))
      const answers = await Promise.all([
        send(shop, 'PUT', changes),
        send(shop, 'PUT', changes.toReversed()),
        send(shop, 'POST', [{ name: `New ${round}`, parent_id: ids[0] }]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 201])
    }
  })

  test('publish nothing if nothing changes', async () => {
    const shop = await openTrees()
    await add(shop, { ...whole, parent_id: 0 })
    const before = await eventsOf(shop)
    expect((await send(shop, 'PUT', [{ ...(await get(shop, 1)) }])).body.meta.success).toBe(1)
    expect(await eventsOf(shop)).toEqual(before)
  })
})

describe('deleted categories', () => {
  test('publish events in the store and in the channel of their tree', async () => {
    const shop = await openTrees()
    await add(shop, { name: 'One' }, { name: 'Two' }, { name: 'Three', tree_id: 2 })
    const before = (await eventsOf(shop)).length
    const { status, body } = await send(shop, 'DELETE', undefined)
    expect({ status, body }).toEqual({
      status: 422,
      body: problem(422, 'The deletion of categories needs a filter in the query.'),
    })
    const gone = await shop.call('DELETE', `${PATH}?category_id:in=2,3,9`)
    expect({ status: gone.status, body: gone.body }).toEqual({
      status: 202,
      body: { meta: { total: 2, success: 2, failed: 0 } },
    })
    expect((await eventsOf(shop)).slice(before)).toEqual([
      ['store/category/deleted', { type: 'category', id: 2 }],
      ['store/channel/1/category/deleted', { category_id: 2, tree_id: 1 }],
      ['store/category/deleted', { type: 'category', id: 3 }],
    ])
    expect((await shop.call('GET', PATH)).body.data).toMatchObject([{ category_id: 1 }])
    expect((await shop.call('DELETE', `${PATH}?category_id:in=2`)).body.meta.total).toBe(0)
  })

  test('are found by each filter, and by all filters together', async () => {
    const shop = await openTrees()
    const [one = 0, two = 0, three = 0] = await add(
      shop,
      { name: 'One' },
      { name: 'Two' },
      { name: 'Three', tree_id: 2 },
    )
    await add(shop, { name: 'Below', parent_id: one }, { name: 'Below', parent_id: two })
    const { category_uuid } = await get(shop, three)
    const left = async (query: string) => {
      const { status } = await shop.call('DELETE', `${PATH}?${query}`)
      const { data } = (await shop.call('GET', PATH)).body
      return { status, ids: data.map(({ category_id }: { category_id: number }) => category_id) }
    }
    expect(await left(`category_uuid:in=${category_uuid}&tree_id:in=1`)).toEqual({ status: 202, ids: [1, 2, 3, 4, 5] })
    expect(await left(`category_uuid:in=${category_uuid.toUpperCase()}`)).toEqual({ status: 202, ids: [1, 2, 4, 5] })
    expect(await left('parent_id:in=1')).toEqual({ status: 202, ids: [1, 2, 5] })
    expect(await left('parent_id:in=0')).toEqual({ status: 409, ids: [1, 2, 5] })
    expect(await left('category_id:in=2,5')).toEqual({ status: 202, ids: [1] })
    expect(await left('tree_id:in=1')).toEqual({ status: 202, ids: [] })
    for (const query of ['category_id:in=', 'category_id=1', 'name=One', 'category_id:not_in=1', 'tree_id:in=x']) {
      expect((await left(query)).status, query).toBe(422)
    }
  })
})

describe('the list of all trees', () => {
  let shop: Shop
  let uuids: string[]
  beforeAll(async () => {
    shop = await openTrees()
    await add(
      shop,
      { name: 'Tableware', page_title: 'All for the table', search_keywords: 'Plates, BOWLS' },
      { name: 'cups', parent_id: 1 },
      { name: 'Mugs', parent_id: 1, is_visible: false, page_title: 'Bowls without' },
      { name: 'Åre', tree_id: 2, page_title: 'Table of Åre' },
    )
    await add(shop, { name: 'Small mugs', parent_id: 3, description: 'bowls' })
    const { data } = (await shop.call('GET', PATH)).body
    uuids = data.map(({ category_uuid }: { category_uuid: string }) => category_uuid)
  })

  test.each([
    ['', [1, 2, 3, 4, 5]],
    ['category_id:in=1,5,9', [1, 5]],
    ['category_id:not_in=1,5', [2, 3, 4]],
    ['tree_id:in=2,9', [4]],
    ['tree_id:not_in=2', [1, 2, 3, 5]],
    ['parent_id:in=0,3', [1, 4, 5]],
    ['parent_id:not_in=0', [2, 3, 5]],
    ['name=CUPS', [2]],
    ['name:like=MUG', [3, 5]],
    ['page_title=table%20of%20%C3%A5re', [4]],
    ['page_title:like=table', [1, 4]],
    ['is_visible=true', [1, 2, 4, 5]],
    ['is_visible=0', [3]],
    ['keyword=bowls', [1, 3]],
    ['keyword=ÅRE', [4]],
    ['keyword=%25', []],
    ['keyword=mug&is_visible=true', [5]],
    ['limit=2&page=3', [5]],
  ])('for ?%s has exactly the matching categories', async (query, expected) => {
    const { status, body } = await shop.call('GET', `${PATH}?${query}`)
    const ids = body.data.map(({ category_id }: { category_id: number }) => category_id)
    expect({ status, ids }).toEqual({ status: 200, ids: expected })
  })

  test('is filtered by UUIDs', async () => {
    const ids = async (query: string) =>
      (await shop.call('GET', `${PATH}?${query}`)).body.data.map((found: { category_id: number }) => found.category_id)
    expect(await ids(`category_uuid:in=${uuids[1]},${uuids[3]?.toUpperCase()},nothing`)).toEqual([2, 4])
    expect(await ids(`category_uuid:not_in=${uuids[1]},${uuids[3]}`)).toEqual([1, 3, 5])
  })

  test('shows the requested fields, by their names in this family, and links that request the same', async () => {
    const fields = async (query: string) => (await shop.call('GET', `${PATH}?category_id:in=2&${query}`)).body
    const only = await fields('include_fields=url,name,id,custom_url,nothing')
    expect(only.data).toEqual([{ category_id: 2, name: 'cups', url: { path: '/cups/', is_customized: false } }])
    expect(only.meta.pagination.links.current).toBe(
      '?category_id%3Ain=2&include_fields=url%2Cname%2Cid%2Ccustom_url%2Cnothing&page=1&limit=50',
    )
    const [without] = (await fields('exclude_fields=url,description,category_id,custom_url')).data
    expect(Object.keys(without)).toEqual([
      ...['category_id', 'category_uuid', 'tree_id', 'parent_id', 'name', 'views', 'sort_order', 'page_title'],
      ...['search_keywords', 'meta_keywords', 'meta_description', 'layout_file', 'is_visible'],
      ...['default_product_sort', 'image_url'],
    ])
  })

  test.each([
    ['limit=251', 413, '251'],
    ['id=1', 422, 'id'],
    ['tree_id=1', 422, 'tree_id'],
    ['tree_id:in=', 422, 'tree_id'],
    ['parent_id:in=-1', 422, '-1'],
    ['sort=name', 422, 'sort'],
    [`category_id:in=${Array.from({ length: 251 }, (_, i) => i + 1).join()}`, 413, '250'],
  ])('for ?%s is refused with %i', async (query, status, hint) => {
    const answered = await shop.call('GET', `${PATH}?${query}`)
    expect(answered).toMatchObject({ status, body: problem(status, expect.stringContaining(hint)) })
  })

  test('alone has the categories of other trees: the older endpoints have the first tree only', async () => {
    expect((await shop.call('GET', '/catalog/categories')).body.data.map(({ id }: { id: number }) => id)).toEqual([
      1, 2, 3, 5,
    ])
    for (const [method, body] of [['GET'], ['PUT', { name: 'Other' }], ['DELETE']] as const) {
      const { status, body: refusal } = await shop.call(method, '/catalog/categories/4', body)
      expect({ status, refusal }, method).toEqual({
        status: 404,
        refusal: problem(404, 'The category 4 does not exist.'),
      })
    }
    expect((await shop.call('DELETE', '/catalog/categories?id=4')).status).toBe(204)
    expect(await get(shop, 4)).toMatchObject({ name: 'Åre' })
    const below = await shop.call('POST', '/catalog/categories', { name: 'Below', parent_id: 4 })
    expect(below.body).toEqual(invalid({ parent_id: 'The category 4 is in another tree.' }))
    // Metafields have no other path.
    expect((await shop.call('GET', '/catalog/categories/4/metafields')).body.data).toEqual([])
  })
})
