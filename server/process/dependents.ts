import type { PostDependents } from '../content/blog/writing.ts'
import type { PageDependents } from '../content/pages/deletion.ts'
import { deleteRedirectsTo } from '../content/redirects/rows.ts'
import { deleteAssociationsOf } from '../content/template-associations/associations.ts'
import { deleteWidgetsOfEntities } from '../content/widgets/deletion.ts'
import { deleteCategoryAccess, deleteProductRules, type ListsOfGroups } from '../customers/row/groups.ts'
import { removePopularProducts, removeProductsFromWishlists } from '../customers/wishlists/wishlists.ts'
import type { DependentAreas } from '../goods/catalog/dependents.ts'
import { listsOfGroups, replaceListOfGroup } from '../sales/pricing/assignments/assignments.ts'
import { deleteListsOfGroup } from '../sales/pricing/deletion.ts'
import { deleteRecordsOfVariants } from '../sales/pricing/records/sets.ts'
import { invalidatePromotionsOf } from '../sales/promotions/promotions/gifts.ts'
import { deleteCustoms } from '../sales/shipping/customs.ts'
import { lockTaxClassesShared } from '../sales/tax/classes/classes.ts'
import { deleteTaxPropertiesOfProducts } from '../sales/tax/properties/values.ts'
import { removeGroupFromTaxZones } from '../sales/tax/zones/zones.ts'

/** Functions that delete rows of other areas with the products and categories that they belong to. */
export const aboveCatalog: DependentAreas = {
  deleteManyRowsOfProducts: removePopularProducts,
  async deleteRowsOfProducts(tx, ids) {
    await deleteProductRules(tx, ids)
    await removeProductsFromWishlists(tx, ids)
    await deleteCustoms(tx, ids)
    await deleteTaxPropertiesOfProducts(tx, ids)
    await deleteAssociationsOf(tx, 'product', ids)
    await deleteRedirectsTo(tx, 'product', ids)
    await deleteWidgetsOfEntities(tx, 'product', ids)
    await invalidatePromotionsOf(tx, { products: ids })
  },
  async deleteRowsOfVariants(tx, ids) {
    await deleteRecordsOfVariants(tx, ids)
    await invalidatePromotionsOf(tx, { variants: ids })
  },
  async deleteRowsOfBrand(tx, id) {
    await deleteAssociationsOf(tx, 'brand', [id])
    await deleteRedirectsTo(tx, 'brand', [id])
    await deleteWidgetsOfEntities(tx, 'brand', [id])
  },
  async deleteRowsOfCategories(tx, ids) {
    await deleteCategoryAccess(tx, ids)
    await deleteAssociationsOf(tx, 'category', ids)
    await deleteRedirectsTo(tx, 'category', ids)
    await deleteWidgetsOfEntities(tx, 'category', ids)
  },
  lockTaxClassesShared,
}

/** The lists of customer groups, which the areas of prices and taxes have. */
export const listsForGroups: ListsOfGroups = {
  listsOfGroups,
  replaceListOfGroup,
  async deleteListsOfGroup(tx, group) {
    await deleteListsOfGroup(tx, group)
    await removeGroupFromTaxZones(tx, group)
  },
}

/** Functions that delete rows of other areas with the pages and posts that they belong to. */
export const aboveContent: PageDependents & PostDependents = {
  async deleteRowsOfPages(tx, ids) {
    await deleteAssociationsOf(tx, 'page', ids)
    await deleteRedirectsTo(tx, 'page', ids)
    await deleteWidgetsOfEntities(tx, 'page', ids)
  },
  deleteRowsOfPosts: (tx, ids) => deleteRedirectsTo(tx, 'post', ids),
}
