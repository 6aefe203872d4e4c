import { describe, expect, test } from 'vitest'
import { roundFine } from '../../../core/money/fine.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import { EXAMPLES, type ExpectedAmounts } from '../../../test/carts/examples.ts'
import { evaluateExample } from '../../../test/carts/facts.ts'
import type { CartResult } from './result.ts'

// The worked examples of docs/contract/carts.md section 6, with their numbers.

const pair = ({ ex, inc }: { ex: Units; inc: Units }) => [amountOf(ex), amountOf(inc)]

/** The result of an example in the form of its expectation. */
function summary(result: CartResult): Required<ExpectedAmounts> {
  const { lines, decimals } = result
  const taxesOf = ({ parts }: CartResult['lines'][number]) =>
    parts.reduce((sum, { tax }) => sum + amountOf(roundFine(tax.tax, 4)), 0)
  return {
    base: amountOf(result.base),
    subtotal: pair(result.subtotal) as [number, number],
    cart: pair(result.cart) as [number, number],
    shipping: pair(result.shipping) as [number, number],
    handling: pair(result.handling) as [number, number],
    taxes: lines.map((one) => Number(taxesOf(one).toFixed(decimals))),
    sale: lines.map(({ sale }) => amountOf(sale)),
    shares: lines.map(({ orderShare }) => amountOf(orderShare)),
    coupons: lines.map(({ coupons }) => coupons.reduce((sum, { amount }) => sum + amountOf(amount), 0)),
    left: lines.map(({ left }) => amountOf(left)),
    orderDiscount: amountOf(result.orderDiscount),
    manual: amountOf(result.manualDiscount),
    taxTotal: amountOf(result.taxTotal),
    grand: amountOf(result.grandTotal),
  }
}

describe('the examples of totals', () => {
  test.each(Object.entries(EXAMPLES))('%s', (_, { store, document, expected }) => {
    expect(summary(evaluateExample(store, document))).toMatchObject(expected)
  })
})
