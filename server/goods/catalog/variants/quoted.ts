import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'

/** The data of a variant that only quotes show. */
export interface QuotedVariant {
  variant_id: number
  cost_price: number
  inventory_tracking: 'none' | 'product' | 'variant'
  inventory_level: number
  is_price_hidden: boolean
  purchasing_disabled: boolean
  availability: string
}

/** @returns by the id of the variant; unknown ones are missing */
export async function findQuoted(db: Db, variants: readonly number[]): Promise<ReadonlyMap<number, QuotedVariant>> {
  if (variants.length === 0) return new Map()
  const rows = await db.rows<QuotedVariant>(
    prepared(sql`
    select variant.id as variant_id, coalesce(variant.cost_price, product.cost_price) as cost_price,
      product.inventory_tracking, product.is_price_hidden, variant.purchasing_disabled, product.availability,
      case product.inventory_tracking when 'variant' then coalesce(variant.inventory_level, 0)
        when 'product' then product.inventory_level else 0 end as inventory_level
    from variants variant
    join products product on product.store_id = ${db.store.id} and product.id = variant.product_id
    where variant.store_id = ${db.store.id} and variant.id = any(${[...new Set(variants)]}::int[])`),
  )
  return new Map(rows.map((row) => [row.variant_id, row]))
}
