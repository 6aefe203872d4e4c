import { randomUUID } from 'node:crypto'
import t from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { limitSessions } from '../../storefront/sessions/session-limit.ts'
import { readCompanionToken, type SignInParts } from './sign-in.ts'

// Tokens of shoppers (docs/contract/b2b.md section 5). A token is valid while its row exists, like a backend token.

const DAY_SECONDS = 86_400
/** A token is returned again only if it is valid for longer than this. */
const LEFT_MIN_SECONDS = 60
/** The tokens of one customer. One more ends the oldest. */
const TOKENS_MAX = 20

const TOKENS = { table: 'b2b_storefront_tokens', key: 'jti', end: 'ends_at' }

/** The settings of a new token. */
export interface NewStorefrontToken {
  customer: { id: number; email: string }
  channel: number
  /** A name and times, which only a sign-in with a password may choose. */
  chosen?: { name: string; channels: number[]; beginAt?: number | undefined; endAt?: number | undefined }
  /** The customer access token whose end also ends it. */
  session?: { hash: string; endsAt: number }
}

/** Issues a token for a customer, which must exist. */
export async function issueStorefrontToken(
  tx: Tx,
  secrets: Secrets,
  { customer, channel, chosen, session }: NewStorefrontToken,
): Promise<string> {
  const now = unixSeconds(tx.now)
  const exp = Math.min(chosen?.endAt ?? now + DAY_SECONDS, session?.endsAt ?? Number.POSITIVE_INFINITY)
  const nbf = chosen?.beginAt ?? now
  const claims = {
    email: customer.email,
    bc_customer_id: customer.id,
    store_hash: tx.store.hash,
    db: 'default',
    bc_channel_id: channel,
    ...(chosen ? { name: chosen.name, channel_ids: chosen.channels, token_type: 'storefront', nbf } : {}),
    exp,
    jti: randomUUID(),
  }
  const token = await signJwt(claims, secrets.companionKey(tx.store.hash), { alg: 'HS256' })
  await tx.rows(sql`
    insert into b2b_storefront_tokens ${sql.rows([
      {
        store_id: tx.store.id,
        jti: claims.jti,
        customer_id: customer.id,
        channel_id: channel,
        token: secrets.seal(token),
        session_hash: session?.hash ?? null,
        begins_at: new Date(nbf * 1_000),
        ends_at: new Date(exp * 1_000),
        created_at: tx.now,
      },
    ])} returning jti`)
  await limitSessions(tx, TOKENS, sql`customer_id = ${customer.id}`, TOKENS_MAX)
  return token
}

/** The last token of a customer at a channel, if it stays valid for a while and is not tied to a session. */
export async function lastToken(
  db: Db,
  secrets: Secrets,
  { customer, channel, now }: { customer: number; channel: number; now: Date },
): Promise<string | undefined> {
  const [last] = await db.rows<{ token: string }>(
    prepared(sql`
    select token from b2b_storefront_tokens
    where store_id = ${db.store.id} and customer_id = ${customer} and channel_id = ${channel}
      and session_hash is null and begins_at <= ${now} and ends_at > ${new Date(now.getTime() + LEFT_MIN_SECONDS * 1_000)}
    order by created_at desc limit 1`),
  )
  return last && secrets.unseal(last.token)
}

/** Ends all tokens of customers. */
export async function endTokensOf(tx: Tx, customers: readonly number[]) {
  await tx.rows(sql`
    delete from b2b_storefront_tokens
    where store_id = ${tx.store.id} and customer_id = any(${[...customers]}) returning jti`)
}

const Claims = t.Object({ bc_customer_id: t.Integer(), jti: t.String() })

/** Ends a token. Its bearer needs no other right, and a forged token is ignored. */
export async function endToken(parts: SignInParts, token: string) {
  const read = await readCompanionToken(parts, token, Claims)
  if (!read) return
  const { store, claims } = read
  const db = await parts.directory.dbById(store.id)
  await db?.transaction((tx) =>
    tx.rows(
      sql`delete from b2b_storefront_tokens where store_id = ${tx.store.id} and jti = ${claims.jti} returning jti`,
    ),
  )
}
