import type { Files } from '../../../core/files/files.ts'
import type { Api } from '../../../core/rest/api.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { redirectEventRoutes } from './events.ts'
import { redirectExportRoutes, redirectExportRunner } from './export.ts'
import { redirectImportRoutes, redirectImportRunner } from './import.ts'
import { redirectFileExpiryRunner, redirectJobRoutes } from './jobs.ts'
import type { JobStreams } from './streams.ts'

/** Imports and exports of redirects (docs/contract/redirects.md section 5). */
export function redirectImexRoutes(api: Api, { files, streams }: { files: Files; streams: JobStreams }) {
  redirectJobRoutes(api)
  redirectImportRoutes(api, files)
  redirectExportRoutes(api, files)
  redirectEventRoutes(api, streams)
}

/** The functions that run the jobs of imports and exports. @param rules for addresses of sites */
export const redirectRunners = (files: Files, rules: AddressRules) => [
  redirectImportRunner(files, rules),
  redirectExportRunner(files, rules),
  redirectFileExpiryRunner(files),
]
