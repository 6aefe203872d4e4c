import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueueBackfill } from '../../../sales/b2b/orders/backfill.ts'
import { openPredefinedRoles } from '../../../sales/b2b/roles/roles.ts'
import { MessageProblem } from '../../../sales/b2b/shared/refusals.ts'
import { BriefCache } from '../../storefront/cache.ts'

// The operator enables the companion API for a store (docs/contract/b2b.md section 6).

/** The stores with the companion API. Disabling it takes effect in every process within a second. */
const enabledStores = new BriefCache<undefined>()

/** Enables or disables the companion API of a store. Its data stays. */
export async function setCompanion(db: Db, isEnabled: boolean) {
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      insert into b2b_settings (store_id, is_enabled) values (${tx.store.id}, ${isEnabled})
      on conflict (store_id) do update set is_enabled = excluded.is_enabled returning store_id`)
    if (!isEnabled) return
    await openPredefinedRoles(tx)
    await enqueueBackfill(tx)
  })
  enabledStores.evict(db.store.hash)
}

/** @returns the refusal for a store without the companion API, or undefined */
export async function refuseDisabled(db: Db): Promise<MessageProblem | undefined> {
  try {
    return await enabledStores.find(db.store.hash, () => findEnabled(db))
  } catch (error) {
    if (error instanceof MessageProblem) return error
    throw error
  }
}

/** @throws MessageProblem 403 for a store without the companion API */
async function findEnabled(db: Db): Promise<undefined> {
  const settings = await db.byKey<{ is_enabled: boolean }>(
    prepared(sql`select is_enabled from b2b_settings where store_id = ${db.store.id}`),
  )
  if (!settings?.is_enabled)
    throw new MessageProblem(403, 'The business-to-business API is not enabled for this store.')
}
