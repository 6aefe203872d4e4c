import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { samples } from '../../../core/events/scopes.ts'
import { packagePath } from '../../../core/package.ts'
import type { ApiDocument } from '../../../core/rest/document/document.ts'
import { documentOfGroup } from '../../../core/rest/document/group.ts'
import { type FindDemoStore, isOfThisMachine } from '../demo-store.ts'
import { errorsPage } from './errors/errors-page.ts'
import { schemaPage, typePage } from './graphql/graphql-pages.ts'
import { isSchemaName, readDefinitions } from './graphql/sdl.ts'
import { readGuides } from './guides.ts'
import { referenceHeaders } from './layout.ts'
import { slugsOf } from './operations.ts'
import { eventsPage } from './overviews/events-page.ts'
import { parityPage } from './overviews/parity-page.ts'
import { scopesPage } from './overviews/scopes-page.ts'
import { guidePage, guidesPage, indexPage, pageOfGroup } from './reference-pages.ts'
import { searchIndex } from './search-index.ts'
import { Unchanging } from './unchanging.ts'

interface ReferenceParts {
  /** Makes the document. It is called once, at the first request. */
  makeDocument: () => ApiDocument
  /** The address of these pages. */
  docsBase: string
  /** In a sandbox only. */
  findDemoStore?: FindDemoStore | undefined
}

/**
 * The document at `/openapi.json`, and the pages at `/docs` that show it: an index, a page for each group of operations, whose forms send requests
 * to this server, the guides, errors, events, scopes, and the GraphQL schemas. They need no other server.
 */
export function referenceRoutes(app: FastifyInstance, { makeDocument, docsBase, findDemoStore }: ReferenceParts) {
  let made: ApiDocument | undefined
  const theDocument = () => {
    made ??= makeDocument()
    return made
  }
  const frame = () => ({ document: theDocument(), isDemo: findDemoStore !== undefined })
  const document = new Unchanging(async () => Buffer.from(JSON.stringify(theDocument())))
  const documents = new Map<string, Unchanging>()
  app.get<{ Querystring: { tag?: string | string[] } }>('/openapi.json', { compress: false }, (request, reply) => {
    const { tag } = request.query
    if (tag === undefined) return document.send(request, reply, 'application/json')
    const group = documentOfGroup(theDocument(), String(tag))
    if (!group) return reply.callNotFound()
    const known = documents.get(String(tag)) ?? new Unchanging(async () => Buffer.from(JSON.stringify(group)))
    documents.set(String(tag), known)
    return known.send(request, reply, 'application/json')
  })

  for (const [url, path] of SCRIPTS) {
    const script = new Unchanging(() => readFile(packagePath(path)))
    app.get(`/docs/${url}`, { compress: false }, (request, reply) => script.send(request, reply, 'text/javascript'))
  }
  const index = new Unchanging(async () => {
    const [guides, storefront, buyers] = await Promise.all([
      readGuides(),
      readDefinitions('storefront'),
      readDefinitions('buyers'),
    ])
    return Buffer.from(JSON.stringify(searchIndex(theDocument(), guides, [...samples.keys()], { storefront, buyers })))
  })
  app.get('/docs/search.json', { compress: false }, (request, reply) => index.send(request, reply, 'application/json'))

  const page = (make: () => string) => new Unchanging(async () => Buffer.from(make()))
  const show = (page: Unchanging, request: FastifyRequest, reply: FastifyReply) =>
    page.send(request, reply.headers(referenceHeaders), 'text/html; charset=utf-8')
  const start = page(() => indexPage(frame()))
  app.get('/docs', { compress: false }, (request, reply) => show(start, request, reply))

  const errors = page(() => errorsPage(frame(), docsBase))
  app.get('/docs/errors', { compress: false }, (request, reply) => show(errors, request, reply))
  const events = page(() => eventsPage(frame()))
  app.get('/docs/events', { compress: false }, (request, reply) => show(events, request, reply))
  const scopes = page(() => scopesPage(frame()))
  app.get('/docs/scopes', { compress: false }, (request, reply) => show(scopes, request, reply))

  app.get('/docs/parity', async (_request, reply) =>
    reply.headers(referenceHeaders).send(parityPage(frame(), await readGuides())),
  )
  app.get('/docs/guides', async (_request, reply) =>
    reply.headers(referenceHeaders).send(guidesPage(await readGuides(), frame())),
  )
  app.get<{ Params: { guide: string } }>('/docs/guides/:guide', async (request, reply) => {
    const guide = (await readGuides()).find(({ name }) => name === request.params.guide)
    if (!guide) return reply.callNotFound()
    return reply.headers(referenceHeaders).send(guidePage(guide, frame()))
  })

  app.get<{ Params: { schema: string; type?: string } }>('/docs/graphql/:schema/:type?', async (request, reply) => {
    const { schema, type } = request.params
    if (!isSchemaName(schema)) return reply.callNotFound()
    const definitions = await readDefinitions(schema)
    if (!type) {
      // The page for queries belongs to sandboxes.
      const tryAt = findDemoStore ? `/graphql#${schema}` : undefined
      return reply.headers(referenceHeaders).send(schemaPage(schema, definitions, frame(), tryAt))
    }
    const definition = definitions.find(({ name }) => name === type)
    if (!definition) return reply.callNotFound()
    return reply.headers(referenceHeaders).send(typePage(schema, definitions, definition, frame()))
  })

  const groups = new Map<string, Unchanging>()
  app.get<{ Params: { group: string } }>('/docs/:group', { compress: false }, (request, reply) => {
    const { group } = request.params
    const tag = slugsOf(theDocument()).get(group)
    if (tag === undefined) return reply.callNotFound()
    const known = groups.get(group) ?? page(() => pageOfGroup(frame(), tag))
    groups.set(group, known)
    return show(known, request, reply)
  })

  if (!findDemoStore) return
  app.get('/docs/demo-store', (request, reply) => {
    // Browsers send this value only with requests of this server's own pages.
    const isOwnScript = request.headers['sec-fetch-site'] === 'same-origin'
    const demo = isOwnScript && isOfThisMachine(request) ? findDemoStore() : undefined
    // Only these two fields: the welcome contains all other tokens.
    return reply
      .header('cache-control', 'no-store')
      .send(demo ? { store_hash: demo.store_hash, token: demo.token } : {})
  })
}

/** The modules that pages load, by their addresses. */
const SCRIPTS = [
  ['script.js', 'referenceScript'],
  ['fill-script.js', 'fillScript'],
  ['search-script.js', 'searchScript'],
] as const
