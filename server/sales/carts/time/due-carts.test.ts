import { expect, test } from 'vitest'
import { checkoutOf, createCart } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { attendDueCarts } from './due-carts.ts'

// docs/contract/carts.md section 10. The clock belongs to the process of this file.

const MINUTE = 60_000
const DAY = 86_400_000

async function wait(ms: number) {
  const { clock, installation } = await theHouse()
  clock.move(ms)
  await attendDueCarts(installation.directory, clock)
}

const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]
const openCart = async (shop: Shop): Promise<string> => createCart(shop, {}, { custom_items })
const abandonedEvents = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).endsWith('/abandoned'))

test('T10: a cart is abandoned once after an hour without a change', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  await wait(59 * MINUTE)
  expect(await abandonedEvents(shop)).toEqual([])
  await wait(2 * MINUTE)
  const events = await abandonedEvents(shop)
  expect(events.map(({ scope }) => scope)).toEqual(['store/cart/abandoned', 'store/channel/1/cart/abandoned'])
  const { token, ...data } = JSON.parse(String(events[0]?.data))
  expect(data).toEqual({ type: 'cart', id })
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  await wait(60 * MINUTE)
  expect(await abandonedEvents(shop)).toHaveLength(2)
  expect((await shop.call('GET', `/carts/${id}`)).body.data.version).toBe(1)
})

test('a change ends the idle spell, and the next one has another token', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  await wait(61 * MINUTE)
  await checkoutOf(shop, id).call('PUT', '', { customer_message: 'Back again' })
  await wait(59 * MINUTE)
  expect(await abandonedEvents(shop)).toHaveLength(2)
  await wait(2 * MINUTE)
  const tokens = (await abandonedEvents(shop)).flatMap(({ data }) => JSON.parse(String(data)).token ?? [])
  expect(new Set(tokens).size).toBe(2)
})

test('the token finds the cart, also with hyphens, until the cart is gone', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  await wait(61 * MINUTE)
  const { token } = JSON.parse(String((await abandonedEvents(shop))[0]?.data))
  const hyphened = token.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  for (const text of [token, hyphened, hyphened.toUpperCase()]) {
    const { status, body } = await shop.call('GET', `/abandoned-carts/${text}`)
    expect([status, body]).toEqual([200, { data: { cart_id: id }, meta: {} }])
  }
  const other = await openShop()
  expect((await other.call('GET', `/abandoned-carts/${token}`)).status).toBe(404)
  for (const text of ['unknown', '-', '%00']) {
    expect((await shop.call('GET', `/abandoned-carts/${text}`)).status).toBe(404)
  }
  await shop.call('DELETE', `/carts/${id}`)
  expect((await shop.call('GET', `/abandoned-carts/${token}`)).status).toBe(404)
})

test('a cart expires 30 days after its last change, with its metafields and without an event', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  const metafield = { key: 'bin', value: '4', namespace: 'wh', permission_set: 'write' }
  await shop.call('POST', `/carts/${id}/metafields`, metafield)
  await wait(29 * DAY)
  await checkoutOf(shop, id).call('PUT', '', { customer_message: 'Back again' })
  await wait(29 * DAY)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
  const before = (await rowsOf(shop, 'events')).length
  await wait(DAY + MINUTE)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(404)
  expect(await rowsOf(shop, 'carts')).toEqual([])
  expect(await rowsOf(shop, 'metafields')).toEqual([])
  expect(await rowsOf(shop, 'events')).toHaveLength(before)
})
