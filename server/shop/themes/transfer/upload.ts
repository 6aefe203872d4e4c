import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Content, Files } from '../../../core/files/files.ts'
import { ReceivedFiles } from '../../../core/files/received-files.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, failed, runner, task } from '../../../core/jobs/task.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { readBundle } from '../bundle/bundle.ts'
import { BundleFaults } from '../bundle/config.ts'
import { BundleFault, type Fault } from '../bundle/faults.ts'
import { advance, completeJob, createJob, failJob, failLateJobs, jobOwner, startJob } from '../jobs.ts'
import { storeTheme } from '../store.ts'

/** One byte more is 413 (docs/contract/limits.md section 5). */
const ARCHIVE_MAX = 50 * 1024 * 1024
/** Uploads of a store that a process receives at once. Only one of them can become a job. */
const RECEIVED_AT_ONCE = 2
/** Private themes of a store. */
const THEMES_MAX = 20
/** Attempts at a job. */
export const TRIES_MAX = 3
/** How far a job has come is written this often. */
const PROGRESS_MS = 500

const uploadTask = task('upload_theme', t.Object({ job: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < TRIES_MAX ? 1_000 : undefined),
  // Unpacking takes processors from those who wait for an answer.
  atOnce: 1,
})

export const JobId = t.Object({ job_id: t.String() }, { title: 'ThemeJobId' })

/** An archive that came in a form, and is stored by now. */
const StoredArchive = t.Unsafe<Content>({ contentMediaType: 'application/zip' })

export function uploadRoutes(api: Api, files: Files) {
  const { write } = access('themes')
  const archives = new ReceivedFiles(files, {
    field: 'file',
    bytesMax: ARCHIVE_MAX,
    extension: 'zip',
    atOnce: RECEIVED_AT_ONCE,
    tooMany: uploadUnderWay,
    refuse: refuseUpload,
  })
  api.post(
    '/themes',
    {
      config: { ...write.config, isUpload: true, prepare: (request) => archives.store(request) },
      schema: {
        summary: 'Upload a theme',
        description: 'A job validates the archive. A store can have 20 private themes, and one upload at a time.',
        operationId: 'uploadTheme',
        body: t.Object({ file: StoredArchive }, { title: 'ThemeUpload' }),
        response: { 201: JobId },
      },
      preValidation: async (request) => {
        request.body = { file: await archives.receive(request) }
      },
    },
    async (request) => {
      const { db, body } = request
      const job_id = await beginUpload(db, files, body.file)
      archives.end(request)
      return new Answer({ job_id }, 201, { location: `/stores/${db.store.hash}/v3/themes/jobs/${job_id}` })
    },
  )
}

function beginUpload(db: Db, files: Files, { name }: Content): Promise<string> {
  return db.transaction(async (tx) => {
    await refuseUpload(tx)
    const job = await createJob(tx, { kind: 'upload', archive: name })
    if (job === undefined) throw uploadUnderWay()
    await files.addOwner(tx, jobOwner(job), name)
    await enqueue(tx, uploadTask, { payload: { job } })
    return job
  })
}

/** @throws Problem 409 while another upload of the store is under way, and at the limit of themes */
async function refuseUpload(tx: Tx) {
  await failLateJobs(tx)
  const [uploading] = await tx.rows(sql`
    select id from theme_jobs
    where store_id = ${tx.store.id} and kind = 'upload' and status in ('QUEUED', 'WORKING') limit 1`)
  if (uploading) throw uploadUnderWay()
  const { count } = await tx.row<{ count: number }>(
    sql`select count(*)::int as count from themes where store_id = ${tx.store.id} and is_private`,
  )
  if (count < THEMES_MAX) return
  // The theme tools of merchants know the limit by these words.
  throw new Problem(
    409,
    `You have reached your upload limit: a store can have ${THEMES_MAX} private themes. Delete one.`,
  )
}

const uploadUnderWay = () =>
  new Problem(409, 'Another theme of this store is being uploaded. Only one can be at a time.')

/** Makes themes of uploaded archives. @param read judges one: in a process of its own, or, in tests, here */
export const uploadRunner = (files: Files, read: typeof readBundle) =>
  runner(uploadTask, async ({ db, payload: { job }, attempt, signal }) => {
    const row = await startJob(db, job)
    if (!row?.archive) return done
    const { archive } = row
    try {
      const progress = progressNotes(db, job)
      const bundle = await files.lend(db.store, archive, (path) => read(path, progress.note, signal))
      await progress.written()
      await db.transaction(async (tx) => {
        const theme_uuid = await storeTheme(tx, files, bundle, archive)
        const isCompleted = await completeJob(tx, job, { theme_uuid, archive, warnings: bundle.warnings })
        if (!isCompleted) throw new EndedOtherwise()
      })
      return done
    } catch (error) {
      if (error instanceof EndedOtherwise) return done
      const faults = faultsIn(error)
      if (faults.length === 0 && attempt < TRIES_MAX) throw error
      // While the job is open no other upload of the store can begin, and so none needs the same bytes.
      await files.discardOf(db, jobOwner(job), archive).catch(() => {})
      await failJob(db, files, job, faults)
      return faults.length > 0 ? done : failed(error instanceof Error ? error.message : String(error))
    }
  })

/** The job was given up while it was worked on. */
class EndedOtherwise extends Error {}

/** Faults of a bundle; none for other errors. */
function faultsIn(error: unknown): readonly Fault[] {
  if (error instanceof BundleFaults) return error.faults
  return error instanceof BundleFault ? [error] : []
}

/** Records the progress of a job at intervals. A failed write is ignored. */
function progressNotes(db: Db, job: string) {
  let writing = Promise.resolve<unknown>(undefined)
  let last = performance.now()
  return {
    note(part: number) {
      if (performance.now() - last < PROGRESS_MS) return
      last = performance.now()
      // 1 says that the job has begun, 100 that it has ended.
      const percent = 1 + Math.floor(part * 97)
      writing = writing.then(() => advance(db, job, percent)).catch(() => {})
    },
    written: () => writing,
  }
}
