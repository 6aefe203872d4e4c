import { type BundleKind, metafieldKind, type Refs, without } from './kind.ts'

/** Settings with values of the store, and values of channels by the query or by a path of their own. */
const FAMILIES: Readonly<Record<string, string>> = {
  catalog: '/v3/settings/catalog',
  'email-statuses': '/v3/settings/email-statuses',
  inventory: '/v3/settings/inventory',
  'inventory-notifications': '/v3/settings/inventory/notifications',
  pickups: '/v3/settings/pickups',
  profile: '/v3/settings/store/profile',
  category: '/v3/settings/storefront/category',
  product: '/v3/settings/storefront/product',
  robots: '/v3/settings/storefront/robotstxt',
  search: '/v3/settings/storefront/search',
  security: '/v3/settings/storefront/security',
  seo: '/v3/settings/storefront/seo',
  units: '/v3/settings/store/units-of-measurement',
  status: '/v3/settings/storefront/status',
}

const WITH_PATHS: Readonly<Record<string, { path: string; refs?: Refs }>> = {
  orders: { path: '/v3/orders/settings' },
  carts: { path: '/v3/carts/settings' },
  'abandoned-carts': { path: '/v3/abandoned-carts/settings' },
  checkouts: { path: '/v3/checkouts/settings' },
  customers: {
    path: '/v3/customers/settings',
    refs: {
      'customer_group_settings.default_customer_group_id': 'customer-groups',
      'customer_group_settings.guest_customer_group_id': 'customer-groups',
    },
  },
  shipping: { path: '/v3/shipping/settings' },
}

/** Settings of the store alone. */
const OF_STORE: Readonly<Record<string, { path: string; refs?: Refs }>> = {
  locale: { path: '/v3/settings/store/locale' },
  promotions: { path: '/v3/promotions/settings' },
  tax: {
    path: '/v3/tax/settings',
    refs: { guest_shopper_tax_zone_id: 'tax-zones', store_tax_zone_id: 'tax-zones' },
  },
}

/** One object with the values of a store or of a channel. Passwords, and values that a channel inherits, are left out. */
const settingsAt = (name: string, path: string, more: Pick<BundleKind, 'refs' | 'under'> = {}): BundleKind => ({
  name: `${name}-settings${more.under ? '-of-channels' : ''}`,
  area: 'settings',
  list: path,
  paging: 'object',
  isOptional: true,
  key: null,
  ...more,
  toBundle: (row) => without(row, 'meta', 'prelaunch_password'),
  create: {
    method: 'PUT',
    path,
    body: (row) => (Object.keys(row).length === 0 ? undefined : row),
  },
})

const ofChannel = { under: { kind: 'channels' } }

export const settingKinds: readonly BundleKind[] = [
  ...Object.entries(FAMILIES).flatMap(([name, path]) => [
    settingsAt(name, path),
    settingsAt(name, `${path}?channel_id={under}`, ofChannel),
  ]),
  ...Object.entries(WITH_PATHS).flatMap(([name, { path, refs = {} }]) => [
    settingsAt(name, path, { refs }),
    settingsAt(name, `${path}/channels/{under}`, { refs, ...ofChannel }),
  ]),
  ...Object.entries(OF_STORE).map(([name, { path, refs = {} }]) => settingsAt(name, path, { refs })),
  logo('logo', '/v3/settings/logo'),
  { ...logo('logo-of-channels', '/v3/settings/logo?channel_id={under}'), ...ofChannel },
  {
    name: 'analytics',
    area: 'settings',
    list: '/v3/settings/analytics?channel_id={under}',
    paging: 'whole',
    ...ofChannel,
    key: null,
    toBundle: (row) => (row.code === '' ? undefined : without(row, 'channel_id', 'api_secret')),
    create: {
      method: 'PUT',
      path: '/v3/settings/analytics/{id}?channel_id={under}',
      body: (row) => without(row, 'id'),
    },
  },
  {
    name: 'search-filters',
    area: 'settings',
    list: '/v3/settings/search/filters',
    paging: 'whole',
    isOptional: true,
    key: null,
    create: { method: 'PUT', path: '/v3/settings/search/filters', batch: 100 },
  },
  {
    name: 'search-filters-of-channels',
    area: 'settings',
    list: '/v3/settings/search/filters/contexts',
    paging: 'pages',
    isOptional: true,
    key: null,
    refs: { 'context.channel_id': 'channels', 'context.category_id': 'categories' },
    neededRefs: ['context.channel_id', 'context.category_id'],
    create: { method: 'PUT', path: '/v3/settings/search/filters/contexts', batch: 25 },
  },
  {
    ...metafieldKind('store', { area: 'settings', kind: 'store', path: 'store' }),
    refs: {},
    toBundle: (row) => without(row, 'resource_id'),
  },
]

function logo(name: string, path: string): BundleKind {
  return {
    name,
    area: 'settings',
    list: path,
    paging: 'object',
    isOptional: true,
    key: null,
    pictures: ['logo_image_url', 'favicon_url'],
    create: { method: 'PUT', path, by: 'logo' },
  }
}
