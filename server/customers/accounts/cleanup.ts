import t from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../core/jobs/task.ts'

// Deletes data that other areas store about deleted customers. A job does it after the deletion, since it may be much.

const cleanupTask = task('forget_customers', t.Object({ customers: t.Array(t.Integer()) }), {
  maxMs: 60_000,
  // Each run continues after the previous one.
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

/** Call it in the transaction that deletes customers. */
export async function enqueueCleanup(tx: Tx, customers: readonly number[]) {
  await enqueue(tx, cleanupTask, { key: `customers from ${customers[0]}`, payload: { customers: [...customers] } })
}

/** Deletes the data of an area about deleted customers, in steps if it may be much. It may be called again. */
export type DeleteCustomerData = (db: Db, customers: readonly number[]) => Promise<void>

/** `background.ts` passes the functions of areas that this one can't import. */
export const cleanupRunner = (parts: readonly DeleteCustomerData[]) =>
  runner(cleanupTask, async ({ db, payload, signal }) => {
    for (const cleanUp of parts) {
      signal.throwIfAborted()
      await cleanUp(db, payload.customers)
    }
    return done
  })
