import type { Api } from '../../core/rest/api.ts'
import { adjustmentRoutes } from './adjustments.ts'
import { itemRoutes } from './items.ts'
import { type LocationDependencies, locationRoutes } from './locations/locations.ts'

/** Locations, and the stock of a store at each. */
export function inventoryRoutes(api: Api, parts: LocationDependencies) {
  locationRoutes(api, parts)
  itemRoutes(api)
  adjustmentRoutes(api)
}
