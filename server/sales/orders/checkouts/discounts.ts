import { amountOf, sumOf, type Units } from '../../../core/money/units.ts'
import type { ResultCode, ResultLine } from '../../carts/evaluation/result.ts'
import type { CompiledPromotion } from '../../promotions/engine/compile.ts'
import type { AppliedDiscount, CouponRow } from '../row/rows.ts'
import type { ReadyCheckout } from './ready.ts'

// The discounts and coupons of an order from those of its checkout. Pure.

/** A discount of a line before it is divided among consignments. */
export type LineDiscount = Omit<AppliedDiscount, 'amount'> & { amount: Units }

const MANUAL = { id: 'manual-discount', name: 'Manual Discount', code: null } as const

/** The discounts of a line: of promotions of items and by hand, its share of the discounts of the order, and of coupons. */
export function discountsOf({ result, facts }: ReadyCheckout, line: ResultLine): LineDiscount[] {
  const promotionOf = (id: number): CompiledPromotion | undefined =>
    facts.promotions.automatic.find(({ promotion }) => promotion.id === id) ?? facts.promotions.coupons.get(id)
  const found: LineDiscount[] = [
    ...line.promotions.map(({ promotion_id, amount }) => ({
      id: String(promotion_id),
      amount,
      name: nameOf(promotionOf(promotion_id)),
      code: null,
      target: 'product' as const,
    })),
    { ...MANUAL, amount: line.manual, target: 'product' },
    { ...sourceOfOrder(result, promotionOf), amount: line.orderShare, target: 'order' },
    ...line.coupons.map(({ code, amount }) => {
      const of = result.codes.find((one) => one.code === code)?.of
      const promotion = typeof of === 'number' ? promotionOf(of) : undefined
      return {
        id: 'coupon',
        amount,
        name: typeof of === 'object' ? of.name : nameOf(promotion),
        code,
        target: isOfOrder(of, promotion) ? ('order' as const) : ('product' as const),
      }
    }),
  ]
  return found.filter(({ amount }) => amount > 0n)
}

const nameOf = (compiled: CompiledPromotion | undefined): string => compiled?.promotion.name ?? ''

/** The source of the discounts of the order. A line has one share of all of them. */
function sourceOfOrder(
  { promotions: { order }, manualDiscount }: ReadyCheckout['result'],
  promotionOf: (id: number) => CompiledPromotion | undefined,
) {
  const [only, ...others] = order
  if (!only) return MANUAL
  if (manualDiscount > 0n || others.length > 0) return { id: 'order-discount', name: 'Order Discount', code: null }
  return { id: String(only.promotion_id), name: nameOf(promotionOf(only.promotion_id)), code: null }
}

const isOfOrder = (of: ResultCode['of'], compiled: CompiledPromotion | undefined): boolean =>
  typeof of === 'object'
    ? of.type === 'per_total_discount'
    : (compiled?.rules.some(({ action }) => action.kind === 'value') ?? false)

/** The coupons that an order uses: those with an effect. */
export const couponsOf = ({ result }: ReadyCheckout): Omit<CouponRow, 'id' | 'order_id'>[] =>
  result.codes
    .filter(({ reason }) => reason === undefined)
    .map(({ id, code, of, amount }) => ({
      coupon_id: id,
      code,
      amount: typeof of === 'object' ? amountOf(of.amount) : 0,
      type: typeof of === 'object' ? TYPES[of.type] : PROMOTION,
      discount: amountOf(amount),
    }))

/** The number of each type of coupon, as carts answer it. */
const TYPES = {
  per_item_discount: 0,
  percentage_discount: 1,
  per_total_discount: 2,
  shipping_discount: 3,
  free_shipping: 4,
} as const
const PROMOTION = 5

/** The discounts of lines by coupons. */
export const couponDiscountOf = ({ result }: ReadyCheckout): Units =>
  sumOf(result.lines.flatMap(({ coupons }) => coupons.map(({ amount }) => amount)))

/** All discounts of lines. */
export const lineDiscountsOf = ({ result }: ReadyCheckout): Units =>
  sumOf(result.lines.map(({ total, left }) => total - left))
