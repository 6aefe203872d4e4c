import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { isPast, isSigned, isToCome, readJwt, signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'

// The JWT by which a page proves its customer to an application (docs/contract/storefront-tokens.md section 7).

const VALID_SECONDS = 900

const Time = t.Integer({ minimum: 0, maximum: 9_999_999_999 })
const Claims = t.Object({
  customer: t.Object({ id: t.Integer({ minimum: 1 }), email: t.String(), group_id: t.String() }),
  iss: t.Literal('bc/apps'),
  /** The hash of the store. */
  sub: t.String(),
  iat: Time,
  exp: Time,
  version: t.Literal(1),
  /** The client id of the application. */
  aud: t.String(),
  application_id: t.String(),
  store_hash: t.String(),
  operation: t.Literal('current_customer'),
})
export type CurrentCustomer = Static<typeof Claims>['customer']

/** @param secret the secret of the client */
export function signCurrentCustomer(
  customer: CurrentCustomer,
  { storeHash, clientId, secret, now }: { storeHash: string; clientId: string; secret: string; now: Date },
): Promise<string> {
  const iat = unixSeconds(now)
  const claims: Static<typeof Claims> = {
    customer,
    iss: 'bc/apps',
    sub: storeHash,
    iat,
    exp: iat + VALID_SECONDS,
    version: 1,
    aud: clientId,
    application_id: clientId,
    store_hash: storeHash,
    operation: 'current_customer',
  }
  return signJwt(claims, secret, { alg: 'HS256' })
}

/**
 * Reads the customer of a JWT.
 * @param secrets the secrets of the client, any of which may have signed it
 * @returns undefined if it is forged, expired, or for another store or client
 */
export async function readCurrentCustomer(
  token: string,
  { storeHash, clientId, secrets, now }: { storeHash: string; clientId: string; secrets: readonly string[]; now: Date },
): Promise<CurrentCustomer | undefined> {
  const claims = readJwt(token)?.claims
  if (!Value.Check(Claims, claims)) return undefined
  const { customer, iat, exp, aud, store_hash } = claims
  if (store_hash !== storeHash || aud !== clientId) return undefined
  if (isPast(exp, now) || isToCome(iat, now)) return undefined
  return (await isSigned(token, secrets, ['HS256'])) ? customer : undefined
}
