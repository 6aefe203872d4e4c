import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACCOUNT_SCOPES, type Area, access, areas, DEFAULT_SCOPES, presets } from './scopes.ts'

/** The rows of docs/contract/auth.md section 6: read scopes, then write scopes. An area without routes has `n/a`. */
const page: Record<Area, [read: string, write: string]> = {
  fulfillment: [
    'store_order_fulfillment_read_only store_fulfillment_methods_read_only',
    'store_order_fulfillment_manage store_fulfillment_methods_manage',
  ],
  pickups: ['store_order_fulfillment_read_only', 'store_order_fulfillment_manage'],
  refunds: ['store_v2_transactions_read_only store_v2_orders_read_only', 'store_v2_orders store_v2_transactions'],
  orders: ['store_v2_orders_read_only', 'store_v2_orders'],
  transactions: ['store_v2_transactions_read_only', 'store_v2_transactions'],
  catalog: ['store_v2_products_read_only', 'store_v2_products'],
  channels: ['store_channel_settings_read_only', 'store_channel_settings'],
  // The text below the table adds the theme scopes: theme tools of merchants have no other.
  activeTheme: [
    'store_channel_settings_read_only store_themes_read_only store_themes_manage',
    'store_channel_settings',
  ],
  listings: ['store_channel_listings_read_only', 'store_channel_listings'],
  sites: ['store_sites_read_only', 'store_sites'],
  information: ['store_v2_information_read_only', 'store_v2_information'],
  customs: ['store_v2_products_read_only store_v2_information_read_only', 'store_v2_products store_v2_information'],
  checkouts: ['store_checkouts_read_only store_checkout_read_only', 'store_checkouts store_checkout'],
  checkoutSettings: [
    'store_checkout_content_read_only store_checkouts_read_only store_checkout_read_only',
    'store_checkout_content store_checkouts store_checkout',
  ],
  marketing: ['store_v2_marketing_read_only', 'store_v2_marketing'],
  analytics: ['store_v2_content_read_only store_v2_information_read_only', 'store_v2_content store_v2_information'],
  content: ['store_v2_content_read_only', 'store_v2_content'],
  checkoutContent: ['store_content_checkout_read_only', 'store_content_checkout'],
  logs: ['store_logs_read_only', ''],
  themes: ['store_themes_read_only', 'store_themes_manage'],
  webhooks: ['store_v2_default', 'store_v2_default'],
  inventory: ['store_inventory_read_only', 'store_inventory'],
  locations: ['store_locations_read_only', 'store_locations'],
  customers: ['store_v2_customers_read_only', 'store_v2_customers'],
  storedInstruments: ['store_stored_payment_instruments_read_only', 'store_stored_payment_instruments'],
  customerLogin: ['', 'store_v2_customers_login'],
  storefrontTokens: ['', 'store_storefront_api'],
  impersonationTokens: ['', 'store_storefront_api_customer_impersonation'],
  carts: ['store_cart_read_only', 'store_cart'],
  paymentTokens: ['', 'store_payments_access_token_create'],
  paymentMethods: ['store_payments_methods_read', ''],
  translations: ['store_translations_read_only', 'store_translations'],
  b2b: ['', 'store_b2b_edition'],
}

const names = (list: string) => list.split(' ').filter((name) => name !== '')

test('the areas are those of the page, no more and no less', () => {
  expect(Object.keys(areas).sort()).toEqual(Object.keys(page).sort())
})

test.each(Object.entries(page))(
  '%s is opened by the scopes of its row, writes by the write scopes only',
  (name, row) => {
    const { read, write } = access(name as Area)
    const [reading, writing] = row.map(names)
    expect(new Set(write.config.scopes)).toEqual(new Set(writing))
    expect(new Set(read.config.scopes)).toEqual(new Set([...(reading ?? []), ...(writing ?? [])]))
  },
)

test('a scope that only reads opens no write of any area', () => {
  const writing = Object.values(areas).flatMap(({ write }) => write)
  expect(writing.filter((scope) => /_read(_only)?$/.test(scope))).toEqual([])
})

test('an account can have each scope of the page and the two that are granted by name only', () => {
  const listed = Object.values(page).flat().flatMap(names)
  const byName = ['store_metafield_write_all', 'store_metafield_change_owner']
  expect(ACCOUNT_SCOPES).toEqual(new Set([...listed, ...byName, ...DEFAULT_SCOPES]))
})

test('docs/contract/auth.md section 6 names the same scopes as the code', () => {
  const text = readFileSync(new URL('../../../docs/contract/auth.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## 6\. Scope table\n(.*?)\n## /s.exec(text) ?? []
  const named = [...section.matchAll(/`(store_\w+)`/g)].map(([, name]) => name)
  expect(new Set([...named, ...DEFAULT_SCOPES])).toEqual(ACCOUNT_SCOPES)
})

test('every preset has the two default scopes, and never a scope that is granted by name only', () => {
  for (const scopes of Object.values(presets)) {
    expect(scopes).toEqual(expect.arrayContaining(['store_v2_default', 'store_metafield_write']))
    expect(scopes.filter((scope) => /metafield_(write_all|change_owner)$/.test(scope))).toEqual([])
    expect(scopes.filter((scope) => !ACCOUNT_SCOPES.has(scope))).toEqual([])
  }
  expect(presets.none).toEqual(['store_v2_default', 'store_metafield_write'])
})

test('the preset read_only opens every read that a read scope opens, and only the writes that are open to every token', () => {
  const granted = new Set<string>(presets.read_only)
  for (const { read, write } of Object.values(areas)) {
    expect(read.length === 0 || read.some((scope) => granted.has(scope))).toBe(true)
    expect(write.filter((scope) => granted.has(scope) && scope !== 'store_v2_default')).toEqual([])
  }
})

test('the preset all opens everything', () => {
  const granted = new Set<string>(presets.all)
  for (const { read, write } of Object.values(areas)) {
    for (const scope of [...read, ...write]) expect(granted).toContain(scope)
  }
})
