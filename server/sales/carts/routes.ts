import type { Api } from '../../core/rest/api.ts'
import { uuidMetafieldRoutes } from '../../shared/metafields/uuid-metafields.ts'
import { cartResourceRoutes } from './carts.ts'
import { cartPartsOf, type QuotingParts } from './changes/parts.ts'
import { checkoutRoutes } from './checkouts/checkouts.ts'
import { cartItemRoutes } from './items.ts'
import { cartMetafields } from './metafields.ts'
import { abandonedCartRoutes } from './time/abandoned.ts'
import type { RedirectParts } from './views/redirect-urls.ts'

/** Parts of other areas. */
type CartAreaParts = QuotingParts & RedirectParts

/** Routes of carts and checkouts. */
export function cartRoutes(api: Api, given: CartAreaParts) {
  const parts = { ...given, ...cartPartsOf(given) }
  cartResourceRoutes(api, parts)
  cartItemRoutes(api, parts)
  uuidMetafieldRoutes(api, cartMetafields)
  checkoutRoutes(api, parts)
  abandonedCartRoutes(api)
}
