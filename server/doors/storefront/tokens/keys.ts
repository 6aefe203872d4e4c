import { randomUUID } from 'node:crypto'
import type { JWK } from 'jose'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { newKeyPair } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'

// Each store has its own key pairs (docs/contract/storefront-tokens.md section 3). The newest signs, and all of them verify.

/** Many keys cost nothing, since a token names its key. The limit makes operators remove old keys, one of which may be lost. */
const KEYS_MAX = 10

const TABLE = 'storefront_keys'

/** A key as the operator's commands list it. */
export interface KeyRecord {
  kid: string
  created_at: string
  /** Whether it signs new tokens. */
  signs: boolean
}

/** The key that signs the tokens of a store. The first call creates it. */
export async function signingKey(db: Db, secrets: Secrets): Promise<{ kid: string; key: JWK }> {
  const found = await newest(db)
  if (found) return { kid: found.kid, key: JSON.parse(secrets.unseal(found.private_key)) }
  // If two requests find no key, one of them stores a key, and both then find it.
  await addKey(db, secrets, 1)
  return signingKey(db, secrets)
}

const newest = (db: Db) =>
  db.maybeRow<{ kid: string; private_key: string }>(sql`
    select kid, private_key from storefront_keys where store_id = ${db.store.id} order by id desc limit 1`)

/** Finds a key by its name, and whether a token is revoked, in one statement. @returns undefined for an unknown key */
export const keyAndRevocation = (db: Db, kid: string, jti: string) =>
  db.byKey<{ public_key: JWK; is_revoked: boolean }>(
    prepared(sql`
    select public_key, exists (
      select 1 from revoked_storefront_tokens revoked where revoked.store_id = ${db.store.id} and revoked.jti = ${jti}
    ) as is_revoked
    from storefront_keys where store_id = ${db.store.id} and kid = ${kid}`),
  )

export async function listKeys(db: Db): Promise<KeyRecord[]> {
  const keys = await db.rows<Omit<KeyRecord, 'signs'>>(sql`
    select kid, created_at from storefront_keys where store_id = ${db.store.id} order by id desc`)
  return keys.map((key, i) => ({ ...key, signs: i === 0 }))
}

/**
 * Creates a key that signs from now on. Tokens of the other keys stay valid.
 * @returns its name
 * @throws Error with a sentence for the operator
 */
export async function rotateKeys(db: Db, secrets: Secrets): Promise<string> {
  const kid = await addKey(db, secrets, KEYS_MAX)
  if (kid === undefined) throw new Error(`A store has at most ${KEYS_MAX} keys. Remove an unused one.`)
  return kid
}

/** @returns undefined if the store has `max` keys already */
async function addKey(db: Db, secrets: Secrets, max: number): Promise<string | undefined> {
  const { publicKey, privateKey } = await newKeyPair()
  return db.transaction(async (tx) => {
    const [counted] = await tx.rows<{ last_id: number }>(sql`
      insert into counters as counter (store_id, resource, last_id, total, version)
      values (${tx.store.id}, ${TABLE}, 1, 1, 1)
      on conflict (store_id, resource) do update
        set last_id = counter.last_id + 1, total = counter.total + 1, version = counter.version + 1
        where counter.total < ${max}
      returning last_id`)
    if (!counted) return undefined
    const row = {
      store_id: tx.store.id,
      id: counted.last_id,
      kid: randomUUID(),
      public_key: JSON.stringify(publicKey),
      private_key: secrets.seal(JSON.stringify(privateKey)),
      created_at: tx.now,
    }
    await tx.rows(sql`insert into storefront_keys ${sql.rows([row])} returning kid`)
    return row.kid
  })
}

/**
 * Deletes a key. Its tokens fail within a second.
 * @returns false for an unknown key
 */
export function removeKey(db: Db, kid: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx.rows(sql`
      delete from storefront_keys where store_id = ${tx.store.id} and kid = ${kid} returning kid`)
    if (removed.length === 0) return false
    await tx.rows(sql`
      update counters set total = total - 1, version = version + 1
      where store_id = ${tx.store.id} and resource = ${TABLE} returning total`)
    return true
  })
}
