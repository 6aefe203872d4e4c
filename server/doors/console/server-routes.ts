import type { Database } from '../../core/db/database.ts'
import { VERSION } from '../../core/package.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { runningProcesses } from '../operator/processes.ts'
import type { Figures } from './figures.ts'

/** A finding of `doctor`. */
interface Finding {
  /** `ok`; `look`: nothing is broken, but the operator should know it; `mend`: something has to change. */
  state: string
  of: string
  says: string
}

/** Examines everything that a server needs. It changes nothing. */
export type Examine = () => Promise<readonly Finding[]>

interface ServerParts {
  figures: Figures
  /** Sentences about everything that needs the operator. */
  warnings(): Promise<string[]>
  database: Pick<Database, 'system'>
  /** Undefined for a server that no command has started. */
  examine: Examine | undefined
}

/** The health of the process that answers, and the load of all processes (docs/console.md). */
export function serverRoutes(api: Api, { figures, warnings, database, examine }: ServerParts) {
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

  // The examination connects to databases and services, so several requests share one.
  let running: Promise<readonly Finding[]> | undefined
  api.get('/server/findings', { schema: { summary: 'Examine everything that the server needs' } }, async () => {
    if (!examine) throw new Problem(404, 'This server was not started by a command. Run "storeward doctor".')
    running ??= examine().finally(() => {
      running = undefined
    })
    return new Answer({ data: await running, meta: {} })
  })
}
