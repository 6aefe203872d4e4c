import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ann, checkoutOf, createCart } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { isOfGate, overhear } from '../../../test/harness/overhear.ts'

// The statements of a large checkout: 50 lines, 20 promotions, taxes by rates, two consignments. No number of lines or promotions adds one.

const LINES = 50

let shop: Shop
let checkout: ReturnType<typeof checkoutOf>
let line = ''
beforeAll(async () => {
  shop = await openShop()
  const names = Array.from({ length: LINES }, (_, i) => `Mug ${i + 1}`)
  for (const [i, name] of names.entries()) {
    await shop.call('POST', '/catalog/products', { name, price: 10 + i, type: 'physical', weight: 1 })
  }
  for (let i = 1; i <= 20; i++) {
    const rules = [{ action: { cart_items: { discount: { percentage_amount: '1' }, items: { products: [i] } } } }]
    const body = { redemption_type: 'AUTOMATIC', name: `Promotion ${i}`, rules }
    const made = await shop.call('POST', '/promotions', body)
    expect(made.status, made.text).toBe(201)
  }
  const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 }))
  await shop.call('POST', '/tax/rates', [{ tax_zone_id: 1, name: 'Tax', enabled: true, priority: 1, class_rates }])
  const quantities = Object.fromEntries(names.map((_, i) => [i + 1, 2]))
  checkout = checkoutOf(shop, await createCart(shop, quantities))
  await checkout.call('POST', '/billing-address', ann)
  const items = Object.values(await checkout.lines()).map((item_id) => ({ item_id, quantity: 1 }))
  await checkout.call('POST', '/consignments', [
    { address: ann, line_items: items },
    { address: { ...ann, city: 'Dallas' }, line_items: items },
  ])
  line = items[0]?.item_id ?? ''
  // Promotions and taxes are in memory afterwards.
  const { consignments, taxes } = await checkout.get()
  expect([consignments.length, taxes.length]).toEqual([2, 1])
})

let heard: ReturnType<typeof overhear>
beforeEach(() => {
  heard = overhear()
})
afterEach(() => heard.stop())

const isFrame = ({ text }: { text: string }) => text === 'begin' || text === 'commit'

/** The statements of a request without those of its gate, begin and commit, and the round trips in which they were sent. */
const counted = () => ({
  statements: heard.statements.filter((one) => !isOfGate(one) && !isFrame(one)).length,
  trips: heard.pieces.filter((piece) => piece.some((one) => !isOfGate(one))).length,
})

test('a checkout is read with at most 6 statements in 3 round trips', async () => {
  expect((await checkout.call('GET', '')).status).toBe(200)
  const { statements, trips } = counted()
  expect(statements, heard.statements.map(({ text }) => text.slice(0, 90)).join('\n')).toBeLessThanOrEqual(6)
  expect(trips).toBeLessThanOrEqual(3)
})

test('a quantity is changed with at most 10 statements', async () => {
  const changed = await shop.call('PUT', `/carts/${checkout.id}/items/${line}`, { line_item: { quantity: 3 } })
  expect(changed.status, changed.text).toBe(200)
  const { statements } = counted()
  expect(statements, heard.statements.map(({ text }) => text.slice(0, 90)).join('\n')).toBeLessThanOrEqual(10)
})
