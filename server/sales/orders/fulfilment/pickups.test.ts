import { beforeAll, describe, expect, test } from 'vitest'
import { onlyPage } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { createOrder } from '../writing/create.ts'

// docs/contract/pickup.md sections 4 to 6.

const address = { address1: '1 Harbour Road', city: 'Sydney', state: 'NSW', zip: '2000', country_code: 'AU' }
const reachable = { email: 'hello@x.test', geo_coordinates: { latitude: 0, longitude: 0 } }
const billing_address = { zip: '2000', country_iso2: 'AU', email: 'ida@example.com' }
const custom = (name: string, quantity: number) => ({ name, quantity, price_ex_tax: 1, price_inc_tax: 1 })
const READY = '2026-05-04T09:00:00Z'
const LATER = '2026-05-04T17:30:00Z'

/** Locations 1 and 2 with a pickup method each; a song (product 1), which is digital. */
async function openWithMethods(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/inventory/locations', [{ label: 'Mall', code: 'M', address: { ...address, ...reachable } }])
  await shop.call('POST', '/pickup/methods', [
    { location_id: 1, display_name: 'Counter' },
    { location_id: 2, display_name: 'Kerb' },
  ])
  await shop.call('POST', '/catalog/products', { name: 'Song', type: 'digital', weight: 0, price: 1 })
  return shop
}

const v2 = (shop: Shop, method: string, path: string, body?: unknown) =>
  shop.call(method, path, body, { version: 'v2' })

/** An order of 3 cups and 2 plates, and a song if it is sent. @returns the ids of its lines */
async function orderOf(shop: Shop, more: object = {}) {
  const products = [custom('Cup', 3), custom('Plate', 2), { product_id: 1 }]
  const { id } = await createOrder(await dbOf(shop), { billing_address, products, status_id: 11, ...more })
  return linesOf(shop, id)
}

/** An order of 3 cups that is collected at location 1. */
async function collectedOrder(shop: Shop, more: object = {}) {
  const pickups = [{ pickup_method_id: 1, line_items: [custom('Cup', 3)] }]
  const { id } = await createOrder(await dbOf(shop), {
    billing_address,
    consignments: { pickups },
    status_id: 11,
    ...more,
  })
  return linesOf(shop, id)
}

async function linesOf(shop: Shop, order_id: number) {
  const [cup = 0, plate = 0, song = 0] = (await rowsOf(shop, 'order_products'))
    .filter((line) => line.order_id === order_id)
    .map(({ id }) => Number(id))
  return { order_id, cup, plate, song }
}

const entry = (order_id: number, items: [line: number, quantity: number][], more: object = {}) => ({
  order_id,
  pickup_method_id: 1,
  ready_at: READY,
  pickup_items: items.map(([order_product_id, quantity]) => ({ order_product_id, quantity })),
  ...more,
})

const post = (shop: Shop, ...entries: object[]) => shop.call('POST', '/orders/pickups', entries)
const put = (shop: Shop, ...entries: object[]) => shop.call('PUT', '/orders/pickups', entries)
const statusOf = async (shop: Shop, id: number) => (await v2(shop, 'GET', `/orders/${id}`)).body.status_id

/** The events of an order since then. */
const published = async (shop: Shop, after: number) =>
  (await rowsOf(shop, 'events')).slice(after).map(({ scope }) => String(scope))

test('pickups are answered as a whole, told with their order, listed, and collected', async () => {
  const shop = await openWithMethods()
  const { order_id, cup, plate } = await orderOf(shop)
  const after = (await rowsOf(shop, 'events')).length
  const collected = { ready_at: '1777885200', collected_at: 1777915800 }
  const { status, body } = await post(
    shop,
    entry(order_id, [[cup, 2]], { pickup_method_id: 2 }),
    entry(
      order_id,
      [
        [cup, 1],
        [plate, 1],
      ],
      collected,
    ),
  )
  expect(status).toBe(200)
  const item = (id: number, order_product_id: number, quantity: number, at: string | null) => ({
    id,
    order_product_id,
    quantity,
    status: at ? 'COLLECTED' : 'AWAITING_COLLECTION',
    collected_at: at,
  })
  const now = body.data[0].created_at
  const about = { order_id, ready_at: READY, created_at: now, updated_at: now }
  const first = { id: 1, pickup_id: 1, pickup_method_id: 2, ...about, pickup_items: [item(1, cup, 2, null)] }
  const items = [item(2, cup, 1, LATER), item(3, plate, 1, LATER)]
  const second = { id: 2, pickup_id: 2, pickup_method_id: 1, ...about, pickup_items: items }
  expect(body).toEqual({ data: [first, second], meta: {} })
  expect(await published(shop, after)).toEqual(['store/order/updated', 'store/channel/1/order/updated'])
  expect((await v2(shop, 'GET', '/orders/1')).body).toMatchObject({ status_id: 11, items_shipped: 0 })

  const other = await orderOf(shop)
  await post(shop, entry(other.order_id, [[other.cup, 3]]))
  const list = async (query: string) => (await shop.call('GET', `/orders/pickups${query}`)).body
  expect(await list('?order_id:in=1')).toEqual({ data: [first, second], meta: expect.objectContaining({}) })
  expect((await list('')).meta).toEqual({ pagination: onlyPage(3) })
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: number }) => id)
  expect(await ids('')).toEqual([1, 2, 3])
  expect(await ids('?pickup_id:in=3,1')).toEqual([1, 3])
  expect(await ids('?pickup_id:in=3,1&order_id:in=2')).toEqual([3])
  expect(await ids('?limit=1&page=2')).toEqual([2])
  expect((await shop.call('GET', '/orders/pickups?limit=251')).status).toBe(413)

  const before = (await rowsOf(shop, 'events')).length
  const [done] = (await put(shop, { id: 2, pickup_id: 1, collected_at: LATER })).body.data
  expect(done.pickup_items).toEqual([item(1, cup, 2, LATER)])
  expect((await put(shop, { pickup_id: 1, collected_at: LATER, ready_at: READY })).body.data).toEqual([done])
  expect(await published(shop, before)).toHaveLength(2)
  const undone = await put(shop, { pickup_id: 1, collected_at: null, ready_at: '2026-05-05T08:00:00+02:00' })
  expect(undone.body.data[0]).toMatchObject({ ready_at: '2026-05-05T06:00:00Z', pickup_items: [item(1, cup, 2, null)] })

  expect((await shop.call('DELETE', '/orders/pickups?id:in=1,99')).status).toBe(204)
  expect((await shop.call('DELETE', '/orders/pickups?id:in=1')).status).toBe(204)
  expect(await ids('')).toEqual([2, 3])
  expect((await post(shop, entry(order_id, [[cup, 2]]))).body.data[0].id).toBe(4)
})

describe('is refused', () => {
  let shop: Shop
  let order: Awaited<ReturnType<typeof orderOf>>
  let collected: Awaited<ReturnType<typeof orderOf>>
  beforeAll(async () => {
    shop = await openWithMethods()
    order = await orderOf(shop)
    collected = await collectedOrder(shop)
    await orderOf(shop, { status_id: 5 })
    await orderOf(shop)
    await v2(shop, 'DELETE', '/orders/4')
    await post(shop, entry(order.order_id, [[order.cup, 1]], { collected_at: LATER }))
    await post(shop, entry(order.order_id, [[order.plate, 1]]))
  })

  const refusals: [what: string, entries: () => object[], errors: () => object][] = [
    [
      'orders that are not there, archived or over',
      () => [entry(999, [[1, 1]]), entry(order.order_id, [[order.cup, 2]]), entry(4, [[7, 1]]), entry(3, [[5, 1]])],
      () => ({
        '0.order_id': 'order 999 not found',
        '2.order_id': 'order 4 not found',
        '3.order_id': 'order cannot be picked up in status Cancelled',
      }),
    ],
    [
      'more than is left, with what other pickups and entries hold',
      () => [
        entry(order.order_id, [[order.cup, 3]]),
        entry(order.order_id, [[order.cup, 2]]),
        entry(order.order_id, [[order.cup, 1]]),
      ],
      () => ({
        '0.pickup_items.0.quantity': '3 requested, 2 left to pick up',
        '2.pickup_items.0.quantity': '1 requested, 0 left to pick up',
      }),
    ],
    [
      'a method that is not there',
      () => [entry(order.order_id, [[order.cup, 1]], { pickup_method_id: 9 })],
      () => ({ '0.pickup_method_id': 'pickup method 9 not found' }),
    ],
    [
      'another location than that of the consignment',
      () => [entry(collected.order_id, [[collected.cup, 1]], { pickup_method_id: 2 })],
      () => ({ '0.pickup_method_id': 'the order is picked up at location 1, not at 2' }),
    ],
    [
      'what is of another order, is no thing, or twice there',
      () => [
        entry(order.order_id, [
          [collected.cup, 1],
          [order.song, 1],
          [order.cup, 1],
          [order.cup, 1],
        ]),
      ],
      () => ({
        '0.pickup_items.0.order_product_id': `the order has no product ${collected.cup}`,
        '0.pickup_items.1.order_product_id': `product ${order.song} of the order is not picked up`,
        '0.pickup_items.3.order_product_id': 'Another item has this order_product_id.',
      }),
    ],
    [
      'times that are none, or in the wrong order',
      () => [
        entry(order.order_id, [[order.cup, 1]], { ready_at: 'soon' }),
        entry(order.order_id, [[order.cup, 1]], { ready_at: '2026-05-04' }),
        entry(order.order_id, [[order.plate, 1]], { ready_at: LATER, collected_at: READY }),
      ],
      () => ({
        '0.ready_at': 'ready_at must be a time: ISO 8601, or Unix seconds.',
        '1.ready_at': 'ready_at must be a time: ISO 8601, or Unix seconds.',
        '2.collected_at': 'collected_at must not be before ready_at.',
      }),
    ],
    [
      'an entry without anything',
      () => [{}],
      () => ({
        '0.order_id': 'error.path.missing',
        '0.pickup_method_id': 'error.path.missing',
        '0.ready_at': 'error.path.missing',
        '0.pickup_items': 'error.path.missing',
      }),
    ],
  ]
  test.each(refusals)('a pickup: %s', async (_, entries, errors) => {
    const before = await rowsOf(shop, 'order_pickup_items')
    const { status, headers, body } = await post(shop, ...entries())
    expect([status, body.errors]).toEqual([422, errors()])
    expect(headers['content-type']).toContain('application/problem+json')
    expect(await rowsOf(shop, 'order_pickup_items')).toEqual(before)
  })

  const changes: [what: string, entries: object[], errors: object][] = [
    [
      'a pickup that is not there, and one twice',
      [
        { pickup_id: 9, ready_at: READY },
        { pickup_id: 2, ready_at: READY },
        { pickup_id: 2, ready_at: READY },
      ],
      { '0.pickup_id': 'pickup 9 not found', '2.pickup_id': 'Another item has this pickup_id.' },
    ],
    ['nothing', [{ pickup_id: 2 }], { '0.ready_at': 'Send ready_at or collected_at.' }],
    [
      'another ready_at of what was collected',
      [{ pickup_id: 1, ready_at: LATER }],
      { '0.ready_at': "ready_at can't change after the pickup was collected." },
    ],
    [
      'collected before it is ready',
      [{ pickup_id: 2, collected_at: '2026-05-04T08:59:59Z' }],
      { '0.collected_at': 'collected_at must not be before ready_at.' },
    ],
  ]
  test.each(changes)('a change: %s', async (_, entries, errors) => {
    const { status, body } = await put(shop, ...entries)
    expect([status, body.errors]).toEqual([422, errors])
  })

  test('too many entries and items, no list, and a DELETE without ids', async () => {
    const one = entry(order.order_id, [[order.cup, 1]])
    expect((await post(shop, ...Array.from({ length: 101 }, () => one))).status).toBe(413)
    expect((await put(shop, ...Array.from({ length: 101 }, () => ({ pickup_id: 1, ready_at: READY })))).status).toBe(
      413,
    )
    const items = Array.from({ length: 251 }, (): [number, number] => [order.cup, 1])
    expect((await post(shop, entry(order.order_id, items))).status).toBe(422)
    expect((await post(shop)).status).toBe(422)
    expect((await shop.call('POST', '/orders/pickups', one)).status).toBe(422)
    for (const query of ['', '?id:in=']) expect((await shop.call('DELETE', `/orders/pickups${query}`)).status).toBe(422)
  })

  test('less of a product than is in pickups, or another product', async () => {
    const change = (products: object[]) => v2(shop, 'PUT', `/orders/${order.order_id}`, { products })
    const details = { 'products.0.quantity': '1 of it are in pickups: delete those first.' }
    for (const wrong of [{ quantity: 0 }, { product_id: 1 }]) {
      const { status, body } = await change([{ id: order.plate, ...wrong }])
      expect([status, body[0].details]).toEqual([400, details])
    }
    expect((await change([{ id: order.plate, quantity: 1 }])).status).toBe(200)
  })
})

test('the store settles where an order may be collected, and which status that leads to', async () => {
  const shop = await openWithMethods()
  const settle = (settings: object) => shop.call('PUT', '/settings/pickups', settings)
  await settle({ allow_pickup_elsewhere: true, pickup_sets_status: true })
  const { order_id, cup } = await collectedOrder(shop)
  const after = (await rowsOf(shop, 'events')).length
  await post(shop, entry(order_id, [[cup, 1]], { pickup_method_id: 2 }))
  expect(await statusOf(shop, order_id)).toBe(11)
  await post(shop, entry(order_id, [[cup, 2]]))
  expect(await statusOf(shop, order_id)).toBe(8)
  expect((await published(shop, after)).slice(2)).toEqual([
    'store/order/updated',
    'store/order/statusUpdated',
    'store/channel/1/order/updated',
    'store/channel/1/order/statusUpdated',
  ])
  await settle({ complete_on_collection: true })
  await put(shop, { pickup_id: 1, collected_at: LATER })
  expect(await statusOf(shop, order_id)).toBe(8)
  await put(shop, { pickup_id: 2, collected_at: LATER })
  expect(await statusOf(shop, order_id)).toBe(10)
  await put(shop, { pickup_id: 2, collected_at: null })
  expect(await statusOf(shop, order_id)).toBe(10)

  const other = await orderOf(shop)
  const all: [number, number][] = [
    [other.cup, 3],
    [other.plate, 2],
  ]
  await post(shop, entry(other.order_id, all, { collected_at: LATER }))
  expect(await statusOf(shop, other.order_id)).toBe(10)
})

test('two pickups of the last ones at once: one is refused', async () => {
  const shop = await openWithMethods()
  const { order_id, cup } = await orderOf(shop)
  const answers = await Promise.all([1, 2].map(() => post(shop, entry(order_id, [[cup, 2]]))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
})
