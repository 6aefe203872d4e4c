import { describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// The events of products and variants, their order, and the dates of changes: docs/contract/webhooks.md section 6 and
// docs/contract/products.md section 7. Then conditional reads, idempotency and metafields.

const PRODUCTS = '/catalog/products'
const ONE = '/catalog/products/1'
const VARIANTS = '/catalog/products/1/variants'
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
const chosen = (label: string) => [{ option_display_name: 'Size', label }]
const sized = {
  ...mug,
  variants: [
    { sku: 'MUG-S', option_values: chosen('S') },
    { sku: 'MUG-L', option_values: chosen('L') },
  ],
}

/** A store with two categories of tree 1 and a product. */
async function openWith(product: object): Promise<Shop> {
  const shop = await openShop()
  for (const name of ['One', 'Two']) await shop.call('POST', '/catalog/categories', { name, parent_id: 0 })
  await shop.call('POST', PRODUCTS, product)
  return shop
}

/** The events of a request, in order, and its status. */
async function eventsOf(shop: Shop, method: string, path: string, body?: unknown) {
  const before = await rowsOf(shop, 'events')
  const known = new Set(before.map(({ seq }) => seq))
  const { status } = await shop.call(method, path, body)
  const events = (await rowsOf(shop, 'events'))
    .filter(({ seq }) => !known.has(seq))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .map(({ scope, resource, data }) => [scope, resource, JSON.parse(String(data))])
  return { status, events }
}

const product = (action: string, id = 1) => [`store/product/${action}`, `product ${id}`, { type: 'product', id }]
const sku = (action: string, id: number, product_id = 1) => [
  `store/sku/${action}`,
  `sku ${id}`,
  { type: 'sku', id, sku: { product_id, variant_id: id } },
]
const stock = (value: number, id = 1) => [
  'store/product/inventory/updated',
  `product ${id}`,
  { type: 'product', id, inventory: { product_id: id, method: 'absolute', value } },
]
const skuStock = (id: number, value: number, product_id = 1) => [
  'store/sku/inventory/updated',
  `sku ${id}`,
  { type: 'sku', id, inventory: { product_id, method: 'absolute', value, variant_id: id } },
]
const moved = (variant_id: number, product_id = 1) => [
  'store/channel/*/inventory/product/stock_changed',
  `stock of ${product_id} ${variant_id} at location 1`,
  { variant_id, product_id, location_id: 1 },
]
const sold = (product_id = 1) => ['store/channel/1/product/assigned', `product ${product_id}`, { product_id }]
const inCategory = (action: string, category_id: number, product_id = 1) => [
  `store/channel/1/category/product/${action}`,
  `product ${product_id}`,
  { product_id, category_id },
]

describe('the events', () => {
  test('of a new product include its variants and assignments', async () => {
    const shop = await openWith(mug)
    expect(
      await eventsOf(shop, 'POST', PRODUCTS, { ...sized, name: 'Bowl', categories: [2, 1], inventory_level: 5 }),
    ).toEqual({
      status: 200,
      events: [
        product('created', 2),
        sku('created', 2, 2),
        sku('created', 3, 2),
        sold(2),
        inCategory('assigned', 1, 2),
        inCategory('assigned', 2, 2),
      ],
    })
  })

  test('of a list of new products are the products, then their variants, then their assignments', async () => {
    const shop = await openShop()
    const list = [mug, { ...sized, name: 'Bowl', variants: sized.variants.slice(0, 1) }]
    const { events } = await eventsOf(shop, 'POST', PRODUCTS, list)
    expect(events).toEqual([product('created', 1), product('created', 2), sku('created', 2, 2), sold(1), sold(2)])
  })

  test('of a change are the product, its stock, then its categories', async () => {
    const shop = await openWith({ ...mug, categories: [1] })
    expect(await eventsOf(shop, 'PUT', ONE, { price: 5 })).toEqual({ status: 200, events: [product('updated')] })
    expect(await eventsOf(shop, 'PUT', ONE, { inventory_level: 7, categories: [2], sku: 'M' })).toEqual({
      status: 200,
      events: [product('updated'), stock(7), moved(1), inCategory('assigned', 2), inCategory('unassigned', 1)],
    })
    expect((await eventsOf(shop, 'PUT', ONE, { categories: [] })).events).toEqual([
      product('updated'),
      inCategory('unassigned', 2),
    ])
    expect((await eventsOf(shop, 'PUT', ONE, { custom_fields: [{ name: 'a', value: 'b' }] })).events).toEqual([
      product('updated'),
    ])
  })

  test('of a list of changes are those of changed products', async () => {
    const shop = await openWith(mug)
    await shop.call('POST', PRODUCTS, [
      { ...mug, name: 'B' },
      { ...mug, name: 'C' },
    ])
    const list = [
      { id: 3, price: 1, inventory_level: 2 },
      { id: 2, price: 18.5 },
      { id: 1, name: 'A' },
    ]
    expect((await eventsOf(shop, 'PUT', PRODUCTS, list)).events).toEqual([
      product('updated', 3),
      stock(2, 3),
      moved(3, 3),
      product('updated', 1),
    ])
  })

  test('of deleted products are theirs only', async () => {
    const shop = await openWith({
      ...sized,
      categories: [1],
      sku: 'M',
      images: [{ image_url: 'https://a.example.com/1.png' }],
    })
    await shop.call('POST', PRODUCTS, [
      { ...mug, name: 'B' },
      { ...mug, name: 'C' },
    ])
    expect(await eventsOf(shop, 'DELETE', ONE)).toEqual({ status: 204, events: [product('deleted')] })
    expect((await eventsOf(shop, 'DELETE', `${PRODUCTS}?name=c`)).events).toEqual([product('deleted', 3)])
    expect((await eventsOf(shop, 'DELETE', `${PRODUCTS}?name=c`)).events).toEqual([])
  })

  test('of a variant follow its creation, change and deletion', async () => {
    const shop = await openWith(sized)
    await shop.call('POST', `${ONE}/options/1/values`, { label: 'M', sort_order: 5 })
    expect((await eventsOf(shop, 'POST', VARIANTS, { sku: 'MUG-M', option_values: chosen('M') })).events).toEqual([
      product('updated'),
      sku('created', 3),
    ])
    expect((await eventsOf(shop, 'PUT', `${VARIANTS}/3`, { price: 5 })).events).toEqual([
      product('updated'),
      sku('updated', 3),
    ])
    expect((await eventsOf(shop, 'PUT', `${VARIANTS}/3`, { inventory_level: 4, sku: 'M' })).events).toEqual([
      product('updated'),
      sku('updated', 3),
      skuStock(3, 4),
      moved(3),
    ])
    expect((await eventsOf(shop, 'PUT', `${VARIANTS}/3`, { inventory_level: null })).events).toEqual([
      product('updated'),
      sku('updated', 3),
      skuStock(3, 0),
      moved(3),
    ])
    expect((await eventsOf(shop, 'DELETE', `${VARIANTS}/3`)).events).toEqual([product('updated'), sku('deleted', 3)])
  })

  test('of a list of changed variants include each product once', async () => {
    const shop = await openWith(sized)
    await shop.call('POST', PRODUCTS, { ...mug, name: 'B' })
    const list = [
      { id: 3, inventory_level: 9 },
      { id: 2, price: 1 },
      { id: 1, price: 2, inventory_level: 6 },
    ]
    expect((await eventsOf(shop, 'PUT', '/catalog/variants', list)).events).toEqual([
      product('updated', 2),
      stock(9, 2),
      moved(3, 2),
      product('updated'),
      sku('updated', 2),
      sku('updated', 1),
      skuStock(1, 6),
      moved(1),
    ])
  })

  test('of a base variant are those of its product', async () => {
    const shop = await openWith(mug)
    expect((await eventsOf(shop, 'PUT', `${VARIANTS}/1`, { sku: 'M' })).events).toEqual([product('updated')])
    expect((await eventsOf(shop, 'PUT', `${VARIANTS}/1`, { inventory_level: 3 })).events).toEqual([
      product('updated'),
      stock(3),
      moved(1),
    ])
  })

  test('of a refusal are none', async () => {
    const shop = await openWith(mug)
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    const nothing = (status: number) => ({ status, events: [] })
    expect(await eventsOf(shop, 'POST', PRODUCTS, mug)).toEqual(nothing(409))
    expect(
      await eventsOf(shop, 'PUT', PRODUCTS, [
        { id: 1, price: 1 },
        { id: 2, name: 'mug' },
      ]),
    ).toEqual(nothing(409))
    expect(await eventsOf(shop, 'PUT', '/catalog/variants', [{ id: 1, price: 1 }, { id: 9 }])).toEqual(nothing(422))
  })
})

describe('a change that changes nothing', () => {
  test('publishes no event and keeps the dates', async () => {
    const shop = await openWith({
      ...sized,
      sku: 'M',
      categories: [1, 2],
      custom_url: { url: '/m' },
      custom_fields: [{ name: 'a', value: 'b' }],
      videos: [{ video_id: 'abc' }],
      bulk_pricing_rules: [{ quantity_min: 2, quantity_max: 5, type: 'price', amount: 1 }],
      images: [{ image_url: 'https://a.example.com/1.png' }],
    })
    const { call } = shop
    const { clock } = await theHouse()
    clock.move(60_000)
    const parts = 'include=custom_fields,videos,bulk_pricing_rules,images,variants'
    const before = (await call('GET', `${ONE}?${parts}`)).body.data
    const [small] = before.variants
    const changes: [path: string, body: unknown][] = [
      [ONE, {}],
      [ONE, { price: '18.50', weight: 0.40001, categories: [2, 1, 2], sku: 'M', inventory_level: 0 }],
      [ONE, before],
      [PRODUCTS, [{ id: 1 }]],
      [PRODUCTS, [before]],
      [`${VARIANTS}/${small.id}`, {}],
      [`${VARIANTS}/${small.id}`, small],
      ['/catalog/variants', [small, { id: 2, price: null }]],
    ]
    for (const [path, body] of changes) {
      expect(await eventsOf(shop, 'PUT', path, body), JSON.stringify(body)).toEqual({ status: 200, events: [] })
      expect((await call('GET', `${ONE}?${parts}`)).body.data).toEqual(before)
    }
    expect(await eventsOf(shop, 'PUT', ONE, { sku: 'm' })).toEqual({ status: 200, events: [product('updated')] })
    expect((await call('GET', ONE)).body.data.date_modified > before.date_modified).toBe(true)
  })
})

describe('a conditional read of a product (docs/contract/conventions.md section 8)', () => {
  test('is 304 until the product or a sub-resource changes', async () => {
    const shop = await openWith(sized)
    const { call } = shop
    const { clock } = await theHouse()
    const status = async (since: string, path = ONE) =>
      (await call('GET', path, undefined, { headers: { 'if-modified-since': since } })).status
    const modified = async () => String((await call('GET', ONE)).headers['last-modified'])
    let since = await modified()
    expect(new Date(since).toISOString().replace('.000', '')).toBe((await call('GET', ONE)).body.data.date_modified)
    expect(await status(since)).toBe(304)
    expect(await status(since, `${ONE}?include=variants`)).toBe(304)
    expect(await status('Mon, 01 Jan 2001 00:00:00 GMT')).toBe(200)
    expect(await status('some day')).toBe(200)
    const changes: [method: string, path: string, body?: unknown][] = [
      ['PUT', ONE, { price: 1 }],
      ['PUT', `${VARIANTS}/1`, { price: 2 }],
      ['DELETE', `${VARIANTS}/2`],
      ['POST', `${ONE}/custom-fields`, { name: 'a', value: 'b' }],
      ['PUT', `${ONE}/options/1`, { display_name: 'Format' }],
    ]
    for (const [method, path, body] of changes) {
      clock.move(60_000)
      expect((await call(method, path, body)).status).toBeLessThan(300)
      expect(await status(since), `${method} ${path}`).toBe(200)
      since = await modified()
      expect(await status(since)).toBe(304)
    }
  })

  test('is never 304 with includes that change without the product: channels, and products that offer it', async () => {
    const { call } = await openWith(mug)
    const since = String((await call('GET', ONE)).headers['last-modified'])
    for (const include of ['channels', 'parent_relations', 'variants,channels']) {
      const path = `${ONE}?include=${include}`
      const { status, headers } = await call('GET', path, undefined, { headers: { 'if-modified-since': since } })
      expect({ status, modified: headers['last-modified'] }, include).toEqual({ status: 200, modified: undefined })
    }
    await call('DELETE', `${PRODUCTS}/channel-assignments?product_id:in=1`)
    expect((await call('GET', ONE)).headers['last-modified'], 'the product is the same').toBe(since)
  })
})

describe('one Idempotency-Key', () => {
  test.each([
    ['a product', sized],
    ['a list of products', [mug, { ...sized, name: 'Bowl' }]],
  ])('stores %s once', async (_, body) => {
    const shop = await openShop()
    const keyed = { headers: { 'idempotency-key': 'one' } }
    const first = await shop.call('POST', PRODUCTS, body, keyed)
    const again = await shop.call('POST', PRODUCTS, body, keyed)
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await rowsOf(shop, 'products')).toHaveLength([body].flat().length)
    expect((await shop.call('POST', PRODUCTS, { ...mug, name: 'Other' }, keyed)).status).toBe(422)
  })

  test('makes one product of 20 concurrent requests', async () => {
    const shop = await openShop()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', PRODUCTS, mug, { headers: { 'idempotency-key': 'many' } })),
    )
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(body.errors).toEqual({})
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await rowsOf(shop, 'products')).toHaveLength(1)
  })
})

describe('metafields', () => {
  const metafield = { key: 'bin', value: '4', namespace: 'wh', permission_set: 'write' }
  test.each([
    ['product', `${ONE}/metafields`, `${PRODUCTS}/metafields`, 1],
    ['variant', `${VARIANTS}/2/metafields`, '/catalog/variants/metafields', 2],
  ])('of a %s are stored one by one and in batches, and go with it', async (kind, list, batches, resource_id) => {
    const shop = await openWith(sized)
    const { call, admin } = shop
    const MOMENT = expect.any(String)
    const data = {
      id: 1,
      ...metafield,
      description: '',
      resource_type: kind,
      resource_id,
      date_created: MOMENT,
      date_modified: MOMENT,
      owner_client_id: admin.client_id,
    }
    expect((await call('POST', list, metafield)).body).toEqual({ data, meta: {} })
    expect((await call('GET', `${list}/1`)).body.data).toEqual(data)
    expect((await call('PUT', `${list}/1`, { value: '5' })).body.data).toEqual({ ...data, value: '5' })
    const made = await call('POST', batches, [{ ...metafield, key: 'shelf', resource_id }])
    expect(made.body).toMatchObject({ data: [{ id: 2, resource_id }], meta: { total: 1, success: 1, failed: 0 } })
    expect((await call('PUT', batches, [{ id: 2, value: '7' }])).status).toBe(200)
    expect((await call('GET', batches)).body.data).toMatchObject([{ value: '5' }, { value: '7' }])
    expect((await call('GET', list)).body.meta.pagination.total).toBe(2)
    expect((await call('DELETE', `${list}/1`)).status).toBe(204)
    expect((await call('DELETE', batches, [2])).body.data).toEqual([2])
    await call('POST', list, metafield)
    await call('DELETE', kind === 'product' ? ONE : `${VARIANTS}/2`)
    expect(await rowsOf(shop, 'metafields')).toEqual([])
  })

  test.each([
    ['product', `${ONE}/metafields`, 'store/product/metafield', '1'],
    ['variant', `${VARIANTS}/2/metafields`, 'store/product/variant/metafield', '2'],
  ])('of a %s publish events under their own scope', async (resource_type, list, scope, resource_id) => {
    const shop = await openWith(sized)
    const data = { metafield_id: 1, resource_id }
    const news = (action: string) => [
      [`${scope}/${action}`, 'metafield 1', data],
      [`store/metafield/${action}`, 'metafield 1', { ...data, resource_type }],
    ]
    expect((await eventsOf(shop, 'POST', list, metafield)).events).toEqual(news('created'))
    expect((await eventsOf(shop, 'PUT', `${list}/1`, { value: '5' })).events).toEqual(news('updated'))
    expect((await eventsOf(shop, 'PUT', `${list}/1`, { value: '5' })).events).toEqual([])
    expect((await eventsOf(shop, 'DELETE', `${list}/1`)).events).toEqual(news('deleted'))
  })

  test('of a variant are found below their own product only (404)', async () => {
    const shop = await openWith(sized)
    const { call } = shop
    await call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    await call('POST', `${VARIANTS}/2/metafields`, metafield)
    for (const path of [`${PRODUCTS}/2/variants/2/metafields`, `${PRODUCTS}/2/variants/2/metafields/1`]) {
      expect((await call('GET', path)).status).toBe(404)
    }
    expect((await call('POST', `${PRODUCTS}/2/variants/2/metafields`, metafield)).status).toBe(404)
    expect((await call('GET', `${VARIANTS}/1/metafields/1`)).status).toBe(404)
  })
})
