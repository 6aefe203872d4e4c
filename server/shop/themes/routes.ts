import type { Files } from '../../core/files/files.ts'
import type { Api } from '../../core/rest/api.ts'
import { activationRoutes } from './activation.ts'
import { readBundleInProcess, repackInProcess } from './bundle/separate-process.ts'
import { configurationRoutes } from './configurations.ts'
import { jobRoutes, themeJobExpiryRunner } from './jobs.ts'
import { regionsRunner } from './theme-parts.ts'
import { themeRoutes } from './themes.ts'
import { downloadRoutes, downloadRunner } from './transfer/download.ts'
import type { DownloadLinks } from './transfer/links.ts'
import { uploadRoutes, uploadRunner } from './transfer/upload.ts'

/** Themes with their jobs and configurations: the door of this area (docs/contract/themes.md). */
export function themesRoutes(api: Api, { files, links }: { files: Files; links: DownloadLinks }) {
  themeRoutes(api, files)
  uploadRoutes(api, files)
  downloadRoutes(api, files)
  jobRoutes(api, (store, job) => links.make(store, job))
  activationRoutes(api)
  configurationRoutes(api)
}

/** The runners of jobs of themes. */
export const themeRunners = (files: Files) => [
  uploadRunner(files, readBundleInProcess),
  downloadRunner(files, repackInProcess),
  themeJobExpiryRunner(files),
  regionsRunner(files, readBundleInProcess),
]
