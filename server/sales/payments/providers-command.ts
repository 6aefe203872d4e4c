import { Value } from 'typebox/value'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { knownChannels } from '../../shop/channels/channels.ts'
import { currencyPair } from '../../shop/channels/currencies/shape.ts'
import { INSTRUCTIONS_MAX, isOffline } from './gateways/offline.ts'
import { STRIPE, StripeCredentials } from './gateways/stripe.ts'
import { TEST_GATEWAY, TestOptions } from './gateways/test-gateway.ts'
import { ACCOUNTS_MAX, accountOf, GATEWAYS } from './gateways.ts'
import { type PaymentMode, type Provider, providersOf } from './providers.ts'

// Configures the payment providers of a store for the operator's commands (docs/operations.md, Payments).

/** A provider without its credentials. */
export type PublicProvider = Omit<Provider, 'credentials'>

const toPublic = ({ credentials: _, ...provider }: Provider): PublicProvider => provider

export const listProviders = async (db: Db): Promise<PublicProvider[]> => (await providersOf(db)).map(toPublic)

/**
 * Configures the test gateway for all channels and currencies of a store without providers. The sandbox and tests pay with it. In a real
 * store only its operator can configure it.
 */
export const setUpTestGateway = (db: Db) =>
  db.transaction(async (tx) => {
    if ((await providersOf(tx)).length > 0) return
    const row = { gateway: TEST_GATEWAY, channel_id: 0, currency: '', mode: 'purchase', is_test: true, options: '{}' }
    await tx.rows(sql`
      insert into payment_providers ${sql.rows([{ store_id: tx.store.id, ...row, credentials: '', updated_at: tx.now }])}
      on conflict do nothing returning gateway`)
  })

/** Lets a new demo store be paid by bank transfer. */
export const setUpBankTransfer = (tx: Tx, instructions: string) =>
  tx.rows(sql`
    insert into payment_providers ${sql.rows([
      {
        store_id: tx.store.id,
        gateway: 'bankdeposit',
        channel_id: 0,
        currency: '',
        mode: 'purchase',
        is_test: false,
        options: JSON.stringify({ instructions }),
        credentials: '',
        updated_at: tx.now,
      },
    ])} on conflict do nothing returning gateway`)

/** The configuration of a provider by an operator. */
export interface ProviderWish {
  gateway: string
  /** 0 for all channels. */
  channel: number
  /** `''` for all currencies. */
  currency: string
  mode: PaymentMode
  /** Such as `partialRefund=false`. */
  options: readonly string[]
  /** The JSON of the file of credentials. */
  credentials?: string | undefined
}

/**
 * Configures a provider or replaces its configuration. Without credentials in the input, the stored ones remain.
 * @throws Error with a sentence for the operator
 */
export function setProvider(
  db: Db,
  wish: ProviderWish,
  secrets: Pick<Secrets, 'seal' | 'unseal'>,
): Promise<PublicProvider> {
  const { gateway, channel: channel_id, currency, mode } = wish
  if (!GATEWAYS.includes(gateway)) {
    throw new Error(`There is no gateway "${gateway}". The gateways are ${GATEWAYS.join(', ')}.`)
  }
  const options = optionsOf(wish)
  const received = wish.credentials === undefined ? undefined : credentialsIn(gateway, wish.credentials)
  return db.transaction(async (tx) => {
    await refuseUnknown(tx, wish)
    const stored = await tx.maybeRow<{ credentials: string; is_test: boolean }>(sql`
      select credentials, is_test from payment_providers
      where store_id = ${tx.store.id} and gateway = ${gateway} and channel_id = ${channel_id} and currency = ${currency}`)
    if (gateway === STRIPE && !received && !stored) throw new Error('The provider stripe needs --credentials.')
    const is_test = received ? received.secret_key.includes('_test_') : (stored?.is_test ?? gateway === TEST_GATEWAY)
    const credentials = received ? secrets.seal(JSON.stringify(received)) : (stored?.credentials ?? '')
    if (tx.store.isTest && gateway === STRIPE && !is_test) {
      throw new Error('A test store takes no money: its credentials of stripe must be those of a test account.')
    }
    const provider: Provider = { gateway, channel_id, currency, mode, is_test, options, credentials }
    const row = { store_id: tx.store.id, ...provider, options: JSON.stringify(options), updated_at: tx.now }
    await tx.rows(sql`
      insert into payment_providers ${sql.rows([row])}
      on conflict (store_id, gateway, channel_id, currency) do update set mode = excluded.mode, is_test = excluded.is_test,
        options = excluded.options, credentials = excluded.credentials, updated_at = excluded.updated_at`)
    await refuseManyAccounts(tx, gateway, secrets)
    return toPublic(provider)
  })
}

async function refuseManyAccounts(tx: Tx, gateway: string, secrets: Pick<Secrets, 'unseal'>) {
  const providers = (await providersOf(tx)).filter((one) => one.gateway === gateway)
  const accounts = new Set(providers.map((provider) => accountOf(provider, secrets)))
  if (accounts.size > ACCOUNTS_MAX) {
    throw new Error(`A store can have at most ${ACCOUNTS_MAX} sets of credentials for ${gateway}.`)
  }
}

async function refuseUnknown(db: Db, { channel, currency }: Pick<ProviderWish, 'channel' | 'currency'>) {
  if (channel > 0 && !(await knownChannels(db, [channel])).has(channel)) {
    throw new Error(`The store has no channel ${channel}.`)
  }
  if (currency !== '' && !(await currencyPair(db, currency)).wanted) {
    throw new Error(`The store has no currency "${currency}".`)
  }
}

function optionsOf({ gateway, options }: ProviderWish): object {
  if (isOffline(gateway)) return offlineOptions(options)
  if (options.length > 0 && gateway !== TEST_GATEWAY) throw new Error(`The gateway ${gateway} has no options.`)
  const pairs = options.map((pair) => {
    const [, name = '', value] = /^(\w+)=(true|false)$/.exec(pair) ?? []
    if (!(name in TestOptions.properties)) {
      throw new Error(`--option: "${pair}" is not one of partialRefund and multipleRefunds with =true or =false.`)
    }
    return [name, value === 'true']
  })
  return Object.fromEntries(pairs)
}

function offlineOptions(options: readonly string[]): object {
  const [option, ...more] = options
  if (option === undefined) return {}
  const [, instructions = ''] = /^instructions=(.+)$/s.exec(option) ?? []
  if (more.length > 0 || instructions === '' || instructions.length > INSTRUCTIONS_MAX) {
    throw new Error(`--option: an offline method has instructions=..., with at most ${INSTRUCTIONS_MAX} characters.`)
  }
  return { instructions }
}

/** @throws Error without the credentials in its message */
function credentialsIn(gateway: string, text: string) {
  if (gateway !== STRIPE) throw new Error(`The gateway ${gateway} takes no credentials.`)
  const wrong = new Error('The credentials of stripe are JSON with secret_key, and webhook_secret if it calls back.')
  try {
    const credentials: unknown = JSON.parse(text)
    if (!Value.Check(StripeCredentials, credentials)) throw wrong
    return credentials
  } catch {
    throw wrong
  }
}

/** @returns whether the provider existed */
export async function removeProvider(
  db: Db,
  { gateway, channel, currency }: Pick<ProviderWish, 'gateway' | 'channel' | 'currency'>,
): Promise<boolean> {
  const deleted = await db.transaction((tx) =>
    tx.rows(sql`
      delete from payment_providers where store_id = ${tx.store.id} and gateway = ${gateway}
        and channel_id = ${channel} and currency = ${currency} returning gateway`),
  )
  return deleted.length > 0
}
