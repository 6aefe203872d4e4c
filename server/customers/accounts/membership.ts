import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import type { DeleteOfChannel } from '../../shop/channels/deletion.ts'

// Changes of many customers by the deletion of a group or a channel. They publish no events and change no dates
// (docs/contract/webhooks.md section 6).

/**
 * Removes most members of a large group before the transaction that deletes it. All customers of a store may be in one group.
 */
export function emptyLargeGroup(db: Db, group: number) {
  return inSteps(db, async (tx) => (await removeMembers(tx, group)) === STEP_ROWS)
}

/**
 * Removes the remaining members of a group in the transaction that deletes it. Lock the group first: joining a group locks it too, so
 * nobody joins meanwhile.
 */
export async function emptyGroup(tx: Tx, group: number) {
  while ((await removeMembers(tx, group)) === STEP_ROWS) {}
}

async function removeMembers(tx: Tx, group: number): Promise<number> {
  const left = await tx.rows(sql`
    update customers set customer_group_id = 0 where store_id = ${tx.store.id} and id = any(array(
      select id from customers where store_id = ${tx.store.id} and customer_group_id = ${group}
      order by id limit ${STEP_ROWS} for update
    )) returning id`)
  return left.length
}

/** Removes a deleted channel from the lists of customers. A list may become empty: then the customer can't log in. */
export const removeChannelFromCustomers: DeleteOfChannel = async (db, channel) => {
  let after = 0
  for (let count = STEP_ROWS; count === STEP_ROWS; ) {
    const ids = await db.transaction((tx) => withoutChannel(tx, channel, after))
    count = ids.length
    after = ids.at(-1) ?? after
  }
}

/** @returns the ids of the customers with a list that were read, beginning after the given id */
async function withoutChannel(tx: Tx, channel: number, after: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    select id from customers where store_id = ${tx.store.id} and id > ${after} and channel_ids is not null
    order by id limit ${STEP_ROWS} for update`)
  const ids = rows.map(({ id }) => id)
  await tx.rows(sql`
    update customers
    set channel_ids = jsonb_path_query_array(channel_ids, '$[*] ? (@ != $channel)', ${JSON.stringify({ channel })})
    where store_id = ${tx.store.id} and id = any(${ids}) and channel_ids @> ${JSON.stringify([channel])}
    returning id`)
  return ids
}
