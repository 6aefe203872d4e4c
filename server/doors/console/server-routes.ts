import type { Database } from '../../core/db/database.ts'
import { VERSION } from '../../core/package.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { runningProcesses } from '../operator/processes.ts'
import type { Figures } from './figures.ts'

interface ServerParts {
  figures: Figures
  /** Sentences about everything that needs the operator. */
  warnings(): Promise<string[]>
  database: Pick<Database, 'system'>
}

/** The health of the process that answers, and the load of all processes (docs/console.md). */
export function serverRoutes(api: Api, { figures, warnings, database }: ServerParts) {
  api.get('/server', { schema: { summary: 'Get the health of this process, and the load of all' } }, async () => {
    const data = {
      version: VERSION,
      node: process.version,
      started_at: figures.startedAt.toISOString(),
      warnings: await warnings(),
      running: await runningProcesses(database),
      ...(await figures.read()),
    }
    return new Answer({ data, meta: {} })
  })
}
