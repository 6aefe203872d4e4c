import type { Api } from '../../core/rest/api.ts'
import { lockIds } from '../../core/rest/batch.ts'
import type { Pictures } from '../../shared/pictures/pictures.ts'
import type { DeleteOfChannel } from '../../shop/channels/deletion.ts'
import type { ListedProducts } from '../../shop/channels/listings.ts'
import { assignmentRoutes } from './assignments/assignments.ts'
import { sortOrderRoutes } from './assignments/sort-orders.ts'
import { type BrandProducts, brandRoutes } from './brands/brands.ts'
import { brandRoutesV2 } from './brands/brands-v2.ts'
import { categoryRoutes } from './categories/routes.ts'
import { treeCategoryRoutes } from './categories/tree-category-routes.ts'
import { treeRoutes } from './categories/tree-routes.ts'
import { hideTree } from './categories/tree-shape.ts'
import { modifierRoutes } from './choices/modifiers.ts'
import { optionRoutes, optionsOf } from './choices/options.ts'
import type { DependentAreas } from './dependents.ts'
import { detachBrand, detachLargeBrand } from './product-row/brands.ts'
import { emptyCategories, emptyLargeCategories } from './product-row/categories.ts'
import { deleteLinksOfChannel } from './product-row/channels.ts'
import { products } from './product-row/shape.ts'
import { productRoutes } from './products/routes.ts'
import { subResourceRoutes } from './sub-resources/routes.ts'
import { summaryRoutes } from './summary/summary.ts'
import { variantRoutes } from './variants/routes.ts'
import { productsOfVariants } from './variants/shape.ts'

/** The catalog: products with their sub-resources, and brands, categories and assignments. */
export function catalogRoutes(api: Api, pictures: Pictures, above: DependentAreas) {
  const { files } = pictures
  const categoryParts = { pictures, products: { emptyCategories, emptyLargeCategories }, above }
  brandRoutes(api, { pictures, products: productsOfBrands(above) })
  categoryRoutes(api, categoryParts)
  sortOrderRoutes(api)
  productRoutes(api, pictures, above)
  assignmentRoutes(api)
  summaryRoutes(api)
  variantRoutes(api, { pictures, optionsOf, above })
  subResourceRoutes(api, pictures)
  optionRoutes(api, { files, above })
  modifierRoutes(api, pictures)
  treeRoutes(api, categoryParts)
  treeCategoryRoutes(api, categoryParts)
}

/** The routes of the older family. */
export function catalogRoutesV2(api: Api, pictures: Pictures, above: DependentAreas) {
  brandRoutesV2(api, { pictures, products: productsOfBrands(above) })
}

const productsOfBrands = ({ deleteRowsOfBrand }: DependentAreas): BrandProducts => ({
  detachLargeBrand,
  async detachBrand(tx, id) {
    await detachBrand(tx, id)
    await deleteRowsOfBrand(tx, id)
  },
})

/** The catalog's side of channel listings. */
export const listedProducts: ListedProducts = {
  lock: (tx, ids) => lockIds(tx, products, ids),
  ofVariants: productsOfVariants,
}

/**
 * Removes a deleted channel from the catalog: it sells no product and shows no tree any more. The tree stays, with its
 * categories.
 */
export const removeChannelFromCatalog: DeleteOfChannel = async (db, channel) => {
  await deleteLinksOfChannel(db, channel)
  await hideTree(db, channel)
}
