import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

// Variants as areas above the catalog name them: by their ids, by their SKUs, or by their products.

/** A variant that a request names. */
interface NamedVariant {
  id: number
  product_id: number
  /** Folded. */
  sku_key: string
}

/** The variants behind the ids and SKUs of a request. */
export interface NamedVariants {
  byId: ReadonlyMap<number, NamedVariant>
  /** By the folded SKU. */
  bySku: ReadonlyMap<string, NamedVariant>
  /** Folded SKUs of products with options. They name no variant. */
  ofProducts: ReadonlySet<string>
}

/** Finds variants by their ids and SKUs, and keeps them from being deleted until the transaction ends. */
export async function lockVariantsShared(
  tx: Tx,
  named: { ids: readonly number[]; skus: readonly string[] },
): Promise<NamedVariants> {
  const keys = [...new Set(named.skus.map(fold))].filter((key) => key !== '')
  const rows = await tx.rows<NamedVariant & { has_options: boolean }>(
    prepared(sql`
    with named as materialized (
      select unnest(${[...new Set(named.ids)]}::int[]) as id
      union
      select variant_id from skus
      where store_id = ${tx.store.id} and sku_key = any(${keys}) and variant_id > 0
      union
      select product.base_variant_id from skus join products product
        on product.store_id = ${tx.store.id} and product.id = skus.product_id
      where skus.store_id = ${tx.store.id} and skus.sku_key = any(${keys}) and skus.variant_id = 0
    ), kept as materialized (
      select id, product_id, sku_key from variants
      where store_id = ${tx.store.id} and id in (select id from named) order by id for key share
    )
    select id, product_id, sku_key, false as has_options from kept
    union all
    select 0, skus.product_id, skus.sku_key, true from skus join products product
      on product.store_id = ${tx.store.id} and product.id = skus.product_id
    where skus.store_id = ${tx.store.id} and skus.sku_key = any(${keys}) and skus.variant_id = 0
      and product.base_variant_id is null`),
  )
  const variants = rows.filter(({ has_options }) => !has_options)
  return {
    byId: new Map(variants.map((variant) => [variant.id, variant])),
    bySku: new Map(variants.flatMap((variant) => (variant.sku_key === '' ? [] : [[variant.sku_key, variant]]))),
    ofProducts: new Set(rows.filter(({ has_options }) => has_options).map(({ sku_key }) => sku_key)),
  }
}

/** A query for the ids of the variants of products. */
export const variantsOfProducts = ({ store }: Pick<Db, 'store'>, ids: readonly number[]): Sql =>
  sql`select id from variants where store_id = ${store.id} and product_id = any(${ids})`

/** A query for the ids of the variants that have one of these SKUs. */
export const variantsWithSkus = ({ store }: Pick<Db, 'store'>, skus: readonly string[]): Sql =>
  sql`select id from variants where store_id = ${store.id} and sku_key = any(${skus.map(fold).filter((key) => key !== '')})`

/** The SKUs of variants, by the variant. */
export async function skusOfVariants(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; sku: string }>(
    prepared(sql`select id, sku from variants where store_id = ${db.store.id} and id = any(${[...new Set(ids)]})`),
  )
  return new Map(rows.map(({ id, sku }) => [id, sku]))
}
