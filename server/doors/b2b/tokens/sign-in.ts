import { createHash } from 'node:crypto'
import t, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import { SMALL_BODY_MAX } from '../../../core/rest/bodies/bodies.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { isSigned, readJwt } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { isPassword } from '../../../customers/logins/passwords.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import type { Directory, StoreEntry } from '../../../stores/directory/directory.ts'
import { recordFailure, refuseClosed } from '../../../stores/gate/gate.ts'
import type { FailedLogins } from '../../../stores/quotas/failed-logins.ts'

// Shared by requests with credentials instead of a token. Their store comes from the body or a JWT.

/** The configuration of their routes. */
export const signInConfig = { isOpen: true, bodyMax: SMALL_BODY_MAX }

export interface SignInParts {
  directory: Directory
  secrets: Secrets
  clock: Clock
  failedLogins: FailedLogins
}

/** The origin of a request. */
export interface Origin {
  ip: string
}

/** The key under which failed logins of an address are counted. It is a digest, because no table stores addresses of people. */
export const guesserAt = ({ ip }: Origin): string =>
  `from ${createHash('sha256').update(ip).digest('base64url').slice(0, 22)}`

/** One sentence for all wrong credentials, so that it doesn't reveal which accounts exist. */
export const wrongCredentials = () => new Problem(400, 'The credentials are not correct.')

/**
 * Opens the store of credentials. An unknown store takes the same work and has the same answer as a wrong password.
 * @throws Problem 400, 429, 503 for a store that is closed
 */
export async function openStore(
  parts: SignInParts,
  hash: string,
  { ip, password }: Origin & { password: string },
): Promise<Db> {
  const store = await parts.directory.find(hash)
  const db = store && (await parts.directory.dbById(store.id))
  if (!db) {
    const barred = recordFailure(ip, parts.failedLogins)
    if (barred) throw barred
    await isPassword({ id: 0 }, password, undefined)
    throw wrongCredentials()
  }
  const closed = refuseClosed(store.state)
  if (closed) throw closed
  return db
}

const Seconds = t.Integer({ minimum: 1, maximum: 9_999_999_999 })

/** The fields of a body with credentials, and of the token to create. */
export const credentialFields = {
  storeHash: t.String({ minLength: 1, maxLength: 64 }),
  email: t.String({ minLength: 1, maxLength: 255 }),
  password: t.String({ minLength: 1, maxLength: 255 }),
  channelId: t.Optional(ChannelId),
  name: t.Optional(t.String({ maxLength: 255 })),
  beginAt: t.Optional(Seconds),
  endAt: t.Optional(Seconds),
}

/** No token of the server is longer. */
const TOKEN_LENGTH_MAX = 4_096
const OfStore = t.Object({ store_hash: t.String() })

/**
 * Verifies the signature of a token. The algorithm is fixed, and the key is that of the store in its claims: its header has no
 * influence. The caller checks its times and its row.
 * @returns undefined for a forged token, or one with other claims
 */
export async function readCompanionToken<Claims extends TSchema>(
  { directory, secrets }: Pick<SignInParts, 'directory' | 'secrets'>,
  token: string,
  Claims: Claims,
): Promise<{ store: StoreEntry; claims: Static<Claims> } | undefined> {
  if (token.length > TOKEN_LENGTH_MAX) return undefined
  const claims: unknown = readJwt(token)?.claims
  if (!Value.Check(OfStore, claims) || !Value.Check(Claims, claims)) return undefined
  const store = await directory.find(claims.store_hash)
  if (!store || !(await isSigned(token, [secrets.companionKey(store.hash)], ['HS256']))) return undefined
  return { store, claims }
}
