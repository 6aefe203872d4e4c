import type { Clock } from '../../core/clock.ts'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Cell, Directory, StoreEntry } from '../directory/directory.ts'
import { ACCOUNT_SCOPES, DEFAULT_SCOPES, isPreset, presets } from './scopes.ts'

const ACCOUNTS_MAX = 50
const FORMER_SECRET_MS = 24 * 3_600_000

/** An account as the operator sees it after its creation, without its token and secret. */
export interface AccountRecord {
  id: number
  name: string
  client_id: string
  scopes: string[]
  created_at: string
}

/** An account with its token and secret, which only its creation returns. */
export interface CreatedAccount extends AccountRecord {
  access_token: string
  client_secret: string
}

interface AccountParts {
  directory: Directory
  secrets: Secrets
  clock: Clock
  ids: Ids
  /** Deletes the webhooks and scripts of a deleted account. They belong to areas above this one. */
  deleteRows: DeleteRowsOfAccount
}

type DeleteRowsOfAccount = (db: Db, clientId: string) => Promise<void>

/**
 * An API account is a program that works with one store: an application, an integration, a script. It has a client id, an access
 * token and a client secret. The operator creates it; the public API never does. The token is stored as a keyed hash, the secret
 * is encrypted, and only the creation returns them. The scopes of an account say which routes its token opens. The operator can
 * replace the scopes and the secret; after a new secret the former one stays valid for 24 hours. Metafields, webhooks and
 * storefront tokens remember the client id of the account that created them. Deleting the account removes its webhooks and scripts, and its
 * token fails in every process within a second. An account never belongs to a second store, and a store has at most 50
 * (docs/contract/auth.md section 2).
 */
export class Accounts {
  readonly #directory: Directory
  readonly #secrets: Secrets
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #deleteRows: DeleteRowsOfAccount

  constructor({ directory, secrets, clock, ids, deleteRows }: AccountParts) {
    this.#directory = directory
    this.#secrets = secrets
    this.#clock = clock
    this.#ids = ids
    this.#deleteRows = deleteRows
  }

  /**
   * @param scopes names of scopes or of presets (`all`, `read_only`, `none`)
   * @param clientId a new one if not given; accounts of different stores may have the same
   * @throws Error with a sentence for the operator: unknown scope, or 50 accounts already
   */
  async create(
    hash: string,
    name: string,
    scopes: readonly string[],
    clientId = this.#ids.clientId(),
  ): Promise<CreatedAccount> {
    const granted = grant(scopes)
    const { store, cell } = await this.#locate(hash)
    const account = {
      name,
      client_id: clientId,
      access_token: this.#ids.accessToken(),
      client_secret: this.#ids.clientSecret(),
      scopes: granted,
    }
    const [stored] = await cell.system.system<{ id: number; created_at: string }>(sql`
      with next as (
        insert into counters as counter (store_id, resource, last_id, total, version) values (${store.id}, 'api_accounts', 1, 1, 1)
        on conflict (store_id, resource) do update set
          last_id = counter.last_id + 1, total = counter.total + 1, version = counter.version + 1
          where counter.total < ${ACCOUNTS_MAX}
        returning last_id
      )
      insert into api_accounts (store_id, id, name, client_id, token_hash, client_secret, scopes, created_at)
      select ${store.id}, last_id, ${name}, ${account.client_id}, ${this.#secrets.tokenHash(account.access_token)},
        ${this.#secrets.seal(account.client_secret)}, ${JSON.stringify(granted)}, ${this.#clock.now()}
      from next returning id, created_at`)
    if (!stored) throw new Error(`A store has at most ${ACCOUNTS_MAX} API accounts.`)
    return { ...stored, ...account }
  }

  async list(hash: string): Promise<AccountRecord[]> {
    const { store, cell } = await this.#locate(hash)
    return cell.system.system(sql`
      select id, name, client_id, scopes, created_at from api_accounts where store_id = ${store.id} order by id`)
  }

  /**
   * Revokes an account (docs/contract/auth.md section 2): deletes it, then its scripts, its webhooks and their deliveries. The token fails
   * within a second in every process, even if there is much to remove. The hourly upkeep finishes an interrupted deletion; so
   * does a second deletion of the account.
   * @returns whether there was such an account
   */
  async delete(hash: string, clientId: string): Promise<boolean> {
    const { store, cell } = await this.#locate(hash)
    const deleted = await cell.system.system(sql`
      with account as (
        delete from api_accounts where store_id = ${store.id} and client_id = ${clientId} returning store_id
      )
      update counters set total = total - 1, version = version + 1
      where store_id = ${store.id} and resource = 'api_accounts' and exists (select 1 from account)
      returning store_id`)
    const db = await this.#directory.dbById(store.id)
    if (db) await this.#deleteRows(db, clientId)
    return deleted.length > 0
  }

  /**
   * Replaces the scopes of an account. Its token stays valid and has the new scopes within a second in every process.
   * @param scopes names of scopes or of presets (`all`, `read_only`, `none`)
   * @returns the account, or undefined if there is none
   * @throws Error with a sentence for the operator: unknown scope
   */
  async setScopes(hash: string, clientId: string, scopes: readonly string[]): Promise<AccountRecord | undefined> {
    const granted = grant(scopes)
    const { store, cell } = await this.#locate(hash)
    const [account] = await cell.system.system<AccountRecord>(sql`
      update api_accounts set scopes = ${JSON.stringify(granted)} where store_id = ${store.id} and client_id = ${clientId}
      returning id, name, client_id, scopes, created_at`)
    return account
  }

  /** The secrets that sign the callbacks of a client: the current one, and the former one for a day after its replacement. */
  async secretsOf(store: Pick<StoreEntry, 'id'>, clientId: string): Promise<string[]> {
    return (await this.signer(store, clientId))?.secrets ?? []
  }

  /** Returns the scopes of a client and the secrets that verify its tokens: the same ones as `secretsOf`. */
  async signer(
    store: Pick<StoreEntry, 'id'>,
    clientId: string,
  ): Promise<{ scopes: string[]; secrets: string[] } | undefined> {
    const cell = await this.#directory.cellById(store.id)
    const [account] =
      (await cell?.system.system<{
        scopes: string[]
        client_secret: string
        former_secret: string | null
        former_until: string | null
      }>(
        prepared(sql`
          select scopes, client_secret, former_secret, former_until from api_accounts
          where store_id = ${store.id} and client_id = ${clientId}`),
      )) ?? []
    if (!account) return undefined
    const { scopes, client_secret, former_secret, former_until } = account
    const isFormerValid = former_secret !== null && former_until !== null && new Date(former_until) > this.#clock.now()
    const sealed = [client_secret, ...(isFormerValid ? [former_secret] : [])]
    return { scopes, secrets: sealed.map((secret) => this.#secrets.unseal(secret)) }
  }

  /**
   * Replaces the client secret of an account. For 24 hours callbacks carry one signature of each secret, so that a receiver can
   * change over.
   * @returns the new secret, which is not shown again, or undefined if there is no such account
   */
  async rotateSecret(hash: string, clientId: string): Promise<string | undefined> {
    const { store, cell } = await this.#locate(hash)
    const secret = this.#ids.clientSecret()
    const changed = await cell.system.system(sql`
      update api_accounts set former_secret = client_secret, former_until = ${new Date(this.#clock.now().getTime() + FORMER_SECRET_MS)},
        client_secret = ${this.#secrets.seal(secret)}
      where store_id = ${store.id} and client_id = ${clientId} returning id`)
    return changed.length > 0 ? secret : undefined
  }

  async #locate(hash: string): Promise<{ store: StoreEntry; cell: Cell }> {
    const store = await this.#directory.find(hash)
    if (!store) throw new Error(`There is no store "${hash}".`)
    return { store, cell: this.#directory.cellOf(store) }
  }
}

function grant(names: readonly string[]): string[] {
  const granted = new Set<string>(DEFAULT_SCOPES)
  for (const name of names) {
    if (isPreset(name)) for (const scope of presets[name]) granted.add(scope)
    else if (ACCOUNT_SCOPES.has(name)) granted.add(name)
    else
      throw new Error(
        `There is no scope "${name}". Scopes are ${[...ACCOUNT_SCOPES].join(', ')}; presets are all, read_only, none.`,
      )
  }
  return [...granted]
}
