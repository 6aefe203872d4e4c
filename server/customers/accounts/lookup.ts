import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { globalLogins, LOGINS, shareChannel } from '../logins/logins.ts'
import type { Customer } from '../row/shape.ts'
import { publishCustomer } from './create.ts'

// Functions for areas whose users are customers, for example the users of companies.

/** The names of the customers of a store, to join by `id`. Each text has its folded twin. */
export const customerNames = (db: Db): Sql => sql`(
  select id, email, email_key, first_name, first_name_key, last_name, last_name_key, customer_group_id
  from customers where store_id = ${db.store.id}
)`

/** Locks the e-mail addresses of customers until the transaction ends, so that no other transaction changes one. */
export async function lockLogins(tx: Tx) {
  await lockCounter(tx, LOGINS)
}

/**
 * Finds the customers with e-mail addresses: of several, the one that may log in at the channel, else the one with the lowest id.
 * @returns their ids in the order of the logins; undefined for an unknown address
 */
export async function findCustomersByEmail(
  db: Db,
  logins: readonly { email: string; channel: number }[],
): Promise<(number | undefined)[]> {
  const found = await db.rows<Pick<Customer, 'id' | 'channel_ids'> & { email_key: string }>(
    prepared(sql`
    select id, channel_ids, email_key from customers
    where store_id = ${db.store.id} and email_key = any(${logins.map(({ email }) => fold(email))}) order by id`),
  )
  const accounts = Map.groupBy(found, ({ email_key }) => email_key)
  const isShared = [...accounts.values()].some(({ length }) => length > 1)
  const isGlobal = isShared ? await globalLogins(db) : () => false
  return logins.map(({ email, channel }) => {
    const same = accounts.get(fold(email)) ?? []
    return (same.find(({ channel_ids }) => shareChannel(channel_ids, [channel], isGlobal)) ?? same[0])?.id
  })
}

export const findCustomerEmail = (db: Db, id: number): Promise<{ id: number; email: string } | undefined> =>
  db.byKey(prepared(sql`select id, email from customers where store_id = ${db.store.id} and id = ${id}`))

/** Moves customers to a locked group, and publishes the changes. @param group 0 for none */
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
