import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Id, Line, Moment, NeededLine, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { Promotion } from '../engine/promotion.ts'

/**
 * A promotion takes money off carts, adds gifts or offers free shipping, as its rules say. An automatic promotion runs for every cart
 * that meets them, a coupon promotion only with one of its codes. It is active from its start to its end while it is ENABLED. The server
 * sets DISABLED when its uses are used up, and INVALID when it can't run: a rule would repeat without end, or a gift was deleted.
 */

const PROMOTIONS_MAX = 50_000

const Row = t.Object({
  id: Id,
  redemption_type: t.Enum(['AUTOMATIC', 'COUPON']),
  name: NeededLine,
  display_name: Line,
  channels: t.Array(t.Object({ id: t.Integer() })),
  customer: t.Unsafe<Promotion['customer']>({ type: 'object' }),
  rules: t.Unsafe<Promotion['rules']>({ type: 'array' }),
  current_uses: t.Integer(),
  max_uses: nullable(t.Integer()),
  status: t.Enum(['ENABLED', 'DISABLED', 'INVALID']),
  start_date: Moment,
  end_date: nullable(Moment),
  stop: t.Boolean(),
  can_be_used_with_other_promotions: t.Boolean(),
  currency_code: t.String(),
  notifications: t.Unsafe<Promotion['notifications']>({ type: 'array' }),
  shipping_address: t.Unsafe<Promotion['shipping_address']>({ type: ['object', 'null'] }),
  schedule: t.Unsafe<Promotion['schedule']>({ type: ['object', 'null'] }),
  created_from: t.Enum(['react_ui', 'legacy_ui', 'api']),
  coupon_overrides_other_promotions: t.Boolean(),
  coupon_overrides_automatic_when_offering_higher_discounts: t.Boolean(),
  coupon_type: t.Enum(['SINGLE', 'BULK']),
  priority: nullable(t.Integer()),
  /** The ids of the goods that the rules give away. */
  gifts: t.Object({ products: t.Array(t.Integer()), variants: t.Array(t.Integer()) }),
  /** The bytes of rules, notifications and customers as JSON. */
  bytes: t.Integer(),
})
export type PromotionRow = Static<typeof Row>

export const promotions = collection('promotions', Row, {
  noun: 'promotion',
  filters: 'id name',
  sort: ['id', 'name', 'priority', 'start_date'],
  max: PROMOTIONS_MAX,
})

const {
  priority: _priority,
  gifts: _gifts,
  bytes: _bytes,
  coupon_overrides_other_promotions,
  coupon_overrides_automatic_when_offering_higher_discounts,
  coupon_type,
  ...common
} = Row.properties

/** A promotion as answers show it. */
export const PromotionAnswer = t.Object(
  {
    ...common,
    coupon_overrides_other_promotions: t.Optional(coupon_overrides_other_promotions),
    coupon_overrides_automatic_when_offering_higher_discounts: t.Optional(
      coupon_overrides_automatic_when_offering_higher_discounts,
    ),
    multiple_codes: t.Optional(t.Object({ has_multiple_codes: t.Boolean() })),
    coupon_type: t.Optional(coupon_type),
  },
  { title: 'Promotion' },
)

/** Promotions as answers show them: automatic ones without the fields of coupons. */
export async function toAnswers(db: Db, rows: readonly PromotionRow[]): Promise<Static<typeof PromotionAnswer>[]> {
  const single = rows.filter(
    ({ redemption_type, coupon_type }) => redemption_type === 'COUPON' && coupon_type === 'SINGLE',
  )
  const several = await withSeveralCodes(
    db,
    single.map(({ id }) => id),
  )
  return rows.map(({ priority: _priority, gifts: _gifts, bytes: _bytes, ...row }) => {
    const {
      coupon_overrides_other_promotions,
      coupon_overrides_automatic_when_offering_higher_discounts,
      coupon_type,
      ...shared
    } = row
    if (row.redemption_type === 'AUTOMATIC') return shared
    return {
      ...shared,
      coupon_overrides_other_promotions,
      coupon_overrides_automatic_when_offering_higher_discounts,
      multiple_codes: { has_multiple_codes: coupon_type === 'BULK' || several.has(row.id) },
      coupon_type,
    }
  })
}

/** The promotions that have two codes or more. */
async function withSeveralCodes(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const found = await db.rows<{ id: number }>(
    prepared(sql`
    select wanted.id from unnest(${ids}::int[]) as wanted (id) where exists (
      select 1 from coupons where store_id = ${db.store.id} and promotion_id = wanted.id offset 1
    )`),
  )
  return new Set(found.map(({ id }) => id))
}
