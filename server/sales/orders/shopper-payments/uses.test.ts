import { beforeEach, describe, expect, test } from 'vitest'
import { doMoney } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askToken, BAD_CARD, openUnpaid, pay, payWith } from '../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { Gateways } from '../../payments/gateways.ts'
import { activePromotions } from '../../promotions/evaluation/active-promotions.ts'
import { findCodes } from '../../promotions/evaluation/cart-codes.ts'
import { listUses, type NewUses, usedUpPromotions } from '../../promotions/uses/uses.ts'
import { planPayment } from './plan.ts'

// Uses of promotions and coupons by orders and their payments (docs/contract/promotions.md section 8).

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const TEN_OFF = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]

/** A coupon promotion with one code. @returns their ids */
async function promote(promotion: object = {}, code: object = {}): Promise<{ promotion: number; coupon: number }> {
  const body = { redemption_type: 'COUPON', name: 'Ten off', rules: TEN_OFF, ...promotion }
  const id = (await shop.call('POST', '/promotions', body)).body.data.id
  const made = await shop.call('POST', `/promotions/${id}/codes`, { code: `TEN ${id}`, ...code })
  return { promotion: id, coupon: made.body.data.id }
}

const IDA = { customer_id: 0, email: 'ida@example.com' }

/** An order that its shopper can pay, with uses. */
async function open(uses: Partial<Omit<NewUses, 'order_id'>>, more: object = {}): Promise<number> {
  const order_id = await openUnpaid(shop, 20, more)
  const db = await dbOf(shop)
  await db.transaction((tx) => listUses(tx, { customer: IDA, promotions: [], coupons: [], ...uses, order_id }))
  return order_id
}

const charges = async () => (await rowsOf(shop, 'testgateway_entries')).length
const promotion = async (id: number) => {
  const { current_uses, status } = (await shop.call('GET', `/promotions/${id}`)).body.data
  return { current_uses, status }
}
const totals = async (table: 'promotions' | 'coupons') =>
  (await rowsOf(shop, table)).map(({ current_uses, reserved_uses }) => [current_uses, reserved_uses])
const setStatus = (id: number, status_id: number) => shop.call('PUT', `/orders/${id}`, { status_id }, { version: 'v2' })

describe('U8: a promotion with max_uses 1 and two incomplete orders', () => {
  test('is used by the order that is paid first; the other is refused and nothing is charged', async () => {
    const { promotion: id } = await promote({ max_uses: 1 })
    const [one, other] = [await open({ promotions: [id] }), await open({ promotions: [id] })]
    expect((await pay(shop, one)).status).toBe(201)
    expect(await promotion(id)).toEqual({ current_uses: 1, status: 'DISABLED' })
    expect(await pay(shop, other)).toMatchObject({
      status: 422,
      body: { code: 10_001, errors: { coupons: 'The promotion Ten off has no uses left.' } },
    })
    expect(await charges()).toBe(1)
  })

  test('counts a status that a merchant sets, even beyond the maximum', async () => {
    const { promotion: id } = await promote({ max_uses: 1 })
    const [one, other] = [await open({ promotions: [id] }), await open({ promotions: [id] })]
    await pay(shop, one)
    expect((await setStatus(other, 11)).status).toBe(200)
    expect(await promotion(id)).toEqual({ current_uses: 2, status: 'DISABLED' })
  })
})

describe('a use', () => {
  test('is counted once, for the promotion and the code, and stays after a cancellation', async () => {
    const { promotion: id, coupon } = await promote()
    const order = await open({ promotions: [id], coupons: [coupon] })
    for (const status of [11, 0, 11, 5, 7]) await setStatus(order, status)
    expect(await totals('promotions')).toEqual([[1, 0]])
    expect((await shop.call('GET', `/promotions/${id}/codes`)).body.data).toMatchObject([{ current_uses: 1 }])
  })

  test('of an incomplete order that is cancelled or declined is not counted before it is placed', async () => {
    const { promotion: id } = await promote()
    const order = await open({ promotions: [id] })
    for (const status of [5, 6, 0]) await setStatus(order, status)
    expect(await totals('promotions')).toEqual([[0, 0]])
    await setStatus(order, 7)
    expect(await totals('promotions')).toEqual([[1, 0]])
  })

  test('is counted for a coupon of the older family', async () => {
    const body = {
      name: 'Five',
      code: 'FIVE',
      type: 'per_total_discount',
      amount: '5',
      applies_to: { entity: 'categories', ids: [0] },
    }
    const made = await shop.call('POST', '/coupons', { ...body, max_uses: 1 }, { version: 'v2' })
    const [one, other] = [await open({ coupons: [made.body.id] }), await open({ coupons: [made.body.id] })]
    expect((await pay(shop, one)).status).toBe(201)
    expect((await shop.call('GET', `/coupons/${made.body.id}`, undefined, { version: 'v2' })).body).toMatchObject({
      num_uses: 1,
      enabled: true,
    })
    expect((await pay(shop, other)).body.errors).toEqual({ coupons: 'The coupon FIVE has no uses left.' })
  })

  test('of a deleted promotion and a deleted code has no maximum', async () => {
    const { promotion: id, coupon } = await promote({ max_uses: 1 }, { max_uses: 1 })
    const order = await open({ promotions: [id], coupons: [coupon] })
    await shop.call('DELETE', `/promotions/${id}/codes/${coupon}`)
    await shop.call('DELETE', `/promotions/${id}`)
    expect((await pay(shop, order)).status).toBe(201)
  })
})

describe('a payment', () => {
  test('that is declined releases its use, and the next try reserves it again', async () => {
    const { promotion: id, coupon } = await promote({ max_uses: 1 }, { max_uses: 1 })
    const uses = { promotions: [id], coupons: [coupon] }
    const [one, other] = [await open(uses), await open(uses)]
    expect((await pay(shop, one, BAD_CARD)).status).toBe(422)
    expect([await totals('promotions'), await totals('coupons')]).toEqual([[[0, 0]], [[0, 0]]])
    expect((await pay(shop, other)).status).toBe(201)
    expect([await totals('promotions'), await totals('coupons')]).toEqual([[[1, 0]], [[1, 0]]])
    expect((await pay(shop, one)).body.errors).toEqual({
      coupons: `The promotion Ten off has no uses left. The coupon TEN ${id} has no uses left.`,
    })
  })

  test('of a process that died before the call holds its use until the rescue job', async () => {
    const { promotion: id } = await promote({ max_uses: 1 })
    const [one, other] = [await open({ promotions: [id] }), await open({ promotions: [id] })]
    const { clock, installation } = await theHouse()
    const issued = (await askToken(shop, one)).body.data.id
    const claims = JSON.parse(Buffer.from(issued.split('.')[1], 'base64url').toString())
    const instrument = {
      type: 'card',
      number: '4111111111111111',
      cardholder_name: 'Ida',
      expiry_month: 12,
      expiry_year: 2099,
    }
    await (await dbOf(shop)).transaction((tx) =>
      planPayment(tx, new Gateways(installation), {
        token: { ...claims.data, jti: claims.jti },
        input: { instrument: { ...instrument, type: 'card' }, payment_method_id: 'testgateway.card' },
        key: '',
        hash: '',
      }),
    )
    expect(await totals('promotions')).toEqual([[0, 1]])
    expect((await pay(shop, other)).status).toBe(422)
    clock.move(60_000)
    await doMoney()
    expect(await totals('promotions')).toEqual([[0, 0]])
    expect((await pay(shop, other)).status).toBe(201)
  })

  test('that exceeds the stock reserves no use', async () => {
    const { promotion: id } = await promote({ max_uses: 1 })
    await shop.call('POST', '/catalog/products', {
      name: 'Vase',
      type: 'physical',
      weight: 1,
      price: 20,
      inventory_tracking: 'product',
      inventory_level: 0,
    })
    const products = [{ product_id: 1, quantity: 1, price_ex_tax: 20, price_inc_tax: 20 }]
    const order = await open({ promotions: [id] }, { products })
    expect((await pay(shop, order)).body.errors).toHaveProperty('products')
    expect(await totals('promotions')).toEqual([[0, 0]])
  })
})

describe('max_uses_per_customer', () => {
  const email = (address: string) => ({ customer_id: 0, email: address })

  test('counts guests by their address in any case, and customers by their id', async () => {
    const { coupon } = await promote({}, { max_uses_per_customer: 1 })
    const uses = (customer: { customer_id: number; email: string }) => open({ customer, coupons: [coupon] })
    const orders = [
      await uses(email('ann@example.com')),
      await uses(email('ANN@example.com')),
      await uses(email('bo@example.com')),
      await uses({ customer_id: 7, email: 'ann@example.com' }),
      await uses({ customer_id: 7, email: 'other@example.com' }),
    ]
    const statuses: number[] = []
    for (const order of orders) statuses.push((await pay(shop, order)).status)
    expect(statuses).toEqual([201, 422, 201, 201, 422])
    expect(await totals('coupons')).toEqual([[3, 0]])
  })

  test('does not count for orders without an address', async () => {
    const { coupon } = await promote({}, { max_uses_per_customer: 1 })
    for (const order of [
      await open({ customer: email(''), coupons: [coupon] }),
      await open({ customer: email(''), coupons: [coupon] }),
    ]) {
      expect((await pay(shop, order)).status).toBe(201)
    }
  })
})

test('a cart sees uses that are counted or reserved: of everybody, and of its customer', async () => {
  const { promotion: id } = await promote({ max_uses: 1 }, { code: 'ALL', max_uses: 1 })
  const other = await promote({}, { code: 'OWN', max_uses_per_customer: 1 })
  const db = await dbOf(shop)
  const seen = async (customer?: { customer_id: number; email: string }) => [
    [...(await usedUpPromotions(db, await activePromotions(db, new Date())))],
    (await findCodes(db, ['all', 'own'], 'USD', customer)).map(({ isUsedUp }) => isUsedUp),
  ]
  const order = await open({ promotions: [id], coupons: [1, other.coupon] })
  // The promotions are in memory before the use is counted.
  expect(await seen(IDA)).toEqual([[], [false, false]])
  await setStatus(order, 11)
  expect(await seen(IDA)).toEqual([[id], [true, true]])
  expect(await seen({ customer_id: 0, email: 'bo@example.com' })).toEqual([[id], [true, false]])
  expect(await seen()).toEqual([[id], [true, false]])
})

describe('C-135: the last use in many hands', () => {
  test('one of 12 shoppers who pay at once is charged, the others are refused before the gateway is asked', async () => {
    const { promotion: id, coupon } = await promote({ max_uses: 1 }, { max_uses: 1, max_uses_per_customer: 1 })
    const orders: number[] = []
    for (let i = 0; i < 12; i++) orders.push(await open({ promotions: [id], coupons: [coupon] }))
    const tokens = await Promise.all(orders.map(async (order) => (await askToken(shop, order)).body.data.id))
    const answers = await Promise.all(tokens.map((token) => payWith(shop, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(422)])
    expect([await charges(), await totals('promotions'), await totals('coupons')]).toEqual([1, [[1, 0]], [[1, 0]]])
  })

  test('current_uses is the number of placed orders after declines and payments at once, in any order of ids (C-024)', async () => {
    const one = await promote({ max_uses: 5 })
    const other = await promote({ max_uses: 50 })
    const orders: number[] = []
    // In both orders of the ids, so that a deadlock would be met.
    for (let i = 0; i < 12; i++) {
      const ids = [one.promotion, other.promotion]
      orders.push(await open({ promotions: i % 2 === 0 ? ids : ids.toReversed(), coupons: [one.coupon, other.coupon] }))
    }
    const tokens = await Promise.all(orders.map(async (order) => (await askToken(shop, order)).body.data.id))
    const answers = await Promise.all(
      tokens.map((token, i) => payWith(shop, token, i % 3 === 0 ? BAD_CARD : undefined)),
    )
    const paid = answers.filter(({ status }) => status === 201).length
    expect(paid).toBeLessThanOrEqual(5)
    expect(await totals('promotions')).toEqual([
      [paid, 0],
      [paid, 0],
    ])
    expect(await totals('coupons')).toEqual([
      [paid, 0],
      [paid, 0],
    ])
    // Those that a payment under way had kept out can be paid now.
    for (const [i, order] of orders.entries()) if (answers[i]?.status !== 201) await pay(shop, order)
    expect(await totals('promotions')).toEqual([
      [5, 0],
      [5, 0],
    ])
    expect(await promotion(one.promotion)).toEqual({ current_uses: 5, status: 'DISABLED' })
  })
})
