import type { Api } from '../../core/rest/api.ts'
import { pickupMethodRoutes } from './methods.ts'
import { pickupOptionRoutes } from './options.ts'

/** Pickup methods, and the search for pickup options. */
export function pickupRoutes(api: Api) {
  pickupMethodRoutes(api)
  pickupOptionRoutes(api)
}
