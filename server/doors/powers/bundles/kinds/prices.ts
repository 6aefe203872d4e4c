import { type BundleKind, without } from './kind.ts'

/** Lists come before the customer groups that they are assigned to. */
export const priceListKinds: readonly BundleKind[] = [
  { name: 'price-lists', area: 'prices', list: '/v3/pricelists', paging: 'pages', create: { path: '/v3/pricelists' } },
]

export const priceKinds: readonly BundleKind[] = [
  {
    name: 'price-records',
    area: 'prices',
    list: '/v3/pricelists/{under}/records?include=bulk_pricing_tiers',
    paging: 'pages',
    key: null,
    under: { kind: 'price-lists' },
    refs: { variant_id: 'variants', price_list_id: 'price-lists' },
    create: {
      method: 'PUT',
      path: '/v3/pricelists/{under}/records',
      batch: 100,
      body: (row) => without(row, 'sku', 'product_id'),
    },
  },
  {
    name: 'price-assignments',
    area: 'prices',
    list: '/v3/pricelists/assignments',
    paging: 'pages',
    refs: { price_list_id: 'price-lists', customer_group_id: 'customer-groups', channel_id: 'channels' },
    create: { path: '/v3/pricelists/assignments', batch: 25 },
  },
]
