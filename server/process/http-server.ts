import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { BodyBounds } from '../core/rest/bodies/bodies.ts'
import { problemBody, toProblem } from '../core/rest/problem.ts'
import { withoutSuffix } from '../core/rest/v2.ts'
import { withoutVersion } from '../doors/b2b/grammar/family.ts'
import type { Config, Proxies } from './config.ts'
import { boundConnections, type Connections } from './connections.ts'
import { endWith, newRequestId, refuseAmbiguous, refuseUnreadable, withoutNul } from './edge.ts'

const HEADERS_MAX = 32 * 1024

interface HttpParts {
  log: FastifyBaseLogger
  docsBase: string
  /** Bounds of bodies that differ from `BODY_BOUNDS`. */
  bodies: Partial<BodyBounds> | undefined
}

export interface HttpServer {
  server: FastifyInstance
  connections: Connections
  /** Every route, in the order of registration. */
  mounted: readonly RouteOptions[]
}

/** Makes an HTTP server without routes, with the limits that hold for all of them. */
export function createHttpServer({ log, docsBase, bodies }: HttpParts, config: Config): HttpServer {
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    trustProxy: trustOf(config.trustProxy),
    requestTimeout: config.requestSeconds * 1_000,
    connectionTimeout: config.idleSeconds * 1_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // ours has the contract's shape
    // The patterns of the routes limit segments, so a segment that is too long leads to 404.
    rewriteUrl: ({ url = '/' }) => withoutVersion(withoutSuffix(withoutNul(url))),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADERS_MAX },
    // Each grammar brings its own. The framework's would load for nothing, and would apply to routes of another grammar.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    http: {
      headersTimeout: config.headersSeconds * 1_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: HEADERS_MAX,
    },
    frameworkErrors(error, request, reply: FastifyReply) {
      const problem = toProblem(error)
      reply.status(problem.status).header('x-request-id', request.id).send(problemBody(problem, docsBase))
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, docsBase),
  })
  const mounted: RouteOptions[] = []
  server.addHook('onRoute', (route) => void mounted.push(route))
  const connections = boundConnections(server, {
    connectionsMax: config.connectionsMax,
    bodies: { othersMs: config.headersSeconds * 1_000, ...bodies },
  })
  // Each grammar brings its own parsers. The framework's would wait for the body of a request that no route answers.
  server.removeAllContentTypeParsers()
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, 501, docsBase))
  refuseAmbiguous(server.server, docsBase)
  return { server, connections, mounted }
}

/** Compresses the answers of all routes that are registered later. */
export async function compressAnswers(server: FastifyInstance) {
  await server.register(compress, {
    encodings: ['gzip'],
    threshold: 1_024,
    globalDecompression: false,
    // A page of 250 products takes a sixth of the time of the usual level 6, and 7 % more bytes.
    zlibOptions: { level: 3 },
  })
}

/**
 * Returns which addresses are proxies of the operator, in the framework's form. The framework walks from the peer of the connection through
 * X-Forwarded-For, last entry first. The first address that is not a proxy is the client.
 */
function trustOf(proxies: Proxies | undefined) {
  if (proxies === undefined) return false
  // Given a number, the framework trusts nobody: it doesn't know that clients have to pass the proxies.
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies]
}

function refuseSchemas(): never {
  throw new Error('A route with a schema has to speak the contract (speakContract).')
}
