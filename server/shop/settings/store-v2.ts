import { hash } from 'node:crypto'
import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { codeOfCountry } from '../../core/geography/countries.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { addressOfPicture } from '../../core/rest/input/picture-addresses.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { planOf } from '../../stores/directory/profile.ts'
import { FIRST_CHANNEL } from '../channels/channels.ts'
import { defaultCurrency } from '../channels/currencies/shape.ts'
import type { AddressRules } from '../channels/sites/addresses.ts'
import { FIRST_SITE, siteUrlOf } from '../channels/sites/shape.ts'
import { securitySettings, storeProfile, unitSettings } from './families/families.ts'
import { settingsOf } from './families/family.ts'
import { storeLocale } from './locale/locale.ts'
import { logo } from './logo.ts'

const { read } = access('information')

const text = t.String()
const Timezone = t.Object(
  {
    name: text,
    raw_offset: t.Integer(),
    dst_offset: t.Integer(),
    dst_correction: t.Boolean(),
    date_format: t.Object({ display: text, export: text, extended_display: text }),
  },
  { title: 'StoreTimezone' },
)
const Features = t.Object(
  {
    stencil_enabled: t.Boolean(),
    sitewidehttps_enabled: t.Boolean(),
    facebook_catalog_id: text,
    checkout_type: t.Enum(['optimized', 'single', 'single_customizable', 'klarna']),
    wishlists_enabled: t.Boolean(),
    graphql_storefront_api_enabled: t.Boolean(),
    shopper_consent_tracking_enabled: t.Boolean(),
    multi_storefront_enabled: t.Boolean(),
    storefront_limits: t.Optional(t.Object({ active: t.Integer(), total_including_inactive: t.Integer() })),
  },
  { title: 'StoreFeatures' },
)
const StoreInformation = t.Object(
  {
    id: text,
    account_uuid: text,
    domain: text,
    secure_url: text,
    control_panel_base_url: text,
    status: text,
    name: text,
    first_name: text,
    last_name: text,
    address: text,
    country: text,
    country_code: text,
    infrastructure_region: text,
    phone: text,
    admin_email: text,
    order_email: text,
    favicon_url: text,
    timezone: Timezone,
    language: text,
    currency: text,
    currency_symbol: text,
    decimal_separator: text,
    thousands_separator: text,
    decimal_places: t.Integer(),
    currency_symbol_location: text,
    weight_units: text,
    dimension_units: text,
    dimension_decimal_places: t.Integer(),
    dimension_decimal_token: text,
    dimension_thousands_token: text,
    plan_name: text,
    plan_level: text,
    plan_is_trial: t.Boolean(),
    industry: text,
    logo: t.Union([t.Object({ url: text }), t.Array(t.Never(), { maxItems: 0 })]),
    is_price_entered_with_tax: t.Boolean(),
    store_id: t.Integer(),
    default_channel_id: t.Integer(),
    default_site_id: t.Integer(),
    active_comparison_modules: t.Array(text),
    features: Features,
  },
  { title: 'StoreInformation' },
)

interface Parts {
  /** The rules for addresses of sites, from the settings of the server. */
  sites: AddressRules
  /** Whether shoppers are asked whether they may be followed. Customers, which stand above settings, know it. */
  asksForConsent: (db: Db) => Promise<boolean>
  /** Whether the prices of the catalog contain tax. A setting of the area `tax`. */
  entersPricesWithTax: (db: Db) => Promise<boolean>
}

/** GET /store: the information of the store, collected for old clients (docs/contract/store.md section 1). */
export function storeRoutesV2(api: Api, parts: Parts) {
  const schema = { summary: 'Get the store information', response: { 200: StoreInformation } }
  api.get('/store', { ...read, schema }, async ({ db }) => new Answer(await informationOf(db, parts)))
}

async function informationOf(
  db: Db,
  { sites, asksForConsent, entersPricesWithTax }: Parts,
): Promise<Static<typeof StoreInformation>> {
  const { profile, locale, units, pictures, security, currency, url, plan, entersTax, asks } = await db.together(
    () => ({
      profile: settingsOf(db, storeProfile),
      locale: settingsOf(db, storeLocale),
      units: settingsOf(db, unitSettings),
      pictures: settingsOf(db, logo),
      security: settingsOf(db, securitySettings),
      currency: defaultCurrency(db),
      url: siteUrlOf(db, FIRST_CHANNEL, sites),
      plan: planOf(db),
      entersTax: entersPricesWithTax(db),
      asks: asksForConsent(db),
    }),
  )
  const storefronts = db.store.limits.storefronts
  return {
    id: db.store.hash,
    account_uuid: uuidOf(db.store.hash),
    domain: new URL(url).host,
    secure_url: url.replace(/^http:/, 'https:'),
    control_panel_base_url: '',
    // A store in another state answers nothing at all.
    status: 'live',
    name: profile.store_name,
    first_name: '',
    last_name: '',
    address: profile.store_address,
    country: locale.store_country,
    country_code: codeOfCountry(locale.store_country) ?? '',
    infrastructure_region: '',
    phone: profile.store_phone,
    admin_email: profile.store_email,
    order_email: profile.store_email,
    favicon_url: pictures.favicon_url,
    timezone,
    language: locale.default_shopper_language,
    currency: currency.currency_code,
    currency_symbol: currency.token,
    decimal_separator: currency.decimal_token,
    thousands_separator: currency.thousands_token,
    decimal_places: currency.decimal_places,
    currency_symbol_location: currency.token_location,
    weight_units: units.weight_measurement,
    dimension_units: units.length_measurement,
    dimension_decimal_places: units.decimal_places,
    dimension_decimal_token: units.decimal_token,
    dimension_thousands_token: units.thousands_token,
    plan_name: plan,
    plan_level: plan,
    plan_is_trial: false,
    industry: '',
    logo: pictures.logo_image_url === '' ? [] : { url: addressOfPicture(sites.publicUrl, pictures.logo_image_url) },
    is_price_entered_with_tax: entersTax,
    store_id: db.store.id,
    default_channel_id: FIRST_CHANNEL,
    default_site_id: FIRST_SITE,
    active_comparison_modules: [],
    features: {
      stencil_enabled: true,
      sitewidehttps_enabled: security.sitewide_https_enabled,
      facebook_catalog_id: '',
      checkout_type: 'optimized',
      wishlists_enabled: true,
      graphql_storefront_api_enabled: true,
      shopper_consent_tracking_enabled: asks,
      multi_storefront_enabled: true,
      ...(storefronts === undefined
        ? {}
        : { storefront_limits: { active: storefronts, total_including_inactive: storefronts } }),
    },
  }
}

/** Stores keep the time of UTC, and no other. */
const timezone: Static<typeof Timezone> = {
  name: 'Etc/UTC',
  raw_offset: 0,
  dst_offset: 0,
  dst_correction: false,
  date_format: { display: 'M jS Y', export: 'M jS Y', extended_display: 'M jS Y @ g:i A' },
}

/** An id for a store that never changes, in the form of a UUID (RFC 9562, version 8). */
function uuidOf(storeHash: string): string {
  const digits = hash('sha256', `account of ${storeHash}`)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
