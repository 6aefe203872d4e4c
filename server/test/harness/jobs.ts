import type { Runner } from '../../core/jobs/task.ts'
import { JobWorker, type JobWorkerParts } from '../../core/jobs/worker.ts'
import { theHouse } from '../fixtures/shop.ts'

/** A worker of its own that can do this much, for a test that decides when it does something. */
export async function workerOf(
  runners: readonly Runner[],
  log: JobWorkerParts['log'] = { error: () => {} },
): Promise<JobWorker> {
  const { installation } = await theHouse()
  return new JobWorker({ stores: installation.directory, runners, log })
}

const QUIET_LOOKS = 4

/** Does what is due, and what becomes due by that. @returns how many attempts were made */
export async function doJobs(runners: readonly Runner[], log?: JobWorkerParts['log']): Promise<number> {
  const worker = await workerOf(runners, log)
  let attempts = 0
  // A look may find nothing but new jobs that are due later: those behind them in their store are found by the next.
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const begun = await worker.beginDue()
    await worker.idle()
    attempts += begun
    quiet = begun === 0 ? quiet + 1 : 0
  }
  return attempts
}
