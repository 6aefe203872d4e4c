import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import type { Store } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { sendFile } from '../../../core/files/serve.ts'
import { Problem, problemBody, toProblem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { isSameSignature } from '../../../core/secrets/signature.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { downloadOf } from '../jobs.ts'

const VALID_MS = 60_000

/** The parts of links to downloads. */
interface LinkParts {
  secrets: Pick<Secrets, 'linkSignature'>
  clock: Clock
  /** Address of the server as clients see it. */
  publicUrl: string
}

/** Links to downloads. They work without a token, for a minute (docs/contract/themes.md section 5). */
export class DownloadLinks {
  readonly #parts: LinkParts

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  make({ hash }: Store, job: string): string {
    const { clock, publicUrl } = this.#parts
    const expires = String(Math.ceil((clock.now().getTime() + VALID_MS) / 1_000))
    return `${publicUrl}/downloads/${hash}/${job}.zip?expires=${expires}&signature=${this.#sign(hash, job, expires)}`
  }

  isValid(hash: string, job: string, { expires, signature }: { expires: string; signature: string }): boolean {
    return (
      isSameSignature(signature, this.#sign(hash, job, expires)) &&
      Number(expires) * 1_000 > this.#parts.clock.now().getTime()
    )
  }

  #sign(hash: string, job: string, expires: string) {
    return this.#parts.secrets.linkSignature(`theme download ${hash} ${job} ${expires}`)
  }
}

interface DownloadParts {
  directory: Directory
  files: Files
  links: DownloadLinks
  clock: Clock
  docsBase: string
}

type OfDownload = FastifyRequest<{
  Params: { store: string; job: string }
  Querystring: { expires?: unknown; signature?: unknown }
}>

/** Where links to downloads lead. */
export function downloadFiles(server: FastifyInstance, { directory, files, links, docsBase }: DownloadParts) {
  server.register(async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed')
      return reply.status(problem.status).headers(problem.headers).send(problemBody(problem, docsBase))
    })
    app.get('/downloads/:store/:job.zip', async (request: OfDownload, reply) => {
      const { params, query } = request
      const text = (value: unknown) => (typeof value === 'string' ? value : '')
      const given = { expires: text(query.expires), signature: text(query.signature) }
      if (!links.isValid(params.store, params.job, given)) {
        throw new Problem(403, 'This link is invalid or has expired. Get the job again for a new link.')
      }
      const store = await directory.find(params.store)
      const db = store && (await directory.dbById(store.id))
      const found = db && (await downloadOf(db, params.job, db.now))
      if (!found) throw new Problem(404, 'This download no longer exists.')
      const name = found.name.replaceAll(/[^\w. -]/g, '') || 'theme'
      reply.header('content-disposition', `attachment; filename="${name}.zip"`)
      reply.header('cache-control', 'private, no-store')
      return sendFile(request, reply, files, { hash: params.store, name: found.archive, type: 'application/zip' })
    })
  })
}
