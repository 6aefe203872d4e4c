import { sql } from '../../../core/db/sql.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

/** The secrets that sign a hook's callbacks, for the receiver of the sandbox; [] for an unknown hook. */
export async function secretsOfHook(
  { directory, accounts }: { directory: Directory; accounts: Accounts },
  storeHash: string,
  hookId: number,
): Promise<string[]> {
  const store = await directory.find(storeHash)
  const db = store && (await directory.dbById(store.id))
  const hook = await db?.maybeRow<{ client_id: string }>(
    sql`select client_id from hooks where store_id = ${db.store.id} and id = ${hookId}`,
  )
  return store && hook ? accounts.secretsOf(store, hook.client_id) : []
}
