import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../test/fixtures/webhooks.ts'
import { fillCarts } from './demo-carts.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  for (let i = 1; i <= 20; i++) {
    const product = { name: `Mug ${i}`, price: 10 + i, type: 'physical', weight: 1 }
    expect((await shop.call('POST', '/catalog/products', product)).status).toBe(200)
  }
  for (const from of [1, 7]) {
    const people = Array.from({ length: 6 }, (_, i) => ({
      first_name: 'Ann',
      last_name: 'Lee',
      email: `ann${from + i}@example.com`,
    }))
    expect((await shop.call('POST', '/customers', people)).status).toBe(200)
  }
  const { installation } = await theHouse()
  await (await dbOf(shop)).transaction((tx) => fillCarts(tx, installation))
})

test('there are 200 open carts and 40 abandoned ones, which clients can read', async () => {
  const carts = await rowsOf(shop, 'carts')
  const abandoned = carts.filter(({ token }) => token !== '')
  expect([carts.length - abandoned.length, abandoned.length]).toEqual([200, 40])
  const { now } = (await theHouse()).clock
  for (const { id, idle_at, token } of [...carts.slice(0, 5), ...abandoned.slice(0, 5)]) {
    expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
    if (token === '') expect(Date.parse(String(idle_at))).toBeGreaterThan(now().getTime())
    else expect((await shop.call('GET', `/abandoned-carts/${token}`)).body.data).toEqual({ cart_id: id })
  }
})

test('there are 60 paid orders that came from checkouts, each of a cart of its own', async () => {
  const read = async (path: string) => (await shop.call('GET', path, undefined, { version: 'v2' })).body
  const orders = await read('/orders?limit=100')
  expect(orders).toHaveLength(60)
  expect(new Set(orders.map(({ cart_id }: { cart_id: string }) => cart_id)).size).toBe(60)
  for (const order of orders) expect(order).toMatchObject({ status_id: 11, order_source: 'checkout_api' })
  const [last] = orders.slice(-1)
  expect(await read(`/orders/${last.id}/shipping_addresses`)).toMatchObject([
    { city: 'Austin', shipping_method: 'Van' },
  ])
})
