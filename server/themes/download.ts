import t from 'typebox'
import type { Db } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import type { FileDraft, Files } from '../core/files/files.ts'
import { enqueue } from '../core/jobs/enqueue.ts'
import { done, failed, runner, task } from '../core/jobs/task.ts'
import { Answer } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { access } from '../stores/scopes.ts'
import { Archive } from './bundle/archive.ts'
import { withSettings } from './bundle/config.ts'
import { pack } from './bundle/pack.ts'
import { findConfigurations, settingsOf, sourcesOf } from './configurations.ts'
import { beginJob, completeJob, failJob, forgetJobs, jobOwner, takeUp } from './jobs.ts'
import { findTheme, lockTheme, Uuid, uuidSegment, Which } from './shape.ts'
import { stockFiles } from './stock.ts'
import { JobId, TRIES_MAX } from './upload.ts'

/** Downloads of a store that are kept, each with its archive; the oldest are forgotten first. */
const DOWNLOADS_MAX = 20
/** Downloads of a store side by side. */
const LANES = 2

const downloadTask = task('download_theme', t.Object({ job: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < TRIES_MAX ? 1_000 : undefined),
})

/** A body that says nothing that we know means what was activated last. */
const Wish = t.Object(
  { which: t.Optional(t.Unknown({ description: Which.enum.join(', ') })) },
  {
    title: 'ThemeDownload',
    examples: [{ which: 'last_activated' }],
  },
)

export function downloadRoutes(api: Api, files: Files) {
  api.post(
    `/themes/${uuidSegment('uuid')}/actions/download`,
    {
      ...access('themes').write,
      schema: {
        summary: 'Download a theme',
        description: 'A job makes the archive. The body may be left out.',
        operationId: 'downloadTheme',
        tag: 'Themes',
        params: t.Object({ uuid: Uuid }),
        body: Wish,
        response: { 200: JobId },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async ({ db, params: { uuid }, body: { which } }) => {
      const job_id = await db.transaction(async (tx) => {
        await lockTheme(tx, uuid)
        const configuration_uuid = await chosenConfiguration(tx, uuid, which)
        const job = await beginJob(tx, { kind: 'download', theme_uuid: uuid, configuration_uuid })
        if (job === undefined) throw new Error('Two jobs got one id.')
        await forgetOldDownloads(tx, files)
        await enqueue(tx, downloadTask, {
          key: `theme download ${Number.parseInt(job.slice(0, 8), 16) % LANES}`,
          payload: { job },
        })
        return job
      })
      return new Answer({ job_id }, 200)
    },
  )
}

/** The configuration whose settings the archive is to carry; null for the archive as it was uploaded. */
async function chosenConfiguration(db: Db, theme: string, which: unknown): Promise<string | null> {
  if (which === 'original') return null
  const wanted =
    which === 'last_created'
      ? sql`order by number desc`
      : sql`and activated_at is not null order by activated_at desc, number`
  const found = await db.maybeRow<{ uuid: string; is_original: boolean }>(sql`
    select uuid, is_original from theme_configurations
    where store_id = ${db.store.id} and theme_uuid = ${theme} ${wanted} limit 1`)
  return found && !found.is_original ? found.uuid : null
}

async function forgetOldDownloads(tx: Parameters<typeof forgetJobs>[0], files: Files) {
  const old = await tx.rows<{ id: string }>(sql`
    select id from theme_jobs where store_id = ${tx.store.id} and kind = 'download' and status in ('COMPLETED', 'FAILED')
    order by created_at desc, id offset ${DOWNLOADS_MAX - 1}`)
  await forgetJobs(
    tx,
    files,
    old.map(({ id }) => id),
  )
}

/** Makes the archives of downloads. */
export const downloadRunner = (files: Files) =>
  runner(downloadTask, async ({ db, payload: { job }, attempt, signal }) => {
    const row = await takeUp(db, job)
    if (!row?.theme_uuid) return done
    const theme_uuid = row.theme_uuid
    try {
      const archive = await archiveOf(db, files, theme_uuid, row.configuration_uuid, signal)
      await db.transaction(async (tx) => {
        if (await completeJob(tx, job, { theme_uuid, archive })) await files.own(tx, jobOwner(job), archive)
      })
      return done
    } catch (error) {
      if (attempt < TRIES_MAX) throw error
      await failJob(db, files, job, [])
      return failed(error instanceof Error ? error.message : String(error))
    }
  })

/** @returns the name of the stored archive */
async function archiveOf(db: Db, files: Files, uuid: string, configuration: string | null, signal: AbortSignal) {
  const theme = await findTheme(db, uuid)
  if (theme.archive !== null && configuration === null) return theme.archive
  const config = configuration === null ? undefined : await configFor(db, uuid, configuration)
  const draft =
    theme.archive === null
      ? await files.draft(db.store, pack(await stockFiles(config)), 'zip')
      : await files.lend(db.store, theme.archive, (path) => repacked(db, files, path, config ?? {}, signal))
  await draft.keep()
  return draft.name
}

/** config.json of a theme with the settings of one of its configurations. */
async function configFor(db: Db, uuid: string, configuration: string) {
  const [found] = await findConfigurations(db, sql`configuration.uuid = ${configuration}`)
  if (!found) throw new Error('The configuration of a download is not there.')
  const { config } = await sourcesOf(db, { uuid })
  return withSettings(config, found.external_id, await settingsOf(found))
}

/** An archive with another config.json. */
const repacked = (db: Db, files: Files, path: string, config: object, signal: AbortSignal): Promise<FileDraft> =>
  Archive.reading(path, async (archive) => {
    const packed = archive.files.map((file) => ({
      path: file.path,
      async open() {
        signal.throwIfAborted()
        return file.path === 'config.json' ? Buffer.from(JSON.stringify(config, null, 2)) : archive.stream(file)
      },
    }))
    return files.draft(db.store, pack(packed), 'zip')
  })
