import type { Api } from '../../../core/rest/api.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import type { AddressRules } from './addresses.ts'
import { certificateRoutes } from './certificates.ts'
import { checkoutUrlRoutes } from './checkout-url.ts'
import { SiteHosts } from './hosts.ts'
import { siteRouteRoutes } from './site-routes.ts'
import { type DeleteRowsOfSites, siteResourceRoutes } from './sites.ts'

/** The parts of the server that the routes of sites need. */
export interface SiteParts {
  directory: Directory
  secrets: Pick<Secrets, 'seal'>
  /** The rules for addresses of sites, from the settings of the server. */
  rules: AddressRules
  deleteRowsOfSites: DeleteRowsOfSites
}

/** Registers the routes of sites and of their sub-resources (docs/contract/sites.md). */
export function siteRoutes(api: Api, { directory, secrets, rules, deleteRowsOfSites }: SiteParts) {
  const parts = { hosts: new SiteHosts(directory), rules }
  siteResourceRoutes(api, { ...parts, deleteRowsOfSites })
  checkoutUrlRoutes(api, parts)
  siteRouteRoutes(api)
  certificateRoutes(api, { rules, secrets })
}
