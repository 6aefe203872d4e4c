import { type Db, prepared, type Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { contains } from '../core/rest/filters.ts'
import { fold } from '../core/rest/fold.ts'

// What searches look into: "first last" of each customer, in rows of their own that are a tenth of a customer's
// (docs/decisions/005-search-by-trigrams.md). They go with the customer.

/** The table: `id` is that of the customer. */
export const NAMES = 'customer_names'

/** To be called when customers are stored, or get another name. */
export async function keepNames(tx: Tx, customers: readonly { id: number; first_name: string; last_name: string }[]) {
  if (customers.length === 0) return
  await tx.rows(
    prepared(sql`
    insert into customer_names (store_id, id, name_key)
    select ${tx.store.id}, id, name_key from unnest(
      ${customers.map(({ id }) => id)}::int[],
      ${customers.map(({ first_name, last_name }) => fold(`${first_name} ${last_name}`))}::text[]
    ) as customer (id, name_key)
    on conflict (store_id, id) do update set name_key = excluded.name_key`),
  )
}

/** Names of a query that are more than a comparison with a column of customers. */
export interface NameQuery {
  'name:in'?: string[]
  'name:like'?: string[]
}

/** What a query asks of a row of customer_names; undefined if it asks for no name. Of several values any one may hold. */
export function named({ 'name:in': whole, 'name:like': pieces }: NameQuery): Sql | undefined {
  const conditions: Sql[] = []
  if (whole) conditions.push(sql`name_key = any(${whole.map(fold)})`)
  if (pieces)
    conditions.push(
      sql`(${sql.join(
        pieces.map((piece) => contains('name', piece)),
        ' or ',
      )})`,
    )
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** The same asked of a customer, beside whatever else. */
export const withName = ({ store }: Db, condition: Sql): Sql =>
  sql`id = any(array(select id from customer_names where store_id = ${store.id} and ${condition}))`
