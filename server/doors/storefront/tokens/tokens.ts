import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../core/db/database.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { hasThreeParts, isPast, isSigned, isToCome, readJwt, signJwt } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { keyAndRevocation, signingKey } from './keys.ts'

// Storefront tokens (docs/contract/storefront-tokens.md sections 1 and 3).

/** What a token is for, by the number that its claim `token_type` has. */
export const TOKEN_TYPES = { storefront: 1, impersonation: 2, private: 3 } as const
export type TokenType = keyof typeof TOKEN_TYPES

export const STOREFRONT_SCOPES = ['Unauthenticated', 'Customer', 'B2B'] as const
export type StorefrontScope = (typeof STOREFRONT_SCOPES)[number]

export const CHANNELS_MAX = 50
const ISSUER = 'SVC'
/** The form of a jti and of the name of a key. Others are not looked up: PostgreSQL fails on a text with U+0000. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The last second that a token can name. More is a time in milliseconds. */
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
  /** The client that made it. */
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

/** A token that a key of the store has signed. */
interface SignedToken {
  claims: Claims
  isRevoked: boolean
}

/**
 * Reads a token that a key of the store has signed, whatever it is for and whether or not it has ended. These are the checks 2 to 4
 * of docs/contract/storefront-tokens.md section 5.
 * @throws Problem 401 with the sentence of the check that fails
 */
export async function readSigned(db: Db, token: string): Promise<SignedToken> {
  if (!hasThreeParts(token)) throw refused('The token is not a JWT: it does not have three parts.')
  const jwt = readJwt(token)
  if (!jwt) throw refused('The JWT has no valid JSON.')
  const { header, claims } = jwt
  if (!Value.Check(Claims, claims)) throw refused('The JWT has JSON of an unknown format.')
  // A key of another store is not looked for: of a token that says where it belongs this is what helps.
  if (claims.sid !== db.store.id) throw refused('The store id of the JWT does not match the store of this address.')
  const found =
    header.alg === 'ES256' && typeof header.kid === 'string' && UUID.test(header.kid)
      ? await keyAndRevocation(db, header.kid, claims.jti)
      : undefined
  if (!found || !(await isSigned(token, [found.public_key], ['ES256']))) throw refused('The JWT signature is invalid.')
  return { claims, isRevoked: found.is_revoked }
}

/**
 * Judges a token by all that it says itself: the checks 2 to 8 of docs/contract/storefront-tokens.md section 5.
 * @param channel that is asked for
 * @param read `readSigned`, or what remembers its answers
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
