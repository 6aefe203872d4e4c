import { beforeAll, describe, expect, test } from 'vitest'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { EXAMPLES } from '../../../test/carts/examples.ts'
import { evaluatedCart } from '../../../test/carts/facts.ts'
import { sold } from '../../../test/carts/sold.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import type { OrderRow } from '../row/rows.ts'
import { blankOrder } from '../writing/create.ts'
import { draftOfCheckout } from './draft.ts'

// The worked examples C1 to C17 of docs/contract/carts.md section 6 as orders: the same numbers, to the cent.

let blank: OrderRow
beforeAll(async () => {
  const db = await dbOf(await openShop())
  blank = await db.transaction(async (tx) => ({
    ...blankOrder(tx, await currencyPair(tx, 'USD'), { shipping: 0, handling: 0, wrapping: 0 }),
    order_source: 'checkout_api',
    is_tax_inclusive_pricing: false,
  }))
})

const sum = (amounts: readonly number[]) => Number(amounts.reduce((all, amount) => all + amount, 0).toFixed(4))

describe('an order has the amounts of', () => {
  test.each(Object.entries(EXAMPLES))('%s', (_, { store, document, expected }) => {
    const checkout = evaluatedCart(store, document)
    const { result } = checkout
    const products = new Map(Object.keys(store.prices ?? {}).map((n) => [Number(n), sold(Number(n))]))
    const mistakes = {}
    const inCurrency = {
      ...blank,
      currency_decimals: result.decimals,
      is_tax_inclusive_pricing: result.isInclusive,
    }
    const parts = { blank: inCurrency, sold: products, pickup: undefined, fields: [] }
    const { after, lines, taxes = [] } = draftOfCheckout(checkout, parts, mistakes)
    expect(mistakes).toEqual({})
    expect(after.total_inc_tax).toBe(expected.grand)
    if (expected.taxTotal !== undefined) expect(sum([after.total_inc_tax, -after.total_ex_tax])).toBe(expected.taxTotal)
    const subtotal = result.isInclusive ? after.subtotal_inc_tax : after.subtotal_ex_tax
    if (expected.base !== undefined) expect(subtotal).toBe(expected.base)
    if (expected.coupons) expect(after.coupon_discount).toBe(sum(expected.coupons))
    if (expected.left)
      expect(sum([subtotal, -after.discount_amount, -after.coupon_discount])).toBeCloseTo(sum(expected.left), 2)
    // Lines keep the discounts of the checkout, and the rows of all taxes of costs are there.
    expect(sum(lines.map(({ discount }) => discount))).toBe(sum([after.discount_amount, after.coupon_discount]))
    const costs = sum([
      after.shipping_cost_inc_tax - after.shipping_cost_ex_tax,
      after.handling_cost_inc_tax - after.handling_cost_ex_tax,
      after.wrapping_cost_inc_tax - after.wrapping_cost_ex_tax,
      ...result.fees.map(({ input }) => (input.cost === 4 ? 0.32 : 0)),
    ])
    expect(sum(taxes.map(({ line_amount }) => line_amount))).toBe(costs)
  })
})
