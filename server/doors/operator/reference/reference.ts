import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { samples } from '../../../core/events/scopes.ts'
import { packagePath } from '../../../core/package.ts'
import type { ApiDocument } from '../../../core/rest/document/document.ts'
import { documentOfGroup } from '../../../core/rest/document/group.ts'
import { type FindDemoStore, isOfThisMachine } from '../demo-store.ts'
import { readGuides } from './guides.ts'
import { guidePage, guidesPage, indexPage, pageOfGroup, referenceHeaders, slugsOf } from './reference-pages.ts'
import { searchIndex } from './search-index.ts'

/**
 * The document at `/openapi.json`, and the pages at `/docs` that show it: an index, and a page for each group of operations, whose
 * forms send requests to this server. They need no other server.
 * @param makeDocument called once, at the first request
 * @param findDemoStore in a sandbox only
 */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => ApiDocument, findDemoStore?: FindDemoStore) {
  let made: ApiDocument | undefined
  const theDocument = () => {
    made ??= makeDocument()
    return made
  }
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

  const script = new Unchanging(() => readFile(packagePath('referenceScript')))
  app.get('/docs/script.js', { compress: false }, (request, reply) => script.send(request, reply, 'text/javascript'))

  const searchScript = new Unchanging(() => readFile(packagePath('searchScript')))
  app.get('/docs/search-script.js', { compress: false }, (request, reply) =>
    searchScript.send(request, reply, 'text/javascript'),
  )
  const index = new Unchanging(async () =>
    Buffer.from(JSON.stringify(searchIndex(theDocument(), await readGuides(), [...samples.keys()]))),
  )
  app.get('/docs/search.json', { compress: false }, (request, reply) => index.send(request, reply, 'application/json'))

  const isDemo = findDemoStore !== undefined
  const page = (make: () => string) => new Unchanging(async () => Buffer.from(make()))
  const show = (page: Unchanging, request: FastifyRequest, reply: FastifyReply) =>
    page.send(request, reply.headers(referenceHeaders), 'text/html; charset=utf-8')
  const start = page(() => indexPage(theDocument(), isDemo))
  app.get('/docs', { compress: false }, (request, reply) => show(start, request, reply))

  app.get('/docs/guides', async (_request, reply) =>
    reply.headers(referenceHeaders).send(guidesPage(await readGuides(), isDemo)),
  )
  app.get<{ Params: { guide: string } }>('/docs/guides/:guide', async (request, reply) => {
    const guide = (await readGuides()).find(({ name }) => name === request.params.guide)
    if (!guide) return reply.callNotFound()
    return reply.headers(referenceHeaders).send(guidePage(guide, isDemo))
  })

  const groups = new Map<string, Unchanging>()
  app.get<{ Params: { group: string } }>('/docs/:group', { compress: false }, (request, reply) => {
    const { group } = request.params
    const tag = slugsOf(theDocument()).get(group)
    if (tag === undefined) return reply.callNotFound()
    const known = groups.get(group) ?? page(() => pageOfGroup(theDocument(), tag, isDemo))
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

/** An answer that is the same for as long as the server runs: made, compressed and given its ETag at the first request. */
class Unchanging {
  readonly #make: () => Promise<Buffer>
  #made: Promise<{ bytes: Buffer; zipped: Buffer; etag: string }> | undefined

  constructor(make: () => Promise<Buffer>) {
    this.#make = make
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply, type: string): Promise<FastifyReply> {
    this.#made ??= this.#prepare()
    const { bytes, zipped, etag } = await this.#made
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
    if (hasEtag(headers['if-none-match'], etag)) return reply.status(304).send()
    reply.type(type)
    return acceptsGzip(headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(zipped)
      : reply.send(bytes)
  }

  async #prepare() {
    const bytes = await this.#make()
    // Weak: it stands for both encodings.
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    return { bytes, zipped: await promisify(gzip)(bytes), etag }
  }
}

const hasEtag = (given: string | undefined, etag: string) =>
  given?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^(?!W\/)/, 'W/') === etag) === true

/** Whether gzip is named with a quality above 0. */
const acceptsGzip = (accepted = '') => /(?:^|[\s,])gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(accepted)
