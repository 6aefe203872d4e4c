import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import type { Facet, FacetPlace, Facets } from '../../../shop/settings/search/facets.ts'
import { channelsOf } from '../categories/tree-shape.ts'

/** The most names of options, and of custom fields, that search filters offer. */
const NAMES_MAX = 500

/** The catalog's side of search filters (docs/contract/settings.md section 8). */
export const catalogFacets: Facets = {
  async find(db, place) {
    const { brands, ratings, categories, lowest, highest } = await db.row<Totals>(totals(db, place))
    const names = await db.rows<Name>(sql`
      (${optionNames(db, isIn(db, place, 'options.product_id'))} limit ${NAMES_MAX})
      union all (${fieldNames(db, isIn(db, place, 'custom_fields.product_id'))} limit ${NAMES_MAX})`)
    return [
      { type: 'category', key: '', name: 'Category', product_count: categories },
      { type: 'brand', key: '', name: 'Brand', product_count: brands },
      { type: 'rating', key: '', name: 'Rating', product_count: ratings },
      { type: 'price', key: '', name: 'Price', price_range_min: lowest, price_range_max: highest },
      ...names.map(asFacet),
      { type: 'other', key: '', name: 'Other' },
    ]
  },

  async named(db, keys) {
    const [options, fields] = [keysOf(keys, 'option'), keysOf(keys, 'field')]
    const found = await db.rows<Name>(sql`
      (${optionNames(db, sql`display_name_key = any(${options.map(fold)})`)})
      union all (${fieldNames(db, sql`name = any(${fields})`)})`)
    return found.map(asFacet)
  },

  channelsOf,
}

interface Totals {
  brands: number
  ratings: number
  categories: number
  lowest: number
  highest: number
}

const totals = (db: Db, place: FacetPlace): Sql => sql`
  select count(*) filter (where brand_id > 0)::int as brands, count(*) filter (where reviews_count > 0)::int as ratings,
    count(*) filter (where categories <> '[]')::int as categories,
    coalesce(min(calculated_price), 0) as lowest, coalesce(max(calculated_price), 0) as highest
  from products where store_id = ${db.store.id} and ${isIn(db, place, 'products.id')}`

/** Whether a product is in the channel and the category of a context. */
function isIn({ store }: Db, { channel, category }: FacetPlace, product: string): Sql {
  const id = sql.raw(product)
  return sql.and([
    ...(channel === undefined
      ? []
      : [
          sql`exists (select 1 from product_channels sold
            where sold.store_id = ${store.id} and sold.product_id = ${id} and sold.channel_id = ${channel})`,
        ]),
    ...(category === undefined
      ? []
      : [
          sql`exists (select 1 from product_categories placed
            where placed.store_id = ${store.id} and placed.product_id = ${id} and placed.category_id = ${category})`,
        ]),
  ])
}

interface Name {
  kind: 'option' | 'field'
  key: string
  name: string
  products: number
}

const asFacet = ({ kind, key, name, products }: Name): Facet => ({
  type: 'product',
  key: `${kind}:${key}`,
  name,
  product_count: products,
})

/** The names of options of products. Names that differ in case only are one. */
const optionNames = ({ store }: Db, where: Sql): Sql => sql`
  select 'option' as kind, display_name_key as key, min(display_name) as name, count(distinct product_id)::int as products
  from options where store_id = ${store.id} and ${where}
  group by display_name_key order by display_name_key`

const fieldNames = ({ store }: Db, where: Sql): Sql => sql`
  select 'field' as kind, name as key, name, count(distinct product_id)::int as products
  from custom_fields where store_id = ${store.id} and ${where}
  group by name order by name`

const keysOf = (keys: readonly string[], kind: Name['kind']): string[] =>
  keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1))
