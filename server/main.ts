import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { Files } from './core/files/files.ts'
import { type Installation, openInstallation } from './installation.ts'

export interface Running {
  /** Where the server listens, such as http://127.0.0.1:8080. */
  address: string
  publicUrl: string
  installation: Installation
  /** Stops listening, lets requests in flight finish, closes the databases. */
  stop(): Promise<void>
}

/**
 * Starts the server: databases, app, port, in this order, and stops in the reverse one.
 * @throws Error with a sentence for the operator
 */
export async function start(config: Config): Promise<Running> {
  // Lines are gathered for a moment, so that writing them costs a request little.
  const log = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ sync: false, minLength: 4_096, periodicFlush: 1_000 }),
  )
  const installation = await openInstallation(config)
  try {
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    const files = new Files(join(config.dataFolder, 'files'), publicUrl, installation.ids)
    await files.open()
    const { server } = await createApp({ ...installation, files, log }, config, publicUrl)
    const address = await server.listen({ host: config.host, port: config.port })
    await warnOfLoss(installation, log)
    return {
      address,
      publicUrl,
      installation,
      async stop() {
        const late = setTimeout(() => server.server.closeAllConnections(), config.stopSeconds * 1_000)
        await server.close()
        clearTimeout(late)
        await installation.close()
        log.flush()
      },
    }
  } catch (error) {
    await installation.close()
    throw error
  }
}

/** Runs until SIGTERM or SIGINT; then exit code 0. A second signal ends it at once. */
export function stopOnSignal(running: Running) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await running.stop()
      process.exit(0)
    })
  }
}

async function warnOfLoss({ databases }: Installation, log: pino.Logger) {
  const warnings = await Promise.all(databases.map((database) => database.durabilityWarnings()))
  const off = [...new Set(warnings.flat())]
  if (off.length > 0) log.warn({ off }, 'a crash of the database may lose acknowledged writes')
}
