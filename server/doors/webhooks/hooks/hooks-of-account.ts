import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { deleteQueue } from '../queue/hook-state.ts'
import { deleteHook } from './hooks.ts'

/**
 * Deletes the webhooks of a deleted account with their queues. Delete the account first: each piece is a transaction of its own,
 * and large queues take long. If it is interrupted, workers and the hourly upkeep delete the rest.
 */
export async function removeHooksOfAccount(db: Db, clientId: string) {
  const ofAccount = sql`store_id = ${db.store.id} and client_id = ${clientId}`
  const hooks = await db.rows<{ id: number }>(sql`select id from hooks where ${ofAccount} order by id`)
  for (const { id } of hooks) {
    for (let isMore = await db.transaction((tx) => deleteHook(tx, id)); isMore; ) {
      isMore = await db.transaction((tx) => deleteQueue(tx, id))
    }
  }
  await db.transaction(async (tx) => {
    await tx.rows(sql`delete from hook_admins where ${ofAccount}`)
    await tx.rows(sql`delete from host_blocks where ${ofAccount}`)
  })
}
