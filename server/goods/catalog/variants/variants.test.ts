import { beforeEach, describe, expect, test } from 'vitest'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { invalid, problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/products.md section 3: variants, their creation with a product and later, inherited values, stock, and lists.
// The base variant is in base-variants.test.ts, events are in products/events.test.ts.

const PRODUCTS = '/catalog/products'
const ONE = '/catalog/products/1'
const VARIANTS = '/catalog/products/1/variants'
const ALL = '/catalog/variants'

const text = (length: number) => 'a'.repeat(length)
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }

/** Values by the names of their options, in that order. */
const chosen = (values: Record<string, string>) =>
  Object.entries(values).map(([option_display_name, label]) => ({ option_display_name, label }))
const variant = (sku: string, values: Record<string, string>, more: object = {}) => ({
  sku,
  option_values: chosen(values),
  ...more,
})
const twoSizes = { ...mug, variants: [variant('S', { Size: 'Small' }), variant('L', { Size: 'Large' })] }

const SKU_TAKEN = 'A product or variant with this SKU already exists.'

async function openWith(product: object): Promise<Shop> {
  const shop = await openShop()
  const { status, text } = await shop.call('POST', PRODUCTS, product)
  expect(status, text).toBe(200)
  return shop
}
const send = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const answered = await call(method, path, body)
  return { status: answered.status, body: answered.body }
}
const get = async ({ call }: Shop, path: string) => (await call('GET', path)).body.data

/** Makes requests reach the lock of a statement one after another, and then releases it. */
async function meeting(shop: Shop, statement: Sql, requests: readonly (() => Promise<{ status: number }>)[]) {
  const db = await dbOf(shop)
  const waiting = async () => {
    const { count } = await db.row<{ count: number }>(sql`
      -- of a test
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return count
  }
  const answers: Promise<{ status: number }>[] = []
  const opening = db.transaction(async (tx) => {
    await tx.rows(statement)
    for (const request of requests) {
      answers.push(request())
      await expect.poll(waiting).toBe(answers.length)
    }
    throw new Error('Go on.')
  })
  await expect(opening).rejects.toThrow('Go on.')
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** The defaults of a variant. */
const blank = {
  cost_price: null,
  price: null,
  sale_price: null,
  retail_price: null,
  map_price: null,
  weight: null,
  width: null,
  height: null,
  depth: null,
  is_free_shipping: false,
  fixed_cost_shipping_price: null,
  purchasing_disabled: false,
  purchasing_disabled_message: '',
  image_url: '',
  upc: '',
  mpn: '',
  gtin: '',
  inventory_level: 0,
  inventory_warning_level: 0,
  bin_picking_number: '',
}
/** Every field that can be set, with another value than its default. */
const whole = {
  cost_price: 4.5,
  price: 20.0001,
  sale_price: 19,
  retail_price: 25,
  map_price: 15,
  weight: 0.5,
  width: 8.5,
  height: 9.5,
  depth: 10.5,
  is_free_shipping: true,
  fixed_cost_shipping_price: 5,
  purchasing_disabled: true,
  purchasing_disabled_message: 'Sold out',
  image_url: 'https://cdn.example.com/mug.png',
  upc: '12345678901234',
  mpn: 'M-1',
  gtin: '43210987654321',
  inventory_level: 12,
  inventory_warning_level: 3,
  bin_picking_number: 'A-7',
}

describe('variants of a new product', () => {
  test('are answered as a whole, with the options that they create', async () => {
    const shop = await openShop()
    const variants = [
      variant('MUG-1', { Glaze: 'Sand', Handle: 'Straight' }),
      variant('MUG-2', { handle: 'ROUND', GLAZE: 'Sea' }, whole),
      variant('MUG-3', { Glaze: 'SAND ', Handle: 'round' }, { price: '21.00005', weight: '0' }),
    ]
    const { status, body } = await send(shop, 'POST', `${PRODUCTS}?include=options`, { ...mug, sku: 'MUG', variants })
    const value = (id: number, label: string, option_id: number) => ({
      id,
      label,
      option_id,
      option_display_name: option_id === 1 ? 'Glaze' : 'Handle',
    })
    const [sand, sea] = [value(1, 'Sand', 1), value(2, 'Sea', 1)]
    const [straight, round] = [value(3, 'Straight', 2), value(4, 'ROUND', 2)]
    const own = (id: number) => ({ id, product_id: 1, sku: `MUG-${id}`, sku_id: id })
    const made = [
      { ...blank, ...own(1), calculated_price: 18.5, calculated_weight: 0.4, option_values: [sand, straight] },
      { ...blank, ...whole, ...own(2), calculated_price: 19, calculated_weight: 0.5, option_values: [sea, round] },
      {
        ...blank,
        ...own(3),
        price: 21.0001,
        weight: 0,
        calculated_price: 21.0001,
        calculated_weight: 0,
        option_values: [sand, round],
      },
    ]
    expect({ status, variants: body.data.variants, base: body.data.base_variant_id }).toEqual({
      status: 200,
      variants: made,
      base: null,
    })
    const option = (id: number, display_name: string, labels: [number, string][]) => ({
      id,
      product_id: 1,
      name: expect.stringMatching(new RegExp(`^${display_name}\\d+-1$`)),
      display_name,
      type: 'rectangles',
      config: [],
      sort_order: id - 1,
      image_url: '',
      option_values: labels.map(([id, label], sort_order) => ({
        id,
        label,
        sort_order,
        value_data: null,
        is_default: false,
      })),
    })
    expect(body.data.options).toEqual([
      option(1, 'Glaze', [
        [1, 'Sand'],
        [2, 'Sea'],
      ]),
      option(2, 'Handle', [
        [3, 'Straight'],
        [4, 'ROUND'],
      ]),
    ])
    expect(await get(shop, VARIANTS)).toEqual(made)
    expect(await get(shop, `${VARIANTS}/2`)).toEqual(made[1])
    expect(await get(shop, ALL)).toEqual(made)
  })

  test.each([
    [
      'name different options',
      [variant('A', { Size: 'S' }), variant('B', { Size: 'S', Colour: 'Red' })],
      { 'variants.0.option_values': 'A variant names one value of every option; missing: Colour.' },
    ],
    [
      'name an option twice',
      [variant('A', { Size: 'S', SIZE: 'L' })],
      { 'variants.0.option_values.1': 'The option Size is repeated.' },
    ],
    [
      'name no value',
      [{ sku: 'A', option_values: [] }],
      { 'variants.0.option_values': 'option_values must hold at least 1.' },
    ],
    [
      'have no SKU',
      [{ option_values: chosen({ Size: 'S' }) }, variant('', { Size: 'L' }), variant(' ', { Size: 'M' })],
      {
        'variants.0.sku': 'error.path.missing',
        'variants.1.sku': 'sku must not be blank.',
        'variants.2.sku': 'sku must not be blank.',
      },
    ],
    [
      'have options and values without a name',
      [variant('A', { ' ': 'S' }), variant('B', { Size: '\t' })],
      {
        'variants.0.option_values.0.option_display_name': 'option_display_name must not be blank.',
        'variants.1.option_values.0.label': 'label must not be blank.',
      },
    ],
    [
      'have wrong amounts',
      [variant('A', { Size: 'S' }, { price: -1, weight: 'x', inventory_level: 2_147_483_648 })],
      {
        'variants.0.price': 'price must be at least 0, not -1.',
        'variants.0.weight': 'error.expected.jsnumber',
        'variants.0.inventory_level': 'inventory_level must be at most 2147483647, not 2147483648.',
      },
    ],
  ])('are refused if they %s (422)', async (_, variants, errors) => {
    const shop = await openShop()
    expect(await send(shop, 'POST', PRODUCTS, { ...mug, variants })).toEqual({ status: 422, body: invalid(errors) })
    expect(await get(shop, PRODUCTS)).toEqual([])
  })

  test('are refused if two have the same values (409)', async () => {
    const shop = await openShop()
    const variants = [variant('A', { Size: 'S', Colour: 'Red' }), variant('B', { colour: 'RED', size: 's' })]
    const title = 'Another variant of this product has the same option values.'
    expect(await send(shop, 'POST', PRODUCTS, { ...mug, variants })).toEqual({
      status: 409,
      body: problem(409, title, { 'variants.1.option_values': title }),
    })
  })

  const many = (count: number, labels = 250) =>
    Array.from({ length: count }, (_, i) =>
      variant(`SKU-${i}`, { Size: `Size ${i % labels}`, Colour: `Colour ${Math.floor(i / labels)}` }),
    )

  test('may be 600; one more is refused (403), with the product or later', async () => {
    const shop = await openShop()
    const title = 'A product can have at most 600 variants.'
    expect(await send(shop, 'POST', PRODUCTS, { ...mug, variants: many(601) })).toEqual({
      status: 403,
      body: problem(403, title),
    })
    expect(await get(shop, PRODUCTS)).toEqual([])
    const { status, body } = await send(shop, 'POST', PRODUCTS, { ...mug, variants: many(600) })
    expect({ status, variants: body.data.variants.length }).toEqual({ status: 200, variants: 600 })
    expect(await send(shop, 'POST', VARIANTS, many(601)[600])).toEqual({ status: 403, body: problem(403, title) })
    expect((await send(shop, 'POST', VARIANTS, { ...many(601)[600], sku: 'SKU-1' })).status, 'conflicts first').toBe(
      409,
    )
    await shop.call('DELETE', `${VARIANTS}/600`)
    const last = await Promise.all([598, 599, 600].map((i) => send(shop, 'POST', VARIANTS, many(601)[i])))
    expect(last.map(({ status }) => status).sort()).toEqual([200, 403, 409])
    expect(await rowsOf(shop, 'variants')).toHaveLength(600)
    expect((await get(shop, `${VARIANTS}?limit=250&page=3`)).length).toBe(100)
  })

  test('may have 250 values of an option, and no more', async () => {
    const shop = await openShop()
    const { status, body } = await send(shop, 'POST', PRODUCTS, { ...mug, variants: many(251, 251) })
    expect({ status, body }).toEqual({
      status: 403,
      body: problem(403, 'Each option can have at most 250 values.'),
    })
    expect(await rowsOf(shop, 'options')).toEqual([])
  })

  test('are refused in bounded time, for any number in a body', async () => {
    const shop = await openShop()
    const variants = Array.from({ length: 30_000 }, (_, i) => variant(`${i}`, { Size: `${i}` }))
    expect((await send(shop, 'POST', PRODUCTS, { ...mug, variants })).status).toBe(403)
    const names = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`Option ${i}`, 'x']))
    const wide = [...many(599), variant('Wide', names)]
    const { status, body } = await send(shop, 'POST', PRODUCTS, { ...mug, variants: wide })
    expect({ status, errors: Object.keys(body.errors).length }).toEqual({ status: 422, errors: 600 })
    const listed = Array.from({ length: 10 }, (_, i) => `Option ${i}`).join(', ')
    expect(body.errors['variants.0.option_values']).toBe(
      `A variant names one value of every option; missing: ${listed} and 39990 more.`,
    )
  })
})

describe('a new variant', () => {
  let shop: Shop
  const add = async (body: unknown) => send(shop, 'POST', VARIANTS, body)
  beforeEach(async () => {
    shop = await openWith({ ...mug, variants: [variant('1', { Size: 'S', Colour: 'Red' })] })
    await shop.call('POST', `${ONE}/options/1/values`, { label: 'L', sort_order: 1 })
    await shop.call('POST', `${ONE}/options/2/values`, { label: 'Blue', sort_order: 1 })
  })
  const large = { id: 3, label: 'L', option_id: 1, option_display_name: 'Size' }
  const blue = { id: 4, label: 'Blue', option_id: 2, option_display_name: 'Colour' }

  test.each([
    ['names', chosen({ colour: 'BLUE', Size: ' l' })],
    [
      'ids',
      [
        { option_id: 2, id: 4 },
        { option_id: 1, id: 3 },
      ],
    ],
    [
      'the id of one and the name of the other',
      [
        { option_id: 1, label: 'L' },
        { option_display_name: 'Colour', id: 4 },
      ],
    ],
    // Clients may send back values that they read from another variant.
    ['all of it', [large, blue]],
  ])('names its values by %s, and is answered as a whole', async (_, option_values) => {
    const data = {
      ...blank,
      id: 2,
      product_id: 1,
      sku: '2',
      sku_id: 2,
      price: 5,
      calculated_price: 5,
      calculated_weight: 0.4,
      option_values: [large, blue],
    }
    const body = { id: 77, product_id: 9, sku_id: 5, calculated_price: 3, sku: '2', price: '5.00', option_values }
    expect(await add(body)).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await get(shop, `${VARIANTS}/2`)).toEqual(data)
  })

  test.each([
    ['nothing', {}, { sku: 'error.path.missing', option_values: 'error.path.missing' }],
    [
      'an empty SKU',
      { sku: '', option_values: chosen({ Size: 'L', Colour: 'Blue' }) },
      { sku: 'sku must not be blank.' },
    ],
    ['a long SKU', { sku: text(256), option_values: [] }, { sku: 'sku must have at most 255 characters, not 256.' }],
    [
      'one option only',
      { sku: 'X', option_values: chosen({ Size: 'L' }) },
      { option_values: 'A variant names one value of every option; missing: Colour.' },
    ],
    [
      'none of them',
      { sku: 'X', option_values: [] },
      { option_values: 'A variant names one value of every option; missing: Size, Colour.' },
    ],
    [
      'an option and a value that are not there',
      { sku: 'X', option_values: [...chosen({ Form: 'L' }), { option_id: 9, id: 1 }, { option_id: 1, id: 2 }, {}] },
      {
        'option_values.0': 'The product has no such option.',
        'option_values.1': 'The product has no such option.',
        'option_values.2': 'The option Size has no such value.',
        'option_values.3': 'The product has no such option.',
      },
    ],
    [
      'two values of one option',
      { sku: 'X', option_values: chosen({ Size: 'S', size: 'L', Colour: 'Red' }) },
      { 'option_values.1': 'The option Size is repeated.' },
    ],
  ])('is refused with %s (422)', async (_, body, errors) => {
    expect(await add(body)).toEqual({ status: 422, body: invalid(errors) })
    expect(await rowsOf(shop, 'variants')).toHaveLength(1)
  })

  test('is refused for taken values or a taken SKU (409)', async () => {
    const there = 'A variant with these option values already exists.'
    expect(await add(variant('2', { size: 's', colour: 'red' }))).toEqual({
      status: 409,
      body: problem(409, there, { option_values: there }),
    })
    expect(await add(variant('1', { Size: 'L', Colour: 'Red' }))).toEqual({
      status: 409,
      body: problem(409, SKU_TAKEN, { sku: 'The SKU 1 is already in use.' }),
    })
    expect(await rowsOf(shop, 'variants')).toHaveLength(1)
    expect((await add(variant('2', { Size: 'L', Colour: 'Red' }))).body.data.id).toBe(2)
  })

  test('needs an existing product (404) with options (422)', async () => {
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    expect(await send(shop, 'POST', `${PRODUCTS}/2/variants`, variant('2', { Size: 'S' }))).toEqual({
      status: 422,
      body: invalid({
        option_values: 'The product has no options and is sold as its base variant.',
        'option_values.0': 'The product has no such option.',
      }),
    })
    expect(await send(shop, 'POST', `${PRODUCTS}/9/variants`, variant('2', { Size: 'S' }))).toEqual({
      status: 404,
      body: problem(404, 'The product 9 does not exist.'),
    })
    expect((await send(shop, 'POST', `${PRODUCTS}/9/variants`, {})).status, 'shape first').toBe(422)
  })

  test('is created once by 50 concurrent requests for one combination', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => add(variant(`SKU ${i}`, { Size: 'L', Colour: 'Blue' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)])
    expect(await rowsOf(shop, 'variants')).toHaveLength(2)
    expect(await rowsOf(shop, 'skus')).toHaveLength(2)
  })
})

describe('a change of a variant', () => {
  let shop: Shop
  const put = (body: unknown) => send(shop, 'PUT', `${VARIANTS}/2`, body)
  beforeEach(async () => {
    shop = await openWith(twoSizes)
  })

  test('keeps fields that it leaves out, and always its values', async () => {
    const before = await get(shop, `${VARIANTS}/2`)
    const data = { ...before, ...whole, sku: 'XL', calculated_price: 19, calculated_weight: 0.5 }
    const smuggled = { id: 1, product_id: 9, sku_id: 9, calculated_price: 1, calculated_weight: 1, combination: 'x' }
    expect(await put({ ...smuggled, ...whole, sku: 'XL', option_values: [] })).toEqual({
      status: 200,
      body: { data, meta: {} },
    })
    expect(await put({ option_values: chosen({ Size: 'Small' }) })).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await put({})).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await get(shop, VARIANTS)).toEqual([await get(shop, `${VARIANTS}/1`), data])
  })

  test('clears inherited and optional fields with null', async () => {
    const names =
      'cost_price price sale_price retail_price map_price weight width height depth fixed_cost_shipping_price upc mpn gtin inventory_level inventory_warning_level bin_picking_number'
    const nothing = Object.fromEntries(names.split(' ').map((name) => [name, null]))
    await put(whole)
    expect((await put(nothing)).body.data).toMatchObject({
      ...nothing,
      calculated_price: 18.5,
      calculated_weight: 0.4,
      image_url: whole.image_url,
    })
    expect(await get(shop, `${VARIANTS}/2`)).toMatchObject(nothing)
  })

  test.each([
    ['sku', null, 'error.expected.jsstring'],
    ['sku', '', 'A variant with options needs a SKU.'],
    ['sku', ' ', 'A variant with options needs a SKU.'],
    ['sku', text(256), 'sku must have at most 255 characters, not 256.'],
    ['price', -0.5, 'price must be at least 0, not -0.5.'],
    ['price', 'x', 'error.expected.jsnumber'],
    ['price', 99_999_999_999.5, 'price must be at most 99999999999, not 99999999999.5.'],
    ['weight', 10_000_000_000, 'weight must be at most 9999999999, not 10000000000.'],
    ['is_free_shipping', null, 'error.expected.jsboolean'],
    [
      'purchasing_disabled_message',
      text(256),
      'purchasing_disabled_message must have at most 255 characters, not 256.',
    ],
    ['image_url', 'mug.png', expect.any(String)],
    ['upc', '1'.repeat(15), 'upc must have at most 14 characters, not 15.'],
    ['gtin', '1'.repeat(15), 'gtin must have at most 14 characters, not 15.'],
    ['mpn', text(256), 'mpn must have at most 255 characters, not 256.'],
    ['bin_picking_number', text(256), 'bin_picking_number must have at most 255 characters, not 256.'],
    ['inventory_level', -1, 'inventory_level must be at least 0, not -1.'],
    ['inventory_level', 1.5, 'inventory_level must be a whole number, not 1.5.'],
    ['inventory_warning_level', 2_147_483_648, 'inventory_warning_level must be at most 2147483647, not 2147483648.'],
  ])('is refused with %s %j (422)', async (field, value, sentence) => {
    const before = await get(shop, VARIANTS)
    expect(await put({ price: 1, [field]: value })).toMatchObject({
      status: 422,
      body: { errors: { [field]: sentence } },
    })
    expect(await get(shop, VARIANTS)).toEqual(before)
  })

  test('is refused with the SKU of another product or variant (409)', async () => {
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', sku: 'Bowl' })
    for (const sku of ['s', 'BOWL']) {
      expect(await put({ price: 1, sku })).toEqual({
        status: 409,
        body: problem(409, SKU_TAKEN, { sku: `The SKU ${sku} is already in use.` }),
      })
    }
    expect((await put({ sku: 'l' })).body.data).toMatchObject({ sku: 'l', price: null })
    expect((await put({ sku: 'new' })).status).toBe(200)
    expect((await send(shop, 'PUT', `${VARIANTS}/1`, { sku: 'L' })).status, 'a SKU given up is free').toBe(200)
  })

  test.each(['GET', 'PUT', 'DELETE'])('%s needs the product and a variant of it (404)', async (method) => {
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    const answer = (path: string) => send(shop, method, path, method === 'PUT' ? { price: 1 } : undefined)
    expect(await answer(`${VARIANTS}/9`)).toEqual({ status: 404, body: problem(404, 'The variant 9 does not exist.') })
    expect(await answer(`${PRODUCTS}/2/variants/1`)).toEqual({
      status: 404,
      body: problem(404, 'The variant 1 does not exist.'),
    })
    expect((await answer(`${PRODUCTS}/9/variants/1`)).status).toBe(404)
  })

  test('a deleted variant leaves options and values, and may be the last one', async () => {
    const { call } = shop
    const gone = await call('DELETE', `${VARIANTS}/1`)
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' })
    expect((await call('DELETE', `${VARIANTS}/1`)).status).toBe(404)
    expect((await call('DELETE', `${VARIANTS}/2`)).status).toBe(204)
    expect(await get(shop, VARIANTS)).toEqual([])
    expect(await get(shop, ONE)).toMatchObject({ base_variant_id: null })
    expect((await get(shop, `${ONE}/options`))[0].option_values).toHaveLength(2)
    expect(await rowsOf(shop, 'skus')).toEqual([])
    expect((await send(shop, 'POST', VARIANTS, variant('S', { Size: 'Small' }))).body.data.id).toBe(3)
  })
})

describe('the price and weight of a variant', () => {
  type Prices = { price?: number | null; sale_price?: number | null; weight?: number | null }
  test.each<[product: Prices, variant: Prices, calculated_price: number, calculated_weight: number]>([
    [{}, {}, 18.5, 0.4],
    [{ sale_price: 15 }, {}, 15, 0.4],
    [{ sale_price: 15 }, { price: 20 }, 20, 0.4],
    [{ sale_price: 15 }, { price: 20, sale_price: 12 }, 12, 0.4],
    [{ sale_price: 15 }, { sale_price: 12 }, 12, 0.4],
    [{ sale_price: 15 }, { price: 20, sale_price: 0 }, 20, 0.4],
    [{ sale_price: 15 }, { sale_price: 0 }, 18.5, 0.4],
    [{}, { price: 0 }, 0, 0.4],
    [{ price: 0 }, {}, 0, 0.4],
    [{ weight: 2 }, {}, 18.5, 2],
    [{ weight: 2 }, { weight: 0 }, 18.5, 0],
    [{ weight: 0 }, { weight: 3.0001 }, 18.5, 3.0001],
  ])(
    'with %o and %o are %d and %d, in any order of the changes',
    async (product, own, calculated_price, calculated_weight) => {
      const expected = { calculated_price, calculated_weight }
      const shop = await openWith({ ...mug, ...product, variants: [variant('A', { Size: 'S' }, own)] })
      expect(await get(shop, VARIANTS), 'made with the product').toMatchObject([expected])
      await shop.call('POST', `${ONE}/options/1/values`, { label: 'L', sort_order: 1 })
      const added = await send(shop, 'POST', VARIANTS, variant('B', { Size: 'L' }, own))
      expect(added.body.data, 'added').toMatchObject(expected)
      for (const change of [{ price: 99 }, { sale_price: 98 }, { weight: 97 }]) await shop.call('PUT', ONE, change)
      for (const [field, value] of Object.entries({
        price: mug.price,
        sale_price: 0,
        weight: mug.weight,
        ...product,
      })) {
        await shop.call('PUT', ONE, { [field]: value })
      }
      expect(await get(shop, VARIANTS), 'after a change of the product').toMatchObject([expected, expected])
      await shop.call('PUT', `${VARIANTS}/1`, { price: 96, sale_price: 95, weight: 94 })
      const put = await send(shop, 'PUT', `${VARIANTS}/1`, { price: null, sale_price: null, weight: null, ...own })
      expect(put.body.data, 'after a change of its own').toMatchObject(expected)
      await shop.call('PUT', ALL, [{ id: 2, price: 96, sale_price: 95, weight: 94 }])
      const batch = await send(shop, 'PUT', ALL, [{ id: 2, price: null, sale_price: null, weight: null, ...own }])
      expect(batch.body.data, 'after a change in a list').toMatchObject([expected])
    },
  )
})

describe('the stock of a product with tracked variants', () => {
  const counted = {
    ...mug,
    inventory_tracking: 'variant',
    inventory_level: 99,
    variants: [
      variant('S', { Size: 'Small' }, { inventory_level: 3 }),
      variant('L', { Size: 'Large' }, { inventory_level: 4 }),
      variant('X', { Size: 'Extra' }, { inventory_level: null }),
    ],
  }
  const level = async (shop: Shop) => (await get(shop, ONE)).inventory_level

  test('is always the sum of its variants', async () => {
    const shop = await openWith(counted)
    const { call } = shop
    expect(await level(shop)).toBe(7)
    await call('PUT', `${VARIANTS}/1`, { inventory_level: 10 })
    expect(await level(shop)).toBe(14)
    await call('PUT', ALL, [
      { id: 1, inventory_level: 1 },
      { id: 3, inventory_level: 5 },
    ])
    expect(await level(shop)).toBe(10)
    expect((await call('PUT', ONE, { inventory_level: 50 })).body.data.inventory_level).toBe(10)
    await call('DELETE', `${VARIANTS}/2`)
    expect(await level(shop)).toBe(6)
    await call('POST', VARIANTS, variant('L', { Size: 'Large' }, { inventory_level: 2 }))
    expect(await level(shop)).toBe(8)
    await call('PUT', `${VARIANTS}/1`, { inventory_level: null })
    expect(await level(shop)).toBe(7)
    expect((await call('GET', `${PRODUCTS}?inventory_level=7`)).body.data).toHaveLength(1)
  })

  test('is its own while variants are not tracked', async () => {
    const shop = await openWith({ ...counted, inventory_tracking: 'product' })
    const { call } = shop
    expect(await level(shop)).toBe(99)
    await call('PUT', `${VARIANTS}/1`, { inventory_level: 10 })
    expect(await level(shop)).toBe(99)
    expect((await call('PUT', ONE, { inventory_tracking: 'variant' })).body.data.inventory_level).toBe(14)
    await call('PUT', ONE, { inventory_tracking: 'none', inventory_level: 3 })
    expect(await level(shop)).toBe(3)
  })

  test('ends at the largest number of the product', async () => {
    const most = { inventory_level: 2_147_483_647 }
    const shop = await openWith({
      ...counted,
      variants: [variant('S', { Size: 'Small' }, most), variant('L', { Size: 'Large' }, most)],
    })
    expect(await level(shop)).toBe(2_147_483_647)
    await shop.call('PUT', `${VARIANTS}/1`, { inventory_level: 2_147_483_646 })
    expect(await level(shop)).toBe(2_147_483_647)
  })

  test('is right after concurrent changes', async () => {
    const shop = await openWith(counted)
    const { call } = shop
    for (let round = 1; round <= 10; round++) {
      const answers = await Promise.all([
        ...[1, 2, 3].map((id) => call('PUT', `${VARIANTS}/${id}`, { inventory_level: round * id })),
        call(
          'PUT',
          ALL,
          [3, 2, 1].map((id) => ({ id, inventory_warning_level: round })),
        ),
        call('PUT', ONE, { inventory_level: 5, price: round }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(await level(shop)).toBe(6 * round)
    }
  })
})

describe('lists of variants', () => {
  let shop: Shop
  const ids = async (path: string) => {
    const { status, body, text } = await shop.call('GET', path)
    expect(status, text).toBe(200)
    return body.data.map(({ id }: { id: number }) => id)
  }
  beforeEach(async () => {
    shop = await openWith({ ...twoSizes, sku: 'MUG' })
    await shop.call('POST', PRODUCTS, [
      { ...mug, name: 'Bowl', sku: 'Bowl', upc: '0001' },
      { ...mug, name: 'Plate', variants: [variant('P', { Size: 'Small' }, { upc: '0002' })] },
      { ...mug, name: 'Jug', upc: '0001' },
    ])
  })

  test.each([
    ['', [1, 2, 3, 4, 5]],
    ['?id=3', [3]],
    ['?id=9', []],
    ['?sku=s', [1]],
    ['?sku=BOWL', [3]],
    ['?sku=mug', []],
    ['?sku=', [5]],
    ['?upc=0001', [3, 5]],
    ['?upc=0002', [4]],
    ['?product_id:in=1,3', [1, 2, 4]],
    ['?product_id:in=1&sku=l', [2]],
    ['?direction=desc&limit=2', [5, 4]],
    ['?limit=2&page=2', [3, 4]],
  ])('of all products: %s', async (query, found) => {
    expect(await ids(`${ALL}${query}`)).toEqual(found)
  })

  test.each([
    ['', [1, 2]],
    ['?limit=1&page=2', [2]],
    ['?direction=desc', [2, 1]],
  ])('of one product: %s', async (query, found) => {
    expect(await ids(`${VARIANTS}${query}`)).toEqual(found)
  })

  test('show the requested fields', async () => {
    for (const path of [ALL, VARIANTS]) {
      const [first] = await get(shop, `${path}?include_fields=sku,price&exclude_fields=price`)
      expect(first).toEqual({ id: 1, sku: 'S' })
    }
    const one = await get(shop, `${VARIANTS}/1?exclude_fields=option_values,id`)
    expect(Object.keys(one)).toEqual([
      'id',
      'product_id',
      'sku',
      'sku_id',
      ...Object.keys(blank),
      'calculated_price',
      'calculated_weight',
    ])
  })

  test.each([
    [`${ALL}?colour=red`, 422],
    [`${ALL}?product_id=1`, 422],
    [`${ALL}?product_id:in=`, 422],
    [`${ALL}?id=x`, 422],
    [`${ALL}?limit=251`, 413],
    [`${VARIANTS}?sku=s`, 422],
    [`${VARIANTS}?limit=251`, 413],
    [`${PRODUCTS}/9/variants`, 404],
  ])('%s is %i', async (path, status) => {
    expect((await shop.call('GET', path)).status).toBe(status)
  })
})

describe('a list of changes of variants', () => {
  const batch = (shop: Shop, body: unknown) => send(shop, 'PUT', ALL, body)
  /** The refusal of a list, which also reports each failing item by itself. */
  const refused = (whole: ReturnType<typeof problem>, ...items: object[]) => ({
    status: whole.status,
    body: { ...whole, batch_errors: items.map((errors) => ({ ...whole, errors })) },
  })

  test('is answered in its order, for variants of any products', async () => {
    const shop = await openWith(twoSizes)
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', sku: 'Bowl' })
    const [small, large, base] = await get(shop, ALL)
    const list = [
      { id: 3, sku: 'Basin', price: '5.00005', option_values: [] },
      { id: 1, ...whole, option_values: chosen({ Size: 'Large' }) },
      { id: 2 },
    ]
    expect(await batch(shop, list)).toEqual({
      status: 200,
      body: {
        data: [
          { ...base, sku: 'Basin', price: 5.0001, calculated_price: 5.0001 },
          { ...small, ...whole, calculated_price: 19, calculated_weight: 0.5 },
          large,
        ],
        meta: {},
      },
    })
    expect((await get(shop, `${PRODUCTS}/2`)).sku).toBe('Basin')
  })

  test('changes nothing if anything is wrong, and reports all mistakes', async () => {
    const shop = await openWith(twoSizes)
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', sku: 'Bowl' })
    const before = [await get(shop, ALL), await get(shop, PRODUCTS), await rowsOf(shop, 'skus')]
    const wrong = [{ id: 1, price: 1 }, { price: -1 }, 5, { id: 2, price: 'x', upc: '1'.repeat(15) }]
    const [second, third, fourth] = [
      { '1.id': 'error.path.missing', '1.price': 'price must be at least 0, not -1.' },
      { '2': 'error.expected.jsobject' },
      { '3.price': 'error.expected.jsnumber', '3.upc': 'upc must have at most 14 characters, not 15.' },
    ]
    expect(await batch(shop, wrong)).toEqual(
      refused(invalid({ ...second, ...third, ...fourth }), second, third, fourth),
    )
    const missing = (i: number, id: number) => ({ [`${i}.id`]: `The variant ${id} does not exist.` })
    expect(await batch(shop, [{ id: 1, price: 1 }, { id: 9, price: 1 }, { id: 8 }])).toEqual(
      refused(invalid({ ...missing(1, 9), ...missing(2, 8) }), missing(1, 9), missing(2, 8)),
    )
    const twice = { '1.id': 'Another item has this id.' }
    expect(
      await batch(
        shop,
        [1, 2].map((price) => ({ id: 1, price })),
      ),
    ).toEqual(refused(invalid(twice), twice))
    const bare = (i: number) => ({ [`${i}.sku`]: 'A variant with options needs a SKU.' })
    expect(
      await batch(
        shop,
        [3, 1, 2].map((id) => ({ id, sku: '' })),
      ),
    ).toEqual(refused(invalid({ ...bare(1), ...bare(2) }), bare(1), bare(2)))
    const inUse = (i: number, sku: string) => ({ [`${i}.sku`]: `The SKU ${sku} is already in use.` })
    const both = [
      { id: 2, price: 1, sku: 'bowl' },
      { id: 1, sku: 'BOWL' },
    ]
    expect(await batch(shop, both)).toEqual(
      refused(
        problem(409, SKU_TAKEN, { ...inUse(0, 'bowl'), ...inUse(1, 'BOWL') }),
        inUse(0, 'bowl'),
        inUse(1, 'BOWL'),
      ),
    )
    expect([await get(shop, ALL), await get(shop, PRODUCTS), await rowsOf(shop, 'skus')]).toEqual(before)
  })

  test('lets variants exchange their SKUs, also with a product', async () => {
    const shop = await openWith(twoSizes)
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', sku: 'Bowl' })
    const list = [
      { id: 1, sku: 'L' },
      { id: 2, sku: 'Bowl' },
      { id: 3, sku: 'S' },
    ]
    expect((await batch(shop, list)).status).toBe(200)
    expect((await get(shop, ALL)).map(({ sku }: { sku: string }) => sku)).toEqual(['L', 'Bowl', 'S'])
    expect((await get(shop, `${PRODUCTS}/2`)).sku).toBe('S')
    expect(await rowsOf(shop, 'skus')).toMatchObject([
      { sku_key: 'bowl', product_id: 1, variant_id: 2 },
      { sku_key: 'l', product_id: 1, variant_id: 1 },
      { sku_key: 's', product_id: 2, variant_id: 0 },
    ])
  })

  test.each([
    [50, 200],
    [51, 413],
  ])('of %i is %i', async (count, status) => {
    const variants = Array.from({ length: 51 }, (_, i) => variant(`SKU-${i}`, { Size: `Size ${i}` }))
    const shop = await openWith({ ...mug, variants })
    const list = Array.from({ length: count }, (_, i) => ({ id: i + 1, price: 5 }))
    expect((await batch(shop, list)).status).toBe(status)
    const changed = (await get(shop, `${ALL}?limit=250`)).filter(({ price }: { price: number }) => price === 5)
    expect(changed).toHaveLength(status === 200 ? count : 0)
  })

  test.each([
    ['an empty list', [], { '': 'The body must hold at least 1.' }],
    ['one variant', { id: 1, price: 5 }, { '': 'error.expected.jsarray' }],
  ])('is not %s (422)', async (_, body, errors) => {
    expect(await batch(await openWith(twoSizes), body)).toEqual({ status: 422, body: invalid(errors) })
  })

  // A list also locks the products, whose prices and stock variants share: without that these two updates would be lost.
  const publishing = ({ store }: Shop) => sql`select from event_streams where store_id = ${store.id} for update`

  test('counts the changes of a concurrent list for the same product', async () => {
    const levels = { inventory_tracking: 'variant', inventory_level: 0 }
    const shop = await openWith({ ...twoSizes, ...levels })
    const answers = await meeting(shop, publishing(shop), [
      () => batch(shop, [{ id: 1, inventory_level: 10 }]),
      () => batch(shop, [{ id: 2, inventory_level: 20 }]),
    ])
    expect({ answers, level: (await get(shop, ONE)).inventory_level }).toEqual({ answers: [200, 200], level: 30 })
  })

  test('inherits a price that the product is getting at the same time', async () => {
    const shop = await openWith(twoSizes)
    const answers = await meeting(shop, publishing(shop), [
      () => send(shop, 'PUT', ONE, { price: 25 }),
      () => batch(shop, [{ id: 1, width: 5 }]),
    ])
    const [small] = await get(shop, VARIANTS)
    expect({ answers, width: small.width, price: small.calculated_price }).toEqual({
      answers: [200, 200],
      width: 5,
      price: 25,
    })
  })

  test('with the same variants in opposite order is always answered (C-024)', async () => {
    const variants = Array.from({ length: 10 }, (_, i) => variant(`SKU-${i}`, { Size: `Size ${i}` }))
    const shop = await openWith({ ...mug, variants })
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', variants: [variant('B', { Size: 'S' })] })
    const rising = Array.from({ length: 11 }, (_, i) => i + 1)
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        [rising, rising.toReversed(), rising, rising.toReversed()].map((order, n) =>
          batch(
            shop,
            order.map((id) => ({ id, price: round * 4 + n, sku: `${n}-${round}-${id}` })),
          ),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const prices = (await get(shop, ALL)).map(({ price }: { price: number }) => price)
      expect(new Set(prices).size, 'one list is the last for all variants').toBe(1)
    }
    expect(await rowsOf(shop, 'skus')).toHaveLength(11)
  })
})

describe('SKUs of concurrent requests', () => {
  const retries = async ({ store }: Shop) => (await theHouse()).installation.directory.cellOf(store).api.retries.count
  /** This number of products, each with its own SKU and two variants. */
  const openMany = async (count: number) => {
    const shop = await openShop()
    const products = Array.from({ length: count }, (_, i) => ({
      ...mug,
      name: `Mug ${i}`,
      variants: [variant(`S-${i}`, { Size: 'S' }), variant(`L-${i}`, { Size: 'L' })],
    }))
    expect((await shop.call('POST', PRODUCTS, products)).status).toBe(200)
    return shop
  }
  const skusOf = async (shop: Shop) => (await get(shop, `${ALL}?limit=250`)).map(({ sku }: { sku: string }) => sku)

  const renaming = (shop: Shop, product: number, s: string, l: string) => () =>
    send(shop, 'PUT', ALL, [
      { id: 2 * product - 1, sku: s },
      { id: 2 * product, sku: l },
    ])
  const making = (shop: Shop, s: string, l: string) => () =>
    send(shop, 'POST', PRODUCTS, { ...mug, variants: [variant(s, { Size: 'S' }), variant(l, { Size: 'L' })] })

  test.each([
    [
      'two that want those of each other',
      (shop: Shop) => [renaming(shop, 1, '0', 'S-1'), renaming(shop, 2, '0', 'S-0')],
    ],
    ['the same, from the other end', (shop: Shop) => [renaming(shop, 1, 'L-1', '0'), renaming(shop, 2, 'S-0', '0')]],
    [
      'three that want those of the next',
      (shop: Shop) => [renaming(shop, 1, '0', 'S-1'), renaming(shop, 2, '0', 'S-2'), renaming(shop, 3, '0', 'S-0')],
    ],
    [
      'a new product and one that give and take',
      (shop: Shop) => [making(shop, '0', 'S-0'), renaming(shop, 1, '0', 'S-1')],
    ],
  ])('are refused for %s, and no request waits for the other', async (_, requests) => {
    const shop = await openMany(3)
    const [before, retried] = [await skusOf(shop), await retries(shop)]
    const sku = { store_id: shop.store.id, sku_key: '0', product_id: 99, variant_id: 0 }
    const answers = await meeting(shop, sql`insert into skus ${sql.rows([sku])}`, requests(shop))
    expect(answers).toEqual(answers.map(() => 409))
    expect({ skus: await skusOf(shop), retried: (await retries(shop)) - retried }).toEqual({ skus: before, retried: 0 })
  })

  test('are released, taken, created and deleted in any order: each change is stored as a whole or refused', async () => {
    const shop = await openMany(6)
    const retried = await retries(shop)
    const seen = new Set<string>()
    for (let round = 0; round < 10; round++) {
      const skus = await skusOf(shop)
      const next = (i: number) => skus[(i + 2) % 12]
      const answers = await Promise.all([
        // The first product frees its two SKUs, the others move up.
        send(shop, 'PUT', ALL, [
          { id: 1, sku: `Z-${round}` },
          { id: 2, sku: `A-${round}` },
        ]),
        ...[1, 2, 3, 4].map((i) =>
          send(shop, 'PUT', ALL, [
            { id: 2 * i + 2, sku: next(2 * i + 1) },
            { id: 2 * i + 1, sku: next(2 * i) },
          ]),
        ),
        send(shop, 'PUT', `${VARIANTS.replace('1', '6')}/11`, { sku: skus[0] }),
        send(shop, 'POST', PRODUCTS, {
          ...mug,
          name: `New ${round}`,
          variants: [variant(String(skus[2]), { Size: 'S' }), variant(String(skus[1]), { Size: 'L' })],
        }),
        ...(round > 0 ? [send(shop, 'DELETE', `${PRODUCTS}?name=New%20${round - 1}`)] : []),
      ])
      expect(answers[0]?.status).toBe(200)
      for (const { status } of answers) {
        expect([200, 204, 409]).toContain(status)
        seen.add(String(status))
      }
      const kept = (await rowsOf(shop, 'skus')).map(({ sku_key }) => sku_key)
      expect(kept.sort()).toEqual((await skusOf(shop)).map((sku: string) => sku.toLowerCase()).sort())
    }
    expect({ seen: [...seen].sort(), retried: (await retries(shop)) - retried }).toEqual({
      seen: ['200', '204', '409'],
      retried: 0,
    })
  })
})

describe('a deleted product', () => {
  test('leaves no variant, option or custom field that is created meanwhile (C-012)', {
    timeout: sized(600_000, 120_000),
  }, async () => {
    const shop = await openShop()
    const { call } = shop
    const seen = new Set<string>()
    for (let race = 0; race < sized(1_000, 60); race++) {
      const made = { ...mug, name: `Mug ${race}`, sku: `M-${race}` }
      const variants = [
        variant(`${race}-1`, { Size: 'Small', Colour: 'Red' }),
        variant(`${race}-2`, { Size: 'Large', Colour: 'Blue' }),
      ]
      const { id } = (await call('POST', PRODUCTS, { ...made, variants })).body.data
      const path = `${PRODUCTS}/${id}`
      const [option] = await get(shop, `${path}/options`)
      const destroy = () => call('DELETE', race % 2 ? path : `${PRODUCTS}?name=${made.name.replace(' ', '%20')}`)
      const early = race % 4 < 2 ? destroy() : undefined
      const values = { label: 'New', sort_order: 9 }
      const creates = [
        call('POST', `${path}/variants`, variant(`${race}-3`, { Size: 'Small', Colour: 'Blue' })),
        call('POST', `${path}/options/${option.id}/values`, values),
        call('POST', `${path}/options`, { display_name: 'Form', type: 'dropdown', option_values: [values] }),
        call('POST', `${path}/custom-fields`, { name: 'a', value: 'b' }),
        call('PUT', path, { sku: `N-${race}`, videos: [{ video_id: 'abc' }] }),
        call('DELETE', `${path}/options/${option.id}`),
      ]
      if (!early) await Promise.race(creates)
      expect((await (early ?? destroy())).status).toBe(204)
      for (const [i, { status, text }] of (await Promise.all(creates)).entries()) {
        // The option of a new variant may be deleted meanwhile.
        expect(i === 0 ? [200, 404, 422] : i === 5 ? [204, 404] : [200, 404], text).toContain(status)
        seen.add(status < 300 ? 'before' : 'after')
      }
    }
    expect(seen).toEqual(new Set(['before', 'after']))
    for (const table of [
      'products',
      'variants',
      'skus',
      'options',
      'option_values',
      'custom_fields',
      'product_videos',
    ]) {
      expect(await rowsOf(shop, table), table).toEqual([])
    }
    // A store has the address of its blog from the beginning.
    expect((await rowsOf(shop, 'urls')).filter(({ owner_kind }) => owner_kind !== 'page')).toEqual([])
  })
})
