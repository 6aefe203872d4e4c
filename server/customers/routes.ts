import type { Api } from '../core/rest/api.ts'
import { credentialRoutes } from './credentials.ts'
import { customersRoutes } from './customers.ts'

/** Customers, and what belongs to them. */
export function customerRoutes(api: Api) {
  customersRoutes(api)
  credentialRoutes(api)
}
