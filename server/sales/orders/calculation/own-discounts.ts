import { amountOf, sumOf, unitsOf } from '../../../core/money/units.ts'
import type { LineRow, OrderRow } from '../row/rows.ts'
import type { LineDraft } from './lines.ts'

// Lines of orders from checkouts have discounts of their own, which stay as the checkout has calculated them. A changed line loses its
// discounts (docs/contract/orders.md section 4).

/** The discounts of an order after lines with discounts of their own were changed or deleted. Pure. */
export function discountsAfter(
  order: OrderRow,
  before: readonly LineRow[],
  after: readonly LineDraft[],
): Pick<OrderRow, 'discount_amount' | 'coupon_discount'> | undefined {
  const byId = new Map(after.map((line) => [line.id, line]))
  const dropped = before.flatMap(({ id, applied_discounts }) => {
    const isDropped = byId.get(id)?.applied_discounts?.length !== applied_discounts?.length
    return applied_discounts !== null && isDropped ? applied_discounts : []
  })
  if (dropped.length === 0) return undefined
  const without = (amount: number, isCoupon: boolean) => {
    const gone = dropped.filter(({ code }) => (code !== null) === isCoupon)
    return amountOf(unitsOf(amount) - sumOf(gone.map((discount) => unitsOf(Number(discount.amount)))))
  }
  return {
    discount_amount: without(order.discount_amount, false),
    coupon_discount: without(order.coupon_discount, true),
  }
}
