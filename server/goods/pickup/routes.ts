import type { Api } from '../../core/rest/api.ts'
import { pickupMethodRoutes } from './methods.ts'
import { pickupOptionRoutes } from './options.ts'

/** What customers can collect, and where. */
export function pickupRoutes(api: Api) {
  pickupMethodRoutes(api)
  pickupOptionRoutes(api)
}
