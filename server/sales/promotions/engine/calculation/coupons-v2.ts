import { smaller, sumOf, type Units } from '../../../../core/money/units.ts'
import type { CouponV2, EvaluatedCart, PromotionConsignment } from '../cart.ts'
import type { PromotionMoment } from './eligibility.ts'
import type { Ledger } from './ledger.ts'
import type { Reason } from './outcome.ts'
import { addCoupon, type SettledLine, spread } from './settlement.ts'
import { percentOf } from './units.ts'

// Applies v2 coupons: after all promotions, to the amounts that those leave (docs/contract/promotions.md section 5).

interface ShippingDiscount {
  consignment_id: string
  code: string
  amount: Units
}

export interface CouponContext {
  cart: EvaluatedCart
  moment: PromotionMoment
  ledger: Ledger
  lines: readonly SettledLine[]
  /** Discounts of shipping so far. */
  shipping: ShippingDiscount[]
  /** The cart after discounts of items by promotions, before coupons. */
  subtotal: Units
}

/** Applies a coupon. @returns the reason that it has no effect, undefined if it is applied */
export function applyCouponV2(context: CouponContext, code: string, coupon: CouponV2): Reason | undefined {
  const { cart, moment, ledger, lines, shipping, subtotal } = context
  if (!coupon.enabled) return 'disabled'
  if (coupon.expires_at !== null && moment.at > coupon.expires_at) return 'ended'
  if (coupon.currency_code !== cart.shopper.currency.code) return 'currency'
  const { countries } = cart.shopper
  if (coupon.countries.length > 0) {
    if (countries.length === 0) return 'noAddress'
    if (!countries.every((country) => coupon.countries.includes(country))) return 'address'
  }
  if (subtotal < coupon.min_purchase) return 'spend'
  const matching = lines.filter(({ of }) => of.isInPool && appliesTo(coupon, of.line))
  if (matching.length === 0) return 'noItems'
  const { amount } = coupon
  const take = (line: SettledLine, wanted: Units) => {
    const taken = smaller(line.left, wanted)
    if (taken === 0n) return
    line.left -= taken
    addCoupon(line, code, taken)
  }
  if (coupon.type === 'per_item_discount') {
    for (const line of matching) {
      const ofRuns = line.of.runs.map(({ count, left }) => smaller(amount, left) * BigInt(count))
      take(line, sumOf(ofRuns))
    }
  } else if (coupon.type === 'percentage_discount') {
    for (const line of matching) take(line, percentOf(line.left, amount, ledger.step))
  } else if (coupon.type === 'per_total_discount') {
    spread(matching, amount, (line, share) => addCoupon(line, code, share))
  } else {
    shipping.push(...shippingDiscounts(context, code, coupon))
  }
  return undefined
}

function appliesTo(
  { applies_to }: CouponV2,
  { product_id, categories = [] }: { product_id: number; categories?: readonly number[] },
): boolean {
  if (!applies_to) return false
  const { entity, ids } = applies_to
  if (entity === 'products') return ids.includes(product_id)
  return ids.includes(0) || categories.some((category) => ids.includes(category))
}

/** The discounts of consignments in the order of their ids. */
function shippingDiscounts({ cart, shipping }: CouponContext, code: string, coupon: CouponV2): ShippingDiscount[] {
  const costLeft = ({ id, cost }: PromotionConsignment) =>
    cost - sumOf(shipping.filter(({ consignment_id }) => consignment_id === id).map(({ amount }) => amount))
  const { type, shipping_methods } = coupon
  const isFree = ({ method_id }: PromotionConsignment) =>
    shipping_methods.length === 0 || (method_id !== null && shipping_methods.includes(method_id))
  let rest = coupon.amount
  return cart.consignments.flatMap((consignment) => {
    const left = costLeft(consignment)
    const whole = type === 'free_shipping' ? (isFree(consignment) ? left : 0n) : smaller(rest, left)
    if (type !== 'free_shipping') rest -= whole
    return whole > 0n ? [{ consignment_id: consignment.id, code, amount: whole }] : []
  })
}
