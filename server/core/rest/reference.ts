import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * The document at `/openapi.json` and the page that shows it at `/docs`; both work without any other server.
 * @param makeDocument called once, at the first request
 */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => object) {
  const document = new Unchanging(async () => Buffer.from(JSON.stringify(makeDocument())))
  app.get('/openapi.json', { compress: false }, (request, reply) => document.send(request, reply, 'application/json'))

  // 4 MB of script would be a sixth of what an idle server keeps in memory: it is loaded when somebody asks for the page.
  const script = new Unchanging(async () => (await askScalar('/docs/js/scalar.js')).rawPayload)
  app.get('/docs/js/scalar.js', { compress: false }, (request, reply) => script.send(request, reply, 'text/javascript'))
  const page = new Unchanging(async () => {
    const { body } = await askScalar('/docs/')
    // Without an icon the browser would ask for one.
    return Buffer.from(body.replace('<head>', '<head><link rel="icon" href="data:,">'))
  })
  app.get('/docs', { compress: false }, (request, reply) => {
    // What the page names, it names relative to its folder.
    if (!/^\/docs\/(?:\?|$)/.test(request.url)) return reply.redirect('/docs/', 301)
    reply.header('content-security-policy', ONLY_FROM_HERE)
    return page.send(request, reply, 'text/html; charset=utf-8')
  })
}

/** The page runs its own script, styles itself, and asks this server: nothing of it comes from or goes to another. */
const ONLY_FROM_HERE = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

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

async function askScalar(url: string) {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(scalar, { routePrefix: '/docs', configuration })
  const answer = await page.inject({ url })
  await page.close()
  return answer
}

/** Names and sentences of operations; nothing that asks, sends to, or points to the maker of the page. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'storeward API',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
  defaultOpenFirstTag: false,
  documentDownloadType: 'json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: 'a[href*="scalar.com"] { display: none }',
} as const
