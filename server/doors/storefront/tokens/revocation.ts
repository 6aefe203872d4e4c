import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { isPast } from '../../../core/secrets/jwt.ts'
import type { Claims } from './tokens.ts'

/** Expired rows that each revocation deletes: more than it adds, so only tokens without expiry accumulate. */
const DELETED_AT_ONCE = 10
/** Tokens are accepted slightly after their expiry, because clocks differ. */
const KEPT = '1 minute'

/**
 * Revokes a token: it fails within a second in every process (docs/contract/storefront-tokens.md section 4). Expired and revoked
 * tokens stay unchanged.
 */
export async function revoke(db: Db, { jti, eat }: Pick<Claims, 'jti' | 'eat'>, now: Date) {
  if (eat > 0 && isPast(eat, now)) return
  await db.transaction(async (tx) => {
    const row = { store_id: tx.store.id, jti, expires_at: eat === 0 ? null : new Date(eat * 1_000) }
    await tx.rows(sql`
      insert into revoked_storefront_tokens ${sql.rows([row])} on conflict do nothing returning jti`)
    await tx.rows(sql`
      delete from revoked_storefront_tokens former using (
        select jti from revoked_storefront_tokens
        where store_id = ${tx.store.id} and expires_at < ${tx.now}::timestamptz - ${KEPT}::interval
        order by expires_at limit ${DELETED_AT_ONCE} for update skip locked
      ) expired
      where former.store_id = ${tx.store.id} and former.jti = expired.jti returning former.jti`)
  })
}
