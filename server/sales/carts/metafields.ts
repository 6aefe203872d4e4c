import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import type { UuidMetafieldOwner } from '../../shared/metafields/uuid-metafields.ts'
import { access } from '../../stores/accounts/scopes.ts'

/** Stands for a cart in examples. */
export const A_CART = '9c1d4b7e-3a52-4f6b-8d0e-6e5f7a8b9c0d'

/**
 * Metafields of carts (docs/contract/carts.md section 9). They outlive the conversion of their cart: the `cart_id` of the order still
 * addresses them.
 */
export const cartMetafields: UuidMetafieldOwner = {
  kind: 'cart',
  plural: 'carts',
  example: A_CART,
  path: '/carts',
  access: access('carts'),
  scope: 'store/cart',
  find: (db, uuids) => existing(db, uuids, sql.empty),
  lock: (tx, uuids) => existing(tx, uuids, sql`for key share`),
}

async function existing(db: Db, uuids: readonly string[], locking: Sql): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string }>(
    prepared(sql`
    select id from carts where store_id = ${db.store.id} and id = any(${[...new Set(uuids)]}) order by id ${locking}`),
  )
  return new Set(rows.map(({ id }) => id))
}
