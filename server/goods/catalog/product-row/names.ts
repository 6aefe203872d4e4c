import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { arrayText, ngramsOf } from '../../../core/db/ngrams.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { containsByNgrams } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { type SearchedProduct, wordsOfProduct } from '../search/words.ts'

// Searches read the names and SKUs of products in rows of their own. A search visits each row that its index finds, and these
// rows are ten to a hundred times smaller than those of products. A change of a price leaves the index alone
// (docs/decisions/067-search-by-ngrams.md).

/** The table. `id` is the product's; `name_key` and `sku_key` are copies of the product's. */
export const PRODUCT_NAMES = 'product_names'

/** Stores the searchable texts of products. Call it for new products and for changed texts. */
export async function storeProductNames(tx: Tx, products: readonly SearchedProduct[]) {
  const names = products.map(({ name }) => fold(name))
  const skus = products.map(({ sku }) => fold(sku))
  const ngrams = products.map((_, i) => [
    ...ngramsOf({ storeId: tx.store.id, column: 'name_key', text: names[i] ?? '' }),
    ...ngramsOf({ storeId: tx.store.id, column: 'sku_key', text: skus[i] ?? '' }),
  ])
  const ids = products.map(({ id }) => id)
  await tx.rows(
    prepared(sql`
    with before as (
      select id, word from product_names, string_to_table(words, ' ') word
      where store_id = ${tx.store.id} and id = any(${ids}::int[])
    ), given as (
      select * from unnest(
        ${ids}::int[], ${names}::text[], ${skus}::text[], ${ngrams.map(arrayText)}::text[], ${products.map(wordsOfProduct)}::text[]
      ) as product (id, name_key, sku_key, ngrams, words)
    ), after as (
      select id, word from given, string_to_table(words, ' ') word
    ), stored as (
      insert into product_names (store_id, id, name_key, sku_key, ngrams, words)
      select ${tx.store.id}, id, name_key, sku_key, ngrams::int[], words from given
      on conflict (store_id, id)
      do update set name_key = excluded.name_key, sku_key = excluded.sku_key, ngrams = excluded.ngrams, words = excluded.words
    ), gone as (
      select id, substr(word, 2) as word from before except select id, substr(word, 2) from after
    ), dropped as (${deleteGoneWords(tx, ids)})
    insert into search_words (store_id, word, product_id, in_name)
    select ${tx.store.id}, substr(word, 2), id, left(word, 1) = 'n' from (select * from after except select * from before) new
    on conflict (store_id, word, product_id) do update set in_name = excluded.in_name`),
  )
}

/** Deletes the names of products that are being deleted. */
export async function deleteProductNames(tx: Tx, ids: readonly number[]) {
  await tx.rows(sql`
    with deleted as (
      delete from product_names where store_id = ${tx.store.id} and id = any(${ids}) returning id, words
    ), gone as (
      select id, substr(word, 2) as word from deleted, string_to_table(words, ' ') word
    )
    ${deleteGoneWords(tx, ids)}`)
}

/**
 * Deletes the words of products that are rows of `gone`. They are found by the key: until PostgreSQL has analyzed a store that was
 * just filled, it expects one row there, and a join would read all words of the store.
 */
const deleteGoneWords = (tx: Tx, ids: readonly number[]): Sql => sql`
  delete from search_words old
  where store_id = ${tx.store.id} and word = any(array(select word from gone)) and product_id = any(${ids}::int[])
    and exists (select from gone where gone.word = old.word and gone.id = old.product_id)`

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
