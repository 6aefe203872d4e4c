import type { Units } from '../../../../core/money/units.ts'
import type { NotificationType } from '../promotion.ts'
import type { Ineligibility } from './eligibility.ts'
import type { Gift, ShippingOffer } from './ledger.ts'
import type { OrderAmount } from './order.ts'
import type { RuleOutcome } from './rule.ts'

// The result of an evaluation.

/** The discounts of a line. Everything is taken off its price times its quantity. */
export interface EvaluatedLine {
  /** Automatic promotions of items. */
  promotions: { promotion_id: number; amount: Units }[]
  /** The line's share of the manual and automatic amounts off the order. */
  orderShare: Units
  /** Discounts by coupons, of items and of the order. */
  coupons: { code: string; amount: Units }[]
  /** The amount that is left. */
  left: Units
}

/** The reason that a promotion or a code has no effect. */
export type Reason =
  | Ineligibility
  | Exclude<RuleOutcome, 'applied'>
  /** A code of the promotion is not on the cart. */
  | 'noCode'
  /** Another code of the promotion is on the cart. */
  | 'repeatedCode'
  /** The code doesn't exist. */
  | 'unknownCode'
  /** The promotion of the code is missing among the given ones: it is not enabled, or has ended. */
  | 'inactive'
  /** The promotion can't be used with those applied before it. */
  | 'exclusive'
  /** A promotion that can't be used with others was applied. */
  | 'afterExclusive'
  /** A promotion before it was applied and stops the others. */
  | 'stopped'
  /** A coupon that overrides other promotions was applied. */
  | 'replaced'
  /** The promotions that the coupon would replace discount at least as much. */
  | 'lesser'

/** The outcome of one promotion: applied without a reason. */
interface PromotionOutcome {
  promotion_id: number
  reason: Reason | undefined
}

/** Codes of the refusals of coupons (docs/contract/promotions.md section 5). */
export type CouponRefusal =
  | 'COUPON_INVALID'
  | 'COUPON_EXPIRED'
  | 'COUPON_INELIGIBLE'
  | 'COUPON_INVALID_LOCATION'
  | 'COUPON_MIN_PURCHASE'
  | 'COUPON_NOT_APPLICABLE'

/** The outcome of one code: applied without a reason. A code can have a reason without a refusal, such as a missing address. */
export interface CodeOutcome {
  code: string
  amount: Units
  reason: Reason | undefined
  refusal: CouponRefusal | undefined
}

export interface PromotionBanner {
  promotion_id: number
  type: NotificationType
  locations: readonly string[]
  content: string
}

export interface Evaluation {
  /** In the order of the cart's lines. */
  lines: EvaluatedLine[]
  /** The amount off the order by hand: less than the cart asks for if that is more than its lines cost. */
  manual: Units
  /** Automatic amounts off the order. */
  order: OrderAmount[]
  gifts: Gift[]
  freeShipping: ShippingOffer[]
  /** Discounts of shipping costs by v2 coupons. */
  shipping: { consignment_id: string; code: string; amount: Units }[]
  banners: PromotionBanner[]
  promotions: PromotionOutcome[]
  codes: CodeOutcome[]
  /** The uses that an order of this cart counts: ids of promotions, and codes. */
  uses: { promotions: number[]; codes: string[] }
  /** Whether the budget ended the evaluation: the promotions that were left are not applied. */
  isCutShort: boolean
}

const REFUSALS: Partial<Record<Reason, CouponRefusal>> = {
  unknownCode: 'COUPON_INVALID',
  inactive: 'COUPON_EXPIRED',
  disabled: 'COUPON_EXPIRED',
  invalid: 'COUPON_EXPIRED',
  notStarted: 'COUPON_EXPIRED',
  ended: 'COUPON_EXPIRED',
  notScheduled: 'COUPON_EXPIRED',
  usedUp: 'COUPON_EXPIRED',
  address: 'COUPON_INVALID_LOCATION',
  spend: 'COUPON_MIN_PURCHASE',
  noItems: 'COUPON_NOT_APPLICABLE',
  nothingLeft: 'COUPON_NOT_APPLICABLE',
  noStock: 'COUPON_NOT_APPLICABLE',
}

/** The refusal of a code that has no effect for a reason. */
export const refusalFor = (reason: Reason | undefined): CouponRefusal | undefined => {
  if (reason === undefined || reason === 'noAddress') return undefined
  return REFUSALS[reason] ?? 'COUPON_INELIGIBLE'
}
