import type { Runner } from '../../core/jobs/task.ts'
import { JobWorker, type JobWorkerParts } from '../../core/jobs/worker.ts'
import { theHouse } from '../fixtures/shop.ts'

/** A worker with these runners, for a test that decides when it runs them. */
export async function workerOf(
  runners: readonly Runner[],
  log: JobWorkerParts['log'] = { error: () => {} },
): Promise<JobWorker> {
  const { installation } = await theHouse()
  return new JobWorker({ stores: installation.directory, runners, log })
}

const QUIET_LOOKS = 4

/** Runs due jobs and those that become due by them. @returns the number of attempts */
export async function doJobs(runners: readonly Runner[], log?: JobWorkerParts['log']): Promise<number> {
  const worker = await workerOf(runners, log)
  let attempts = 0
  // A look may find only new jobs that are due later; the next one finds those behind them in their store.
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const begun = await worker.beginDue()
    await worker.idle()
    attempts += begun
    quiet = begun === 0 ? quiet + 1 : 0
  }
  return attempts
}
