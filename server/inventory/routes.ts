import type { Api } from '../core/rest/api.ts'
import { locationRoutes } from './locations.ts'

/** Locations, and what a store has at each. */
export function inventoryRoutes(api: Api) {
  locationRoutes(api)
}
