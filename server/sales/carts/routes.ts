import type { Api } from '../../core/rest/api.ts'
import { cartResourceRoutes } from './carts.ts'
import type { CartParts } from './changes/change.ts'
import { cartItemRoutes } from './items.ts'

/** Routes of carts and checkouts. */
export function cartRoutes(api: Api, parts: CartParts) {
  cartResourceRoutes(api, parts)
  cartItemRoutes(api, parts)
}
