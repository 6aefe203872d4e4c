import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { access } from '../../../stores/accounts/scopes.ts'

const { read } = access('catalog')

const Summary = t.Object(
  {
    inventory_count: t.Integer(),
    inventory_value: t.Number(),
    primary_category_id: t.Integer(),
    primary_category_name: t.String(),
    variant_count: t.Integer(),
    highest_variant_price: t.Number(),
    average_variant_price: t.Number(),
    // Text, unlike its neighbours: the contract has it so.
    lowest_variant_price: t.String(),
    oldest_variant_date: t.String(),
    newest_variant_date: t.String(),
  },
  { title: 'CatalogSummary' },
)

/** Ten figures about the catalog of a store (docs/contract/products.md section 9). */
export function summaryRoutes(app: Api) {
  app.get(
    '/catalog/summary',
    {
      ...read,
      schema: {
        summary: 'Get figures about the catalog',
        operationId: 'getCatalogSummary',
        tag: 'Catalog summary',
        response: { 200: envelope(Summary) },
      },
    },
    async ({ db }) => answer(await summarize(db)),
  )
}

const summarize = (db: Db) =>
  db.row<Static<typeof Summary>>(sql`
    with sold as (
      select count(*)::int as variant_count, coalesce(sum(inventory_level), 0)::bigint as inventory_count,
        coalesce(round(sum(inventory_level * calculated_price), 4), 0) as inventory_value,
        coalesce(max(calculated_price), 0) as highest, coalesce(round(avg(calculated_price), 4), 0) as average,
        coalesce(min(calculated_price), 0) as lowest
      from variants where store_id = ${db.store.id}
    ), dates as (
      select min(date_created) as oldest, max(date_created) as newest from products where store_id = ${db.store.id}
    ), largest as (
      select category_id from product_categories where store_id = ${db.store.id}
      group by category_id order by count(*) desc, category_id limit 1
    )
    select inventory_count, inventory_value, coalesce(category_id, 0) as primary_category_id,
      coalesce((select name from categories where store_id = ${db.store.id} and id = category_id), '')
        as primary_category_name,
      variant_count, highest as highest_variant_price, average as average_variant_price,
      trim_scale(lowest)::text as lowest_variant_price,
      coalesce(to_char(oldest, 'YYYY-MM-DD'), '') as oldest_variant_date,
      coalesce(to_char(newest, 'YYYY-MM-DD'), '') as newest_variant_date
    from sold, dates left join largest on true`)
