import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { globalLogins, LOGINS, shareChannel } from '../logins/logins.ts'
import type { Customer } from '../row/shape.ts'
import { publishCustomer } from './create.ts'

// Customers as the people that areas above know by other names: users of companies.

/** The people of a store, to be joined by `id`. Each text has its folded twin. */
export const customerNames = (db: Db): Sql => sql`(
  select id, email, email_key, first_name, first_name_key, last_name, last_name_key, customer_group_id
  from customers where store_id = ${db.store.id}
)`

/** Keeps others from giving customers e-mail addresses until the transaction ends, so that who has one stays the same. */
export async function lockLogins(tx: Tx) {
  await lockCounter(tx, LOGINS)
}

/**
 * The customer that an e-mail address means: of several the one that may log in at the channel, else the one with the lowest id.
 * @param channel where somebody of this address is made known
 */
export async function findCustomerByEmail(db: Db, email: string, channel: number): Promise<number | undefined> {
  const found = await db.rows<Pick<Customer, 'id' | 'channel_ids'>>(
    prepared(sql`
    select id, channel_ids from customers where store_id = ${db.store.id} and email_key = ${fold(email)} order by id`),
  )
  if (found.length < 2) return found[0]?.id
  const isGlobal = await globalLogins(db)
  return (found.find(({ channel_ids }) => shareChannel(channel_ids, [channel], isGlobal)) ?? found[0])?.id
}

/** The customer with this id. */
export const findCustomerEmail = (db: Db, id: number): Promise<{ id: number; email: string } | undefined> =>
  db.byKey(prepared(sql`select id, email from customers where store_id = ${db.store.id} and id = ${id}`))

/** Puts customers into a group, which is kept from being deleted meanwhile, and tells of those who were in another one. @param group 0 for none */
export async function moveToGroup(tx: Tx, customers: readonly number[], group: number) {
  if (customers.length === 0) return
  const joined = await tx.rows<{ id: number }>(sql`
    update customers set customer_group_id = ${group}, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = any(array(
      select id from customers
      where store_id = ${tx.store.id} and id = any(${[...customers]}) and customer_group_id <> ${group} order by id for update
    )) returning id`)
  for (const id of joined.map((customer) => customer.id).sort((one, other) => one - other)) {
    publishCustomer(tx, 'updated', id)
  }
}
