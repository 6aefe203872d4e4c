import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/db/database.ts'
import { prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'

const KEYS_MAX = 50

/** A key as the operator sees it after its creation. */
export interface OperatorKey {
  id: number
  name: string
  created_at: string
}

interface KeyParts {
  database: Pick<Database, 'system'>
  secrets: Pick<Secrets, 'tokenHash'>
  clock: Clock
  ids: Pick<Ids, 'clientSecret'>
}

/**
 * An operator key opens `/operator/v1`, the API of the operator, for all stores of an installation. A person or a program has a key
 * of its own, so that one can be revoked without the others. Only its keyed hash is stored: the creation returns the key, once. A
 * revoked key fails with the next request, because keys are looked up and never cached.
 */
export class OperatorKeys {
  readonly #parts: KeyParts

  constructor(parts: KeyParts) {
    this.#parts = parts
  }

  /** @throws Error with a sentence for the operator: 50 keys already */
  async create(name: string): Promise<OperatorKey & { key: string }> {
    const { database, secrets, clock, ids } = this.#parts
    const key = ids.clientSecret()
    const [stored] = await database.system<OperatorKey>(sql`
      insert into directory.operator_keys (name, key_hash, created_at)
      select ${name}, ${secrets.tokenHash(key)}, ${clock.now()}
      where (select count(*) from directory.operator_keys) < ${KEYS_MAX} returning id, name, created_at`)
    if (!stored) throw new Error(`An installation has at most ${KEYS_MAX} operator keys.`)
    return { ...stored, key }
  }

  list(): Promise<OperatorKey[]> {
    return this.#parts.database.system(sql`select id, name, created_at from directory.operator_keys order by id`)
  }

  /** @returns whether there was such a key */
  async revoke(id: number): Promise<boolean> {
    const revoked = await this.#parts.database.system(
      sql`delete from directory.operator_keys where id = ${id} returning id`,
    )
    return revoked.length > 0
  }

  async find(key: string): Promise<OperatorKey | undefined> {
    const { database, secrets } = this.#parts
    const [found] = await database.system<OperatorKey>(
      prepared(
        sql`select id, name, created_at from directory.operator_keys where key_hash = ${secrets.tokenHash(key)}`,
      ),
    )
    return found
  }
}
