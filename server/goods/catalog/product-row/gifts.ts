import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'

/** Products and variants that promotions may give away. */
interface Giftable {
  /** `needsChoice`: a shopper has to choose options or modifiers. */
  products: ReadonlyMap<number, { needsChoice: boolean }>
  variants: ReadonlySet<number>
}

/** Keeps products and variants from being deleted until the transaction ends. @returns those that exist */
export async function lockGifts(
  tx: Tx,
  wanted: { products: readonly number[]; variants: readonly number[] },
): Promise<Giftable> {
  const { id: store } = tx.store
  const { products, variants } = await tx.together(() => ({
    products: tx.rows<{ id: number; needsChoice: boolean }>(
      prepared(sql`
      select id, exists (select 1 from options where store_id = ${store} and product_id = product.id)
        or exists (select 1 from modifiers where store_id = ${store} and product_id = product.id and required) as "needsChoice"
      from products product where store_id = ${store} and id = any(${wanted.products}) order by id for key share`),
    ),
    variants: tx.rows<{ id: number }>(
      prepared(sql`
      select id from variants where store_id = ${store} and id = any(${wanted.variants}) order by id for key share`),
    ),
  }))
  return {
    products: new Map(products.map(({ id, needsChoice }) => [id, { needsChoice }])),
    variants: new Set(variants.map(({ id }) => id)),
  }
}
