import { JOB_STATES, type JobState, type ListedJob, listJobs, retryJob, skipJob } from '../../core/jobs/list.ts'
import type { Directory } from '../../stores/directory/directory.ts'

interface Parts {
  directory: Directory
}

export { JOB_STATES, type JobState }

/** A job with the hash of its store. */
interface StoredJob extends ListedJob {
  store: string
}

const LISTED_MAX = 1_000

interface JobQuery {
  /** Any state if not given. */
  state?: JobState | undefined
  store?: string | undefined
  limit: number
  correlation?: string | undefined
}

/** The newest jobs, of one store or of all. @throws Error with a sentence for the operator */
export async function jobsIn(
  { directory }: Parts,
  { state, store: hash, limit, correlation }: JobQuery,
): Promise<StoredJob[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > LISTED_MAX) {
    throw new Error(`--limit is a whole number from 1 to ${LISTED_MAX}.`)
  }
  const entry = hash === undefined ? undefined : await directory.find(hash)
  if (hash !== undefined && !entry) throw new Error(`There is no store "${hash}".`)
  const cells = entry ? [directory.cellOf(entry)] : directory.cells
  const jobs = (
    await Promise.all(
      cells.map((cell) => listJobs(cell, { state, limit, storeId: entry?.id, correlationId: correlation })),
    )
  ).flat()
  const newest = jobs.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at)).slice(0, limit)
  const hashes = new Map<number, string>()
  for (const { store_id } of newest) {
    if (!hashes.has(store_id)) hashes.set(store_id, (await directory.dbById(store_id))?.store.hash ?? String(store_id))
  }
  return newest.map((job) => ({ ...job, store: hashes.get(job.store_id) ?? '' }))
}

/** Each job in two lines: its description and its state. */
export const jobLines = (jobs: readonly StoredJob[]) =>
  jobs.length === 0
    ? 'There are none.'
    : jobs.map(({ store, id, task, key, sentence }) => `${store}  ${id}  ${task}  ${key}\n  ${sentence}`).join('\n')

/** @throws Error with a sentence for the operator */
export async function retryFailed({ directory }: Parts, hash: string, id: string) {
  const db = await dbOf(directory, hash)
  if (!(await retryJob(db, id))) throw new Error(`The store ${hash} has no failed job "${id}".`)
}

/** @throws Error with a sentence for the operator */
export async function skip({ directory }: Parts, hash: string, id: string) {
  const db = await dbOf(directory, hash)
  if (!(await skipJob(db, id))) throw new Error(`The store ${hash} has no job "${id}" that keeps others waiting.`)
}

async function dbOf(directory: Directory, hash: string) {
  const entry = await directory.find(hash)
  const db = entry && (await directory.dbById(entry.id))
  if (!db) throw new Error(`There is no store "${hash}".`)
  return db
}
