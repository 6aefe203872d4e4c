import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { ProductPage } from '../catalog/lists.ts'
import { cardColumns, type ProductCard } from '../catalog/rows/product-row.ts'
import { isVisibleProduct } from '../catalog/rows/visibility.ts'
import { productOf } from '../catalog/selection.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { hitsOf } from './hits.ts'
import { rankOf } from './terms.ts'
import type { ResolvedSearch, Wanted } from './wanted.ts'

export type SearchSort =
  | 'A_TO_Z'
  | 'BEST_REVIEWED'
  | 'BEST_SELLING'
  | 'FEATURED'
  | 'HIGHEST_PRICE'
  | 'LOWEST_PRICE'
  | 'NEWEST'
  | 'RELEVANCE'
  | 'Z_TO_A'

const by = (column: string, isFalling: boolean) => ({ columns: [column, 'hit.product_id'], isFalling }) as const

/** The orders of a search. The product comes last, so each is total. Prices are those of the catalog. */
const ORDERS: Readonly<Record<Exclude<SearchSort, 'RELEVANCE'>, Order>> = {
  FEATURED: by('hit.featured', false),
  NEWEST: { columns: ['hit.product_id'], isFalling: true },
  BEST_SELLING: by('hit.sold', true),
  A_TO_Z: { ...by('hit.name_key', false), isText: true },
  Z_TO_A: { ...by('hit.name_key', true), isText: true },
  LOWEST_PRICE: by('hit.price', false),
  HIGHEST_PRICE: by('hit.price', true),
  BEST_REVIEWED: by('hit.rating', true),
}

/** Relevance: the rank, then units sold, as one rising number. */
const RELEVANCE: Order = by('hit.relevance', false)

/** Without a term there is no relevance. */
const orderOf = ({ term }: Wanted, sort: SearchSort): Order =>
  sort !== 'RELEVANCE' ? ORDERS[sort] : term ? RELEVANCE : ORDERS.FEATURED

type FoundProduct = ProductCard & { sort_key: number | string }

const pageLoad = new Load<
  StorefrontCaller,
  'all',
  FoundProduct[],
  { wanted: Wanted; sort: SearchSort; args: PageArgs }
>(async ({ storefront: { db } }, _, { wanted, sort, args }) => {
  const order = orderOf(wanted, sort)
  const plan = planPage(args, order)
  if (plan.page.length === 0) return new Map()
  const hits = hitsOf(wanted)
  const source =
    order === RELEVANCE && wanted.term
      ? sql`(
            select hit.product_id, ${rankOf(wanted.term)} * 4294967296 + 2147483647 - hit.sold as relevance from ${hits}
          ) hit where ${plan.where}`
      : sql`${hits} and ${plan.where}`
  // The page is read off the narrow rows first. Its products are checked once more, by the one rule of all lists.
  const rows = await db.rows<FoundProduct>(sql`
      select ${cardColumns}, found.sort_key from (
        select product_id, sort_key, row_number() over () as nr
        from (select hit.product_id, ${sql.raw(order.columns[0])} as sort_key from ${source} ${plan.tail}) page
      ) found join products on products.store_id = ${db.store.id} and products.id = found.product_id
      where ${isVisibleProduct(wanted.visibility, 'inLists')} order by found.nr`)
  return new Map([['all', rows]])
})

const totalLoad = new Load<StorefrontCaller, 'all', number, Wanted>(async ({ storefront: { db } }, _, wanted) => {
  const { count } = await db.row<{ count: number }>(sql`select count(*)::int as count from ${hitsOf(wanted)}`)
  return new Map([['all', count]])
})

/** One page of the products that a search finds. */
export async function searchedProducts(
  caller: StorefrontCaller,
  { wanted, isEmpty }: ResolvedSearch,
  sort: SearchSort,
  args: PageArgs,
): Promise<ProductPage> {
  const order = orderOf(wanted, sort)
  const plan = planPage(args, order)
  const rows = isEmpty ? [] : ((await pageLoad.find(caller, 'all', { wanted, sort, args })) ?? [])
  const connection = keyedConnection(plan, rows, {
    keyOf: ({ sort_key, id }) => (order.columns.length === 1 ? [id] : [sort_key, id]),
    nodeOf: (row) => productOf(row),
  })
  return {
    ...connection,
    count: async () => (isEmpty ? 0 : ((await totalLoad.find(caller, 'all', wanted)) ?? 0)),
  }
}
