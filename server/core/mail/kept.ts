import type { Db } from '../db/database.ts'
import { sql } from '../db/sql.ts'

const LISTED_MAX = 100

interface KeptMail {
  id: string
  recipient: string
  subject: string
  text: string
  html: string | null
  created_at: string
  sent_at: string | null
}

/** The last mails of a store without their texts, the newest first. */
export const listMails = (db: Db): Promise<Omit<KeptMail, 'text' | 'html'>[]> =>
  db.rows(sql`
    select id, recipient, subject, created_at, sent_at from mails where store_id = ${db.store.id}
    order by created_at desc, id limit ${LISTED_MAX}`)

/** A whole mail. */
export const findMail = (db: Db, id: string): Promise<KeptMail | undefined> =>
  db.maybeRow(sql`
    select id, recipient, subject, text, html, created_at, sent_at from mails
    where store_id = ${db.store.id} and id = ${id}`)
