import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { withdrawConsent } from '../subscribers.ts'
import { publishCustomer } from './create.ts'

/** A shopper as reminders of carts address one. */
export interface RemindedShopper {
  first_name: string
  last_name: string
  /** Whether the shopper has agreed to reminders of carts. */
  hasConsent: boolean
}

/**
 * The name of a shopper and the consent to reminders of carts: that of the customer, or of the subscriber with a guest's address.
 * @param shopper `customer_id` is 0 for a guest
 */
export async function findRemindedShopper(
  db: Db,
  { customer_id, email }: { customer_id: number; email: string },
): Promise<RemindedShopper> {
  const [found] = await db.rows<RemindedShopper>(
    prepared(
      customer_id > 0
        ? sql`
          select first_name, last_name, accepts_product_review_abandoned_cart_emails as "hasConsent"
          from customers where store_id = ${db.store.id} and id = ${customer_id}`
        : sql`
          select first_name, last_name, consents @> '["abandoned_cart"]' as "hasConsent"
          from subscribers where store_id = ${db.store.id} and email_key = ${fold(email)}`,
    ),
  )
  return found ?? { first_name: '', last_name: '', hasConsent: false }
}

/** Withdraws the consent to reminders of carts from all customers and subscribers with an address. */
export async function withdrawReminderConsent(tx: Tx, email: string) {
  const changed = await tx.rows<{ id: number }>(sql`
    update customers set accepts_product_review_abandoned_cart_emails = false, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and accepts_product_review_abandoned_cart_emails and id = any(array(
      select id from customers where store_id = ${tx.store.id} and email_key = ${fold(email)} order by id for update
    )) returning id`)
  for (const { id } of changed) publishCustomer(tx, 'updated', id)
  await withdrawConsent(tx, email, 'abandoned_cart')
}
