import { describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/products.md sections 1 and 2: many products in one request, all or none, and many requests at once.

const PRODUCTS = '/catalog/products'

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
const named = (name: string, more: object = {}) => ({ ...mug, name, ...more })
const chosen = (label: string, option_display_name = 'Size') => [{ option_display_name, label }]
const NAME_TAKEN = 'A product with this name already exists.'
const SKU_TAKEN = 'A product or variant with this SKU already exists.'

const send = async ({ call }: Shop, method: string, body: unknown) => {
  const answered = await call(method, PRODUCTS, body)
  return { status: answered.status, body: answered.body }
}
const all = async ({ call }: Shop) => (await call('GET', `${PRODUCTS}?include=variants&limit=250`)).body.data
/** Every table that a refused request could have written to. */
const everything = async (shop: Shop) =>
  Promise.all(
    ['products', 'variants', 'skus', 'urls', 'options', 'option_values', 'custom_fields', 'brands', 'events'].map(
      async (table) => [table, await rowsOf(shop, table)],
    ),
  )

describe('a list of new products', () => {
  test('is answered in its order, each product as if it were alone', async () => {
    const shop = await openShop()
    const alone = await openShop()
    const list = [
      named('Mug', { sku: 'M', price: '2.50' }),
      named('Bowl', { variants: [{ sku: 'B-S', option_values: chosen('S') }], videos: [{ video_id: 'abc' }] }),
      named('Plate', { brand_name: 'Hay', custom_fields: [{ name: 'a', value: 'b' }] }),
    ]
    const { status, body } = await send(shop, 'POST', list)
    expect({ status, names: body.data.map(({ name }: { name: string }) => name), meta: body.meta }).toEqual({
      status: 200,
      names: ['Mug', 'Bowl', 'Plate'],
      meta: {},
    })
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3])
    for (const product of list) await send(alone, 'POST', product)
    const query = `${PRODUCTS}?include=variants,videos,custom_fields,options&exclude_fields=date_created,date_modified`
    const dateless = (text: string) => text.replaceAll(/"name":"Size\d+-/g, '"name":"Size-')
    expect(dateless((await shop.call('GET', query)).text)).toEqual(dateless((await alone.call('GET', query)).text))
  })

  test('reports every mistake of every item at once, by its path, and stores nothing', async () => {
    const shop = await openShop()
    const before = await everything(shop)
    const list = [
      {
        ...mug,
        price: -1,
        variants: [
          { sku: 'A', option_values: chosen('S') },
          { sku: 'B', price: 'x', option_values: [] },
        ],
      },
      named('Bowl'),
      {
        type: 'physical',
        weight: null,
        price: 5,
        categories: [1, 'x'],
        variants: [{ option_values: [{ label: 'S' }] }],
      },
    ]
    expect(await send(shop, 'POST', list)).toEqual({
      status: 422,
      body: invalid({
        '0.price': 'price must be at least 0, not -1.',
        '0.variants.1.price': 'error.expected.jsnumber',
        '0.variants.1.option_values': 'option_values must hold at least 1.',
        '2.name': 'error.path.missing',
        '2.weight': 'error.expected.jsnumber',
        '2.categories.1': 'error.expected.jsnumber',
        '2.variants.0.sku': 'error.path.missing',
        '2.variants.0.option_values.0.option_display_name': 'error.path.missing',
      }),
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('reports contradictions within an item the same way', async () => {
    const shop = await openShop()
    const field = { name: 'a', value: 'b' }
    const list = [
      named('Mug', { custom_url: { url: 'mug' }, custom_fields: [field, field] }),
      named('Bowl', {
        variants: [
          { sku: 'A', option_values: chosen('S') },
          { sku: 'B', option_values: chosen('Red', 'Colour') },
        ],
      }),
    ]
    const { status, body } = await send(shop, 'POST', list)
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({
        '0.custom_url.url': 'The address mug has characters or a form that is not allowed.',
        '0.custom_fields.1.value': 'This list already has a custom field with this name and value.',
        '1.variants.0.option_values': 'A variant names one value of every option; missing: Colour.',
        '1.variants.1.option_values': 'A variant names one value of every option; missing: Size.',
      }),
    })
    expect(await all(shop)).toEqual([])
  })

  test('accepts a name once, and no taken one (409)', async () => {
    const shop = await openShop()
    await send(shop, 'POST', mug)
    const before = await everything(shop)
    const list = [named('Bowl'), named(' MUG'), named('Plate'), named('bowl')]
    expect(await send(shop, 'POST', list)).toEqual({
      status: 409,
      body: problem(409, NAME_TAKEN, { '1.name': NAME_TAKEN, '3.name': NAME_TAKEN }),
    })
    expect(await send(shop, 'POST', [mug])).toEqual({
      status: 409,
      body: problem(409, NAME_TAKEN, { '0.name': NAME_TAKEN }),
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('accepts a SKU once, of products and variants, and no taken one (409)', async () => {
    const shop = await openShop()
    await send(shop, 'POST', { ...mug, sku: 'There' })
    const before = await everything(shop)
    const list = [
      named('Bowl', { sku: 'One', variants: [{ sku: 'Two', option_values: chosen('S') }] }),
      named('Plate', { sku: 'two' }),
      named('Jug', {
        sku: 'Three',
        variants: [
          { sku: 'THERE', option_values: chosen('S') },
          { sku: 'three', option_values: chosen('M') },
          { sku: 'ONE', option_values: chosen('L') },
        ],
      }),
    ]
    expect(await send(shop, 'POST', list)).toEqual({
      status: 409,
      body: problem(409, SKU_TAKEN, {
        '1.sku': 'The SKU two is already in use.',
        '2.variants.0.sku': 'The SKU THERE is already in use.',
        '2.variants.1.sku': 'The SKU three is already in use.',
        '2.variants.2.sku': 'The SKU ONE is already in use.',
      }),
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('accepts an address once, and existing brands and categories only (409)', async () => {
    const shop = await openShop()
    const before = await everything(shop)
    const address = { custom_url: { url: '/mug' } }
    expect(await send(shop, 'POST', [named('A', address), named('B'), named('C', address)])).toEqual({
      status: 409,
      body: problem(409, 'The address /mug is taken.', { '2.custom_url.url': 'The address /mug is taken.' }),
    })
    expect(await send(shop, 'POST', [named('A', { brand_id: 5 }), named('B', { brand_id: 6 })])).toMatchObject({
      status: 409,
      body: { errors: { '0.brand_id': 'There is no brand 5.', '1.brand_id': 'There is no brand 6.' } },
    })
    expect(await send(shop, 'POST', [named('A', { categories: [5] }), named('B', { categories: [6] })])).toMatchObject({
      status: 409,
      body: { errors: { '0.categories.0': 'There is no category 5.', '1.categories.0': 'There is no category 6.' } },
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('may name one new brand many times', async () => {
    const shop = await openShop()
    const list = ['Hay', 'hay ', 'Ferm'].map((brand_name, i) => named(`Mug ${i}`, { brand_name }))
    expect((await send(shop, 'POST', list)).body.data.map(({ brand_id }: never) => brand_id)).toEqual([1, 1, 2])
  })

  test.each([
    [100, 200],
    [101, 413],
  ])('of %i is %i', async (count, status) => {
    const shop = await openShop()
    const list = Array.from({ length: count }, (_, i) => named(`Mug ${i}`))
    expect((await send(shop, 'POST', list)).status).toBe(status)
    expect(await all(shop)).toHaveLength(status === 200 ? count : 0)
  })

  test.each([
    ['an empty list', [], { '': 'The body must hold at least 1.' }],
    ['a list of texts', ['mug'], { '0': 'error.expected.jsobject' }],
    ['a text', 'mug', { '': 'error.expected.jsobject' }],
  ])('is not %s (422)', async (_, body, errors) => {
    expect(await send(await openShop(), 'POST', body)).toEqual({ status: 422, body: invalid(errors) })
  })
})

describe('a product in many categories', () => {
  test('may be in 1,000', async () => {
    const shop = await openShop()
    const { call } = shop
    for (let start = 0; start < 1_000; start += 50) {
      const some = Array.from({ length: 50 }, (_, i) => ({ name: `Category ${start + i}`, tree_id: 1, parent_id: 0 }))
      expect((await call('POST', '/catalog/trees/categories', some)).status).toBe(201)
    }
    const categories = Array.from({ length: 1_000 }, (_, i) => i + 1)
    const { status, body } = await send(shop, 'POST', { ...mug, categories: categories.toReversed() })
    expect({ status, categories: body.data.categories }).toEqual({ status: 200, categories })
    expect(await rowsOf(shop, 'product_categories')).toHaveLength(1_000)
    const put = await call('PUT', `${PRODUCTS}/1`, { categories: [7] })
    expect(put.body.data.categories).toEqual([7])
    expect(await rowsOf(shop, 'product_categories')).toMatchObject([{ category_id: 7 }])
  })
})

describe('a list of changes', () => {
  async function openThree() {
    const shop = await openShop()
    await send(shop, 'POST', [named('A', { sku: 'a' }), named('B', { sku: 'b' }), named('C')])
    return shop
  }

  test('is answered in its order', async () => {
    const shop = await openThree()
    const [a, b, c] = (await shop.call('GET', PRODUCTS)).body.data
    const list = [{ id: 3, price: '5.00005' }, { id: 1, name: 'A1', videos: [{ video_id: 'abc' }] }, { id: 2 }]
    const { status, body } = await send(shop, 'PUT', list)
    const MOMENT = expect.any(String)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          { ...c, price: 5.0001, calculated_price: 5.0001, date_modified: MOMENT, videos: [] },
          {
            ...a,
            name: 'A1',
            custom_url: { url: '/a1/', is_customized: false },
            date_modified: MOMENT,
            videos: [
              {
                id: 1,
                product_id: 1,
                video_id: 'abc',
                type: 'youtube',
                title: '',
                description: '',
                sort_order: 0,
                length: '',
              },
            ],
          },
          { ...b, videos: [] },
        ],
        meta: {},
      },
    })
  })

  test('reports every mistake and unknown id at once, and changes nothing (422)', async () => {
    const shop = await openThree()
    const before = await everything(shop)
    expect(
      await send(shop, 'PUT', [{ id: 1, price: -1 }, { price: 5 }, { id: 3, sku: 5, custom_url: { url: '' } }]),
    ).toEqual({
      status: 422,
      body: invalid({
        '0.price': 'price must be at least 0, not -1.',
        '1.id': 'error.path.missing',
        '2.sku': 'error.expected.jsstring',
        '2.custom_url.url': expect.any(String),
      }),
    })
    expect(
      await send(shop, 'PUT', [
        { id: 9, brand_id: 5 },
        { id: 1, price: 1 },
        { id: 8, brand_name: 'New' },
      ]),
    ).toEqual({
      status: 422,
      body: invalid({ '0.id': 'The product 9 does not exist.', '2.id': 'The product 8 does not exist.' }),
    })
    expect(await send(shop, 'PUT', [{ id: 1, price: 1 }, { id: 2 }, { id: 1, price: 2 }])).toEqual({
      status: 422,
      body: invalid({ '2.id': 'Another item has this id.' }),
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('reports conflicts by their paths, and changes nothing (409)', async () => {
    const shop = await openThree()
    const before = await everything(shop)
    expect(
      await send(shop, 'PUT', [
        { id: 1, price: 1 },
        { id: 3, name: 'b' },
      ]),
    ).toEqual({
      status: 409,
      body: problem(409, NAME_TAKEN, { '1.name': NAME_TAKEN }),
    })
    expect(
      await send(shop, 'PUT', [
        { id: 1, price: 1, sku: 'B' },
        { id: 3, sku: 'b' },
      ]),
    ).toEqual({
      status: 409,
      body: problem(409, SKU_TAKEN, {
        '0.sku': 'The SKU B is already in use.',
        '1.sku': 'The SKU b is already in use.',
      }),
    })
    expect(
      await send(shop, 'PUT', [
        { id: 1, price: 1 },
        { id: 3, custom_url: { url: '/b/' } },
      ]),
    ).toEqual({
      status: 409,
      body: problem(409, 'The address /b/ is taken.', { '1.custom_url.url': 'The address /b/ is taken.' }),
    })
    expect(
      await send(shop, 'PUT', [
        { id: 1, brand_id: 7 },
        { id: 3, categories: [1] },
      ]),
    ).toMatchObject({
      status: 409,
      body: { errors: { '0.brand_id': 'There is no brand 7.' } },
    })
    expect(await everything(shop)).toEqual(before)
  })

  test('lets two products exchange their SKUs', async () => {
    const shop = await openThree()
    expect(
      (
        await send(shop, 'PUT', [
          { id: 1, sku: 'B' },
          { id: 2, sku: 'a' },
        ])
      ).status,
    ).toBe(200)
    expect((await all(shop)).map(({ sku, variants }: never) => [sku, (variants as never[])[0]])).toMatchObject([
      ['B', { sku: 'B' }],
      ['a', { sku: 'a' }],
      ['', { sku: '' }],
    ])
    expect(await rowsOf(shop, 'skus')).toMatchObject([
      { sku_key: 'a', product_id: 2, variant_id: 0 },
      { sku_key: 'b', product_id: 1, variant_id: 0 },
    ])
  })

  test.each([
    [10, 200],
    [11, 413],
  ])('of %i is %i', async (count, status) => {
    const shop = await openShop()
    await send(
      shop,
      'POST',
      Array.from({ length: 11 }, (_, i) => named(`Mug ${i}`)),
    )
    const list = Array.from({ length: count }, (_, i) => ({ id: i + 1, price: 5 }))
    expect((await send(shop, 'PUT', list)).status).toBe(status)
    const changed = (await all(shop)).filter(({ price }: { price: number }) => price === 5)
    expect(changed).toHaveLength(status === 200 ? count : 0)
  })

  test.each([
    ['an empty list', [], { '': 'The body must hold at least 1.' }],
    ['one product', { id: 1, price: 5 }, { '': 'error.expected.jsarray' }],
  ])('is not %s (422)', async (_, body, errors) => {
    expect(await send(await openThree(), 'PUT', body)).toEqual({ status: 422, body: invalid(errors) })
  })
})

describe('concurrent requests', () => {
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

  test('give one name to exactly one of 50, in any spelling (C-017)', async () => {
    const shop = await openShop()
    for (const [round, spellings] of [
      ['Mug', 'MUG', 'mug '],
      ['Caf\u00e9', 'cafe\u0301', 'CAFÉ'],
    ].entries()) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(shop, 'POST', named(spellings[i % 3] ?? '', { price: i }))),
      )
      expect(statuses(answers)).toEqual([200, ...Array(49).fill(409)])
      for (const { status, body } of answers) {
        if (status === 409) expect(body).toEqual(problem(409, NAME_TAKEN, { name: NAME_TAKEN }))
      }
      expect(await all(shop)).toHaveLength(round + 1)
    }
  })

  test('give one SKU to exactly one of 50, products or variants', async () => {
    const shop = await openShop()
    const wish = (i: number) =>
      i % 2 === 0
        ? named(`Mug ${i}`, { sku: 'One' })
        : named(`Mug ${i}`, { variants: [{ sku: 'ONE', option_values: chosen('S') }] })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => send(shop, 'POST', wish(i))))
    expect(statuses(answers)).toEqual([200, ...Array(49).fill(409)])
    expect(await all(shop)).toHaveLength(1)
    expect(await rowsOf(shop, 'skus')).toHaveLength(1)
  })

  test('with the same new brand all get it', async () => {
    const shop = await openShop()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        send(shop, 'POST', named(`Mug ${i}`, { brand_name: i % 2 ? 'Hay' : 'HAY' })),
      ),
    )
    expect(statuses(answers)).toEqual(Array(20).fill(200))
    expect((await shop.call('GET', '/catalog/brands')).body.data).toHaveLength(1)
    expect((await shop.call('GET', `${PRODUCTS}?brand_id=1`)).body.meta.pagination.total).toBe(20)
  })

  test('with lists of new products that conflict in opposite order store one list (C-024)', async () => {
    const shop = await openShop()
    for (let round = 0; round < 10; round++) {
      const list = Array.from({ length: 8 }, (_, i) =>
        named(`Mug ${round} ${i}`, { sku: `SKU-${round}-${i}`, custom_url: { url: `/mug-${round}-${i}/` } }),
      )
      const answers = await Promise.all(
        [list, list.toReversed(), list, list.toReversed()].map((body) => send(shop, 'POST', body)),
      )
      expect(statuses(answers)).toEqual([200, 409, 409, 409])
    }
    expect(await all(shop)).toHaveLength(80)
  })

  test('with lists of changes of the same products in opposite order are all answered (C-024)', async () => {
    const shop = await openShop()
    await send(
      shop,
      'POST',
      Array.from({ length: 10 }, (_, i) => named(`Mug ${i}`)),
    )
    const rising = Array.from({ length: 10 }, (_, i) => i + 1)
    const falling = rising.toReversed()
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        [rising, falling, rising, falling].map((order, n) =>
          send(
            shop,
            'PUT',
            order.map((id) => ({
              id,
              price: round * 4 + n,
              custom_fields: [{ name: 'round', value: `${round} ${n}` }],
            })),
          ),
        ),
      )
      expect(statuses(answers)).toEqual([200, 200, 200, 200])
      const { data } = (await shop.call('GET', `${PRODUCTS}?include=custom_fields&include_fields=price`)).body
      const written = data.map(({ price, custom_fields }: never) =>
        JSON.stringify([price, (custom_fields as never[]).length]),
      )
      expect(new Set(written).size, 'one list is the last for all products').toBe(1)
    }
  })

  test('that exchange SKUs and addresses in opposite order are answered 200 or 409, never 500 (C-024)', async () => {
    const shop = await openShop()
    await send(shop, 'POST', [
      named('A', { sku: 'a', custom_url: { url: '/1/' } }),
      named('B', { sku: 'b', custom_url: { url: '/2/' } }),
    ])
    for (let round = 0; round < 10; round++) {
      const [one, other] = round % 2 ? ['a', 'b'] : ['b', 'a']
      const answers = await Promise.all([
        send(shop, 'PUT', [{ id: 1, sku: one, custom_url: { url: '/3/' } }]),
        send(shop, 'PUT', [{ id: 2, sku: other, custom_url: { url: '/3/' } }]),
        send(shop, 'PUT', [
          { id: 2, sku: other },
          { id: 1, sku: one },
        ]),
      ])
      for (const { status } of answers) expect([200, 409]).toContain(status)
      const skus = (await all(shop)).map(({ sku }: { sku: string }) => sku)
      expect(skus.toSorted()).toEqual(['a', 'b'])
    }
  })

  test('leave no product with a brand that is deleted meanwhile (C-012)', async () => {
    const shop = await openShop()
    const { call } = shop
    const seen = new Set<number>()
    // Both outcomes must occur; the machine decides which is likelier.
    for (let race = 0; race < sized(1_000, 40) || (seen.size < 2 && race < 1_000); race++) {
      const { id } = (await call('POST', '/catalog/brands', { name: `Brand ${race}` })).body.data
      const early = race % 2 ? call('DELETE', `/catalog/brands/${id}`) : undefined
      if (race % 4 === 1) await call('GET', '/catalog/summary')
      const made = [
        send(shop, 'POST', named(`One ${race}`, { brand_id: id })),
        send(shop, 'POST', [named(`Two ${race}`, { brand_id: id }), named(`Three ${race}`)]),
      ]
      if (!early) await Promise.race(made)
      expect((await (early ?? call('DELETE', `/catalog/brands/${id}`))).status).toBe(204)
      for (const { status } of await Promise.all(made)) {
        expect([200, 409]).toContain(status)
        seen.add(status)
      }
    }
    expect(seen).toEqual(new Set([200, 409]))
    expect((await call('GET', `${PRODUCTS}?brand_id=0&limit=1`)).body.meta.pagination.total).toBe(
      (await rowsOf(shop, 'products')).length,
    )
  })

  test('leave no product in a category that is deleted meanwhile (C-012)', async () => {
    const shop = await openShop()
    const { call } = shop
    await call('POST', '/catalog/categories', { name: 'Stays', parent_id: 0 })
    await send(shop, 'POST', named('Mug', { categories: [1] }))
    const seen = new Set<number>()
    // Both outcomes must occur; the machine decides which is likelier.
    for (let race = 0; race < sized(1_000, 40) || (seen.size < 2 && race < 1_000); race++) {
      const { id } = (await call('POST', '/catalog/categories', { name: `Goes ${race}`, parent_id: 0 })).body.data
      const categories = [1, id]
      const early = race % 2 ? call('DELETE', `/catalog/categories/${id}`) : undefined
      if (race % 4 === 1) await call('GET', '/catalog/summary')
      const made = [
        send(shop, 'POST', named(`Mug ${race}`, { categories })),
        call('PUT', `${PRODUCTS}/1`, { categories }),
        send(shop, 'PUT', [{ id: 1, categories, price: race }]),
      ]
      if (!early) await Promise.race(made)
      expect((await (early ?? call('DELETE', `/catalog/categories/${id}`))).status).toBe(204)
      for (const { status } of await Promise.all(made)) {
        expect([200, 409]).toContain(status)
        seen.add(status)
      }
    }
    expect(seen).toEqual(new Set([200, 409]))
    const links = await rowsOf(shop, 'product_categories')
    expect(new Set(links.map(({ category_id }) => category_id))).toEqual(new Set([1]))
    for (const { categories } of await all(shop)) expect(categories).toEqual([1])
    expect(links).toHaveLength((await rowsOf(shop, 'products')).length)
  })

  test('keep the counts right while products are deleted and created', async () => {
    const shop = await openShop()
    const { call } = shop
    await send(
      shop,
      'POST',
      Array.from({ length: 60 }, (_, i) => named(`Mug ${i}`, { sku: `SKU-${i}` })),
    )
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        if (i % 3 === 0) return call('DELETE', `${PRODUCTS}/${i + 1}`)
        if (i % 3 === 1) return call('DELETE', `${PRODUCTS}?id:in=${i},${60 - i},${i + 1}`)
        return call('POST', PRODUCTS, [named(`New ${i}`), named(`New, too, ${i}`)])
      }),
    )
    // A busy machine may answer 503 to so many requests; such a request changes nothing.
    for (const { status } of answers) expect([200, 204, 404, 503]).toContain(status)
    const { data, meta } = (await call('GET', `${PRODUCTS}?limit=250`)).body
    expect(meta.pagination.total).toBe(data.length)
    const variants = await rowsOf(shop, 'variants')
    expect(variants.map(({ product_id }) => product_id).sort()).toEqual(data.map(({ id }: never) => id).sort())
  })
})
