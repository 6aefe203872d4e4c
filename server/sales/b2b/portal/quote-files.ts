import type { Db, Store, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { invalid, notFound } from '../../../core/rest/problem.ts'
import { takeUploads } from './uploads.ts'

// Files that buyers attach to quotes. A file is uploaded first, and becomes one of the quote by the request that names it.

/** The files of one quote. */
const FILES_MAX = 10

export interface QuoteFile {
  id: number
  secret: string
  file_name: string
  file_type: string
  created_by: string
}

/** A file in a request. */
export interface NamedUpload {
  /** The id of the upload. */
  upload: string
  name: string
  type: string
}

const ownerOf = (secret: string) => `quote file ${secret}`

/** The files of a quote, oldest first. */
export const quoteFilesOf = (db: Db, quoteId: number): Promise<QuoteFile[]> =>
  db.rows<QuoteFile>(sql`
    select id, secret, file_name, file_type, created_by from b2b_quote_files
    where store_id = ${db.store.id} and quote_id = ${quoteId} order by id limit ${FILES_MAX}`)

/** The address of a file, whose secret lets everybody read it. @param publicUrl of the server */
export const quoteFileUrl = (publicUrl: string, { hash }: Store, { secret }: Pick<QuoteFile, 'secret'>): string =>
  `${publicUrl}/b2b/uploads/${hash}/${secret}`

/** The content of a file by the secret in its address. */
export const findQuoteFile = (db: Db, secret: string): Promise<{ content: string } | undefined> =>
  db.maybeRow<{ content: string }>(sql`
    select content from b2b_quote_files where store_id = ${db.store.id} and secret = ${secret}`)

/**
 * Attaches uploads to a quote whose row is locked.
 * @param customer whose uploads they are; null for a guest
 * @throws Problem 422 for a file that was not uploaded in the last day, and for one too many
 */
export async function attachToQuote(
  tx: Tx,
  files: Files,
  {
    quoteId,
    uploads,
    customer,
    by,
  }: { quoteId: number; uploads: readonly NamedUpload[]; customer: number | null; by: string },
) {
  if (uploads.length === 0) return
  const before = await quoteFilesOf(tx, quoteId)
  if (before.length + uploads.length > FILES_MAX) throw invalid({ fileList: `A quote has at most ${FILES_MAX} files.` })
  const ids = uploads.map(({ upload }) => upload)
  const taken = await takeUploads(tx, files, { ids, customer })
  const first = (before.at(-1)?.id ?? 0) + 1
  for (const [i, { name, type }] of uploads.entries()) {
    const upload = taken[i]
    if (!upload) throw invalid({ fileList: 'A file of the list was not uploaded, or more than a day ago.' })
    const row = {
      store_id: tx.store.id,
      quote_id: quoteId,
      id: first + i,
      secret: upload.id,
      content: upload.content,
      file_name: name.slice(0, 255),
      file_type: type.slice(0, 100),
      created_by: by,
      created_at: toSeconds(tx.now),
    }
    await tx.rows(sql`insert into b2b_quote_files ${sql.rows([row])} returning id`)
    await files.addOwner(tx, ownerOf(upload.id), upload.content)
  }
}

/** Deletes a file of a quote that the caller may change. @throws Problem 404 */
export async function detachFromQuote(tx: Tx, files: Files, quoteId: number, id: number) {
  const [gone] = await tx.rows<{ secret: string }>(sql`
    delete from b2b_quote_files where store_id = ${tx.store.id} and quote_id = ${quoteId} and id = ${id} returning secret`)
  if (!gone) throw notFound('attachment', id)
  await files.removeOwner(tx, ownerOf(gone.secret))
}

/** Deletes the files of a quote that is deleted, or whose people are. */
export async function detachAllFromQuote(tx: Tx, files: Pick<Files, 'removeOwner'>, quoteId: number) {
  const gone = await tx.rows<{ secret: string }>(sql`
    delete from b2b_quote_files where store_id = ${tx.store.id} and quote_id = ${quoteId} returning secret`)
  for (const { secret } of gone) await files.removeOwner(tx, ownerOf(secret))
}
