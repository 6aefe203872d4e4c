import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { everyTree } from '../../../../../goods/catalog/categories/tree-shape.ts'
import { EVERY_PRODUCT, KIND_SIZE, literal, VALUES } from '../../../../../goods/catalog/search/values.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { isVisibleCategory } from '../catalog/rows/visibility.ts'
import { hitsOf } from './hits.ts'
import type { Wanted } from './wanted.ts'

// How many of the products that a search finds have each value. The counts of whole channels and categories are stored
// (goods/catalog/search/counts.ts), and all others are computed.

/** The most values of one facet: those with the most products. */
const VALUES_MAX = 250

/** The counts to read. */
export interface CountQuery {
  wanted: Wanted
  kinds: readonly ('brand' | 'category' | 'flag' | 'rating')[]
  /** The keys of the names of options and custom fields. */
  attributes: readonly string[]
  /** Values that are read even if no product has them. */
  chosen: readonly number[]
  /** Whether the number of all products is read too: the products are looked up once for both. */
  hasTotal?: boolean
}

/** A value with its number of products. */
export interface CountedValue {
  kind: 'brand' | 'category' | 'flag' | 'rating' | 'attribute' | 'total'
  /** The id of a brand or category, the stars of a rating, a flag, or the value of an attribute. */
  id: number
  products: number
  name: string
  /** The key of the name of an option or custom field. */
  attribute: string
  /** The parent of a category. */
  parent_id: number
  position: number
}

const countLoad = new Load<StorefrontCaller, 'all', readonly CountedValue[], CountQuery>(
  async ({ storefront: { db } }, _, query) => new Map([['all', await countOnce(db, query)]]),
)

/** The values of facets that a search finds, those with most products first. */
export const countValues = async (caller: StorefrontCaller, query: CountQuery): Promise<readonly CountedValue[]> =>
  query.kinds.length + query.attributes.length === 0 ? [] : ((await countLoad.find(caller, 'all', query)) ?? [])

const running = new Map<string, Promise<readonly CountedValue[]>>()

/** Two requests for the same counts at the same time get one answer. */
function countOnce(db: Db, query: CountQuery): Promise<readonly CountedValue[]> {
  const key = JSON.stringify(query)
  const known = running.get(key)
  if (known) return known
  const counting = db.rows<CountedValue>(statement(db, query)).finally(() => running.delete(key))
  running.set(key, counting)
  return counting
}

/** Whether the counts of a search are stored: those of a channel or category, for shoppers who see all of it. */
export const isStored = ({ visibility, term, price, rating, chosen }: Wanted) =>
  visibility.access.access_type !== 'specific' && !term && !price && !rating && chosen.length === 0

const inKind = (first: number): Sql => sql`value >= ${literal(first)} and value < ${literal(first + KIND_SIZE)}`
/** The id in a value, which may be too large for an `int` in values of other kinds. */
const idIn = (first: number): Sql => sql`(value - ${literal(first)})`

function statement({ store }: Db, { wanted, kinds, attributes, chosen, hasTotal = false }: CountQuery): Sql {
  const { visibility, context } = wanted
  const has = (kind: CountQuery['kinds'][number]) => kinds.includes(kind)
  const wantedValues = [
    ...(has('brand') ? [inKind(VALUES.brand)] : []),
    ...(has('category') ? [inKind(VALUES.tree)] : []),
    ...(has('flag') ? [inKind(VALUES.flag)] : []),
    ...(has('rating') ? [inKind(VALUES.rating)] : []),
    ...(attributes.length > 0 ? [sql`value >= ${literal(VALUES.attribute)}`] : []),
    ...(hasTotal ? [sql`value = ${literal(EVERY_PRODUCT)}`] : []),
  ]
  const isWanted = sql`(${sql.join(wantedValues, ' or ')})`
  const counts = isStored(wanted)
    ? sql`
        select value, ${sql.raw(visibility.hidesSoldOut.inLists ? 'in_stock' : 'products')} as products from facet_counts
        where store_id = ${store.id} and channel_id = ${visibility.channel}
          and context = ${literal(context?.value ?? EVERY_PRODUCT)} and ${isWanted}`
    : sql`
        select value, count(*)::int as products from (select hit.facets from ${hitsOf(wanted)}) hit, unnest(hit.facets) value
        where ${isWanted} group by value`
  const named = [
    ...(has('brand')
      ? [
          sql`select 'brand', brands.id, products, brands.name, '', 0, 0
            from counted join brands on brands.store_id = ${store.id} and brands.id = ${idIn(VALUES.brand)}
            where ${inKind(VALUES.brand)}`,
        ]
      : []),
    ...(has('category')
      ? [
          sql`select 'category', categories.id, products, categories.name, '', categories.parent_id, categories.sort_order
            from counted join categories on categories.store_id = ${store.id} and categories.id = ${idIn(VALUES.tree)}
            where ${inKind(VALUES.tree)} and ${isVisibleCategory(visibility)} and categories.tree_id in (
              select tree.id from ${everyTree({ store })} tree where tree.channel_id = ${visibility.channel})`,
        ]
      : []),
    ...(has('flag')
      ? [sql`select 'flag', value, products, '', '', 0, 0 from counted where ${inKind(VALUES.flag)}`]
      : []),
    ...(has('rating')
      ? [
          sql`select 'rating', ${idIn(VALUES.rating)}, products, '', '', 0, 0 from counted where ${inKind(VALUES.rating)}`,
        ]
      : []),
    ...(hasTotal
      ? [sql`select 'total', 0, products, '', '', 0, 0 from counted where value = ${literal(EVERY_PRODUCT)}`]
      : []),
    ...(attributes.length > 0
      ? [
          sql`select 'attribute', known.value, products, known.label, known.attribute_key, 0, known.position
            from counted join facet_values known on known.store_id = ${store.id} and known.value = counted.value
            where known.attribute_key = any(${attributes}::text[])`,
        ]
      : []),
  ]
  return sql`
    with counted as (
      select value, sum(products)::int as products from (
        ${counts} union all select unnest(${chosen}::bigint[]), 0
      ) found group by value having sum(products) > 0 or value = any(${chosen}::bigint[])
    )
    select kind, id, products, name, attribute, parent_id, position from (
      select *, row_number() over (partition by kind, attribute order by products desc, id) as nr from (
        ${sql.join(named, ' union all ')}
      ) named (kind, id, products, name, attribute, parent_id, position)
    ) ranked where nr <= ${VALUES_MAX} or products = 0 order by products desc, id`
}
