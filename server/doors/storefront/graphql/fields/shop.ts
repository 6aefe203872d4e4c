import { prepared } from '../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../core/db/sql.ts'
import { Load } from '../../../../core/graphql/loads.ts'
import { type Definition, definitionRows } from '../../../../customers/form-fields/shape.ts'
import { shopperGroup } from '../../../../customers/row/shoppers.ts'
import { customerSettingsRows } from '../../../../customers/settings.ts'
import { type ShopperFacts, shopperFacts } from '../../../../sales/pricing/gather.ts'
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

/** The settings and currencies of the storefront, and the facts of the shopper: what most operations need. */
interface Rules {
  settings: SettingsReader
  access: Access
  /** The facts that decide about prices. */
  shopper: ShopperFacts
  currencies: ShopCurrencies
}

interface RulesRow extends SettingsColumns, Access, ShopperFacts {
  currencies: Currency[]
  assigned: { enabled: string[]; standard: string } | null
}

/** The rules for customers by id; 0 for guests. A login makes a customer of the guest, in the middle of an operation. */
const rulesLoad = new Load<StorefrontCaller, number, Rules>(async ({ storefront: { db, channel } }, customers) => {
  const customer = only(customers)
  const named = { channel_id: channel, customer_group_id: 0, customer_id: customer }
  const row = await db.row<RulesRow>(
    prepared(sql`
    select ${settingsColumns(db, FAMILIES, channel)}, ${allCurrencyRows(db)} as currencies,
      ${assignedCurrencies(db, channel)} as assigned, customer_group.access_type, shopper.*
    from ${shopperFacts(db, named)} shopper
    left join customer_groups customer_group
      on customer_group.store_id = ${db.store.id} and customer_group.id = shopper.group_id`),
  )
  const { group_id, access_type } = row
  const rules: Rules = {
    settings: settingsReader(row, channel),
    access: { group_id, access_type },
    shopper: row,
    currencies: currenciesIn(row),
  }
  return new Map([[customer, rules]])
})

/** A caller is one customer at a time. */
function only(customers: readonly number[]): number {
  const [customer, other] = customers
  if (customer === undefined || other !== undefined) throw new Error('The rules of one shopper are read at a time.')
  return customer
}

/** The rules for the shopper. */
export const rulesFor = (caller: StorefrontCaller) =>
  present(rulesLoad.find(caller, caller.customer?.id ?? 0, undefined))

/** The settings in force at the storefront. */
export const settingsFor = async (caller: StorefrontCaller): Promise<SettingsReader> =>
  (await rulesFor(caller)).settings

interface ShopRow {
  locales: ChannelLocale[] | null
  form_fields: Definition[] | null
  /** Null for the whole world. */
  shipped_countries: string[] | null
}

const shopLoad = new Load<StorefrontCaller, 'all', ShopRow>(async ({ storefront: { db, channel } }) => {
  const row = await db.row<ShopRow>(
    prepared(sql`
    select ${localeRows(db, channel)} as locales, ${definitionRows(db)} as form_fields,
      ${shippedCountries(db)} as shipped_countries`),
  )
  return new Map([['all', row]])
})

/** The languages and other rows of the shop, which few operations need. */
export const shopFor = (caller: StorefrontCaller) => present(shopLoad.find(caller, 'all', undefined))

async function present<Value>(value: Promise<Value | undefined>): Promise<Value> {
  const found = await value
  if (found === undefined) throw new Error('A load of the only key gave nothing.')
  return found
}

/** The currencies of the storefront, and its default one. */
export interface ShopCurrencies {
  /** All of the store. */
  all: readonly Currency[]
  enabled: readonly Currency[]
  standard: Currency
}

export const currenciesFor = async (caller: StorefrontCaller): Promise<ShopCurrencies> =>
  (await rulesFor(caller)).currencies

/** The enabled currencies: those of the channel, or all of the store. The default one of the channel, or of the store. */
function currenciesIn({ currencies, assigned }: RulesRow): ShopCurrencies {
  const ofStore = currencies.find(({ is_default }) => is_default)
  if (!ofStore) throw new Error('The store has no default currency.')
  const enabled = currencies.filter(
    ({ enabled, currency_code }) => enabled && (assigned === null || assigned.enabled.includes(currency_code)),
  )
  const standard = enabled.find(({ currency_code }) => currency_code === assigned?.standard) ?? ofStore
  return { all: currencies, enabled, standard }
}
