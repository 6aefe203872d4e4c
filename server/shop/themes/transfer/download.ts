import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, failed, runner, task } from '../../../core/jobs/task.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { withSettings } from '../bundle/config.ts'
import { pack } from '../bundle/pack.ts'
import type { repackInProcess } from '../bundle/separate-process.ts'
import { configurationSettings, findConfigurations, sourcesOf } from '../configurations.ts'
import { completeJob, createJob, deleteThemeJobs, failJob, failLateJobs, isOpen, jobOwner, startJob } from '../jobs.ts'
import { ConfigurationChoice, findTheme, lockTheme, type ThemeRow, ThemeUuid, themeUuidSegment } from '../shape.ts'
import { STOCK, stockFiles } from '../stock.ts'
import { JobId, TRIES_MAX } from './upload.ts'

/** Downloads of a store that are kept, each with its archive; the oldest are forgotten first. */
const DOWNLOADS_MAX = 20
/** Downloads of a store that wait or are under way. */
const OPEN_MAX = 4
/** A finished download answers the same wish for this time: its job can be asked for 23 hours more. */
const SAME_MS = 3_600_000

const downloadTask = task('download_theme', t.Object({ job: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < TRIES_MAX ? 1_000 : undefined),
  // They take the disk from those who wait for an answer.
  atOnce: 1,
})

/** The default is the last activated configuration. */
const Wish = t.Object(
  { which: t.Optional(t.Unknown({ description: ConfigurationChoice.enum.join(', ') })) },
  {
    title: 'ThemeDownload',
    examples: [{ which: 'last_activated' }],
  },
)

export function downloadRoutes(api: Api, files: Files) {
  api.post(
    `/themes/${themeUuidSegment('uuid')}/actions/download`,
    {
      ...access('themes').write,
      schema: {
        summary: 'Download a theme',
        description:
          'A job makes the archive. The body is optional. The same request has the same job for an hour. A store can have 4 downloads in progress.',
        operationId: 'downloadTheme',
        tag: 'Themes',
        params: t.Object({ uuid: ThemeUuid }),
        body: Wish,
        response: { 200: JobId },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async ({ db, params: { uuid }, body: { which } }) => {
      const job_id = await db.transaction(async (tx) => {
        const theme = await lockTheme(tx, uuid)
        const configuration = await chosenConfiguration(tx, uuid, which)
        return (await jobOfSameWish(tx, theme, configuration)) ?? beginDownload(tx, files, uuid, configuration)
      })
      return new Answer({ job_id }, 200)
    },
  )
}

/** A job of the same wish that is open or was finished lately: themes and configurations never change. */
async function jobOfSameWish(tx: Tx, theme: ThemeRow, configuration: string | null): Promise<string | undefined> {
  await failLateJobs(tx)
  const lately = new Date(tx.now.getTime() - SAME_MS)
  // The theme of every store comes with the server: another version may have another.
  const isFinished = theme.archive === null ? sql`false` : sql`status = 'COMPLETED' and created_at > ${lately}`
  const same = await tx.maybeRow<{ id: string }>(sql`
    select id from theme_jobs where store_id = ${tx.store.id} and theme_uuid = ${theme.uuid} and kind = 'download'
      and configuration_uuid is not distinct from ${configuration} and (${isOpen} or ${isFinished})
    order by created_at desc, id limit 1`)
  return same?.id
}

/** @throws Problem 409 while too many downloads of the store are under way */
async function beginDownload(tx: Tx, files: Files, theme_uuid: string, configuration_uuid: string | null) {
  // Every store has this theme: by its lock the downloads of all themes begin one after another, and none is counted too late.
  await lockTheme(tx, STOCK.uuid)
  const { open } = await tx.row<{ open: number }>(sql`
    select count(*)::int as open from theme_jobs where store_id = ${tx.store.id} and kind = 'download' and ${isOpen}`)
  if (open >= OPEN_MAX) {
    throw new Problem(409, `The store has ${OPEN_MAX} theme downloads in progress. Try again after one has ended.`)
  }
  const job = await createJob(tx, { kind: 'download', theme_uuid, configuration_uuid })
  if (job === undefined) throw new Error('Two jobs got one id.')
  await deleteOldDownloads(tx, files)
  await enqueue(tx, downloadTask, { payload: { job } })
  return job
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

async function deleteOldDownloads(tx: Parameters<typeof deleteThemeJobs>[0], files: Files) {
  const old = await tx.rows<{ id: string }>(sql`
    select id from theme_jobs where store_id = ${tx.store.id} and kind = 'download' and status in ('COMPLETED', 'FAILED')
    order by created_at desc, id offset ${DOWNLOADS_MAX - 1}`)
  await deleteThemeJobs(
    tx,
    files,
    old.map(({ id }) => id),
  )
}

/** Makes the archives of downloads. @param repack writes one: in a process of its own, or, in tests, here */
export const downloadRunner = (files: Files, repack: typeof repackInProcess) =>
  runner(downloadTask, async ({ db, payload: { job }, attempt, signal }) => {
    const row = await startJob(db, job)
    if (!row?.theme_uuid) return done
    const theme_uuid = row.theme_uuid
    try {
      const archive = await archiveOf({ db, files, repack }, theme_uuid, row.configuration_uuid, signal)
      await db.transaction(async (tx) => {
        if (await completeJob(tx, job, { theme_uuid, archive })) await files.addOwner(tx, jobOwner(job), archive)
      })
      return done
    } catch (error) {
      if (attempt < TRIES_MAX) throw error
      await failJob(db, files, job, [])
      return failed(error instanceof Error ? error.message : String(error))
    }
  })

interface ArchiveParts {
  db: Db
  files: Files
  repack: typeof repackInProcess
}

/** @returns the name of the stored archive */
async function archiveOf(
  { db, files, repack }: ArchiveParts,
  uuid: string,
  configuration: string | null,
  signal: AbortSignal,
): Promise<string> {
  const theme = await findTheme(db, uuid)
  const { archive } = theme
  if (archive !== null && configuration === null) return archive
  const config = configuration === null ? undefined : await configFor(db, uuid, configuration)
  const replaced: Record<string, string> = {}
  if (config !== undefined) replaced['config.json'] = JSON.stringify(config, null, 2)
  const draft =
    archive === null
      ? await files.draft(db.store, pack(await stockFiles(config)), 'zip')
      : await files.lend(db.store, archive, (from) =>
          files.draftAt(db.store, 'zip', (to) => repack({ from, to, replaced }, signal)),
        )
  await draft.keep()
  return draft.name
}

/** config.json of a theme with the settings of one of its configurations. */
async function configFor(db: Db, uuid: string, configuration: string) {
  const [found] = await findConfigurations(db, sql`configuration.uuid = ${configuration}`)
  if (!found) throw new Error('The configuration of a download is not there.')
  const { config } = await sourcesOf(db, { uuid })
  return withSettings(config, found.external_id, await configurationSettings(found))
}
