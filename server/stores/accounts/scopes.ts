/**
 * The scopes that open each area: the whole table of docs/contract/auth.md section 6. Any one of the listed names is enough. A
 * read scope allows GET and HEAD; a write scope allows every method.
 */
export const areas = {
  fulfillment: {
    read: ['store_order_fulfillment_read_only', 'store_fulfillment_methods_read_only'],
    write: ['store_order_fulfillment_manage', 'store_fulfillment_methods_manage'],
  },
  pickups: { read: ['store_order_fulfillment_read_only'], write: ['store_order_fulfillment_manage'] },
  refunds: {
    read: ['store_v2_transactions_read_only', 'store_v2_orders_read_only'],
    write: ['store_v2_orders', 'store_v2_transactions'],
  },
  orders: { read: ['store_v2_orders_read_only'], write: ['store_v2_orders'] },
  transactions: { read: ['store_v2_transactions_read_only'], write: ['store_v2_transactions'] },
  catalog: { read: ['store_v2_products_read_only'], write: ['store_v2_products'] },
  channels: { read: ['store_channel_settings_read_only'], write: ['store_channel_settings'] },
  activeTheme: {
    read: ['store_channel_settings_read_only', 'store_themes_read_only', 'store_themes_manage'],
    write: ['store_channel_settings'],
  },
  listings: { read: ['store_channel_listings_read_only'], write: ['store_channel_listings'] },
  sites: { read: ['store_sites_read_only'], write: ['store_sites'] },
  information: { read: ['store_v2_information_read_only'], write: ['store_v2_information'] },
  customs: {
    read: ['store_v2_products_read_only', 'store_v2_information_read_only'],
    write: ['store_v2_products', 'store_v2_information'],
  },
  checkouts: {
    read: ['store_checkouts_read_only', 'store_checkout_read_only'],
    write: ['store_checkouts', 'store_checkout'],
  },
  checkoutSettings: {
    read: ['store_checkout_content_read_only', 'store_checkouts_read_only', 'store_checkout_read_only'],
    write: ['store_checkout_content', 'store_checkouts', 'store_checkout'],
  },
  marketing: { read: ['store_v2_marketing_read_only'], write: ['store_v2_marketing'] },
  analytics: {
    read: ['store_v2_content_read_only', 'store_v2_information_read_only'],
    write: ['store_v2_content', 'store_v2_information'],
  },
  content: { read: ['store_v2_content_read_only'], write: ['store_v2_content'] },
  /** Scripts that the checkout loads. */
  checkoutContent: { read: ['store_content_checkout_read_only'], write: ['store_content_checkout'] },
  logs: { read: ['store_logs_read_only'], write: [] },
  themes: { read: ['store_themes_read_only'], write: ['store_themes_manage'] },
  inventory: { read: ['store_inventory_read_only'], write: ['store_inventory'] },
  locations: { read: ['store_locations_read_only'], write: ['store_locations'] },
  customers: { read: ['store_v2_customers_read_only'], write: ['store_v2_customers'] },
  storedInstruments: {
    read: ['store_stored_payment_instruments_read_only'],
    write: ['store_stored_payment_instruments'],
  },
  customerLogin: { read: [], write: ['store_v2_customers_login'] },
  storefrontTokens: { read: [], write: ['store_storefront_api'] },
  impersonationTokens: { read: [], write: ['store_storefront_api_customer_impersonation'] },
  carts: { read: ['store_cart_read_only'], write: ['store_cart'] },
  paymentTokens: { read: [], write: ['store_payments_access_token_create'] },
  paymentMethods: { read: ['store_payments_methods_read'], write: [] },
  translations: { read: ['store_translations_read_only'], write: ['store_translations'] },
  b2b: { read: [], write: ['store_b2b_edition'] },
  webhooks: { read: ['store_v2_default'], write: ['store_v2_default'] },
} as const satisfies Record<string, { read: readonly string[]; write: readonly string[] }>

export type Area = keyof typeof areas

/** Every token has these (docs/contract/auth.md sections 5 and 6). */
export const DEFAULT_SCOPES = ['store_v2_default', 'store_metafield_write'] as const

/** Allows reads, changes and deletions of all clients' metafields. Granted by name only, never part of a preset. */
export const METAFIELD_WRITE_ALL = 'store_metafield_write_all'

/** Granted by name only: the operator's tool needs it to give a metafield another owner. */
const METAFIELD_CHANGE_OWNER = 'store_metafield_change_owner'

const reading = new Set<string>(Object.values(areas).flatMap((area) => area.read))
const writing = new Set<string>(Object.values(areas).flatMap((area) => area.write))

/** Every name that an account can be given. */
export const ACCOUNT_SCOPES: ReadonlySet<string> = new Set([
  ...DEFAULT_SCOPES,
  ...reading,
  ...writing,
  METAFIELD_WRITE_ALL,
  METAFIELD_CHANGE_OWNER,
])

/** Sets of scopes with a name, for `--scopes` and the sandbox. */
export const presets = {
  all: [...new Set([...DEFAULT_SCOPES, ...writing, ...reading])],
  read_only: [...new Set([...DEFAULT_SCOPES, ...[...reading].filter((scope) => !writing.has(scope))])],
  none: [...DEFAULT_SCOPES],
} as const satisfies Record<string, readonly string[]>

export const isPreset = (name: string): name is keyof typeof presets => Object.hasOwn(presets, name)

/** The scopes that a route requires of a token. A write scope also allows reads (docs/contract/auth.md section 5). */
export const access = (area: Area) => {
  const errors = withProblems.has(area) ? { errorType: 'application/problem+json' } : {}
  return {
    read: { config: { scopes: [...areas[area].read, ...areas[area].write], ...errors } },
    write: { config: { scopes: [...areas[area].write], ...errors } },
  }
}

/** Areas whose errors have a media type of their own (docs/contract/conventions.md section 7). */
const withProblems: ReadonlySet<Area> = new Set<Area>(['fulfillment', 'pickups', 'locations', 'inventory'])
