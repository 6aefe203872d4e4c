import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'

// A tax provider is a service that calculates tax in place of the store's own rates. The operator registers it for a store and says
// where it counts (`registration.ts`); clients of the store give it their login (`connections.ts`).

export const CALLS = ['estimate', 'commit', 'adjust', 'void'] as const
export type ProviderCall = (typeof CALLS)[number]

/** Places in which a provider calculates; empty lists for all. */
interface ProviderTarget {
  country_codes: string[]
  subdivision_codes: string[]
}

/** A provider as it is registered, and its connection, if there is one. */
export interface TaxProvider {
  provider_id: string
  urls: Readonly<Record<ProviderCall, string>>
  estimate_ms: number
  is_active: boolean
  submits_orders: boolean
  target: ProviderTarget
  /** Encrypted; `''` for none. */
  secret: string
  username: string | null
  /** Encrypted. */
  password: string | null
  profile: string | null
  /** Since when its calls fail, one after the other; null while they succeed. */
  failing_since: string | null
}

const columns = sql.join(
  [
    'provider_id',
    'urls',
    'estimate_ms',
    'is_active',
    'submits_orders',
    'target',
    'secret',
    'username',
    'password',
    'profile',
    'failing_since',
  ].map(sql.id),
)

/** A placeholder of addresses: the profile of the connection takes its place. */
export const PROFILE = '{profile}'

export const needsProfile = ({ urls }: Pick<TaxProvider, 'urls'>): boolean =>
  CALLS.some((call) => urls[call].includes(PROFILE))

/** Whether a provider has all that its calls need. */
export const isConfigured = (provider: TaxProvider): boolean =>
  Boolean(provider.username) && Boolean(provider.password) && (!needsProfile(provider) || Boolean(provider.profile))

export const taxProvidersOf = (db: Db): Promise<TaxProvider[]> =>
  db.rows<TaxProvider>(
    prepared(sql`select ${columns} from tax_providers where store_id = ${db.store.id} order by provider_id`),
  )

/** @param locking `for update` to lock the row */
export async function findTaxProvider(db: Db, id: string, locking = sql.empty): Promise<TaxProvider | undefined> {
  const [row] = await db.rows<TaxProvider>(
    prepared(sql`
    select ${columns} from tax_providers where store_id = ${db.store.id} and provider_id = ${id} ${locking}`),
  )
  return row
}

/** The provider that calculates the tax of a store, and its regions. */
export type ActiveProvider = Pick<TaxProvider, 'provider_id' | 'target'>

/** @returns undefined if none is active, or the active one is not configured */
export async function findActiveProvider(db: Db): Promise<ActiveProvider | undefined> {
  const [row] = await db.rows<TaxProvider>(
    prepared(sql`select ${columns} from tax_providers where store_id = ${db.store.id} and is_active`),
  )
  return row && isConfigured(row) ? { provider_id: row.provider_id, target: row.target } : undefined
}

/** Whether a provider calculates for a destination. @param subdivision_code of ISO 3166-2 without the country */
export function servesRegion(
  { target: { country_codes, subdivision_codes } }: Pick<TaxProvider, 'target'>,
  { country_code, subdivision_code }: { country_code: string; subdivision_code: string },
): boolean {
  if (country_codes.length + subdivision_codes.length === 0) return true
  return country_codes.includes(country_code) || subdivision_codes.includes(`${country_code}-${subdivision_code}`)
}
