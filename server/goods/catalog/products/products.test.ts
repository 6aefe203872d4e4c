import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { createTaxClassesUpTo } from '../../../test/fixtures/tax.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/catalog.md section 5 and docs/contract/products.md: one product, its fields, its references, its deletion.
// Lists are in filters.test.ts, batches in batches.test.ts, events in events.test.ts, variants in variants.test.ts, and
// sub-resources in files of their own.

const PRODUCTS = '/catalog/products'
const ONE = '/catalog/products/1'

const text = (length: number) => 'a'.repeat(length)
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }

/** The defaults of a product. */
const blank = {
  sku: '',
  description: '',
  width: 0,
  depth: 0,
  height: 0,
  cost_price: 0,
  retail_price: 0,
  sale_price: 0,
  map_price: 0,
  tax_class_id: 0,
  product_tax_code: '',
  categories: [],
  brand_id: 0,
  option_set_id: null,
  option_set_display: 'right',
  inventory_level: 0,
  inventory_warning_level: 0,
  inventory_tracking: 'none',
  reviews_rating_sum: 0,
  reviews_count: 0,
  total_sold: 0,
  fixed_cost_shipping_price: 0,
  is_free_shipping: false,
  is_visible: true,
  is_featured: false,
  related_products: [-1],
  warranty: '',
  bin_picking_number: '',
  layout_file: 'product.html',
  upc: '',
  mpn: '',
  gtin: '',
  date_last_imported: null,
  search_keywords: '',
  availability: 'available',
  availability_description: '',
  gift_wrapping_options_type: 'any',
  gift_wrapping_options_list: [],
  sort_order: 0,
  condition: 'New',
  is_condition_shown: false,
  order_quantity_minimum: 0,
  order_quantity_maximum: 0,
  page_title: '',
  meta_keywords: [],
  meta_description: '',
  view_count: 0,
  preorder_release_date: null,
  preorder_message: '',
  is_preorder_only: false,
  is_price_hidden: false,
  price_hidden_label: '',
  open_graph_type: 'product',
  open_graph_title: '',
  open_graph_description: '',
  open_graph_use_meta_description: true,
  open_graph_use_product_name: true,
  open_graph_use_image: true,
}

/** Every field that can be set, with another value than its default. */
const whole = {
  name: 'Stoneware mug',
  type: 'digital',
  sku: 'MUG-1',
  description: '<p>Fired twice. 😀</p>',
  weight: 0.4321,
  width: 8.5,
  depth: 8.25,
  height: 9.125,
  price: 18.5,
  cost_price: 4.75,
  retail_price: 24.99,
  sale_price: 15.9999,
  map_price: 14,
  tax_class_id: 2,
  product_tax_code: 'PC-1',
  categories: [1, 2],
  brand_id: 1,
  inventory_level: 12,
  inventory_warning_level: 3,
  inventory_tracking: 'product',
  total_sold: 7,
  fixed_cost_shipping_price: 5.5,
  is_free_shipping: true,
  is_visible: false,
  is_featured: true,
  related_products: [3, 4],
  warranty: 'Two years',
  bin_picking_number: 'A-7',
  layout_file: 'mug.html',
  upc: '12345678901234',
  mpn: 'SM-1',
  gtin: '43210987654321',
  date_last_imported: '2026-01-02T03:04:05Z',
  search_keywords: 'mug, cup',
  availability: 'preorder',
  availability_description: 'Soon',
  gift_wrapping_options_type: 'list',
  gift_wrapping_options_list: [1, 2],
  sort_order: -5,
  condition: 'Refurbished',
  is_condition_shown: true,
  order_quantity_minimum: 2,
  order_quantity_maximum: 1_000_000_000,
  page_title: 'A mug',
  meta_keywords: ['mug', '', 'mug'],
  meta_description: 'Holds coffee',
  view_count: 9,
  preorder_release_date: '2027-01-01T00:00:00Z',
  preorder_message: 'From January',
  is_preorder_only: true,
  is_price_hidden: true,
  price_hidden_label: 'Ask us',
  custom_url: { url: '/mugs/stoneware/', is_customized: true },
  open_graph_type: 'song',
  open_graph_title: 'Mug',
  open_graph_description: 'Look',
  open_graph_use_meta_description: false,
  open_graph_use_product_name: false,
  open_graph_use_image: false,
}

/** A store with three categories and a brand. */
async function openStore(): Promise<Shop> {
  const shop = await openShop()
  for (const name of ['One', 'Two', 'Three']) await shop.call('POST', '/catalog/categories', { name, parent_id: 0 })
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  return shop
}

async function add({ call }: Shop, more: object = {}): Promise<number> {
  const { status, body, text } = await call('POST', PRODUCTS, { ...mug, ...more })
  expect(status, text).toBe(200)
  return body.data.id
}

describe('a new product', () => {
  test('is answered as a whole, with its defaults', async () => {
    const { call } = await openShop()
    const { status, body } = await call('POST', PRODUCTS, mug)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          ...blank,
          ...mug,
          id: 1,
          calculated_price: 18.5,
          custom_url: { url: '/mug/', is_customized: false },
          base_variant_id: 1,
          date_created: MOMENT,
          date_modified: MOMENT,
        },
        meta: {},
      },
    })
    expect(body.data.date_modified).toBe(body.data.date_created)
  })

  test('keeps every field as it was sent, in every answer', async () => {
    const { call } = await openStore()
    const data = {
      ...blank,
      ...whole,
      id: 1,
      calculated_price: 15.9999,
      base_variant_id: 1,
      date_created: MOMENT,
      date_modified: MOMENT,
    }
    expect((await call('POST', PRODUCTS, whole)).body).toEqual({ data, meta: {} })
    expect((await call('GET', ONE)).body).toEqual({ data, meta: {} })
    expect((await call('GET', PRODUCTS)).body).toEqual({
      data: [data],
      meta: { pagination: onlyPage(1) },
    })
  })

  test('ignores read-only and unknown fields, and those of other resources (C-073)', async () => {
    const shop = await openShop()
    const { call } = shop
    const smuggled = {
      id: 77,
      store_id: 1,
      name_key: 'x',
      calculated_price: 1,
      option_set_id: 5,
      option_set_display: 'left',
      reviews_count: 5,
      reviews_rating_sum: 25,
      base_variant_id: 9,
      date_created: '2001-01-01T00:00:00Z',
      date_modified: '2001-01-01T00:00:00Z',
      options: [{ display_name: 'Size' }],
      __proto__: { is_featured: true },
    }
    const { data } = (await call('POST', PRODUCTS, { ...smuggled, ...mug })).body
    const expected = { ...blank, ...mug, id: 1, calculated_price: 18.5, base_variant_id: 1 }
    expect(data).toMatchObject(expected)
    expect(data.date_created).not.toMatch(/^2001/)
    expect((await call('PUT', ONE, { ...smuggled, variants: [] })).body.data).toEqual(data)
    expect((await call('GET', PRODUCTS)).body.data).toEqual([data])
    expect(await rowsOf(shop, 'options')).toEqual([])
  })

  test('has its categories sorted and once each', async () => {
    const shop = await openStore()
    await add(shop, { categories: [3, 1, 3, 2, 1] })
    expect((await shop.call('GET', ONE)).body.data.categories).toEqual([1, 2, 3])
    expect(await rowsOf(shop, 'product_categories')).toMatchObject([
      { product_id: 1, category_id: 1 },
      { product_id: 1, category_id: 2 },
      { product_id: 1, category_id: 3 },
    ])
  })

  test('is sold in the first channel', async () => {
    const shop = await openShop()
    await add(shop)
    expect(await rowsOf(shop, 'product_channels')).toMatchObject([{ product_id: 1, channel_id: 1 }])
  })

  test.each([
    [{ price: 10 }, 10],
    [{ price: 10, sale_price: 0 }, 10],
    [{ price: 10, sale_price: 8 }, 8],
    // A sale price is paid even if it is higher.
    [{ price: 10, sale_price: 12 }, 12],
    [{ price: 0, sale_price: 0 }, 0],
  ])('with %o costs %d, and so it does after a change', async (prices, calculated_price) => {
    const { call } = await openShop()
    expect((await call('POST', PRODUCTS, { ...mug, ...prices })).body.data).toMatchObject({ calculated_price })
    await call('PUT', ONE, { price: 99, sale_price: 98 })
    const put = await call('PUT', ONE, { sale_price: 0, ...prices })
    expect(put.body.data).toMatchObject({ calculated_price })
  })

  test.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05+14:00', '2026-01-01T13:04:05Z'],
    ['2026-01-02', '2026-01-02T00:00:00Z'],
    ['Tue, 12 Jun 2018 14:41:56 +0200', '2018-06-12T12:41:56Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    [null, null],
  ])('takes %s as a date, and the same date again is no change (C-082)', async (given, stored) => {
    const { call } = await openShop()
    const { clock } = await theHouse()
    const dates = { date_last_imported: given, preorder_release_date: given }
    const { body } = await call('POST', PRODUCTS, { ...mug, ...dates })
    expect(body.data).toMatchObject({ date_last_imported: stored, preorder_release_date: stored })
    clock.move(60_000)
    expect((await call('PUT', ONE, dates)).body.data).toEqual(body.data)
  })
})

describe('money and measures (C-081)', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await add(shop, { name: 'There' })
  })

  test.each([
    ['"10.00"', 10],
    ['0.30000000000000004', 0.3],
    ['1e-7', 0],
    ['-0', 0],
    ['1.00005', 1.0001],
    ['"1.23456789012345678901"', 1.2346],
    ['99999999999', 99_999_999_999],
    ['"99999999999.00004"', 99_999_999_999],
  ])('keep %s as %d', async (sent, price) => {
    const { call } = shop
    const payload = `{"name":"Amount","type":"physical","weight":1,"price":${sent}}`
    const { status, body, text } = await call('POST', PRODUCTS, undefined, {
      payload,
      headers: { 'content-type': 'application/json' },
    })
    expect({ status, price: body.data?.price }, text).toEqual({ status: 200, price })
    const path = `${PRODUCTS}/${body.data.id}`
    expect((await call('GET', path)).body.data).toMatchObject({ price, calculated_price: price })
    expect((await call('GET', `${PRODUCTS}?price=${price}&name=amount`)).body.data).toHaveLength(1)
    await call('DELETE', path)
  })

  test.each([
    ['1e400', 'price is too large a number.'],
    ['-1e400', 'price is too large a number.'],
    ['"NaN"', 'error.expected.jsnumber'],
    ['"Infinity"', 'error.expected.jsnumber'],
    ['"1e3"', 'error.expected.jsnumber'],
    ['""', 'error.expected.jsnumber'],
    ['true', 'error.expected.jsnumber'],
    ['null', 'error.expected.jsnumber'],
    ['[1]', 'error.expected.jsnumber'],
    ['-0.0001', 'price must be at least 0, not -0.0001.'],
    ['"-5"', 'price must be at least 0, not -5.'],
    ['99999999999.0001', 'price must be at most 99999999999, not 99999999999.0001.'],
    ['"12345678901234567890"', 'price must be at most 99999999999, not 12345678901234567000.'],
    ['1e300', 'price must be at most 99999999999, not 1e+300.'],
  ])('refuse %s', async (sent, sentence) => {
    const { call } = shop
    const raw = { payload: `{"name":"Amount","type":"physical","weight":1,"price":${sent}}` }
    const headers = { 'content-type': 'application/json' }
    for (const [method, path] of [
      ['POST', PRODUCTS],
      ['PUT', ONE],
    ] as const) {
      const { status, body } = await call(method, path, undefined, { ...raw, headers })
      expect({ status, body }, method).toEqual({ status: 422, body: invalid({ price: sentence }) })
    }
  })

  test('refuse NaN without quotes, which is no JSON', async () => {
    const raw = { payload: '{"price":NaN}', headers: { 'content-type': 'application/json' } }
    expect((await shop.call('POST', PRODUCTS, undefined, raw)).status).toBe(400)
  })
})

describe('the bounds of a field (docs/contract/products.md section 2)', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await createTaxClassesUpTo(shop, 255)
    await add(shop, { name: 'Here before' })
  })

  const lengths = {
    sku: 255,
    product_tax_code: 255,
    warranty: 65_535,
    bin_picking_number: 255,
    layout_file: 500,
    upc: 14,
    mpn: 255,
    gtin: 14,
    search_keywords: 65_535,
    availability_description: 255,
    page_title: 255,
    meta_description: 65_535,
    preorder_message: 255,
    price_hidden_label: 200,
  }
  const numbers: Record<string, [minimum: number, maximum: number, step: number]> = {
    weight: [0, 9_999_999_999, 0.0001],
    width: [0, 9_999_999_999, 0.0001],
    depth: [0, 9_999_999_999, 0.0001],
    height: [0, 9_999_999_999, 0.0001],
    price: [0, 99_999_999_999, 0.0001],
    cost_price: [0, 99_999_999_999, 0.0001],
    retail_price: [0, 99_999_999_999, 0.0001],
    sale_price: [0, 99_999_999_999, 0.0001],
    map_price: [0, 99_999_999_999, 0.0001],
    fixed_cost_shipping_price: [0, 99_999_999_999, 0.0001],
    tax_class_id: [0, 255, 1],
    inventory_level: [0, 2_147_483_647, 1],
    inventory_warning_level: [0, 2_147_483_647, 1],
    total_sold: [0, 2_147_483_647, 1],
    sort_order: [-2_147_483_648, 2_147_483_647, 1],
    order_quantity_minimum: [0, 1_000_000_000, 1],
    order_quantity_maximum: [0, 1_000_000_000, 1],
    view_count: [0, 1_000_000_000, 1],
  }

  test('allow every text its full length, and no more', async () => {
    const { call } = shop
    const longest = Object.fromEntries(Object.entries(lengths).map(([field, length]) => [field, text(length)]))
    const longer = Object.fromEntries(Object.entries(lengths).map(([field, length]) => [field, text(length + 1)]))
    const product = { ...mug, ...longest, name: text(250), description: text(100_000) }
    const { status, body } = await call('POST', PRODUCTS, product)
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: product })
    await call('DELETE', `${PRODUCTS}/${body.data.id}`)
    expect((await call('PUT', ONE, { ...longer, name: text(251) })).body).toEqual(
      invalid({
        name: 'name must have at most 250 characters, not 251.',
        ...Object.fromEntries(
          Object.entries(lengths).map(([field, length]) => [
            field,
            `${field} must have at most ${length} characters, not ${length + 1}.`,
          ]),
        ),
      }),
    )
  })

  test('bound every number', async () => {
    const { call } = shop
    for (const bound of [0, 1] as const) {
      const given = Object.fromEntries(Object.entries(numbers).map(([field, bounds]) => [field, bounds[bound]]))
      const { status, body } = await call('PUT', ONE, given)
      expect({ status, data: body.data }).toMatchObject({ status: 200, data: given })
    }
    const below = Object.entries(numbers).map(([field, [minimum, , step]]) => [field, minimum - step])
    const above = Object.entries(numbers).map(([field, [, maximum, step]]) => [field, maximum + step])
    const refused = async (given: (string | number)[][]) => {
      const { status, body } = await call('PUT', ONE, Object.fromEntries(given))
      expect(status).toBe(422)
      return body.errors
    }
    expect(await refused(below)).toEqual(
      Object.fromEntries(
        below.map(([field, value]) => [field, `${field} must be at least ${numbers[field ?? '']?.[0]}, not ${value}.`]),
      ),
    )
    expect(await refused(above)).toEqual(
      Object.fromEntries(
        above.map(([field, value]) => [field, `${field} must be at most ${numbers[field ?? '']?.[1]}, not ${value}.`]),
      ),
    )
  })

  test.each([
    ['name', '', 'name must not be blank.'],
    ['name', ' \t\n', 'name must not be blank.'],
    ['name', null, 'error.expected.jsstring'],
    ['name', 5, 'error.expected.jsstring'],
    ['type', 'Physical', 'type must be one of physical, digital, not "Physical".'],
    ['type', null, 'error.expected.jsstring'],
    ['sku', null, 'error.expected.jsstring'],
    ['description', 5, 'error.expected.jsstring'],
    ['weight', null, 'error.expected.jsnumber'],
    ['categories', 5, 'error.expected.jsarray'],
    ['brand_id', -1, 'brand_id must be at least 0, not -1.'],
    ['brand_id', 1_000_000_001, 'brand_id must be at most 1000000000, not 1000000001.'],
    ['brand_id', '5', 'error.expected.jsnumber'],
    ['brand_name', '', 'brand_name must not be blank.'],
    ['brand_name', text(256), 'brand_name must have at most 255 characters, not 256.'],
    ['inventory_level', 1.5, 'inventory_level must be a whole number, not 1.5.'],
    ['inventory_level', '5', 'error.expected.jsnumber'],
    ['inventory_tracking', 'some', 'inventory_tracking must be one of none, product, variant, not "some".'],
    ['availability', 'gone', 'availability must be one of available, disabled, preorder, not "gone".'],
    ['condition', 'new', 'condition must be one of New, Used, Refurbished, not "new".'],
    ['is_visible', 1, 'error.expected.jsboolean'],
    ['is_visible', 'true', 'error.expected.jsboolean'],
    ['date_last_imported', 'some day', 'date_last_imported must be a date-time, not "some day".'],
    ['date_last_imported', 5, 'error.expected.jsstring'],
    ['preorder_release_date', '2026-02-30', 'preorder_release_date must be a date-time, not "2026-02-30".'],
    ['custom_url', null, 'error.expected.jsobject'],
    ['meta_keywords', 'a', 'error.expected.jsarray'],
    ['description', 'a\u0000b', expect.any(String)],
  ])('do not allow %s to be %j', async (field, value, sentence) => {
    const { call } = shop
    for (const [method, path] of [
      ['POST', PRODUCTS],
      ['PUT', ONE],
    ] as const) {
      const { status, body } = await call(method, path, { ...mug, [field]: value })
      expect({ status, body }, method).toEqual({ status: 422, body: invalid({ [field]: sentence }) })
    }
  })

  test.each([
    ['categories', [0], 'categories.0', 'categories must be at least 1, not 0.'],
    ['categories', [1, '2'], 'categories.1', 'error.expected.jsnumber'],
    ['related_products', [-2], 'related_products.0', 'related_products must be at least -1, not -2.'],
    [
      'gift_wrapping_options_list',
      [0],
      'gift_wrapping_options_list.0',
      'gift_wrapping_options_list must be at least 1, not 0.',
    ],
    ['meta_keywords', ['a', 5], 'meta_keywords.1', 'error.expected.jsstring'],
    ['custom_url', { url: '' }, 'custom_url.url', 'custom_url.url'],
    ['custom_url', { url: `/${text(1_024)}` }, 'custom_url.url', 'custom_url.url'],
    ['custom_url', { is_customized: 1 }, 'custom_url.is_customized', 'error.expected.jsboolean'],
  ])('do not allow %s to be %j', async (field, value, place, sentence) => {
    const { status, body } = await shop.call('POST', PRODUCTS, { ...mug, [field]: value })
    const said = place === sentence ? expect.any(String) : sentence
    expect({ status, body }).toEqual({ status: 422, body: invalid({ [place]: said }) })
  })

  test('allow 1,000 categories and no more (422)', async () => {
    const categories = Array.from({ length: 1_001 }, (_, i) => i + 1)
    const { status, body } = await shop.call('PUT', ONE, { categories })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({ categories: 'categories must hold at most 1000.' }),
    })
  })

  test('report all missing fields', async () => {
    const { status, body } = await shop.call('POST', PRODUCTS, { sku: 5 })
    const missing = 'error.path.missing'
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({ name: missing, type: missing, weight: missing, price: missing, sku: 'error.expected.jsstring' }),
    })
    expect((await shop.call('GET', PRODUCTS)).body.data).toHaveLength(1)
  })

  test('count characters as readers do, after composition (docs/contract/conventions.md section 12)', async () => {
    const { call } = shop
    for (const name of ['😀'.repeat(250), 'e\u0301'.repeat(250)]) {
      const { status, body } = await call('POST', PRODUCTS, { ...mug, name })
      expect({ status, name: body.data.name }).toEqual({ status: 200, name: name.normalize('NFC') })
    }
    expect((await call('POST', PRODUCTS, { ...mug, name: '😀'.repeat(251) })).status).toBe(422)
  })
})

describe('unique values of a store', () => {
  test.each(['Mug', 'MUG', 'mug', ' mug ', 'M\u0075\u0067'])(
    'refuse a second product with the name %j (409)',
    async (name) => {
      const shop = await openShop()
      const { call } = shop
      await add(shop)
      await add(shop, { name: 'Bowl' })
      const sentence = 'A product with this name already exists.'
      for (const [method, path, body] of [
        ['POST', PRODUCTS, { ...mug, name }],
        ['PUT', `${PRODUCTS}/2`, { name, description: 'New' }],
      ] as const) {
        const answered = await call(method, path, body)
        expect({ status: answered.status, body: answered.body }, method).toEqual({
          status: 409,
          body: problem(409, sentence, { name: sentence }),
        })
      }
      expect((await call('PUT', ONE, { name })).status).toBe(200)
      expect((await call('GET', `${PRODUCTS}/2`)).body.data.description).toBe('')
      expect((await call('GET', PRODUCTS)).body.data).toHaveLength(2)
    },
  )

  test('refuse a taken SKU for products and variants (409)', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop, { sku: 'One' })
    await add(shop, {
      name: 'Bowl',
      sku: 'Two',
      variants: [{ sku: 'Two-S', option_values: [{ option_display_name: 'Size', label: 'S' }] }],
    })
    await add(shop, { name: 'Plate' })
    const sentence = 'A product or variant with this SKU already exists.'
    for (const sku of ['one', ' TWO', 'two-s']) {
      for (const [method, path, body] of [
        ['POST', PRODUCTS, { ...mug, name: 'Jug', sku }],
        ['PUT', `${PRODUCTS}/3`, { sku }],
      ] as const) {
        const answered = await call(method, path, body)
        expect({ status: answered.status, body: answered.body }, `${method} ${sku}`).toEqual({
          status: 409,
          body: problem(409, sentence, { sku: `The SKU ${sku} is already in use.` }),
        })
      }
    }
    expect((await call('PUT', ONE, { sku: 'ONE' })).body.data.sku).toBe('ONE')
    expect((await call('PUT', ONE, { sku: 'Three' })).status).toBe(200)
    expect((await call('PUT', `${PRODUCTS}/3`, { sku: 'one' })).status).toBe(200)
    expect((await call('PUT', ONE, { sku: '' })).status).toBe(200)
    expect((await call('PUT', `${PRODUCTS}/3`, { sku: '' })).status).toBe(200)
    expect((await rowsOf(shop, 'skus')).map(({ sku_key }) => sku_key)).toEqual(['two', 'two-s'])
  })

  test('refuse a taken address (409), and a malformed one (422)', async () => {
    const shop = await openStore()
    const { call } = shop
    await add(shop, { custom_url: { url: '/Cups/Mug' } })
    expect((await call('GET', ONE)).body.data.custom_url).toEqual({ url: '/Cups/Mug/', is_customized: true })
    await add(shop, { name: 'Bowl' })
    const write = async (method: string, path: string, url: string) => {
      const { status, body } = await call(method, path, { ...mug, name: 'Jug', custom_url: { url } })
      return { status, body }
    }
    for (const [method, path] of [
      ['POST', PRODUCTS],
      ['PUT', `${PRODUCTS}/2`],
    ] as const) {
      for (const url of ['/cups/mug/', '/ferm/', '/one/']) {
        const sentence = `The address ${url} is taken.`
        expect(await write(method, path, url), method).toEqual({
          status: 409,
          body: problem(409, sentence, { 'custom_url.url': sentence }),
        })
      }
      expect(await write(method, path, 'cups'), method).toEqual({
        status: 422,
        body: invalid({ 'custom_url.url': 'The address cups has characters or a form that is not allowed.' }),
      })
    }
    expect((await call('GET', `${PRODUCTS}/2`)).body.data).toMatchObject({
      name: 'Bowl',
      custom_url: { url: '/bowl/', is_customized: false },
    })
    expect((await call('GET', PRODUCTS)).body.data).toHaveLength(2)
  })

  test('give an address made from a taken name a number', async () => {
    const shop = await openStore()
    const { call } = shop
    await add(shop, { name: 'Ferm' })
    await add(shop, { name: 'Ferm!' })
    await add(shop, { name: '!!!', custom_url: { url: '/Ferm/', is_customized: false } })
    expect((await call('GET', PRODUCTS)).body.data.map(({ custom_url }: never) => custom_url)).toEqual([
      { url: '/ferm-1/', is_customized: false },
      { url: '/ferm-2/', is_customized: false },
      { url: '/product-3/', is_customized: false },
    ])
    const { custom_url } = (await call('PUT', ONE, { name: 'Mug' })).body.data
    expect(custom_url).toEqual({ url: '/mug/', is_customized: false })
  })
})

describe('references of a product', () => {
  test('are refused if the brand or category is unknown (409)', async () => {
    const shop = await openStore()
    const { call } = shop
    await add(shop)
    for (const [method, path] of [
      ['POST', PRODUCTS],
      ['PUT', ONE],
    ] as const) {
      const name = 'Another'
      const brand = await call(method, path, { ...mug, name, brand_id: 2 })
      expect({ status: brand.status, body: brand.body }).toEqual({
        status: 409,
        body: problem(409, 'A brand does not exist.', { brand_id: 'There is no brand 2.' }),
      })
      const categories = await call(method, path, { ...mug, name, categories: [9, 1, 4] })
      expect({ status: categories.status, body: categories.body }).toEqual({
        status: 409,
        body: problem(409, 'A category does not exist.', {
          'categories.0': 'There is no category 9.',
          'categories.2': 'There is no category 4.',
        }),
      })
    }
    expect((await call('GET', PRODUCTS)).body.data).toMatchObject([{ name: 'Mug', brand_id: 0, categories: [] }])
  })

  test('find a brand by its name, or create it', async () => {
    const shop = await openStore()
    const { call } = shop
    await add(shop, { brand_name: ' FERM' })
    await add(shop, { name: 'Bowl', brand_name: 'Hay' })
    await add(shop, { name: 'Plate', brand_name: 'hay', brand_id: 1 })
    await add(shop, { name: 'Jug', brand_name: 'hay', brand_id: 0 })
    const brandIds = async () => (await call('GET', PRODUCTS)).body.data.map(({ brand_id }: never) => brand_id)
    expect(await brandIds()).toEqual([1, 2, 1, 2])
    expect((await call('GET', '/catalog/brands/2')).body.data).toMatchObject({
      name: 'Hay',
      custom_url: { url: '/hay/', is_customized: false },
    })
    await call('PUT', ONE, { brand_id: 0 })
    await call('PUT', `${PRODUCTS}/2`, { brand_name: 'Muuto' })
    expect(await brandIds()).toEqual([0, 3, 1, 2])
    expect((await call('GET', '/catalog/brands')).body.data).toHaveLength(3)
  })

  test('of a refused product create no brand', async () => {
    const shop = await openStore()
    await add(shop)
    expect((await shop.call('POST', PRODUCTS, { ...mug, brand_name: 'Hay' })).status).toBe(409)
    expect((await shop.call('GET', '/catalog/brands')).body.data).toHaveLength(1)
  })

  test('lose a deleted brand, with a new date_modified (docs/contract/products.md section 6)', async () => {
    const shop = await openStore()
    const { call } = shop
    const { clock } = await theHouse()
    await call('POST', '/catalog/brands', { name: 'Hay' })
    await add(shop, { brand_id: 1 })
    await add(shop, { name: 'Bowl', brand_id: 2 })
    await add(shop, { name: 'Plate', brand_id: 1 })
    const [mugBefore, bowlBefore] = (await call('GET', PRODUCTS)).body.data
    clock.move(60_000)
    await call('DELETE', '/catalog/brands/1')
    const [mugNow, bowlNow, plate] = (await call('GET', PRODUCTS)).body.data
    expect(mugNow).toEqual({ ...mugBefore, brand_id: 0, date_modified: MOMENT })
    expect(mugNow.date_modified > mugBefore.date_modified).toBe(true)
    expect(bowlNow).toEqual(bowlBefore)
    expect(plate.brand_id).toBe(0)
    await call('DELETE', '/catalog/brands?name=hay')
    expect((await call('GET', `${PRODUCTS}?brand_id=0`)).body.data).toHaveLength(3)
  })
})

describe('a change of a product', () => {
  test('keeps fields that it leaves out, and is answered as a whole', async () => {
    const { call } = await openStore()
    const before = (await call('POST', PRODUCTS, whole)).body.data
    const put = await call('PUT', ONE, { price: '20.00005', sale_price: 0, categories: [3], is_visible: true })
    const data = {
      ...before,
      price: 20.0001,
      sale_price: 0,
      calculated_price: 20.0001,
      categories: [3],
      is_visible: true,
      date_modified: MOMENT,
    }
    expect(put.body).toEqual({ data, meta: {} })
    expect((await call('GET', ONE)).body.data).toEqual(put.body.data)
    expect((await call('PUT', ONE, whole)).body.data).toEqual({ ...before, date_modified: MOMENT })
  })

  test('is refused as a whole', async () => {
    const shop = await openStore()
    const { call } = shop
    await add(shop)
    const before = (await call('GET', ONE)).body
    await add(shop, { name: 'Bowl' })
    const events = await rowsOf(shop, 'events')
    expect((await call('PUT', ONE, { sku: 'X', categories: [1], name: 'bowl', brand_name: 'New' })).status).toBe(409)
    expect((await call('GET', ONE)).body).toEqual(before)
    expect((await call('GET', '/catalog/brands')).body.data).toHaveLength(1)
    expect(await rowsOf(shop, 'skus')).toEqual([])
    expect(await rowsOf(shop, 'product_categories')).toEqual([])
    expect(await rowsOf(shop, 'events')).toEqual(events)
  })

  test('is refused for its shape before its path, and for its path before conflicts (docs/contract/conventions.md section 1)', async () => {
    const shop = await openShop()
    await add(shop)
    const put = async (body: object) => (await shop.call('PUT', `${PRODUCTS}/99`, body)).status
    expect(await put({ price: -1 })).toBe(422)
    expect(await put({ custom_url: { url: 'malformed' } })).toBe(422)
    expect(
      await put({
        custom_fields: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'b' },
        ],
      }),
    ).toBe(422)
    expect(await put({ name: 'Mug', brand_id: 9 })).toBe(404)
    expect(await put({})).toBe(404)
  })
})

describe('a deleted product', () => {
  test('is unknown, and a second deletion is 404', async () => {
    const shop = await openShop()
    const { call } = shop
    await add(shop)
    const gone = await call('DELETE', ONE)
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await call(method, ONE, method === 'PUT' ? { price: 1 } : undefined)
      expect({ status, body }, method).toEqual({ status: 404, body: problem(404, 'The product 1 does not exist.') })
    }
    expect(await add(shop), 'no id is given twice').toBe(2)
  })

  const tables = [
    'products',
    'variants',
    'skus',
    'urls',
    'metafields',
    'options',
    'option_values',
    'modifiers',
    'modifier_values',
    'product_categories',
    'product_channels',
    'product_images',
    'product_videos',
    'custom_fields',
    'bulk_pricing_rules',
    'complex_rules',
    'complex_rule_conditions',
    'reviews',
  ]

  test.each([
    ['alone', [`${PRODUCTS}/2`, `${PRODUCTS}/3`]],
    ['with others', [`${PRODUCTS}?id:in=2,3`]],
  ])('%s takes all its rows with it, and none of other products', async (_, paths) => {
    const shop = await openStore()
    const { call } = shop
    const furnish = async (name: string) => {
      const id = await add(shop, {
        name,
        sku: name,
        categories: [1, 2],
        variants: [{ sku: `${name}-S`, option_values: [{ option_display_name: 'Size', label: 'S' }] }],
        custom_fields: [{ name: 'a', value: 'b' }],
        bulk_pricing_rules: [{ quantity_min: 2, quantity_max: 5, type: 'price', amount: 1 }],
        images: [{ image_url: 'https://cdn.example.com/1.png' }],
        videos: [{ video_id: 'abc' }],
      })
      const below = `${PRODUCTS}/${id}`
      const metafield = { key: 'a', value: 'b', namespace: 'c', permission_set: 'write' }
      const [variant] = (await call('GET', `${below}/variants`)).body.data
      const made = [
        await call('POST', `${below}/metafields`, metafield),
        await call('POST', `${below}/variants/${variant.id}/metafields`, metafield),
        await call('POST', `${below}/modifiers`, {
          display_name: 'Gift',
          type: 'dropdown',
          required: false,
          option_values: [{ label: 'Yes', sort_order: 0 }],
        }),
        await call('POST', `${below}/complex-rules`, { stop: true, conditions: [{ variant_id: variant.id }] }),
        await call('POST', `${below}/reviews`, { title: 'Good', date_reviewed: '2026-01-01', rating: 5 }),
      ]
      expect(made.map(({ status, text }) => (status === 200 ? status : text))).toEqual([200, 200, 200, 200, 200])
    }
    const state = async () =>
      Promise.all(tables.map(async (table) => [table, JSON.stringify(await rowsOf(shop, table))] as const))
    await furnish('Plate')
    const before = await state()
    for (const [table, rows] of before) expect(rows, table).not.toBe('[]')
    for (const name of ['Mug', 'Bowl']) await furnish(name)
    for (const path of paths) expect((await call('DELETE', path)).status).toBe(204)
    expect(await state()).toEqual(before)
  })
})

describe('the number of products', () => {
  test('is limited by the plan of the store: one more is 507', async () => {
    const shop = await openShop({ limits: { products: 3 } })
    const { call } = shop
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => call('POST', PRODUCTS, { ...mug, name: `Mug ${i}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(9).fill(507)])
    const refused = answers.find(({ status }) => status === 507)
    expect(refused?.body).toEqual(problem(507, 'The plan of this store allows 3 products.'))
    const [first] = (await call('GET', PRODUCTS)).body.data
    expect((await call('POST', PRODUCTS, { ...mug, name: first.name })).status, 'a conflict is refused first').toBe(409)
    await call('DELETE', `${PRODUCTS}/${first.id}`)
    const list = [{ ...mug }, { ...mug, name: 'Bowl' }]
    expect((await call('POST', PRODUCTS, list)).status, 'all or none').toBe(507)
    expect((await call('POST', PRODUCTS, mug)).status).toBe(200)
    expect((await call('GET', PRODUCTS)).body.meta.pagination.total).toBe(3)
    expect(await rowsOf(shop, 'variants')).toHaveLength(3)
  })
})
