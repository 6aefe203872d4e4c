import type { ServiceClient } from '../../core/net/service-client.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { carrierConnectionRoutes } from './carriers/connections.ts'
import { customsRoutes } from './customs.ts'
import { shippingMethodRoutes } from './methods.ts'
import { shippingSettingsRoutes } from './settings.ts'
import { shippingZoneRoutes } from './zones.ts'

/** Customs information and settings of shipping (docs/contract/shipping.md). */
export function shippingRoutes(api: Api) {
  customsRoutes(api)
  shippingSettingsRoutes(api)
}

/** Zones, methods and connections to carriers, which clients reach below `/v2` alone. */
export function shippingRoutesV2(api: Api, parts: { services: ServiceClient; secrets: Secrets }) {
  shippingZoneRoutes(api)
  shippingMethodRoutes(api)
  carrierConnectionRoutes(api, parts)
}
