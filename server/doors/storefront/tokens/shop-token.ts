import { randomUUID } from 'node:crypto'
import type { Db } from '../../../core/db/database.ts'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { STOREFRONT_SCOPES, signToken, TOKEN_TYPES } from './tokens.ts'

/** The client of tokens that an operator's command made. */
const CLIENT = 'storeward'

/** A private token with all scopes for the server of a shop. It never expires, and can be revoked. */
export const createShopToken = (
  db: Db,
  secrets: Secrets,
  { channel, now }: { channel: number; now: Date },
): Promise<string> =>
  signToken(db, secrets, {
    iat: unixSeconds(now),
    eat: 0,
    cid: [channel],
    sub: CLIENT,
    token_type: TOKEN_TYPES.private,
    scopes: [...STOREFRONT_SCOPES],
    jti: randomUUID(),
  })
