import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../core/db/database.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { hasThreeParts, isPast, isSigned, isToCome, readJwt, signJwt } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { keyAndRevocation, signingKey } from './keys.ts'

/**
 * A storefront token: a JWT that opens the GraphQL API of a store's storefronts (docs/contract/storefront-tokens.md).
 *
 * An API account creates it for one or more channels, with an expiry or without one. There are three types. A storefront token is
 * public: pages of the named origins send it, and the shopper is identified by a cookie. An impersonation token is for servers, and
 * each of its requests may name the customer that it acts for; it always expires. A private token is for servers, and reads and
 * changes only the fields of its scopes. The newest key of the store signs new tokens, and every key of the store verifies. The
 * server never stores a token: it stores only the ids of revoked ones. A revoked token, or one whose key was deleted, fails within a
 * second in every process.
 */

/** The types of tokens, by the number in the claim `token_type`. */
export const TOKEN_TYPES = { storefront: 1, impersonation: 2, private: 3 } as const
export type TokenType = keyof typeof TOKEN_TYPES

export const STOREFRONT_SCOPES = ['Unauthenticated', 'Customer', 'B2B'] as const
export type StorefrontScope = (typeof STOREFRONT_SCOPES)[number]

export const CHANNELS_MAX = 50
const ISSUER = 'SVC'
/** The form of a jti and of the name of a key. Others are not looked up, because PostgreSQL fails on a text with U+0000. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The last second that a token can name. A larger number is a time in milliseconds. */
export const TIME_MAX = 9_999_999_999
const Time = t.Integer({ minimum: 0, maximum: TIME_MAX })

/** The claims of a token. */
const Claims = t.Object({
  iss: t.Literal(ISSUER),
  iat: Time,
  /** When it expires; 0 for never. */
  eat: Time,
  exp: t.Optional(Time),
  /** The number of the store. */
  sid: t.Integer({ minimum: 1 }),
  cid: t.Array(ChannelId, { minItems: 1, maxItems: CHANNELS_MAX }),
  cors: t.Optional(t.Array(t.String())),
  /** The client that created it. */
  sub: t.String(),
  token_type: t.Enum(Object.values(TOKEN_TYPES)),
  scopes: t.Optional(t.Array(t.Enum([...STOREFRONT_SCOPES]))),
  jti: t.String({ pattern: UUID.source }),
})
export type Claims = Static<typeof Claims>

export const signToken = async (db: Db, secrets: Secrets, claims: Omit<Claims, 'iss' | 'sid'>): Promise<string> => {
  const { kid, key } = await signingKey(db, secrets)
  return signJwt({ iss: ISSUER, sid: db.store.id, ...claims }, key, { alg: 'ES256', kid })
}

/** A token with a valid signature of the store. */
interface SignedToken {
  claims: Claims
  isRevoked: boolean
}

/**
 * Reads a token and verifies its signature: the checks 2 to 4 of docs/contract/storefront-tokens.md section 5. It does not check
 * type and times.
 * @throws Problem 401 with the sentence of the check that fails
 */
export async function readSigned(db: Db, token: string): Promise<SignedToken> {
  if (!hasThreeParts(token)) throw refused('The token is not a JWT: it does not have three parts.')
  const jwt = readJwt(token)
  if (!jwt) throw refused('The JWT has no valid JSON.')
  const { header, claims } = jwt
  if (!Value.Check(Claims, claims)) throw refused('The JWT has JSON of an unknown format.')
  // Checked before the key, since a token of another store deserves a better sentence than an unknown key.
  if (claims.sid !== db.store.id) throw refused('The store id of the JWT does not match the store of this address.')
  const found =
    header.alg === 'ES256' && typeof header.kid === 'string' && UUID.test(header.kid)
      ? await keyAndRevocation(db, header.kid, claims.jti)
      : undefined
  if (!found || !(await isSigned(token, [found.public_key], ['ES256']))) throw refused('The JWT signature is invalid.')
  return { claims, isRevoked: found.is_revoked }
}

/**
 * Verifies a token: the checks 2 to 8 of docs/contract/storefront-tokens.md section 5.
 * @param channel the channel of the request
 * @param read `readSigned`, or a cache of it
 * @throws Problem 401 with the sentence of the check that fails
 */
export async function verifyToken(
  db: Db,
  token: string,
  { channel, now, read = readSigned }: { channel: number; now: Date; read?: typeof readSigned },
): Promise<Claims> {
  const { claims, isRevoked } = await read(db, token)
  if (claims.eat > 0 && isPast(claims.eat, now)) throw refused('The JWT is expired.')
  if (isToCome(claims.iat, now)) throw refused('The JWT is not valid yet.')
  if (isRevoked) throw refused('Unknown JWT token.')
  if (!claims.cid.includes(channel)) throw refused('The channel id of this address is not among those of the JWT.')
  return claims
}

const refused = (sentence: string) => new Problem(401, sentence)
