import type { Runner } from '../core/jobs/task.ts'
import { JobWorker, type JobWorkerParts } from '../core/jobs/worker.ts'
import { theHouse } from './shop.ts'

/** A worker of its own that can do this much, for a test that decides when it does something. */
export async function workerOf(
  runners: readonly Runner[],
  log: JobWorkerParts['log'] = { error: () => {} },
): Promise<JobWorker> {
  const { installation } = await theHouse()
  return new JobWorker({ stores: installation.directory, runners, log })
}

/** Does what is due, and what becomes due by that. @returns how many attempts were made */
export async function doJobs(runners: readonly Runner[], log?: JobWorkerParts['log']): Promise<number> {
  const worker = await workerOf(runners, log)
  let attempts = 0
  for (let begun = -1; begun !== 0; attempts += begun) {
    begun = await worker.beginDue()
    await worker.idle()
  }
  return attempts
}
