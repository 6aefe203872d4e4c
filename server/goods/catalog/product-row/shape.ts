import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import {
  ID_MAX,
  Id,
  Line,
  Moment,
  NeededLine,
  NeededText,
  nullable,
  SortOrder,
  Text,
} from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { MetafieldOwner } from '../../../shared/metafields/metafields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CustomUrl, CustomUrlInput } from '../addresses/urls.ts'
import { updateSearchRows } from '../search/rows.ts'

// A product is a thing that a store sells. It begins when a client creates it, in one transaction with its variants, images
// and other sub-resources, and is then sold in the first channel. Its name is unique in the store, and so are its SKU and
// its address. Requests change its fields; assignments change its categories and channels; reviews change its rating;
// inventory and orders change its stock. Every change of the product or of a sub-resource sets date_modified and publishes
// store/product/updated. A product without options is sold as its base variant, which shares SKU, prices, measures and stock
// with it. A product never has an unknown brand or category: a deleted brand is removed from it, and a category stays while
// it is the only one of a product. When it is deleted, everything that belongs to it goes with it in one transaction; orders
// keep their copies. A product never calculates taxes, and never changes the price of an order that was placed.

const Count = t.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Quantity = t.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Measure = Amount({ maximum: 9_999_999_999 })
export const Sku = t.String({ maxLength: 255 })
export const TradeNumber = t.String({ maxLength: 14 })
const OptionalMoment = nullable(Moment)

/** The fields of a product that are stored in its own row, in the order of the contract. */
export const Product = t.Object({
  id: Id,
  name: NeededText(250),
  type: t.Enum(['physical', 'digital']),
  sku: Sku,
  // The contract gives no bound; the body limit applies.
  description: t.String(),
  weight: Measure,
  width: Measure,
  depth: Measure,
  height: Measure,
  price: Amount(),
  cost_price: Amount(),
  retail_price: Amount(),
  sale_price: Amount(),
  map_price: Amount(),
  tax_class_id: t.Integer({ minimum: 0, maximum: 255 }),
  product_tax_code: Line,
  calculated_price: Amount(),
  categories: t.Array(Id, { maxItems: 1_000 }),
  brand_id: t.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  option_set_id: nullable(Id),
  option_set_display: t.String(),
  inventory_level: Count,
  inventory_warning_level: Count,
  inventory_tracking: t.Enum(['none', 'product', 'variant']),
  reviews_rating_sum: Count,
  reviews_count: Count,
  total_sold: Count,
  fixed_cost_shipping_price: Amount(),
  is_free_shipping: t.Boolean(),
  is_visible: t.Boolean(),
  is_featured: t.Boolean(),
  // [-1] means that the shop chooses related products itself.
  related_products: t.Array(t.Integer({ minimum: -1, maximum: ID_MAX })),
  warranty: Text,
  bin_picking_number: Line,
  layout_file: t.String({ maxLength: 500 }),
  upc: TradeNumber,
  mpn: Line,
  gtin: TradeNumber,
  date_last_imported: OptionalMoment,
  search_keywords: Text,
  availability: t.Enum(['available', 'disabled', 'preorder']),
  availability_description: Line,
  gift_wrapping_options_type: t.Enum(['any', 'none', 'list']),
  gift_wrapping_options_list: t.Array(Id),
  sort_order: SortOrder,
  condition: t.Enum(['New', 'Used', 'Refurbished']),
  is_condition_shown: t.Boolean(),
  order_quantity_minimum: Quantity,
  order_quantity_maximum: Quantity,
  page_title: Line,
  meta_keywords: t.Array(t.String()),
  meta_description: Text,
  date_created: Moment,
  date_modified: Moment,
  view_count: Quantity,
  preorder_release_date: OptionalMoment,
  preorder_message: Line,
  is_preorder_only: t.Boolean(),
  is_price_hidden: t.Boolean(),
  price_hidden_label: t.String({ maxLength: 200 }),
  custom_url: CustomUrl,
  base_variant_id: nullable(Id),
  open_graph_type: t.Enum(['product', 'album', 'book', 'drink', 'food', 'game', 'movie', 'song', 'tv_show']),
  open_graph_title: t.String(),
  open_graph_description: t.String(),
  open_graph_use_meta_description: t.Boolean(),
  open_graph_use_product_name: t.Boolean(),
  open_graph_use_image: t.Boolean(),
})
export type Product = Static<typeof Product>

/** The fields of a product's own row that requests can set. */
export const ProductFields = t.Partial(
  t.Object({
    ...t.Omit(Product, [
      'id',
      'calculated_price',
      'option_set_id',
      'option_set_display',
      'reviews_rating_sum',
      'reviews_count',
      'date_created',
      'date_modified',
      'base_variant_id',
    ]).properties,
    custom_url: CustomUrlInput,
    // The name of a brand, which is created if it is missing. A brand_id takes precedence.
    brand_name: NeededLine,
  }),
)
export type ProductFields = Static<typeof ProductFields>

/** Facts of every list of products. */
export const productFacts = {
  noun: 'product',
  filters: `id id:in id:not_in id:min id:max id:greater id:less name mpn upc price weight brand_id
    date_modified date_modified:max date_modified:min date_last_imported date_last_imported:max date_last_imported:min
    is_visible is_featured is_free_shipping
    inventory_level inventory_level:in inventory_level:not_in inventory_level:min inventory_level:max
    inventory_level:greater inventory_level:less total_sold type availability sku sku:in`,
  sort: [
    'id',
    'name',
    'sku',
    'price',
    'date_modified',
    'date_last_imported',
    'inventory_level',
    'is_visible',
    'total_sold',
    'calculated_price',
  ],
  unique: 'name',
  counted: true,
  conflicts: { products_name_unique: ['A product with this name already exists.', 'name'] },
} as const

/** The price of a product without options: the sale price if there is one. */
export const calculatedPrice = ({ price, sale_price = 0 }: { price: number; sale_price?: number }) =>
  sale_price || price

/** Products as their own rows; products/routes.ts adds their sub-resources. */
export const products = collection('products', Product, productFacts)

/** Locks products against deletion until the transaction ends. @returns the ids of the existing ones */
export const lockProductsShared = (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  lockIdsShared(tx, products, ids)

/** The base variants of products without options, by product. Products with options have none. */
export async function baseVariantsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ id: number; base_variant_id: number }>(
    prepared(sql`
    select id, base_variant_id from products
    where store_id = ${db.store.id} and id = ${sql.anyOf(ids)} and base_variant_id is not null`),
  )
  return new Map(rows.map(({ id, base_variant_id }) => [id, base_variant_id]))
}

export const productMetafields: MetafieldOwner = {
  kind: 'product',
  resources: products,
  path: '/catalog/products',
  access: access('catalog'),
  scope: 'store/product',
}

/**
 * Publishes that a product has changed, and stores the time. Call it at the end of a change to a sub-resource.
 * @param product locked
 */
export async function touchProduct(tx: Tx, product: { id: number }) {
  await updateDateModified(tx, product)
  publishProduct(tx, 'updated', product.id)
}

/** Stores the time of a change of a product, without an event. */
export async function updateDateModified(tx: Tx, product: { id: number }) {
  await tx.rows(
    prepared(sql`
    update products set date_modified = ${toSeconds(tx.now)} where store_id = ${tx.store.id} and id = ${product.id}`),
  )
  updateSearchRows(tx, [product.id])
}

/** Converts dates of a body to the stored form, so that the same moment in another form is no change. */
export function withMoments<P extends ProductFields>(fields: P): P {
  const read = { ...fields }
  for (const field of ['date_last_imported', 'preorder_release_date'] as const) {
    const moment = parseDate(fields[field] ?? '')
    if (moment) read[field] = toSeconds(moment.at)
  }
  return read
}

/** Publishes store/product/created, updated or deleted (docs/contract/webhooks.md section 6). */
export function publishProduct(tx: Tx, action: 'created' | 'updated' | 'deleted', id: number) {
  publish(tx, `store/product/${action}`, `product ${id}`, { type: 'product', id })
}
