import { beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askToken, pay, payWith } from '../../../test/fixtures/shopper.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// Checks of the reliability list that concern carts, their orders and payments.

let shop: Shop
beforeEach(async () => {
  shop = await openWithShipping()
})

/** A checkout of downloads, which needs an address only. */
async function ready(of = shop, quantity = 1): Promise<string> {
  const id = await createCart(of, { 3: quantity })
  expect((await checkoutOf(of, id).call('POST', '/billing-address', ann)).status).toBe(200)
  return id
}
const buy = (id: string, key: string, of = shop, as = of.admin) =>
  of.call('POST', `/checkouts/${id}/orders`, undefined, { headers: { 'idempotency-key': key }, as })
const orders = async (of = shop) => rowsOf(of, 'orders')

describe('one Idempotency-Key', () => {
  test('C-013, C-138: 100 times at once creates one order; all answers name it or are 409', async () => {
    const id = await ready()
    const answers = await Promise.all(Array.from({ length: 100 }, () => buy(id, 'buy')))
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(new Set(answers.flatMap(({ body }) => body.data?.id ?? []))).toEqual(new Set([1]))
    expect(await orders()).toHaveLength(1)
    expect((await buy(id, 'buy')).headers['idempotent-replayed']).toBe('true')
  })

  test('C-014: for another checkout is a 422 without an effect', async () => {
    const [one, other] = [await ready(), await ready()]
    expect((await buy(one, 'buy')).status).toBe(200)
    expect((await buy(other, 'buy')).status).toBe(422)
    expect(await orders()).toHaveLength(1)
  })

  test('C-015: in another store, and of another client, has an effect of its own', async () => {
    const id = await ready()
    expect((await buy(id, 'buy')).body.data.id).toBe(1)
    const { installation } = await theHouse()
    const second = await installation.accounts.create(shop.store.hash, 'second', ['all'])
    expect((await buy(id, 'buy', shop, second)).body.data.id).toBe(2)
    const elsewhere = await openWithShipping()
    expect((await buy(await ready(elsewhere), 'buy', elsewhere)).body.data.id).toBe(1)
  })

  test('C-016: can be used again after a refusal', async () => {
    const id = await createCart(shop, { 3: 1 })
    expect((await buy(id, 'buy')).status).toBe(422)
    await checkoutOf(shop, id).call('POST', '/billing-address', ann)
    expect((await buy(id, 'buy')).status).toBe(200)
    expect(await orders()).toHaveLength(1)
  })
})

describe('stock', () => {
  const track = (level: number) =>
    shop.call('PUT', '/catalog/products/3', {
      inventory_tracking: 'product',
      inventory_level: level,
      inventory_warning_level: 2,
    })
  const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => String(scope))

  test('C-044: a payment of an order reports low stock; its cart and the order do not', async () => {
    await track(3)
    const id = await ready(shop, 1)
    const order = (await checkoutOf(shop, id).call('POST', '/orders')).body.data.id
    const isLow = (scope: string) => scope.includes('low_stock')
    expect((await scopes()).filter(isLow)).toEqual([])
    expect((await pay(shop, order)).status).toBe(201)
    expect((await scopes()).filter(isLow).length).toBeGreaterThan(0)
  })

  test('C-138: of two shoppers who pay for the last piece at once one is charged, and the other is refused before anything is sent', async () => {
    await track(1)
    const made = []
    for (const id of [await ready(), await ready()]) {
      made.push((await checkoutOf(shop, id).call('POST', '/orders')).body.data.id)
    }
    const tokens = await Promise.all(made.map(async (id) => (await askToken(shop, id)).body.data.id))
    const answers = await Promise.all(tokens.map((token) => payWith(shop, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await rowsOf(shop, 'testgateway_entries')).toHaveLength(1)
    expect((await shop.call('GET', '/catalog/products/3')).body.data.inventory_level).toBe(0)
    expect((await scopes()).filter((scope) => scope === 'store/cart/converted')).toHaveLength(1)
  })
})

test('C-081: amounts beyond doubles, and those that are no numbers, are refused and change nothing', async () => {
  const id = await createCart(shop, { 1: 1 })
  const send = (payload: string, path: string, method = 'POST') =>
    shop.call(method, path, undefined, { payload, headers: { 'content-type': 'application/json' } })
  const before = (await shop.call('GET', `/carts/${id}`)).body
  for (const amount of ['1e400', '-1e400', '-0.01', '"NaN"', '"Infinity"', '1e15']) {
    const custom = `{"custom_items":[{"name":"Engraving","quantity":1,"list_price":${amount}}]}`
    const fee = `{"fees":[{"type":"custom_fee","name":"box","display_name":"Box","source":"shop","cost":${amount}}]}`
    const discount = `{"cart":{"discounts":[{"discounted_amount":${amount}}]}}`
    for (const [payload, path] of [
      [custom, `/carts/${id}/items`],
      [fee, `/checkouts/${id}/fees`],
      [discount, `/checkouts/${id}/discounts`],
    ] as const) {
      const { status, text } = await send(payload, path)
      expect([400, 422], `${payload}: ${text}`).toContain(status)
    }
  }
  expect((await shop.call('GET', `/carts/${id}`)).body).toEqual(before)
  const tenth = `{"custom_items":[{"name":"Pin","quantity":3,"list_price":0.1}]}`
  expect((await send(tenth, `/carts/${id}/items`)).body.data.cart_amount).toBe(12.8)
})

describe('C-012: a parent that is deleted while carts are written', () => {
  const RACES = sized(1_000, 5)

  test('product and customer: answers are success, 404, 409 or 422, and every cart that is left can be read', {
    timeout: sized(1_200_000, 60_000),
  }, async () => {
    const statuses = new Set<number>()
    for (let i = 1; i <= RACES; i++) {
      const product = { name: `Mug ${i}`, price: 10, type: 'physical', weight: 1 }
      const { id: product_id } = (await shop.call('POST', '/catalog/products', product)).body.data
      const person = { first_name: 'Ann', last_name: 'Lee', email: `ann${i}@example.com` }
      const { id: customer_id } = (await shop.call('POST', '/customers', [person])).body.data[0]
      const line_items = [{ product_id, quantity: 1 }]
      const cart = await createCart(shop, { 3: 1 }, { customer_id })
      const answers = await Promise.all([
        shop.call('POST', '/carts', { customer_id, line_items }),
        shop.call('POST', `/carts/${cart}/items`, { line_items }),
        shop.call('DELETE', `/catalog/products/${product_id}`),
        shop.call('DELETE', `/customers?id:in=${customer_id}`),
        shop.call('PUT', `/carts/${cart}`, { customer_id }),
      ])
      for (const { status } of answers) statuses.add(status)
      const made = answers[0]?.body?.data?.id
      for (const id of [cart, ...(made === undefined ? [] : [made])]) {
        const read = await shop.call('GET', `/carts/${id}`)
        expect(read.status, read.text).toBe(200)
        expect(read.body.data.customer_id, 'the customer is deleted').toBe(0)
        const lines: { product_id: number }[] = read.body.data.line_items.physical_items
        expect(lines.filter((line) => line.product_id === product_id)).toEqual([])
      }
    }
    expect([...statuses].filter((status) => ![200, 201, 204, 404, 409, 422].includes(status))).toEqual([])
  })

  test('channel: a cart of it is created or refused, and 404 once it is deleted', {
    timeout: sized(1_200_000, 60_000),
  }, async () => {
    for (let i = 1; i <= RACES; i++) {
      const other = await openShop()
      const channel = { name: `Market_${i}`, type: 'storefront', platform: 'custom' }
      const { status, body, text } = await other.call('POST', '/channels', channel)
      expect(status, text).toBe(200)
      const { id: channel_id } = body.data
      const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]
      const [made, ended] = await Promise.all([
        other.call('POST', '/carts', { channel_id, custom_items }),
        other.call('PUT', `/channels/${channel_id}`, { status: 'terminated' }),
      ])
      expect([200, 422]).toContain(ended.status)
      expect([201, 404, 409, 422]).toContain(made.status)
      if (made.status === 201 && ended.status === 200) {
        expect((await other.call('GET', `/carts/${made.body.data.id}`)).status).toBe(404)
      }
    }
  })
})
