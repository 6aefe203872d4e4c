import { randomBytes } from 'node:crypto'
import t, { type Static } from 'typebox'
import type { Db, Store, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../core/jobs/task.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Moment } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { notFound } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import type { Fault } from './bundle/faults.ts'

const MINUTE_MS = 60_000
/** A job that has begun has failed when nothing was heard of it for this time: its processes may have died. */
const SILENT_MAX_MS = 10 * MINUTE_MS
/** A job that waits for its turn has failed by then. */
const WAITING_MAX_MS = 60 * MINUTE_MS
/** So long a job can be asked for. */
const KEPT_MS = 24 * 60 * MINUTE_MS
/** Faults of a bundle that a job tells. */
const FAULTS_MAX = 50

const JobError = t.Object({ error: t.String(), error_code: t.String(), message: t.String() })
const JobWarning = t.Object({ warning: t.String(), message: t.String() })
/** An upload or a download, as clients see it (docs/contract/themes.md section 4). */
const ThemeJob = t.Object(
  {
    id: t.String(),
    time: Moment,
    status: t.Enum(['QUEUED', 'WORKING', 'COMPLETED', 'FAILED']),
    percent_complete: t.Integer(),
    result: t.Object({ theme_id: t.Optional(t.String()), download_url: t.Optional(t.String()) }),
    warnings: t.Array(JobWarning),
    errors: t.Array(JobError),
  },
  { title: 'ThemeJob' },
)

interface JobRow extends Omit<Static<typeof ThemeJob>, 'result' | 'time'> {
  kind: 'upload' | 'download'
  theme_uuid: string | null
  configuration_uuid: string | null
  archive: string | null
  updated_at: string
  is_late: boolean
}

/** A job that waits or is under way. */
export const isOpen = sql`status in ('QUEUED', 'WORKING')`

const expiryTask = task('forget_theme_job', t.Object({ job: t.String() }), {
  maxMs: MINUTE_MS,
  retryDelay: (failures) => (failures < 100 ? 60 * MINUTE_MS : undefined),
})

/** The owner of the content of a job. */
export const jobOwner = (id: string) => `theme job ${id}`

/** Begins a job. It can be asked for from the commit on, for 24 hours. @returns its id, or undefined where it may not be */
export async function createJob(
  tx: Tx,
  job: { kind: 'upload' | 'download'; theme_uuid?: string; configuration_uuid?: string | null; archive?: string },
): Promise<string | undefined> {
  const id = randomBytes(16).toString('hex')
  const row = {
    store_id: tx.store.id,
    id,
    ...job,
    status: 'QUEUED',
    percent_complete: 0,
    errors: '[]',
    warnings: '[]',
    created_at: tx.now,
    updated_at: tx.now,
  }
  const begun = await tx.rows(sql`insert into theme_jobs ${sql.rows([row])} on conflict do nothing returning id`)
  if (begun.length === 0) return undefined
  await enqueue(tx, expiryTask, { payload: { job: id }, dueAt: new Date(tx.now.getTime() + KEPT_MS) })
  return id
}

/** Ends jobs that should have ended, or begun, long ago. */
export async function failLateJobs(tx: Tx) {
  const errors = sql`case when status = 'QUEUED' then ${JSON.stringify([NEVER_BEGUN])}::jsonb else ${JSON.stringify([SILENT])}::jsonb end`
  await tx.rows(sql`
    update theme_jobs set status = 'FAILED', updated_at = ${tx.now}, errors = ${errors}
    where store_id = ${tx.store.id} and ${isLate(tx.now)} returning id`)
}

/** The time of a job counts from its turn: it does not cause its waiting. Each attempt and each step forward is a sign of life. */
const isLate = (now: Date) => sql`(
  (status = 'WORKING' and updated_at <= ${new Date(now.getTime() - SILENT_MAX_MS)})
  or (status = 'QUEUED' and created_at <= ${new Date(now.getTime() - WAITING_MAX_MS)}))`

const serverError = (sentence: string): Static<typeof JobError> => ({
  error: 'server_error',
  error_code: 'server_error',
  message: `${sentence} (server_error)`,
})
const SILENT = serverError('The job did not end within 10 minutes.')
const NEVER_BEGUN = serverError('The job did not begin within an hour. Try again later.')

/** Whether a job works on a theme. The theme is locked, so none begins meanwhile. */
export async function hasOpenJob(tx: Tx, uuid: string): Promise<boolean> {
  await failLateJobs(tx)
  const open = await tx.rows(sql`
    select id from theme_jobs where store_id = ${tx.store.id} and theme_uuid = ${uuid} and ${isOpen} limit 1`)
  return open.length > 0
}

/** Takes a job up, at its first attempt or a later one. @returns undefined if it has ended */
export function startJob(db: Db, id: string): Promise<JobRow | undefined> {
  return db.transaction(async (tx) => {
    await failLateJobs(tx)
    return tx.maybeRow<JobRow>(sql`
      update theme_jobs set status = 'WORKING', percent_complete = greatest(percent_complete, 1), updated_at = ${tx.now}
      where store_id = ${tx.store.id} and id = ${id} and ${isOpen}
      returning id, kind, theme_uuid, configuration_uuid, archive`)
  })
}

/** Notes how far a job has come; it never falls back. */
export const advance = (db: Db, id: string, percent: number) =>
  db.transaction((tx) =>
    tx.rows(sql`
      update theme_jobs set percent_complete = greatest(percent_complete, ${percent}::int), updated_at = ${tx.now}
      where store_id = ${tx.store.id} and id = ${id} and ${isOpen}`),
  )

/** Ends a job with its result. @returns false if it has ended otherwise meanwhile: then nothing of it may be kept */
export async function completeJob(
  tx: Tx,
  id: string,
  { theme_uuid, archive, warnings = [] }: { theme_uuid: string; archive?: string; warnings?: readonly string[] },
): Promise<boolean> {
  const jobToAnswer = JSON.stringify(warnings.map((message) => ({ warning: message, message })))
  const completed = await tx.rows(sql`
    update theme_jobs set status = 'COMPLETED', percent_complete = 100, theme_uuid = ${theme_uuid},
      archive = ${archive ?? null}, warnings = ${jobToAnswer}, updated_at = ${tx.now}
    where store_id = ${tx.store.id} and id = ${id} and ${isOpen} returning id`)
  return completed.length > 0
}

/** Fails a job for faults of its bundle, or without any for a fault of the server. Deletes its content. */
export const failJob = (db: Db, files: Files, id: string, faults: readonly Fault[]) =>
  db.transaction(async (tx) => {
    const errors =
      faults.length === 0
        ? [serverError('The server could not do it. Try again later.')]
        : faults.slice(0, FAULTS_MAX).map(({ code, sentence }) => ({
            error: code,
            error_code: code,
            message: `${sentence} (${code})`,
          }))
    await files.removeOwner(tx, jobOwner(id))
    await tx.rows(sql`
      update theme_jobs set status = 'FAILED', errors = ${JSON.stringify(errors)}, updated_at = ${tx.now}
      where store_id = ${tx.store.id} and id = ${id} and ${isOpen}`)
  })

/** Deletes jobs and their content. */
export async function deleteThemeJobs(tx: Tx, files: Files, ids: readonly string[]) {
  for (const id of ids) await files.removeOwner(tx, jobOwner(id))
  await tx.rows(sql`delete from theme_jobs where store_id = ${tx.store.id} and id = any(${ids}) returning id`)
}

/** Forgets jobs that can no longer be asked for. */
export const themeJobExpiryRunner = (files: Files) =>
  runner(expiryTask, async ({ db, payload: { job } }) => {
    await db.transaction((tx) => deleteThemeJobs(tx, files, [job]))
    return done
  })

const JOB_ID = '[0-9a-f]{32}'

/** @param linkTo makes the address under which a download is for a minute */
export function jobRoutes(api: Api, linkTo: (store: Store, job: string) => string) {
  api.get(
    `/themes/jobs/:job_id(^${JOB_ID}$)`,
    {
      ...access('themes').read,
      schema: {
        summary: 'Get a theme job',
        description:
          'The progress of an upload or a download is available for 24 hours. A download link works for 60 seconds.',
        tag: 'Themes',
        params: t.Object({ job_id: t.String() }),
        response: { 200: envelope(ThemeJob) },
      },
    },
    async ({ db, params: { job_id } }) => {
      let job = await findJob(db, job_id, db.now)
      if (job.is_late) {
        await db.transaction(failLateJobs)
        job = await findJob(db, job_id, db.now)
      }
      return answer(shown(job, () => linkTo(db.store, job_id)))
    },
  )
}

/** @throws Problem 404 */
async function findJob(db: Db, id: string, now: Date): Promise<JobRow> {
  const since = new Date(now.getTime() - KEPT_MS)
  const job = await db.maybeRow<JobRow>(sql`
    select id, kind, status, percent_complete, theme_uuid, errors, warnings,
      date_trunc('second', updated_at)::timestamptz(0) as updated_at, ${isLate(now)} as is_late
    from theme_jobs where store_id = ${db.store.id} and id = ${id} and created_at > ${since}`)
  if (!job) throw notFound('theme job', id)
  return job
}

function shown(
  { id, kind, status, percent_complete, theme_uuid, errors, warnings, updated_at }: JobRow,
  link: () => string,
): Static<typeof ThemeJob> {
  const outcome = kind === 'download' ? { download_url: link() } : { theme_id: theme_uuid ?? '' }
  const result = status === 'COMPLETED' ? outcome : {}
  return { id, time: updated_at, status, percent_complete, result, warnings, errors }
}

/** The archive of a download that is ready; undefined if it does not exist or has expired. */
export async function downloadOf(
  db: Db,
  id: string,
  now: Date,
): Promise<{ archive: string; name: string } | undefined> {
  return db.maybeRow<{ archive: string; name: string }>(sql`
    select job.archive, theme.name from theme_jobs job
    join themes theme on theme.store_id = ${db.store.id} and theme.uuid = job.theme_uuid
    where job.store_id = ${db.store.id} and job.id = ${id} and job.kind = 'download' and job.status = 'COMPLETED'
      and job.created_at > ${new Date(now.getTime() - KEPT_MS)}`)
}
