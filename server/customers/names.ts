import { type Db, prepared, type Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { fold } from '../core/rest/fold.ts'

// What searches look into: "first last" of each customer, in rows of their own, which go with the customer. Beside it stand its
// pieces of three letters, each behind the number of the store: an index of them finds a piece in the names of one store as fast as if
// there were no others (docs/decisions/023-names-of-customers.md).

/** The table: `id` is that of the customer. */
export const NAMES = 'customer_names'

const PIECE = 3

/** To be called when customers are stored, or get another name. */
export async function keepNames(tx: Tx, customers: readonly { id: number; first_name: string; last_name: string }[]) {
  if (customers.length === 0) return
  const names = customers.map(({ first_name, last_name }) => fold(`${first_name} ${last_name}`))
  await tx.rows(
    prepared(sql`
    insert into customer_names (store_id, id, name_key, pieces)
    select ${tx.store.id}, id, name_key, pieces::jsonb from unnest(
      ${customers.map(({ id }) => id)}::int[],
      ${names}::text[],
      ${names.map((name) => JSON.stringify(piecesOf(tx, name)))}::text[]
    ) as customer (id, name_key, pieces)
    on conflict (store_id, id) do update set name_key = excluded.name_key, pieces = excluded.pieces`),
  )
}

/** Each three letters of a text in a row, once, behind the number of the store. */
function piecesOf({ store }: Db, text: string): string[] {
  const letters = [...text]
  const pieces = letters.slice(PIECE - 1).map((_, i) => `${store.id} ${letters.slice(i, i + PIECE).join('')}`)
  return [...new Set(pieces)]
}

/** Names of a query that are more than a comparison with a column of customers. */
export interface NameQuery {
  'name:in'?: string[]
  'name:like'?: string[]
}

/** What a query asks of a row of customer_names; undefined if it asks for no name. Of several values any one may hold. */
export function named(db: Db, { 'name:in': whole, 'name:like': parts }: NameQuery): Sql | undefined {
  const conditions: Sql[] = []
  if (whole) conditions.push(sql`name_key = any(${whole.map(fold)})`)
  if (parts) {
    const each = parts.map((part) => holds(db, fold(part)))
    conditions.push(sql`(${sql.join(each, ' or ')})`)
  }
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** Of less than three letters there is no piece: then all names of the store are read. */
function holds(db: Db, part: string): Sql {
  const pieces = piecesOf(db, part)
  const isIn = sql`strpos(name_key, ${part}) > 0`
  return pieces.length === 0 ? isIn : sql`(pieces @> ${JSON.stringify(pieces)}::jsonb and ${isIn})`
}

/** The same asked of a customer, beside whatever else. */
export const withName = ({ store }: Db, condition: Sql): Sql =>
  sql`id = any(array(select id from customer_names where store_id = ${store.id} and ${condition}))`
