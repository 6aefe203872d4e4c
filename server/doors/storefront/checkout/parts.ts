import type { Clock } from '../../../core/clock.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { CartParts } from '../../../sales/carts/changes/change.ts'
import type { Gateways } from '../../../sales/payments/gateways.ts'
import type { TokenParts } from '../../../sales/payments/tokens.ts'
import type { Logins } from '../sessions/logins.ts'

/** The parts of the server that the checkout page needs. */
export interface PageParts {
  carts: CartParts
  gateways: Gateways
  tokens: TokenParts
  secrets: Pick<Secrets, 'linkSignature' | 'tokenHash'>
  clock: Clock
  logins: Logins
}
