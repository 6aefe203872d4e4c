import { afterEach, expect, test, vi } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { deleteStockAt } from './locations/stock-of-locations.ts'

// The published history of stock: for each location a chain, in which every amount follows from the one before
// (docs/contract/inventory.md section 3).

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, sku: 'MUG', inventory_tracking: 'product' }

afterEach(() => {
  vi.restoreAllMocks()
})

async function openMug(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/inventory/locations', [{ label: 'Two', type_id: 'VIRTUAL' }])
  await done(shop, 'POST', '/catalog/products', mug)
  return shop
}

async function done(shop: Shop, method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await shop.call(method, path, body)
  // A busy machine may answer 503: the request is sent again.
  if (status === 503) return done(shop, method, path, body)
  expect({ status, text }).toEqual({ status: 200, text: expect.any(String) })
}

const set = (shop: Shop, location_id: number, quantity: number) =>
  done(shop, 'PUT', '/inventory/adjustments/absolute', { items: [{ location_id, product_id: 1, quantity }] })
const move = (shop: Shop, location_id: number, quantity: number) =>
  done(shop, 'POST', '/inventory/adjustments/relative', { items: [{ location_id, product_id: 1, quantity }] })

/** Each request is answered by a process whose clock is up to a minute off. */
async function disagreeOnTime() {
  const { clock } = await theHouse()
  const { now } = clock
  let count = 0
  vi.spyOn(clock, 'now').mockImplementation(() => new Date(now().getTime() + ((count++ * 37) % 121) * 1_000 - 60_000))
}

interface Change {
  location_id: number
  amount_before: number
  amount_after: number
}

/** All published changes of the product, the oldest first, read in pages of 7. */
async function history({ call }: Shop, query = ''): Promise<Change[]> {
  const changes: Change[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `/inventory/adjustments?product_id=1${query}&limit=7&page=${page}`)
    changes.push(...body.data)
    if (changes.length >= body.meta.pagination.total) return changes.toReversed()
  }
}

/** The changes whose amount does not follow from the previous change at their location. */
const breaks = (changes: readonly Change[]) =>
  changes.filter((change, i) => {
    const before = changes.slice(0, i).findLast(({ location_id }) => location_id === change.location_id)
    return before !== undefined && before.amount_after !== change.amount_before
  })

test('many concurrent changes by processes with different clocks are a chain at each location', async () => {
  const shop = await openMug()
  await set(shop, 1, 500)
  await set(shop, 2, 500)
  await disagreeOnTime()
  let sent = 0
  const client = async () => {
    while (sent < 120) {
      const i = sent++
      if (i % 10 === 9) await done(shop, 'PUT', '/catalog/products/1', { inventory_level: 2_000 + i })
      else await move(shop, 1 + (i % 2), i % 3 === 0 ? -2 : 1)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  vi.restoreAllMocks()
  const changes = await history(shop)
  expect(changes.length).toBeGreaterThan(100)
  expect(breaks(changes)).toEqual([])
  const { body } = await shop.call('GET', '/inventory/items?product_id:in=1')
  for (const { location_id, total_inventory_onhand } of body.data[0].locations) {
    const here = await history(shop, `&location_id:in=${location_id}`)
    expect(here).toEqual(changes.filter((change) => change.location_id === location_id))
    expect(here.at(-1)?.amount_after).toBe(total_inventory_onhand)
  }
})

test('the last option of a product empties its own stock, and the history shows it', async () => {
  const shop = await openMug()
  await set(shop, 1, 5)
  const option = { display_name: 'Size', type: 'rectangles', option_values: [{ label: 'M', sort_order: 0 }] }
  await done(shop, 'POST', '/catalog/products/1/options', option)
  const variant = { sku: 'MUG-M', option_values: [{ option_display_name: 'Size', label: 'M' }] }
  await done(shop, 'POST', '/catalog/products/1/variants', variant)
  await done(shop, 'PUT', '/catalog/products/1', { inventory_tracking: 'variant' })
  expect((await shop.call('DELETE', '/catalog/products/1/options/1')).status).toBe(204)
  await set(shop, 1, 3)
  expect(await history(shop)).toMatchObject([
    { cause: 'absolute', amount_before: 0, amount_after: 5 },
    { cause: 'catalog', amount_before: 5, amount_after: 0 },
    { cause: 'absolute', amount_before: 0, amount_after: 3 },
  ])
})

test('stock that is added while its location is being deleted continues the history', async () => {
  const shop = await openMug()
  await set(shop, 2, 5)
  await set(shop, 2, 6)
  const db = await dbOf(shop)
  // A step of the deletion of a location with many items.
  await db.transaction((tx) => deleteStockAt(tx, 2, [{ product_id: 1, variant_id: 0 }]))
  await set(shop, 2, 8)
  await set(shop, 2, 9)
  const changes = await history(shop)
  expect(changes.map(({ amount_after }) => amount_after)).toEqual([5, 6, 0, 8, 9])
  expect(breaks(changes)).toEqual([])
})
