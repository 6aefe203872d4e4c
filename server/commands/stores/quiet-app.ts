import { pino } from 'pino'
import type { Files } from '../../core/files/files.ts'
import type { App } from '../../process/app.ts'
import type { Config } from '../../process/config.ts'
import type { Installation } from '../../process/installation.ts'

/** Opens the app in a process that does not listen, for commands that send requests to it. Its errors go to standard error. */
export async function openQuietApp(
  installation: Installation,
  files: Files,
  config: Config,
  publicUrl: string,
): Promise<App> {
  const { createApp } = await import('../../process/app.ts')
  const log = pino({ level: 'error' }, process.stderr)
  const quiet: Config = { ...config, role: 'api', console: false, requestLog: 'off' }
  return createApp({ ...installation, files, log }, quiet, publicUrl)
}
