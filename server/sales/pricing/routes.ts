import type { Api } from '../../core/rest/api.ts'
import { listAssignmentRoutes } from './assignments/assignments.ts'
import { listRoutes } from './lists.ts'
import { pricingProductRoutes } from './products.ts'
import { recordRoutes } from './records/records.ts'

/** Price lists with their records and assignments, and the prices that shoppers pay. */
export function pricingRoutes(api: Api) {
  listRoutes(api)
  listAssignmentRoutes(api)
  recordRoutes(api)
  pricingProductRoutes(api)
}
