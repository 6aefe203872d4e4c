import { type BundleKind, without } from './kind.ts'

/** Methods that need no account with a carrier. */
const OWN_TYPES: ReadonlySet<unknown> = new Set(['perorder', 'peritem', 'weight', 'total', 'freeshipping'])

export const shippingKinds: readonly BundleKind[] = [
  {
    name: 'shipping-zones',
    area: 'shipping',
    list: '/v2/shipping/zones',
    paging: 'v2',
    create: { path: '/v2/shipping/zones' },
  },
  {
    name: 'shipping-methods',
    area: 'shipping',
    list: '/v2/shipping/zones/{under}/methods',
    paging: 'v2',
    under: { kind: 'shipping-zones' },
    refs: { 'channel_ids[]': 'channels' },
    toBundle: (row) => (OWN_TYPES.has(row.type) ? row : undefined),
    create: { path: '/v2/shipping/zones/{under}/methods' },
  },
  {
    name: 'customs',
    area: 'shipping',
    list: '/v3/shipping/products/customs-information',
    paging: 'pages',
    isOptional: true,
    key: null,
    refs: { product_id: 'products' },
    neededRefs: ['product_id'],
    create: {
      method: 'PUT',
      path: '/v3/shipping/products/customs-information',
      batch: 25,
      body: (row) => without(row, 'created_at', 'updated_at'),
    },
  },
]
