import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { Category } from '../../../../../goods/catalog/categories/shape.ts'
import { everyTree } from '../../../../../goods/catalog/categories/tree-shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { metafieldConnection } from '../metafields.ts'
import { localeAlternates } from '../settings/alternates.ts'
import { CATEGORY_ORDERS, productsOfCategory } from './lists.ts'
import { priceRangeConnection } from './rows/price-ranges.ts'
import { isId } from './rows/product-row.ts'
import { isVisibleCategory, isVisibleProduct, visibilityFor } from './rows/visibility.ts'

const COLUMNS = [
  'id',
  'parent_id',
  'name',
  'description',
  'page_title',
  'meta_keywords',
  'meta_description',
  'default_product_sort',
  'image_url',
  'custom_url',
] as const satisfies readonly (keyof Category)[]
type CategoryRow = Pick<Category, (typeof COLUMNS)[number]>
const columns = sql.join(COLUMNS.map((column) => sql.raw(`categories.${column}`)))

/** A category of the menu with those below it. */
interface TreeItem {
  id: number
  parent_id: number
  name: string
  url: string
  image_url: string
  below: TreeItem[]
}

declare module '../../types.ts' {
  interface Parents {
    Category: CategoryRow
    CategoryTreeItem: TreeItem
  }
}

/** The condition that a category belongs to the tree of the channel. */
const isOfChannel = (caller: StorefrontCaller) => {
  const { db, channel } = caller.storefront
  return sql`categories.tree_id in (select tree.id from ${everyTree(db)} tree where tree.channel_id = ${channel})`
}

/** Categories that the shopper may open. */
const categoryLoad = new Load<StorefrontCaller, number, CategoryRow>(async (caller, ids) => {
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const rows = await db.rows<CategoryRow>(
    prepared(sql`
    select ${columns} from categories where categories.store_id = ${db.store.id} and categories.id = ${sql.anyOf(ids)}
      and ${isVisibleCategory(visibility)} and ${isOfChannel(caller)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

export const findCategory = async (caller: StorefrontCaller, id: number): Promise<CategoryRow | null> =>
  isId(id) ? ((await categoryLoad.find(caller, id, undefined)) ?? null) : null

/** The visible categories of each product, in the order of their ids. */
const ofProductLoad = new Load<StorefrontCaller, number, CategoryRow[]>(async (caller, ids) => {
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const rows = await db.rows<CategoryRow & { product_id: number }>(
    prepared(sql`
    select ${columns}, place.product_id from product_categories place
    join categories on categories.store_id = ${db.store.id} and categories.id = place.category_id
    where place.store_id = ${db.store.id} and place.product_id = ${sql.anyOf(ids)}
      and ${isVisibleCategory(visibility)} and ${isOfChannel(caller)}
    order by place.product_id, categories.id`),
  )
  return Map.groupBy(rows, ({ product_id }) => product_id)
})

export const categoriesOfProduct = async (caller: StorefrontCaller, product: number): Promise<CategoryRow[]> =>
  (await ofProductLoad.find(caller, product, undefined)) ?? []

/** The tree of the channel: at most 16,000 categories, without their texts. A category below one that is hidden is left out. */
const treeLoad = new Load<StorefrontCaller, 'all', TreeItem[]>(async (caller) => {
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const rows = await db.rows<Omit<TreeItem, 'below'>>(
    prepared(sql`
    select id, parent_id, name, custom_url ->> 'url' as url, image_url from categories
    where categories.store_id = ${db.store.id} and ${isVisibleCategory(visibility)} and ${isOfChannel(caller)}
    order by sort_order, id`),
  )
  return new Map([['all', rows.map((row) => ({ ...row, below: [] }))]])
})

/** The visible top categories with all below them, or those below one of them. @param root the id of that one */
export async function categoryTree(caller: StorefrontCaller, root: number | null | undefined): Promise<TreeItem[]> {
  const flat = (await treeLoad.find(caller, 'all', undefined)) ?? []
  const items = new Map(flat.map((item): [number, TreeItem] => [item.id, { ...item, below: [] }]))
  const top: TreeItem[] = []
  for (const item of items.values()) {
    if (item.parent_id === 0) top.push(item)
    else items.get(item.parent_id)?.below.push(item)
  }
  if (root == null) return top
  const reachable = (list: readonly TreeItem[]): TreeItem | undefined => {
    for (const item of list) {
      const found = item.id === root ? item : reachable(item.below)
      if (found) return found
    }
    return undefined
  }
  const found = reachable(top)
  return found ? [found] : []
}

const descriptionLoad = new Load<StorefrontCaller, number, string>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<Pick<Category, 'id' | 'description'>>(
    prepared(sql`select id, description from categories where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map(({ id, description }) => [id, description]))
})

/** How many products of each category a shopper may see. */
const countLoad = new Load<StorefrontCaller, number, number>(async (caller, ids) => {
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const rows = await db.rows<{ category_id: number; count: number }>(
    prepared(sql`
    select category_id, count(*)::int as count from product_categories assigned
    join products on products.store_id = ${db.store.id} and products.id = assigned.product_id
    where assigned.store_id = ${db.store.id} and assigned.category_id = ${sql.anyOf(ids)}
      and ${isVisibleProduct(visibility, 'inLists')}
    group by category_id`),
  )
  return new Map(rows.map(({ category_id, count }) => [category_id, count]))
})

interface Crumb {
  id: number
  name: string
  url: string
}

/** The categories from the top to each category, which is the last. A tree has at most eight levels. */
const crumbLoad = new Load<StorefrontCaller, number, Crumb[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<Crumb & { leaf: number }>(
    prepared(sql`
    with recursive up as (
      select id as leaf, id, parent_id, name, custom_url ->> 'url' as url, 0 as level from categories
      where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}
      union all
      select up.leaf, above.id, above.parent_id, above.name, above.custom_url ->> 'url', up.level + 1
      from up join categories above on above.store_id = ${db.store.id} and above.id = up.parent_id
    )
    select leaf, id, name, url from up order by leaf, level desc`),
  )
  return Map.groupBy(rows, ({ leaf }) => leaf)
})

const SORTS = {
  use_store_settings: 'DEFAULT',
  featured: 'FEATURED',
  newest: 'NEWEST',
  best_selling: 'BEST_SELLING',
  alpha_asc: 'A_TO_Z',
  alpha_desc: 'Z_TO_A',
  avg_customer_review: 'BEST_REVIEWED',
  price_asc: 'LOWEST_PRICE',
  price_desc: 'HIGHEST_PRICE',
} as const

/** Categories and the menu of the storefront. */
export const categoryFields: Fields<'Category' | 'CategoryTreeItem'> = {
  Category: {
    id: ({ id }) => globalId('Category', id),
    entityId: ({ id }) => id,
    path: ({ custom_url }) => custom_url.url,
    defaultImage: ({ image_url, name }) =>
      image_url === '' ? null : { kept: image_url, altText: name, isDefault: true },
    async breadcrumbs({ id }, { depth, ...args }, caller) {
      const crumbs = (await crumbLoad.find(caller, id, undefined)) ?? []
      const ancestors = crumbs.slice(Math.max(0, crumbs.length - Math.max(0, depth)))
      return connectionOf(
        ancestors.map(({ id, name, url }) => ({ entityId: id, name, path: url })),
        args,
      )
    },
    products: ({ id, default_product_sort }, { sortBy, ...args }, caller) => {
      const sort = sortBy == null || sortBy === 'DEFAULT' ? SORTS[default_product_sort] : sortBy
      return productsOfCategory(caller, id, args, CATEGORY_ORDERS[sort])
    },
    metafields: ({ id }, args, caller) => metafieldConnection(caller, { kind: 'category', id }, args),
    locales: ({ custom_url }, args, caller) => localeAlternates(caller, custom_url.url, args),
    shopByPriceRanges: ({ id }, args, caller) => priceRangeConnection(caller, id, args),
    seo: ({ name, page_title, meta_description, meta_keywords }) => ({
      pageTitle: page_title || name,
      metaDescription: meta_description,
      metaKeywords: meta_keywords.join(', '),
    }),
    defaultProductSort: ({ default_product_sort }) => SORTS[default_product_sort],
  },
  CategoryTreeItem: {
    entityId: ({ id }) => id,
    path: ({ url }) => url,
    description: async ({ id }, _, caller) => (await descriptionLoad.find(caller, id, undefined)) ?? '',
    productCount: async ({ id }, _, caller) => (await countLoad.find(caller, id, undefined)) ?? 0,
    image: ({ image_url, name }) => (image_url === '' ? null : { kept: image_url, altText: name, isDefault: true }),
    hasChildren: ({ below }) => below.length > 0,
    children: ({ below }) => below,
  },
}
