import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import scalar from '@scalar/fastify-api-reference'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RouteOptions,
} from 'fastify'
import { brandRoutes } from './catalog/brands.ts'
import { categoryRoutes } from './catalog/categories.ts'
import type { Config } from './config.ts'
import type { Files } from './core/files/files.ts'
import { type Api, type Grammar, RouteList, speakContract } from './core/rest/api.ts'
import { documentApi } from './core/rest/openapi.ts'
import { Problem, problemBody, toProblem } from './core/rest/problem.ts'
import type { Installation } from './installation.ts'
import { healthRoutes } from './operator/health.ts'
import { observe } from './operator/observe.ts'
import { Callers } from './stores/callers.ts'
import { FailedLogins } from './stores/failed-logins.ts'
import { guard } from './stores/gate.ts'
import { Quotas } from './stores/quotas.ts'
import { VERSION } from './version.ts'
import { deliveryRoutes } from './webhooks/deliveries.ts'
import type { Policy } from './webhooks/destination.ts'
import { historyRoutes } from './webhooks/history.ts'
import { hookRoutes } from './webhooks/hooks.ts'

// Somebody who sends or reads slowly holds a connection for this long at most, and never a worker.
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 60_000
const HEADERS_MAX = 32 * 1024

export interface App {
  server: FastifyInstance
  /** Every route of the management API, for the isolation matrix. */
  routes: RouteOptions[]
}

interface Parts extends Installation {
  files: Files
  /** Where webhooks may go. */
  policy: Policy
  log: FastifyBaseLogger
}

/** The whole server, area by area. It does not listen yet. */
export async function createApp(parts: Parts, config: Config, publicUrl: string): Promise<App> {
  const server = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID().replaceAll('-', ''),
    trustProxy: config.trustProxy,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 2_000, maxHeaderSize: HEADERS_MAX },
    frameworkErrors(error, _request, reply: FastifyReply) {
      const problem = toProblem(error)
      reply.status(problem.status).send(problemBody(problem, grammar.docsBase))
    },
    clientErrorHandler: refuseUnreadable,
  })
  const grammar: Grammar = { clock: parts.clock, docsBase: config.docsBase ?? `${publicUrl}/docs` }
  server.server.maxConnections = config.connectionsMax
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, 501, 'Not Implemented'))

  const registry = observe(server, parts.databases)
  await server.register(compress, { encodings: ['gzip'], threshold: 1_024, globalDecompression: false })
  await documentApi(server, VERSION)
  healthRoutes(server, parts.databases, registry)
  await server.register(fastifyStatic, {
    root: parts.files.folder,
    prefix: '/files/',
    index: false,
    dotfiles: 'deny',
    maxAge: '1y',
    immutable: true,
    decorateReply: false,
    schemaHide: true,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  })
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json', telemetry: false } })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
  server.setNotFoundHandler((_request, reply) => {
    reply.status(404).send(problemBody(new Problem(404, 'There is nothing at this path.'), grammar.docsBase))
  })

  const routes = await management(server, parts, config, grammar)
  await server.ready()
  return { server, routes }
}

/** The store administration API, below `/stores/{store_hash}/v3`. */
async function management(server: FastifyInstance, parts: Parts, config: Config, grammar: Grammar) {
  let routes: RouteOptions[] = []
  await server.register(
    async (api: Api) => {
      const list = RouteList.of(api)
      routes = list.routes
      guard(api, {
        callers: new Callers(parts.directory, parts.secrets),
        quotas: new Quotas(),
        failedLogins: new FailedLogins(config.failedLoginsMax),
        routes: list,
        requireHttps: config.requireHttps,
        headerPrefix: config.headerPrefix,
      })
      speakContract(api, grammar)
      await api.register(multipart)

      brandRoutes(api, parts.files)
      categoryRoutes(api, parts.files)
      hookRoutes(api, parts)
      deliveryRoutes(api)
      historyRoutes(api, config.hookHistoryDays)
    },
    { prefix: '/stores/:store_hash/v3' },
  )
  return routes
}

/** What is no HTTP that we could route: an unknown verb is 501 like those that we know and do not support. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  if (error.code === 'HPE_INVALID_METHOD') return endWith(socket, 501, 'Not Implemented')
  if (error.code === 'HPE_HEADER_OVERFLOW') return endWith(socket, 431, 'Request Header Fields Too Large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return endWith(socket, 408, 'Request Timeout')
  return endWith(socket, 400, 'Bad Request')
}

function endWith(socket: Socket, status: number, reason: string) {
  const body = JSON.stringify({ status, title: reason, type: '', errors: {} })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
