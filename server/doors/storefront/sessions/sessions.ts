import { randomBytes } from 'node:crypto'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { limitSessions } from './session-limit.ts'

// Sessions of customers at a storefront (docs/contract/storefront-tokens.md sections 6 and 8).

/** The bearer of a session: a token of a server, or the cookie of a browser. */
export type SessionKind = 'token' | 'cookie'

const HOUR_SECONDS = 3_600
/** The life of a session, and the sessions of a kind that a customer may have. One more ends the oldest. */
const LIMITS = {
  token: { seconds: 24 * HOUR_SECONDS, max: 1 },
  cookie: { seconds: 7 * 24 * HOUR_SECONDS, max: 10 },
} as const satisfies Record<SessionKind, object>

const SESSIONS = { table: 'customer_sessions', key: 'value_hash', end: 'expires_at' }

const VALUE = /^[0-9a-f]{64}_\d{1,10}$/

/** The value that identifies a session. */
export interface NewSession {
  /** 64 hex digits and the Unix second of its end. It is returned only once. */
  value: string
  expiresAt: Date
}

export interface Session {
  customer_id: number
  channel_id: number
  expires_at: string
}

/** A digest of the customer's password hash. A session is valid while it stays the same. */
export const passwordMark = sql`encode(sha256(convert_to(coalesce(password_hash, ''), 'UTF8')), 'base64')`

/** Opens a session for a customer, which must exist. */
export async function openSession(
  tx: Tx,
  secrets: Secrets,
  { customer, channel, kind }: { customer: number; channel: number; kind: SessionKind },
): Promise<NewSession> {
  const { seconds, max } = LIMITS[kind]
  const end = unixSeconds(tx.now) + seconds
  const value = `${randomBytes(32).toString('hex')}_${end}`
  const expiresAt = new Date(end * 1_000)
  await tx.rows(sql`
    insert into customer_sessions
      (store_id, value_hash, kind, customer_id, channel_id, password_mark, created_at, expires_at)
    select ${tx.store.id}, ${secrets.tokenHash(value)}, ${kind}, id, ${channel}, ${passwordMark}, ${tx.now}, ${expiresAt}
    from customers where store_id = ${tx.store.id} and id = ${customer}
    returning customer_id`)
  await limitSessions(tx, SESSIONS, sql`customer_id = ${customer} and kind = ${kind}`, max)
  return { value, expiresAt }
}

/**
 * Finds the session of a value. It ends with its time, a logout, a new password, or the deletion of its customer.
 * @returns undefined for an unknown or ended session
 */
export async function findSession(
  db: Db,
  secrets: Secrets,
  { value, kind, now }: { value: string; kind: SessionKind; now: Date },
): Promise<Session | undefined> {
  if (!VALUE.test(value)) return undefined
  return db.byKey<Session>(
    prepared(sql`
    select session.customer_id, session.channel_id, session.expires_at
    from customer_sessions session
    join customers customer on customer.store_id = ${db.store.id} and customer.id = session.customer_id
    where session.store_id = ${db.store.id} and session.value_hash = ${secrets.tokenHash(value)}
      and session.kind = ${kind} and session.expires_at > ${now} and session.password_mark = ${passwordMark}`),
  )
}

/** A session of a customer for the operator, without its value. */
interface ListedSession {
  kind: SessionKind
  channel_id: number
  created_at: string
  expires_at: string
}

/** The sessions of a customer that have not ended, the newest first. */
export const sessionsOf = (db: Db, customer: number): Promise<ListedSession[]> =>
  db.rows<ListedSession>(sql`
    select session.kind, session.channel_id, session.created_at, session.expires_at from customer_sessions session
    join customers customer on customer.store_id = ${db.store.id} and customer.id = session.customer_id
    where session.store_id = ${db.store.id} and session.customer_id = ${customer} and session.expires_at > ${db.now}
      and session.password_mark = ${passwordMark}
    order by session.created_at desc, session.value_hash`)

/** Ends all sessions of a customer, of both kinds. */
export async function endSessions(tx: Tx, customer: number) {
  await tx.rows(sql`
    delete from customer_sessions where store_id = ${tx.store.id} and customer_id = ${customer} returning value_hash`)
}
