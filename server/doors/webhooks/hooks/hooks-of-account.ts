import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { clear } from '../queue/hook-state.ts'
import { removeHook } from './hooks.ts'

/**
 * Removes the webhooks of an account that is deleted, and all that waits for them. Each piece is a transaction of its own, so it
 * takes as long as it takes: delete the account first. If it is interrupted, workers and the hourly upkeep do the rest.
 */
export async function removeHooksOfAccount(db: Db, clientId: string) {
  const ofAccount = sql`store_id = ${db.store.id} and client_id = ${clientId}`
  const hooks = await db.rows<{ id: number }>(sql`select id from hooks where ${ofAccount} order by id`)
  for (const { id } of hooks) {
    for (let isMore = await db.transaction((tx) => removeHook(tx, id)); isMore; ) {
      isMore = await db.transaction((tx) => clear(tx, id))
    }
  }
  await db.transaction(async (tx) => {
    await tx.rows(sql`delete from hook_admins where ${ofAccount}`)
    await tx.rows(sql`delete from host_blocks where ${ofAccount}`)
  })
}
