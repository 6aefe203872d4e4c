import { Value } from 'typebox/value'
import type { Db, Store } from '../../core/db/database.ts'
import { noPortFaults, type PortFaults } from '../../core/net/ports.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Gateway } from './gateways/gateway.ts'
import { isOffline, OFFLINE_GATEWAYS, offlineGateway } from './gateways/offline.ts'
import { openStripe, STRIPE, StripeCredentials } from './gateways/stripe.ts'
import { TEST_GATEWAY, testGateway } from './gateways/test-gateway.ts'
import type { Provider } from './providers.ts'

/** The ids of all gateways. */
export const GATEWAYS: readonly string[] = [TEST_GATEWAY, STRIPE, ...OFFLINE_GATEWAYS]

/** Most distinct credentials of a store for one gateway: a callback is compared with the signature of each. */
export const ACCOUNTS_MAX = 20

/** Most clients in the cache. They keep their connections for the next payment of a store. */
const KEPT_MAX = 500

/** Dependencies of gateways. */
export interface GatewayParts {
  secrets: Pick<Secrets, 'unseal' | 'linkSignature' | 'tokenHash'>
  /** The address of Stripe for tests; undefined for Stripe itself. */
  stripeApi?: string | undefined
  /** The faults of the test gateway. */
  faults?: PortFaults | undefined
}

/** Opens gateways with the configuration of a store. */
export class Gateways {
  readonly secrets: GatewayParts['secrets']
  readonly #stripeApi: string | undefined
  readonly #faults: PortFaults
  /** By store and sealed credentials. */
  readonly #clients = new Map<string, Promise<Gateway>>()

  constructor({ secrets, stripeApi, faults = noPortFaults }: GatewayParts) {
    this.#faults = faults
    this.secrets = secrets
    this.#stripeApi = stripeApi
  }

  /** Whether shoppers can pay by card with it. */
  takesCards(gateway: string): boolean {
    return !isOffline(gateway)
  }

  /** @returns one provider for each gateway and distinct set of credentials, at most `ACCOUNTS_MAX` for a gateway */
  accountsAmong(providers: readonly Provider[]): Provider[] {
    const accounts = new Map<string, Map<string, Provider>>()
    for (const provider of providers) {
      const ofGateway = accounts.get(provider.gateway) ?? new Map<string, Provider>()
      accounts.set(provider.gateway, ofGateway)
      const account = accountOf(provider, this.secrets)
      if (ofGateway.has(account) || ofGateway.size < ACCOUNTS_MAX) ofGateway.set(account, provider)
    }
    return [...accounts.values()].flatMap((ofGateway) => [...ofGateway.values()])
  }

  /** @throws Error if this server knows no such gateway, or its credentials can't be read */
  async open(
    db: Db,
    { gateway, options, credentials }: Pick<Provider, 'gateway' | 'options' | 'credentials'>,
  ): Promise<Gateway> {
    if (isOffline(gateway)) return offlineGateway(gateway)
    if (gateway === TEST_GATEWAY)
      return testGateway(db, options, this.secrets, () => this.#faults.occur(db.store, 'gateway'))
    if (gateway !== STRIPE) throw new Error(`This server knows no gateway "${gateway}".`)
    const key = `${db.store.id} ${credentials}`
    const client = this.#clients.get(key) ?? this.#openStripe(db.store, credentials)
    this.#clients.set(key, client)
    if (this.#clients.size > KEPT_MAX) this.#clients.delete([...this.#clients.keys()][0] ?? '')
    return client
  }

  async #openStripe({ hash }: Store, sealed: string): Promise<Gateway> {
    const credentials: unknown = JSON.parse(this.secrets.unseal(sealed))
    if (!Value.Check(StripeCredentials, credentials)) throw new Error('The credentials of stripe are not readable.')
    const mark = this.secrets.tokenHash(`keys of ${hash} at gateways`).slice(0, 16)
    return openStripe(credentials, { mark, api: this.#stripeApi })
  }
}

/**
 * Identifies the account of a provider at its gateway by its credentials. The same credentials differ when they are sealed twice.
 * @returns the sealed credentials if they can't be read
 */
export function accountOf({ credentials }: Pick<Provider, 'credentials'>, secrets: Pick<Secrets, 'unseal'>): string {
  try {
    const read: unknown = JSON.parse(secrets.unseal(credentials))
    return Value.Check(StripeCredentials, read) ? JSON.stringify([read.secret_key, read.webhook_secret]) : credentials
  } catch {
    return credentials
  }
}
