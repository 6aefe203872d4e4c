import t, { type Static } from 'typebox'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id, Moment, NeededText, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { couponConflicts, StoredUses } from '../coupon-row.ts'

const Json = t.Unsafe<{ entity: string; ids: number[] } | null>({ type: ['object', 'null'] })

/** A coupon of either kind; codes of promotions have null in most columns. */
export const Coupon = t.Object({
  id: Id,
  promotion_id: nullable(t.Integer()),
  code: t.String(),
  max_uses: StoredUses,
  max_uses_per_customer: StoredUses,
  current_uses: StoredUses,
  created: Moment,
  type: t.Enum([
    'per_item_discount',
    'per_total_discount',
    'shipping_discount',
    'free_shipping',
    'percentage_discount',
    'promotion',
  ]),
  name: nullable(NeededText(100)),
  amount: nullable(Amount()),
  min_purchase: nullable(Amount()),
  expires: nullable(t.String({ format: 'date-time' })),
  enabled: nullable(t.Boolean()),
  applies_to: Json,
  restricted_to: t.Unsafe<{ countries?: string } | null>({ type: ['object', 'null'] }),
  shipping_methods: t.Unsafe<string[] | null>({ type: ['array', 'null'] }),
})
export type Coupon = Static<typeof Coupon>

export const coupons = collection('coupons', Coupon, {
  noun: 'coupon',
  filters: 'id code type id:min id:max',
  twins: ['name'],
  conflicts: couponConflicts,
})
