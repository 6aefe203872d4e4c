import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'
import { metafieldsOf } from '../../../shared/metafields/metafields.ts'
import { exportUses } from '../../promotions/uses/personal-data.ts'
import { exportTaxDocuments } from '../../tax/submissions/personal-data.ts'
import { orderMetafields } from './rows.ts'

// Exports the personal data in orders for the operator's commands (docs/operations.md, "A customer's data").

/** Tables of the sub-resources of orders. Their rows have an `order_id`. */
const TABLES = [
  'order_products',
  'order_addresses',
  'order_pickup_consignments',
  'order_fees',
  'order_taxes',
  'order_shipments',
  'order_messages',
  'order_coupons',
  'order_transactions',
  'order_refunds',
  'order_refund_payments',
  'order_pickups',
  'order_pickup_items',
  'order_status_changes',
]

/**
 * Returns the orders of a customer, and those that a guest placed with the same e-mail address, with all sub-resources. Archived orders
 * are included.
 */
export async function exportOrders(db: Db, { id, email }: { id: number; email: string }): Promise<object[]> {
  const orders = await exportedRows(
    db,
    'orders',
    sql`(is_deleted = any('{true,false}') and customer_id = ${id} or customer_id = 0 and email_key = ${fold(email)})`,
  )
  const ids = orders.map((order) => Number(order.id))
  const parts: (readonly [name: string, rows: Map<unknown, object[]>])[] = []
  for (const table of TABLES) {
    const rows = await exportedRows(db, table, sql`order_id = any(${ids}::int[])`)
    parts.push([table, Map.groupBy(rows, ({ order_id }) => order_id)])
  }
  parts.push(['tax_documents', await exportTaxDocuments(db, ids)], ['promotion_uses', await exportUses(db, ids)])
  const exported: object[] = []
  for (const order of orders) {
    exported.push({
      ...order,
      ...Object.fromEntries(parts.map(([name, rows]) => [name, rows.get(order.id) ?? []])),
      metafields: await metafieldsOf(db, orderMetafields, Number(order.id)),
    })
  }
  return exported
}

/** The data that an erasure does not delete. */
export const KEPT_ORDERS =
  'orders: the orders of the customer, with the names, addresses and e-mail address in them; they become orders of a guest'
