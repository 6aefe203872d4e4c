import { expect, test } from 'vitest'
import { ann, openWithShipping } from '../../../../test/carts/checkouts.ts'
import { visit } from '../../../../test/carts/plain-browser.ts'
import { shopperOf } from '../../../../test/carts/storefront-checkout.ts'
import { seedsOf } from '../../../../test/document/sized.ts'
import type { Shop } from '../../../../test/fixtures/shop.ts'
import { Dice } from '../../../../test/promotions/random.ts'

// Random carts agree to the cent between GraphQL, the sums of the page, and the order that they become.

// For prices with and without tax each.
const [FIRST, END] = seedsOf(5_000, 30)
const AT_ONCE = 4
const options = { timeout: 7_200_000 }

/** A store with taxes, promotions and coupons. @param isInclusive whether prices are entered with tax */
async function openStore(isInclusive: boolean): Promise<Shop> {
  const shop = await openWithShipping()
  const send = async (path: string, body: object, version?: 'v2') => {
    const { status, text } = await shop.call('POST', path, body, version ? { version } : {})
    expect(status, text).toBeLessThan(300)
  }
  if (isInclusive) await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
  for (const [name, rate, priority] of [
    ['State', 6.35, 1],
    ['City', 1.875, 2],
  ] as const) {
    const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate }))
    await send('/tax/rates', [{ tax_zone_id: 1, name, enabled: true, priority, class_rates }] as object)
  }
  const lamps = { cart_items: { discount: { percentage_amount: '12.5' }, items: { products: [1] }, quantity: 2 } }
  const order = { cart_value: { discount: { fixed_amount: '3.33' } } }
  await send('/promotions', { redemption_type: 'AUTOMATIC', name: 'Lamps', rules: [{ action: lamps }] })
  const condition = { cart: { minimum_spend: '60' } }
  await send('/promotions', { redemption_type: 'AUTOMATIC', name: 'Large', rules: [{ action: order, condition }] })
  const coupon = { enabled: true, applies_to: { entity: 'categories', ids: [0] } }
  await send('/coupons', { ...coupon, name: 'Seventh', code: 'SEVEN', type: 'percentage_discount', amount: '7' }, 'v2')
  await send('/coupons', { ...coupon, name: 'Two', code: 'TWO', type: 'per_total_discount', amount: '2' }, 'v2')
  return shop
}

/** Creates a cart with everything that its sums can have. @returns its id */
async function fill(shop: Shop, dice: Dice): Promise<string> {
  const send = async (method: string, path: string, body: object) => {
    const { status, text, body: answer } = await shop.call(method, path, body)
    expect(status, `${path} ${text}`).toBeLessThan(300)
    return answer.data
  }
  const cents = (most: number) => dice.whole(1, most) / 100
  const products = [1, 2, 3].filter((id) => id === 1 || dice.whole(0, 1) === 1)
  const line_items = products.map((product_id) => ({
    product_id,
    quantity: dice.whole(1, 7),
    ...(dice.whole(0, 3) === 0 ? { list_price: cents(9_999) } : {}),
  }))
  const custom = { name: 'Engraving', quantity: dice.whole(1, 3), list_price: cents(2_000) }
  const cart = await send('POST', '/carts', {
    line_items,
    ...(dice.whole(0, 2) === 0 ? { custom_items: [custom] } : {}),
  })
  const path = `/checkouts/${cart.id}`
  await send('POST', `${path}/billing-address`, ann)
  const { physical_items, custom_items } = cart.line_items
  const items = [...physical_items, ...custom_items].map(({ id, quantity }: { id: string; quantity: number }) => ({
    item_id: id,
    quantity,
  }))
  const included = '?include=consignments.available_shipping_options'
  const { consignments } = await send('POST', `${path}/consignments${included}`, [{ address: ann, line_items: items }])
  const [consignment] = consignments
  const { available_shipping_options: offered } = consignment
  const shipping_option_id = offered[dice.whole(0, offered.length - 1)].id
  await send('PUT', `${path}/consignments/${consignment.id}`, { shipping_option_id })
  const [code] = [['SEVEN'], ['TWO'], []][dice.whole(0, 2)] ?? []
  if (code !== undefined) {
    // Prices that are set by hand take no coupon.
    const { status, body } = await shop.call('POST', `${path}/coupons`, { coupon_code: code })
    if (status >= 300) expect(body.detail).toBe('COUPON_NOT_APPLICABLE')
  }
  if (dice.whole(0, 2) === 0) {
    const discount = { discounted_amount: cents(500), name: 'By hand' }
    // A discount can't exceed the lines.
    const { status, text } = await shop.call('POST', `${path}/discounts`, { cart: { discounts: [discount] } })
    if (status >= 300) expect(text).toContain('The lines cost only')
  }
  return cart.id
}

const money = (text: string): number => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100)

/** The amounts of the page in cents: the rows above the total that are not contained in others, and the total. */
function sumsOf(body: string) {
  const summary = body.split('<aside')[1]?.split('</aside>')[0] ?? ''
  const rows = [...summary.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)].map(
    ([, label = '', amount = '']) => ({ label, amount: money(amount) }),
  )
  const at = rows.findIndex(({ label }) => label === 'Total')
  const parts = rows.slice(0, at).filter(({ label }) => !label.startsWith('of it tax'))
  const lines = [...summary.matchAll(/<\/span><span>([^<]*)<\/span><\/li>/g)].map(([, amount = '']) => money(amount))
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
  return {
    lines: sum(lines),
    subtotal: rows.find(({ label }) => label === 'Subtotal')?.amount,
    parts: sum(parts.map(({ amount }) => amount)),
    total: rows[at]?.amount,
  }
}

test.each([
  ['without tax', false],
  ['with tax', true],
])('random carts of prices %s cost the same by GraphQL, on the page and as orders', options, async (_, isInclusive) => {
  const shop = await openStore(isInclusive)
  const shopper = await shopperOf(shop)
  const compare = async (seed: number) => {
    const id = await fill(shop, new Dice(seed))
    const { grandTotal, subtotal } = await shopper.read(id, 'grandTotal { value } subtotal { value }')
    const sums = sumsOf((await visit(shop, id)).body())
    const order = await shop.call('POST', `/checkouts/${id}/orders`)
    expect(order.status, order.text).toBe(200)
    const placed = await shop.call('GET', `/orders/${order.body.data.id}`, undefined, { version: 'v2' })
    const total = Math.round(grandTotal.value * 100)
    expect({ seed, ...sums, order: money(placed.body.total_inc_tax) }).toEqual({
      seed,
      lines: Math.round(subtotal.value * 100),
      subtotal: Math.round(subtotal.value * 100),
      parts: total,
      total,
      order: total,
    })
  }
  let next = FIRST
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < END) await compare(++next)
    }),
  )
})
