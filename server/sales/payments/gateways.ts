import { Value } from 'typebox/value'
import type { Db, Store } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Gateway } from './gateways/gateway.ts'
import { isOffline, OFFLINE_GATEWAYS, offlineGateway } from './gateways/offline.ts'
import { openStripe, STRIPE, StripeCredentials } from './gateways/stripe.ts'
import { TEST_GATEWAY, testGateway } from './gateways/test-gateway.ts'
import type { Provider } from './providers.ts'

/** Every gateway that this server knows. */
export const GATEWAYS: readonly string[] = [TEST_GATEWAY, STRIPE, ...OFFLINE_GATEWAYS]

/** Distinct sets of credentials that a store may have for one gateway: a callback is compared with the signature of each. */
export const ACCOUNTS_MAX = 20

/** Clients that are kept, with their connections, for the next payment of a store. */
const KEPT_MAX = 500

/** What gateways are made with. */
export interface GatewayParts {
  secrets: Pick<Secrets, 'unseal' | 'linkSignature' | 'tokenHash'>
  /** Address of Stripe, if it is not Stripe's own. */
  stripeApi?: string | undefined
}

/** Makes a gateway as a store has it set up. */
export class Gateways {
  readonly secrets: GatewayParts['secrets']
  readonly #stripeApi: string | undefined
  /** By their store, and their credentials as they are sealed. */
  readonly #kept = new Map<string, Promise<Gateway>>()

  constructor({ secrets, stripeApi }: GatewayParts) {
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
      const known = accounts.get(provider.gateway) ?? new Map<string, Provider>()
      accounts.set(provider.gateway, known)
      const account = accountOf(provider, this.secrets)
      if (known.has(account) || known.size < ACCOUNTS_MAX) known.set(account, provider)
    }
    return [...accounts.values()].flatMap((known) => [...known.values()])
  }

  /** @throws Error if this server knows no such gateway, or its credentials can't be read */
  async open(
    db: Db,
    { gateway, options, credentials }: Pick<Provider, 'gateway' | 'options' | 'credentials'>,
  ): Promise<Gateway> {
    if (isOffline(gateway)) return offlineGateway(gateway)
    if (gateway === TEST_GATEWAY) return testGateway(db, options, this.secrets)
    if (gateway !== STRIPE) throw new Error(`This server knows no gateway "${gateway}".`)
    const own = `${db.store.id} ${credentials}`
    const kept = this.#kept.get(own) ?? this.#openStripe(db.store, credentials)
    this.#kept.set(own, kept)
    if (this.#kept.size > KEPT_MAX) this.#kept.delete([...this.#kept.keys()][0] ?? '')
    return kept
  }

  async #openStripe({ hash }: Store, sealed: string): Promise<Gateway> {
    const credentials: unknown = JSON.parse(this.secrets.unseal(sealed))
    if (!Value.Check(StripeCredentials, credentials)) throw new Error('The credentials of stripe are not readable.')
    const mark = this.secrets.tokenHash(`keys of ${hash} at gateways`).slice(0, 16)
    return openStripe(credentials, { mark, api: this.#stripeApi })
  }
}

/**
 * The account at its gateway that a provider stands for: its credentials. Sealed twice, the same credentials differ.
 * @returns them as they are sealed if they can't be read
 */
export function accountOf({ credentials }: Pick<Provider, 'credentials'>, secrets: Pick<Secrets, 'unseal'>): string {
  try {
    const read: unknown = JSON.parse(secrets.unseal(credentials))
    return Value.Check(StripeCredentials, read) ? JSON.stringify([read.secret_key, read.webhook_secret]) : credentials
  } catch {
    return credentials
  }
}
