/** How a changed row of a kind is sent to another server. Rows of other kinds stay here, and are reported. */
export interface Way {
  /** The path of the row. `{id}` is its id, `{under}` that of its owner, and any other name a field of the row, all with the ids of there. */
  readonly path: string
  /** A list that changes rows by their ids: the filter that reads and deletes one of them. */
  readonly filter?: string
  /** Fields that identify a row of a kind without ids. */
  readonly identity?: readonly string[]
  /** Fields whose changes stay here, because they are rows of their own. A new row is created with them. */
  readonly apart?: readonly string[]
  /** Fields that sales and visits change. */
  readonly counted?: readonly string[]
}

const STOCK = ['inventory_level', 'total_sold', 'view_count'] as const

const metafields = (owners: string): Way => ({ path: `/v3/${owners}/{resource_id}/metafields/{id}` })

/** The ways of kinds (`kinds/`), by their names. */
export const WAYS: Readonly<Record<string, Way>> = {
  brands: { path: '/v3/catalog/brands/{id}' },
  categories: { path: '/v3/catalog/trees/categories', filter: 'category_id:in', counted: ['views'] },
  products: {
    path: '/v3/catalog/products/{id}',
    apart: [
      'bulk_pricing_rules',
      'channels',
      'custom_fields',
      'images',
      'modifiers',
      'options',
      'related_products',
      'reviews',
      'videos',
    ],
    counted: STOCK,
  },
  variants: { path: '/v3/catalog/products/{under}/variants/{id}', apart: ['option_values'], counted: STOCK },
  'brand-metafields': metafields('catalog/brands'),
  'category-metafields': metafields('catalog/categories'),
  'product-metafields': metafields('catalog/products'),
  'price-lists': { path: '/v3/pricelists/{id}' },
  'customer-groups': { path: '/v2/customer_groups/{id}' },
  customers: { path: '/v3/customers', filter: 'id:in', apart: ['addresses', 'attributes', 'form_fields'] },
  'customer-metafields': metafields('customers'),
  subscribers: { path: '/v3/customers/subscribers/{id}' },
  wishlists: { path: '/v3/wishlists/{id}', apart: ['items'] },
  'price-records': {
    path: '/v3/pricelists/{under}/records/{variant_id}/{currency}',
    identity: ['$under', 'variant_id', 'currency'],
  },
  promotions: { path: '/v3/promotions/{id}' },
  coupons: { path: '/v2/coupons/{id}' },
  banners: { path: '/v2/banners/{id}' },
  pages: { path: '/v3/content/pages/{id}' },
  posts: { path: '/v2/blog/posts/{id}' },
  scripts: { path: '/v3/content/scripts/{id}' },
  'widget-templates': { path: '/v3/content/widget-templates/{id}' },
  widgets: { path: '/v3/content/widgets/{id}' },
}
