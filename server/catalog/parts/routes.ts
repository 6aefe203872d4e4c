import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Collection } from '../../core/rest/collection.ts'
import type { Pictures } from '../../pictures/pictures.ts'
import { bulkPricingRuleRoutes, bulkPricingRules } from './bulk-pricing-rules.ts'
import { complexRuleConditions, complexRuleRoutes, complexRules } from './complex-rules.ts'
import { customFieldRoutes, customFields } from './custom-fields.ts'
import { IMAGE_OWNER, productImageRoutes, productImages } from './images.ts'
import { reviewRoutes, reviews } from './reviews.ts'
import { videoRoutes, videos } from './videos.ts'

/** The sub-resources of products, each with five operations (docs/contract/product-parts.md). */
export function partRoutes(app: Api, pictures: Pictures) {
  productImageRoutes(app, pictures)
  videoRoutes(app)
  customFieldRoutes(app)
  bulkPricingRuleRoutes(app)
  complexRuleRoutes(app)
  reviewRoutes(app)
}

// In the order of their counters' rows, which is the order in which they are locked.
const parts: readonly Collection[] = [
  bulkPricingRules,
  complexRuleConditions,
  complexRules,
  customFields,
  productImages,
  videos,
  reviews,
]

/** The counters that `deletePartsOf` changes, for who locks counters before. */
export const partCounters = parts.map(({ table }) => table)

/** Deletes all that hangs on products that go themselves, in one statement. Nothing is told of it. */
export async function deletePartsOf(tx: Tx, productIds: readonly number[], files: Files) {
  const ofProducts = sql`store_id = ${tx.store.id} and product_id = any(${productIds})`
  const gone = (table: string) => sql.id(`gone_${table}`)
  const images = await tx.rows<{ id: number }>(sql`
    with ${sql.join(
      partCounters.map(
        (table) => sql`
      ${gone(table)} as (delete from ${sql.id(table)} where ${ofProducts} returning id)`,
      ),
    )},
    counted as (
      ${sql.join(
        partCounters.map((table) => sql`select ${table}::text as resource, count(*) as gone from ${gone(table)}`),
        ' union all ',
      )}
    ), held as (
      select resource from counters where store_id = ${tx.store.id} and resource = any(${partCounters})
      order by resource for update
    ), subtracted as (
      update counters set total = total - gone, version = version + 1
      from counted join held using (resource)
      where counters.store_id = ${tx.store.id} and counters.resource = counted.resource and gone > 0
    )
    select id from ${gone(productImages.table)}`)
  await files.detachAll(
    tx,
    IMAGE_OWNER,
    images.map(({ id }) => id),
  )
}
