import type { Db } from '../core/db/database.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Gateway } from './gateways/gateway.ts'
import { isOffline, offlineGateway } from './gateways/offline.ts'
import { TEST_GATEWAY, testGateway } from './gateways/test-gateway.ts'
import type { Provider } from './providers.ts'

/** What gateways are made with. */
export interface GatewayParts {
  secrets: Pick<Secrets, 'unseal' | 'linkSignature'>
}

/** Makes a gateway as a store has it set up. */
export class Gateways {
  readonly secrets: GatewayParts['secrets']

  constructor({ secrets }: GatewayParts) {
    this.secrets = secrets
  }

  /** Whether shoppers can pay by card with it. */
  takesCards(gateway: string): boolean {
    return !isOffline(gateway)
  }

  /** @throws Error if this server knows no such gateway, or its credentials can't be read */
  async open(db: Db, { gateway, options }: Pick<Provider, 'gateway' | 'options' | 'credentials'>): Promise<Gateway> {
    if (isOffline(gateway)) return offlineGateway(gateway)
    if (gateway === TEST_GATEWAY) return testGateway(db, options, this.secrets)
    throw new Error(`This server knows no gateway "${gateway}".`)
  }
}
