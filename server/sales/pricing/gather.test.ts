import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { overhear } from '../../test/harness/overhear.ts'
import { gather } from './gather.ts'

// The facts of prices are three statements in two round trips, for any number of items and from each source.

const PRODUCTS = 20

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  const product = (n: number) => ({ name: `Cup ${n}`, type: 'physical', weight: 1, price: 10 })
  for (let made = 0; made < PRODUCTS; made += 10) {
    const piece = Array.from({ length: 10 }, (_, i) => product(made + i))
    await shop.call('POST', '/catalog/products', piece)
  }
  const group = (name: string, discount_rules: object[]) =>
    shop.call('POST', '/customer_groups', { name, discount_rules }, { version: 'v2' })
  await group('List', [])
  await group('Discounts', [{ type: 'all', method: 'percent', amount: 10 }])
  await group('Neither', [])
  await shop.call('POST', '/pricelists', { name: 'Trade' })
  await shop.call('POST', '/pricelists/assignments', [{ price_list_id: 1, customer_group_id: 1 }])
})

test.each([
  { source: 'a list', customer_group_id: 1, count: 1, statements: 3, trips: 2 },
  { source: 'a list, for many products', customer_group_id: 1, count: PRODUCTS, statements: 3, trips: 2 },
  { source: 'discounts of a group', customer_group_id: 2, count: PRODUCTS, statements: 3, trips: 2 },
  { source: 'the catalog', customer_group_id: 3, count: PRODUCTS, statements: 2, trips: 1 },
])('prices of $source', async ({ customer_group_id, count, statements, trips }) => {
  const db = await dbOf(shop)
  const shopper = { channel_id: 1, currency_code: 'USD', customer_id: 0, customer_group_id }
  const ids = Array.from({ length: count }, (_, i) => i + 1)
  // Tax tables are in memory, and statements are prepared.
  await gather(db, shopper, ids)
  const heard = overhear()
  const { gathered } = await gather(db, shopper, ids)
  heard.stop()
  expect(gathered?.products.size).toBe(count)
  // Walls drop their rows.
  expect(heard.statements.filter(({ dropsRows, values }) => !dropsRows && values.length > 0)).toHaveLength(statements)
  expect(heard.pieces).toHaveLength(trips)
})
