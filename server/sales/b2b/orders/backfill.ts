import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { insertAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { ordersAfter } from '../../orders/reading/after.ts'
import { companyOrders } from './company-order.ts'
import { BACKFILL_DELAY_MS, evictStore } from './without-companion.ts'

// The records of orders that a store had before it got the companion API (docs/contract/b2b-orders.md section 1).

const backfillTask = task('record_orders_of_companies', t.Object({}), { maxMs: 3_600_000, retryDelay: () => 60_000 })

/** Enqueues the job that records the orders of a store. Call it in the transaction that enables the companion API. */
export async function enqueueBackfill(tx: Tx) {
  tx.afterCommit(async () => {
    evictStore(tx.store.id)
  })
  await enqueue(tx, backfillTask, { payload: {}, dueAt: new Date(tx.now.getTime() + BACKFILL_DELAY_MS) })
}

/** Records all orders without a record, in steps. It may run twice, and beside new orders. */
export const backfillRunner = () =>
  runner(backfillTask, async ({ db }) => {
    await recordOrders(db)
    return done
  })

async function recordOrders(db: Db) {
  let last = 0
  await inSteps(db, async (tx) => {
    const found = await ordersAfter(tx, last, STEP_ROWS)
    last = found.at(-1)?.id ?? last
    const ids = found.map(({ id }) => id)
    // The counter of records is locked first: a new order waits, and no order gets two records.
    const taken = await takeIds(tx, [[companyOrders, found.length]])
    const known = await tx.rows<{ order_id: number }>(sql`
      select order_id from b2b_orders where store_id = ${tx.store.id} and order_id = any(${ids})`)
    const recorded = new Set(known.map(({ order_id }) => order_id))
    const users = await tx.rows<{ customer_id: number; company_id: number }>(sql`
      select customer_id, company_id from company_users
      where store_id = ${tx.store.id} and customer_id = any(${found.map(({ customer_id }) => customer_id)})`)
    const companies = new Map(users.map(({ customer_id, company_id }) => [customer_id, company_id]))
    const rows = found
      .filter(({ id }) => !recorded.has(id))
      .map((order) => ({
        id: taken.next(companyOrders),
        order_id: order.id,
        company_id: companies.get(order.customer_id) ?? 0,
        customer_id: order.customer_id,
        channel_id: order.channel_id,
        po_number: '',
        extra_values: {},
        credit_used: 0,
        credit_currency: '',
        created_at: order.date_created,
        updated_at: order.date_modified,
      }))
    await insertAll(tx, companyOrders, rows)
    const surplus = found.length - rows.length
    if (surplus > 0) {
      await tx.rows(sql`
        update counters set total = total - ${surplus}
        where store_id = ${tx.store.id} and resource = ${companyOrders.table} returning total`)
    }
    return found.length === STEP_ROWS
  })
}
