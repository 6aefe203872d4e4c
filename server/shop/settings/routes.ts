import type { FastifyRequest } from 'fastify'
import type { Files } from '../../core/files/files.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import { storeMetafieldRoutes } from '../../shared/metafields/store-metafields.ts'
import { analyticsRoutes } from './analytics.ts'
import { cartSettingsRoutes } from './carts/cart-settings.ts'
import { checkoutSettingsRoutes } from './carts/checkout-settings.ts'
import {
  catalogSettings,
  categorySettings,
  emailStatuses,
  inventoryNotifications,
  inventorySettings,
  pickupSettings,
  productSettings,
  robotsSettings,
  searchSettings,
  securitySettings,
  seoSettings,
  storeProfile,
  unitSettings,
} from './families/families.ts'
import { familyRoutes } from './families/family-routes.ts'
import { storeLocaleRoutes } from './locale/locale.ts'
import { logoRoutes } from './logo.ts'
import type { Facets } from './search/facets.ts'
import { searchFilterRoutes } from './search/search-filters.ts'
import { storefrontStatusRoutes } from './storefront-status.ts'
import { systemLogRoutes } from './system-logs.ts'

interface Parts {
  files: Files
  ids: Ids
  facets: Facets
}

/** The settings of a store and of its channels (docs/contract/settings.md). */
export function settingsRoutes(api: Api, { files, ids, facets }: Parts) {
  analyticsRoutes(api)
  searchFilterRoutes(api, facets)
  storeMetafieldRoutes(api)
  systemLogRoutes(api)
  storefrontStatusRoutes(api, ids)
  storeLocaleRoutes(api)
  logoRoutes(api, files)
  cartSettingsRoutes(api)
  checkoutSettingsRoutes(api)
  familyRoutes(api, catalogSettings)
  familyRoutes(api, emailStatuses)
  familyRoutes(api, inventorySettings)
  familyRoutes(api, inventoryNotifications)
  familyRoutes(api, pickupSettings)
  familyRoutes(api, storeProfile)
  familyRoutes(api, categorySettings)
  familyRoutes(api, productSettings)
  familyRoutes(api, robotsSettings)
  familyRoutes(api, searchSettings)
  familyRoutes(api, securitySettings)
  familyRoutes(api, unitSettings)
  familyRoutes(api, seoSettings, { before: takeChannelFromBody })
}

/** Public clients name the channel of these settings in the body (docs/contract/settings.md section 2). That of the query counts more. */
async function takeChannelFromBody(request: FastifyRequest) {
  const { query, body } = request
  if (typeof body !== 'object' || body === null || !('channel_id' in body)) return
  request.query = { channel_id: String(body.channel_id), ...Object(query) }
}
