import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { imageType } from '../../core/files/image-type.ts'
import { slug } from '../../goods/catalog/addresses/slug.ts'
import { NewProduct } from '../../goods/catalog/products/create.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { progressOn } from '../progress.ts'
import { box, Canvas, ellipse, SIDE } from '../samples/canvas.ts'
import { article, identity, pngOf } from '../samples/goods.ts'
import { SIZES, type Size } from '../samples/sizes.ts'
import { seed } from './seed.ts'

interface Found {
  id: number
  name: string
  parent_id: number
  categories: number[]
  brand_id: number
  price: number
  sale_price: number
  sku: string
  is_visible: boolean
  inventory_tracking: string
  inventory_level: number
  reviews_count: number
  reviews_rating_sum: number
  base_variant_id: number | null
  custom_url: { url: string }
  images: { image_url: string; is_thumbnail: boolean; description: string }[]
  variants: { sku: string; inventory_level: number; option_values: { option_display_name: string }[] }[]
  reviews: { status: string; rating: number }[]
  bulk_pricing_rules: unknown[]
  custom_fields: unknown[]
}

/** A fresh store, its database, and the function that fills it. */
async function openStore() {
  const shop = await openShop()
  const { installation, files } = await theHouse()
  const db = await installation.directory.dbById(shop.store.id)
  if (!db) throw new Error('The store has no database.')
  const none = { orders: { count: 0 }, companies: { companies: 0, invoices: 0 } }
  return { shop, db, fill: (size: Size, seeding = {}) => seed(db, files, size, { ...none, ...seeding }) }
}

async function list({ call }: Shop, path: string): Promise<Found[]> {
  const found: Found[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=250&page=${page}`)
    found.push(...body.data)
    if (body.data.length === 0) return found
  }
}

interface FoundOrder {
  id: number
  status_id: number
  external_order_id: string
  date_created: string
  date_modified: string
  total_inc_tax: string
}

/** The answer of the older family; an empty list for a 204. */
async function read<Row = FoundOrder>({ call }: Shop, path: string): Promise<Row[]> {
  const { status, body } = await call('GET', path, undefined, { version: 'v2' })
  return status === 204 ? [] : [body].flat()
}

/** Rows without their ids, dates and links. */
const withoutPlace = (rows: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(rows, (key, value) => (/^(id|.*_id|date_.*|url|resource)$/.test(key) ? undefined : value)))

const withAll = '/catalog/products?include=images,variants,reviews,bulk_pricing_rules,custom_fields'

/** The names of the files that a store has on disk. */
async function filesOf({ store }: Shop): Promise<string[]> {
  const { files } = await theHouse()
  return readdir(join(files.folder, store.hash)).catch(() => [])
}

const eventsOf = async (db: Db) => {
  const scopes = await db.rows<{ scope: string; count: number }>(
    sql`select scope, count(*)::int as count from events where store_id = ${db.store.id} group by scope`,
  )
  return Object.fromEntries(scopes.map(({ scope, count }) => [scope, count]))
}

/** Every product hangs in categories and a brand that are there, and shows a picture that is served. */
async function expectWhole(shop: Shop, found: readonly Found[]) {
  const { server } = await theHouse()
  const categories = new Set((await list(shop, '/catalog/categories')).map(({ id }) => id))
  const brands = new Set((await list(shop, '/catalog/brands')).map(({ id }) => id))
  for (const product of found) {
    expect(product.categories.length, product.name).toBeGreaterThan(0)
    expect([...product.categories.filter((id) => !categories.has(id))], product.name).toEqual([])
    expect(brands, product.name).toContain(product.brand_id)
    expect(
      product.images.filter(({ is_thumbnail }) => is_thumbnail),
      product.name,
    ).toHaveLength(1)
    expect(new Set([product.sku, ...product.variants.map(({ sku }) => sku)]), product.name).not.toContain('')
    for (const { image_url } of product.images) {
      const answer = await server.inject({ method: 'GET', url: new URL(image_url).pathname })
      expect([answer.statusCode, answer.headers['content-type']], product.name).toEqual([200, 'image/png'])
    }
  }
}

/** Levels of the tree: a category without a parent is at the first. */
function depth(categories: readonly Found[]): number {
  const levels = new Map([[0, 0]])
  for (const { id, parent_id } of categories) levels.set(id, (levels.get(parent_id) ?? 0) + 1)
  return Math.max(...levels.values())
}

const notNew =
  /^The store [a-z0-9]+ is not new: \d+ products, \d+ brands and \d+ categories were made in it\. Sample data goes into a new store only\.$/

describe('tiny', () => {
  let store: Awaited<ReturnType<typeof openStore>>
  let found: Found[]
  beforeAll(async () => {
    store = await openStore()
    await store.fill('tiny')
    found = await list(store.shop, withAll)
  })

  test('has a dozen products, and only the brands and categories that they need', async () => {
    await expectWhole(store.shop, found)
    const [brands, categories] = [
      await list(store.shop, '/catalog/brands'),
      await list(store.shop, '/catalog/categories'),
    ]
    expect(found).toHaveLength(12)
    expect(new Set(found.map(({ brand_id }) => brand_id)).size).toBe(brands.length)
    expect(depth(categories)).toBe(3)
    const used = new Set(found.flatMap(({ categories }) => categories))
    const parents = new Set(categories.map(({ parent_id }) => parent_id))
    expect(categories.filter(({ id }) => !used.has(id) && !parents.has(id))).toEqual([])
  })

  test('publishes the same events as the routes', async () => {
    const events = await eventsOf(store.db)
    const sold = found.filter(({ base_variant_id }) => base_variant_id === null)
    const some = expect.any(Number)
    expect(events).toEqual({
      'store/inventory/location/created': 2,
      'store/inventory/location/updated': 1,
      // For stock of the shops.
      'store/channel/*/inventory/product/stock_changed': some,
      'store/product/inventory/updated': some,
      'store/product/updated': some,
      'store/sku/inventory/updated': some,
      'store/product/created': 12,
      'store/sku/created': sold.flatMap(({ variants }) => variants).length,
      'store/channel/1/product/assigned': 12,
      'store/channel/1/category/product/assigned': found.flatMap(({ categories }) => categories).length,
      'store/category/created': (await list(store.shop, '/catalog/categories')).length,
      'store/channel/1/category/created': (await list(store.shop, '/catalog/categories')).length,
    })
  })

  test('is the same in the next store, but for moments and the names of files', async () => {
    const other = await openStore()
    await other.fill('tiny')
    const same = (products: readonly Found[]) =>
      products.map(({ images, ...product }) => ({
        ...product,
        date_created: '',
        date_modified: '',
        reviews: product.reviews.map((review) => ({ ...review, date_created: '', date_modified: '' })),
        images: images.map(({ description }) => description),
      }))
    expect(same(await list(other.shop, withAll))).toEqual(same(found))
  })

  test.each(['tiny', 'demo', 'large'] as const)('is not made again, nor %s after it', async (size) => {
    await expect(store.fill(size)).rejects.toThrow(notNew)
    expect(await list(store.shop, '/catalog/products')).toHaveLength(12)
  })
})

describe('demo', () => {
  let store: Awaited<ReturnType<typeof openStore>>
  let found: Found[]
  let held: Awaited<ReturnType<typeof seed>>
  beforeAll(async () => {
    store = await openStore()
    held = await store.fill('demo')
    found = await list(store.shop, withAll)
  })

  test('has 500 products with categories, brands and pictures', async () => {
    await expectWhole(store.shop, found)
    const categories = await list(store.shop, '/catalog/categories')
    expect(depth(categories)).toBe(3)
    expect(held).toEqual({
      products: 500,
      variants: found.flatMap(({ variants }) => variants).length,
      brands: 240,
      categories: categories.length,
      images: found.flatMap(({ images }) => images).length,
      reviews: found.flatMap(({ reviews }) => reviews).length,
      customers: 200,
      orders: 0,
      companies: 0,
      invoices: 0,
    })
    expect(await filesOf(store.shop)).toHaveLength(held.images)
    // No category of the lowest level is empty.
    const used = new Set(found.flatMap(({ categories }) => categories))
    const parents = new Set(categories.map(({ parent_id }) => parent_id))
    expect(categories.filter(({ id }) => !used.has(id) && !parents.has(id)).map(({ name }) => name)).toEqual([])
  })

  test('has 200 customers, some with groups, attributes, several addresses, wishlists and form fields', async () => {
    const { body } = await store.shop.call('GET', '/customers?limit=250&include=addresses,attributes,storecredit')
    const people: { customer_group_id: number; address_count: number; attribute_count: number; email: string }[] =
      body.data
    const share = (is: (person: (typeof people)[number]) => boolean) => people.filter(is).length
    expect(people).toHaveLength(200)
    expect(new Set(people.map(({ email }) => email)).size).toBe(200)
    expect(share(({ customer_group_id }) => customer_group_id > 0)).toBe(40)
    expect(share(({ address_count }) => address_count === 2)).toBe(67)
    expect(share(({ attribute_count }) => attribute_count === 2)).toBe(100)
    const wishlists = await list(store.shop, '/wishlists')
    expect(wishlists).toHaveLength(40)
    const filled = await store.shop.call('GET', '/customers/form-field-values?field_type=picklist')
    expect(filled.body.meta.pagination.total).toBe(40)
  })

  test('has some of everything', () => {
    const share = (is: (product: Found) => boolean) => found.filter(is).length
    const options = (product: Found) => product.variants[0]?.option_values.length ?? 0
    for (const count of [0, 1, 2]) expect(share((product) => options(product) === count)).toBeGreaterThan(50)
    for (const tracking of ['none', 'product', 'variant'])
      expect(share(({ inventory_tracking }) => inventory_tracking === tracking)).toBeGreaterThan(40)
    expect(share(({ sale_price }) => sale_price > 0)).toBeGreaterThan(30)
    expect(share(({ sale_price, price }) => sale_price >= price)).toBe(0)
    expect(share(({ is_visible }) => !is_visible)).toBeGreaterThan(10)
    expect(share(({ inventory_level }) => inventory_level === 0)).toBeGreaterThan(20)
    expect(share(({ bulk_pricing_rules }) => bulk_pricing_rules.length > 0)).toBeGreaterThan(30)
    expect(share(({ custom_fields }) => custom_fields.length >= 3)).toBe(500)
    expect(share(({ images }) => images.length === 2)).toBeGreaterThan(100)
    expect(share(({ reviews }) => reviews.length > 0)).toBeGreaterThan(100)
    expect(share(({ custom_url }) => custom_url.url.startsWith('/finds/'))).toBeGreaterThan(5)
  })

  test('has numbers that agree with each other', () => {
    for (const product of found) {
      const approved = product.reviews.filter(({ status }) => status === 'approved')
      expect([product.reviews_count, product.reviews_rating_sum], product.name).toEqual([
        approved.length,
        approved.reduce((sum, { rating }) => sum + rating, 0),
      ])
      if (product.inventory_tracking !== 'variant') continue
      const stock = product.variants.reduce((sum, { inventory_level }) => sum + inventory_level, 0)
      expect(product.inventory_level, product.name).toBe(stock)
    }
  })
})

describe('large', () => {
  test('is made in batches, is taken up where it was stopped, and has pictures in its first products', async () => {
    const { shop, fill } = await openStore()
    const reported: number[] = []
    const stopped = (made: number) => {
      reported.push(made)
      if (made === 500) throw new Error('Stopped.')
    }
    await expect(fill('large', { count: 1_040, progress: stopped })).rejects.toThrow('Stopped.')
    const held = await fill('large', { count: 1_040, progress: (made: number) => reported.push(made) })
    expect(reported).toEqual([0, 500, 500, 1_000, 1_040])
    expect(held).toMatchObject({ products: 1_040, brands: 240 })

    const found = await list(shop, '/catalog/products?include=images')
    expect(found.map(({ name }) => name)).toEqual(Array.from({ length: 1_040 }, (_, i) => identity(i).name))
    expect(found.map(({ id }) => id)).toEqual(found.map((_, i) => i + 1))
    expect(found.filter(({ images }) => images.length > 0).map(({ id }) => id)).toEqual(
      found.slice(0, 500).map(({ id }) => id),
    )
    await expect(fill('large', { count: 1_040 })).rejects.toThrow(notNew)
  })

  test('has companies with invoices; a run that was stopped is taken up', async () => {
    const { shop, fill } = await openStore()
    const progress = (made: number) => {
      if (made === 14) throw new Error('Stopped.')
    }
    const wanted = { companies: 5, invoices: 21, kinds: 7 }
    await expect(fill('large', { count: 20, companies: { ...wanted, progress } })).rejects.toThrow('Stopped.')
    expect(await fill('large', { count: 20, companies: wanted })).toMatchObject({ companies: 5, invoices: 21 })
    await expect(fill('large', { count: 20, companies: wanted })).rejects.toThrow(notNew)
    const { body } = await shop.call('GET', '/v3/io/companies', undefined, { version: 'b2b' })
    expect(body.meta.pagination.totalCount).toBe(5)
  })

  test('goes on from a demo store that is as it was made, and from no other', async () => {
    const { shop, fill } = await openStore()
    await fill('demo')
    expect(await fill('large', { count: 520 })).toMatchObject({ products: 520, brands: 240 })
    await shop.call('PUT', '/catalog/products/520', { name: 'Mine' })
    await expect(fill('large', { count: 540 })).rejects.toThrow(notNew)
  })

  test('has orders of four years in all statuses, as they would be if requests had made them; a run that was stopped is taken up', async () => {
    const { shop, db, fill } = await openStore()
    const reported: number[] = []
    const progress = (made: number) => {
      reported.push(made)
      if (made === 50 && reported.length === 3) throw new Error('Stopped.')
    }
    const many = (count: number) => fill('large', { count: 20, orders: { count, kinds: 25, progress } })
    await expect(many(100)).rejects.toThrow('Stopped.')
    expect(await many(100)).toMatchObject({ products: 20, orders: 100 })
    expect(reported).toEqual([0, 25, 50, 50, 75, 100])
    await expect(many(100)).rejects.toThrow(notNew)

    const orders = await read(shop, '/orders?limit=250')
    expect(orders.map(({ id }) => id)).toEqual(orders.map((_, i) => i + 1))
    expect(orders.map(({ external_order_id }) => external_order_id)).toEqual(orders.map((_, i) => `seed-${i + 1}`))
    expect(new Set(orders.map(({ status_id }) => status_id)).size).toBe(15)
    const placed = orders.map(({ date_created }) => Date.parse(date_created))
    expect(placed).toEqual(placed.toSorted((one, other) => one - other))
    const [first = 0, last = 0] = [placed[0], placed.at(-1)]
    expect(last - first).toBeGreaterThan(3.9 * 365 * 86_400_000)
    const { clock } = await theHouse()
    expect(Math.max(...orders.map(({ date_modified }) => Date.parse(date_modified)))).toBeLessThan(
      clock.now().getTime(),
    )

    // A copy has all that its original has, each part with ids of its own.
    for (const path of ['', '/products', '/shipping_addresses', '/shipments', '/taxes', '/fees', '/messages'])
      for (const kind of [1, 2, 3, 8, 12]) {
        const [one, other] = [
          await read(shop, `/orders/${kind}${path}`),
          await read(shop, `/orders/${kind + 75}${path}`),
        ]
        expect(withoutPlace(other), path).toEqual(withoutPlace(one))
      }
    const paid = await shop.call('GET', '/orders/76/transactions')
    expect(paid.body.data).toMatchObject([
      { event: 'purchase', order_id: '76', amount: Number(orders[75]?.total_inc_tax) },
    ])
    const sent = await db.rows<{ id: number }>(sql`
      select shipment.id from order_shipments shipment, jsonb_array_elements(shipment.items) item
      where shipment.store_id = ${db.store.id} and not exists (
        select 1 from order_products line where line.store_id = ${db.store.id}
          and line.id = (item ->> 'order_product_id')::int and line.order_id = shipment.order_id)`)
    expect(sent).toEqual([])

    // Filters, spans and counts know them.
    const middle = orders[50]
    const since = await read(
      shop,
      `/orders?limit=250&min_date_created=${encodeURIComponent(middle?.date_created ?? '')}`,
    )
    expect(since.map(({ id }) => id)).toEqual(orders.slice(50).map(({ id }) => id))
    expect((await read(shop, '/orders?external_order_id=SEED-77')).map(({ id }) => id)).toEqual([77])
    expect(await read<{ count: number }>(shop, '/orders/count')).toMatchObject([{ count: 100 }])
    const products = [{ name: 'Mine', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
    await shop.call('POST', '/orders', { billing_address: { zip: '1' }, products }, { version: 'v2' })
    await expect(many(125)).rejects.toThrow(/has orders behind those of its sample data: no more are made\.$/)
  })
})

test.each([
  ['a brand', '/catalog/brands', { name: 'Mine' }],
  ['a category', '/catalog/categories', { name: 'Mine', parent_id: 0 }],
  ['a product', '/catalog/products', { name: 'Mine', type: 'physical', weight: 1, price: 1 }],
])('a store that has %s is left as it is', async (_, path, body) => {
  const { shop, fill } = await openStore()
  expect((await shop.call('POST', path, body)).status).toBe(200)
  await expect(fill('tiny')).rejects.toThrow(notNew)
  expect(await list(shop, path)).toHaveLength(1)
  // Also if it was deleted: resources that a client deletes are not created again.
  await shop.call('DELETE', `${path}/1`)
  await expect(fill('tiny')).rejects.toThrow(notNew)
})

test('a failure leaves no row and no file, and the seed can be repeated', async () => {
  const { shop, fill } = await openStore()
  const beside = async () => {
    throw new Error('Not this time.')
  }
  await expect(fill('tiny', { beside })).rejects.toThrow('Not this time.')
  expect([await list(shop, '/catalog/categories'), await filesOf(shop)]).toEqual([[], []])
  expect(await fill('tiny')).toMatchObject({ products: 12 })
})

test('the first five products of the demo store are ordered by their ids alone', async () => {
  const { shop, fill } = await openStore()
  await fill('demo', { count: 60 })
  for (const product_id of [1, 2, 3, 4, 5]) {
    const products = [{ product_id, quantity: 1 }]
    const order = { billing_address: { first_name: 'Ida', zip: '1051' }, status_id: 11, products }
    const { status, body } = await shop.call('POST', '/orders', order, { version: 'v2' })
    expect([status, body], `product ${product_id}`).toMatchObject([200, { items_total: 1 }])
    const { data } = (await shop.call('GET', `/catalog/products/${product_id}`)).body
    expect(data).toMatchObject({ is_visible: true, availability: 'available', inventory_tracking: 'product' })
  }
})

test('no two of 250,000 products have the same name, address or number', () => {
  const names = Array.from({ length: SIZES.large }, (_, i) => identity(i).name)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  expect(new Set(names.map(slug)).size).toBe(names.length)
  const some = Array.from({ length: 2_000 }, (_, i) => article(i * 125).body)
  const numbers = some.flatMap(({ sku, variants = [] }) => [sku, ...variants.map(({ sku }) => sku)])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(new Set(some.map(({ gtin }) => gtin)).size).toBe(some.length)
})

test('all products are such as the route accepts', () => {
  for (let i = 0; i < SIZES.large; i += 97) {
    const { body } = article(i)
    expect([...Value.Errors(NewProduct, body)], body.name).toEqual([])
  }
})

test('pictures are whole PNGs, the same for the same product', async () => {
  const [drawing] = article(7).pictures
  if (!drawing) throw new Error('The product has no picture.')
  const bytes = await pngOf(drawing)
  expect(await imageType(bytes)).toEqual({ extension: 'png', mime: 'image/png' })
  expect(bytes.length).toBeLessThan(16_384)
  expect(await pngOf(drawing)).toEqual(bytes)
  const kinds = new Map(Array.from({ length: 500 }, (_, i) => article(i).pictures[0]).map((one) => [one?.figure, one]))
  for (const one of kinds.values()) if (one) expect((await pngOf(one)).length).toBeGreaterThan(500)
})

test('shapes cover their area, and their edges are mixed', async () => {
  const canvas = new Canvas<'paper' | 'ink'>('paper')
  canvas.paint(box(10, 10, 20.5, 20), 'ink')
  canvas.paint(ellipse(300, 300, 100, 50), 'ink')
  const at = await pixels(canvas)
  const [paper, ink] = [
    [255, 255, 255],
    [0, 0, 0],
  ]
  expect([at(9, 15), at(10, 15), at(29, 15), at(31, 15), at(15, 9), at(15, 30)]).toEqual([
    paper,
    ink,
    ink,
    paper,
    paper,
    paper,
  ])
  expect(at(30, 15)).toEqual([128, 128, 128])
  expect([at(300, 300), at(201, 300), at(198, 300), at(300, 251), at(300, 248)]).toEqual([ink, ink, paper, ink, paper])
})

/** The colours of a picture, white paper and black ink, read back from its PNG. */
async function pixels(canvas: Canvas<'paper' | 'ink'>) {
  const bytes = await canvas.png({ paper: [255, 255, 255], ink: [0, 0, 0] })
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12)
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  expect([rows.length, [...chunks.keys()]]).toEqual([SIDE * (SIDE + 1), ['IHDR', 'PLTE', 'IDAT', 'IEND']])
  return (x: number, y: number) => {
    const place = rows[y * (SIDE + 1) + 1 + x] ?? 0
    return [...(chunks.get('PLTE') ?? [])].slice(place * 3, place * 3 + 3)
  }
}

describe('progress', () => {
  /** The output while 40 of 100 are there, and 10 more come each second. */
  function written(isTTY: boolean) {
    const texts: string[] = []
    let ms = 0
    const out = { isTTY, write: (text: string) => texts.push(text) > 0 }
    const report = progressOn(out, 'products', () => ms)
    for (const made of [40, 45, 50, 100]) {
      ms = (made - 40) * 100
      report(made, 100)
    }
    return texts
  }

  test('is a bar on a terminal', () => {
    expect(written(true)).toEqual([
      '\r[############..................] 40 %  40 of 100 products\x1b[K',
      '\r[#############.................] 45 %  45 of 100 products, 6 s left\x1b[K',
      '\r[###############...............] 50 %  50 of 100 products, 5 s left\x1b[K',
      '\r[##############################] 100 %  100 of 100 products\x1b[K\n',
    ])
  })

  test('is a line for each tenth elsewhere', () => {
    expect(written(false)).toEqual([
      '40 %  40 of 100 products\n',
      '50 %  50 of 100 products, 5 s left\n',
      '100 %  100 of 100 products\n',
    ])
  })
})
