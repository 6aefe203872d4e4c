import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { isSigned, readJwt, signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Storefront } from '../storefronts.ts'

// Session sync: a link that carries the login and the cart of a shopper from the pages of a shop to those of this server, or back
// (docs/contract/storefront-tokens.md section 9). It is valid once.

const VALID_SECONDS = 300
/** The client under which spent tokens are stored. */
export const SYNC_CLIENT = 'session sync'

const Text = t.String({ maxLength: 2_048 })
const OptionalText = t.Optional(Text)

/** The facts of a visit, which shops pass through. */
const VisitFacts = t.Object({
  visitorId: OptionalText,
  visitId: OptionalText,
  url: OptionalText,
  ip: OptionalText,
  userAgent: OptionalText,
  referer: OptionalText,
  acceptLanguage: OptionalText,
  consent: t.Object({ targeting: t.Boolean(), analytics: t.Boolean(), functional: t.Boolean() }),
})
export type VisitFacts = Static<typeof VisitFacts>

const Claims = t.Object({
  operation: t.Literal('session_sync'),
  store_hash: t.String(),
  channel_id: t.Integer(),
  jti: t.String({ maxLength: 255 }),
  iat: t.Integer(),
  exp: t.Integer(),
  /** 0 for a guest. */
  customer_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  cart_id: t.Optional(t.String({ maxLength: 36 })),
  redirect_to: Text,
  request_ip: t.Optional(t.String({ maxLength: 64 })),
  visit: t.Optional(VisitFacts),
})
type Claims = Static<typeof Claims>

/** The content of a link. */
export type SyncContent = Pick<Claims, 'customer_id' | 'cart_id' | 'redirect_to' | 'request_ip' | 'visit'>

type Signing = Pick<Secrets, 'linkSignature'>

/** The key of the tokens of a store. */
const keyOf = ({ linkSignature }: Signing, { db }: Storefront) => linkSignature(`session sync of ${db.store.hash}`)

/** @param content its `redirect_to` is a path of the storefront */
export function signSessionSync(
  secrets: Signing,
  storefront: Storefront,
  content: SyncContent,
  now: Date,
): Promise<string> {
  const iat = unixSeconds(now)
  const claims: Claims = {
    operation: 'session_sync',
    store_hash: storefront.db.store.hash,
    channel_id: storefront.channel,
    jti: randomUUID(),
    iat,
    exp: iat + VALID_SECONDS,
    ...content,
  }
  return signJwt(claims, keyOf(secrets, storefront), { alg: 'HS256' })
}

/** The reason why a token is refused. */
export type SyncFault = 'expired' | 'other store' | 'other address' | 'invalid'

/** Whether a JWT says that it is one of these. It may be forged. */
export const isSessionSync = (jwt: string): boolean => Value.Check(Claims, readJwt(jwt)?.claims)

/** @param address of the shopper; undefined if it is unknown */
export async function readSessionSync(
  secrets: Signing,
  storefront: Storefront,
  { jwt, address, now }: { jwt: string; address: string | undefined; now: Date },
): Promise<{ claims: Claims } | { fault: SyncFault }> {
  const claims = readJwt(jwt)?.claims
  if (!Value.Check(Claims, claims)) return { fault: 'invalid' }
  if (claims.store_hash !== storefront.db.store.hash) return { fault: 'other store' }
  if (!(await isSigned(jwt, [keyOf(secrets, storefront)], ['HS256']))) return { fault: 'invalid' }
  if (claims.channel_id !== storefront.channel) return { fault: 'other store' }
  if (unixSeconds(now) >= claims.exp) return { fault: 'expired' }
  if (claims.request_ip !== undefined && claims.request_ip !== address) return { fault: 'other address' }
  return { claims }
}
