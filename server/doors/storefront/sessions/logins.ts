import { createHash } from 'node:crypto'
import t from 'typebox'
import { Value } from 'typebox/value'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { unstorableTexts } from '../../../core/rest/bodies/body.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { isPast, isSigned, isToCome, readJwt } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { checkCredentials } from '../../../customers/logins/credentials.ts'
import { mayLogIn } from '../../../customers/logins/logins.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'
import { areas } from '../../../stores/accounts/scopes.ts'
import type { Storefront } from '../storefronts.ts'
import { type NewPassword, requestReset, resetPassword } from './password-resets.ts'
import { readSessionSync, SYNC_CLIENT, type SyncContent, type SyncFault, signSessionSync } from './session-sync.ts'
import { endSessions, findSession, type NewSession, openSession, type SessionKind } from './sessions.ts'

/** The fields of a customer at a storefront. */
export interface StorefrontCustomer {
  id: number
  email: string
  first_name: string
  last_name: string
  customer_group_id: number
  /** The channels at which the account may log in; null for every channel that allows global logins. */
  channel_ids: number[] | null
}

export interface LoginParts {
  accounts: Accounts
  secrets: Secrets
}

/** The claims of a login JWT. */
const Claims = t.Object({
  iss: t.String({ minLength: 1, maxLength: 255 }),
  iat: t.Integer({ minimum: 0 }),
  jti: t.String({ minLength: 1, maxLength: 255 }),
  operation: t.Literal('customer_login'),
  store_hash: t.String(),
  customer_id: t.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  channel_id: t.Optional(t.Integer()),
  redirect_to: t.Optional(t.String({ maxLength: 2_048 })),
  request_ip: t.Optional(t.String()),
})

/** The time for which a spent jti is stored: longer than its token is valid. */
const KEPT = '10 minutes'
/** Rows of old ones that each login clears away, more than it adds. */
const FORGOTTEN_AT_ONCE = 10

export const LOGOUT = '/login.php?action=logout'
const ACCOUNT_PAGE = '/account.php'

/** Logs customers of storefronts in and out (docs/contract/storefront-tokens.md sections 6, 8 and 9). */
export class Logins {
  readonly #parts: LoginParts

  constructor(parts: LoginParts) {
    this.#parts = parts
  }

  /**
   * @param guesser as `checkCredentials` takes it
   * @throws Problem with the sentence that clients look for; 429
   */
  async byPassword(
    { db, channel }: Storefront,
    { email, password, guesser }: { email: string; password: string; guesser: string | undefined },
  ): Promise<StorefrontCustomer> {
    if (unstorableTexts({ email, password }) !== undefined) throw new Problem(422, 'Invalid credentials')
    const outcome = await checkCredentials(db, { email, password, channel_id: channel, guesser })
    const customer =
      'customer' in outcome && outcome.customer !== null ? await findCustomer(db, outcome.customer) : undefined
    if (!customer) throw new Problem(422, 'Invalid credentials')
    if (customer.force_password_reset) throw new Problem(422, 'Reset password')
    return customer
  }

  /**
   * Logs a customer in by the JWT of an application, which is valid once.
   * @param address the address of the shopper; undefined if it is unknown
   * @throws Problem with the reason, which belongs into the log only
   */
  async byJwt(
    { db, channel }: Storefront,
    jwt: string,
    address: string | undefined,
  ): Promise<{ customer: StorefrontCustomer; redirectTo: string }> {
    const now = db.now
    const read = readJwt(jwt)
    if (!Value.Check(Claims, read?.claims))
      throw new Problem(422, 'The login JWT does not have the claims that it needs.')
    const {
      iss,
      iat,
      jti,
      store_hash,
      customer_id,
      channel_id = FIRST_CHANNEL,
      redirect_to = ACCOUNT_PAGE,
      request_ip,
    } = read.claims
    const signer = await this.#signer(db, iss)
    if (!signer || !(await isSigned(jwt, signer.secrets, ['HS256', 'HS512']))) {
      throw new Problem(422, 'The signature of the login JWT is invalid.')
    }
    // It is spent before the other checks, so that each signature has one try.
    if (!(await this.#spend(db, iss, jti))) throw new Problem(422, 'The login JWT was used before.')
    const wrong =
      (!areas.customerLogin.write.some((scope) => signer.scopes.includes(scope)) &&
        'Its client may not log customers in.') ||
      ((isPast(iat, now) || isToCome(iat, now)) && 'Its iat is more than 30 seconds away.') ||
      (store_hash !== db.store.hash && 'It is for another store.') ||
      (channel_id !== channel && 'It is for another channel.') ||
      (!isPathHere(redirect_to) && 'It leads to another site.') ||
      (request_ip !== undefined && request_ip !== address && 'It is for another address.')
    if (wrong) throw new Problem(422, wrong)
    const customer = await findCustomer(db, customer_id)
    if (!customer) throw new Problem(422, 'Its customer does not exist.')
    if (!(await mayLogIn(db, customer.channel_ids, channel)))
      throw new Problem(422, 'Its customer may not log in at this channel.')
    return { customer, redirectTo: redirect_to }
  }

  /** Makes a link that carries a session to the pages of this server. @throws Problem 422 for an address of another site */
  async syncLink(storefront: Storefront, content: SyncContent): Promise<{ token: string; path: string }> {
    if (!isPathHere(content.redirect_to)) throw new Problem(422, 'redirectTo must be a path of this storefront.')
    const { secrets } = this.#parts
    const token = await signSessionSync(secrets, storefront, content, storefront.db.now)
    return { token, path: `/login/token/${token}` }
  }

  /** Reads such a link, which is valid once. @param address of the shopper; undefined if it is unknown */
  async bySync(
    storefront: Storefront,
    jwt: string,
    address: string | undefined,
  ): Promise<{ content: SyncContent; customer: StorefrontCustomer | undefined } | { fault: SyncFault }> {
    const { secrets } = this.#parts
    const read = await readSessionSync(secrets, storefront, { jwt, address, now: storefront.db.now })
    if ('fault' in read) return read
    const { claims } = read
    if (!(await this.#spend(storefront.db, SYNC_CLIENT, claims.jti))) return { fault: 'expired' }
    const customer = claims.customer_id > 0 ? await findCustomer(storefront.db, claims.customer_id) : undefined
    const mayEnter = !customer || (await mayLogIn(storefront.db, customer.channel_ids, storefront.channel))
    if ((claims.customer_id > 0 && !customer) || !mayEnter || !isPathHere(claims.redirect_to))
      return { fault: 'invalid' }
    return { content: claims, customer }
  }

  /** The companion application logs in shoppers who sign in at its API; other clients are accounts of the store. */
  async #signer(db: Db, clientId: string): Promise<{ scopes: readonly string[]; secrets: string[] } | undefined> {
    const { companionApplication: companion } = this.#parts.secrets
    if (clientId !== companion.clientId) return this.#parts.accounts.signer(db.store, clientId)
    return { scopes: areas.customerLogin.write, secrets: [companion.clientSecret] }
  }

  /** Records that a JWT was used. @returns false if it was used before */
  #spend(db: Db, clientId: string, jti: string): Promise<boolean> {
    const hash = createHash('sha256').update(jti).digest('base64url')
    return db.transaction(async (tx) => {
      const row = { store_id: tx.store.id, client_id: clientId, jti_hash: hash, spent_at: tx.now }
      const stored = await tx.rows(sql`
        insert into spent_login_tokens ${sql.rows([row])} on conflict do nothing returning jti_hash`)
      await tx.rows(sql`
        delete from spent_login_tokens former using (
          select client_id, jti_hash from spent_login_tokens
          where store_id = ${tx.store.id} and spent_at < ${tx.now}::timestamptz - ${KEPT}::interval
          order by spent_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
        ) old
        where former.store_id = ${tx.store.id} and former.client_id = old.client_id and former.jti_hash = old.jti_hash
        returning former.jti_hash`)
      return stored.length > 0
    })
  }

  open({ db, channel }: Storefront, { id }: Pick<StorefrontCustomer, 'id'>, kind: SessionKind): Promise<NewSession> {
    return db.transaction((tx) => openSession(tx, this.#parts.secrets, { customer: id, channel, kind }))
  }

  /**
   * Opens the session of a browser that came by a link.
   * @returns undefined if the customer may not log in at the storefront
   */
  async openByLink(storefront: Storefront, customer_id: number): Promise<NewSession | undefined> {
    const { db, channel } = storefront
    const customer = await findCustomer(db, customer_id)
    if (!customer || !(await mayLogIn(db, customer.channel_ids, channel))) return undefined
    return this.open(storefront, customer, 'cookie')
  }

  /** The customer of a session at a storefront. */
  async customerOf(
    { db, channel }: Storefront,
    kind: SessionKind,
    value: string,
  ): Promise<StorefrontCustomer | undefined> {
    const { secrets } = this.#parts
    const session = await findSession(db, secrets, { value, kind, now: db.now })
    if (session?.channel_id !== channel) return undefined
    const customer = await findCustomer(db, session.customer_id)
    // The account may have been restricted to other channels since the login.
    return (customer?.channel_ids?.includes(channel) ?? true) ? customer : undefined
  }

  requestReset(storefront: Storefront, request: Parameters<typeof requestReset>[1]): Promise<void> {
    return requestReset(storefront, request)
  }

  /** @throws Problem 422 */
  resetPassword({ db }: Storefront, reset: NewPassword): Promise<void> {
    const { secrets } = this.#parts
    return resetPassword(db, secrets, { ...reset, now: db.now })
  }

  end({ db }: Storefront, { id }: Pick<StorefrontCustomer, 'id'>): Promise<void> {
    return db.transaction((tx) => endSessions(tx, id))
  }
}

/** Whether a text is a path of the same site. For a browser, `//` and `/\` begin an address of another site. */
export const isPathHere = (text: string) => /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\')

interface CustomerRow extends StorefrontCustomer {
  force_password_reset: boolean
}

export const findCustomer = (db: Db, id: number) =>
  db.byKey<CustomerRow>(
    prepared(sql`
    select id, email, first_name, last_name, customer_group_id, channel_ids,
      (authentication->>'force_password_reset')::boolean as force_password_reset
    from customers where store_id = ${db.store.id} and id = ${id}`),
  )
