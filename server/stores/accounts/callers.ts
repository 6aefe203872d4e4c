import { hash as digest, randomBytes } from 'node:crypto'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Client } from '../../core/rest/api.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Directory, DoorState, StoreEntry } from '../directory/directory.ts'
import { isPlan, type Plan, plans } from '../directory/plans.ts'
import { type ActiveFault, faultsOf } from '../faults/faults.ts'

// A revoked token fails, and a closed store is closed, within this time in every process.
const CACHED_MS = 1_000
const CACHED_MAX = 10_000

/** The account that sent a request, with its store and the database of the store. */
export interface Caller {
  readonly kind: 'caller'
  readonly client: Client
  readonly db: Db
  readonly state: DoorState
  readonly plan: Plan
  /** Undefined in a real store, and in a test store without faults. */
  readonly faults: readonly ActiveFault[] | undefined
}

/**
 * The sender of a request. `stranger`: the token is not valid for this store. `lost`: no store has this hash, but the token is
 * valid for another one.
 */
export type Visitor = Caller | { readonly kind: 'stranger' | 'lost' }

/** Finds access tokens that belong to no API account: those of the operator's console, whose area is above this one. */
export interface OtherTokens {
  findToken(
    storeId: number,
    token: string,
    tokenHash: string,
  ): Promise<{ client_id: string; scopes: readonly string[] } | undefined>
}

/** Finds the caller of a request by store hash and access token. Remembers callers for at most a second. */
export class Callers {
  readonly #directory: Directory
  readonly #secrets: Secrets
  readonly #others: OtherTokens | undefined
  readonly #known = new Map<string, { visitor: Visitor | Promise<Visitor>; until: number }>()
  /** Callers of this process, by their tokens. */
  readonly #own = new Map<string, Caller>()

  constructor(directory: Directory, secrets: Secrets, others?: OtherTokens) {
    this.#directory = directory
    this.#secrets = secrets
    this.#others = others
  }

  /**
   * Admits a caller to the routes of its store, for requests that this process sends to itself. The token is valid in this process only.
   * @returns the token, and a function that revokes it
   */
  admit(caller: Caller): { token: string; end(): void } {
    const token = randomBytes(32).toString('base64url')
    this.#own.set(token, caller)
    return { token, end: () => void this.#own.delete(token) }
  }

  find(hash: string, token: string): Visitor | Promise<Visitor> {
    const own = this.#own.get(token)
    if (own?.db.store.hash === hash) return own
    // Tokens themselves stay out of memory. The keyed hash that the database has costs ten times as much as this one.
    const key = `${hash} ${digest('sha256', token, 'base64url')}`
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && now < known.until) return known.visitor
    return this.#learn(key, hash, token, now + CACHED_MS)
  }

  /** Whether a token belongs to an account of any store. Used if a request names no store, or a store that the token is not for. */
  isValid(token: string): Promise<boolean> {
    return this.#isValidAnywhere(this.#secrets.tokenHash(token))
  }

  #learn(key: string, hash: string, token: string, until: number): Promise<Visitor> {
    const visitor = this.#ask(hash, token)
    // Requests that arrive meanwhile wait for the same answer. Its second begins when the query starts.
    this.#known.delete(key)
    this.#known.set(key, { visitor, until })
    visitor.then(
      (found) => {
        // Strangers are not remembered: a flood of them would push out the callers.
        if (found.kind === 'caller') this.#known.set(key, { visitor: found, until })
        else this.#known.delete(key)
      },
      () => this.#known.delete(key),
    )
    if (this.#known.size > CACHED_MAX) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return visitor
  }

  async #ask(hash: string, token: string): Promise<Visitor> {
    const tokenHash = this.#secrets.tokenHash(token)
    const store = await this.#directory.find(hash)
    if (!store) return { kind: (await this.#isValidAnywhere(tokenHash)) ? 'lost' : 'stranger' }
    const { system, api } = this.#directory.cellOf(store)
    const [found] = await system.system<AccountRow>(sql`
      select client_id, scopes, plan, limits from api_accounts join store_profiles using (store_id)
      where store_id = ${store.id} and token_hash = ${tokenHash}`)
    const account = found ?? (await this.#withOtherToken(store, token, tokenHash))
    if (!account) return { kind: 'stranger' }
    return {
      kind: 'caller',
      client: { id: account.client_id, scopes: new Set(account.scopes), person: account.person },
      db: api.of({ id: store.id, hash: store.hash, limits: account.limits, isTest: store.is_test }),
      state: store.state,
      faults: store.is_test ? await this.#faultsOf(store) : undefined,
      plan: plans[isPlan(account.plan) ? account.plan : 'standard'],
    }
  }

  async #withOtherToken(store: StoreEntry, token: string, tokenHash: string): Promise<AccountRow | undefined> {
    const grant = await this.#others?.findToken(store.id, token, tokenHash)
    if (!grant) return undefined
    const [profile] = await this.#directory
      .cellOf(store)
      .system.system<Pick<AccountRow, 'plan' | 'limits'>>(
        sql`select plan, limits from store_profiles where store_id = ${store.id}`,
      )
    return profile && { ...grant, ...profile }
  }

  async #faultsOf({ id }: StoreEntry): Promise<readonly ActiveFault[] | undefined> {
    const faults = await faultsOf(this.#directory.database, id)
    return faults.length > 0 ? faults : undefined
  }

  async #isValidAnywhere(tokenHash: string): Promise<boolean> {
    const found = await Promise.all(
      this.#directory.cells.map((cell) =>
        cell.system.system(sql`select from api_accounts where token_hash = ${tokenHash}`),
      ),
    )
    return found.some((accounts) => accounts.length > 0)
  }
}

interface AccountRow {
  client_id: string
  scopes: readonly string[]
  plan: string
  limits: Record<string, number>
  person?: string | undefined
}
