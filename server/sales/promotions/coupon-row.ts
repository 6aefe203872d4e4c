import t, { type Static } from 'typebox'
import { Id, Moment } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'

/**
 * A coupon is a code that a shopper types in. A code of a promotion lets the promotion run; a coupon of the older family says itself what
 * it takes off. Both are rows of one table: they share the ids, and a store has each code once. Codes are compared without case and
 * without outer blanks.
 */

const CODE_PATTERN = '^[A-Za-z0-9_ -]+$'

/** A code as bodies spell it. */
export const CouponCode = t.String({
  minLength: 1,
  maxLength: 50,
  pattern: CODE_PATTERN,
  description: 'Letters, digits, blanks, `_` and `-`',
})

export const couponConflicts = {
  coupons_code_unique: ['A coupon with this code already exists.', 'code'],
  coupons_name_unique: ['A coupon with this name already exists.', 'name'],
} as const

export const StoredUses = t.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** A code of a promotion. */
export const PromotionCode = t.Object(
  {
    id: Id,
    code: t.String(),
    current_uses: StoredUses,
    max_uses: StoredUses,
    max_uses_per_customer: StoredUses,
    created: Moment,
  },
  { title: 'PromotionCode' },
)
export type PromotionCode = Static<typeof PromotionCode>

export const promotionCodes = collection('coupons', PromotionCode, {
  noun: 'coupon code',
  filters: 'code',
  cursors: 'without page',
  hidden: ['promotion_id'],
  conflicts: couponConflicts,
})
