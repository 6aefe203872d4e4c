import type { Fields } from '../types.ts'
import { brandConnection, findBrand, popularBrands } from './catalog/brands.ts'
import { categoryTree, findCategory } from './catalog/categories.ts'
import { bestSellingProducts, featuredProducts, newestProducts, productsById } from './catalog/lists.ts'
import { selectProduct } from './catalog/selection.ts'
import { findBlog } from './content/blog.ts'
import { findShopPage, pageConnection, typedPage } from './content/pages.ts'
import { widgetPage } from './content/regions.ts'
import { scriptConnection } from './content/scripts.ts'
import { memberOf } from './customers/companies/companies.ts'
import { publicWishlist } from './customers/wishlists/wishlists.ts'
import { idOfType } from './global-ids.ts'
import { metafieldConnection } from './metafields.ts'
import { currencyConnection, currencyWithCode } from './money/currencies.ts'
import { findShopperCart } from './purchases/carts/cart.ts'
import { findGiftCertificate } from './purchases/certificates.ts'
import { findShopperOrder } from './purchases/orders/orders.ts'
import { nodeByGlobalId } from './route/route.ts'
import { localesFor, resolveLocale } from './settings/locales.ts'

declare module '../types.ts' {
  interface Parents {
    Site: object
    Content: object
    Channel: { entityId: number }
    Store: { entityId: number }
    ShopperPreferences: object
  }
}

/** The roots of all queries. */
export const queryFields: Fields<'Query' | 'Site' | 'Content' | 'Channel' | 'ShopperPreferences'> = {
  Query: {
    site: () => ({}),
    customer: (_, _args, { customer }) => customer ?? null,
    channel: (_, _args, { storefront }) => ({ entityId: storefront.channel }),
    store: (_, _args, { storefront }) => ({ entityId: storefront.db.store.id }),
    geography: () => ({}),
    inventory: () => ({}),
    company: async (_, _args, caller) => ({ member: await memberOf(caller) }),
    node: (_, { id }, caller) => nodeByGlobalId(caller, id),
    shopperPreferences: () => ({}),
  },
  Site: {
    settings: () => ({}),
    content: () => ({}),
    currency: (_, { currencyCode }, caller) => currencyWithCode(currencyCode, caller),
    currencies: (_, args, caller) => currencyConnection(args, caller),
    product: (_, args, caller) => selectProduct(caller, args, idOfType('Product')),
    products: (_, { ids, ...args }, caller) =>
      productsById(caller, { ...args, ids: ids?.map((id) => idOfType('Product')(id) ?? 0) ?? null }),
    newestProducts: (_, args, caller) => newestProducts(caller, args),
    bestSellingProducts: (_, args, caller) => bestSellingProducts(caller, args),
    featuredProducts: (_, args, caller) => featuredProducts(caller, args),
    category: (_, { entityId }, caller) => findCategory(caller, entityId),
    categoryTree: (_, { rootEntityId }, caller) => categoryTree(caller, rootEntityId),
    brand: (_, { entityId }, caller) => findBrand(caller, entityId),
    brands: (_, args, caller) => brandConnection(caller, args),
    popularBrands: (_, args, caller) => popularBrands(caller, args),
    search: () => ({}),
    route: (_, args) => args,
    cart: (_, { entityId }, caller) => findShopperCart(caller, entityId),
    checkout: (_, { entityId }, caller) => findShopperCart(caller, entityId),
    order: (_, { filter }, caller) => findShopperOrder(caller, filter),
    giftCertificate: (_, { code }, caller) => findGiftCertificate(caller, code),
    publicWishlist: (_, { token }, caller) => publicWishlist(caller, token),
  },
  Content: {
    renderedRegionsByPageType: (_, { pageType }) => widgetPage(pageType),
    renderedRegionsByPageTypeAndEntityId: (_, { entityPageType, entityId }) => widgetPage(entityPageType, entityId),
    pages: (_, args, caller) => pageConnection(caller, args),
    async page(_, { entityId }, caller) {
      const page = await findShopPage(caller, entityId)
      return page ? typedPage(page) : null
    },
    blog: (_, _args, caller) => findBlog(caller),
    banners: () => ({}),
    scripts: (_, args, caller) => scriptConnection(caller, args),
  },
  Channel: {
    metafields: ({ entityId }, args, caller) => metafieldConnection(caller, { kind: 'channel', id: entityId }, args),
  },
  ShopperPreferences: {
    async locale(_, _args, caller) {
      return { resolved: resolveLocale(await localesFor(caller), caller.acceptLanguage) }
    },
  },
}
