import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { sendFile } from '../../../core/files/serve.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, failed, runner, task } from '../../../core/jobs/task.ts'
import { Answer, SentBody } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, nullable } from '../../../core/rest/input/fields.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { hiddenSites, siteAddresses } from '../../../shop/channels/sites/shape.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type RedirectRow, redirects, targetsOf } from '../rows.ts'
import { headerLine, rowsOfRedirects } from './csv.ts'
import {
  advanceRedirectJob,
  beginRedirectJob,
  createRedirectJob,
  type ExportOptions,
  endRedirectJob,
  findRedirectJob,
  IMEX_PATH,
  IMEX_TAG,
  RedirectJobId,
  type RedirectJobRow,
  redirectJobOwner,
} from './jobs.ts'

const PAGE_ROWS = 1_000
const TRIES_MAX = 3
/** The file of a job can be fetched for this time. */
const FILE_MS = 24 * 3_600_000

const exportTask = task('export_redirects', t.Object({ job: t.String() }), {
  maxMs: 120_000,
  retryDelay: (failures) => (failures < TRIES_MAX ? 1_000 : undefined),
  atOnce: 2,
})

const Choice = t.Object(
  {
    site_id: t.Optional(nullable(Id)),
    redirect_ids: t.Optional(t.Array(Id, { maxItems: 1_000, description: 'All if empty' })),
    include_dynamic_target_urls: t.Optional(t.Boolean()),
  },
  { title: 'RedirectExport', examples: [{ include_dynamic_target_urls: true }] },
)

const JobParams = t.Object({ uuid: t.String({ format: 'uuid' }) })

/** Exports of redirects (docs/contract/redirects.md section 5). */
export function redirectExportRoutes(api: Api, files: Files) {
  const { read, write } = access('content')

  api.post(
    `${IMEX_PATH}/export`,
    {
      ...write,
      schema: {
        summary: 'Export redirects',
        description: 'A job writes a CSV file. A store can have one import or export at a time.',
        operationId: 'exportRedirects',
        tag: IMEX_TAG,
        body: Choice,
        response: { 201: RedirectJobId },
      },
    },
    async ({ db, body }) => new Answer({ id: await db.transaction((tx) => beginExport(tx, body)) }, 201),
  )

  api.get(
    `${IMEX_PATH}/export/:uuid(^[0-9a-fA-F-]{36}$)/download`,
    {
      config: { ...read.config, answerType: 'text/csv' },
      schema: {
        summary: 'Get the file of an export',
        description: 'Works for 24 hours.',
        operationId: 'downloadRedirectExport',
        tag: IMEX_TAG,
        params: JobParams,
        response: { 200: t.String() },
      },
    },
    async ({ db, params }) => {
      const job = await findRedirectJob(db, params.uuid, 'export')
      const isOld = db.now.getTime() - Date.parse(job.created_at) >= FILE_MS
      if (job.status !== 'complete' || job.file === null || isOld) throw notFound('file of the export', params.uuid)
      const file = { hash: db.store.hash, name: job.file, type: 'text/csv; charset=utf-8' }
      return new Answer(
        new SentBody((request, reply) => {
          reply.header('content-disposition', 'attachment; filename="redirects.csv"')
          reply.header('cache-control', 'private, no-store')
          return sendFile(request, reply, files, file)
        }),
      )
    },
  )
}

async function beginExport(tx: Tx, options: ExportOptions): Promise<string> {
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from redirects where store_id = ${tx.store.id} and ${await chosenBy(tx, options)}`)
  if (count === 0) throw new Problem(409, 'No redirect matches this export.')
  const job = await createRedirectJob(tx, { kind: 'export', options, total_items: count })
  await enqueue(tx, exportTask, { payload: { job } })
  return job
}

/** Matches the redirects of an export, but for those of deleted channels. */
async function chosenBy(db: Db, { site_id = null, redirect_ids = [] }: ExportOptions): Promise<Sql> {
  const hidden = await hiddenSites(db)
  return sql.and([
    sql`site_id <> all(${hidden})`,
    ...(site_id === null ? [] : [sql`site_id = ${site_id}`]),
    ...(redirect_ids.length === 0 ? [] : [sql`id = any(${redirect_ids})`]),
  ])
}

/** Writes exports. A run that ends early leaves nothing, and the next one begins again. */
export const redirectExportRunner = (files: Files, rules: AddressRules) =>
  runner(exportTask, async ({ db, payload: { job }, attempt, signal }) => {
    const row = await beginRedirectJob(db, job)
    if (!row) return done
    try {
      await writeExport(db, row, { files, rules, signal })
      return done
    } catch (error) {
      if (attempt < TRIES_MAX) throw error
      await db.transaction((tx) => endRedirectJob(tx, job, 'failed'))
      return failed(error instanceof Error ? error.message : String(error))
    }
  })

interface ExportParts {
  files: Files
  rules: AddressRules
  signal: AbortSignal
}

async function writeExport(db: Db, row: RedirectJobRow, { files, rules, signal }: ExportParts) {
  const draft = await files.draft(db.store, textOfExport(db, row, { rules, signal }), 'csv')
  let isOwned = false
  try {
    await draft.keep()
    await db.transaction(async (tx) => {
      isOwned = await endRedirectJob(tx, row.id, 'complete', draft.name)
      if (isOwned) await files.addOwner(tx, redirectJobOwner(row.id), draft.name)
    })
  } finally {
    if (!isOwned) await db.transaction((tx) => files.clearLater(tx, draft.name))
  }
}

/** The text of an export in pieces. Each page of redirects is read when the piece before it is written. */
async function* textOfExport(
  db: Db,
  row: RedirectJobRow,
  { rules, signal }: Pick<ExportParts, 'rules' | 'signal'>,
): AsyncGenerator<Uint8Array> {
  const { include_dynamic_target_urls: withTargets = false } = row.options
  const chosen = await chosenBy(db, row.options)
  yield Buffer.from(headerLine(withTargets))
  let completed = row.completed_items
  let last = 0
  let written = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await findWhere(db, redirects, sql`id > ${last} and ${chosen}`, sql`order by id limit ${PAGE_ROWS}`)
    if (page.length === 0) return
    yield Buffer.from(await rowsOf(db, page, { rules, withTargets }))
    last = page.at(-1)?.id ?? last
    written += page.length
    // A second run writes all rows again, and counts those that the first one has not written.
    if (written <= completed) continue
    await db.transaction((tx) => advanceRedirectJob(tx, row.id, 0, { completed: written - completed }))
    completed = written
  }
}

async function rowsOf(
  db: Db,
  page: readonly RedirectRow[],
  { rules, withTargets }: { rules: AddressRules; withTargets: boolean },
): Promise<string> {
  const addresses = await siteAddresses(
    db,
    page.map(({ site_id }) => site_id),
    rules,
  )
  const targets = withTargets ? await targetsOf(db, page, rules) : undefined
  return rowsOfRedirects(
    page.flatMap((redirect) => {
      const address = addresses.get(redirect.site_id)
      if (!address) return []
      return [{ domain: new URL(address.url).host, redirect, target: targets && (targets.get(redirect.id) ?? '') }]
    }),
  )
}
