import type { Api } from '../../core/rest/api.ts'
import { methodRoutes } from './methods.ts'
import { optionRoutes } from './options.ts'

/** What customers can collect, and where. */
export function pickupRoutes(api: Api) {
  methodRoutes(api)
  optionRoutes(api)
}
