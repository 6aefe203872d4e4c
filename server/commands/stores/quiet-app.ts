import { pino } from 'pino'
import type { Files } from '../../core/files/files.ts'
import type { BundleParts } from '../../doors/powers/bundles/store-bundles.ts'
import type { App } from '../../process/app.ts'
import { type Config, publicUrlOf } from '../../process/config.ts'
import { filesOf } from '../../process/files.ts'
import type { Installation } from '../../process/installation.ts'
import { config, withInstallation } from '../command.ts'

/** Opens the app in a process that does not listen, for commands that send requests to it. Its errors go to standard error. */
async function openQuietApp(
  installation: Installation,
  files: Files,
  settings: Config,
  publicUrl: string,
): Promise<App> {
  const { createApp } = await import('../../process/app.ts')
  const log = pino({ level: 'error' }, process.stderr)
  const quiet: Config = { ...settings, role: 'api', console: false, requestLog: 'off' }
  return createApp({ ...installation, files, log }, quiet, publicUrl)
}

/** Opens databases, files and the routes, which a command sends its requests to, for commands that read and write the data of a store. */
export const withBundleParts = (work: (parts: BundleParts) => Promise<void>) =>
  withInstallation(async (installation) => {
    const settings = config()
    const publicUrl = publicUrlOf(settings, settings.port)
    const files = await filesOf(settings, publicUrl, installation)
    await files.open()
    const { server, callers } = await openQuietApp(installation, files, settings, publicUrl)
    if (!callers) throw new Error('A process that only works in the background has no routes.')
    try {
      await work({ ...installation, files, server, callers, publicUrl })
    } finally {
      await server.close()
    }
  })
