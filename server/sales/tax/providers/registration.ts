import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { countryOf } from '../../../core/geography/countries.ts'
import { parseServiceAddress } from '../../../core/net/service-address.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { CALLS, findTaxProvider, isConfigured, PROFILE, type TaxProvider, taxProvidersOf } from './providers.ts'

// How an operator registers tax providers for a store.

const PROVIDER_ID = '^[a-z0-9][a-z0-9_-]{0,49}$'
const ESTIMATE_MS_MAX = 4_000

/** A provider as an operator sees it: without its secrets. */
export interface TaxProviderRegistration
  extends Pick<TaxProvider, 'provider_id' | 'urls' | 'estimate_ms' | 'is_active' | 'submits_orders' | 'target'> {
  is_configured: boolean
  has_secret: boolean
}

const withoutSecrets = (provider: TaxProvider): TaxProviderRegistration => {
  const {
    secret,
    username: _username,
    password: _password,
    profile: _profile,
    failing_since: _since,
    ...facts
  } = provider
  return { ...facts, is_configured: isConfigured(provider), has_secret: secret !== '' }
}

export const listTaxProviders = async (db: Db): Promise<TaxProviderRegistration[]> =>
  (await taxProvidersOf(db)).map(withoutSecrets)

/** The settings of a provider. Settings that are not given stay; a new provider needs its address. */
export interface TaxProviderSettings {
  id: string
  /** The address before the name of the call: `https://tax.example.com/v1`, perhaps with `{profile}`. */
  url?: string | undefined
  estimateMs?: number | undefined
  isActive?: boolean | undefined
  submitsOrders?: boolean | undefined
  /** Such as `US` and `US-CA`. Without any it calculates everywhere. */
  regions?: readonly string[] | undefined
  secret?: string | undefined
}

/**
 * Registers a provider, or changes it.
 * @throws Error with a sentence for the operator
 */
export function setTaxProvider(
  db: Db,
  settings: TaxProviderSettings,
  { secrets, origins }: { secrets: Pick<Secrets, 'seal'>; origins: readonly string[] },
): Promise<TaxProviderRegistration> {
  const { id, url, estimateMs, regions, secret } = settings
  if (!new RegExp(PROVIDER_ID).test(id)) throw new Error(`"${id}" is no id: 1 to 50 of a-z, 0-9, _ and -.`)
  if (url !== undefined) refuseFaultyUrl(url, origins)
  if (estimateMs !== undefined && !(Number.isInteger(estimateMs) && estimateMs >= 1 && estimateMs <= ESTIMATE_MS_MAX)) {
    throw new Error(`The time of an estimate is 1 to ${ESTIMATE_MS_MAX} ms.`)
  }
  const target = regions === undefined ? undefined : targetOf(regions)
  return db.transaction(async (tx) => {
    await changeStamp(tx, 'tax')
    const stored = await findTaxProvider(tx, id, sql`for update`)
    const urls = url === undefined ? stored?.urls : urlsBelow(url)
    if (!urls) throw new Error(`The store has no tax provider "${id}"; a new one needs --url.`)
    const is_active = settings.isActive ?? stored?.is_active ?? false
    const row = {
      store_id: tx.store.id,
      provider_id: id,
      urls: JSON.stringify(urls),
      estimate_ms: estimateMs ?? stored?.estimate_ms ?? ESTIMATE_MS_MAX,
      is_active,
      submits_orders: settings.submitsOrders ?? stored?.submits_orders ?? false,
      target: JSON.stringify(target ?? stored?.target ?? targetOf([])),
      secret: secret === undefined ? (stored?.secret ?? '') : secrets.seal(secret),
    }
    // At most one is active.
    if (is_active) {
      await tx.rows(sql`
        update tax_providers set is_active = false where store_id = ${tx.store.id} and provider_id <> ${id} and is_active`)
    }
    const { store_id: _, provider_id: __, ...changes } = row
    await tx.rows(sql`
      insert into tax_providers ${sql.rows([row])}
      on conflict (store_id, provider_id) do update set ${sql.set(changes)}`)
    const now = await findTaxProvider(tx, id)
    if (!now) throw new Error('The tax provider was not stored.')
    return withoutSecrets(now)
  })
}

/** @returns whether it was registered */
export async function removeTaxProvider(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await changeStamp(tx, 'tax')
    const gone = await tx.rows(sql`
      delete from tax_providers where store_id = ${tx.store.id} and provider_id = ${id} returning provider_id`)
    return gone.length > 0
  })
}

/** @param origins that need neither https nor port 443 */
function refuseFaultyUrl(url: string, origins: readonly string[]) {
  const { hostname } = parseServiceAddress(url, origins)
  if (hostname.includes('profile')) throw new Error(`${PROFILE} can't be part of the host.`)
}

function urlsBelow(url: string): TaxProvider['urls'] {
  const base = url.replace(/\/+$/, '')
  const [estimate, commit, adjust, voids] = CALLS.map((call) => `${base}/${call}`)
  return { estimate: estimate ?? '', commit: commit ?? '', adjust: adjust ?? '', void: voids ?? '' }
}

function targetOf(regions: readonly string[]): TaxProvider['target'] {
  const country_codes: string[] = []
  const subdivision_codes: string[] = []
  for (const region of regions.map((one) => one.toUpperCase())) {
    const [country = '', state] = region.split('-')
    if (!/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(region) || countryOf(country) === undefined) {
      throw new Error(`"${region}" is no region such as US or US-CA.`)
    }
    if (state === undefined) country_codes.push(country)
    else subdivision_codes.push(region)
  }
  return { country_codes, subdivision_codes }
}
