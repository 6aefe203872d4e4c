import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerFileErrors } from '../../../core/files/serve.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { isValidLink, linkedPdf, type PdfParts } from '../../../sales/b2b/documents/pdf-files.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

type OfDocument = FastifyRequest<{
  Params: { store: string; file: string }
  Querystring: { expires?: unknown; format?: unknown; signature?: unknown }
}>

/** The route of links to PDF files of quotes and invoices. */
export function documentFiles(server: FastifyInstance, parts: PdfParts & { directory: Directory; docsBase: string }) {
  const { directory, docsBase } = parts
  server.register(async (app) => {
    answerFileErrors(app, docsBase)
    app.get('/b2b/documents/:store/:file.pdf', async (request: OfDocument, reply) => {
      const { store: hash, file } = request.params
      const text = (value: unknown) => (typeof value === 'string' ? value : '')
      const { expires, format, signature } = request.query
      const linked = { file, expires: text(expires), format: text(format), signature: text(signature) }
      if (!isValidLink(parts, hash, linked)) {
        throw new Problem(403, 'This link is invalid or has expired. Ask for the document again for a new link.')
      }
      const store = await directory.find(hash)
      const db = store && (await directory.dbById(store.id))
      if (!db) throw new Problem(404, 'This document no longer exists.')
      reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${file}.pdf"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      return reply.send(await linkedPdf(db, linked, parts))
    })
  })
}
