import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, type Refs, without } from './kind.ts'

/** Segments are matched by `id`, and by `and`, `or` and `not` of matchers, up to this depth. */
const MATCHER_LEVELS = 3
const SEGMENTS = segmentPaths('customer.segments', MATCHER_LEVELS)

function segmentPaths(at: string, levels: number): string[] {
  const below = levels === 0 ? [] : [`${at}.and[]`, `${at}.or[]`, `${at}.not`]
  return [`${at}.id[]`, ...below.flatMap((path) => segmentPaths(path, levels - 1))]
}

const promotionRefs: Refs = {
  'channels[].id': 'channels',
  'customer.group_ids[]': 'customer-groups',
  'customer.excluded_group_ids[]': 'customer-groups',
  ...Object.fromEntries(SEGMENTS.map((path) => [path, 'segments'])),
}

/** The products or categories of a coupon. */
const couponRefs = ({ applies_to }: Row): Refs => {
  const entity = isObject(applies_to) ? applies_to.entity : undefined
  return {
    'shipping_methods[]': 'shipping-methods',
    ...(entity === 'products' || entity === 'categories' ? { 'applies_to.ids[]': entity } : {}),
  }
}

export const promotionKinds: readonly BundleKind[] = [
  {
    name: 'promotions',
    area: 'promotions',
    list: '/v3/promotions',
    paging: 'pages',
    refs: promotionRefs,
    refsAnywhere: {
      brands: 'brands',
      categories: 'categories',
      products: 'products',
      variants: 'variants',
      product_id: 'products',
      variant_id: 'variants',
      zone_ids: 'shipping-zones',
    },
    // Without its groups, channels or segments a promotion would be for everybody.
    neededRefs: Object.keys(promotionRefs),
    toBundle: (row) => without(row, 'current_uses', 'created_from', 'multiple_codes'),
    create: {
      path: '/v3/promotions',
      // Only the server makes a promotion invalid.
      body: (row) => (row.status === 'INVALID' ? { ...row, status: 'DISABLED' } : row),
    },
  },
  {
    name: 'promotion-codes',
    area: 'promotions',
    list: '/v3/promotions/{under}/codes',
    paging: 'pages',
    under: { kind: 'promotions', when: ({ redemption_type }) => redemption_type === 'COUPON' },
    toBundle: (row) => without(row, 'current_uses'),
    create: { path: '/v3/promotions/{under}/codes' },
  },
  {
    name: 'coupons',
    area: 'promotions',
    list: '/v2/coupons?exclude_type=promotion',
    paging: 'v2',
    refs: couponRefs,
    neededRefs: ['shipping_methods[]'],
    toBundle: (row) => without(row, 'num_uses'),
    create: { path: '/v2/coupons' },
  },
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
