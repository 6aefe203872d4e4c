import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { writeSystemLog } from '../../../shop/settings/system-logs.ts'

// The health of tax providers as operators and merchants see it: `storeward doctor` reports providers that fail, and the system log of the
// store names a login that is refused.

/** The reason of a failed call: the provider answered 401. */
export const UNAUTHORIZED = 'unauthorized'

/** Records a failed call, unless the provider was changed meanwhile. A refused login is also written to the system log. */
export async function recordTaxFailure(db: Db, id: string, reason: string) {
  await db.transaction(async (tx) => {
    await tx.rows(
      prepared(sql`
        update tax_providers set failing_since = coalesce(failing_since, ${tx.now}::timestamptz), failure = ${reason}
        where store_id = ${tx.store.id} and provider_id = ${id}`),
    )
    if (reason === UNAUTHORIZED) await logRefusedLogin(tx, id)
  })
}

const logRefusedLogin = (tx: Tx, id: string) =>
  writeSystemLog(tx, {
    type: 'tax',
    module: 'tax provider',
    severity: 'errors',
    summary: `The tax provider ${id} refused the user name or the password.`,
    message: 'Connect it again. Until then the fall-back of the tax settings applies.',
  })

/** Records that a call has succeeded after failures. */
export async function recordTaxRecovery(db: Db, id: string) {
  await db.transaction((tx) =>
    tx.rows(
      prepared(sql`
        update tax_providers set failing_since = null, failure = ''
        where store_id = ${tx.store.id} and provider_id = ${id} and failing_since is not null`),
    ),
  )
}
