import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { StoredItem } from './rows.ts'

/** Counts units as given back at the lines of an order, with what they come to; or takes that back, with -1. */
export async function countRefunded(tx: Tx, items: readonly StoredItem[], sign: 1 | -1) {
  const products = items.filter(({ item_type }) => item_type === 'PRODUCT')
  if (products.length === 0) return
  await tx.rows(
    prepared(sql`
    update order_products set quantity_refunded = quantity_refunded + given.quantity,
      refund_amount = refund_amount + given.amount
    from unnest(
      ${products.map(({ item_id }) => item_id)}::int[],
      ${products.map(({ quantity }) => (quantity ?? 0) * sign)}::int[],
      ${products.map(({ exact_amount }) => exact_amount * sign)}::numeric[]
    ) as given (id, quantity, amount)
    where order_products.store_id = ${tx.store.id} and order_products.id = given.id`),
  )
}
