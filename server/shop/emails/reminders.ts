import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { EmailTemplate } from './contents/shape.ts'

// Reminders of abandoned carts as carts send them. Their routes are in `abandoned-cart-emails.ts`.

/** A reminder that is active. */
export interface Reminder {
  id: number
  /** Minutes after the last change of the cart. */
  notify_at_minutes: number
  /** Empty for none. */
  coupon_code: string
}

/** The active reminders of each channel: its own, or those of all channels. */
export type RemindersOf = (channel: number) => readonly Reminder[]

/** Reads the active reminders of a store, with one statement. */
export async function findReminders(db: Db): Promise<RemindersOf> {
  const { reminders, own } = await db.row<{ reminders: (Reminder & { channel_id: number })[]; own: number[] }>(
    prepared(sql`
    select coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'channel_id', channel_id, 'notify_at_minutes', notify_at_minutes, 'coupon_code', coupon_code
      ) order by notify_at_minutes, id)
      from abandoned_cart_emails where store_id = ${db.store.id} and is_active
    ), '[]') as reminders, coalesce((
      select jsonb_agg(channel_id) from abandoned_cart_channels where store_id = ${db.store.id}
    ), '[]') as own`),
  )
  return (channel) => {
    const wanted = own.includes(channel) ? channel : 0
    return reminders.filter(({ channel_id }) => channel_id === wanted)
  }
}

/** The template of a reminder; undefined if it was deleted or disabled. */
export async function templateOfReminder(db: Db, id: number): Promise<EmailTemplate | undefined> {
  const [found] = await db.rows<{ template: Omit<EmailTemplate, 'type_id'> }>(
    prepared(
      sql`select template from abandoned_cart_emails where store_id = ${db.store.id} and id = ${id} and is_active`,
    ),
  )
  return found && { type_id: 'abandoned_cart_email', ...found.template }
}

/** Counts an e-mail of a reminder in its `sent_num`. */
export const countReminder = (tx: Tx, id: number) =>
  tx.rows(
    prepared(sql`
    update abandoned_cart_emails set sent_num = sent_num + 1
    where store_id = ${tx.store.id} and id = ${id} returning id`),
  )
