import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { deleteMailsTo, mailsTo } from '../../core/mail/outbox.ts'
import { deleteAnswersWith } from '../../core/rest/idempotency.ts'
import { findOne } from '../../core/rest/lists/verbs.ts'
import { metafieldsOf } from '../../shared/metafields/metafields.ts'
import { deleteEmailsTo } from '../../shop/emails/sending/send.ts'
import { deleteCustomers } from '../accounts/deletion.ts'
import { deleteAttempts } from '../logins/attempts.ts'
import { customerMetafields, customers } from '../row/shape.ts'
import { creditsOf } from '../row/store-credit.ts'
import { deleteSubscribersByEmail, findSubscribersByEmail } from '../subscribers.ts'

// Exports and erases the data of a person for the operator's commands (docs/operations.md, "A customer's data").

/** Tables with a `customer_id`, by their names in the export. */
const TABLES: Readonly<Record<string, string>> = {
  addresses: 'customer_addresses',
  attribute_values: 'customer_attribute_values',
  consents: 'customer_consents',
  stored_instruments: 'stored_instruments',
  form_field_values: 'customer_form_field_values',
  password_resets: 'password_resets',
  sessions: 'customer_sessions',
  shopper_profiles: 'shopper_profiles',
  store_credit_changes: 'store_credit_changes',
  tax_properties: 'customer_tax_properties',
  wishlists: 'wishlists',
}

/** Columns without personal data: the store, and keys that rows are found or compared by. */
const isOurs = (column: string) =>
  column === 'store_id' || column === 'fingerprint' || /_(?:key|hash|mark)$/.test(column)

/** The rows of a table for an export, in the order of their keys. */
export async function exportedRows(db: Db, table: string, where: Sql): Promise<Record<string, unknown>[]> {
  const rows = await db.rows<Record<string, unknown>>(
    sql`select * from ${sql.id(table)} where store_id = ${db.store.id} and ${where} order by 2, 3`,
  )
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !isOurs(column))))
}

/**
 * Returns the stored data of a customer as JSON. The password is not included: only its hash is stored.
 * @throws Problem 404
 */
export async function exportCustomer(db: Db, id: number) {
  const customer = await findOne(db, customers, id)
  const credits = await creditsOf(db, [id])
  const parts: Record<string, object[]> = {}
  for (const [name, table] of Object.entries(TABLES)) {
    parts[name] = await exportedRows(db, table, sql`customer_id = ${id}`)
  }
  return {
    customer: { ...customer, store_credit: credits.get(id) ?? 0 },
    ...parts,
    wishlist_items: await db.rows(sql`
      select wishlist_id, product_id, variant_id from wishlist_items where store_id = ${db.store.id} and wishlist_id in (
        select id from wishlists where store_id = ${db.store.id} and customer_id = ${id}
      ) order by wishlist_id, id`),
    subscribers: await findSubscribersByEmail(db, customer.email),
    mails: await mailsTo(db, customer.email),
    metafields: await metafieldsOf(db, customerMetafields, id),
  }
}

/** The result of an erasure: the deleted and the remaining data. */
export interface Erasure {
  id: number
  mails: number
  stored_answers: number
  kept: string[]
}

/**
 * Deletes a customer, the subscriber with the same e-mail address, mails to it, sent or not, and answers that are stored for an
 * Idempotency-Key. It may be repeated after an interruption: the customer is deleted last.
 * @throws Problem 404
 */
export async function eraseCustomer(db: Db, id: number): Promise<Erasure> {
  const { email } = await findOne(db, customers, id)
  await deleteSubscribersByEmail(db, email)
  const removed = await db.transaction(async (tx) => {
    await deleteAttempts(tx, email)
    const owed = await deleteEmailsTo(tx, email)
    return { mails: owed + (await deleteMailsTo(tx, email)), stored_answers: await deleteAnswersWith(tx, email) }
  })
  await deleteCustomers(db, [id], OPERATOR)
  return { id, ...removed, kept: KEPT }
}

/** The client in the history of store credit. */
const OPERATOR = 'operator'

/** Kept for bookkeeping, with the number of the customer only. */
const KEPT = ['store_credit_changes: the history of store credit, which names the customer by number']
