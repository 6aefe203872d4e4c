import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { literal } from '../../../../../goods/catalog/search/values.ts'
import { isVisibleHit } from '../catalog/rows/visibility.ts'
import { termTable } from './terms.ts'
import type { ChosenValues, Wanted } from './wanted.ts'

// The products that a search finds, as a piece of a statement. Values are looked up in rows and compared as whole numbers: under row
// policies PostgreSQL uses indexes for operators that are leakproof, and those of arrays, `numeric` and `like` are not.

/** The rows `hit` of a search, with the rows `term` if it has one. Between `from` and the end of `where`. */
export function hitsOf(wanted: Wanted): Sql {
  const { visibility, context, term, price, rating, chosen } = wanted
  const store = visibility.store
  const isIn = ({ values }: Pick<ChosenValues, 'values'>) => sql`exists (
    select 1 from product_facets chosen where chosen.store_id = ${store} and chosen.product_id = hit.product_id
      and chosen.value ${values.length === 1 ? sql`= ${literal(values[0] ?? 0)}` : sql`= any(${values}::bigint[])`})`
  const conditions = [
    isVisibleHit(visibility),
    ...(context ? [isIn({ values: [context.value] })] : []),
    ...chosen.map(isIn),
    ...bounds('hit.price', price),
    ...bounds('hit.rating', rating),
  ]
  const terms = term ? sql` join ${termTable(store, term)} term on term.product_id = hit.product_id` : sql.empty
  return sql`search_rows hit${terms} where ${sql.join(conditions, ' and ')}`
}

const bounds = (column: string, range: Wanted['price']): Sql[] => [
  ...(range?.min == null ? [] : [sql`${sql.raw(column)} >= ${literal(range.min)}`]),
  ...(range?.max == null ? [] : [sql`${sql.raw(column)} <= ${literal(range.max)}`]),
]
