import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { instructionsIn, isOffline, offlineGateway } from './gateways/offline.ts'

// The payment providers of a store, by channel and currency (docs/contract/payments.md section 5). The operator configures them; the contract
// has no endpoint for it.

export type PaymentMode = 'purchase' | 'authorize'

/** A gateway with its configuration for some channels and currencies of a store. */
export interface Provider {
  /** The id of the gateway, such as `stripe`. */
  gateway: string
  /** 0 for all channels. */
  channel_id: number
  /** `''` for all currencies. */
  currency: string
  /** Whether payments take the money at once, or reserve it until it is captured. */
  mode: PaymentMode
  is_test: boolean
  options: object
  /** Encrypted; `''` for a gateway that needs none. */
  credentials: string
}

/** Offline gateways need no configuration. */
const offlineProvider = (gateway: string): Provider => ({
  gateway,
  channel_id: 0,
  currency: '',
  mode: 'purchase',
  is_test: false,
  options: {},
  credentials: '',
})

/** The configured providers of a store. Without any, the store takes no payments. */
export const providersOf = (db: Db): Promise<Provider[]> =>
  db.rows<Provider>(
    prepared(sql`
      select gateway, channel_id, currency, mode, is_test, options, credentials from payment_providers
      where store_id = ${db.store.id} order by gateway, channel_id, currency`),
  )

/** The channel and the currency of a payment. */
export interface PaymentPlace {
  channel_id: number
  currency: string
}

/** The gateways that can take a payment, each with its most specific configuration for the channel and currency. */
export async function providersAt(db: Db, place: PaymentPlace): Promise<Provider[]> {
  const weight = ({ channel_id, currency }: Provider) => (channel_id > 0 ? 2 : 0) + (currency === '' ? 0 : 1)
  const fitting = (await providersOf(db))
    .filter(({ channel_id }) => channel_id === 0 || channel_id === place.channel_id)
    .filter(({ currency }) => currency === '' || currency === place.currency)
    .sort((one, other) => weight(other) - weight(one))
  return [...new Map(fitting.toReversed().map((provider) => [provider.gateway, provider])).values()]
}

/**
 * The configuration of the gateway of a payment, for its captures, voids and refunds.
 * @param gateway the gateway of the transaction
 * @returns undefined if it is not, or no longer, configured
 */
export async function providerAt(db: Db, gateway: string, place: PaymentPlace): Promise<Provider | undefined> {
  if (isOffline(gateway)) return offlineProvider(gateway)
  return (await providersAt(db, place)).find((provider) => provider.gateway === gateway)
}

/** One configuration of each gateway of the store. */
export async function configuredGateways(db: Db): Promise<Provider[]> {
  return [...new Map((await providersOf(db)).map((provider) => [provider.gateway, provider])).values()]
}

/**
 * The text by which an offline method tells shoppers how to pay an order; empty for none.
 * @param name of the method, as the order has it
 */
export async function offlineInstructions(
  db: Db,
  { name, ...place }: PaymentPlace & { name: string },
): Promise<string> {
  const provider = (await providersAt(db, place)).find(
    ({ gateway }) => isOffline(gateway) && offlineGateway(gateway).name === name,
  )
  return provider ? instructionsIn(provider.options) : ''
}
