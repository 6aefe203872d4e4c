import { type BundleKind, without } from './kind.ts'

export const taxKinds: readonly BundleKind[] = [
  {
    name: 'tax-classes',
    area: 'tax',
    list: '/v2/tax_classes',
    paging: 'v2',
    create: {
      path: '/v3/tax/classes',
      batch: 1,
      match: { by: ({ name }) => String(name), path: '/v3/tax/classes', isBatch: true },
      body: ({ name }) => ({ name }),
    },
  },
]

/** Zones name customer groups, and so follow them. */
export const taxZoneKinds: readonly BundleKind[] = [
  {
    name: 'tax-zones',
    area: 'tax',
    list: '/v3/tax/zones',
    paging: 'pages',
    refs: { 'shopper_target_settings.customer_groups[]': 'customer-groups' },
    create: {
      path: '/v3/tax/zones',
      batch: 1,
      match: { by: ({ name }) => String(name), path: '/v3/tax/zones', isBatch: true },
    },
  },
  {
    name: 'tax-rates',
    area: 'tax',
    list: '/v3/tax/rates',
    paging: 'pages',
    refs: { tax_zone_id: 'tax-zones', 'class_rates[].tax_class_id': 'tax-classes' },
    create: { path: '/v3/tax/rates', batch: 1, body: (row) => without(row, 'id') },
  },
]
