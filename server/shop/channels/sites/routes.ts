import type { Api } from '../../../core/rest/api.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import type { AddressRules } from './addresses.ts'
import { certificateRoutes } from './certificates.ts'
import { checkoutUrlRoutes } from './checkout-url.ts'
import { SiteHosts } from './hosts.ts'
import { siteRouteRoutes } from './site-routes.ts'
import { siteResourceRoutes } from './sites.ts'

/** What the routes of sites need of the server. */
export interface SiteParts {
  directory: Directory
  secrets: Pick<Secrets, 'seal'>
  /** What the settings say of the addresses of sites. */
  rules: AddressRules
}

/** Sites with all that hangs on them (docs/contract/sites.md). */
export function siteRoutes(api: Api, { directory, secrets, rules }: SiteParts) {
  const parts = { hosts: new SiteHosts(directory), rules }
  siteResourceRoutes(api, parts)
  checkoutUrlRoutes(api, parts)
  siteRouteRoutes(api)
  certificateRoutes(api, { rules, secrets })
}
