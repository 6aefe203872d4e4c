import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sweep } from '../../../core/db/steps.ts'
import type { Files } from '../../../core/files/files.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Moment } from '../../../core/rest/input/fields.ts'
import { PageMeta, pagination, pagingUpTo } from '../../../core/rest/lists/paging.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { access } from '../../../stores/accounts/scopes.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Files of jobs can be fetched for this time. */
const FILE_MS = DAY_MS
const JOB_MS = 30 * DAY_MS
/** Jobs of a store that remain; older ones are deleted before their time. */
const JOBS_MAX = 1_000
/** A working job without progress for this time has been aborted: its processes may have died. */
const SILENT_MAX_MS = 10 * MINUTE_MS
const WAITING_MAX_MS = 60 * MINUTE_MS
/** Errors that a job reports. */
const ERRORS_MAX = 1_000

const KINDS = ['import', 'export'] as const
type Kind = (typeof KINDS)[number]
const STATUSES = ['new', 'working', 'complete', 'aborted', 'failed'] as const

const JobError = t.Object({ row: t.Integer(), message: t.String() }, { title: 'RedirectJobError' })
export type JobError = Static<typeof JobError>

/** An import or an export, as clients see it (docs/contract/redirects.md section 5). */
const RedirectJob = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    type: t.Enum([...KINDS]),
    status: t.Enum([...STATUSES]),
    completed_items: t.Integer(),
    failed_items: t.Integer(),
    total_items: t.Integer(),
    errors: t.Array(JobError, { description: `The first ${ERRORS_MAX}` }),
    created_at: Moment,
    completed_at: t.Optional(Moment),
  },
  { title: 'RedirectJob' },
)
type RedirectJob = Static<typeof RedirectJob>

export interface RedirectJobRow extends Omit<RedirectJob, 'type' | 'completed_at'> {
  kind: Kind
  rows_done: number
  file: string | null
  options: ExportOptions
  version: number
  completed_at: string | null
}

/** The choice of an export: all redirects by default. */
export interface ExportOptions {
  site_id?: number | null
  redirect_ids?: number[]
  include_dynamic_target_urls?: boolean
}

export const RedirectJobId = t.Object({ id: t.String({ format: 'uuid' }) }, { title: 'RedirectJobId' })
export const IMEX_PATH = '/storefront/redirects/imex'
export const IMEX_TAG = 'Redirects'
const IS_ACTIVE = sql`status in ('new', 'working')`
const COLUMNS = sql`id, kind, status, completed_items, failed_items, total_items, errors, rows_done, file, options, version,
  created_at, completed_at`

/** The owner of the content of a job. */
export const redirectJobOwner = (id: string) => `redirect job ${id}`

const expiryTask = task('expire_redirect_file', t.Object({ job: t.String() }), {
  maxMs: MINUTE_MS,
  retryDelay: (failures) => (failures < 100 ? 60 * MINUTE_MS : undefined),
})

/** Deletes the file of a job after a day. */
export const redirectFileExpiryRunner = (files: Files) =>
  runner(expiryTask, async ({ db, payload: { job } }) => {
    await db.transaction(async (tx) => {
      await files.removeOwner(tx, redirectJobOwner(job))
      await tx.rows(
        sql`update redirect_jobs set file = null where store_id = ${tx.store.id} and id = ${job} returning id`,
      )
    })
    return done
  })

/** Begins a job. @returns its id. @throws Problem 429 while another job of the store is active */
export async function createRedirectJob(
  tx: Tx,
  {
    kind,
    file,
    options = {},
    total_items = 0,
  }: { kind: Kind; file?: string; options?: ExportOptions; total_items?: number },
): Promise<string> {
  await abortSilentJobs(tx)
  const tooOld = new Date(tx.now.getTime() - JOB_MS)
  const until = sql`greatest(${tooOld}::timestamptz, (
    select created_at from redirect_jobs where store_id = ${tx.store.id} order by created_at desc offset ${JOBS_MAX - 1} limit 1))`
  await sweep(tx, { table: 'redirect_jobs', key: ['id'], moment: 'created_at', until })
  const id = newUuid()
  const row = {
    store_id: tx.store.id,
    id,
    kind,
    status: 'new',
    completed_items: 0,
    failed_items: 0,
    total_items,
    errors: '[]',
    rows_done: 0,
    file: file ?? null,
    options: JSON.stringify(options),
    version: 1,
    created_at: tx.now,
    updated_at: tx.now,
  }
  const begun = await tx.rows(sql`insert into redirect_jobs ${sql.rows([row])} on conflict do nothing returning id`)
  if (begun.length === 0) throw anotherJob()
  await enqueue(tx, expiryTask, { payload: { job: id }, dueAt: new Date(tx.now.getTime() + FILE_MS) })
  return id
}

export const anotherJob = () =>
  new Problem(
    429,
    'Another import or export of redirects is active.',
    {},
    {
      headers: { 'retry-after': '5', 'x-retry-after': '5' },
    },
  )

/** @throws Problem 429 while a job of the store is active */
export async function refuseSecondJob(tx: Tx) {
  await abortSilentJobs(tx)
  const active = await tx.rows(
    sql`select id from redirect_jobs where store_id = ${tx.store.id} and ${IS_ACTIVE} limit 1`,
  )
  if (active.length > 0) throw anotherJob()
}

/** Aborts a job without progress, so that it doesn't block the store for ever. */
async function abortSilentJobs(tx: Tx) {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  await tx.rows(sql`
    update redirect_jobs set status = 'aborted', completed_at = ${tx.now}, updated_at = ${tx.now}, version = version + 1
    where store_id = ${tx.store.id} and ((status = 'working' and updated_at <= ${before(SILENT_MAX_MS)})
      or (status = 'new' and updated_at <= ${before(WAITING_MAX_MS)})) returning id`)
}

/** Takes a job up, at its first run or a later one. @returns undefined if it has ended */
export const beginRedirectJob = (db: Db, id: string): Promise<RedirectJobRow | undefined> =>
  db.transaction((tx) =>
    tx.maybeRow<RedirectJobRow>(sql`
      update redirect_jobs set status = 'working', updated_at = ${tx.now}, version = version + 1
      where store_id = ${tx.store.id} and id = ${id} and ${IS_ACTIVE} returning ${COLUMNS}`),
  )

interface Progress {
  completed?: number
  failed?: number
  errors?: readonly JobError[]
  /** The last row of the file that is done. */
  rowsDone?: number
}

/**
 * Records progress, in the transaction of the work.
 * @param rowsBefore the rows that were done before
 * @returns whether the job is still at these rows: another run may have overtaken this one, and then nothing of it may be kept
 */
export async function advanceRedirectJob(
  tx: Tx,
  id: string,
  rowsBefore: number,
  { completed = 0, failed = 0, errors = [], rowsDone = rowsBefore }: Progress,
): Promise<boolean> {
  const advanced = await tx.rows(sql`
    update redirect_jobs set completed_items = completed_items + ${completed}, failed_items = failed_items + ${failed},
      errors = ${errors.length === 0 ? sql`errors` : firstErrors(errors)},
      rows_done = ${rowsDone}, updated_at = ${tx.now}, version = version + 1
    where store_id = ${tx.store.id} and id = ${id} and status = 'working' and rows_done = ${rowsBefore} returning id`)
  return advanced.length > 0
}

const firstErrors = (errors: readonly JobError[]) => sql`(
  select jsonb_agg(error order by number)
  from jsonb_array_elements(errors || ${JSON.stringify(errors)}::jsonb) with ordinality listed (error, number)
  where number <= ${ERRORS_MAX})`

export const setTotal = (db: Db, id: string, total: number) =>
  db.transaction((tx) =>
    tx.rows(sql`
      update redirect_jobs set total_items = ${total}, updated_at = ${tx.now}, version = version + 1
      where store_id = ${tx.store.id} and id = ${id} and ${IS_ACTIVE} returning id`),
  )

/** Ends a job. @returns false if it has ended otherwise meanwhile */
export async function endRedirectJob(
  tx: Tx,
  id: string,
  status: 'complete' | 'failed',
  file?: string,
): Promise<boolean> {
  const ended = await tx.rows(sql`
    update redirect_jobs set status = ${status}, completed_at = ${tx.now}, updated_at = ${tx.now}, version = version + 1,
      file = coalesce(${file ?? null}, file)
    where store_id = ${tx.store.id} and id = ${id} and ${IS_ACTIVE} returning id`)
  return ended.length > 0
}

/** @throws Problem 404, also for a job of another kind */
export async function findRedirectJob(db: Db, id: string, kind: Kind): Promise<RedirectJobRow> {
  const row = await db.maybeRow<RedirectJobRow>(sql`
    select ${COLUMNS} from redirect_jobs where store_id = ${db.store.id} and id = ${id.toLowerCase()} and kind = ${kind}`)
  if (!row) throw notFound(`${kind} job`, id)
  return row
}

const Listed = t.Object(
  {
    id: t.Optional(t.String({ format: 'uuid' })),
    type: t.Optional(t.Enum([...KINDS])),
    status: t.Optional(t.Enum([...STATUSES])),
    ...pagingUpTo(250, 10),
  },
  { additionalProperties: false, table: 'redirect_jobs' },
)

/** The list of jobs (docs/contract/redirects.md section 5). */
export function redirectJobRoutes(api: Api) {
  api.get(
    `${IMEX_PATH}/jobs`,
    {
      ...access('content').read,
      schema: {
        summary: 'List the imports and exports of redirects',
        description: 'The newest come first. Jobs remain for 30 days.',
        operationId: 'listRedirectJobs',
        tag: IMEX_TAG,
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(RedirectJob), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { page = 1, limit = 10, id, type, status } = query
      const where = sql.and([
        sql`store_id = ${db.store.id} and created_at > ${new Date(db.now.getTime() - JOB_MS)}`,
        ...(id === undefined ? [] : [sql`id = ${id.toLowerCase()}`]),
        ...(type === undefined ? [] : [sql`kind = ${type}`]),
        ...(status === undefined ? [] : [sql`status = ${status}`]),
      ])
      const { total } = await db.row<{ total: number }>(
        sql`select count(*)::int as total from redirect_jobs where ${where}`,
      )
      const rows = await db.rows<RedirectJobRow>(sql`
        select ${COLUMNS} from redirect_jobs where ${where}
        order by created_at desc, id limit ${limit} offset ${(page - 1) * limit}`)
      return answer(rows.map(jobToAnswer), {
        pagination: pagination({ total, count: rows.length, page, limit }, { ...query, page, limit }),
      })
    },
  )
}

function jobToAnswer(row: RedirectJobRow): RedirectJob {
  const { id, kind, status, completed_items, failed_items, total_items, errors, created_at, completed_at } = row
  return {
    id,
    type: kind,
    status,
    completed_items,
    failed_items,
    total_items,
    errors,
    created_at: new Date(created_at).toISOString(),
    ...(completed_at === null ? {} : { completed_at: new Date(completed_at).toISOString() }),
  }
}
