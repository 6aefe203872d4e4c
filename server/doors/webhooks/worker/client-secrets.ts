import type { Db } from '../../../core/db/database.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'

const LIFE_MS = 1_000
const CLIENTS_MAX = 10_000

/** Caches the secrets of clients for a second. They sign the callbacks of a client's hooks. */
export class ClientSecrets {
  readonly #accounts: Pick<Accounts, 'secretsOf'>
  readonly #entries = new Map<string, { secrets: Promise<readonly string[]>; until: number }>()

  constructor(accounts: Pick<Accounts, 'secretsOf'>) {
    this.#accounts = accounts
  }

  find(db: Db, clientId: string): Promise<readonly string[]> {
    const key = `${db.store.id} ${clientId}`
    const now = performance.now()
    const cached = this.#entries.get(key)
    if (cached && now < cached.until) return cached.secrets
    if (this.#entries.size > CLIENTS_MAX) this.#entries.clear()
    const secrets = this.#accounts.secretsOf(db.store, clientId)
    this.#entries.set(key, { secrets, until: now + LIFE_MS })
    secrets.catch(() => this.#entries.delete(key))
    return secrets
  }
}
