import { type Db, prepared, type Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { lock } from '../core/rest/verbs.ts'
import { tellOfOrder } from './events.ts'
import { type OrderRow, orders } from './rows.ts'
import { saveOrder } from './spans.ts'

// An order that is archived stays as it is, and is in no list that does not ask for it. Its stock stays where it is: what was ordered
// is not called off (docs/contract/orders.md section 6).

/** A second time nothing happens. @throws Problem 404 */
export async function archiveOrder(tx: Tx, id: number) {
  await archive(tx, await lock(tx, orders, id))
}

/** Archives the first orders that are not archived yet, in the order of their ids. */
export async function archiveOrders(db: Db, limit: number) {
  await db.transaction(async (tx) => {
    const rows = await tx.rows<OrderRow>(
      prepared(sql`
      select ${sql.join(orders.columns.map(sql.id))} from orders
      where store_id = ${tx.store.id} and not is_deleted order by id limit ${limit} for update`),
    )
    for (const order of rows) await archive(tx, order)
  })
}

async function archive(tx: Tx, order: OrderRow) {
  if (order.is_deleted) return
  tellOfOrder(tx, 'archived', await saveOrder(tx, order, { is_deleted: true }))
}
