import type { Db } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { hasAny, type Mistakes } from '../../../../../core/rest/input/mistakes.ts'
import { type CartItem, cartItemColumns, cartItemTables } from '../../../../../goods/catalog/product-row/cart-items.ts'
import { selectionOf } from '../../../../../sales/pricing/calculation/selection.ts'
import { gather } from '../../../../../sales/pricing/gather.ts'
import { pricesFrom } from '../../../../../sales/pricing/products.ts'
import { defaultCurrency } from '../../../../../shop/channels/currencies/shape.ts'
import { isVisibleProduct, shopperVisibility } from '../../../../storefront/graphql/fields/catalog/rows/visibility.ts'
import type { BuyerCaller } from '../../caller.ts'

// Products as a buyer sees them: of a channel, for the group of the acting company, with the prices of POST /pricing/products
// (docs/contract/b2b-graphql.md section 10). A product that the storefront hides does not exist here either.

/** The shopper for whom products are read. */
export interface ItemShopper {
  db: Db
  channel: number
  /** 0 for a guest. */
  customer: number
}

/** The shopper of a caller in a store. */
export const itemShopper = ({ shopper }: BuyerCaller, db: Db, channel: number): ItemShopper => ({
  db,
  channel,
  customer: shopper?.buyer?.pricedAs ?? shopper?.customer.id ?? 0,
})

export type ItemPrice = ReturnType<typeof pricesFrom>[number]

/** A configuration whose price is asked for. */
export interface PricedConfiguration {
  product_id: number
  variant_id?: number
  options?: { option_id: number; value_id: number }[]
}

/** A variant that the shopper may see, with the facts of its product. */
export interface VisibleItem extends CartItem {
  is_price_hidden: boolean
  inventory_tracking: string
  tax_class_id: number
  cost_price: number
}

/** The ids among those of products that the shopper may see. */
export async function visibleProducts({ db, channel, customer }: ItemShopper, ids: readonly number[]) {
  const wanted = [...new Set(ids)].filter(isRowId)
  if (wanted.length === 0) return new Map<number, ProductFacts>()
  const visibility = await shopperVisibility({ db, channel }, customer)
  const rows = await db.rows<ProductFacts>(sql`
    select id, name, is_price_hidden, inventory_tracking, tax_class_id, cost_price, base_variant_id, availability,
      inventory_level, custom_url ->> 'url' as path, sku, order_quantity_minimum, order_quantity_maximum
    from products where store_id = ${db.store.id} and id = any(${wanted}) and ${isVisibleProduct(visibility, 'alone')}`)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface ProductFacts {
  id: number
  name: string
  is_price_hidden: boolean
  inventory_tracking: string
  tax_class_id: number
  cost_price: number
  base_variant_id: number | null
  availability: string
  inventory_level: number
  path: string
  sku: string
  order_quantity_minimum: number
  order_quantity_maximum: number
}

/** Variants that the shopper may see, by id. */
export async function visibleItems(
  shopper: ItemShopper,
  variants: readonly number[],
): Promise<ReadonlyMap<number, VisibleItem>> {
  const { db, channel, customer } = shopper
  const wanted = [...new Set(variants)].filter(isRowId)
  if (wanted.length === 0) return new Map()
  const visibility = await shopperVisibility({ db, channel }, customer)
  const rows = await db.rows<VisibleItem>(sql`
    select ${cartItemColumns(db, false)}, product.is_price_hidden, product.inventory_tracking, product.tax_class_id, product.cost_price
    from ${cartItemTables(db)}
    where variant.store_id = ${db.store.id} and variant.id = any(${wanted}::int[]) and exists (
      select from products
      where products.store_id = ${db.store.id} and products.id = variant.product_id and ${isVisibleProduct(visibility, 'alone')})`)
  return new Map(rows.map((row) => [row.variant_id, row]))
}

/**
 * The prices of configurations, in their order; undefined for products and variants that do not exist. The caller has dropped the
 * products that the shopper may not see.
 */
export async function itemPrices(
  { db, channel, customer }: ItemShopper,
  items: readonly PricedConfiguration[],
  currency?: string,
): Promise<(ItemPrice | undefined)[]> {
  if (items.length === 0) return []
  const currency_code = currency || (await defaultCurrency(db)).currency_code
  const shopper = { channel_id: channel, currency_code, customer_group_id: 0, customer_id: customer }
  const found = await gather(
    db,
    shopper,
    items.map(({ product_id }) => product_id),
  )
  if (!found.gathered) return items.map(() => undefined)
  const { products } = found.gathered
  const isThere = ({ product_id, variant_id }: PricedConfiguration) => {
    const product = products.get(product_id)
    return product !== undefined && (variant_id === undefined || product.variants.some(({ id }) => id === variant_id))
  }
  // Options that the product does not have any more count for nothing.
  const optionsOf = ({ options = [], ...item }: PricedConfiguration) => {
    const product = products.get(item.product_id)
    const mistakes: Mistakes = {}
    if (product) selectionOf({ ...item, options }, product, mistakes, (field) => field)
    return hasAny(mistakes) ? [] : options
  }
  const present = items.filter(isThere)
  const prices = pricesFrom(found, {
    ...shopper,
    items: present.map((item) => ({ ...item, options: optionsOf(item) })),
  })
  const byItem = new Map(present.map((item, i) => [item, prices[i]]))
  return items.map((item) => byItem.get(item))
}

/** The stock for sale of an item; null without tracking. */
export const stockOf = ({ product_stock, variant_stock }: CartItem): number | null => variant_stock ?? product_stock

export const isRowId = (id: number) => Number.isInteger(id) && id > 0 && id < 2 ** 31
