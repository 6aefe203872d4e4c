import type { Clock } from '../../core/clock.ts'
import { type Database, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Person } from './people.ts'
import { type Role, scopesOf } from './roles.ts'

const SESSION_MS = 12 * 3_600_000
const IDLE_MS = 2 * 3_600_000
/** The use of a session is stored when the last stored use is older than this. */
const USE_MS = 60_000
const CONFIRMED_MS = 10 * 60_000
const SESSIONS_MAX = 20
const TOKEN_MS = 10 * 60_000
const AGENT_MAX = 200
/** Access tokens of the console begin with this text, so that other tokens are not looked up among them. */
const TOKEN_PREFIX = 'console'
/** The client of a token without an account. */
const CONSOLE_CLIENT = 'console'

/** A session as its person sees it. */
export interface PersonSession {
  id: number
  created_at: string
  used_at: string
  ends_at: string
  address: string
  agent: string
}

/** The person behind a request. */
export interface SignedIn {
  person: Person
  sessionId: number
  /** Whether the person gave the password in the last ten minutes. */
  isConfirmed: boolean
}

interface SessionParts {
  database: Pick<Database, 'system'>
  secrets: Pick<Secrets, 'tokenHash'>
  clock: Clock
  ids: Pick<Ids, 'clientSecret' | 'accessToken'>
}

/** The client and the scopes of an access token. */
export interface TokenGrant {
  client_id: string
  scopes: string[]
}

/** The grant of a token with the e-mail address of its person. */
interface PersonGrant extends TokenGrant {
  person: string
}

/**
 * A session begins with the password of a person, and lives in a cookie that scripts can't read. It ends after 12 hours, after two
 * hours without a request, with a sign-out, and with the deletion of its person. For the API of a store a session creates access
 * tokens, which are valid for ten minutes, for that store only, and never longer than their session.
 */
export class PersonSessions {
  readonly #parts: SessionParts

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** @returns the secret of the cookie. The oldest of 20 sessions ends. */
  async begin(personId: number, { address, agent }: { address: string; agent: string }): Promise<string> {
    const { database, secrets, clock, ids } = this.#parts
    const token = ids.clientSecret()
    const now = clock.now()
    await database.system(sql`
      with begun as (
        insert into directory.person_sessions (person_id, token_hash, created_at, used_at, confirmed_at, ends_at, address, agent)
        values (${personId}, ${secrets.tokenHash(token)}, ${now}, ${now}, ${now}, ${new Date(now.getTime() + SESSION_MS)},
          ${address}, ${agent.replaceAll('\u0000', '').slice(0, AGENT_MAX)})
        returning id
      )
      delete from directory.person_sessions where ends_at <= ${now} or id in (
        select id from directory.person_sessions where person_id = ${personId} order by id desc offset ${SESSIONS_MAX - 1}
      ) returning id`)
    return token
  }

  /** The person of a cookie. @returns undefined if the session has ended */
  async find(token: string): Promise<SignedIn | undefined> {
    const { database, secrets, clock } = this.#parts
    const now = clock.now()
    const [found] = await database.system<Person & { session_id: number; used_at: string; confirmed_at: string }>(
      prepared(sql`
        select people.id, people.email, people.name, people.role, people.stores, true as is_active, people.created_at,
          sessions.id as session_id, sessions.used_at, sessions.confirmed_at
        from directory.person_sessions sessions join directory.people on people.id = sessions.person_id
        where sessions.token_hash = ${secrets.tokenHash(token)} and sessions.ends_at > ${now}
          and sessions.used_at > ${new Date(now.getTime() - IDLE_MS)}`),
    )
    if (!found) return undefined
    const { session_id: sessionId, used_at, confirmed_at, ...person } = found
    if (Date.parse(used_at) < now.getTime() - USE_MS) {
      await database.system(
        sql`update directory.person_sessions set used_at = ${now} where id = ${sessionId} returning id`,
      )
    }
    return { person, sessionId, isConfirmed: Date.parse(confirmed_at) > now.getTime() - CONFIRMED_MS }
  }

  list(personId: number): Promise<PersonSession[]> {
    const now = this.#parts.clock.now()
    return this.#parts.database.system(sql`
      select id, created_at, used_at, ends_at, address, agent from directory.person_sessions
      where person_id = ${personId} and ends_at > ${now} and used_at > ${new Date(now.getTime() - IDLE_MS)} order by id desc`)
  }

  /** Ends a session of a person, and its access tokens. @returns whether there was such a session */
  async end(personId: number, sessionId: number): Promise<boolean> {
    const ended = await this.#parts.database.system(sql`
      delete from directory.person_sessions where id = ${sessionId} and person_id = ${personId} returning id`)
    return ended.length > 0
  }

  /** Records that the person gave the password again. */
  async confirm(sessionId: number) {
    await this.#parts.database.system(sql`
      update directory.person_sessions set confirmed_at = ${this.#parts.clock.now()} where id = ${sessionId} returning id`)
  }

  /**
   * Creates an access token for a store.
   * @param account the account whose client the token is; the console itself if not given
   */
  async createToken(
    { person, sessionId }: SignedIn,
    storeId: number,
    account?: TokenGrant,
  ): Promise<{ token: string; expires_at: string; scopes: string[] }> {
    const { database, secrets, clock, ids } = this.#parts
    const scopes = scopesFor(person.role, account)
    const token = TOKEN_PREFIX + ids.accessToken()
    const now = clock.now()
    const [created] = await database.system<{ ends_at: string }>(sql`
      with removed as (delete from directory.console_tokens where ends_at <= ${now} returning token_hash)
      insert into directory.console_tokens (token_hash, session_id, store_id, client_id, scopes, ends_at)
      select ${secrets.tokenHash(token)}, id, ${storeId}, ${account?.client_id ?? CONSOLE_CLIENT}, ${JSON.stringify(scopes)},
        least(ends_at, ${new Date(now.getTime() + TOKEN_MS)})
      from directory.person_sessions where id = ${sessionId} returning ends_at`)
    if (!created) throw new Error('The session has ended.')
    return { token, expires_at: created.ends_at, scopes }
  }

  /** The grant of an access token of the console. @param tokenHash the keyed hash of the token */
  async findToken(storeId: number, token: string, tokenHash: string): Promise<PersonGrant | undefined> {
    if (!token.startsWith(TOKEN_PREFIX)) return undefined
    const { database, clock } = this.#parts
    const now = clock.now()
    const [grant] = await database.system<PersonGrant>(
      prepared(sql`
        select tokens.client_id, tokens.scopes, people.email as person from directory.console_tokens tokens
        join directory.person_sessions sessions on sessions.id = tokens.session_id
        join directory.people on people.id = sessions.person_id
        where tokens.token_hash = ${tokenHash} and tokens.store_id = ${storeId} and tokens.ends_at > ${now}
          and sessions.ends_at > ${now} and sessions.used_at > ${new Date(now.getTime() - IDLE_MS)}`),
    )
    return grant
  }
}

/** The scopes of a role; with an account those that both have. */
function scopesFor(role: Role, account: TokenGrant | undefined): string[] {
  const scopes = scopesOf[role]
  if (account === undefined) return [...scopes]
  const granted = new Set(account.scopes)
  return scopes.filter((scope) => granted.has(scope))
}
