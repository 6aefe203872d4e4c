import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { StoredItem } from './rows.ts'

/** Adds refunded units and their amounts to the lines of an order, or subtracts them with -1. */
export async function countRefunded(tx: Tx, items: readonly StoredItem[], sign: 1 | -1) {
  const products = items
    .filter(({ item_type }) => item_type === 'PRODUCT')
    .map((item) => ({
      id: item.item_id,
      quantity: (item.quantity ?? 0) * sign,
      amount: item.exact_amount * sign,
    }))
  if (products.length === 0) return
  await tx.rows(
    prepared(sql`
    update order_products set quantity_refunded = quantity_refunded + refunded.quantity,
      refund_amount = refund_amount + refunded.amount
    from ${sql.table('refunded', products, { id: 'int', quantity: 'int', amount: 'numeric' })}
    where order_products.store_id = ${tx.store.id} and order_products.id = refunded.id`),
  )
}
