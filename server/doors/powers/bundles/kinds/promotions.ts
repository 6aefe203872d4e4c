import { type BundleKind, without } from './kind.ts'

export const promotionKinds: readonly BundleKind[] = [
  {
    name: 'gift-certificates',
    area: 'promotions',
    list: '/v2/gift_certificates',
    paging: 'v2',
    refs: { customer_id: 'customers' },
    create: { path: '/v2/gift_certificates', body: (row) => without(row, 'order_id') },
  },
  {
    name: 'banners',
    area: 'promotions',
    list: '/v2/banners',
    paging: 'v2',
    create: { path: '/v2/banners' },
  },
]
