import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'

const LISTED_MAX = 1_000

/** A webhook as the operator sees it, of any account. */
export interface HookOfStore {
  id: number
  client_id: string
  scope: string
  destination: string
  is_active: boolean
  status: string
  /** Why the server deactivated it; empty if it didn't. */
  reason: string
  failing_since: string | null
}

/** The webhooks of all accounts of a store, at most 1,000. Those that the server deactivated or that fail come first. */
export const hooksOfStore = (db: Db): Promise<HookOfStore[]> =>
  db.rows(sql`
    select id, client_id, scope, destination, is_active, status, reason, failing_since from hooks where store_id = ${db.store.id}
    order by status = 'deactivated' desc, failing_since is not null desc, id limit ${LISTED_MAX}`)
