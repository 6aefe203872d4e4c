import type { Api } from '../../core/rest/api.ts'
import { lockIds } from '../../core/rest/batch.ts'
import type { Pictures } from '../../shared/pictures/pictures.ts'
import type { Forget } from '../../shop/channels/end.ts'
import type { ListedProducts } from '../../shop/channels/listings.ts'
import { assignmentRoutes } from './assignments/assignments.ts'
import { sortOrderRoutes } from './assignments/sort-orders.ts'
import { brandRoutes } from './brands/brands.ts'
import { brandRoutesV2 } from './brands/brands-v2.ts'
import { categoryRoutes } from './categories/routes.ts'
import { treeCategoryRoutes } from './categories/tree-category-routes.ts'
import { treeRoutes } from './categories/tree-routes.ts'
import { hideTree } from './categories/tree-shape.ts'
import { modifierRoutes } from './choices/modifiers.ts'
import { optionRoutes, optionsOf } from './choices/options.ts'
import type { AreasAbove } from './dependents.ts'
import { forgetBrand, forgetLargeBrand } from './product-row/brands.ts'
import { emptyCategories, emptyLargeCategories } from './product-row/categories.ts'
import { forgetProductsOf } from './product-row/channels.ts'
import { products } from './product-row/shape.ts'
import { productRoutes } from './products/routes.ts'
import { partRoutes } from './sub-resources/routes.ts'
import { summaryRoutes } from './summary/summary.ts'
import { variantRoutes } from './variants/routes.ts'
import { productsOfVariants } from './variants/shape.ts'

/** The catalog: products with all that hangs on them, and the brands, categories and channels that they are in. */
export function catalogRoutes(api: Api, pictures: Pictures, above: AreasAbove) {
  const { files } = pictures
  const categoryParts = { pictures, products: { emptyCategories, emptyLargeCategories }, above }
  brandRoutes(api, { pictures, products: { forgetBrand, forgetLargeBrand } })
  categoryRoutes(api, categoryParts)
  sortOrderRoutes(api)
  productRoutes(api, pictures, above)
  assignmentRoutes(api)
  summaryRoutes(api)
  variantRoutes(api, { pictures, optionsOf })
  partRoutes(api, pictures)
  optionRoutes(api, files)
  modifierRoutes(api, pictures)
  treeRoutes(api, categoryParts)
  treeCategoryRoutes(api, categoryParts)
}

/** What clients of the older family ask for. */
export function catalogRoutesV2(api: Api, pictures: Pictures) {
  brandRoutesV2(api, { pictures, products: { forgetBrand, forgetLargeBrand } })
}

/** What listings of channels know of products. */
export const listedProducts: ListedProducts = {
  lock: (tx, ids) => lockIds(tx, products, ids),
  ofVariants: productsOfVariants,
}

/** When a channel ends: it sells no product and shows no tree any more. The tree stays, with its categories. */
export const forgetChannel: Forget = async (db, channel) => {
  await forgetProductsOf(db, channel)
  await hideTree(db, channel)
}
