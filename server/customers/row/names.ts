import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { arrayText, ngramsOf } from '../../core/db/ngrams.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { containsByNgrams } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'

// Searches find customers by "first last" in a table of names with n-grams (docs/decisions/067-search-by-ngrams.md). Its rows are deleted with
// the customer.

/** The table of names. Its `id` is that of the customer. */
export const CUSTOMER_NAMES = 'customer_names'

/** Stores the names of new or renamed customers. */
export async function storeCustomerNames(
  tx: Tx,
  customers: readonly { id: number; first_name: string; last_name: string }[],
) {
  if (customers.length === 0) return
  const names = customers.map(({ first_name, last_name }) => fold(`${first_name} ${last_name}`))
  const ngrams = names.map((text) => ngramsOf({ storeId: tx.store.id, column: 'name_key', text }))
  await tx.rows(
    prepared(sql`
    insert into customer_names (store_id, id, name_key, ngrams)
    select ${tx.store.id}, id, name_key, ngrams::int[] from unnest(
      ${customers.map(({ id }) => id)}::int[],
      ${names}::text[],
      ${ngrams.map(arrayText)}::text[]
    ) as customer (id, name_key, ngrams)
    on conflict (store_id, id) do update set name_key = excluded.name_key, ngrams = excluded.ngrams`),
  )
}

/** Filters of a query that read the table of names. */
export interface NameQuery {
  'name:in'?: string[]
  'name:like'?: string[]
}

/** The condition of a query on customer_names; undefined without a filter by name. Any of several values matches. */
export function named(db: Db, { 'name:in': whole, 'name:like': parts }: NameQuery): Sql | undefined {
  const conditions: Sql[] = []
  if (whole) conditions.push(sql`name_key = any(${whole.map(fold)})`)
  if (parts) {
    const each = parts.map((part) => containsByNgrams(db, 'name', part))
    conditions.push(sql`(${sql.join(each, ' or ')})`)
  }
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** The condition as one on customers, for queries with other filters. */
export const withName = ({ store }: Db, condition: Sql): Sql =>
  sql`id = any(array(select id from customer_names where store_id = ${store.id} and ${condition}))`
