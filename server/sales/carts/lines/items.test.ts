import { describe, expect, test } from 'vitest'
import { openWithGoods, stockUp } from '../../../test/fixtures/goods.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

const custom = (name: string, list_price: number, more: object = {}) => ({ name, list_price, quantity: 1, ...more })

/** A shop with a cart of a mug and a custom item. */
async function openWithCart() {
  const { shop } = await openWithGoods()
  await stockUp(shop, { product_id: 1, quantity: 5 })
  const made = await shop.call('POST', '/carts', {
    line_items: [{ product_id: 1, quantity: 2 }],
    custom_items: [custom('A', 1)],
  })
  const { id, line_items } = made.body.data
  const read = async () => (await shop.call('GET', `/carts/${id}`)).body.data
  return { shop, id, mug: line_items.physical_items[0].id, item: line_items.custom_items[0].id, read }
}

const put = (shop: Shop, cart: string, line: string, body: object) =>
  shop.call('PUT', `/carts/${cart}/items/${line}`, body)

test('equal lines merge, and others stay apart', async () => {
  const { shop, id, mug } = await openWithCart()
  const added = await shop.call('POST', `/carts/${id}/items`, {
    version: 1,
    line_items: [
      { product_id: 1, quantity: 1 },
      { product_id: 1, quantity: 1, list_price: 3 },
      { product_id: 1, quantity: 1, variant_id: 1, name: 'Cup' },
    ],
  })
  expect(added.status, added.text).toBe(201)
  const lines = added.body.data.line_items.physical_items
  expect(lines.map(({ quantity, list_price, name }: Record<string, unknown>) => [quantity, list_price, name])).toEqual([
    [3, 18.5, 'Mug'],
    [1, 3, 'Mug'],
    [1, 18.5, 'Cup'],
  ])
  expect(lines[0].id).toBe(mug)
  expect(added.body.data.version).toBe(2)
})

test('T2: a version from the past or the future changes nothing', async () => {
  const { shop, id, mug, read } = await openWithCart()
  const before = await read()
  for (const version of [0, 2, -1]) {
    for (const answered of [
      await put(shop, id, mug, { line_item: { quantity: 3 }, version }),
      await shop.call('POST', `/carts/${id}/items`, { custom_items: [custom('B', 1)], version }),
      await shop.call('DELETE', `/carts/${id}/items/${mug}`, { version }),
      await shop.call('PUT', `/carts/${id}`, { customer_id: 0, version }),
    ]) {
      expect(answered).toMatchObject({ status: 409, body: { errors: { version: 'The cart has the version 1.' } } })
    }
  }
  expect(await read()).toEqual(before)
  expect((await put(shop, id, mug, { line_item: { quantity: 3 }, version: 1 })).body.data.version).toBe(2)
})

test('T4: the last line takes the cart with it', async () => {
  const { shop, id, mug, item } = await openWithCart()
  expect((await shop.call('DELETE', `/carts/${id}/items/${item}`)).status).toBe(200)
  expect(await put(shop, id, mug, { line_item: { quantity: 0 } })).toMatchObject({ status: 204, text: '' })
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(404)
})

test('only quantity and price of a line change', async () => {
  const { shop, id, mug, item, read } = await openWithCart()
  const priced = await put(shop, id, mug, { line_items: [{ product_id: 1, quantity: 1, list_price: 5 }] })
  expect(priced.body.data).toMatchObject({ base_amount: 6, line_items: { physical_items: [{ list_price: 5 }] } })
  await shop.call('PUT', '/catalog/products/1', { price: 99 })
  expect(await read()).toMatchObject({ base_amount: 6 })
  expect((await put(shop, id, mug, { line_item: { list_price: null } })).body.data.base_amount).toBe(100)
  const before = await read()
  for (const [line, body, field] of [
    [mug, { line_item: { product_id: 2 } }, 'line_item.product_id'],
    [mug, { line_item: { variant_id: 2 } }, 'line_item.variant_id'],
    [mug, {}, 'line_item'],
    [mug, { line_items: [{}, {}] }, 'line_items'],
    [item, { line_item: { quantity: 2 } }, 'line_item'],
  ] as const) {
    expect(await put(shop, id, line, body)).toMatchObject({
      status: 422,
      body: { errors: { [field]: expect.any(String) } },
    })
  }
  expect(await read()).toEqual(before)
})

test('lines of other carts are unknown', async () => {
  const { shop, id } = await openWithCart()
  const other = await shop.call('POST', '/carts', { custom_items: [custom('A', 1)] })
  const [{ id: foreign }] = other.body.data.line_items.custom_items
  expect((await put(shop, id, foreign, { line_item: { quantity: 1 } })).status).toBe(404)
  expect((await shop.call('DELETE', `/carts/${id}/items/${foreign}`)).status).toBe(404)
  expect((await shop.call('DELETE', `/carts/${other.body.data.id}/items/${foreign}`)).status).toBe(204)
})

test('a gift certificate is replaced and keeps its id', async () => {
  const { shop, id } = await openWithCart()
  const people = { sender: { name: 'A', email: 'a@example.com' }, recipient: { name: 'B', email: 'b@example.com' } }
  const certificate = { name: 'Gift', theme: 'Boy', amount: 1_000, quantity: 1, ...people }
  const added = await shop.call('POST', `/carts/${id}/items`, { gift_certificates: [certificate] })
  const [{ id: line }] = added.body.data.line_items.gift_certificates
  const changed = await put(shop, id, line, { gift_certificates: [{ ...certificate, amount: 1, theme: 'Girl' }] })
  expect(changed.body.data).toMatchObject({
    base_amount: 39,
    line_items: { gift_certificates: [{ id: line, amount: 1, theme: 'Girl' }] },
  })
  for (const wrong of [
    { amount: 0.99 },
    { amount: 1_000.01 },
    { theme: 'Sad' },
    { quantity: 0 },
    { message: 'x'.repeat(201) },
  ]) {
    const answered = await put(shop, id, line, { gift_certificates: [{ ...certificate, ...wrong }] })
    expect(answered, JSON.stringify(wrong)).toMatchObject({
      status: 422,
      body: { errors: { [`gift_certificates.0.${Object.keys(wrong)[0]}`]: expect.any(String) } },
    })
  }
})

test('quantities stay within the bounds of the product and its stock', async () => {
  const { shop, id, mug, read } = await openWithCart()
  await shop.call('PUT', '/catalog/products/1', { order_quantity_minimum: 2, order_quantity_maximum: 4 })
  const before = await read()
  const add = (quantity: number) =>
    shop.call('POST', `/carts/${id}/items`, { line_items: [{ product_id: 1, quantity, name: 'Cup' }] })
  expect(await add(3)).toMatchObject({
    status: 409,
    body: { title: 'You can only purchase a maximum of 4 of the Mug per order' },
  })
  expect(await put(shop, id, mug, { line_item: { quantity: 1 } })).toMatchObject({
    status: 409,
    body: { title: 'You need to purchase a minimum of 2 of the Mug per order' },
  })
  await shop.call('PUT', '/catalog/products/1', { order_quantity_maximum: 0 })
  expect(await put(shop, id, mug, { line_item: { quantity: 6 } })).toMatchObject({
    status: 409,
    body: { title: expect.stringMatching(/^Not enough stock:/) },
  })
  expect(await read()).toEqual(before)
  expect((await put(shop, id, mug, { line_item: { quantity: 5 } })).status).toBe(200)
})

describe('options and modifiers', () => {
  const chosen = (option_id: number, option_value: unknown) => ({ option_id, option_value })

  test.each<[string, object, string, string]>([
    [
      'no variant',
      { option_selections: [chosen(1, 3)] },
      'variant_id',
      'This product has options; variant ID is required',
    ],
    [
      'a value of no option',
      { option_selections: [chosen(1, 9), chosen(1, 1)] },
      'option_selections.0.option_value',
      'The option 1 has no such value.',
    ],
    [
      'an option of another product',
      { variant_id: 2, option_selections: [chosen(7, 1), chosen(1, 1)] },
      'option_selections.0.option_id',
      'The product 2 has no option 7.',
    ],
    ['no required modifier', { variant_id: 2 }, 'option_selections', 'The option Print of this product is required.'],
    ['a variant of another product', { variant_id: 1 }, 'variant_id', 'The product 2 has no variant 1.'],
  ])('%s', async (_, line, field, sentence) => {
    const { shop } = await openWithGoods()
    const answered = await shop.call('POST', '/carts', { line_items: [{ product_id: 2, quantity: 1, ...line }] })
    expect(answered).toMatchObject({ status: 422, body: { errors: { [`line_items.0.${field}`]: sentence } } })
  })

  test('a variant that is named decides: its options may only repeat its values', async () => {
    const { shop } = await openWithGoods()
    const variants = ['Red', 'Blue'].map((label) => ({
      sku: label,
      option_values: [{ option_display_name: 'Color', label }],
    }))
    await shop.call('POST', '/catalog/products', { name: 'Hat', type: 'physical', weight: 1, price: 9, variants })
    const add = (option_value: number) =>
      shop.call('POST', '/carts?include=line_items.physical_items.options', {
        line_items: [
          {
            product_id: 3,
            variant_id: 4,
            quantity: 1,
            option_selections: [{ option_id: 2, option_value, value: 'Rouge' }],
          },
        ],
      })
    expect((await add(3)).body.data.line_items.physical_items[0]).toMatchObject({
      variant_id: 4,
      options: [{ name: 'Color', nameId: 2, value: 'Rouge', valueId: 3 }],
    })
    expect((await add(4)).body.errors).toEqual({
      'line_items.0.option_selections.0.option_value': 'The variant 4 has another value for the option 2.',
    })
  })

  test('texts, numbers and days are checked and shown', async () => {
    const shop = await openShop()
    await shop.call('POST', '/catalog/products', { name: 'Ring', type: 'physical', weight: 1, price: 10 })
    const modifiers = [
      {
        type: 'text',
        display_name: 'Name',
        required: true,
        config: { text_characters_limited: true, text_min_length: 2, text_max_length: 4 },
      },
      {
        type: 'numbers_only_text',
        display_name: 'Size',
        required: false,
        config: {
          number_limited: true,
          number_limit_mode: 'range',
          number_lowest_value: 1,
          number_highest_value: 9,
          number_integers_only: true,
        },
      },
      {
        type: 'date',
        display_name: 'Day',
        required: false,
        config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value: '2026-02-01T00:00:00Z' },
      },
      { type: 'file', display_name: 'Drawing', required: false, config: {} },
    ]
    for (const modifier of modifiers) {
      const made = await shop.call('POST', '/catalog/products/1/modifiers', modifier)
      expect(made.status, made.text).toBe(200)
    }
    const add = (...option_selections: object[]) =>
      shop.call('POST', '/carts?include=line_items.physical_items.options', {
        line_items: [{ product_id: 1, quantity: 1, option_selections }],
      })
    const added = await add(
      { ...chosen(1, 'Ann'), name: 'Engraving' },
      chosen(2, 9),
      chosen(3, { day: 28, month: 2, year: 2026 }),
      chosen(4, { originalName: 'a.png', temporaryPath: '/tmp/1' }),
    )
    expect(added.status, added.text).toBe(201)
    expect(added.body.data.line_items.physical_items[0].options).toEqual([
      { name: 'Engraving', nameId: 1, value: 'Ann', valueId: null },
      { name: 'Size', nameId: 2, value: '9', valueId: null },
      { name: 'Day', nameId: 3, value: '2026-02-28', valueId: null },
      { name: 'Drawing', nameId: 4, value: 'a.png', valueId: null, temporaryPath: '/tmp/1' },
    ])
    expect((await add(chosen(1, 'Ann'), chosen(3, 1_771_000_000))).status).toBe(201)
    expect((await add()).body.title).toBe('Please create some text for the API option')
    for (const value of [
      chosen(1, ''),
      chosen(1, 'x'),
      chosen(1, 'xxxxx'),
      chosen(1, { day: 1, month: 1, year: 2026 }),
    ]) {
      expect((await add(value)).body.errors).toEqual({
        'line_items.0.option_selections.0.option_value': expect.any(String),
      })
    }
    for (const value of [
      chosen(2, 10),
      chosen(2, 0),
      chosen(2, 1.5),
      chosen(2, 'x'),
      chosen(3, { day: 30, month: 2, year: 2026 }),
      chosen(3, '2026-01-31'),
      chosen(4, 'a.png'),
    ]) {
      const answered = await add(chosen(1, 'Ann'), value)
      expect(answered.body.errors, JSON.stringify(value)).toEqual({
        'line_items.0.option_selections.1.option_value': expect.any(String),
      })
    }
  })
})

test('bad values of lines are refused by field, and the cart is unchanged', async () => {
  const { shop, id, read } = await openWithCart()
  const before = await read()
  const line = { product_id: 1, quantity: 1 }
  const refused: [string, object, string?][] = [
    ['line_items.0.quantity', { line_items: [{ ...line, quantity: 0 }] }],
    ['line_items.0.quantity', { line_items: [{ ...line, quantity: -1 }] }],
    ['line_items.0.quantity', { line_items: [{ ...line, quantity: 1.5 }] }],
    ['line_items.0.quantity', { line_items: [{ ...line, quantity: 2_147_483_648 }] }],
    ['line_items.0.list_price', { line_items: [{ ...line, list_price: -0.01 }] }],
    ['line_items.0.name', { line_items: [{ ...line, name: 'x'.repeat(251) }] }],
    ['custom_items.0.list_price', { custom_items: [{ name: 'A', quantity: 1 }] }],
    ['custom_items.0.name', { custom_items: [custom('', 1)] }],
    [
      'line_items.0.gift_wrapping.wrap_details.0.id',
      { line_items: [{ ...line, gift_wrapping: { wrap_together: true, wrap_details: [{ id: 7 }] } }] },
    ],
    [
      'custom_items.0.gift_wrapping.wrap_details',
      {
        custom_items: [
          custom('A', 1, { gift_wrapping: { wrap_together: false, wrap_details: [{ id: 7 }, { id: 7 }] } }),
        ],
      },
    ],
    ['line_items', {}],
  ]
  for (const [field, body] of refused) {
    const answered = await shop.call('POST', `/carts/${id}/items`, body)
    expect(answered.status, JSON.stringify(body)).toBe(422)
    expect(answered.body.errors).toHaveProperty([field])
  }
  const payload = '{"custom_items":[{"name":"A","quantity":1,"list_price":1e400}]}'
  const headers = { 'content-type': 'application/json' }
  expect((await shop.call('POST', `/carts/${id}/items`, undefined, { payload, headers })).status).toBe(422)
  await shop.call('PUT', '/catalog/products/1', { availability: 'disabled' })
  expect(await shop.call('POST', `/carts/${id}/items`, { line_items: [line] })).toMatchObject({
    status: 422,
    body: { title: 'Mug is not available.' },
  })
  expect(await read()).toEqual(before)
})

test('a cart has at most 500 lines', async () => {
  const shop = await openShop()
  const custom_items = Array.from({ length: 500 }, (_, i) => custom(`Item ${i}`, 1))
  const { id } = (await shop.call('POST', '/carts', { custom_items })).body.data
  expect((await shop.call('POST', `/carts/${id}/items`, { custom_items: [custom('Item 0', 1)] })).status).toBe(201)
  expect(await shop.call('POST', `/carts/${id}/items`, { custom_items: [custom('More', 1)] })).toMatchObject({
    status: 422,
    body: { title: 'A cart can have at most 500 lines.' },
  })
})

test('a cart has at most 1 MiB of input', async () => {
  const shop = await openShop()
  const custom_items = Array.from({ length: 490 }, (_, i) => custom(`Item ${i}`, 1, { image_url: 'x'.repeat(2_048) }))
  expect(await shop.call('POST', '/carts', { custom_items })).toMatchObject({
    status: 422,
    body: { title: 'A cart can have at most 1048576 bytes.' },
  })
})

test('changes of one cart wait for each other: each adds one to the version', async () => {
  const { shop, id, mug, read } = await openWithCart()
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 1].map((quantity) => put(shop, id, mug, { line_item: { quantity } })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(answers.map(({ body }) => body.data.version).sort()).toEqual([2, 3, 4, 5, 6, 7])
  expect((await read()).version).toBe(7)
})

test('an Idempotency-Key adds lines once', async () => {
  const { shop, id, read } = await openWithCart()
  const headers = { 'idempotency-key': 'add once' }
  const add = () => shop.call('POST', `/carts/${id}/items`, { custom_items: [custom('B', 1)] }, { headers })
  expect((await add()).text).toBe((await add()).text)
  expect(await read()).toMatchObject({ version: 2 })
})
