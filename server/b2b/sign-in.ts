import { createHash } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { Db } from '../core/db/database.ts'
import { Problem } from '../core/rest/problem.ts'
import type { Secrets } from '../core/secrets.ts'
import { isPassword } from '../customers/passwords.ts'
import type { Directory } from '../stores/directory.ts'
import type { FailedLogins } from '../stores/failed-logins.ts'
import { noteFailure, refuseClosed } from '../stores/gate.ts'

// What the requests share that come with credentials in place of a token: their store comes from the body or a JWT.

export interface SignInParts {
  directory: Directory
  secrets: Secrets
  clock: Clock
  failedLogins: FailedLogins
}

/** Where somebody asks from. */
export interface Origin {
  ip: string
}

/** Who guesses, for the count of guesses: no table holds addresses of people. */
export const guesserAt = ({ ip }: Origin): string =>
  `from ${createHash('sha256').update(ip).digest('base64url').slice(0, 22)}`

/** One sentence for whatever is wrong with credentials: nobody learns which accounts there are. */
export const falseCredentials = () => new Problem(400, 'The credentials are not correct.')

/**
 * The store that credentials are for. For one that is not there as much is done as for a false password, and as much is said.
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
    const barred = noteFailure(ip, parts.failedLogins)
    if (barred) throw barred
    await isPassword({ id: 0 }, password, undefined)
    throw falseCredentials()
  }
  const closed = refuseClosed(store.state)
  if (closed) throw closed
  return db
}
