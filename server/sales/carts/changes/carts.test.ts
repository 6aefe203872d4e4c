import { expect, test } from 'vitest'
import { openWithGoods, stockUp } from '../../../test/fixtures/goods.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

const make = async (shop: Shop, body: object, status = 201) => {
  const made = await shop.call('POST', '/carts', body)
  expect(made.status, made.text).toBe(status)
  return made.body.data
}

const custom = (name: string, list_price: number, quantity = 1) => ({ name, list_price, quantity })

/** The events of carts: the scopes without those of channels, and the ids of lines by their position. */
const cartEvents = async (shop: Shop, after = 0) =>
  (await rowsOf(shop, 'events'))
    .filter(({ scope }) => /\/cart\//.test(String(scope)))
    .slice(after)
    .map(({ scope, data, resource }) => ({ scope, resource, data: JSON.parse(String(data)) }))

const scopesOf = (events: Awaited<ReturnType<typeof cartEvents>>) =>
  events.map(({ scope }) => String(scope)).filter((scope) => !scope.includes('/channel/'))

test('a cart has the whole shape', async () => {
  const { shop } = await openWithGoods()
  await stockUp(shop, { product_id: 1, quantity: 9 })
  const made = await shop.call('POST', '/carts?include=line_items.physical_items.options,promotions.banners', {
    locale: 'en-US',
    line_items: [
      { product_id: 1, quantity: 2 },
      {
        product_id: 2,
        quantity: 1,
        name: 'Shirt for Ann',
        option_selections: [
          { option_id: 1, option_value: 2 },
          { option_id: 1, option_value: '2' },
        ],
      },
    ],
    custom_items: [custom('Engraving', 4.5, 2)],
    gift_certificates: [
      {
        name: 'For Bob',
        theme: 'Birthday',
        amount: 25,
        quantity: 2,
        sender: { name: 'Ann', email: 'ann@example.com' },
        recipient: { name: 'Bob', email: 'bob@example.com' },
        message: 'Enjoy',
      },
    ],
  })
  expect(made.status, made.text).toBe(201)
  const { data: cart } = made.body
  const [mug, shirt] = cart.line_items.physical_items
  const [first, second] = cart.line_items.gift_certificates
  const [engraving] = cart.line_items.custom_items
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (const { id } of [cart, mug, shirt, first, second, engraving]) expect(id).toMatch(uuid)
  const site = `https://store-${shop.store.hash}.shop.test`
  const line = {
    quantity: 2,
    image_url: '',
    discounts: [],
    discount_amount: 0,
    coupon_amount: 0,
    is_require_shipping: true,
    is_mutable: true,
    added_by_promotion: false,
    taxable: true,
    coupons: [],
  }
  const certificate = {
    name: 'For Bob',
    theme: 'Birthday',
    amount: 25,
    taxable: false,
    sender: { name: 'Ann', email: 'ann@example.com' },
    recipient: { name: 'Bob', email: 'bob@example.com' },
    message: 'Enjoy',
  }
  expect(cart).toEqual({
    id: cart.id,
    customer_id: 0,
    channel_id: 1,
    email: '',
    currency: { code: 'USD' },
    tax_included: false,
    base_amount: 126,
    discount_amount: 0,
    manual_discount_amount: 0,
    cart_amount: 126,
    coupons: [],
    discounts: [mug, shirt, engraving].map(({ id }) => ({ id, discounted_amount: 0 })),
    line_items: {
      physical_items: [
        {
          ...line,
          id: mug.id,
          variant_id: 1,
          product_id: 1,
          sku: 'MUG',
          name: 'Mug',
          url: `${site}/mug/`,
          original_price: 18.5,
          list_price: 18.5,
          sale_price: 18.5,
          extended_list_price: 37,
          extended_sale_price: 37,
          options: [],
        },
        {
          ...line,
          id: shirt.id,
          quantity: 1,
          variant_id: 3,
          product_id: 2,
          sku: 'SHIRT-M',
          name: 'Shirt for Ann',
          url: `${site}/shirt/`,
          original_price: 25,
          list_price: 30,
          sale_price: 30,
          extended_list_price: 30,
          extended_sale_price: 30,
          options: [
            { name: 'Size', nameId: 1, value: 'M', valueId: 2 },
            { name: 'Print', nameId: 1, value: 'Name', valueId: 2 },
          ],
        },
      ],
      digital_items: [],
      gift_certificates: [
        { ...certificate, id: first.id },
        { ...certificate, id: second.id },
      ],
      custom_items: [
        {
          id: engraving.id,
          sku: '',
          name: 'Engraving',
          quantity: 2,
          list_price: 4.5,
          extended_list_price: 9,
          image_url: '',
        },
      ],
    },
    created_time: cart.created_time,
    updated_time: cart.created_time,
    locale: 'en-US',
    promotions: { banners: [] },
    version: 1,
  })
  const { promotions: _, ...plain } = cart
  const withoutOptions = plain.line_items.physical_items.map(
    ({ options: _options, ...rest }: { options: object }) => rest,
  )
  expect((await shop.call('GET', `/carts/${cart.id.toUpperCase()}?includes=unknown`)).body.data).toEqual({
    ...plain,
    line_items: { ...plain.line_items, physical_items: withoutOptions },
  })
})

test('T1: a cart needs a line', async () => {
  const shop = await openShop()
  for (const body of [{}, { line_items: [] }, { customer_id: 0, custom_items: [], gift_certificates: [] }]) {
    expect(await shop.call('POST', '/carts', body)).toMatchObject({
      status: 422,
      body: { title: 'Missing line_items in request body' },
    })
  }
})

test('T9: the currency of a cart is one that shoppers pay in', async () => {
  const shop = await openShop()
  const currency = (currency_code: string, is_transactional: boolean) =>
    shop.call(
      'POST',
      '/currencies',
      {
        currency_code,
        currency_exchange_rate: '0.5',
        name: currency_code,
        token_location: 'left',
        token: '¤',
        decimal_token: ',',
        thousands_token: '.',
        decimal_places: 2,
        is_transactional,
        enabled: true,
      },
      { version: 'v2' },
    )
  await currency('NZD', false)
  await currency('EUR', true)
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 12.5 })
  for (const code of ['NZD', 'CHF']) {
    expect(await shop.call('POST', '/carts', { currency: { code }, custom_items: [custom('A', 1)] })).toMatchObject({
      status: 400,
      body: { errors: { 'currency.code': expect.any(String) } },
    })
  }
  const cart = await make(shop, { currency: { code: 'eur' }, line_items: [{ product_id: 1, quantity: 3 }] })
  expect(cart).toMatchObject({ currency: { code: 'EUR' }, base_amount: 18.75 })
  expect(await make(shop, { custom_items: [custom('A', 1)] })).toMatchObject({ currency: { code: 'USD' } })
})

test('unknown names of a new cart are refused by field', async () => {
  const shop = await openShop()
  const items = { custom_items: [custom('A', 1)] }
  for (const [field, body] of Object.entries({
    customer_id: { customer_id: 77 },
    channel_id: { channel_id: 77 },
    'line_items.0.product_id': { line_items: [{ product_id: 77, quantity: 1 }] },
  })) {
    expect(await shop.call('POST', '/carts', { ...items, ...body })).toMatchObject({
      status: 422,
      body: { errors: { [field]: expect.any(String) } },
    })
  }
})

test('a new customer has own prices, and no coupons and consignments of the one before', async () => {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 10 })
  const rules = [{ type: 'all', method: 'percent', amount: '10' }]
  const group = await shop.call('POST', '/customer_groups', { name: 'Trade', discount_rules: rules }, { version: 'v2' })
  const trader = { email: 'tom@example.com', first_name: 'Tom', last_name: 'Trade', customer_group_id: group.body.id }
  const { id: customer_id } = (await shop.call('POST', '/customers', [trader])).body.data[0]
  const cart = await make(shop, { line_items: [{ product_id: 1, quantity: 1 }] })
  const before = (await cartEvents(shop)).length
  const changed = await shop.call('PUT', `/carts/${cart.id}`, { customer_id, version: 1 })
  expect(changed).toMatchObject({
    status: 201,
    body: { data: { customer_id, email: 'tom@example.com', cart_amount: 9, version: 2 } },
  })
  expect(scopesOf(await cartEvents(shop, before))).toEqual(['store/cart/updated'])
  expect(await shop.call('PUT', `/carts/${cart.id}`, { customer_id: 99 })).toMatchObject({
    status: 422,
    body: { title: 'The customer 99 does not exist.' },
  })
  await shop.call('DELETE', `/customers?id:in=${customer_id}`)
  expect((await shop.call('GET', `/carts/${cart.id}`)).body.data).toMatchObject({ customer_id: 0, cart_amount: 10 })
})

test('carts are found by their UUID until they are deleted or expire', async () => {
  const shop = await openShop()
  const { clock } = await theHouse()
  const { id } = await make(shop, { custom_items: [custom('A', 1)] })
  for (const unknown of ['1', 'x', '0', "'", id.replace(/.$/, 'x'), '00000000-0000-4000-8000-000000000000']) {
    expect((await shop.call('GET', `/carts/${encodeURIComponent(unknown)}`)).status).toBe(404)
  }
  const other = await make(shop, { custom_items: [custom('A', 1)] })
  expect(await shop.call('DELETE', `/carts/${other.id}`)).toMatchObject({ status: 204, text: '' })
  expect((await shop.call('DELETE', `/carts/${other.id}`)).status).toBe(404)
  const days = 86_400_000
  clock.move(29 * days)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
  expect((await shop.call('PUT', `/carts/${id}`, { customer_id: 0 })).status).toBe(201)
  clock.move(29 * days)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
  clock.move(2 * days)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(404)
  expect((await shop.call('PUT', `/carts/${id}`, {})).status).toBe(404)
})

test('events of a cart come in the order of the contract, for the store and for the channel', async () => {
  const shop = await openShop()
  const { id, line_items } = await make(shop, { custom_items: [custom('A', 1), custom('B', 2)] })
  const [a, b] = line_items.custom_items
  const data = { type: 'cart', id }
  const [ofStore, ofChannel] = [{ type: 'cart_line_item', cartId: id }, { cart_id: id }]
  const resource = `cart ${id}`
  const line = (action: string, lineId: string) => [
    { scope: `store/cart/lineItem/${action}`, resource, data: { ...ofStore, id: lineId } },
    { scope: `store/channel/1/cart/lineItem/${action}`, resource, data: { ...ofChannel, cart_item_id: lineId } },
  ]
  const cart = (action: string) => [
    { scope: `store/cart/${action}`, resource, data },
    { scope: `store/channel/1/cart/${action}`, resource, data: ofChannel },
  ]
  expect(await cartEvents(shop)).toEqual([
    ...cart('created'),
    ...cart('updated'),
    ...line('created', a.id),
    ...line('created', b.id),
  ])
  let seen = 8
  await shop.call('POST', `/carts/${id}/items`, { custom_items: [custom('A', 1), custom('C', 3)] })
  const added = (await shop.call('GET', `/carts/${id}`)).body.data.line_items.custom_items
  expect(added.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 1, 1])
  expect(await cartEvents(shop, seen)).toEqual([
    ...cart('updated'),
    ...line('updated', a.id),
    ...line('created', added[2].id),
  ])
  seen += 6
  await shop.call('DELETE', `/carts/${id}/items/${b.id}`)
  expect(await cartEvents(shop, seen)).toEqual([...cart('updated'), ...line('deleted', b.id)])
  seen += 4
  await shop.call('DELETE', `/carts/${id}/items/${a.id}`, { version: 3 })
  expect((await shop.call('DELETE', `/carts/${id}/items/${added[2].id}`)).status).toBe(204)
  expect(await cartEvents(shop, seen + 4)).toEqual([
    ...cart('updated'),
    ...line('deleted', added[2].id),
    ...cart('deleted'),
  ])
  seen = (await cartEvents(shop)).length
  const other = await make(shop, { custom_items: [custom('A', 1)] })
  await shop.call('DELETE', `/carts/${other.id}`)
  expect(scopesOf(await cartEvents(shop, seen)).at(-1)).toBe('store/cart/deleted')
})

test('a promotion adds a line, and takes it away with its own events', async () => {
  const shop = await openShop()
  for (const [name, price] of [
    ['Mug', 20],
    ['Spoon', 3],
  ] as const) {
    await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price })
  }
  const condition = { cart: { items: { products: [1] }, minimum_quantity: 2 } }
  const gift = {
    redemption_type: 'AUTOMATIC',
    name: 'Spoon',
    rules: [{ condition, action: { gift_item: { product_id: 2, quantity: 1 } } }],
  }
  const promoted = await shop.call('POST', '/promotions', gift)
  expect(promoted.status, promoted.text).toBe(201)
  const cart = await make(shop, { line_items: [{ product_id: 1, quantity: 1 }] })
  const [mug] = cart.line_items.physical_items
  let seen = (await cartEvents(shop)).length
  const put = (quantity: number) => shop.call('PUT', `/carts/${cart.id}/items/${mug.id}`, { line_item: { quantity } })
  const { data } = (await put(2)).body
  const spoon = data.line_items.physical_items[1]
  expect(spoon).toMatchObject({
    product_id: 2,
    quantity: 1,
    list_price: 3,
    sale_price: 0,
    is_mutable: false,
    added_by_promotion: true,
    discounts: [{ id: 1, discounted_amount: 3 }],
  })
  expect(data).toMatchObject({ base_amount: 43, cart_amount: 40 })
  expect(scopesOf(await cartEvents(shop, seen))).toEqual([
    'store/cart/updated',
    'store/cart/lineItem/updated',
    'store/cart/lineItem/created',
  ])
  expect((await shop.call('GET', `/carts/${cart.id}`)).body.data).toEqual(data)
  expect(await shop.call('PUT', `/carts/${cart.id}/items/${spoon.id}`, { line_item: { quantity: 2 } })).toMatchObject({
    status: 422,
  })
  const again = await shop.call('DELETE', `/carts/${cart.id}/items/${spoon.id}`)
  const [, other] = again.body.data.line_items.physical_items
  expect(other).toEqual({ ...spoon, id: expect.any(String) })
  expect(other.id).not.toBe(spoon.id)
  seen = (await cartEvents(shop)).length
  expect((await put(1)).body.data.line_items.physical_items).toHaveLength(1)
  expect(scopesOf(await cartEvents(shop, seen))).toEqual([
    'store/cart/updated',
    'store/cart/lineItem/updated',
    'store/cart/lineItem/deleted',
  ])
})

test('a read shows new prices and deleted products, and changes nothing', async () => {
  const shop = await openShop()
  for (const name of ['Mug', 'Spoon']) {
    await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 10 })
  }
  const cart = await make(shop, {
    line_items: [
      { product_id: 1, quantity: 1 },
      { product_id: 2, quantity: 1 },
    ],
  })
  await shop.call('PUT', '/catalog/products/1', { price: 7 })
  await shop.call('DELETE', '/catalog/products/2')
  const before = await rowsOf(shop, 'carts')
  const read = await shop.call('GET', `/carts/${cart.id}`)
  expect(read.body.data).toMatchObject({ base_amount: 7, version: 1 })
  expect(read.body.data.line_items.physical_items).toHaveLength(1)
  expect(await rowsOf(shop, 'carts')).toEqual(before)
  const seen = (await cartEvents(shop)).length
  await shop.call('PUT', `/carts/${cart.id}`, {})
  expect(scopesOf(await cartEvents(shop, seen))).toEqual(['store/cart/updated', 'store/cart/lineItem/deleted'])
})
