import { prepared } from '../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../core/db/sql.ts'
import { Load } from '../../../../core/graphql/loads.ts'
import { stampOf } from '../../../../core/stamps/stamps.ts'
import { type Definition, definitionRows } from '../../../../customers/form-fields/shape.ts'
import { shopperGroup } from '../../../../customers/row/shoppers.ts'
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
import {
  type SettingsColumns,
  type SettingsReader,
  settingsColumns,
  settingsReader,
} from '../../../../shop/settings/families/family.ts'
import { socialLinks } from '../../../../shop/settings/families/social-links.ts'
import { storeLocale } from '../../../../shop/settings/locale/locale.ts'
import { logo } from '../../../../shop/settings/logo.ts'
import { storefrontStatus } from '../../../../shop/settings/storefront-status.ts'
import type { StorefrontCaller } from '../../caller.ts'
import type { Storefront } from '../../storefronts.ts'

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
  socialLinks,
  storeLocale,
  storeProfile,
  storefrontStatus,
  unitSettings,
]

/** The group of a shopper, and which categories it may see. */
export interface Access {
  group_id: number
  /** Null without a group. */
  access_type: 'all' | 'specific' | 'none' | null
}

/** The group of a shopper as a table. @param customer 0 for a guest */
export const accessRows = ({ db, channel }: Pick<Storefront, 'db' | 'channel'>, customer: number): Sql => {
  const named = { channel_id: channel, customer_group_id: 0, customer_id: customer }
  return sql`(select shopper.group_id, customer_group.access_type from (${shopperGroup(db, named)}) shopper
    left join customer_groups customer_group
      on customer_group.store_id = ${db.store.id} and customer_group.id = shopper.group_id)`
}

/** The settings in force at the storefront, and the access of the shopper. */
interface Rules {
  settings: SettingsReader
  access: Access
}

/** The rules for customers by id; 0 for guests. A login makes a customer of the guest, in the middle of an operation. */
const rulesLoad = new Load<StorefrontCaller, number, Rules>(async ({ storefront }, customers) => {
  const { db, channel } = storefront
  const customer = only(customers)
  const { group_id, access_type, ...columns } = await db.row<SettingsColumns & Access>(
    prepared(sql`
    select ${settingsColumns(db, FAMILIES, channel)}, access.group_id, access.access_type
    from ${accessRows(storefront, customer)} access`),
  )
  return new Map([[customer, { settings: settingsReader(columns, channel), access: { group_id, access_type } }]])
})

/** A caller is one customer at a time. */
function only(customers: readonly number[]): number {
  const [customer, other] = customers
  if (customer === undefined || other !== undefined) throw new Error('The rules of one shopper are read at a time.')
  return customer
}

/** The settings in force at the storefront, and the access of the shopper. */
export const rulesFor = (caller: StorefrontCaller) =>
  present(rulesLoad.find(caller, caller.customer?.id ?? 0, undefined))

/** The settings in force at the storefront. */
export const settingsFor = async (caller: StorefrontCaller): Promise<SettingsReader> =>
  (await rulesFor(caller)).settings

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
