import { beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/products.md sections 4, 5 and 8: filters of lists and deletions, orders, and includes.

const PRODUCTS = '/catalog/products'
const ONE = '/catalog/products/1'

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }

/** Six products that differ in every filtered field. */
const stock = [
  {
    name: 'Ash bowl',
    type: 'physical',
    weight: 1,
    price: 10,
    sku: 'ASH-1',
    mpn: 'M-1',
    upc: '0001',
    brand_id: 1,
    categories: [1],
    inventory_tracking: 'product',
    inventory_level: 5,
    inventory_warning_level: 5,
    total_sold: 3,
    is_featured: true,
    date_last_imported: '2026-01-01T10:00:00Z',
  },
  {
    name: 'birch cup',
    type: 'physical',
    weight: 2,
    price: 10,
    sku: 'birch-2',
    mpn: 'm-2',
    upc: '0002',
    brand_id: 2,
    categories: [1, 2],
    inventory_tracking: 'product',
    inventory_level: 0,
    inventory_warning_level: 2,
    total_sold: 3,
    is_free_shipping: true,
    condition: 'Used',
    date_last_imported: '2026-01-02T23:59:59Z',
  },
  {
    name: 'Cedar box',
    type: 'digital',
    weight: 2,
    price: 9.9999,
    sale_price: 9,
    sku: 'CEDAR-3',
    brand_id: 2,
    categories: [2],
    inventory_tracking: 'none',
    inventory_level: 0,
    availability: 'disabled',
    condition: 'Refurbished',
    is_visible: false,
    date_last_imported: '2026-01-02T00:00:00Z',
  },
  {
    name: 'Aspen tray',
    type: 'physical',
    weight: 0,
    price: 25,
    sale_price: 10,
    sku: '',
    mpn: 'M-1',
    inventory_tracking: 'product',
    inventory_level: 7,
    inventory_warning_level: 2,
    total_sold: 1,
    availability: 'preorder',
  },
  { name: '100% wool_felt\\rug', type: 'physical', weight: 3.5, price: 99, sku: 'R%_\\1', is_featured: true },
  { name: 'éclair tin', type: 'digital', weight: 3.5, price: 0, sku: 'Z', is_visible: false, inventory_level: 2 },
]

async function openStock(): Promise<Shop> {
  const shop = await openShop()
  for (const name of ['Ferm', 'Hay']) await shop.call('POST', '/catalog/brands', { name })
  for (const name of ['One', 'Two', 'Three']) await shop.call('POST', '/catalog/categories', { name, parent_id: 0 })
  const { status, text } = await shop.call('POST', PRODUCTS, stock)
  expect(status, text).toBe(200)
  await shop.call('POST', '/channels', { name: 'Bay', type: 'marketplace', platform: 'ebay' })
  await shop.call('PUT', `${PRODUCTS}/channel-assignments`, [
    { product_id: 2, channel_id: 664_159 },
    { product_id: 4, channel_id: 664_159 },
  ])
  await shop.call('DELETE', `${PRODUCTS}/channel-assignments?product_id:in=4,6&channel_id:in=1`)
  return shop
}

/** Each filter of the contract, a value, and the matching products of `stock`. */
const filters: [query: string, found: number[]][] = [
  ['id=3', [3]],
  ['id:in=1,3,99', [1, 3]],
  ['id:not_in=1,3', [2, 4, 5, 6]],
  ['id:min=5', [5, 6]],
  ['id:max=2', [1, 2]],
  ['id:greater=5', [6]],
  ['id:less=2', [1]],
  ['name=BIRCH CUP', [2]],
  ['name=birch', []],
  ['name:like=as', [1, 4]],
  ['name:like=%25', [5]],
  ['name:like=_', [5]],
  ['name:like=\\', [5]],
  ['name:like=É', [6]],
  ['name:like=irc', [2]],
  ['name:like=rch%20', [2]],
  ['name:like=BIRCH%20C', [2]],
  ['name:like=birch%20cups', []],
  ['mpn=m-1', [1, 4]],
  ['upc=0002', [2]],
  ['price=10', [1, 2]],
  ['price=9.9999', [3]],
  ['weight=3.5', [5, 6]],
  ['condition=new', [1, 4, 5, 6]],
  ['condition=Used', [2]],
  ['condition=refurbished', [3]],
  ['condition=broken', []],
  ['brand_id=2', [2, 3]],
  ['brand_id=0', [4, 5, 6]],
  ['date_last_imported=2026-01-02', [2, 3]],
  ['date_last_imported=2026-01-01T11:00:00%2B01:00', [1]],
  ['date_last_imported:not=2026-01-02', [1, 4, 5, 6]],
  ['date_last_imported:not=2026-01-02T00:00:00Z', [1, 2, 4, 5, 6]],
  ['date_last_imported:max=2026-01-02', [1, 3]],
  ['date_last_imported:min=2026-01-02', [2, 3]],
  ['is_visible=true', [1, 2, 4, 5]],
  ['is_visible=0', [3, 6]],
  ['is_featured=1', [1, 5]],
  ['is_featured=0', [2, 3, 4, 6]],
  ['is_free_shipping=1', [2]],
  ['inventory_level=5', [1]],
  ['inventory_level:in=0,7', [2, 3, 4, 5]],
  ['inventory_level:not_in=0,7', [1, 6]],
  ['inventory_level:min=5', [1, 4]],
  ['inventory_level:max=2', [2, 3, 5, 6]],
  ['inventory_level:greater=5', [4]],
  ['inventory_level:less=2', [2, 3, 5]],
  ['inventory_low=1', [1, 2]],
  ['inventory_low=0', [3, 4, 5, 6]],
  ['out_of_stock=1', [2]],
  ['out_of_stock=0', [1, 3, 4, 5, 6]],
  ['total_sold=3', [1, 2]],
  ['type=digital', [3, 6]],
  ['categories=1', [1, 2]],
  ['categories=3', []],
  ['categories:in=1,2', [1, 2, 3]],
  ['channel_id:in=1', [1, 2, 3, 5]],
  ['channel_id:in=664159', [2, 4]],
  ['channel_id:in=1,664159', [1, 2, 3, 4, 5]],
  ['channel_id:in=664159&is_visible=true&price=10', [2]],
  ['channel_id:in=2,9007199254740991', []],
  ['keyword=AS', [1, 4]],
  ['keyword=cedar-', [3]],
  ['keyword=ash-1', [1]],
  ['keyword=%25', [5]],
  ['keyword=%25_\\', [5]],
  ['keyword=_', [5]],
  ['keyword=\\', [5]],
  ['keyword=', [1, 2, 3, 4, 5, 6]],
  ['keyword=c&keyword_context=shopper', [2]],
  ['keyword=c&keyword_context=merchant', [2, 3, 6]],
  ['keyword_context=shopper', [1, 2, 4, 5]],
  ['availability=preorder', [4]],
  ['sku=ash-1', [1]],
  ['sku=', [4]],
  ['sku:in=z,BIRCH-2,none', [2, 6]],
  ['price=10&brand_id=2', [2]],
  ['categories=1&is_featured=true&keyword=ash', [1]],
]

describe('a list of products', () => {
  let shop: Shop
  const get = async (query: string) => {
    const { status, body, text } = await shop.call('GET', `${PRODUCTS}?${query}`)
    expect(status, text).toBe(200)
    return body
  }
  beforeAll(async () => {
    shop = await openStock()
  })

  test.each(filters)('%s', async (query, found) => {
    const body = await get(query)
    expect(idsOf(body)).toEqual(found)
    expect(body.meta.pagination).toMatchObject({ total: found.length, count: found.length })
  })

  test('is filtered by the dates of changes', async () => {
    const { clock } = await theHouse()
    const { call } = await openShop()
    const found = async (query: string) => idsOf((await call('GET', `${PRODUCTS}?${query}`)).body)
    const moments: string[] = []
    for (const name of ['A', 'B', 'C']) {
      moments.push((await call('POST', PRODUCTS, { ...mug, name })).body.data.date_modified)
      clock.move(3_600_000)
    }
    const at = moments[1]
    expect(await found(`date_modified=${at}`)).toEqual([2])
    expect(await found(`date_modified:min=${at}`)).toEqual([2, 3])
    expect(await found(`date_modified:max=${at}`)).toEqual([1, 2])
    await call('PUT', ONE, { price: 1 })
    expect(await found(`date_modified:min=${at}`)).toEqual([1, 2, 3])
  })

  test.each([
    ['colour=red', 'The query is not valid: "colour" is not a parameter here.'],
    ['weight:min=1', 'The query is not valid: "weight:min" is not a parameter here.'],
    ['sort=weight', expect.stringContaining('sort must be one of id, name, sku, price, date_modified,')],
    ['direction=up', 'The query is not valid: direction must be one of asc, desc, not "up".'],
    ['include=brand', expect.stringContaining('include must be one of bulk_pricing_rules, channels,')],
    ['price=cheap', 'The query is not valid: price must be a number, not "cheap".'],
    ['price=1e3', 'The query is not valid: price must be a number, not "1e3".'],
    ['inventory_level=1.5', 'The query is not valid: inventory_level must be an integer, not "1.5".'],
    ['inventory_level=2147483648', expect.stringContaining('inventory_level must be at most 2147483647')],
    ['is_visible=yes', 'The query is not valid: is_visible must be a boolean, not "yes".'],
    ['is_featured=2', 'The query is not valid: is_featured must be a boolean, not "2".'],
    ['inventory_low=2', 'The query is not valid: inventory_low must be a boolean, not "2".'],
    ['date_modified=some day', 'The query is not valid: date_modified must be a date-time, not "some day".'],
    ['date_last_imported:not=no', 'The query is not valid: date_last_imported:not must be a date-time, not "no".'],
    ['keyword_context=admin', 'The query is not valid: keyword_context must be one of shopper, merchant, not "admin".'],
    ['categories=0', 'The query is not valid: categories must be at least 1, not 0.'],
    ['categories:in=', 'The query is not valid: categories:in must hold at least 1.'],
    ['categories:in=1,x', 'The query is not valid: categories:in must be an integer, not "x".'],
    ['id:in=', 'The query is not valid: id:in must hold at least 1.'],
    ['keyword=%00', expect.stringContaining('keyword')],
  ])('is refused for %s (422)', async (query, title) => {
    const { status, body } = await shop.call('GET', `${PRODUCTS}?${query}`)
    expect({ status, body }).toMatchObject({ status: 422, body: problem(422, title) })
  })

  test.each(['limit=251', `id:in=${Array.from({ length: 251 }, (_, i) => i + 1)}`])(
    '%s is refused (413)',
    async (query) => {
      expect((await shop.call('GET', `${PRODUCTS}?${query}`)).status).toBe(413)
    },
  )

  const fold = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
  const sorts =
    'id name sku price date_modified date_last_imported inventory_level is_visible total_sold calculated_price'

  test.each(sorts.split(' '))('is sorted by %s, then by id, with nulls last', async (field) => {
    const all: Record<string, unknown>[] = (await get('')).data
    const compare = (one: unknown, other: unknown) => {
      const [a, b] = [fold(one), fold(other)]
      if (a === b) return 0
      return (a as number) < (b as number) ? -1 : 1
    }
    const expected = (sign: number) =>
      all
        .toSorted((one, other) => {
          const [a, b] = [one[field], other[field]]
          if (a === null || b === null) return Number(a === null) - Number(b === null) || compare(one.id, other.id)
          return sign * compare(a, b) || compare(one.id, other.id)
        })
        .map(({ id }) => id)
    expect(idsOf(await get(`sort=${field}`))).toEqual(expected(1))
    expect(idsOf(await get(`sort=${field}&direction=asc`))).toEqual(expected(1))
    expect(idsOf(await get(`sort=${field}&direction=desc`))).toEqual(expected(-1))
    const pages = await Promise.all([1, 2, 3].map((page) => get(`sort=${field}&direction=desc&limit=2&page=${page}`)))
    expect(pages.flatMap(idsOf)).toEqual(expected(-1))
    const filtered = await get(`sort=${field}&direction=desc&id:max=5`)
    expect(idsOf(filtered)).toEqual(expected(-1).filter((id) => Number(id) <= 5))
  })

  test('is sorted by id by default, in either direction', async () => {
    expect(idsOf(await get(''))).toEqual([1, 2, 3, 4, 5, 6])
    expect(idsOf(await get('direction=desc'))).toEqual([6, 5, 4, 3, 2, 1])
  })

  test('has links that keep its filters', async () => {
    const { pagination } = (await get('categories:in=1,2&sort=price&limit=2')).meta
    expect(pagination).toEqual({
      total: 3,
      count: 2,
      per_page: 2,
      current_page: 1,
      total_pages: 2,
      links: {
        current: '?categories%3Ain=1%2C2&sort=price&page=1&limit=2',
        next: '?categories%3Ain=1%2C2&sort=price&page=2&limit=2',
      },
    })
    expect(idsOf(await get(pagination.links.next.slice(1)))).toEqual([2])
  })
})

// A search reads rows of its own, alone or with other filters.
test('finds products by their current names and SKUs', async () => {
  const { call } = await openShop()
  const found = async (text: string) => {
    const ask = async (query: string) => idsOf((await call('GET', `${PRODUCTS}?${query}`)).body)
    const [alone, narrowed] = [await ask(`keyword=${text}`), await ask(`keyword=${text}&is_visible=true`)]
    expect(narrowed).toEqual(alone)
    const named = await ask(`name:like=${text}`)
    expect(await ask(`name:like=${text}&sort=price`)).toEqual(named)
    return { alone, named }
  }
  await call('POST', PRODUCTS, { ...mug, sku: 'CLAY-1' })
  await call('POST', PRODUCTS, [
    { ...mug, name: 'Clay bowl', price: 19 },
    { ...mug, name: 'Plate', price: 20, sku: 'P' },
  ])
  expect(await found('cLaY')).toEqual({ alone: [1, 2], named: [2] })
  await call('PUT', ONE, { name: 'Cup of clay' })
  await call('PUT', PRODUCTS, [
    { id: 2, name: 'Bowl' },
    { id: 3, sku: 'CLAY-3' },
  ])
  expect(await found('clay')).toEqual({ alone: [1, 3], named: [1] })
  // A base variant has the SKU of its product.
  await call('PUT', `${PRODUCTS}/2/variants/2`, { sku: 'CLAY-2' })
  expect(await found('clay')).toEqual({ alone: [1, 2, 3], named: [1] })
  await call('PUT', `${PRODUCTS}/2/variants/2`, { sku: '' })
  await call('DELETE', ONE)
  expect(await found('clay')).toEqual({ alone: [3], named: [] })
  await call('DELETE', `${PRODUCTS}?keyword=clay`)
  expect(await found('')).toEqual({ alone: [2], named: [2] })
  for (const query of ['keyword=o&limit=1&page=2', 'name:like=o&sort=name&direction=desc&include_fields=name']) {
    expect((await call('GET', `${PRODUCTS}?${query}`)).body.meta.pagination.total).toBe(1)
  }
})

describe('the fields of a product', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openStock()
  })

  test.each([
    ['include_fields=name,price', ['id', 'name', 'price']],
    ['include_fields=price,unknown', ['id', 'price']],
    ['include_fields=name,price&exclude_fields=price,id', ['id', 'name']],
    ['include_fields=unknown', ['id']],
  ])('are chosen by %s, in a list, alone, and in the answer to a change', async (query, fields) => {
    const { call } = shop
    const product = { ...mug, name: `Mug of ${query}` }
    const batch = await call('PUT', `${PRODUCTS}?${query}`, [{ id: 1, price: 1 }])
    const made = await call('POST', `${PRODUCTS}?${query}`, product)
    const answers = [
      (await call('GET', `${PRODUCTS}?${query}`)).body.data[0],
      (await call('GET', `${ONE}?${query}`)).body.data,
      (await call('PUT', `${ONE}?${query}`, { price: 2 })).body.data,
      (await call('PUT', `${ONE}?${query}`, {})).body.data,
      batch.body.data[0],
      made.body.data,
      (await call('POST', `${PRODUCTS}?${query}`, [{ ...product, name: `${product.name} 2` }])).body.data[0],
    ]
    for (const data of answers) expect(Object.keys(data).sort()).toEqual(fields)
  })

  test('are left out by exclude_fields, and an empty list is no list', async () => {
    const { call } = shop
    const whole = Object.keys((await call('GET', ONE)).body.data)
    const left = whole.filter((field) => field !== 'name' && field !== 'custom_url')
    const query = 'exclude_fields=name,custom_url,id,unknown'
    expect(Object.keys((await call('GET', `${ONE}?${query}`)).body.data)).toEqual(left)
    expect(Object.keys((await call('GET', `${PRODUCTS}?${query}`)).body.data[0])).toEqual(left)
    expect(Object.keys((await call('PUT', `${ONE}?${query}`, { price: 3 })).body.data)).toEqual(left)
    expect(Object.keys((await call('GET', `${ONE}?include_fields=&exclude_fields=`)).body.data)).toEqual(whole)
  })
})

describe('include', () => {
  let shop: Shop
  const parts = [
    ['bulk_pricing_rules', 'bulk-pricing-rules'],
    ['custom_fields', 'custom-fields'],
    ['images', 'images'],
    ['modifiers', 'modifiers'],
    ['options', 'options'],
    ['reviews', 'reviews'],
    ['variants', 'variants'],
    ['videos', 'videos'],
  ] as const
  beforeAll(async () => {
    shop = await openShop()
    const { call } = shop
    const size = (label: string) => [{ option_display_name: 'Size', label }]
    const furnished = {
      ...mug,
      variants: [
        { sku: 'MUG-S', option_values: size('S') },
        { sku: 'MUG-L', price: 20, option_values: size('L') },
      ],
      custom_fields: [
        { name: 'Clay', value: 'Red' },
        { name: 'Glaze', value: 'Sea' },
      ],
      bulk_pricing_rules: [{ quantity_min: 2, quantity_max: 5, type: 'price', amount: 1 }],
      images: [
        { image_url: 'https://cdn.example.com/1.png', sort_order: 2 },
        { image_url: 'https://cdn.example.com/2.png', sort_order: 1, is_thumbnail: true },
      ],
      videos: [{ video_id: 'abc', sort_order: 1 }],
    }
    await call('POST', PRODUCTS, furnished)
    await call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    const list = (product_id: number, n: number) => ({
      label: `Choice ${n}`,
      sort_order: n,
      value_data: { product_id },
    })
    await call('POST', `${ONE}/modifiers`, {
      display_name: 'With it',
      type: 'product_list',
      required: false,
      option_values: [list(2, 0)],
    })
    await call('POST', `${ONE}/options`, {
      display_name: 'Set',
      type: 'product_list',
      option_values: [list(2, 0), list(2, 1)],
    })
    for (const title of ['Good', 'Better']) {
      const review = { title, date_reviewed: '2026-01-01', status: 'approved', rating: 4 }
      expect((await call('POST', `${ONE}/reviews`, review)).status).toBe(200)
    }
  })

  test.each(parts)('%s shows the same as the list of the sub-resource', async (part, path) => {
    const { call } = shop
    const own = await Promise.all([1, 2].map(async (id) => (await call('GET', `${PRODUCTS}/${id}/${path}`)).body.data))
    expect(own[0].length).toBeGreaterThan(0)
    const [plain, bare] = (await call('GET', PRODUCTS)).body.data
    expect((await call('GET', `${PRODUCTS}?include=${part}`)).body.data).toEqual([
      { ...plain, [part]: own[0] },
      { ...bare, [part]: own[1] },
    ])
    expect((await call('GET', `${ONE}?include=${part}`)).body.data).toEqual({ ...plain, [part]: own[0] })
    expect((await call('GET', `${PRODUCTS}/2?include=${part}`)).body.data).toEqual({ ...bare, [part]: own[1] })
    expect((await call('PUT', `${ONE}?include=${part}`, {})).body.data).toEqual({ ...plain, [part]: own[0] })
    expect((await call('PUT', `${PRODUCTS}?include=${part}`, [{ id: 2 }])).body.data).toEqual([
      { ...bare, [part]: own[1] },
    ])
  })

  test('shows the primary image, the channels, and the products that offer a product', async () => {
    const { call } = shop
    const query = 'include=primary_image,channels,parent_relations&include_fields=name'
    const images = (await call('GET', `${ONE}/images`)).body.data
    const first = {
      id: 1,
      name: 'Mug',
      primary_image: images.find(({ is_thumbnail }: { is_thumbnail: boolean }) => is_thumbnail),
      channels: [1],
      parent_relations: [],
    }
    const second = {
      id: 2,
      name: 'Bowl',
      primary_image: null,
      channels: [1],
      parent_relations: [
        { type: 'variant_option', product_id: 1, attribute_id: 2 },
        { type: 'modifier', product_id: 1, attribute_id: 1 },
      ],
    }
    expect(first.primary_image).toMatchObject({ id: 2 })
    expect((await call('GET', `${PRODUCTS}?${query}`)).body.data).toEqual([first, second])
    expect((await call('GET', `${PRODUCTS}/2?${query}`)).body.data).toEqual(second)
  })

  test('takes several at once, independently of include_fields', async () => {
    const { data } = (await shop.call('GET', `${PRODUCTS}?include=variants,images&include=videos&include_fields=price`))
      .body
    expect(Object.keys(data[0]).sort()).toEqual(['id', 'images', 'price', 'variants', 'videos'])
  })

  test('is implied for sub-resources in a body', async () => {
    const { call } = shop
    const made = await call('POST', PRODUCTS, { ...mug, name: 'Plate', videos: [{ video_id: 'x' }], images: [] })
    expect(made.body.data).toMatchObject({ images: [], videos: [{ video_id: 'x' }] })
    expect(made.body.data).not.toHaveProperty('custom_fields')
    const put = await call('PUT', `${PRODUCTS}/3`, { custom_fields: [{ name: 'a', value: 'b' }] })
    expect(put.body.data).toMatchObject({ custom_fields: [{ id: 3, name: 'a', value: 'b' }] })
    expect(put.body.data).not.toHaveProperty('videos')
    await call('DELETE', `${PRODUCTS}/3`)
  })

  test.each([
    ['include=options', 10],
    ['include=variants,modifiers', 10],
    ['include=options&limit=250', 10],
    ['include=modifiers&limit=4', 4],
    ['include=variants&limit=250', 12],
  ])('%s has at most %i products on a page', async (query, count) => {
    const shop = await openShop()
    const names = Array.from({ length: 12 }, (_, i) => `Mug ${i}`)
    await shop.call(
      'POST',
      PRODUCTS,
      names.map((name) => ({ ...mug, name })),
    )
    const { body } = await shop.call('GET', `${PRODUCTS}?${query}`)
    const per_page = query === 'include=variants&limit=250' ? 250 : count
    expect(body.data).toHaveLength(count)
    expect(body.meta.pagination).toMatchObject({ total: 12, count, per_page, total_pages: Math.ceil(12 / per_page) })
    const second = await shop.call('GET', `${PRODUCTS}?${query}&page=2`)
    expect(idsOf(second.body)).toEqual([...names.keys()].map((i) => i + 1).slice(per_page, 2 * per_page))
    expect((await shop.call('GET', `${PRODUCTS}?include=options&limit=251`)).status).toBe(413)
  })
})

describe('a deletion of many products', () => {
  /** The filters of a list that a deletion has too, and one of its own. */
  const narrowing =
    'name sku price weight condition brand_id date_last_imported is_visible is_featured id:in inventory_level total_sold type categories keyword'.split(
      ' ',
    )

  const isNarrow = (filter: string) => !filter.endsWith('=') && narrowing.includes(filter.split('=')[0] ?? '')

  test.each(filters.filter(([query]) => query.split('&').every(isNarrow)))(
    'by %s deletes the matching ones of a list',
    async (query, found) => {
      const { call } = await openStock()
      const { status, text } = await call('DELETE', `${PRODUCTS}?${query}`)
      expect({ status, text }).toEqual({ status: 204, text: '' })
      const left = stock.map((_, i) => i + 1).filter((id) => !found.includes(id))
      const { body } = await call('GET', PRODUCTS)
      expect(idsOf(body)).toEqual(left)
      expect(body.meta.pagination.total).toBe(left.length)
    },
  )

  test('takes the day or the moment of their last change', async () => {
    const { call } = await openStock()
    const { clock } = await theHouse()
    const [{ date_modified }] = (await call('GET', PRODUCTS)).body.data
    clock.move(2 * 86_400_000)
    await call('PUT', ONE, { price: 1 })
    await call('DELETE', `${PRODUCTS}?date_modified=${date_modified}&is_visible=true`)
    expect(idsOf((await call('GET', PRODUCTS)).body)).toEqual([1, 3, 6])
    await call('DELETE', `${PRODUCTS}?date_modified=${date_modified.slice(0, 10)}`)
    expect(idsOf((await call('GET', PRODUCTS)).body)).toEqual([1])
  })

  test.each([
    ['', 'The query is not valid: the deletion of products needs a filter.'],
    ['?colour=red', 'The query is not valid: "colour" is not a parameter here.'],
    ['?name:like=a', 'The query is not valid: "name:like" is not a parameter here.'],
    ['?id=1', 'The query is not valid: "id" is not a parameter here.'],
    ['?name=Mug&limit=5', 'The query is not valid: "limit" is not a parameter here.'],
    ['?id:in=', 'The query is not valid: id:in must hold at least 1.'],
    ['?id:in=a', 'The query is not valid: id:in must be an integer, not "a".'],
    ['?is_visible=maybe', 'The query is not valid: is_visible must be a boolean, not "maybe".'],
    ['?price=', 'The query is not valid: price must be a number, not "".'],
    ['?keyword=', 'The query is not valid: keyword must not be blank where it decides what is deleted.'],
    ['?keyword=%20', 'The query is not valid: keyword must not be blank where it decides what is deleted.'],
    ['?sku=', 'The query is not valid: sku must not be blank where it decides what is deleted.'],
  ])('is refused with %j (422), and deletes nothing', async (query, title) => {
    const { call } = await openShop()
    await call('POST', PRODUCTS, mug)
    const { status, body } = await call('DELETE', `${PRODUCTS}${query}`)
    expect({ status, body }).toEqual({ status: 422, body: problem(422, title) })
    expect((await call('GET', PRODUCTS)).body.data).toHaveLength(1)
  })

  test('deletes at most 250, those with the lowest ids', async () => {
    const shop = await openShop()
    const { call } = shop
    for (const start of [0, 100, 200]) {
      const some = Array.from({ length: start === 200 ? 53 : 100 }, (_, i) => ({ ...mug, name: `Mug ${start + i}` }))
      expect((await call('POST', PRODUCTS, some)).status).toBe(200)
    }
    await call('PUT', ONE, { is_visible: false })
    expect((await call('DELETE', `${PRODUCTS}?is_visible=true`)).status).toBe(204)
    expect(idsOf((await call('GET', PRODUCTS)).body)).toEqual([1, 252, 253])
    expect((await call('DELETE', `${PRODUCTS}?is_visible=true`)).status).toBe(204)
    expect((await call('DELETE', `${PRODUCTS}?is_visible=true`)).status, 'nothing is left to go').toBe(204)
    expect(idsOf((await call('GET', PRODUCTS)).body)).toEqual([1])
    expect(await rowsOf(shop, 'variants')).toHaveLength(1)
  })
})
