import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { holdCounters } from '../../../core/rest/lists/counters.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { deleteMetafieldsOf } from '../../../shared/metafields/metafields.ts'
import { forgetListings, listingCounter } from '../../../shop/channels/listings.ts'
import { forgetProducts } from '../../stock/stock.ts'
import { releaseAddresses } from '../addresses/urls.ts'
import { deleteModifiersOf, modifiers, modifierValues } from '../choices/modifiers.ts'
import { deleteOptionsOf, options, optionValues } from '../choices/options.ts'
import type { AreasAbove } from '../dependents.ts'
import { forgetCategories } from '../product-row/categories.ts'
import { forgetChannels } from '../product-row/channels.ts'
import { forgetNames } from '../product-row/names.ts'
import { productMetafields, products, tellOfProduct } from '../product-row/shape.ts'
import { deletePartsOf, partCounters } from '../sub-resources/routes.ts'
import { variantMetafields, variants } from '../variants/shape.ts'
import { releaseSkusOf } from '../variants/skus.ts'

/** The counters of all rows that are deleted with a product. */
const counters = [
  'metafields',
  listingCounter,
  ...partCounters,
  ...[options, optionValues, modifiers, modifierValues, products, variants].map(({ table }) => table),
]

/**
 * Deletes products with everything that hangs on them. Only the products have an event (docs/contract/webhooks.md section 6).
 * @param ids of products that exist and are locked
 */
export async function deleteProducts(tx: Tx, files: Files, above: AreasAbove, ids: readonly number[]) {
  if (ids.length === 0) return
  await holdCounters(tx, counters)
  await deletePartsOf(tx, ids, files)
  await deleteOptionsOf(tx, ids)
  await deleteModifiersOf(tx, files, ids)
  const variantIds = await removeAll(tx, variants, sql`product_id = any(${ids})`)
  await files.detachAll(tx, variants.noun, variantIds)
  await deleteMetafieldsOf(tx, variantMetafields, variantIds)
  await deleteMetafieldsOf(tx, productMetafields, ids)
  await forgetCategories(tx, ids)
  await forgetChannels(tx, ids)
  await forgetListings(tx, ids)
  await releaseSkusOf(tx, ids)
  await releaseAddresses(tx, products, ids)
  await forgetNames(tx, ids)
  await forgetProducts(tx, ids)
  await above.forgetProducts(tx, ids)
  await removeAll(tx, products, sql`id = any(${ids})`)
  for (const id of ids) tellOfProduct(tx, 'deleted', id)
}
