import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { arrayText, ngramsOf } from '../../../core/db/ngrams.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { containsByNgrams } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

// Searches read the names and SKUs of products in rows of their own. A search visits each row that its index finds, and these
// rows are ten to a hundred times smaller than those of products. A change of a price leaves the index alone
// (docs/decisions/067-search-by-ngrams.md).

/** The table. `id` is the product's; `name_key` and `sku_key` are copies of the product's. */
export const PRODUCT_NAMES = 'product_names'

/** Stores the searchable names of products. Call it for new products and for changed names or SKUs. */
export async function storeProductNames(tx: Tx, products: readonly { id: number; name: string; sku: string }[]) {
  const names = products.map(({ name }) => fold(name))
  const skus = products.map(({ sku }) => fold(sku))
  const ngrams = products.map((_, i) => [
    ...ngramsOf({ storeId: tx.store.id, column: 'name_key', text: names[i] ?? '' }),
    ...ngramsOf({ storeId: tx.store.id, column: 'sku_key', text: skus[i] ?? '' }),
  ])
  await tx.rows(
    prepared(sql`
    insert into product_names (store_id, id, name_key, sku_key, ngrams)
    select ${tx.store.id}, id, name_key, sku_key, ngrams::int[] from unnest(
      ${products.map(({ id }) => id)}::int[],
      ${names}::text[],
      ${skus}::text[],
      ${ngrams.map(arrayText)}::text[]
    ) as product (id, name_key, sku_key, ngrams)
    on conflict (store_id, id)
    do update set name_key = excluded.name_key, sku_key = excluded.sku_key, ngrams = excluded.ngrams`),
  )
}

/** Deletes the names of products that are being deleted. */
export async function deleteProductNames(tx: Tx, ids: readonly number[]) {
  await tx.rows(sql`delete from product_names where store_id = ${tx.store.id} and id = any(${ids})`)
}

/** The searches of a query: in the name, or in name and SKU. */
export interface Search {
  'name:like'?: string | undefined
  keyword?: string | undefined
}

/** The condition of a search on rows of product_names; undefined if the query has no search. */
export function searchCondition(db: Db, { 'name:like': piece, keyword }: Search): Sql | undefined {
  const has = (column: string, text: string) => containsByNgrams(db, column, text)
  const conditions: Sql[] = []
  if (piece !== undefined) conditions.push(has('name', piece))
  if (keyword !== undefined) conditions.push(sql`(${has('name', keyword)} or ${has('sku', keyword)})`)
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** The condition of a search on rows of products. */
export function matchesSearch({ store }: Db, search: Sql): Sql {
  return sql`id = any(array(select id from product_names where store_id = ${store.id} and ${search}))`
}
