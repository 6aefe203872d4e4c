import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { companies } from './company.ts'

// Files of companies (docs/contract/companies.md section 10). The bytes are content, which several attachments can share.

/** The attachments of one company. */
const ATTACHMENTS_MAX = 10

export interface Attachment {
  id: string
  /** The name of its content. */
  content: string
}

const ownerOf = (id: string) => `company attachment ${id}`

/** The attachments of a company, oldest first. */
export const attachmentsOf = (db: Db, companyId: number): Promise<Attachment[]> =>
  db.rows<Attachment>(sql`
    select id, content from b2b_attachments
    where store_id = ${db.store.id} and company_id = ${companyId} order by created_at, id limit ${ATTACHMENTS_MAX}`)

/** Finds an attachment by its link. */
export const findAttachment = (db: Db, id: string): Promise<Attachment | undefined> =>
  db.maybeRow<Attachment>(sql`
    select id, content from b2b_attachments where store_id = ${db.store.id} and id = ${id}`)

/** @throws Problem 404, 422 for a company with ten attachments */
async function refuseFull(tx: Tx, companyId: number) {
  await lock(tx, companies, companyId)
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from b2b_attachments where store_id = ${tx.store.id} and company_id = ${companyId}`)
  if (count >= ATTACHMENTS_MAX) {
    throw new Problem(422, '', { attachmentFile: `A company has at most ${ATTACHMENTS_MAX} attachments.` })
  }
}

/** Attaches content to a company. @throws Problem 404, 422 for one attachment too many */
export const attach = (db: Db, files: Files, companyId: number, content: string): Promise<Attachment> =>
  db.transaction(async (tx) => {
    await refuseFull(tx, companyId)
    const attachment = { id: randomUUID(), content }
    const row = { store_id: tx.store.id, company_id: companyId, created_at: toSeconds(tx.now), ...attachment }
    await tx.rows(sql`insert into b2b_attachments ${sql.rows([row])} returning id`)
    await files.addOwner(tx, ownerOf(attachment.id), content)
    return attachment
  })

/** Deletes an attachment; its bytes follow unless others have them. @throws Problem 404 */
export const detach = (db: Db, files: Files, companyId: number, id: string) =>
  db.transaction(async (tx) => {
    const gone = await tx.rows(sql`
      delete from b2b_attachments
      where store_id = ${tx.store.id} and company_id = ${companyId} and id = ${id} returning id`)
    if (gone.length === 0) throw notFound('attachment', id)
    await files.removeOwner(tx, ownerOf(id))
  })

/** Deletes the attachments of a company that is deleted. */
export async function detachAll(tx: Tx, files: Pick<Files, 'removeOwner'>, companyId: number) {
  const gone = await tx.rows<{ id: string }>(sql`
    delete from b2b_attachments where store_id = ${tx.store.id} and company_id = ${companyId} returning id`)
  for (const { id } of gone) await files.removeOwner(tx, ownerOf(id))
}
