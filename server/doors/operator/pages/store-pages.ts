import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import { html, type Markup, pageText } from '../../../core/markup.ts'
import { Problem, toProblem } from '../../../core/rest/problem.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

/** The database of a store. @throws Problem 404 */
type DbOf = (hash: string) => Promise<Db>

/** Answers with a page. */
type Show = (reply: FastifyReply, title: string, content: Markup) => FastifyReply

/** Pages of one style, which their headers allow. */
export const pagesIn =
  (style: string, headers: Readonly<Record<string, string>>): Show =>
  (reply, title, content) =>
    reply.headers(headers).send(pageText(title, style, html`<h1>${title}</h1>\n${content}`))

/**
 * Pages that show the data of a store to people. Only the sandbox has them, because they need no login. A refusal is a page too.
 */
export function storePages(
  server: FastifyInstance,
  directory: Directory,
  show: Show,
  routes: (app: FastifyInstance, dbOf: DbOf) => void,
) {
  server.register(async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const { status, message } = toProblem(error)
      if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed')
      return show(reply.status(status), message, html`<p>${message}</p>`)
    })
    routes(app, async (hash) => {
      const store = await directory.find(hash)
      const db = store && (await directory.dbById(store.id))
      if (!db) throw new Problem(404, 'There is no such store.')
      return db
    })
  })
}
