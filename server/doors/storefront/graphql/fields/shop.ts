import { prepared } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { Load } from '../../../../core/graphql/loads.ts'
import { stampOf } from '../../../../core/stamps/stamps.ts'
import { type Definition, definitionRows } from '../../../../customers/form-fields/shape.ts'
import { customerSettingsRows } from '../../../../customers/settings.ts'
import { shippedCountries } from '../../../../sales/shipping/zones.ts'
import { allCurrencyRows, assignedCurrencies, type Currency } from '../../../../shop/channels/currencies/shape.ts'
import { type ChannelLocale, localeRows } from '../../../../shop/channels/locales.ts'
import { analyticsRows } from '../../../../shop/settings/analytics.ts'
import { cartSettings } from '../../../../shop/settings/carts/cart-settings.ts'
import { checkoutSettings } from '../../../../shop/settings/carts/checkout-settings.ts'
import {
  catalogSettings,
  categorySettings,
  inventorySettings,
  productSettings,
  robotsSettings,
  searchSettings,
  securitySettings,
  seoSettings,
  storeProfile,
  unitSettings,
} from '../../../../shop/settings/families/families.ts'
import { readSettings, type SettingsReader } from '../../../../shop/settings/families/family.ts'
import { storeLocale } from '../../../../shop/settings/locale/locale.ts'
import { logo } from '../../../../shop/settings/logo.ts'
import { storefrontStatus } from '../../../../shop/settings/storefront-status.ts'
import type { StorefrontCaller } from '../../caller.ts'

// Everything about the shop itself that an operation may ask for, in two statements that leave in one round trip.

const FAMILIES = [
  analyticsRows,
  cartSettings,
  catalogSettings,
  categorySettings,
  checkoutSettings,
  customerSettingsRows,
  inventorySettings,
  logo,
  productSettings,
  robotsSettings,
  searchSettings,
  securitySettings,
  seoSettings,
  storeLocale,
  storeProfile,
  storefrontStatus,
  unitSettings,
]

const settingsLoad = new Load<StorefrontCaller, 'all', SettingsReader>(
  async ({ storefront: { db, channel } }) => new Map([['all', await readSettings(db, FAMILIES, channel)]]),
)

/** The settings in force at the storefront. */
export const settingsFor = (caller: StorefrontCaller) => present(settingsLoad.find(caller, 'all', undefined))

interface ShopRow {
  currencies: Currency[]
  assigned: { enabled: string[]; standard: string } | null
  locales: ChannelLocale[] | null
  form_fields: Definition[] | null
  /** Null for the whole world. */
  shipped_countries: string[] | null
  tax_stamp: number
}

const shopLoad = new Load<StorefrontCaller, 'all', ShopRow>(async ({ storefront: { db, channel } }) => {
  const row = await db.row<ShopRow>(
    prepared(sql`
    select ${allCurrencyRows(db)} as currencies, ${assignedCurrencies(db, channel)} as assigned,
      ${localeRows(db, channel)} as locales, ${definitionRows(db)} as form_fields,
      ${shippedCountries(db)} as shipped_countries, ${stampOf(db, 'tax')} as tax_stamp`),
  )
  return new Map([['all', row]])
})

/** The currencies, languages and other rows of the shop. */
export const shopFor = (caller: StorefrontCaller) => present(shopLoad.find(caller, 'all', undefined))

async function present<Value>(value: Promise<Value | undefined>): Promise<Value> {
  const found = await value
  if (found === undefined) throw new Error('A load of the only key gave nothing.')
  return found
}

/** The currencies of the storefront, and its default one. */
export interface ShopCurrencies {
  enabled: readonly Currency[]
  standard: Currency
}

/** The enabled currencies: those of the channel, or all of the store. The default one of the channel, or of the store. */
export async function currenciesFor(caller: StorefrontCaller): Promise<ShopCurrencies> {
  const { currencies, assigned } = await shopFor(caller)
  const ofStore = currencies.find(({ is_default }) => is_default)
  if (!ofStore) throw new Error('The store has no default currency.')
  const enabled = currencies.filter(
    ({ enabled, currency_code }) => enabled && (assigned === null || assigned.enabled.includes(currency_code)),
  )
  return { enabled, standard: enabled.find(({ currency_code }) => currency_code === assigned?.standard) ?? ofStore }
}
