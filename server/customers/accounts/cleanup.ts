import t from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../core/jobs/task.ts'

// What areas above keep of customers who are gone is forgotten behind the deletion: it may be much.

const cleanupTask = task('forget_customers', t.Object({ customers: t.Array(t.Integer()) }), {
  maxMs: 60_000,
  // Each run goes on where the one before stopped.
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

/** To be called in the transaction that deletes customers. */
export async function enqueueCleanup(tx: Tx, customers: readonly number[]) {
  await enqueue(tx, cleanupTask, { key: `customers from ${customers[0]}`, payload: { customers: [...customers] } })
}

/** Forgets what an area keeps of customers who are gone, in steps if it may be much. May be called again. */
export type DeleteCustomerData = (db: Db, customers: readonly number[]) => Promise<void>

/** Customers know no area above them, so `background.ts` lists what those keep. */
export const cleanupRunner = (parts: readonly DeleteCustomerData[]) =>
  runner(cleanupTask, async ({ db, payload, signal }) => {
    for (const forget of parts) {
      signal.throwIfAborted()
      await forget(db, payload.customers)
    }
    return done
  })
