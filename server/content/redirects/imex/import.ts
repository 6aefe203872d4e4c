import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Content, Files } from '../../../core/files/files.ts'
import { ReceivedFiles } from '../../../core/files/received-files.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, failed, runner, task } from '../../../core/jobs/task.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { siteAddresses } from '../../../shop/channels/sites/shape.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type RedirectInput, storeRedirects } from '../rows.ts'
import { type CsvRow, checkingHeader, readRow, readRows, UnreadableCsv } from './csv.ts'
import {
  advanceRedirectJob,
  anotherJob,
  beginRedirectJob,
  createRedirectJob,
  endRedirectJob,
  IMEX_PATH,
  IMEX_TAG,
  type JobError,
  RedirectJobId,
  type RedirectJobRow,
  redirectJobOwner,
  refuseSecondJob,
  setTotal,
} from './jobs.ts'

const FIELD = 'import_file'
/** One byte more is 413 (docs/contract/limits.md section 5). */
const FILE_MAX = 20 * 1024 * 1024
/** Forms of a store that a process receives at once. Only one of them can become a job. */
const RECEIVED_AT_ONCE = 2
/** Rows of a transaction. */
const BATCH_ROWS = 500
/** A run ends after this time and enqueues the next one, so a crash is noticed soon and stores take turns. */
const SLICE_MS = 15_000
const TRIES_MAX = 3
const MESSAGE_MAX = 300

const importTask = task('import_redirects', t.Object({ job: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < TRIES_MAX ? 1_000 : undefined),
  atOnce: 2,
})

const StoredCsv = t.Unsafe<Content>({ contentMediaType: 'text/csv' })

/** Imports of redirects (docs/contract/redirects.md section 5). */
export function redirectImportRoutes(api: Api, files: Files) {
  const { write } = access('content')
  const received = new ReceivedFiles(files, {
    field: FIELD,
    bytesMax: FILE_MAX,
    extension: 'csv',
    atOnce: RECEIVED_AT_ONCE,
    tooMany: anotherJob,
    refuse: refuseSecondJob,
    check: checkingHeader,
  })
  api.post(
    `${IMEX_PATH}/import`,
    {
      config: { ...write.config, isUpload: 'either', prepare: (request) => received.store(request) },
      schema: {
        summary: 'Import redirects',
        description: 'A job stores the rows of a CSV file. A store can have one import or export at a time.',
        operationId: 'importRedirects',
        tag: IMEX_TAG,
        body: t.Object({ [FIELD]: StoredCsv }, { title: 'RedirectImport' }),
        response: { 201: RedirectJobId },
      },
      preValidation: async (request) => {
        request.body = { [FIELD]: await receiveCsv(request, received) }
      },
    },
    async (request) => {
      const { db, body } = request
      const { name } = body[FIELD]
      const id = await db.transaction(async (tx) => {
        const job = await createRedirectJob(tx, { kind: 'import', file: name })
        await files.addOwner(tx, redirectJobOwner(job), name)
        await enqueue(tx, importTask, { payload: { job } })
        return job
      })
      received.end(request)
      return new Answer({ id }, 201)
    },
  )
}

/** @throws Problem 400 for a body that is no form with a CSV file, 413, 429 */
async function receiveCsv(request: FastifyRequest, received: ReceivedFiles): Promise<Content> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Problem(400, 'An import takes multipart/form-data.')
  }
  try {
    return await received.receive(request)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error
    throw new Problem(400, `The form must have one part, the file ${FIELD}.`)
  }
}

/** Another run of the job has done these rows. */
class Overtaken extends Error {}

/** Imports files in slices. Each batch of rows is a transaction with its progress, so a later run continues behind it. */
export const redirectImportRunner = (files: Files, rules: AddressRules) =>
  runner(importTask, async ({ db, payload: { job }, attempt, signal }) => {
    const row = await beginRedirectJob(db, job)
    if (!row || row.file === null) return done
    try {
      await importSlice(db, { ...row, file: row.file }, { files, rules, signal })
      return done
    } catch (error) {
      if (error instanceof Overtaken) return done
      if (error instanceof UnreadableCsv) {
        await endUnreadable(db, row, error)
        return done
      }
      if (attempt < TRIES_MAX) throw error
      await db.transaction((tx) => endRedirectJob(tx, job, 'failed'))
      return failed(error instanceof Error ? error.message : String(error))
    }
  })

interface ImportParts {
  files: Files
  rules: AddressRules
  signal: AbortSignal
}

async function importSlice(db: Db, row: RedirectJobRow & { file: string }, { files, rules, signal }: ImportParts) {
  if (row.total_items === 0 && row.rows_done === 0) await setTotal(db, row.id, await countRows(files, db, row.file))
  const sites = await sitesByHost(db, rules)
  const begin = performance.now()
  let rowsDone = row.rows_done
  for await (const batch of batchesOf(readRows(await files.read(db.store, row.file)), rowsDone)) {
    signal.throwIfAborted()
    await importBatch(db, row.id, { batch, rowsBefore: rowsDone, sites, rules })
    rowsDone = batch.at(-1)?.row ?? rowsDone
    if (performance.now() - begin > SLICE_MS) {
      await db.transaction((tx) => enqueue(tx, importTask, { payload: { job: row.id } }))
      return
    }
  }
  await db.transaction((tx) => endRedirectJob(tx, row.id, 'complete'))
}

/** The rows of a file, up to the first one that can't be read. */
async function countRows(files: Files, db: Db, file: string): Promise<number> {
  let count = 0
  try {
    for await (const _ of readRows(await files.read(db.store, file))) count++
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
  }
  return count
}

/** Batches of rows behind those that are done. An unreadable row comes after the batch of the rows before it. */
async function* batchesOf(rows: AsyncIterable<CsvRow>, rowsDone: number): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = []
  try {
    for await (const row of rows) {
      if (row.row <= rowsDone) continue
      batch.push(row)
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
  } catch (error) {
    if (error instanceof UnreadableCsv && batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

interface Batch {
  batch: readonly CsvRow[]
  rowsBefore: number
  sites: ReadonlyMap<string, number>
  rules: AddressRules
}

/** Stores the good rows of a batch with its progress in one transaction. Each refusal names bad rows, which are left out. */
async function importBatch(db: Db, job: string, { batch, rowsBefore, sites, rules }: Batch) {
  const errors: JobError[] = []
  let good: { row: number; input: RedirectInput }[] = []
  for (const csvRow of batch) {
    const read = readRow(csvRow)
    const site_id = typeof read === 'string' ? undefined : sites.get(hostOf(read.domain))
    if (typeof read === 'string') errors.push({ row: csvRow.row, message: read })
    else if (site_id === undefined) {
      errors.push({ row: csvRow.row, message: `The domain ${JSON.stringify(read.domain)} belongs to no site.` })
    } else good.push({ row: csvRow.row, input: { site_id, from_path: read.from_path, to: read.to } })
  }
  const rowsDone = batch.at(-1)?.row ?? rowsBefore
  for (;;) {
    const rows = good
    const refused = await mistakesOf(() =>
      db.transaction(async (tx) => {
        const inputs = rows.map(({ input }) => input)
        if (inputs.length > 0) await storeRedirects(tx, inputs, { rules, nameOf: (i, field) => `${i}.${field}` })
        const sorted = errors.toSorted((one, other) => one.row - other.row).map(shortened)
        const progress = { completed: inputs.length, failed: errors.length, errors: sorted, rowsDone }
        if (!(await advanceRedirectJob(tx, job, rowsBefore, progress))) throw new Overtaken()
      }),
    )
    if (refused.size === 0) return
    for (const [i, message] of refused) errors.push({ row: rows[i]?.row ?? 0, message })
    good = rows.filter((_, i) => !refused.has(i))
  }
}

/** The first mistake of each refused item of a work, by index. */
async function mistakesOf(work: () => Promise<void>): Promise<ReadonlyMap<number, string>> {
  try {
    await work()
    return new Map()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error
    const found = new Map<number, string>()
    for (const [path, sentence] of Object.entries(error.errors)) {
      const [index = '', ...field] = path.split('.')
      const message = sentence.startsWith('error.') ? `${field.join('.')} is missing.` : sentence
      if (!found.has(Number(index))) found.set(Number(index), message)
    }
    if (found.size === 0) throw error
    return found
  }
}

/** The database stores no U+0000, and a message repeats cells. */
const shortened = ({ row, message }: JobError): JobError => ({
  row,
  message: message.replaceAll(/\p{Cc}/gu, '?').slice(0, MESSAGE_MAX),
})

const hostOf = (domain: string) =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^www\./, '')

/** The sites of a store by their hosts without www. */
async function sitesByHost(db: Db, rules: AddressRules): Promise<ReadonlyMap<string, number>> {
  const ids = await db.rows<{ id: number }>(sql`select id from sites where store_id = ${db.store.id}`)
  const addresses = await siteAddresses(
    db,
    ids.map(({ id }) => id),
    rules,
  )
  return new Map([...addresses].flatMap(([id, { hosts }]) => [...hosts].map((host) => [host, id] as const)))
}

/** Ends the import of a file that can't be read any further. The rows before are stored. */
const endUnreadable = (db: Db, { id }: RedirectJobRow, { row, message }: UnreadableCsv) =>
  db.transaction(async (tx) => {
    const before = await tx.maybeRow<{ rows_done: number }>(sql`
      select rows_done from redirect_jobs where store_id = ${tx.store.id} and id = ${id} for update`)
    if (before) await advanceRedirectJob(tx, id, before.rows_done, { failed: 1, errors: [{ row, message }] })
    await endRedirectJob(tx, id, 'failed')
  })
