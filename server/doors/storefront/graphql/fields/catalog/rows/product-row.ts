import { prepared } from '../../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import type { Product } from '../../../../../../goods/catalog/product-row/shape.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import { accessRows } from '../../shop.ts'
import { isOpenProduct, visibilityFor } from './visibility.ts'

// The columns of a product in two groups: those of a card, which lists read, and the long texts of its page.

const CARD = [
  'id',
  'name',
  'type',
  'sku',
  'weight',
  'width',
  'depth',
  'height',
  'brand_id',
  'inventory_level',
  'inventory_warning_level',
  'inventory_tracking',
  'reviews_rating_sum',
  'reviews_count',
  'upc',
  'mpn',
  'gtin',
  'availability',
  'availability_description',
  'condition',
  'is_condition_shown',
  'order_quantity_minimum',
  'order_quantity_maximum',
  'date_created',
  'preorder_release_date',
  'preorder_message',
  'is_price_hidden',
  'custom_url',
  'base_variant_id',
  'gift_wrapping_options_type',
  'gift_wrapping_options_list',
] as const satisfies readonly (keyof Product)[]

/** A product as lists read it. */
export type ProductCard = Pick<Product, (typeof CARD)[number]>

export const cardColumns: Sql = sql.join(CARD.map((column) => sql.raw(`products.${column}`)))

/** Products that a shopper may open apart from their stock, by id. @param customer 0 for a guest */
const cardLoad = new Load<StorefrontCaller, number, ProductCard, { customer: number }>(
  async ({ storefront }, ids, { customer }) => {
    const { db } = storefront
    const rows = await db.rows<ProductCard>(
      prepared(sql`
      select ${cardColumns} from products cross join ${accessRows(storefront, customer)} access
      where products.store_id = ${db.store.id} and products.id = ${sql.anyOf(ids)} and ${isOpenProduct(storefront)}`),
    )
    return new Map(rows.map((row) => [row.id, row]))
  },
)

/** A product by its id; undefined for one that is unknown or that the shopper may not see. */
export async function findCard(caller: StorefrontCaller, id: number): Promise<ProductCard | undefined> {
  if (!isId(id)) return undefined
  // Both leave in one round trip, so the statement reads the access of the shopper itself.
  const [card, { hidesSoldOut }] = await Promise.all([
    cardLoad.find(caller, id, { customer: caller.customer?.id ?? 0 }),
    visibilityFor(caller),
  ])
  return card && hidesSoldOut.alone && card.inventory_tracking !== 'none' && card.inventory_level <= 0
    ? undefined
    : card
}

/** Whether a number can be an id. */
export const isId = (id: number) => Number.isInteger(id) && id > 0 && id < 2 ** 31

const TEXTS = [
  'id',
  'description',
  'warranty',
  'page_title',
  'meta_keywords',
  'meta_description',
] as const satisfies readonly (keyof Product)[]

export const textLoad = new Load<StorefrontCaller, number, Pick<Product, (typeof TEXTS)[number]>>(
  async ({ storefront: { db } }, ids) => {
    const rows = await db.rows<Pick<Product, (typeof TEXTS)[number]>>(
      prepared(sql`
      select ${sql.join(TEXTS.map(sql.id))} from products where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
    )
    return new Map(rows.map((row) => [row.id, row]))
  },
)
