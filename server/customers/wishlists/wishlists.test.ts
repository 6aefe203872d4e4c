import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'

let shop: Shop
/** A product with a base variant, and one with two variants of its own. */
let mug: { id: number; base_variant_id: number }
let shirt: { id: number; variants: { id: number }[] }
const open = async () => {
  shop = await openShop()
  const names = ['ann', 'bo']
  const people = names.map((name) => ({ email: `${name}@x.test`, first_name: name, last_name: 'Lee' }))
  await shop.call('POST', '/customers', people)
  const fields = { type: 'physical', weight: 1, price: 10 }
  const sizes = ['S', 'L'].map((label) => ({ sku: label, option_values: [{ option_display_name: 'Size', label }] }))
  const { body } = await shop.call('POST', '/catalog/products?include=variants', [
    { ...fields, name: 'Mug' },
    { ...fields, name: 'Shirt', variants: sizes },
  ])
  ;[mug, shirt] = body.data
}

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/wishlists${path}`, body)
const create = (body: object) => call('POST', '', body)
const get = async (id: number) => (await call('GET', `/${id}`)).body.data
const variant = (i: number) => shirt.variants[i]?.id ?? 0

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const some = expect.any(String)

describe('a wishlist', () => {
  beforeEach(open)

  test('is created with 201, read, changed with 201 and deleted; nothing tells of it', async () => {
    const seen = (await rowsOf(shop, 'events')).length
    const bare = await create({ customer_id: 1 })
    const first = { id: 1, customer_id: 1, name: 'Wish List', is_public: false, token: UUID, items: [] }
    expect(bare).toMatchObject({ status: 201, body: { data: first, meta: {} } })
    expect(bare.headers.location).toBe(`/stores/${shop.store.hash}/v3/wishlists/1`)
    const wishes = [{ product_id: mug.id }, { product_id: shirt.id }, { product_id: shirt.id, variant_id: variant(1) }]
    const items = [
      { id: 1, product_id: mug.id, variant_id: mug.base_variant_id },
      { id: 2, product_id: shirt.id },
      { id: 3, product_id: shirt.id, variant_id: variant(1) },
    ]
    const made = await create({
      customer_id: 2,
      name: 'Summer',
      is_public: true,
      token: 'mine',
      items: [...wishes, ...wishes],
    })
    const second = { id: 2, customer_id: 2, name: 'Summer', is_public: true, token: made.body.data.token, items }
    expect(made.body).toEqual({ data: second, meta: {} })
    expect(second.token).not.toBe(bare.body.data.token)
    expect((await call('GET', '')).body).toEqual({ data: [bare.body.data, second], meta: { pagination: onlyPage(2) } })
    expect((await call('GET', '?customer_id=2')).body.data).toEqual([second])
    expect((await call('GET', '?customer_id=99')).body.data).toEqual([])
    expect((await call('GET', '?limit=1&page=2')).body.data).toEqual([second])
    const changed = await call('PUT', '/2', { name: 'Autumn', is_public: false, customer_id: 1, token: 'mine' })
    const now = { ...second, name: 'Autumn', is_public: false }
    expect(changed).toMatchObject({ status: 201, body: { data: now, meta: {} } })
    expect((await call('PUT', '/2', {})).body.data).toEqual(now)
    expect((await call('GET', '/2')).body).toEqual({ data: now, meta: {} })
    expect(await call('DELETE', '/2')).toMatchObject({ status: 204, text: '' })
    for (const [method, path, sent] of [
      ['GET', '/2'],
      ['PUT', '/2', {}],
      ['DELETE', '/2'],
      ['POST', '/2/items', { items: [] }],
      ['DELETE', '/2/items/1'],
    ] as const) {
      expect(await call(method, path, sent)).toMatchObject({
        status: 404,
        body: problem(404, 'The wishlist 2 does not exist.'),
      })
    }
    expect(await rowsOf(shop, 'events')).toHaveLength(seen)
  })

  test('gets items that it has not, changes them under their ids, and loses them one by one', async () => {
    await create({ customer_id: 1, items: [{ product_id: mug.id }] })
    const added = await call('POST', '/1/items', {
      items: [{ product_id: mug.id }, { product_id: shirt.id, variant_id: variant(0) }, { product_id: shirt.id }],
    })
    const [first, second, third] = [
      { id: 1, product_id: mug.id, variant_id: mug.base_variant_id },
      { id: 2, product_id: shirt.id, variant_id: variant(0) },
      { id: 3, product_id: shirt.id },
    ]
    expect(added).toMatchObject({ status: 201, body: { data: { id: 1, items: [first, second, third] }, meta: {} } })
    expect((await call('POST', '/1/items', { items: [{ product_id: shirt.id }] })).body.data.items).toHaveLength(3)
    // Two swap, and one that is not named stays.
    const swapped = await call('PUT', '/1', {
      items: [
        { id: 1, product_id: shirt.id, variant_id: variant(0) },
        { id: 2, product_id: mug.id },
      ],
    })
    const items = [{ ...second, id: 1 }, { ...first, id: 2 }, third]
    expect(swapped).toMatchObject({ status: 201, body: { data: { items } } })
    const moved = await call('PUT', '/1', {
      items: [{ id: 1, variant_id: variant(1) }, { id: 2 }, { id: 3, product_id: shirt.id }],
    })
    expect(moved.body.data.items).toEqual([{ ...second, id: 1, variant_id: variant(1) }, items[1], third])
    const left = await call('DELETE', '/1/items/2')
    expect(left.status).toBe(200)
    expect(left.body).toEqual({ data: { ...moved.body.data, items: [moved.body.data.items[0], third] }, meta: {} })
    expect(await call('DELETE', '/1/items/2')).toMatchObject({
      status: 404,
      body: problem(404, 'The wishlist item 2 does not exist.'),
    })
    await create({ customer_id: 1, items: [{ product_id: mug.id }] })
    expect((await call('DELETE', '/1/items/4')).status).toBe(404)
    expect(await get(2)).toMatchObject({ items: [{ id: 4 }] })
  })

  test('loses deleted products, names no deleted variant, and goes with its customer', async () => {
    const wishes = [{ product_id: mug.id }, { product_id: shirt.id, variant_id: variant(0) }]
    await create({ customer_id: 1, items: wishes })
    await create({ customer_id: 2, items: wishes })
    await shop.call('DELETE', `/catalog/products/${shirt.id}/variants/${variant(0)}`)
    expect((await get(1)).items[1]).toEqual({ id: 2, product_id: shirt.id })
    await shop.call('DELETE', `/catalog/products/${mug.id}`)
    expect((await get(2)).items).toEqual([{ id: 4, product_id: shirt.id }])
    await shop.call('DELETE', `/catalog/products?id:in=${shirt.id}`)
    expect((await get(1)).items).toEqual([])
    await shop.call('DELETE', '/customers?id:in=1')
    expect((await call('GET', '')).body.data).toMatchObject([{ id: 2 }])
  })

  test('of which a product or a customer has very many is emptied in steps', async () => {
    await create({ customer_id: 1, items: [{ product_id: mug.id }] })
    await create({ customer_id: 2 })
    const db = await dbOf(shop)
    const fill = (list: number, from: number) =>
      db.transaction(async (tx) => {
        await tx.rows(sql`
          insert into wishlist_items (store_id, id, wishlist_id, product_id, variant_id)
          select ${db.store.id}, number, ${list}, ${mug.id}, 1000000 + number
          from generate_series(${from}::int, ${from + 2_099}::int) number returning id`)
        await tx.rows(sql`
          update counters set last_id = ${from + 2_099}, total = total + 2100
          where store_id = ${db.store.id} and resource = 'wishlist_items'`)
      })
    await fill(1, 1_000)
    await shop.call('DELETE', `/catalog/products/${mug.id}`)
    expect((await get(1)).items).toEqual([])
    await fill(2, 5_000)
    await shop.call('DELETE', '/customers?id:in=2')
    expect(await rowsOf(shop, 'wishlist_items')).toEqual([])
  })

  test('is one of 100 of a customer at most, and has 1,000 items at most: 403', async () => {
    await create({ customer_id: 1, items: [{ product_id: mug.id }] })
    await create({ customer_id: 2 })
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      const store = db.store.id
      await tx.rows(sql`
        insert into wishlists (store_id, id, customer_id, name, is_public, token)
        select store_id, 10 + number, customer_id, name, false, number::text from wishlists, generate_series(1, 98) number
        where store_id = ${store} and id = 1 returning id`)
      await tx.rows(sql`
        insert into wishlist_items (store_id, id, wishlist_id, product_id, variant_id)
        select ${store}, 10 + number, 1, ${mug.id}, 1000000 + number from generate_series(1, 998) number returning id`)
      await tx.rows(sql`
        update counters set last_id = 2000, total = case resource when 'wishlists' then 100 else 999 end
        where store_id = ${store} and resource in ('wishlists', 'wishlist_items')`)
    })
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ customer_id: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403])
    expect((await create({ customer_id: 2 })).status).toBe(201)
    const [small, large] = [
      { product_id: shirt.id, variant_id: variant(0) },
      { product_id: shirt.id, variant_id: variant(1) },
    ]
    expect((await call('POST', '/1/items', { items: [small, large] })).status).toBe(403)
    expect((await call('POST', '/1/items', { items: [small, { product_id: mug.id }] })).status).toBe(201)
    const full = problem(403, 'A wishlist can have at most 1000 items.')
    expect((await call('POST', '/1/items', { items: [large] })).body).toEqual(full)
    const many = Array.from({ length: 1_001 }, (_, i) => ({ product_id: i + 1 }))
    expect((await create({ customer_id: 2, items: many })).body).toEqual(full)
    expect((await create({ customer_id: 2, items: many.slice(1) })).status).toBe(422)
  })
})

describe('refused is', () => {
  beforeAll(async () => {
    await open()
    await create({ customer_id: 1, items: [{ product_id: mug.id }, { product_id: shirt.id }] })
  })

  test('a malformed list, or one with unknown ids, is refused', async () => {
    const foreign = variant(0)
    const cases: [string, string, object, object][] = [
      ['POST', '', {}, { customer_id: 'error.path.missing' }],
      ['POST', '', { customer_id: 99 }, { customer_id: 'The customer 99 does not exist.' }],
      ['POST', '', { customer_id: 1, name: ' ' }, { name: some }],
      ['POST', '', { customer_id: 1, name: 'a'.repeat(256) }, { name: some }],
      ['POST', '', { customer_id: 1, items: [{}] }, { 'items.0.product_id': 'error.path.missing' }],
      [
        'POST',
        '',
        { customer_id: 1, items: [{ product_id: 99 }] },
        { 'items.0.product_id': 'The product 99 does not exist.' },
      ],
      [
        'POST',
        '',
        { customer_id: 1, items: [{ product_id: mug.id }, { product_id: mug.id, variant_id: foreign }] },
        { 'items.1.variant_id': `The product ${mug.id} has no variant ${foreign}.` },
      ],
      ['POST', '/1/items', {}, { items: 'error.path.missing' }],
      ['POST', '/1/items', { items: [{ product_id: 99 }] }, { 'items.0.product_id': 'The product 99 does not exist.' }],
      ['PUT', '/1', { items: [{ product_id: mug.id }] }, { 'items.0.id': 'error.path.missing' }],
      ['PUT', '/1', { items: [{ id: 1 }, { id: 99 }, { id: 1 }] }, { 'items.1.id': some, 'items.2.id': some }],
      ['PUT', '/1', { items: [{ id: 2 }, { id: 1, variant_id: foreign }] }, { 'items.1.variant_id': some }],
      ['PUT', '/1', { items: [{ id: 2 }, { id: 1, product_id: shirt.id }] }, { 'items.1': some }],
      ['PUT', '/1', { is_public: null }, { is_public: 'error.expected.jsboolean' }],
    ]
    for (const [method, path, body, errors] of cases) {
      expect(await call(method, path, body), JSON.stringify(body)).toMatchObject({ status: 422, body: invalid(errors) })
    }
    for (const query of ['?name=x', '?id=1', '?customer_id=x']) expect((await call('GET', query)).status).toBe(422)
    expect((await call('GET', '?limit=251')).status).toBe(413)
    expect((await call('DELETE', '/1?x=1')).status).toBe(422)
    expect((await create({ customer_id: 1, name: 'a'.repeat(255) })).status).toBe(201)
  })
})
