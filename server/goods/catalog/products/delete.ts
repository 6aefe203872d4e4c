import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { deleteMetafieldsOf } from '../../../shared/metafields/metafields.ts'
import { deleteListingsOfProducts, listingCounter } from '../../../shop/channels/listings.ts'
import { deleteStockOfProducts } from '../../stock/stock.ts'
import { releaseAddresses } from '../addresses/urls.ts'
import { deleteModifiersOf, modifiers, modifierValues } from '../choices/modifiers.ts'
import { deleteOptionsOf, options, optionValues } from '../choices/options.ts'
import type { DependentAreas } from '../dependents.ts'
import { deleteCategoryLinks } from '../product-row/categories.ts'
import { deleteChannelLinks } from '../product-row/channels.ts'
import { deleteProductNames } from '../product-row/names.ts'
import { productMetafields, products, publishProduct } from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { deleteSubResourcesOf, subResourceCounters } from '../sub-resources/routes.ts'
import { variantMetafields, variants } from '../variants/shape.ts'
import { releaseSkusOf } from '../variants/skus.ts'

/** The counters of all rows that are deleted with a product. */
const counters = [
  'metafields',
  listingCounter,
  ...subResourceCounters,
  ...[options, optionValues, modifiers, modifierValues, products, variants].map(({ table }) => table),
]

/**
 * Deletes products with all rows that belong to them. Only the products have events (docs/contract/webhooks.md section 6).
 * @param ids of existing, locked products
 */
export async function deleteProducts(tx: Tx, files: Files, above: DependentAreas, ids: readonly number[]) {
  if (ids.length === 0) return
  await lockCounters(tx, counters)
  await deleteSubResourcesOf(tx, ids, files)
  await deleteOptionsOf(tx, ids)
  await deleteModifiersOf(tx, files, ids)
  const variantIds = await removeAll(tx, variants, sql`product_id = any(${ids})`)
  await files.detachAll(tx, variants.noun, variantIds)
  await deleteMetafieldsOf(tx, variantMetafields, variantIds)
  await deleteMetafieldsOf(tx, productMetafields, ids)
  await deleteCategoryLinks(tx, ids)
  await deleteChannelLinks(tx, ids)
  await deleteListingsOfProducts(tx, ids)
  await releaseSkusOf(tx, ids)
  await releaseAddresses(tx, products, ids)
  await deleteProductNames(tx, ids)
  await deleteStockOfProducts(tx, ids)
  await above.deleteRowsOfVariants(tx, variantIds)
  await above.deleteRowsOfProducts(tx, ids)
  await removeAll(tx, products, sql`id = any(${ids})`)
  updateSearchRows(tx, ids)
  for (const id of ids) publishProduct(tx, 'deleted', id)
}
