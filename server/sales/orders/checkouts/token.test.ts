import { beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { pay } from '../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { useCheckoutToken } from '../../carts/checkouts/tokens.ts'

// docs/contract/checkouts.md section 11. The clock belongs to the process of this file.

const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]

let shop: Shop
let cart = ''
beforeEach(async () => {
  shop = await openShop()
  cart = await createCart(shop, {}, { custom_items })
})

const create = (body?: unknown, id = cart) => shop.call('POST', `/checkouts/${id}/token`, body)
async function spend(token: string, of = shop) {
  const { secrets } = (await theHouse()).installation
  const db = await dbOf(of)
  return db.transaction((tx) => useCheckoutToken(tx, token, { secrets })).catch((error) => error.status)
}
const tokens = () => rowsOf(shop, 'checkout_tokens')

test('a token works once, and its checkout keeps its version', async () => {
  const before = (await checkoutOf(shop, cart).call('GET', '')).body
  const { status, body } = await create()
  expect([status, body]).toEqual([200, { checkoutToken: expect.stringMatching(/^[0-9a-f]{64}$/), meta: {} }])
  expect(JSON.stringify(await tokens())).not.toContain(body.checkoutToken)
  expect(await spend(body.checkoutToken)).toEqual({ cart_id: cart })
  expect(await spend(body.checkoutToken)).toBe(404)
  expect((await checkoutOf(shop, cart).call('GET', '')).body).toEqual(before)
})

test('maxUses counts uses, also of many at once', async () => {
  const { checkoutToken } = (await create({ maxUses: 3 })).body
  const uses = await Promise.all(Array.from({ length: 20 }, () => spend(checkoutToken)))
  expect(uses.filter((use) => use === 404)).toHaveLength(17)
})

test('ttl ends a token', async () => {
  const { clock } = await theHouse()
  const { checkoutToken } = (await create({ maxUses: 2, ttl: 60 })).body
  clock.move(50_000)
  expect(await spend(checkoutToken)).toEqual({ cart_id: cart })
  clock.move(11_000)
  expect(await spend(checkoutToken)).toBe(404)
  const usual = (await create({ maxUses: 2 })).body.checkoutToken
  clock.move(3_590_000)
  expect(await spend(usual)).toEqual({ cart_id: cart })
  clock.move(11_000)
  expect(await spend(usual)).toBe(404)
})

describe('refusals', () => {
  test.each([
    ['maxUses', [1, 2_147_483_647], [0, -1, 1.5, 2_147_483_648, 'one', null]],
    ['ttl', [1, 2_592_000], [0, 2_592_001, 1.5, 'long', null]],
  ])('the bounds of %s', async (field, valid, invalid) => {
    for (const value of valid) expect((await create({ [field]: value })).status).toBe(200)
    const before = await tokens()
    for (const value of invalid) {
      const { status, body } = await create({ [field]: value })
      expect([status, Object.keys(body.errors)], String(value)).toEqual([422, [field]])
    }
    expect(await tokens()).toEqual(before)
  })

  test('unknown and deleted checkouts are 404', async () => {
    expect((await create({}, '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d')).status).toBe(404)
    await shop.call('DELETE', `/carts/${cart}`)
    expect((await create()).status).toBe(404)
  })

  test('a checkout with a paid order is 422, and its older token still works', async () => {
    shop = await openWithShipping()
    cart = await createCart(shop, { 3: 1 })
    const { checkoutToken } = (await create()).body
    const checkout = checkoutOf(shop, cart)
    await checkout.call('POST', '/billing-address', ann)
    const { id } = (await checkout.call('POST', '/orders')).body.data
    expect((await create()).status).toBe(200)
    expect((await pay(shop, id)).status).toBe(201)
    expect(await create()).toMatchObject({ status: 422, body: { title: `The checkout has become the order ${id}.` } })
    expect(await spend(checkoutToken)).toEqual({ cart_id: cart })
  })

  test('a token of another store, and an altered one, are unknown', async () => {
    const { checkoutToken } = (await create()).body
    expect(await spend(checkoutToken, await openShop())).toBe(404)
    const other = checkoutToken.startsWith('a') ? 'b' : 'a'
    expect(await spend(other + checkoutToken.slice(1))).toBe(404)
    expect(await spend('')).toBe(404)
  })
})

test('a checkout has its newest 50 tokens', async () => {
  for (let i = 0; i < 52; i++) await create({ maxUses: i + 1 })
  expect((await tokens()).map(({ number }) => Number(number))).toEqual(Array.from({ length: 50 }, (_, i) => i + 3))
})
