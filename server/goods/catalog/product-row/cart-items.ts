import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'

// The facts of the catalog that carts show and check: names, pictures, measures, limits and stock of variants. Prices are read by
// `priced.ts`.

/** A variant as carts need it. Values that it inherits are those of its product. */
export interface CartItem {
  variant_id: number
  product_id: number
  name: string
  type: 'physical' | 'digital'
  sku: string
  upc: string
  /** The path of the product's page on a site. */
  path: string
  image_url: string
  brand_id: number
  categories: number[]
  options: { option_id: number; name: string; value_id: number; value: string }[]
  /** Read only if the caller asks for them. */
  customFields: { name: string; value: string }[]
  /** Whether product and variant can be bought. */
  is_available: boolean
  /** 0 for none. */
  order_quantity_minimum: number
  order_quantity_maximum: number
  /** The stock for sale of the product or of the variant, by the product's kind of tracking; null without tracking. */
  product_stock: number | null
  variant_stock: number | null
  is_free_shipping: boolean
  /** 0 for products without a shipping price of their own. */
  fixed_cost_shipping_price: number
  weight: number
  width: number
  height: number
  depth: number
}

/** The items of a cart: its variants, and the products that promotions may add. */
interface NamedItems {
  variants: readonly number[]
  /** Their base variants are read. */
  products: readonly number[]
  customFields: boolean
}

/** The columns of `CartItem`, from `cartItemTables`. */
export const cartItemColumns = ({ store }: Pick<Db, 'store'>, customFields: boolean): Sql => sql`
      variant.id as variant_id, product.id as product_id, product.name, product.type,
      coalesce(nullif(variant.sku, ''), product.sku) as sku, coalesce(nullif(variant.upc, ''), product.upc) as upc,
      product.custom_url ->> 'url' as path,
      coalesce(nullif(variant.image_url, ''), (
        select url_standard from product_images where store_id = ${store.id} and product_id = product.id and is_thumbnail
      ), '') as image_url,
      product.brand_id, product.categories, coalesce((
        select jsonb_agg(jsonb_build_object('option_id', value -> 'option_id', 'name', value -> 'option_display_name',
          'value_id', value -> 'id', 'value', value -> 'label'))
        from jsonb_array_elements(variant.option_values) as value
      ), '[]') as options,
      case when ${customFields}::boolean then coalesce((
        select jsonb_agg(jsonb_build_object('name', name, 'value', value)) from custom_fields
        where store_id = ${store.id} and product_id = product.id
      ), '[]') else '[]' end as "customFields",
      product.availability <> 'disabled' and not variant.purchasing_disabled as is_available,
      product.order_quantity_minimum, product.order_quantity_maximum,
      case when product.inventory_tracking = 'product'
        or (product.inventory_tracking = 'variant' and product.base_variant_id is not null)
        then product.inventory_level end as product_stock,
      case when product.inventory_tracking = 'variant' and product.base_variant_id is null
        then coalesce(variant.inventory_level, 0) end as variant_stock,
      product.is_free_shipping or variant.is_free_shipping as is_free_shipping,
      coalesce(variant.fixed_cost_shipping_price, product.fixed_cost_shipping_price) as fixed_cost_shipping_price,
      variant.calculated_weight as weight, coalesce(variant.width, product.width) as width,
      coalesce(variant.height, product.height) as height, coalesce(variant.depth, product.depth) as depth`

/** The variants of a store as `variant`, each with its product as `product`. */
export const cartItemTables = ({ store }: Pick<Db, 'store'>): Sql =>
  sql`variants variant join products product on product.store_id = ${store.id} and product.id = variant.product_id`

/** Reads variants with one statement. @returns by the id of the variant; unknown ones are missing */
export async function findCartItems(
  db: Db,
  { variants, products, customFields }: NamedItems,
): Promise<ReadonlyMap<number, CartItem>> {
  if (variants.length + products.length === 0) return new Map()
  const { id: store } = db.store
  const rows = await db.rows<CartItem>(
    prepared(sql`
    select ${cartItemColumns(db, customFields)} from ${cartItemTables(db)}
    where variant.store_id = ${store} and variant.id = any(array(
      select unnest(${[...new Set(variants)]}::int[])
      union
      select base_variant_id from products where store_id = ${store} and id = ${sql.anyOf(products)}
    ))`),
  )
  return new Map(rows.map((row) => [row.variant_id, row]))
}
