import { expect, test } from 'vitest'
import type { Tx } from '../../core/db/database.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { commitStock, releaseStock, type StockDemand } from './commitments.ts'

// docs/contract/inventory.md sections 4 and 6: the functions for orders.

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, sku: 'MUG' }
const variants = (name: string) =>
  ['1', '2'].map((label) => ({ sku: `${name}-${label}`, option_values: [{ option_display_name: 'Size', label }] }))

/**
 * A store with two locations and four products: 1 without options (base variant 1), 2 tracked by variants 2 and 3, 3 tracked
 * by itself (variants 4 and 5), 4 untracked (variants 6 and 7).
 */
async function openWith(...items: object[]): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/inventory/locations', [{ label: 'Two', type_id: 'VIRTUAL' }])
  await shop.call('POST', '/catalog/products', [
    { ...mug, inventory_tracking: 'product' },
    { ...mug, name: 'Bowl', sku: 'BOWL', inventory_tracking: 'variant', variants: variants('B') },
    { ...mug, name: 'Plate', sku: 'PLATE', inventory_tracking: 'product', variants: variants('P') },
    { ...mug, name: 'Cup', sku: 'CUP', variants: variants('C') },
  ])
  const { status } = await shop.call('PUT', '/inventory/adjustments/absolute', {
    items: items.map((item) => ({ location_id: 1, ...item })),
  })
  expect(status).toBe(200)
  return shop
}
const set = (shop: Shop, location: number, ...settings: object[]) =>
  shop.call('PUT', `/inventory/locations/${location}/items`, { settings })

const within = async <T>(shop: Shop, work: (tx: Tx) => Promise<T>) => (await dbOf(shop)).transaction(work)
const order = (shop: Shop, ...lines: StockDemand['lines']) => commit(shop, { lines })
const commit = (shop: Shop, more: Partial<StockDemand>) =>
  within(shop, (tx) => commitStock(tx, { key: 'order 7', order_id: 7, location_id: 1, lines: [], ...more }))
const cancel = (shop: Shop) => within(shop, (tx) => releaseStock(tx, { key: 'order 7', order_id: 7 }))

const onHand = async (shop: Shop) =>
  (await rowsOf(shop, 'stock')).map((row) => [row.product_id, row.variant_id, row.location_id, row.on_hand])

/** The inventory scopes that some work publishes, without their common beginning. */
async function eventsOf(shop: Shop, work: () => Promise<unknown>) {
  const before = (await rowsOf(shop, 'events')).length
  await work()
  return (await rowsOf(shop, 'events'))
    .slice(before)
    .map(({ scope, data }) => [
      String(scope).replace('store/channel/*/inventory/product/', ''),
      JSON.parse(String(data)),
    ])
}
const place = { variant_id: 1, product_id: 1, location_id: 1 }
const shown = (value: number) => [
  ['store/product/updated', { type: 'product', id: 1 }],
  [
    'store/product/inventory/order/updated',
    { type: 'product', id: 1, inventory: { product_id: 1, method: 'relative', value } },
  ],
  ['stock_changed', place],
]

test.each([
  ['E2', { quantity: 6, warning_level: 5, taken: 2 }, ['low_stock_reached']],
  ['E3', { quantity: 4, warning_level: 5, taken: 1 }, ['low_stock_reached']],
  ['E4', { quantity: 3, warning_level: 0, taken: 3 }, ['low_stock_reached', 'out_of_stock_reached']],
  ['E5', { quantity: 6, warning_level: 5, taken: 6 }, ['low_stock_reached', 'out_of_stock_reached']],
  ['above the level', { quantity: 9, warning_level: 5, taken: 3 }, []],
])('%s: an order takes units: %j', async (_, { quantity, warning_level, taken }, warnings) => {
  const shop = await openWith({ product_id: 1, quantity })
  await set(shop, 1, { identity: { product_id: 1 }, warning_level })
  const events = await eventsOf(shop, () => order(shop, { variant_id: 1, quantity: taken }))
  expect(events).toEqual([...shown(-taken), ...warnings.map((scope) => [scope, place])])
  expect(await onHand(shop)).toEqual([[1, 0, 1, quantity - taken]])
})

test('E7: a cancelled order returns its units, with an event and without a warning', async () => {
  const shop = await openWith({ product_id: 1, quantity: 2 })
  await order(shop, { variant_id: 1, quantity: 2 })
  expect(await eventsOf(shop, () => cancel(shop))).toEqual(shown(2))
  expect(await eventsOf(shop, () => cancel(shop))).toEqual([])
  expect(await onHand(shop)).toEqual([[1, 0, 1, 2]])
})

test('tracked items are taken: variants, or the product of several lines', async () => {
  const shop = await openWith(
    { variant_id: 2, quantity: 5 },
    { product_id: 3, quantity: 9 },
    { variant_id: 6, quantity: 4 },
  )
  const lines = [2, 4, 5, 6].map((variant_id) => ({ variant_id, quantity: 2 }))
  expect(await order(shop, ...lines, { variant_id: 99, quantity: 1 })).toEqual({
    kind: 'taken',
    commitments: [
      { product_id: 2, variant_id: 2, location_id: 1, quantity: 2, oversold: 0 },
      { product_id: 3, variant_id: 0, location_id: 1, quantity: 4, oversold: 0 },
    ],
  })
  expect(await onHand(shop)).toEqual([
    [2, 2, 1, 3],
    [3, 0, 1, 5],
    [4, 6, 1, 4],
  ])
})

test('a key takes units once, also after concurrent requests', async () => {
  const shop = await openWith({ product_id: 1, quantity: 10 })
  const takings = await Promise.all(Array.from({ length: 5 }, () => order(shop, { variant_id: 1, quantity: 3 })))
  for (const taking of takings) expect(taking).toEqual(takings[0])
  expect(await onHand(shop)).toEqual([[1, 0, 1, 7]])
  await commit(shop, { key: 'order 8', lines: [{ variant_id: 1, quantity: 3 }] })
  expect(await onHand(shop)).toEqual([[1, 0, 1, 4]])
})

test('too little stock for one line takes nothing and reports the missing units: safety stock and stock marked as unavailable are not for sale', async () => {
  const shop = await openWith(
    { product_id: 1, quantity: 9 },
    { variant_id: 2, quantity: 4 },
    { variant_id: 3, quantity: 4 },
  )
  await set(
    shop,
    1,
    { identity: { variant_id: 2 }, safety_stock: 3 },
    { identity: { variant_id: 3 }, is_in_stock: false },
  )
  const lines = [1, 2, 3].map((variant_id) => ({ variant_id, quantity: 2 }))
  const before = await onHand(shop)
  expect(await eventsOf(shop, () => order(shop, ...lines))).toEqual([])
  expect(await order(shop, ...lines)).toEqual({
    kind: 'short',
    missing: [
      { product_id: 2, variant_id: 2, wanted: 2, available: 1 },
      { product_id: 2, variant_id: 3, wanted: 2, available: 0 },
    ],
  })
  expect(await onHand(shop)).toEqual(before)
  expect(await commit(shop, { location_id: 2, lines: [{ variant_id: 1, quantity: 1 }] })).toMatchObject({
    kind: 'short',
    missing: [{ product_id: 1, wanted: 1, available: 0 }],
  })
})

test('a change of status takes the existing units, and reports oversold ones', async () => {
  const shop = await openWith({ product_id: 1, quantity: 2 })
  const lines = [{ variant_id: 1, quantity: 5 }]
  expect(await commit(shop, { mayOversell: true, lines })).toEqual({
    kind: 'taken',
    commitments: [{ product_id: 1, variant_id: 0, location_id: 1, quantity: 2, oversold: 3 }],
  })
  expect(await onHand(shop)).toEqual([[1, 0, 1, 0]])
  await cancel(shop)
  expect(await onHand(shop)).toEqual([[1, 0, 1, 2]])
})

test('units of a deleted location return to the first one', async () => {
  const shop = await openWith({ product_id: 1, quantity: 6, location_id: 2 })
  await commit(shop, { location_id: 2, lines: [{ variant_id: 1, quantity: 4 }] })
  await shop.call('DELETE', '/inventory/locations?location_id:in=2')
  await cancel(shop)
  expect(await onHand(shop)).toEqual([[1, 0, 1, 4]])
  expect((await shop.call('GET', '/catalog/products/1')).body.data.inventory_level).toBe(4)
})

test('ten concurrent orders sell no more than there is', async () => {
  const shop = await openWith({ variant_id: 2, quantity: 7 }, { variant_id: 3, quantity: 7 })
  const lines = [
    { variant_id: 2, quantity: 1 },
    { variant_id: 3, quantity: 1 },
  ]
  const takings = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      commit(shop, { key: `order ${i}`, order_id: i, lines: i % 2 === 0 ? lines : lines.toReversed() }),
    ),
  )
  expect(takings.filter(({ kind }) => kind === 'taken')).toHaveLength(7)
  expect(await onHand(shop)).toEqual([
    [2, 2, 1, 0],
    [2, 3, 1, 0],
  ])
})
