import { prepared } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
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
const BY_PRICE = ['(calculated_price * 10000)::bigint', 'id'] as const

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

/** Lists of products: those of the shop, and those below a product, a brand or a category. */
type ListKind = 'all' | 'named' | 'featured' | 'related' | 'brand' | 'category'

interface ListFilter {
  kind: ListKind
  hideOutOfStock?: boolean | null
  /** The products of a list of the kind `named`. */
  named?: readonly number[]
}

interface ListQuery extends ListArgs, ListFilter {
  order: Order
}

/** The conditions that a row of `products` is in the list below `parent.id`. */
const MEMBERS: Readonly<Record<ListKind, (store: number, filter: ListFilter) => Sql>> = {
  all: () => sql`true`,
  named: (_, { named = [] }) => sql`products.id = ${sql.anyOf(named)}`,
  featured: () => sql`products.is_featured`,
  brand: () => sql`products.brand_id = parent.id`,
  category: (store) => sql`products.id in (
    select place.product_id from product_categories place
    where place.store_id = ${store} and place.category_id = parent.id)`,
  // A product names its related products, or leaves the choice to the shop (-1): then they are others of its categories.
  related: (store) => sql`products.id <> parent.id and products.id in (
    select value::int from products owner, jsonb_array_elements_text(owner.related_products) value
    where owner.store_id = ${store} and owner.id = parent.id and not owner.related_products @> '-1'
    union
    select other.product_id from products owner
    join product_categories mine on mine.store_id = ${store} and mine.product_id = owner.id
    join product_categories other on other.store_id = ${store} and other.category_id = mine.category_id
    where owner.store_id = ${store} and owner.id = parent.id and owner.related_products @> '-1')`,
}

/** The condition that a shopper sees a row of `products` in the list below `parent.id`. */
async function isListed(caller: StorefrontCaller, filter: ListFilter): Promise<Sql> {
  const { id: store } = caller.storefront.db.store
  const visible = isVisibleProduct(await visibilityFor(caller), 'inLists')
  return sql`products.store_id = ${store} and ${MEMBERS[filter.kind](store, filter)} and ${visible}${
    filter.hideOutOfStock ? sql` and ${isInStock}` : sql.empty
  }`
}

type ListedProduct = ProductCard & { parent: number; sort_key: number | string }

/**
 * Whether one plan serves all stores: for all products or named ones, in the order of their ids
 * (docs/decisions/008-lists-planned-once.md). PostgreSQL plans each other list for its own values.
 */
const isPlannedOnce = ({ kind, order }: ListQuery): boolean => order === OLDEST && (kind === 'all' || kind === 'named')

/** One page of a list below each of several parents. The lists of the shop have the parent 0. */
const pageLoad = new Load<StorefrontCaller, number, ListedProduct[], ListQuery>(async (caller, parents, query) => {
  const plan = planPage(query, query.order)
  if (plan.page.length === 0) return new Map()
  const listed = await isListed(caller, query)
  const statement = sql`
    select parent.id as parent, found.* from ${sql.each(parents)} parent (id) cross join lateral (
      select ${cardColumns}, ${sql.raw(query.order.columns[0])} as sort_key from products
      where ${listed} and ${plan.where} ${plan.tail}
    ) found`
  const rows = await caller.storefront.db.rows<ListedProduct>(isPlannedOnce(query) ? prepared(statement) : statement)
  return Map.groupBy(rows, ({ parent }) => parent)
})

const totalLoad = new Load<StorefrontCaller, number, number, ListFilter>(async (caller, parents, filter) => {
  const listed = await isListed(caller, filter)
  const rows = await caller.storefront.db.rows<{ parent: number; count: number }>(sql`
    select parent.id as parent, (select count(*) from products where ${listed})::int as count
    from unnest(${parents}::int[]) parent (id)`)
  return new Map(rows.map(({ parent, count }) => [parent, count]))
})

/** One page of a list of products. Its total is counted only on request. */
async function productConnection(caller: StorefrontCaller, query: ListQuery, parent = 0) {
  const { kind, hideOutOfStock, named, order } = query
  const plan = planPage(query, order)
  const rows = (await pageLoad.find(caller, parent, query)) ?? []
  const connection = keyedConnection(plan, rows, {
    keyOf: ({ sort_key, id }) => (order.columns.length === 1 ? [id] : [sort_key, id]),
    nodeOf: (row) => productOf(row),
  })
  const count = async () => (await totalLoad.find(caller, parent, { kind, hideOutOfStock, named })) ?? 0
  return { ...connection, count }
}

/** A page of products with their total, which is counted on request. */
export type ProductPage = Awaited<ReturnType<typeof productConnection>>

/** Products by ids of both kinds, or all. @param ids global ids, of which those of other types name nothing */
export function productsById(
  caller: StorefrontCaller,
  { ids, entityIds, ...args }: ListArgs & { ids: readonly number[] | null; entityIds: readonly number[] | null },
) {
  const named = [...(ids ?? []), ...(entityIds ?? []).filter(isId)]
  const isFiltered = (ids?.length ?? 0) + (entityIds?.length ?? 0) > 0
  const filter: ListFilter = isFiltered ? { kind: 'named', named } : { kind: 'all' }
  return productConnection(caller, { ...args, ...filter, order: OLDEST })
}

export const newestProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, { ...args, kind: 'all', order: NEWEST })
export const bestSellingProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, { ...args, kind: 'all', order: BEST_SELLING })
export const featuredProducts = (caller: StorefrontCaller, args: ListArgs) =>
  productConnection(caller, { ...args, kind: 'featured', order: FEATURED })
export const productsOfBrand = (caller: StorefrontCaller, brand: number, args: ListArgs) =>
  productConnection(caller, { ...args, kind: 'brand', order: OLDEST }, brand)
export const productsOfCategory = (caller: StorefrontCaller, category: number, args: ListArgs, order: Order) =>
  productConnection(caller, { ...args, kind: 'category', order }, category)
export const relatedProducts = (caller: StorefrontCaller, product: number, args: ListArgs) =>
  productConnection(caller, { ...args, kind: 'related', order: OLDEST }, product)
