import type { AddressRules } from '../channels/sites/addresses.ts'
import type { Api } from '../core/rest/api.ts'
import { backendTokenRoutes } from './backend-tokens.ts'
import { companionChannelRoutes } from './channels.ts'
import { companyRoutes } from './companies.ts'
import { roleRoutes } from './roles.ts'
import { salesStaffRoutes } from './sales-staff.ts'
import type { SignInParts } from './sign-in.ts'
import { storefrontSignInRoutes } from './storefront-sign-in.ts'
import { userRoutes } from './users.ts'

/** The companion business-to-business API, below `/b2b/api`. */
export function companionRoutes(api: Api, { sites, ...parts }: SignInParts & { sites: AddressRules }) {
  backendTokenRoutes(api, parts)
  storefrontSignInRoutes(api, parts)
  companionChannelRoutes(api, sites)
  companyRoutes(api)
  roleRoutes(api)
  userRoutes(api)
  salesStaffRoutes(api)
}
