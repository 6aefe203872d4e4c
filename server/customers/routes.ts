import type { Api } from '../core/rest/api.ts'
import { metafieldRoutes } from '../shared/metafields/metafields.ts'
import { consentRoutes } from './accounts/consent.ts'
import { customersRoutes } from './accounts/customers.ts'
import { type CustomerPartsV2, customersRoutesV2 } from './accounts/customers-v2.ts'
import { formFieldValueRoutes } from './accounts/form-field-values.ts'
import { storedInstrumentRoutes } from './accounts/stored-instruments.ts'
import { addressRoutes } from './addresses/routes.ts'
import { addressRoutesV2 } from './addresses/routes-v2.ts'
import { attributeRoutes } from './attributes/attributes.ts'
import { attributeValueRoutes } from './attributes/value-routes.ts'
import { formFieldRoutes } from './form-fields/routes.ts'
import { groupRoutesV2 } from './groups-v2.ts'
import { credentialRoutes } from './logins/credentials.ts'
import type { ListsOfGroups } from './row/groups.ts'
import { customerMetafields } from './row/shape.ts'
import { profileRoutes } from './segments/profiles.ts'
import { segmentRoutes } from './segments/segments.ts'
import { customerSettingsRoutes } from './settings.ts'
import { subscriberRoutes } from './subscribers.ts'
import { wishlistRoutes } from './wishlists/wishlists.ts'

/** Routes of customers in the v3 API. */
export function customerRoutes(api: Api) {
  customersRoutes(api)
  credentialRoutes(api)
  addressRoutes(api)
  attributeRoutes(api)
  attributeValueRoutes(api)
  formFieldRoutes(api)
  formFieldValueRoutes(api)
  customerSettingsRoutes(api)
  subscriberRoutes(api)
  segmentRoutes(api)
  profileRoutes(api)
  wishlistRoutes(api)
  consentRoutes(api)
  storedInstrumentRoutes(api)
  metafieldRoutes(api, customerMetafields)
}

/** Routes of customers in the v2 API. */
export function customerRoutesV2(api: Api, parts: CustomerPartsV2 & ListsOfGroups) {
  customersRoutesV2(api, parts)
  addressRoutesV2(api)
  groupRoutesV2(api, parts)
}
