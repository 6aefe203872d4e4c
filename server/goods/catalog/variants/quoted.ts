import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type CartItem, cartItemColumns, cartItemTables } from '../product-row/cart-items.ts'

/** A variant with the data that only quotes show. */
export interface QuotedItem extends CartItem {
  cost_price: number
  inventory_tracking: 'none' | 'product' | 'variant'
  inventory_level: number
  is_price_hidden: boolean
}

/** Reads variants with one statement. @returns by the id of the variant; unknown ones are missing */
export async function findQuotedItems(db: Db, variants: readonly number[]): Promise<ReadonlyMap<number, QuotedItem>> {
  if (variants.length === 0) return new Map()
  const rows = await db.rows<QuotedItem>(
    prepared(sql`
    select ${cartItemColumns(db, false)}, coalesce(variant.cost_price, product.cost_price) as cost_price,
      product.inventory_tracking, product.is_price_hidden,
      case product.inventory_tracking when 'variant' then coalesce(variant.inventory_level, 0)
        when 'product' then product.inventory_level else 0 end as inventory_level
    from ${cartItemTables(db)}
    where variant.store_id = ${db.store.id} and variant.id = any(${[...new Set(variants)]}::int[])`),
  )
  return new Map(rows.map((row) => [row.variant_id, row]))
}
