import { type Sql, sql } from '../../../../../core/db/sql.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { cardColumns, isId, type ProductCard } from './rows/product-row.ts'
import { isInStock, isVisibleProduct, visibilityFor } from './rows/visibility.ts'
import { productOf } from './selection.ts'

// Lists of products. Each has a total order, so that its pages neither repeat nor lose a product that doesn't change.

const OLDEST: Order = { columns: ['id'], isFalling: false }
const NEWEST: Order = { columns: ['id'], isFalling: true }
const BEST_SELLING: Order = { columns: ['total_sold', 'id'], isFalling: true }
const FEATURED: Order = { columns: ['sort_order', 'id'], isFalling: false }
const BY_PRICE = ['(calculated_price * 10000)::bigint', 'id']

/** The orders of the products of a category. Prices are those of the catalog. */
export const CATEGORY_ORDERS = {
  DEFAULT: FEATURED,
  FEATURED,
  NEWEST,
  BEST_SELLING,
  A_TO_Z: { columns: ['name_key', 'id'], isFalling: false, isText: true },
  Z_TO_A: { columns: ['name_key', 'id'], isFalling: true, isText: true },
  LOWEST_PRICE: { columns: BY_PRICE, isFalling: false },
  HIGHEST_PRICE: { columns: BY_PRICE, isFalling: true },
  BEST_REVIEWED: {
    columns: ['(case when reviews_count = 0 then 0 else reviews_rating_sum * 1000 / reviews_count end)', 'id'],
    isFalling: true,
  },
} as const satisfies Readonly<Record<string, Order>>

interface ListArgs extends PageArgs {
  hideOutOfStock?: boolean | null
}

/** One page of the products that meet a condition. Its total is counted only on request. */
export async function productConnection(caller: StorefrontCaller, args: ListArgs, order: Order, where: Sql) {
  const plan = planPage(args, order)
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const condition = sql`store_id = ${db.store.id} and ${where} and ${isVisibleProduct(visibility, 'inLists')}${
    args.hideOutOfStock ? sql` and ${isInStock}` : sql.empty
  }`
  // Lists of many shapes are sent unnamed, so that PostgreSQL plans each for its own values.
  const [first = 'id', ...others] = order.columns
  const rows =
    plan.page.length === 0
      ? []
      : await db.rows<ProductCard & { sort_key: number | string }>(
          sql`select ${cardColumns}, ${sql.raw(first)} as sort_key from products where ${condition} and ${plan.where} ${plan.tail}`,
        )
  const connection = keyedConnection(plan, rows, {
    keyOf: ({ sort_key, id }) => (others.length === 0 ? [id] : [sort_key, id]),
    nodeOf: (row) => productOf(row),
  })
  const count = async () =>
    (await db.row<{ count: number }>(sql`select count(*)::int as count from products where ${condition}`)).count
  return { ...connection, count }
}

/** Products by ids of both kinds, or all. @param ids global ids, of which those of other types name nothing */
export function productsById(
  caller: StorefrontCaller,
  { ids, entityIds, ...args }: ListArgs & { ids: readonly number[] | null; entityIds: readonly number[] | null },
) {
  const wanted = [...(ids ?? []), ...(entityIds ?? []).filter(isId)]
  const isFiltered = (ids?.length ?? 0) + (entityIds?.length ?? 0) > 0
  return productConnection(caller, args, OLDEST, isFiltered ? sql`id = any(${wanted})` : sql`true`)
}

export const newestProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, args, NEWEST, sql`true`)
export const bestSellingProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, args, BEST_SELLING, sql`true`)
export const featuredProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, args, FEATURED, sql`is_featured`)
export const productsOfBrand = (caller: StorefrontCaller, brand: number, args: ListArgs) =>
  productConnection(caller, args, OLDEST, sql`brand_id = ${brand}`)
export const productsOfCategory = (caller: StorefrontCaller, category: number, args: ListArgs, order: Order) =>
  productConnection(
    caller,
    args,
    order,
    sql`id in (
      select product_id from product_categories
      where product_categories.store_id = ${caller.storefront.db.store.id} and category_id = ${category})`,
  )

/** The products that a product names as related; if it leaves the choice to the shop, others of its categories. */
export function relatedProducts(caller: StorefrontCaller, product: ProductCard, args: ListArgs) {
  const { store } = caller.storefront.db
  const named = product.related_products.filter((id) => id > 0)
  const isAutomatic = product.related_products.includes(-1)
  const where = isAutomatic
    ? sql`id <> ${product.id} and id in (
        select other.product_id from product_categories mine join product_categories other
          on other.store_id = ${store.id} and other.category_id = mine.category_id
        where mine.store_id = ${store.id} and mine.product_id = ${product.id})`
    : sql`id = any(${named})`
  return productConnection(caller, args, OLDEST, where)
}
