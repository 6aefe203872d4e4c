import { sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import type { DeleteCustomerData } from '../../../customers/accounts/cleanup.ts'

/** Makes the orders of deleted customers orders of guests, with customer_id 0 (docs/contract/orders.md section 4). */
export const detachOrders: DeleteCustomerData = (db, customers) =>
  inSteps(db, async (tx) => {
    const left = await tx.rows(sql`
      with piece as (
        select id from orders
        where store_id = ${tx.store.id} and is_deleted = any('{true,false}') and customer_id = any(${customers})
        order by id limit ${STEP_ROWS} for update
      )
      update orders set customer_id = 0
      where store_id = ${tx.store.id} and id = any(array(select id from piece)) returning id`)
    return left.length === STEP_ROWS
  })
