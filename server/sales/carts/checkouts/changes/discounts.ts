import { amountOf, roundTo, sumOf, unitsOf } from '../../../../core/money/units.ts'
import type { Mistakes } from '../../../../core/rest/input/mistakes.ts'
import { refuseField, refuseWithTitle } from '../../changes/refusal.ts'
import type { CartResult } from '../../evaluation/result.ts'
import type { CartDocument } from '../../row/document.ts'

/** Discounts by hand in a request. */
export interface DiscountsInput {
  discounts?: readonly { discounted_amount: number }[]
  line_items?: readonly { id: string; discounted_amount: number }[]
}

/**
 * Replaces the discounts by hand. With any amount above 0, automatic promotions stay off; with zeros alone they run again
 * (docs/contract/checkouts.md section 9).
 * @param result of the document before
 * @throws Problem 422 for unknown lines, lines with a coupon, and more than the price
 */
export function withDiscounts(
  document: CartDocument,
  { lines, decimals }: Pick<CartResult, 'lines' | 'decimals'>,
  { discounts = [], line_items = [] }: DiscountsInput,
): CartDocument {
  if (discounts.length + line_items.length === 0) {
    refuseField('cart', 'Send discounts of the cart or of lines.')
  }
  const mistakes: Mistakes = {}
  const mine = lines.filter(({ promotion_id }) => promotion_id === undefined)
  const byId = new Map(mine.map((line) => [line.id, line]))
  const amounts = new Map<string, bigint>()
  for (const [i, { id, discounted_amount }] of line_items.entries()) {
    const at = (field: string) => `cart.line_items.${i}.${field}`
    const line = byId.get(id)
    const amount = unitsOf(discounted_amount)
    if (!line) mistakes[at('id')] = `This cart has no line ${id} that can be discounted.`
    else if (amounts.has(id)) mistakes[at('id')] = 'Another item has this id.'
    else if (amount > 0n && line.coupons.some((coupon) => coupon.amount > 0n)) {
      mistakes[at('id')] = 'This line has a discount by a coupon.'
    } else if (amount > line.total) {
      mistakes[at('discounted_amount')] = `The line costs only ${amountOf(line.total)}.`
    }
    amounts.set(id, amount)
  }
  const order = roundTo(sumOf(discounts.map(({ discounted_amount }) => unitsOf(discounted_amount))), decimals)
  const base = sumOf(mine.map(({ id, total }) => total - (amounts.get(id) ?? 0n)))
  if (order > 0n && order > base) mistakes['cart.discounts'] = `The lines cost only ${amountOf(base)}.`
  refuseWithTitle(mistakes)
  const ofLines = [...amounts].filter(([, amount]) => amount > 0n)
  const isOff = order === 0n && ofLines.length === 0
  return {
    ...document,
    manual: isOff
      ? null
      : { lines: ofLines.map(([id, amount]) => ({ id, amount: amountOf(amount) })), order: amountOf(order) },
  }
}
