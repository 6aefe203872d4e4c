import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'

// Files that shoppers upload before they send the form that names them (docs/contract/b2b-graphql.md section 9). A file that no form has
// named is deleted after a day.

const KEPT = '1 day'
/** Old uploads that each new one clears away, more than it adds. */
const CLEARED_AT_ONCE = 5

/** An upload. Its id has 122 random bits, and is the secret of whoever uploaded it. */
export interface PortalUpload {
  id: string
  /** The name of its content. */
  content: string
  /** The customer; null for a guest. */
  customer_id: number | null
}

const ownerOf = (id: string) => `portal upload ${id}`

/** Stores an upload, and deletes some old ones. */
export const keepUpload = (db: Db, files: Files, customer: number | null, content: string): Promise<PortalUpload> =>
  db.transaction(async (tx) => {
    await clearOld(tx, files)
    const upload = { id: randomUUID(), content, customer_id: customer }
    const row = { store_id: tx.store.id, ...upload, created_at: tx.now }
    await tx.rows(sql`insert into b2b_portal_uploads ${sql.rows([row])} returning id`)
    await files.addOwner(tx, ownerOf(upload.id), content)
    return upload
  })

async function clearOld(tx: Tx, files: Files) {
  const gone = await tx.rows<{ id: string }>(sql`
    delete from b2b_portal_uploads where store_id = ${tx.store.id} and id in (
      select id from b2b_portal_uploads
      where store_id = ${tx.store.id} and created_at < ${tx.now}::timestamptz - ${KEPT}::interval
      order by created_at, id limit ${CLEARED_AT_ONCE} for update skip locked
    ) returning id`)
  for (const { id } of gone) await files.removeOwner(tx, ownerOf(id))
}

/** An upload of the last day by its id. */
export const findUpload = (db: Db, id: string, now: Date): Promise<PortalUpload | undefined> =>
  db.maybeRow<PortalUpload>(sql`
    select id, content, customer_id from b2b_portal_uploads
    where store_id = ${db.store.id} and id = ${id} and created_at > ${now}::timestamptz - ${KEPT}::interval`)

/**
 * Takes uploads of a caller, which become files of another owner in the same transaction.
 * @param customer those of guests are open to guests only
 * @returns the uploads in the order of the ids; undefined for an unknown one, an old one, and one of another shopper
 */
export async function takeUploads(
  tx: Tx,
  files: Files,
  { ids, customer }: { ids: readonly string[]; customer: number | null },
): Promise<(PortalUpload | undefined)[]> {
  const rows = await tx.rows<PortalUpload>(sql`
    delete from b2b_portal_uploads
    where store_id = ${tx.store.id} and id = any(${[...ids]}::text[])
      and (customer_id is null or customer_id = ${customer})
      and created_at > ${tx.now}::timestamptz - ${KEPT}::interval
    returning id, content, customer_id`)
  for (const { id } of rows) await files.removeOwner(tx, ownerOf(id))
  const taken = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => taken.get(id))
}
