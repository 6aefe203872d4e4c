import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { contains } from '../../core/rest/filters.ts'
import { fold } from '../../core/rest/fold.ts'

// What searches look into: the names and SKUs of products once more, in rows of their own. A search visits each row that its
// index finds, and these are ten to a hundredth of a product's; and a product whose price is changed leaves the index alone,
// which has an entry for every three letters (docs/decisions/005-search-by-trigrams.md).

/** The table: `id` is that of the product, `name_key` and `sku_key` are as the product has them. */
export const NAMES = 'product_names'

/** To be called when products are stored, or get another name or SKU. */
export async function keepNames(tx: Tx, products: readonly { id: number; name: string; sku: string }[]) {
  await tx.rows(
    prepared(sql`
    insert into product_names (store_id, id, name_key, sku_key)
    select ${tx.store.id}, id, name_key, sku_key from unnest(
      ${products.map(({ id }) => id)}::int[],
      ${products.map(({ name }) => fold(name))}::text[],
      ${products.map(({ sku }) => fold(sku))}::text[]
    ) as product (id, name_key, sku_key)
    on conflict (store_id, id) do update set name_key = excluded.name_key, sku_key = excluded.sku_key`),
  )
}

/** Before products are deleted. */
export async function forgetNames(tx: Tx, ids: readonly number[]) {
  await tx.rows(sql`delete from product_names where store_id = ${tx.store.id} and id = any(${ids})`)
}

/** Texts that products are searched for: in the name, or in name or SKU. */
export interface Search {
  'name:like'?: string | undefined
  keyword?: string | undefined
}

/** What a search asks of a row of product_names; nothing if it is none. */
export function searched({ 'name:like': piece, keyword }: Search): Sql | undefined {
  const conditions: Sql[] = []
  if (piece !== undefined) conditions.push(contains('name', piece))
  if (keyword !== undefined) conditions.push(sql`(${contains('name', keyword)} or ${contains('sku', keyword)})`)
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** The same asked of a product, beside whatever else. */
export function among({ store }: Db, search: Sql): Sql {
  return sql`id = any(array(select id from product_names where store_id = ${store.id} and ${search}))`
}
