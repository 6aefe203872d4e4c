import { beforeEach, expect, test } from 'vitest'
import { createCart, openWithShipping } from '../../../../test/carts/checkouts.ts'
import { visit } from '../../../../test/carts/plain-browser.ts'
import type { Shop } from '../../../../test/fixtures/shop.ts'
import { GOOD_CARD } from '../../../../test/fixtures/shopper.ts'
import { rowsOf } from '../../../../test/fixtures/webhooks.ts'

// Nothing changes silently before money is asked for: docs/contract/checkout-page.md section 3.

let shop: Shop
let page: Awaited<ReturnType<typeof visit>>
beforeEach(async () => {
  shop = await openWithShipping()
  page = await visit(shop, await createCart(shop, { 1: 2 }))
})

const address = {
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: '1 Mill Road',
  city: 'Austin',
  countryCode: 'US',
  provinceCode: 'TX',
  postCode: '78701',
  sameBilling: '1',
}
const card = { ccNumber: GOOD_CARD, ccExpiry: '12/99', ccName: 'Ann Lee', ccCvv: '123' }
const v2 = (method: string, path: string, body: object) => shop.call(method, path, body, { version: 'v2' })

async function toPayment() {
  await page.submit({ email: 'ann@example.com' })
  await page.submit(address)
  await page.submit({})
  expect(page.openStep()).toBe('payment')
}
const CHANGED = 'The total of your order has changed.'
const SHORT = 'Some items are not available in this quantity any more.'
const COUPON = 'A coupon of your order is not valid any more.'
const OPTION = 'The shipping option that you have chosen is not available any more.'

test('a price that changed between two steps is said at the next one, once', async () => {
  await page.submit({ email: 'ann@example.com' })
  expect(page.text()).not.toContain(CHANGED)
  await shop.call('PUT', '/catalog/products/1', { price: 14 })
  await page.submit(address)
  expect([page.openStep(), page.text().includes(CHANGED)]).toEqual(['options', true])
  await page.submit({})
  expect([page.openStep(), page.text().includes(CHANGED)]).toEqual(['payment', false])
})

test('a price that changed since the page was shown is said by its reload', async () => {
  await toPayment()
  await page.open('/checkout')
  expect(page.text()).not.toContain(CHANGED)
  await shop.call('PUT', '/catalog/products/1', { price: 14 })
  await page.open('/checkout')
  expect(page.text()).toContain(CHANGED)
  await page.open('/checkout')
  expect(page.text()).not.toContain(CHANGED)
})

test('stock that another shopper has taken is said at each step, before money is asked for', async () => {
  await shop.call('PUT', '/catalog/products/1', { inventory_tracking: 'product', inventory_level: 5 })
  await page.submit({ email: 'ann@example.com' })
  expect(page.text()).not.toContain(SHORT)
  await shop.call('PUT', '/catalog/products/1', { inventory_level: 1 })
  await page.open('/checkout')
  expect(page.text()).toContain(SHORT)
})

test('a coupon that ended is said at each step, before money is asked for', async () => {
  const coupon = { name: 'Tenth', code: 'SAVE', type: 'percentage_discount', amount: '10', enabled: true }
  const { body } = await v2('POST', '/coupons', { ...coupon, applies_to: { entity: 'categories', ids: [0] } })
  await page.submit({ couponCode: 'SAVE' }, 'coupon')
  expect(page.text()).not.toContain(COUPON)
  await v2('PUT', `/coupons/${body.id}`, { enabled: false })
  await page.open('/checkout')
  expect([page.text().includes(COUPON), page.text().includes(CHANGED)]).toEqual([true, true])
  await page.submit({ remove: 'SAVE' }, 'coupon')
  expect(page.text()).not.toContain(COUPON)
})

test('a shipping option that has another cost is not paid before the shopper has seen it', async () => {
  await toPayment()
  await v2('PUT', '/shipping/zones/1/methods/2', { settings: { rate: 3 } })
  await page.submit(card)
  expect([page.status(), page.text().includes(CHANGED)]).toEqual([409, true])
  expect(page.text()).toMatch(/Shipping\s*\$6\.00/)
  expect(await rowsOf(shop, 'payments')).toEqual([])
  await page.submit(card)
  expect(page.path()).toBe('/checkout/order-confirmation')
  const { body } = await shop.call('GET', `/orders/${page.order()}`, undefined, { version: 'v2' })
  expect(body.total_inc_tax).toBe('31.0000')
})

test('a shipping option that is not offered any more is chosen again', async () => {
  await toPayment()
  await shop.call('DELETE', '/shipping/zones/1/methods/2', undefined, { version: 'v2' })
  await page.submit(card)
  expect([page.status(), page.openStep(), page.text().includes(OPTION)]).toEqual([409, 'options', true])
  expect(await rowsOf(shop, 'payments')).toEqual([])
})

test('a shipping option that ends with another step is chosen again', async () => {
  await toPayment()
  await shop.call('DELETE', '/shipping/zones/1/methods/2', undefined, { version: 'v2' })
  await page.open('/checkout?step=customer')
  await page.submit({ email: 'bo@example.com' })
  expect([page.openStep(), page.text().includes(OPTION)]).toEqual(['options', true])
})

test('discounts of items are named at their lines', async () => {
  const action = { cart_items: { discount: { percentage_amount: 20 }, items: { products: [1] } } }
  const promotion = { redemption_type: 'AUTOMATIC', name: 'Lamps for less', rules: [{ action }] }
  expect((await shop.call('POST', '/promotions', promotion)).status).toBe(201)
  await page.open('/checkout')
  expect(page.text()).toMatch(/Lamp\s*Quantity: 2\s*Lamps for less: -\$5\.00/)
})
