import { beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../test/document/expected.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dispatchAll, rowsOf } from '../../test/fixtures/webhooks.ts'
import { adjusted } from './adjustments.ts'

// docs/contract/inventory.md sections 3, 5 and 6.

const MAX = 2_147_483_647
const ABSOLUTE = '/inventory/adjustments/absolute'
const RELATIVE = '/inventory/adjustments/relative'
const transaction = { transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
const done = { status: 200, body: transaction }

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, sku: 'MUG' }
const sized = (name: string, more: object) => ({
  ...mug,
  name,
  sku: name,
  ...more,
  variants: ['S', 'L'].map((label) => ({
    sku: `${name}-${label}`,
    option_values: [{ option_display_name: 'Size', label }],
  })),
})

/**
 * A store with three locations, of which the third is disabled, and four products: 1 without options (base variant 1), 2
 * tracked by its variants 2 and 3, 3 tracked by itself (variants 4 and 5), 4 untracked (variants 6 and 7).
 */
async function openStocked(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/inventory/locations', [
    { label: 'Two', type_id: 'VIRTUAL' },
    { label: 'Three', type_id: 'VIRTUAL', enabled: false },
  ])
  const { status } = await shop.call('POST', '/catalog/products', [
    { ...mug, inventory_tracking: 'product' },
    sized('Bowl', { inventory_tracking: 'variant' }),
    sized('Plate', { inventory_tracking: 'product' }),
    sized('Cup', {}),
  ])
  expect(status).toBe(200)
  return shop
}

const asked = async ({ call }: Shop, method: string, path: string, body: unknown) => {
  const { status, body: answered } = await call(method, path, body)
  return { status, body: answered }
}
const set = (shop: Shop, ...items: object[]) => asked(shop, 'PUT', ABSOLUTE, { items: items.map(here) })
const move = (shop: Shop, ...items: object[]) => asked(shop, 'POST', RELATIVE, { items: items.map(here) })
const here = (item: object) => ({ location_id: 1, ...item })
const settings = (shop: Shop, location: number, ...list: object[]) =>
  asked(shop, 'PUT', `/inventory/locations/${location}/items`, { settings: list })

/** The amounts on hand and for sale of an item at a location. */
async function at(shop: Shop, query: string, location = 1) {
  const { body } = await shop.call('GET', `/inventory/locations/${location}/items?${query}`)
  const [item] = body.data
  return item && [item.total_inventory_onhand, item.available_to_sell]
}
const level = async ({ call }: Shop, path: string) =>
  (await call('GET', `/catalog/products/${path}`)).body.data.inventory_level

/** The events of a request, in order. */
async function eventsOf(shop: Shop, work: () => Promise<{ status: number }>) {
  const before = (await rowsOf(shop, 'events')).length
  expect((await work()).status).toBe(200)
  return (await rowsOf(shop, 'events')).slice(before).map(({ scope, data }) => [scope, JSON.parse(String(data))])
}

describe('the amount after an adjustment', () => {
  const never = 'This item requires absolute adjustment before relative: it was never counted here.'
  test.each([
    ['I1', ['absolute', undefined, 100], 100],
    ['I2', ['relative', [50, 0], -25], 25],
    ['I3', ['relative', [50, 10], -20], 30],
    ['I4', ['relative', [50, 10], -41], 'Only 40 of 50 can be taken; 10 are safety stock.'],
    ['I5', ['relative', [50, 10], -40], 10],
    ['I6', ['relative', [5, 10], 3], 8],
    ['I9', ['relative', [2_147_483_000, 0], 1_000], `There can be at most ${MAX} of an item at a location.`],
    ['never counted', ['relative', undefined, 5], never],
    ['nothing', ['relative', [5, 0], 0], 'A relative quantity must not be 0.'],
    ['all of it', ['relative', [5, 0], -5], 0],
    ['one too many', ['relative', [5, 0], -6], 'Only 5 of 5 can be taken; 0 are safety stock.'],
    ['below the safety stock', ['relative', [5, 10], -1], 'Only 0 of 5 can be taken; 10 are safety stock.'],
    ['up to the largest', ['relative', [MAX - 7, 0], 7], MAX],
    ['below the safety stock, set', ['absolute', [50, 10], 3], 3],
  ] as const)('%s: %j is %s', (_, [kind, amounts, quantity], expected) => {
    const row = amounts && { on_hand: amounts[0], safety_stock: amounts[1] }
    expect(adjusted(kind, row, quantity)).toBe(expected)
  })
})

describe('adjustments', () => {
  test('are answered with a transaction, and visible at once on both sides (I1 to I3, I5)', async () => {
    const shop = await openStocked()
    expect(await set(shop, { product_id: 1, quantity: 100 })).toEqual(done)
    expect([await at(shop, 'product_id:in=1'), await level(shop, '1'), await level(shop, '1/variants/1')]).toEqual([
      [100, 100],
      100,
      100,
    ])
    await set(shop, { product_id: 1, quantity: 50 })
    expect(await move(shop, { product_id: 1, quantity: -25 })).toEqual(done)
    expect(await at(shop, 'product_id:in=1')).toEqual([25, 25])
    await set(shop, { product_id: 1, quantity: 50 })
    await settings(shop, 1, { identity: { product_id: 1 }, safety_stock: 10 })
    expect(await level(shop, '1')).toBe(40)
    await move(shop, { product_id: 1, quantity: -20 })
    expect([await at(shop, 'product_id:in=1'), await level(shop, '1')]).toEqual([[30, 20], 20])
    await move(shop, { product_id: 1, quantity: -20 })
    expect([await at(shop, 'product_id:in=1'), await level(shop, '1')]).toEqual([[10, 0], 0])
  })

  test('name items by product, variant, SKU, or the base variant and its SKU', async () => {
    const shop = await openStocked()
    await set(shop, { variant_id: 1, quantity: 1 })
    await move(shop, { sku: 'mug', quantity: 1 })
    await set(shop, { variant_id: 2, quantity: 3 }, { sku: 'BOWL-l', quantity: 4 }, { sku: 'Plate', quantity: 5 })
    expect(await Promise.all(['1', '2', '2/variants/2', '2/variants/3', '3'].map((path) => level(shop, path)))).toEqual(
      [2, 7, 3, 4, 5],
    )
  })

  test('of several locations are summed in the catalog', async () => {
    const shop = await openStocked()
    await set(
      shop,
      { product_id: 1, quantity: 10 },
      { product_id: 1, quantity: 5, location_id: 2 },
      { variant_id: 2, quantity: 3, location_id: 2 },
      { variant_id: 2, quantity: 4 },
    )
    expect([await level(shop, '1'), await level(shop, '2'), await level(shop, '2/variants/2')]).toEqual([15, 7, 7])
    // A transfer: both or none.
    expect(await move(shop, { product_id: 1, quantity: -4 }, { product_id: 1, quantity: 4, location_id: 2 })).toEqual(
      done,
    )
    expect([await at(shop, 'product_id:in=1'), await at(shop, 'product_id:in=1', 2)]).toEqual([
      [6, 6],
      [9, 9],
    ])
    expect(await level(shop, '1')).toBe(15)
  })

  test('of untracked items are stored, and count once they are tracked', async () => {
    const shop = await openStocked()
    await set(shop, { variant_id: 6, quantity: 8 }, { product_id: 4, quantity: 20 })
    expect([await level(shop, '4/variants/6'), await level(shop, '4')]).toEqual([8, 20])
    expect(await at(shop, 'product_id:in=4')).toBeUndefined()
    await shop.call('PUT', '/catalog/products/4', { inventory_tracking: 'variant' })
    expect([await level(shop, '4'), await at(shop, 'product_id:in=4')]).toEqual([8, [8, 8]])
    await shop.call('PUT', '/catalog/products/4', { inventory_tracking: 'product' })
    expect([await level(shop, '4'), await at(shop, 'product_id:in=4')]).toEqual([20, [20, 20]])
  })

  test('of the last units succeed exactly once if two come at once (I7)', async () => {
    const shop = await openStocked()
    await set(shop, { product_id: 1, quantity: 10 })
    const answers = await Promise.all([-10, -1].map((quantity) => move(shop, { product_id: 1, quantity })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect([
      [0, 0],
      [9, 9],
    ]).toContainEqual(await at(shop, 'product_id:in=1'))
  })

  test('with an Idempotency-Key are made once', async () => {
    const shop = await openStocked()
    await set(shop, { product_id: 1, quantity: 10 })
    const body = { items: [here({ product_id: 1, quantity: -3 })] }
    const again = () => shop.call('POST', RELATIVE, body, { headers: { 'idempotency-key': 'three' } })
    const [one, two] = [await again(), await again()]
    expect(two.body).toEqual(one.body)
    expect(await level(shop, '1')).toBe(7)
  })
})

describe('all mistakes are reported together, and nothing is stored (I10)', () => {
  let shop: Shop
  let before: unknown
  beforeAll(async () => {
    shop = await openStocked()
    await set(
      shop,
      { product_id: 1, quantity: 50 },
      { variant_id: 2, quantity: MAX - 10 },
      { variant_id: 3, quantity: 10 },
    )
    await settings(shop, 1, { identity: { product_id: 1 }, safety_stock: 10 })
    before = await rowsOf(shop, 'stock')
  })

  const byVariant = (id: number) =>
    `The item with product_id ${id} is tracked by variant: use variant_id or sku of a variant.`
  const named = 'An item is named by one of sku, variant_id and product_id.'
  const full = `The variants of the product 2 can have at most ${MAX} together at a location.`

  test.each<[string, object[], Record<string, string>]>([
    [
      'POST',
      [{ product_id: 1, quantity: -41 }],
      { 'items.0.quantity': 'Only 40 of 50 can be taken; 10 are safety stock.' },
    ],
    ['PUT', [{ product_id: 2, quantity: 5 }], { 'items.0': byVariant(2) }],
    [
      'PUT',
      [
        { product_id: 1, quantity: 5 },
        { variant_id: 4, quantity: 5 },
        { sku: 'PLATE-L', quantity: 5 },
      ],
      {
        'items.1': 'The item with variant_id 4 is tracked by product: use product_id 3.',
        'items.2': 'The item with sku PLATE-L is tracked by product: use product_id 3.',
      },
    ],
    [
      'PUT',
      [
        { sku: 'none', quantity: 1 },
        { variant_id: 99, quantity: 1 },
        { product_id: 98, quantity: 1 },
      ],
      {
        'items.0': 'There is no sku none.',
        'items.1': 'There is no variant_id 99.',
        'items.2': 'There is no product_id 98.',
      },
    ],
    [
      'PUT',
      [
        { product_id: 1, quantity: 1, location_id: 3 },
        { product_id: 1, quantity: 1, location_id: 9 },
      ],
      { 'items.0.location_id': 'The location 3 is disabled.', 'items.1.location_id': 'The location 9 does not exist.' },
    ],
    ['PUT', [{ quantity: 1 }, { product_id: 1, sku: 'MUG', quantity: 1 }], { 'items.0': named, 'items.1': named }],
    [
      'PUT',
      [
        { product_id: 1, quantity: 1 },
        { sku: 'MUG', quantity: 2 },
      ],
      { 'items.1': 'Another item names the same stock.' },
    ],
    ['POST', [{ variant_id: 3, quantity: 1 }], { 'items.0.quantity': full }],
    [
      'PUT',
      [
        { variant_id: 2, quantity: MAX },
        { variant_id: 3, quantity: 0 },
        { product_id: 98, quantity: 0 },
      ],
      { 'items.2': 'There is no product_id 98.' },
    ],
    [
      'POST',
      [
        { product_id: 3, quantity: 1 },
        { product_id: 1, quantity: 0 },
      ],
      {
        'items.0.quantity': 'This item requires absolute adjustment before relative: it was never counted here.',
        'items.1.quantity': 'A relative quantity must not be 0.',
      },
    ],
  ])('%s %j', async (method, items, errors) => {
    const answered = await asked(shop, method, method === 'PUT' ? ABSOLUTE : RELATIVE, { items: items.map(here) })
    const [title] = Object.values(errors)
    expect(answered).toEqual({ status: 422, body: problem(422, title, errors) })
    expect(await rowsOf(shop, 'stock')).toEqual(before)
  })

  test('bounds: of quantities, of the reason, of the list', async () => {
    const item = here({ product_id: 1 })
    expect(await set(shop, { ...item, quantity: -1 }, { ...item, quantity: MAX + 1 })).toMatchObject({
      status: 422,
      body: { errors: { 'items.0.quantity': expect.anything(), 'items.1.quantity': expect.anything() } },
    })
    const long = { reason: 'x'.repeat(256), items: [{ ...item, quantity: 1 }] }
    expect(await asked(shop, 'PUT', ABSOLUTE, long)).toMatchObject({ status: 422 })
    const many = Array.from({ length: 2_001 }, () => ({ bad: true }))
    for (const [method, path] of [
      ['PUT', ABSOLUTE],
      ['POST', RELATIVE],
    ] as const) {
      expect(await asked(shop, method, path, { items: many })).toMatchObject({
        status: 413,
        body: problem(413, 'At most 2000 items may be sent at once.'),
      })
      expect(await asked(shop, method, path, { items: [] })).toMatchObject({ status: 422 })
    }
  })

  test('variants may have the largest amount together, and less after more', async () => {
    expect(await move(shop, { variant_id: 3, quantity: -1 }, { variant_id: 2, quantity: 2 })).toMatchObject({
      status: 422,
    })
    expect(await move(shop, { variant_id: 3, quantity: -1 }, { variant_id: 2, quantity: 1 })).toEqual(done)
    expect(await set(shop, { variant_id: 3, quantity: MAX - 5 }, { variant_id: 2, quantity: 5 })).toEqual(done)
    expect(await level(shop, '2')).toBe(MAX)
  })
})

describe('2,000 items in one request', () => {
  test('are adjusted, and a 2,001st is refused', async () => {
    const shop = await openShop()
    const product = (i: number) => ({ ...mug, name: `Mug ${i}`, sku: `M-${i}` })
    for (let i = 0; i < 20; i++) {
      const list = Array.from({ length: 100 }, (_, j) => product(i * 100 + j))
      await shop.call('POST', '/catalog/products', list)
    }
    const items = Array.from({ length: 2_000 }, (_, i) => ({ product_id: i + 1, quantity: i }))
    expect(await set(shop, ...items.toReversed())).toEqual(done)
    expect(await move(shop, ...items.map((item) => ({ ...item, quantity: 1 })))).toEqual(done)
    expect([await level(shop, '1'), await level(shop, '2000')]).toEqual([1, 2_000])
    expect(await rowsOf(shop, 'stock_changes')).toHaveLength(3_999)
  })
})

describe('the events', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openStocked()
    await set(
      shop,
      { product_id: 1, quantity: 100 },
      { variant_id: 2, quantity: 6 },
      { variant_id: 2, quantity: 2, location_id: 2 },
    )
    await settings(shop, 1, { identity: { product_id: 1 }, warning_level: 5 })
  })
  const place = (scope: string, product_id: number, variant_id: number, location_id = 1) => [
    `store/channel/*/inventory/product/${scope}`,
    { variant_id, product_id, location_id },
  ]
  const product = (id: number) => ['store/product/updated', { type: 'product', id }]
  const stock = (id: number, value: number) => [
    'store/product/inventory/updated',
    { type: 'product', id, inventory: { product_id: id, method: 'absolute', value } },
  ]
  const sku = (id: number, product_id: number, value: number) => [
    'store/sku/inventory/updated',
    { type: 'sku', id, inventory: { product_id, method: 'absolute', value, variant_id: id } },
  ]

  test('of stock below its warning level are no warning without an order (E1, C-044)', async () => {
    expect(await eventsOf(shop, () => set(shop, { product_id: 1, quantity: 3 }))).toEqual([
      product(1),
      stock(1, 3),
      place('stock_changed', 1, 1),
    ])
    expect(await eventsOf(shop, () => move(shop, { product_id: 1, quantity: -3 }))).toEqual([
      product(1),
      stock(1, 0),
      place('stock_changed', 1, 1),
    ])
  })

  test('of variants come product by product, then of each position', async () => {
    expect(
      await eventsOf(shop, () =>
        set(
          shop,
          { variant_id: 3, quantity: 1 },
          { product_id: 3, quantity: 4 },
          { variant_id: 2, quantity: 9, location_id: 2 },
        ),
      ),
    ).toEqual([
      product(2),
      sku(3, 2, 1),
      sku(2, 2, 15),
      product(3),
      stock(3, 4),
      place('stock_changed', 2, 3),
      place('stock_changed', 3, 0),
      place('stock_changed', 2, 2, 2),
    ])
  })

  test('of an amount that is set again are none (E8)', async () => {
    await set(shop, { product_id: 1, quantity: 10 })
    expect(await eventsOf(shop, () => set(shop, { product_id: 1, quantity: 10 }))).toEqual([])
    expect(await eventsOf(shop, () => set(shop, { product_id: 4, quantity: 0 }))).toEqual([])
  })

  test('of changed settings include less stock for sale after a higher safety stock (E6)', async () => {
    await settings(shop, 2, { identity: { product_id: 3 }, safety_stock: 0 })
    const safety = (safety_stock: number) => ({ identity: { variant_id: 2 }, safety_stock })
    expect(
      await eventsOf(shop, () => settings(shop, 2, safety(20), { identity: { sku: 'Bowl-L' }, safety_stock: 2 })),
    ).toEqual([product(2), sku(2, 2, 6), place('settings_changed', 2, 2, 2), place('settings_changed', 2, 3, 2)])
    expect(await eventsOf(shop, () => settings(shop, 2, safety(20)))).toEqual([])
    const bin = { identity: { variant_id: 2 }, bin_picking_number: 'A-7' }
    expect(await eventsOf(shop, () => settings(shop, 2, bin))).toEqual([])
    for (const one of [{ is_in_stock: false }, { warning_level: 3 }]) {
      expect(await eventsOf(shop, () => settings(shop, 2, { identity: { variant_id: 2 }, ...one }))).toEqual([
        place('settings_changed', 2, 2, 2),
      ])
    }
  })

  test('of a position that is not for sale say that its amount has changed', async () => {
    await settings(shop, 2, { identity: { variant_id: 2 }, safety_stock: 20 })
    expect(await eventsOf(shop, () => move(shop, { variant_id: 2, quantity: 1, location_id: 2 }))).toEqual([
      place('stock_changed', 2, 2, 2),
    ])
  })
})

test('of stock in 50 channels are one event, once for each hook that listens (C-043)', async () => {
  const shop = await openStocked()
  for (let i = 2; i <= 50; i++) {
    const { status } = await shop.call('POST', '/channels', {
      name: `Shop-${i}`,
      type: 'pos',
      platform: 'custom',
    })
    expect(status).toBe(200)
  }
  const destination = 'https://receiver.example.com/stock'
  for (const scope of [
    'store/channel/*/inventory/product/stock_changed',
    'store/channel/*/inventory/product/low_stock_reached',
  ]) {
    expect((await shop.call('POST', '/hooks', { scope, destination })).status).toBe(200)
  }
  await set(shop, { product_id: 1, quantity: 3 })
  await dispatchAll()
  expect((await rowsOf(shop, 'deliveries')).map(({ hook_id }) => hook_id)).toEqual([1])
})

test('a batch with an item of another store changes nothing in either store (C-067)', async () => {
  const [shop, other] = [await openStocked(), await openStocked()]
  await other.call('POST', '/catalog/products', {
    ...mug,
    name: 'Another',
    sku: 'OTHER',
    inventory_tracking: 'product',
  })
  const [mine, theirs] = [await rowsOf(shop, 'stock'), await rowsOf(other, 'stock')]
  for (const foreign of [{ product_id: 5 }, { variant_id: 8 }, { sku: 'OTHER' }]) {
    const answered = await set(shop, { product_id: 1, quantity: 9 }, { ...foreign, quantity: 9 })
    const [[name, value] = []] = Object.entries(foreign)
    const sentence = `There is no ${name} ${value}.`
    expect(answered).toEqual({ status: 422, body: problem(422, sentence, { 'items.1': sentence }) })
  }
  expect([await rowsOf(shop, 'stock'), await rowsOf(other, 'stock')]).toEqual([mine, theirs])
})

describe('the history of an item', () => {
  test('shows how its amounts changed, the latest first', async () => {
    const shop = await openStocked()
    const { body } = await asked(shop, 'PUT', ABSOLUTE, {
      reason: 'Stock take',
      items: [here({ product_id: 1, quantity: 9 })],
    })
    await move(shop, { product_id: 1, quantity: -2 })
    await set(shop, { product_id: 1, quantity: 5, location_id: 2 })
    await shop.call('PUT', '/catalog/products/1', { inventory_level: 4 })
    const of = (
      location_id: number,
      cause: string,
      [amount_before, amount_after]: readonly [number, number],
      more: object = {},
    ) => ({
      transaction_id: expect.any(String),
      location_id,
      product_id: 1,
      variant_id: 0,
      cause,
      amount_before,
      amount_after,
      reason: '',
      client_id: shop.admin.client_id,
      order_id: null,
      changed_at: expect.any(String),
      ...more,
    })
    const list = async (query: string) => (await shop.call('GET', `/inventory/adjustments?${query}`)).body.data
    const first = of(1, 'absolute', [0, 9], { reason: 'Stock take', transaction_id: body.transaction_id })
    const atFirst = [of(1, 'catalog', [7, 4], { client_id: null }), of(1, 'relative', [9, 7]), first]
    expect(await list('sku=MUG&location_id:in=1')).toEqual(atFirst)
    expect(await list('variant_id=1')).toHaveLength(4)
    expect(await list('product_id=1&location_id:in=2')).toEqual([of(2, 'absolute', [0, 5])])
    expect(await list('product_id=1&location_id:in=1&limit=1&page=3')).toEqual([first])
    expect(await list('product_id=99')).toEqual([])
    expect(await shop.call('GET', '/inventory/adjustments?location_id:in=1')).toMatchObject({ status: 422 })
  })
})
