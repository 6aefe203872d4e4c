import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../core/clock.ts'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { sweep } from '../../core/db/steps.ts'
import { Problem } from '../../core/rest/problem.ts'
import { isSigned, isToCome, readJwt, signJwt, unixSeconds } from '../../core/secrets/jwt.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Money } from './gateways/gateway.ts'

// Payment access tokens (docs/contract/payments.md section 2). A token lets a shopper pay one order and gives no other right. Its claims have
// the amount; a row records its use.

const VALID_MS = 3_600_000
/** Most tries with one token. A decline leaves it usable. */
const TRIES_MAX = 5

/** The order and the amount of a token. */
const Data = t.Object({
  store_id: t.Integer(),
  order_id: t.Integer(),
  /** In the smallest unit of the currency. */
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

/** A token that was read. */
export interface PaymentToken extends Static<typeof Data> {
  jti: string
}

export interface TokenParts {
  secrets: Pick<Secrets, 'paymentTokenKey'>
  clock: Clock
  /** The address of the server for clients, which is the issuer of the tokens. */
  publicUrl: string
}

/** Issues a token for the amount that an order owes. @returns the token as clients send it */
export async function issuePaymentToken(
  tx: Tx,
  { order_id, amountMinor, currency }: { order_id: number } & Pick<Money, 'amountMinor' | 'currency'>,
  { secrets, publicUrl }: TokenParts,
): Promise<string> {
  const now = tx.now
  const jti = randomUUID()
  const expires_at = new Date(now.getTime() + VALID_MS)
  const row = { store_id: tx.store.id, jti, order_id, tries: 0, is_spent: false, expires_at }
  await tx.rows(sql`insert into payment_tokens ${sql.rows([row])}`)
  await sweep(tx, { table: 'payment_tokens', key: ['jti'], moment: 'expires_at', until: now })
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

/** The answer to every missing or invalid token, without the reason. */
export const noToken = () =>
  new Problem(
    401,
    'A payment access token that is valid for this store is required.',
    {},
    { headers: { 'www-authenticate': 'PAT' } },
  )

/**
 * Reads the `Authorization` header. Whether the token was used is checked later, with the order locked.
 * @param store of the request: its hash, and its time. The time is asked for a token that is ours only
 * @throws Problem 401
 */
export async function readPaymentToken(
  authorization: string | undefined,
  { hash, nowOf }: { hash: string; nowOf(): Promise<Date> | Date },
  { secrets, publicUrl }: TokenParts,
): Promise<PaymentToken> {
  const [, token] = /^PAT +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) throw noToken()
  const claims = readJwt(token)?.claims
  if (!Value.Check(Claims, claims) || !(await isSigned(token, [secrets.paymentTokenKey], ['HS256']))) throw noToken()
  const { iss, sub, jti, nbf, exp, data } = claims
  if (iss !== publicUrl || sub !== hash) throw noToken()
  const now = await nowOf()
  if (isToCome(nbf, now) || unixSeconds(now) >= exp) throw noToken()
  return { ...data, jti }
}

/** Counts a try with a token. Lock its order first. @throws Problem 401 for a token without tries left */
export async function useToken(tx: Tx, { jti, order_id }: PaymentToken) {
  const [used] = await tx.rows(
    prepared(sql`
      update payment_tokens set tries = tries + 1
      where store_id = ${tx.store.id} and jti = ${jti} and order_id = ${order_id} and not is_spent and tries < ${TRIES_MAX}
      returning jti`),
  )
  if (!used) throw noToken()
}

/** Ends all tokens of an order after a successful payment. */
export const spendTokens = (tx: Tx, order_id: number) =>
  tx.rows(
    prepared(sql`
      update payment_tokens set is_spent = true where store_id = ${tx.store.id} and order_id = ${order_id} returning jti`),
  )

/** Returns a try to a token after a payment that certainly had no effect. */
export const returnTry = (tx: Tx, jti: string) =>
  tx.rows(
    prepared(sql`
      update payment_tokens set tries = tries - 1
      where store_id = ${tx.store.id} and jti = ${jti} and tries > 0 returning jti`),
  )

const PAYMENTS_MAX = 50
const WINDOW_MS = 4_000

/**
 * Counts a request of shoppers of the store, over all processes.
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
