import type { Api } from '../core/rest/api.ts'
import { addressRoutes } from './addresses/routes.ts'
import { attributeRoutes } from './attributes/attributes.ts'
import { attributeValueRoutes } from './attributes/value-routes.ts'
import { credentialRoutes } from './credentials.ts'
import { customersRoutes } from './customers.ts'
import { formFieldValueRoutes } from './form-field-values.ts'
import { formFieldRoutes } from './form-fields/routes.ts'

/** Customers, and what belongs to them. */
export function customerRoutes(api: Api) {
  customersRoutes(api)
  credentialRoutes(api)
  addressRoutes(api)
  attributeRoutes(api)
  attributeValueRoutes(api)
  formFieldRoutes(api)
  formFieldValueRoutes(api)
}
