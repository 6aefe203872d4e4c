import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { DAY, dueCartParts, MINUTE, wait } from '../../../test/carts/due.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, pay } from '../../../test/fixtures/shopper.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { attendDueCarts } from './due-carts.ts'

// docs/contract/carts.md section 10. The clock belongs to the process of this file.

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

test('C-140: a cart is idle after 60 minutes and not after 59, expires after 30 days and not a second before', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  await wait(59 * MINUTE)
  expect(await abandonedEvents(shop)).toEqual([])
  await wait(MINUTE + 1_000)
  expect(await abandonedEvents(shop)).toHaveLength(2)
  await wait(30 * DAY - 60 * MINUTE - 10_000)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
  await wait(11_000)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(404)
  expect(await rowsOf(shop, 'carts')).toEqual([])
})

test('C-111, C-140: of two workers one publishes each cart, and a clock that goes back an hour publishes nothing again', async () => {
  const shop = await openShop()
  await Promise.all(Array.from({ length: 30 }, () => openCart(shop)))
  const { clock } = await theHouse()
  clock.move(61 * MINUTE)
  const parts = await dueCartParts()
  await Promise.all([attendDueCarts(parts), attendDueCarts(parts)])
  expect(await abandonedEvents(shop)).toHaveLength(60)
  clock.move(-60 * MINUTE)
  await attendDueCarts(parts)
  clock.move(60 * MINUTE)
  await attendDueCarts(parts)
  expect(await abandonedEvents(shop)).toHaveLength(60)
})

test('C-112: workers whose clocks differ by five minutes publish each idle spell once', async () => {
  const shop = await openShop()
  const id = await openCart(shop)
  const parts = await dueCartParts()
  const fast = { ...parts, clock: { now: () => new Date(parts.clock.now().getTime() + 5 * MINUTE) } }
  const both = () => Promise.all([attendDueCarts(fast), attendDueCarts(parts)])
  const { clock } = await theHouse()
  for (let minutes = 0; minutes < 70; minutes += 5) {
    clock.move(5 * MINUTE)
    await both()
  }
  expect(await abandonedEvents(shop)).toHaveLength(2)
  await checkoutOf(shop, id).call('PUT', '', { customer_message: 'Back again' })
  await both()
  expect(await abandonedEvents(shop)).toHaveLength(2)
  clock.move(61 * MINUTE)
  await both()
  expect(await abandonedEvents(shop)).toHaveLength(4)
  expect((await shop.call('GET', `/carts/${id}`)).status).toBe(200)
})

test('a cart whose payment was tried is not abandoned, until it is changed again', async () => {
  const shop = await openWithShipping()
  const id = await createCart(shop, { 3: 1 })
  const checkout = checkoutOf(shop, id)
  await checkout.call('POST', '/billing-address', ann)
  const order = (await checkout.call('POST', '/orders')).body.data.id
  expect((await pay(shop, order, BAD_CARD)).status).toBe(422)
  await wait(61 * MINUTE)
  expect(await abandonedEvents(shop)).toEqual([])
  await checkout.call('PUT', '', { customer_message: 'Another card' })
  await wait(61 * MINUTE)
  expect(await abandonedEvents(shop)).toHaveLength(2)
})
