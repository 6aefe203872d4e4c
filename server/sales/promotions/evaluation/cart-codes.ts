import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { unitsOf } from '../../../core/money/units.ts'
import { names } from '../../../core/rest/lists/columns.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { type Coupon, coupons } from '../coupons/row.ts'
import type { CouponV2, EvaluatedCart } from '../engine/cart.ts'
import { isCouponUsedUp, type UsingCustomer } from '../uses/uses.ts'

/**
 * Finds the promotions and coupons of codes with one statement. Codes are compared without case and
 * without outer blanks. Payments under way count as uses.
 * @param currency_code default currency of the store, which coupons of the older family have their amounts in
 * @param customer whose own uses count besides; undefined if it is not known yet
 * @returns all codes in their order; unknown ones belong to nothing
 */
export async function findCodes(
  db: Db,
  codes: readonly string[],
  currency_code: string,
  customer?: UsingCustomer,
): Promise<EvaluatedCart['codes']> {
  if (codes.length === 0) return []
  // An array as parameter would be planned each time: PostgreSQL takes one of unknown length for ten codes.
  const keys = codes.map((code) => sql`${keyOfCode(code)}`)
  const rows = await db.rows<Coupon & { is_used_up: boolean }>(
    prepared(sql`
    select ${names(coupons.columns)}, ${isCouponUsedUp(db, customer)} as is_used_up
    from coupons where store_id = ${db.store.id} and code_key in (${sql.join(keys)})`),
  )
  const byKey = new Map(rows.map((row) => [keyOfCode(row.code), row]))
  return codes.map((code) => {
    const row = byKey.get(keyOfCode(code))
    if (!row) return { code, of: undefined, isUsedUp: false }
    return { code, id: row.id, of: row.promotion_id ?? toCoupon(row, currency_code), isUsedUp: row.is_used_up }
  })
}

/** Codes with the same key are equal. */
export const keyOfCode = (code: string) => fold(code.trim())

/** A coupon of the older family as the engine reads it. */
function toCoupon({ type, ...row }: Coupon, currency_code: string): CouponV2 | undefined {
  if (type === 'promotion') return undefined
  const { applies_to } = row
  return {
    id: row.id,
    name: row.name ?? '',
    type,
    amount: unitsOf(row.amount ?? 0),
    min_purchase: unitsOf(row.min_purchase ?? 0),
    enabled: row.enabled ?? false,
    expires_at: row.expires === null ? null : Date.parse(row.expires),
    currency_code,
    applies_to: applies_to && {
      entity: applies_to.entity === 'products' ? 'products' : 'categories',
      ids: applies_to.ids,
    },
    countries: (row.restricted_to?.countries ?? '').split(',').flatMap((country) => country.trim() || []),
    shipping_methods: (row.shipping_methods ?? []).map(Number),
  }
}
