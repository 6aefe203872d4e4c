import { readFile } from 'node:fs/promises'
import { type GraphEngine, openEngine } from '../../../core/graphql/engine.ts'
import { packagePath } from '../../../core/package.ts'
import { refuseScope, type StorefrontCaller } from '../caller.ts'
import { STOREFRONT_SCOPES, type StorefrontScope } from '../tokens/tokens.ts'
import { brandFields } from './fields/catalog/brands.ts'
import { categoryFields } from './fields/catalog/categories.ts'
import { stockFields } from './fields/catalog/inventory.ts'
import { optionFields } from './fields/catalog/options.ts'
import { productFields } from './fields/catalog/product.ts'
import { variantFields } from './fields/catalog/variants.ts'
import { bannerFields } from './fields/content/banners.ts'
import { blogFields } from './fields/content/blog.ts'
import { pageFields } from './fields/content/pages.ts'
import { regionFields } from './fields/content/regions.ts'
import { addressFields } from './fields/customers/addresses.ts'
import { companyGraphFields } from './fields/customers/companies/companies.ts'
import { customerFields } from './fields/customers/customer.ts'
import { customerChangeFields } from './fields/customers/customer-changes.ts'
import { sessionFields } from './fields/customers/sessions.ts'
import { wishlistChangeFields } from './fields/customers/wishlists/wishlist-changes.ts'
import { wishlistFields } from './fields/customers/wishlists/wishlists.ts'
import { analyticsFields } from './fields/forms/analytics.ts'
import { newsletterFields } from './fields/forms/newsletter.ts'
import { reviewFields } from './fields/forms/reviews.ts'
import { currencyFields } from './fields/money/currencies.ts'
import { pictureFields } from './fields/pictures.ts'
import { cartFields } from './fields/purchases/carts/cart.ts'
import { cartLineFields } from './fields/purchases/carts/lines.ts'
import { cartMutationFields } from './fields/purchases/carts/mutations.ts'
import { certificateFields } from './fields/purchases/certificates.ts'
import { checkoutFields } from './fields/purchases/checkouts/checkout.ts'
import { checkoutMutationFields } from './fields/purchases/checkouts/mutations.ts'
import { orderConsignmentFields } from './fields/purchases/orders/consignments.ts'
import { orderTypeFields } from './fields/purchases/orders/orders.ts'
import { queryFields } from './fields/query.ts'
import { routeFields } from './fields/route/route.ts'
import { searchFields } from './fields/search/search.ts'
import { formFieldFields } from './fields/settings/form-fields.ts'
import { geographyFields } from './fields/settings/geography.ts'
import { settingsFields } from './fields/settings/settings.ts'
import { storeLocationFields } from './fields/settings/store-locations.ts'
import { STOREFRONT_LIMITS } from './limits.ts'
import { mutationFields } from './mutation.ts'
import { answerNotBuilt } from './not-built.ts'
import type { StorefrontResolvers } from './types.ts'

const resolvers: StorefrontResolvers = {
  ...queryFields,
  ...mutationFields,
  ...settingsFields,
  ...formFieldFields,
  ...searchFields,
  ...currencyFields,
  ...productFields,
  ...optionFields,
  ...variantFields,
  ...stockFields,
  ...categoryFields,
  ...brandFields,
  ...geographyFields,
  ...storeLocationFields,
  ...pictureFields,
  ...routeFields,
  ...pageFields,
  ...blogFields,
  ...bannerFields,
  ...regionFields,
  ...customerFields,
  ...customerChangeFields,
  ...addressFields,
  ...companyGraphFields,
  ...wishlistFields,
  ...wishlistChangeFields,
  ...newsletterFields,
  ...reviewFields,
  ...analyticsFields,
  ...sessionFields,
  ...cartFields,
  ...cartLineFields,
  ...cartMutationFields,
  ...certificateFields,
  ...checkoutFields,
  ...checkoutMutationFields,
  ...orderTypeFields,
  ...orderConsignmentFields,
}

/** Opens the engine of the storefront's schema. @param introspection whether clients may ask for the schema */
export async function openStorefrontEngine({
  introspection,
}: {
  introspection: boolean
}): Promise<GraphEngine<StorefrontCaller>> {
  const schema = await readFile(packagePath('storefrontSchema'), 'utf8')
  return openEngine<StorefrontCaller>({
    schema,
    resolvers,
    limits: STOREFRONT_LIMITS,
    errors: { refusal: ({ message }) => ({ message }) },
    complete: answerNotBuilt,
    introspection,
    guard: {
      directive: 'accessScope',
      checkOf({ scopes }) {
        const needed = Array.isArray(scopes) ? scopes.map(scopeNamed) : []
        return (caller) => refuseScope(caller, needed)
      },
    },
  })
}

/** @param name the scope as the schema has it, such as TOKEN_SCOPE_CUSTOMER */
function scopeNamed(name: unknown): StorefrontScope {
  const scope = STOREFRONT_SCOPES.find((scope) => `TOKEN_SCOPE_${scope.toUpperCase()}` === name)
  if (!scope) throw new Error(`The schema has an unknown scope: ${name}.`)
  return scope
}
