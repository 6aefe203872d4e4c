// Paths of /v2 that clients know but this server does not support, with the operations to use instead. Paths of planned areas
// (coupons, gift certificates, banners, shipping, taxes, pages, blog) need no row.

/** `{id}` matches any segment. */
export const UNSUPPORTED_PATHS: readonly (readonly [path: string, operations: string])[] = [
  ['/products', 'GET, POST, PUT or DELETE /v3/catalog/products'],
  ['/products/count', 'GET /v3/catalog/products'],
  ['/products/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}'],
  ['/products/skus', 'GET or PUT /v3/catalog/variants'],
  ['/products/{id}/skus', 'GET or POST /v3/catalog/products/{product_id}/variants'],
  ['/products/{id}/skus/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/variants/{variant_id}'],
  ['/products/images', 'GET /v3/catalog/products'],
  ['/products/{id}/images', 'GET or POST /v3/catalog/products/{product_id}/images'],
  ['/products/{id}/images/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/images/{image_id}'],
  ['/products/{id}/videos', 'GET or POST /v3/catalog/products/{product_id}/videos'],
  ['/products/{id}/videos/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/videos/{id}'],
  ['/products/{id}/custom_fields', 'GET or POST /v3/catalog/products/{product_id}/custom-fields'],
  [
    '/products/{id}/custom_fields/{id}',
    'GET, PUT or DELETE /v3/catalog/products/{product_id}/custom-fields/{custom_field_id}',
  ],
  ['/products/{id}/discount_rules', 'GET or POST /v3/catalog/products/{product_id}/bulk-pricing-rules'],
  [
    '/products/{id}/discount_rules/{id}',
    'GET, PUT or DELETE /v3/catalog/products/{product_id}/bulk-pricing-rules/{bulk_pricing_rule_id}',
  ],
  ['/products/{id}/rules', 'GET or POST /v3/catalog/products/{product_id}/complex-rules'],
  ['/products/{id}/rules/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/complex-rules/{complex_rule_id}'],
  ['/products/{id}/configurable_fields', 'GET or POST /v3/catalog/products/{product_id}/modifiers'],
  [
    '/products/{id}/configurable_fields/{id}',
    'GET, PUT or DELETE /v3/catalog/products/{product_id}/modifiers/{modifier_id}',
  ],
  ['/products/{id}/options', 'GET or POST /v3/catalog/products/{product_id}/options'],
  ['/products/{id}/options/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/options/{option_id}'],
  ['/products/{id}/reviews', 'GET or POST /v3/catalog/products/{product_id}/reviews'],
  ['/products/{id}/reviews/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/reviews/{review_id}'],
  ['/options', 'GET or POST /v3/catalog/products/{product_id}/options'],
  ['/options/count', 'GET /v3/catalog/products/{product_id}/options'],
  ['/options/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/options/{option_id}'],
  ['/options/values', 'GET /v3/catalog/products/{product_id}/options/{option_id}/values'],
  ['/options/{id}/values', 'GET or POST /v3/catalog/products/{product_id}/options/{option_id}/values'],
  [
    '/options/{id}/values/{id}',
    'GET, PUT or DELETE /v3/catalog/products/{product_id}/options/{option_id}/values/{value_id}',
  ],
  ['/option_sets', 'GET or POST /v3/catalog/products/{product_id}/options'],
  ['/option_sets/count', 'GET /v3/catalog/products/{product_id}/options'],
  ['/option_sets/{id}', 'GET or POST /v3/catalog/products/{product_id}/options'],
  ['/option_sets/{id}/options', 'GET or POST /v3/catalog/products/{product_id}/options'],
  ['/option_sets/{id}/options/{id}', 'GET, PUT or DELETE /v3/catalog/products/{product_id}/options/{option_id}'],
  ['/categories', 'GET, POST or DELETE /v3/catalog/categories'],
  ['/categories/count', 'GET /v3/catalog/categories'],
  ['/categories/{id}', 'GET, PUT or DELETE /v3/catalog/categories/{category_id}'],
  ['/brands/count', 'GET /v3/catalog/brands'],
  ['/hooks', 'GET or POST /v3/hooks'],
  ['/hooks/{id}', 'GET, PUT or DELETE /v3/hooks/{webhook_id}'],
  ['/request_logs', 'GET /v3/store/systemlogs'],
]

/** The paths as segments. Some clients write `optionsets` for `option_sets`. */
const unsupported = UNSUPPORTED_PATHS.map(([path, operations]) => ({ segments: segmentsOf(path), operations }))

function segmentsOf(path: string): string[] {
  return path.replaceAll('_', '').split('/').slice(1)
}

/**
 * Returns the sentence of the 404, or undefined for an unknown path.
 * @param path after the store and the version
 */
export function unsupportedSentence(path: string): string | undefined {
  const requested = segmentsOf(path.replace(/\/$/, ''))
  // A literal segment wins over an id: `/products/count` is not a product.
  const matching = unsupported.filter(
    ({ segments }) =>
      segments.length === requested.length &&
      segments.every((segment, i) => segment === requested[i] || (segment === '{id}' && requested[i] !== '')),
  )
  const found = matching.find(({ segments }) => segments.join('/') === requested.join('/')) ?? matching[0]
  return found && `This server does not have /v2${path}. Use ${found.operations} instead.`
}
