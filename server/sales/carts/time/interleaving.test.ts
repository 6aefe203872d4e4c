import { expect, test } from 'vitest'
import { createCart } from '../../../test/carts/checkouts.ts'
import { DAY, dueCartParts, MINUTE } from '../../../test/carts/due.ts'
import { switchedDb, type Through } from '../../../test/fixtures/faults.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { interleave, ordersOfSteps } from '../../../test/interleaving.ts'
import { attendDueCarts } from './due-carts.ts'

// Two workers of due carts, one step of one of them at a time, in each order of their steps. The clock belongs to the process of this file.

const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]

/** The transactions of a round of the worker: the due carts, and the mails to the merchant. */
const STEPS = 3

async function open(): Promise<Shop> {
  const shop = await openShop()
  for (let i = 0; i < 3; i++) await createCart(shop, {}, { custom_items })
  return shop
}

/** A round of a worker that knows this store only. */
async function workerOf(shop: Shop) {
  const [parts, db] = [await dueCartParts(), await dbOf(shop)]
  return (through: Through) => {
    const own = switchedDb(db, through)
    const { cells } = parts.stores
    const dbById = async (id: number) => (id === shop.store.id ? own : undefined)
    return attendDueCarts({ ...parts, stores: { cells, dbById } })
  }
}

test('C-124: two workers of due carts, step by step in any order, begin each idle spell once', async () => {
  const { clock } = await theHouse()
  for (const order of ordersOfSteps(STEPS)) {
    const shop = await open()
    clock.move(61 * MINUTE)
    const run = await workerOf(shop)
    await interleave(order, [run, run])
    const events = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/cart/abandoned')
    expect(new Set(events.map(({ data }) => JSON.parse(String(data)).id)).size, order.join('')).toBe(3)
    expect(events, order.join('')).toHaveLength(3)
    expect((await rowsOf(shop, 'carts')).map(({ spell }) => spell)).toEqual([1, 1, 1])
  }
})

test('C-124: two workers of expired carts, step by step in any order, delete each once, and publish nothing', async () => {
  const { clock } = await theHouse()
  for (const order of ordersOfSteps(STEPS)) {
    const shop = await open()
    const before = (await rowsOf(shop, 'events')).length
    clock.move(30 * DAY + MINUTE)
    const run = await workerOf(shop)
    await interleave(order, [run, run])
    expect(await rowsOf(shop, 'carts'), order.join('')).toEqual([])
    expect(await rowsOf(shop, 'events'), order.join('')).toHaveLength(before)
  }
})

test('C-124: a change of a cart beside the worker, step by step in any order: the spell begins before the change or not at all', async () => {
  const { clock } = await theHouse()
  for (const order of ordersOfSteps(STEPS)) {
    const shop = await openShop()
    const id = await createCart(shop, {}, { custom_items })
    clock.move(61 * MINUTE)
    const run = await workerOf(shop)
    const change = (through: Through) =>
      through(() => shop.call('PUT', `/checkouts/${id}`, { customer_message: 'Back again' }))
    await interleave(order, [run, change])
    const [cart] = await rowsOf(shop, 'carts')
    const events = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/cart/abandoned')
    expect([cart?.version, cart?.spell], order.join('')).toEqual([2, events.length])
    // The change ends the spell: the next one is an hour away.
    expect(new Date(String(cart?.idle_at)).getTime()).toBeGreaterThan(clock.now().getTime() + 50 * MINUTE)
  }
})
