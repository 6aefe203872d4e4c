import { VERSION } from '../../core/package.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Figures } from './figures.ts'

interface ServerParts {
  figures: Figures
  /** Sentences about everything that needs the operator. */
  warnings(): Promise<string[]>
}

/** The health and the load of the process that answers (docs/console.md). */
export function serverRoutes(api: Api, { figures, warnings }: ServerParts) {
  api.get('/server', { schema: { summary: 'Get the health and the load of this process' } }, async () => {
    const data = {
      version: VERSION,
      node: process.version,
      started_at: figures.startedAt.toISOString(),
      warnings: await warnings(),
      ...figures.read(),
    }
    return new Answer({ data, meta: {} })
  })
}
