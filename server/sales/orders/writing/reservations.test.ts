import { beforeEach, describe, expect, test } from 'vitest'
import { doMoney } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askToken, BAD_CARD, CREDIT, GOOD_CARD, pay, payWith } from '../../../test/fixtures/shopper.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// A payment reserves stock before a gateway is asked (docs/contract/orders.md section 2).

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  await shop.call('POST', '/catalog/products', [
    { name: 'Vase', type: 'physical', weight: 1, price: 20, inventory_tracking: 'product', inventory_level: 1 },
    { name: 'Print', type: 'physical', weight: 1, price: 20 },
  ])
})

const v2 = async (method: string, path: string, body?: object) =>
  (await shop.call(method, path, body, { version: 'v2' })).body
const level = async () => (await shop.call('GET', '/catalog/products/1')).body.data.inventory_level
/** An order that its shopper can pay, of product 1 unless another is named. */
const open = async (price = 20, more: object = {}, product_id = 1): Promise<number> => {
  const products = [{ product_id, quantity: 1, price_ex_tax: price, price_inc_tax: price }]
  const body = { billing_address: { zip: '1', email: 'ida@example.com' }, products, status_id: 0, ...more }
  return (await v2('POST', '/orders', body)).id
}
const charges = async () => (await rowsOf(shop, 'testgateway_entries')).length
const waitForAnswer = async (ms = 3_000) => {
  const { clock } = await theHouse()
  clock.move(ms)
  await doMoney()
}
const tooLate = { products: expect.stringContaining('Too little is in stock') }

describe('the last piece', () => {
  test('is sold once to two shoppers who pay at once: the other is refused before the gateway is asked', async () => {
    const orders = [await open(), await open()]
    const tokens = await Promise.all(orders.map(async (id) => (await askToken(shop, id)).body.data.id))
    const answers = await Promise.all(tokens.map((token) => payWith(shop, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ code: 10_001, errors: tooLate })
    expect([await level(), await charges()]).toEqual([0, 1])
    const paid = orders[answers.findIndex(({ status }) => status === 201)]
    expect(await rowsOf(shop, 'stock_commitments')).toMatchObject([{ key: `order ${paid}`, quantity: 1, oversold: 0 }])
    expect((await rowsOf(shop, 'payments')).length).toBe(1)
  })

  test('is sold once to two shoppers who pay one after the other', async () => {
    const [one, other] = [await open(), await open()]
    expect((await pay(shop, one)).status).toBe(201)
    expect(await pay(shop, other)).toMatchObject({ status: 422, body: { errors: tooLate } })
    expect([await level(), await charges()]).toEqual([0, 1])
    expect(await v2('GET', `/orders/${other}`)).toMatchObject({ status_id: 0, payment_status: '' })
  })

  test('is free again after a decline, and the refused request cost no try', async () => {
    const [one, other] = [await open(), await open()]
    expect((await pay(shop, one, BAD_CARD)).status).toBe(422)
    expect(await level()).toBe(1)
    expect((await pay(shop, other)).status).toBe(201)
    expect((await pay(shop, one, GOOD_CARD)).body.errors).toEqual(tooLate)
    expect([await level(), await charges()]).toEqual([0, 2])
  })

  test('stays reserved while the gateway has not answered, and is free again when it declines', async () => {
    const [one, other] = [await open(20.62), await open()]
    expect((await pay(shop, one)).body.data.status).toBe('pending')
    expect((await pay(shop, other)).body.errors).toEqual(tooLate)
    await waitForAnswer()
    expect(await level()).toBe(1)
    expect((await pay(shop, other)).status).toBe(201)
  })

  test('is free again after a void', async () => {
    const one = await open(20, { payment_method: 'Test Payment Gateway', payment_status: 'authorized', status_id: 7 })
    expect(await level()).toBe(0)
    await shop.call('POST', `/orders/${one}/payment_actions/void`)
    await waitForAnswer()
    expect(await level()).toBe(1)
  })

  test('is not paid with store credit either, and a part payment reserves nothing', async () => {
    const ann = {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.com',
      store_credit_amounts: [{ amount: 50 }],
    }
    await shop.call('POST', '/customers', [ann])
    const [one, other, dear] = [
      await open(20, { customer_id: 1 }),
      await open(20, { customer_id: 1 }),
      await open(60, { customer_id: 1 }),
    ]
    expect((await pay(shop, one, CREDIT)).status).toBe(201)
    expect((await pay(shop, other, CREDIT)).body.errors).toEqual(tooLate)
    expect((await pay(shop, dear, CREDIT)).body.errors).toEqual(tooLate)
    const [customer] = (await shop.call('GET', '/customers?include=storecredit')).body.data
    expect(customer.store_credit_amounts).toEqual([{ amount: 30 }])
    await shop.call('PUT', '/inventory/adjustments/absolute', {
      items: [{ location_id: 1, product_id: 1, quantity: 1 }],
    })
    expect((await pay(shop, dear, CREDIT)).status).toBe(201)
    expect(await v2('GET', `/orders/${dear}`)).toMatchObject({ status_id: 1 })
    expect(await level()).toBe(1)
  })
})

test('a store that takes stock at shipping reserves none: both are paid', async () => {
  const settings = (await shop.call('GET', '/settings/inventory')).body.data
  await shop.call('PUT', '/settings/inventory', { ...settings, update_stock_behavior: 'order_completed_or_shipped' })
  for (const id of [await open(), await open()]) expect((await pay(shop, id)).status).toBe(201)
  expect(await level()).toBe(1)
})

test('untracked stock is neither reserved nor refused', async () => {
  for (const id of [await open(20, {}, 2), await open(20, {}, 2)]) expect((await pay(shop, id)).status).toBe(201)
  expect(await rowsOf(shop, 'stock_commitments')).toEqual([])
})

test('an order that was brought over from another system moves no stock', async () => {
  for (const id of [await open(20, { external_source: 'M-MIG' }), await open(20, { external_source: 'M-MIG' })]) {
    expect((await pay(shop, id)).status).toBe(201)
  }
  expect(await level()).toBe(1)
})
