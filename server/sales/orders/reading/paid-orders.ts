import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { isPaidStatus, ORDER_STATUSES } from '../arithmetic/order-status.ts'

const PAID = ORDER_STATUSES.map(({ id }) => id).filter(isPaidStatus)

/** Counts the paid orders of a customer, as promotions ask for them. @param max the count ends here */
export async function countPaidOrders(db: Db, customerId: number, max: number): Promise<number> {
  const { count } = await db.row<{ count: number }>(
    prepared(sql`
    select count(*)::int as count from (
      select 1 from orders
      where store_id = ${db.store.id} and not is_deleted and customer_id = ${customerId} and status_id = any(${PAID})
      limit ${max}
    ) found`),
  )
  return count
}
