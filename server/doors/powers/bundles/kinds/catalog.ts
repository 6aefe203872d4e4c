import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, metafieldKind, without } from './kind.ts'

const hasSome = (value: unknown) => Array.isArray(value) && value.length > 0

/** All sub-resources of a product that its list can show. */
const PARTS = 'bulk_pricing_rules,channels,custom_fields,images,modifiers,options,reviews,variants,videos'

export const catalogKinds: readonly BundleKind[] = [
  {
    name: 'brands',
    area: 'catalog',
    list: '/v3/catalog/brands',
    paging: 'ids',
    pictures: ['image_url'],
    create: { path: '/v3/catalog/brands', upload: { path: '/v3/catalog/brands/{id}/image', field: 'image_file' } },
  },
  {
    name: 'trees',
    area: 'catalog',
    list: '/v3/catalog/trees',
    paging: 'pages',
    refs: { 'channels[]': 'channels' },
    create: {
      method: 'PUT',
      path: '/v3/catalog/trees',
      batch: 1,
      // The tree of the first channel is there from the beginning.
      match: {
        by: ({ channels }) => (Array.isArray(channels) && channels.includes(1) ? 'first' : undefined),
        path: '/v3/catalog/trees',
        isBatch: true,
      },
    },
  },
  {
    name: 'categories',
    area: 'catalog',
    list: '/v3/catalog/trees/categories',
    paging: 'pages',
    key: 'category_id',
    parent: 'parent_id',
    refs: { tree_id: 'trees', parent_id: 'categories' },
    pictures: ['image_url'],
    create: {
      path: '/v3/catalog/trees/categories',
      batch: 1,
      upload: { path: '/v3/catalog/categories/{id}/image', field: 'image_file' },
      // A category below another one has the tree of its parent.
      body: (row) => (Number(row.parent_id) > 0 ? without(row, 'tree_id') : row),
    },
  },
  {
    name: 'products',
    area: 'catalog',
    list: `/v3/catalog/products?include=${PARTS}`,
    paging: 'ids',
    limit: 10,
    refs: {
      brand_id: 'brands',
      'categories[]': 'categories',
      'channels[]': 'channels',
      tax_class_id: 'tax-classes',
    },
    toBundle: withOnePicture,
    pictures: ['images[].image_url', 'variants[].image_url', 'modifiers[].option_values[].adjusters.image_url'],
    create: { path: '/v3/catalog/products', by: 'products' },
  },
  {
    name: 'complex-rules',
    area: 'catalog',
    list: '/v3/catalog/products/{under}/complex-rules',
    paging: 'pages',
    // A request for each product: a product without any choice is left out.
    under: { kind: 'products', when: ({ modifiers, options }: Row) => hasSome(modifiers) || hasSome(options) },
    refs: {
      'conditions[].modifier_id': 'modifiers',
      'conditions[].modifier_value_id': 'modifier-values',
      'conditions[].variant_id': 'variants',
    },
    create: { path: '/v3/catalog/products/{under}/complex-rules' },
  },
  metafieldKind('brand', { area: 'catalog', kind: 'brands', path: 'catalog/brands' }),
  metafieldKind('category', { area: 'catalog', kind: 'categories', path: 'catalog/categories' }),
  metafieldKind('product', { area: 'catalog', kind: 'products', path: 'catalog/products' }),
  metafieldKind('variant', { area: 'catalog', kind: 'variants', path: 'catalog/variants' }),
  {
    name: 'listings',
    area: 'catalog',
    list: '/v3/channels/{under}/listings',
    paging: 'pages',
    under: { kind: 'channels' },
    key: 'listing_id',
    refs: { product_id: 'products', 'variants[].product_id': 'products', 'variants[].variant_id': 'variants' },
    neededRefs: ['product_id'],
    create: { path: '/v3/channels/{under}/listings', batch: 10 },
  },
]

/** Images have the address of one picture, and not those of its sizes. */
function withOnePicture(row: Row): Row {
  const { images } = row
  if (!Array.isArray(images)) return row
  const one = images.filter(isObject).map((image) => {
    const addresses = [image.image_url, image.url_zoom, image.url_standard]
    const image_url = addresses.find((address) => typeof address === 'string' && address !== '') ?? ''
    return { ...without(image, 'image_file', 'url_zoom', 'url_standard', 'url_thumbnail', 'url_tiny'), image_url }
  })
  return { ...row, images: one }
}
