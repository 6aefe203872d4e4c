import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import { assignments } from './assignments/shape.ts'
import { priceLists } from './price-list.ts'
import { deleteRecordsOfLists } from './records/sets.ts'

// Deletions that take rows of this area along. None of them has events.

/** Deletes price lists with their records and assignments. They are locked. */
export async function deleteLists(tx: Tx, ids: readonly number[]) {
  await lockCounters(tx, [assignments.table, priceLists.table])
  await removeAll(tx, assignments, sql`price_list_id = any(${ids})`)
  await deleteRecordsOfLists(tx, ids)
  await removeAll(tx, priceLists, sql`id = any(${ids})`)
}

/** Deletes the assignments of a channel that has ended. */
export const deleteListsOfChannel = (db: Db, channel: number) =>
  db.transaction(async (tx) => {
    await removeAll(tx, assignments, sql`channel_id = ${channel}`)
  })

/** Deletes the assignments of a group that is deleted. */
export async function deleteListsOfGroup(tx: Tx, group: number) {
  await removeAll(tx, assignments, sql`customer_group_id = ${group}`)
}
