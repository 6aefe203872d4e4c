import type { Api } from '../../core/rest/api.ts'
import { uuidMetafieldRoutes } from '../../shared/metafields/uuid-metafields.ts'
import type { CarrierDesk } from '../shipping/carriers/quotes.ts'
import { shippingByRequest } from '../shipping/parcels/shipping-quotes.ts'
import type { Estimates } from '../tax/estimates/estimates.ts'
import { quotesByRequest } from '../tax/estimates/quote.ts'
import { cartResourceRoutes } from './carts.ts'
import type { CartParts } from './changes/change.ts'
import { checkoutRoutes } from './checkouts/checkouts.ts'
import { cartItemRoutes } from './items.ts'
import { cartMetafields } from './metafields.ts'
import { abandonedCartRoutes } from './time/abandoned.ts'
import type { RedirectParts } from './views/redirect-urls.ts'

/** Parts of other areas. */
interface CartAreaParts extends Omit<CartParts, 'quotesOf'>, RedirectParts {
  /** The carriers. */
  desk: CarrierDesk
  /** The tax providers. */
  estimates: Estimates
}

/** Routes of carts and checkouts. */
export function cartRoutes(api: Api, { desk, estimates, ...others }: CartAreaParts) {
  const shippingOf = shippingByRequest(desk)
  const taxOf = quotesByRequest(estimates)
  const quotesOf = (request: object) => ({ shipping: shippingOf(request), tax: taxOf(request) })
  const parts = { ...others, quotesOf }
  cartResourceRoutes(api, parts)
  cartItemRoutes(api, parts)
  uuidMetafieldRoutes(api, cartMetafields)
  checkoutRoutes(api, parts)
  abandonedCartRoutes(api)
}
