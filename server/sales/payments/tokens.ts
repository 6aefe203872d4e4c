import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../core/clock.ts'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Problem } from '../../core/rest/problem.ts'
import { isSigned, isToCome, readJwt, signJwt, unixSeconds } from '../../core/secrets/jwt.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Money } from './gateways/gateway.ts'

// Payment access tokens (docs/contract/payments.md section 2): a shopper pays one order with one, without any other right. The token
// says for how much; a row says whether it was used.

const VALID_MS = 3_600_000
/** Payments that may be tried with one token; a decline leaves it usable. */
const TRIES_MAX = 5
const FORGOTTEN_AT_ONCE = 10

/** What a token is for. */
const Data = t.Object({
  store_id: t.Integer(),
  order_id: t.Integer(),
  /** In the currency's smallest unit. */
  amount: t.Integer(),
  currency: t.String(),
})

const Claims = t.Object({
  iss: t.String(),
  sub: t.String({ description: 'Hash of the store' }),
  jti: t.String(),
  iat: t.Integer(),
  nbf: t.Integer(),
  exp: t.Integer(),
  data: Data,
})
type Claims = Static<typeof Claims>

/** A token that was read: its own id, and what it is for. */
export interface PaymentToken extends Static<typeof Data> {
  jti: string
}

export interface TokenParts {
  secrets: Pick<Secrets, 'paymentTokenKey'>
  clock: Clock
  /** Address of the server as clients see it: who issues the tokens. */
  publicUrl: string
}

/** Makes a token for what an order still owes. @returns the token as clients send it */
export async function issuePaymentToken(
  tx: Tx,
  { order_id, amountMinor, currency }: { order_id: number } & Pick<Money, 'amountMinor' | 'currency'>,
  { secrets, clock, publicUrl }: TokenParts,
): Promise<string> {
  const now = clock.now()
  const jti = randomUUID()
  const expires_at = new Date(now.getTime() + VALID_MS)
  const row = { store_id: tx.store.id, jti, order_id, tries: 0, is_spent: false, expires_at }
  await tx.rows(sql`insert into payment_tokens ${sql.rows([row])}`)
  await deleteExpired(tx, now)
  const claims: Claims = {
    iss: publicUrl,
    sub: tx.store.hash,
    jti,
    iat: unixSeconds(now),
    nbf: unixSeconds(now),
    exp: unixSeconds(expires_at),
    data: { store_id: tx.store.id, order_id, amount: amountMinor, currency },
  }
  return signJwt(claims, secrets.paymentTokenKey, { alg: 'HS256' })
}

/** Each new token clears away a few that have expired: the table stays bounded. */
const deleteExpired = (tx: Tx, now: Date) =>
  tx.rows(sql`
    delete from payment_tokens where store_id = ${tx.store.id} and jti in (
      select jti from payment_tokens where store_id = ${tx.store.id} and expires_at <= ${now}
      order by expires_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`)

/** The one answer to whoever has no token that counts here, whatever is wrong with it. */
export const noToken = () =>
  new Problem(
    401,
    'A payment access token that is valid for this store is required.',
    {},
    { headers: { 'www-authenticate': 'PAT' } },
  )

/**
 * Reads what a client sent as `Authorization`. Whether the token was used is asked later, with the order locked.
 * @param hash of the store that the request is for
 * @throws Problem 401
 */
export async function readPaymentToken(
  authorization: string | undefined,
  hash: string,
  { secrets, clock, publicUrl }: TokenParts,
): Promise<PaymentToken> {
  const [, token] = /^PAT +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) throw noToken()
  const claims = readJwt(token)?.claims
  if (!Value.Check(Claims, claims) || !(await isSigned(token, [secrets.paymentTokenKey], ['HS256']))) throw noToken()
  const { iss, sub, jti, nbf, exp, data } = claims
  const now = clock.now()
  if (iss !== publicUrl || sub !== hash || isToCome(nbf, now) || unixSeconds(now) >= exp) throw noToken()
  return { ...data, jti }
}

/** Counts a payment with a token; to be called with its order locked. @throws Problem 401 for one that was used up */
export async function useToken(tx: Tx, { jti, order_id }: PaymentToken) {
  const [used] = await tx.rows(
    prepared(sql`
      update payment_tokens set tries = tries + 1
      where store_id = ${tx.store.id} and jti = ${jti} and order_id = ${order_id} and not is_spent and tries < ${TRIES_MAX}
      returning jti`),
  )
  if (!used) throw noToken()
}

/** Ends all tokens of an order: with one of them a payment has succeeded. */
export const spendTokens = (tx: Tx, order_id: number) =>
  tx.rows(
    prepared(sql`
      update payment_tokens set is_spent = true where store_id = ${tx.store.id} and order_id = ${order_id} returning jti`),
  )

/** A payment that certainly was not made does not count. */
export const returnTry = (tx: Tx, jti: string) =>
  tx.rows(
    prepared(sql`
      update payment_tokens set tries = tries - 1
      where store_id = ${tx.store.id} and jti = ${jti} and tries > 0 returning jti`),
  )

const PAYMENTS_MAX = 50
const WINDOW_MS = 4_000

/**
 * Counts a request of the store's shoppers, for all processes together.
 * @throws Problem 429 past 50 in 4 seconds
 */
export async function countPayment(db: Db) {
  const wait = await db.transaction(async (tx) => {
    const end = sql`${tx.present} + ${WINDOW_MS} * interval '1 ms'`
    const { used, wait } = await tx.row<{ used: number; wait: number }>(sql`
      insert into payment_rates as rate (store_id, ends_at, used) values (${tx.store.id}, ${end}, 1)
      on conflict (store_id) do update set
        used = case when rate.ends_at <= ${tx.present} then 1 else rate.used + 1 end,
        ends_at = case when rate.ends_at <= ${tx.present} then excluded.ends_at else rate.ends_at end
      returning used, greatest(1, ceil(extract(epoch from ends_at - ${tx.present})))::int as wait`)
    return used > PAYMENTS_MAX ? wait : 0
  })
  if (wait > 0) throw new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': String(wait) } })
}
