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

const Count = t.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Quantity = t.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Measure = Amount({ maximum: 9_999_999_999 })
export const Sku = t.String({ maxLength: 255 })
export const TradeNumber = t.String({ maxLength: 14 })
const OptionalMoment = nullable(Moment)

/** The fields of a product that are stored in its own row, in the contract's order. */
export const Product = t.Object({
  id: Id,
  name: NeededText(250),
  type: t.Enum(['physical', 'digital']),
  sku: Sku,
  // As long as the body may be: the contract gives no bound.
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
  // -1 alone stands for those that the shop chooses by itself.
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

/** What a request may say of a product's own row; all else follows from what is done with it. */
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
    // A brand by its name, which is made if there is none. A brand_id beside it counts more.
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

/** What a shopper pays without options: the sale price where there is one. */
export const calculatedPrice = ({ price, sale_price = 0 }: { price: number; sale_price?: number }) =>
  sale_price || price

/** Products as their own rows; products/routes.ts shows them with what hangs on them. */
export const products = collection('products', Product, productFacts)

/** Keeps products from being deleted until the transaction ends. @returns the ids of those that are there */
export const lockProductsShared = (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  lockIdsShared(tx, products, ids)

/** The variants that products without options are sold as, by the product. Others have none. */
export async function baseVariantsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ id: number; base_variant_id: number }>(
    prepared(sql`
    select id, base_variant_id from products
    where store_id = ${db.store.id} and id = any(${ids}) and base_variant_id is not null`),
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
 * Tells that something of a product has changed, and when. To be called at the end of a change to what hangs on it.
 * @param product locked
 */
export async function touchProduct(tx: Tx, product: { id: number }) {
  await updateDateModified(tx, product)
  publishProduct(tx, 'updated', product.id)
}

/** Writes when something of a product has changed, and tells nothing. */
export async function updateDateModified(tx: Tx, product: { id: number }) {
  await tx.rows(
    prepared(sql`
    update products set date_modified = ${toSeconds(tx.now)} where store_id = ${tx.store.id} and id = ${product.id}`),
  )
}

/** Dates of a body as they are stored and answered, in whatever form they were sent: the same moment is no change. */
export function withMoments<P extends ProductFields>(fields: P): P {
  const read = { ...fields }
  for (const field of ['date_last_imported', 'preorder_release_date'] as const) {
    const moment = parseDate(fields[field] ?? '')
    if (moment) read[field] = toSeconds(moment.at)
  }
  return read
}

/** store/product/created, updated or deleted (docs/contract/webhooks.md section 6). */
export function publishProduct(tx: Tx, deed: 'created' | 'updated' | 'deleted', id: number) {
  publish(tx, `store/product/${deed}`, `product ${id}`, { type: 'product', id })
}
