import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import type { Api } from '../../../core/rest/api.ts'
import type { Collection } from '../../../core/rest/lists/collection.ts'
import { removeTogether } from '../../../core/rest/lists/counters.ts'
import type { Pictures } from '../../../shared/pictures/pictures.ts'
import { bulkPricingRuleRoutes, bulkPricingRules } from './bulk-pricing-rules.ts'
import { complexRuleConditions, complexRuleRoutes, complexRules } from './complex-rules.ts'
import { customFieldRoutes, customFields } from './custom-fields.ts'
import { IMAGE_OWNER, productImageRoutes, productImages } from './images.ts'
import { reviewRoutes, reviews } from './reviews.ts'
import { videoRoutes, videos } from './videos.ts'

/** The sub-resources of products, each with five operations (docs/contract/product-parts.md). */
export function subResourceRoutes(app: Api, pictures: Pictures) {
  productImageRoutes(app, pictures)
  videoRoutes(app)
  customFieldRoutes(app)
  bulkPricingRuleRoutes(app)
  complexRuleRoutes(app)
  reviewRoutes(app)
}

const subResources: readonly Collection[] = [
  bulkPricingRules,
  complexRuleConditions,
  complexRules,
  customFields,
  productImages,
  videos,
  reviews,
]

/** The counters that `deleteSubResourcesOf` changes. */
export const subResourceCounters = subResources.map(({ table }) => table)

/**
 * Deletes the sub-resources of products that are being deleted. Publishes no event.
 * @param tx has locked `subResourceCounters`
 */
export async function deleteSubResourcesOf(tx: Tx, productIds: readonly number[], files: Files) {
  const gone = await removeTogether(tx, subResources, sql`product_id = any(${productIds})`)
  await files.detachAll(tx, IMAGE_OWNER, gone.get(productImages.table) ?? [])
}
