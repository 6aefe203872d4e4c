import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { userOfCustomer } from '../users/user.ts'
import { moveOrders } from './order-changes.ts'

// The orders of customers who become users of a company move to it (docs/contract/b2b-orders.md section 1). A job moves them in steps,
// since a customer may have any number of orders.

const Customers = t.Object({ customers: t.Array(t.Integer({ minimum: 1, maximum: ID_MAX })) })
const moveTask = task('move_orders_of_users', Customers, { maxMs: 3_600_000, retryDelay: () => 60_000 })

/** Enqueues the job for new users, unless none of their customers has an order without a company. */
export async function moveOrdersOfNewUsers(tx: Tx, customers: readonly number[]) {
  const found = await tx.rows<{ customer_id: number }>(sql`
    select person.id as customer_id from unnest(${[...customers]}::int[]) as person (id) where exists (
      select from b2b_orders where store_id = ${tx.store.id} and customer_id = person.id and company_id = 0
    )`)
  if (found.length === 0) return
  await enqueue(tx, moveTask, { payload: { customers: found.map(({ customer_id }) => customer_id) } })
}

/** Orders of another company stay with it: its new company learns nothing of them. It may run twice. */
export const moveOrdersRunner = () =>
  runner(moveTask, async ({ db, payload }) => {
    for (const customer of payload.customers) {
      const user = await userOfCustomer(db, customer)
      if (user) await moveOrders(db, customer, user.company_id, sql`company_id = 0`)
    }
    return done
  })
