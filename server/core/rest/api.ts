import type { IncomingMessage } from 'node:http'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import t, { type Static, type TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { isObject } from '../objects.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { Answer, bytesOf, SentBody } from './answer.ts'
import type {} from './bodies/bodies.ts'
import { parseJson } from './bodies/body.ts'
import { once, storedAnswer } from './idempotency.ts'
import { picturesIn, withAddresses } from './input/picture-addresses.ts'
import { bodyReader, queryReader, validator } from './input/validator.ts'
import { withPreparations } from './preparation.ts'
import { complaintOf, OutOfSpace, Problem, type ProblemBody, problemBody, QueryProblem, toProblem } from './problem.ts'

/** The API account behind a token. */
export interface Client {
  readonly id: string
  readonly scopes: ReadonlySet<string>
  /** The e-mail address of the person who uses the console, if the token is one of the console. */
  readonly person?: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The database of the store that the caller's token belongs to. There is none without a store. */
    db: Db
    client: Client
    /** The store and the client of a valid token, also if the gate refuses the request; undefined for strangers. */
    known: { store: number; client: Client } | undefined
  }
  interface FastifyContextConfig {
    /** A client needs any one of these. */
    scopes?: readonly string[]
    /** Whether the route takes a form with a file, or either that or JSON; all others take JSON. */
    isUpload?: boolean | 'either'
    /** The media type of answers, where it is not JSON. Errors remain JSON. */
    answerType?: string
    /** The media type of errors, where the contract gives the route another than JSON's own. */
    errorType?: string
    /** The status of a body that fails validation, where the contract gives the route another than 422. */
    invalidBody?: 400
    /** The status of a query that fails validation, if the contract gives the route another than 422. */
    invalidQuery?: 400
    /** The status of a query with names that its schema does not have, if the contract gives the route another than 422. */
    unknownQuery?: 400
    /** Whether unknown fields of the body are refused for every client, and not only for those that ask for it. */
    hasClosedBody?: boolean
    /** Whether a request without a body counts as one with an empty object. */
    isBodyOptional?: boolean
    /** Makes the body of an error, where the contract gives the route a form of its own. */
    errorBody?: (refusal: ProblemBody, request: FastifyRequest, problem: Problem) => object
    /**
     * Does the work of a request that waits for files or the network, such as writing an upload. It runs after query and body were
     * validated, and before any transaction: an Idempotency-Key opens one around the handler. Requests whose answer is already
     * stored are not prepared.
     */
    prepare?: (request: FastifyRequest) => Promise<void>
  }
  /** The texts of a route in the document, beside its input and answers. */
  interface FastifySchema {
    /** The effect as a title: "List the brands". */
    summary?: string
    /** A rule of the contract that a caller should know first. */
    description?: string
    /** The name of the operation in clients, if method and path make none that a person would choose (`operationName`). */
    operationId?: string
    /** Its group in the reference page, if the path doesn't name it (`tagOf`). */
    tag?: string
  }
  interface FastifyInstance {
    clock: Clock
    /** Address of the documentation that `type` of an error points into. */
    docsBase: string
  }
}

/** The types of a route: its schemas type the request, and its handler returns an `Answer`. */
interface Contract extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: Answer
}

type Framework = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  Contract
>

/** Registers a route. Its schema types the handler, and must have a summary. */
type Register = <const S extends FastifySchema & { summary: string }>(
  path: string,
  options: RouteShorthandOptions<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    ContextConfigDefault,
    S,
    Contract,
    FastifyBaseLogger
  > & { schema: S },
  handler: RouteHandlerMethod<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    ContextConfigDefault,
    S,
    Contract,
    FastifyBaseLogger
  >,
) => unknown

/** A part of the server in which routes follow the contract's grammar: handlers return an `Answer` and never send. */
export type Api = Omit<Framework, 'get' | 'post' | 'put' | 'delete'> &
  Readonly<Record<'get' | 'post' | 'put' | 'delete', Register>>

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const satisfies HTTPMethod[]
const JSON_BODY_MAX = 4 * 1024 * 1024

export interface Grammar extends Pick<FastifyInstance, 'clock' | 'docsBase'> {
  /** The key of digests of requests, which are stored with an `Idempotency-Key`. */
  secrets: Pick<Secrets, 'tokenHash'>
  /** Address of the server as clients see it: those of stored pictures begin with it. */
  publicUrl: string
  /** Status and body of an error; those of `problemBody` if not given. */
  refusal?(problem: Problem): { status: number; body: unknown }
}

/**
 * Gives a part of the server the contract's grammar: bodies, checks, errors, answers (docs/contract/conventions.md). The gate,
 * which identifies the caller, runs before it.
 */
export function speakContract(app: Api, grammar: Grammar) {
  const { clock, docsBase } = grammar
  const refusalOf = (problem: Problem, request: FastifyRequest) => {
    if (grammar.refusal) return grammar.refusal(problem)
    const body = problemBody(problem, docsBase)
    return {
      status: problem.status,
      body: request.routeOptions.config.errorBody?.(body, request, problem) ?? body,
    }
  }
  app.decorate('clock', clock)
  app.decorate('docsBase', docsBase)
  app.setValidatorCompiler(validator)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setSchemaErrorFormatter(([first]) => (first instanceof Error ? first : new Error('The request is not valid.')))
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', /^application\/[\w.-]+\+json/]) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage) => {
      const { bodyMax: max = JSON_BODY_MAX } = request.routeOptions.config
      return request.server.bodies.read(request, payload, { max, parse: parseJson })
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (wantsStrict(request) && !request.is404) reply.header('preference-applied', 'handling=strict')
    done(refuseMedia(request))
  })
  app.addHook('onRoute', (route) => {
    if (route.method === 'DELETE' && !route.schema?.querystring) {
      // A DELETE never ignores a mistyped filter (docs/contract/conventions.md section 5).
      route.schema = { ...route.schema, querystring: t.Object({}, { additionalProperties: false }) }
    }
    // Fastify would empty the answer to HEAD before it is compressed, and its headers would not be those of the GET.
    if (route.method === 'HEAD' && Array.isArray(route.onSend)) route.onSend.reverse()
    answerFor(route, grammar)
  })
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    // A refusal of the contract is no fault, with any status, for example 507 at a limit of the plan.
    const isFault = !(error instanceof Problem) || error instanceof OutOfSpace
    if (problem.status >= 500 && isFault) request.log.error({ err: error }, complaintOf(error))
    const { status, body } = refusalOf(problem, request)
    const { errorType = 'application/json' } = request.routeOptions.config
    return reply.status(status).headers(problem.headers).type(errorType).send(JSON.stringify(body))
  })
  app.setNotFoundHandler(() => {
    throw new Problem(404, 'There is nothing at this path.')
  })
}

/** Removes files and other preparations of a request. @param failure undefined if the handler never ran */
export type Undo = (failure: unknown) => Promise<void>

const undos = new WeakMap<FastifyRequest, Undo[]>()

/** Registers an undo. It runs, outside of any transaction, if the request fails or is answered without its handler. */
export function undoUnlessAnswered(request: FastifyRequest, undo: Undo) {
  const registered = undos.get(request)
  if (registered) registered.push(undo)
  else undos.set(request, [undo])
}

async function undoAll(request: FastifyRequest, failure?: unknown) {
  for (const undo of undos.get(request) ?? []) await undo(failure)
}

/**
 * Replaces the route's handler by one that sends the handler's answer, once for each Idempotency-Key. Query and body are checked
 * here, in this order and after the look-up of the key (docs/contract/conventions.md sections 1 and 12).
 */
function answerFor(route: RouteOptions, { secrets, publicUrl }: Grammar) {
  const handle = route.handler
  const { prepare } = route.config ?? {}
  const { querystring, body: bodySchema } = route.schema ?? {}
  const send = sender(route, publicUrl)
  const readQuery = t.IsSchema(querystring) ? queryReaderOf(route.config, querystring) : undefined
  const readBody = t.IsSchema(bodySchema) ? bodyReaderOf(route.config, bodySchema) : undefined
  const isRepeatable = route.method === 'POST' || route.method === 'PUT'
  const read = (request: FastifyRequest, { query, body }: Pick<FastifyRequest, 'query' | 'body'>) => {
    const isStrict = wantsStrict(request)
    if (readQuery) request.query = readQuery(query, isStrict)
    else if (isStrict) readNoQuery(query, isStrict)
    if (readBody) request.body = readBody(body, isStrict)
  }
  route.handler = async function (request, reply) {
    const { db, client, method, url, query, body } = request
    let hasRun = false
    const answer = async (): Promise<Answer> => {
      read(request, { query, body })
      hasRun = true
      return mustAnswer(await handle.call(this, request, reply))
    }
    const key = isRepeatable ? request.headers['idempotency-key'] : undefined
    const attempt =
      key === undefined ? undefined : { key: String(key), clientId: client.id, method, url, body, now: db.now }
    try {
      if (prepare) {
        const stored = attempt && (await storedAnswer(db, attempt, secrets))
        if (stored) {
          await undoAll(request)
          return send(request, reply, stored)
        }
        read(request, { query, body })
        await prepare(request)
      }
      const answered = await withPreparations(db, () => {
        request.db = db
        if (!attempt) return answer()
        return once(db, attempt, secrets, (tx) => {
          request.db = tx
          return answer()
        })
      })
      if (!hasRun) await undoAll(request)
      return send(request, reply, answered)
    } catch (error) {
      // An undo of its own must not write into a transaction that has ended.
      request.db = db
      await undoAll(request, error)
      throw error
    }
  }
}

/** For routes whose schema has no query. */
const readNoQuery = queryReader(t.Object({}))

function queryReaderOf({ invalidQuery, unknownQuery }: FastifyContextConfig = {}, schema: TSchema) {
  const read = queryReader(schema)
  const statusOf = (problem: Problem) =>
    problem instanceof QueryProblem && problem.hasUnknownNames ? (unknownQuery ?? invalidQuery) : invalidQuery
  return (query: unknown, isStrict: boolean) => withStatus(statusOf, () => read(query, isStrict))
}

function bodyReaderOf(
  { invalidBody, hasClosedBody = false, isBodyOptional = false }: FastifyContextConfig = {},
  schema: TSchema,
) {
  const read = bodyReader(schema)
  return (body: unknown, isStrict = false) =>
    withStatus(
      () => invalidBody,
      () => read(body === undefined && isBodyOptional ? {} : body, isStrict || hasClosedBody),
    )
}

/** Does work whose 422 may have another status. */
function withStatus<T>(statusOf: (problem: Problem) => number | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error
    const status = statusOf(error)
    if (status === undefined) throw error
    throw new Problem(status, error.message, error.errors, { detail: error.detail })
  }
}

/** Whether a client wants fields and parameters refused that the schemas do not name (RFC 7240). The contract ignores them. */
export const wantsStrict = ({ headers: { prefer } }: FastifyRequest) =>
  prefer !== undefined && /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(prefer))

function mustAnswer(answer: unknown): Answer {
  if (answer instanceof Answer) return answer
  throw new Error('A handler must return an Answer.')
}

/** Sends the answers of a route. Stored pictures get their addresses here, also in answers to an Idempotency-Key that are repeated. */
function sender({ schema, config }: RouteOptions, publicUrl: string) {
  const typeOf = (status: number) => (status < 400 ? undefined : config?.errorType) ?? 'application/json'
  let pictured: ReturnType<typeof picturesIn> | undefined
  const hasPictures = ({ method, query }: FastifyRequest) => {
    pictured ??= picturesIn(schema?.response, includesOf(schema?.querystring))
    const { always, parts } = pictured
    if (always || parts.size === 0) return always
    return method !== 'GET' || includedBy(query).some((part) => parts.has(part))
  }
  return (request: FastifyRequest, reply: FastifyReply, { body, status, headers }: Answer) => {
    reply.headers(headers)
    if (isUnmodified(request, headers['last-modified'])) return reply.status(304).send()
    if (body instanceof SentBody) return body.send(request, reply.status(status))
    const bytes = bytesOf(body)
    if (bytes === undefined) return reply.status(status).send()
    const complete = hasPictures(request) ? withAddresses(bytes, request.db.store, publicUrl) : bytes
    return reply.status(status).type(typeOf(status)).send(complete)
  }
}

/** The parts of a resource that a query can ask for. */
function includesOf(querystring: unknown): string[] {
  if (!t.IsObject(querystring)) return []
  const { include } = querystring.properties
  return t.IsArray(include) && t.IsEnum(include.items) ? include.items.enum.map(String) : []
}

/** The parts that a query has asked for. */
const includedBy = (query: unknown): string[] =>
  isObject(query) && Array.isArray(query.include) ? query.include.map(String) : []

/**
 * Whether the client has this answer already (docs/contract/conventions.md section 8). Only answers with Last-Modified are
 * compared. An If-Modified-Since in an obsolete form of HTTP dates is ignored, like an unreadable one.
 */
function isUnmodified({ method, headers }: FastifyRequest, modified: string | undefined): boolean {
  if (modified === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  const since = new Date(headers['if-modified-since'] ?? '')
  return since.toUTCString() === headers['if-modified-since'] && since.getTime() >= Date.parse(modified)
}

/** Steps 10 and 11 of docs/contract/conventions.md section 1: the type that the caller accepts, and the type that it sends. */
function refuseMedia({ headers, method, routeOptions }: FastifyRequest): Problem | undefined {
  const { answerType = 'application/json' } = routeOptions.config
  if (!accepts(headers.accept, answerType))
    return new Problem(406, `Answers are ${answerType}, which the Accept header excludes.`)
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) {
    // Many clients send Content-Type with every method. Without a body it means nothing, and Fastify would look for its parser.
    delete headers['content-type']
    return undefined
  }
  if (headers['content-type'] === undefined) return new Problem(400, 'A body needs a Content-Type.')
  if (headers['content-encoding'] !== undefined) return new Problem(415, 'Bodies must not be compressed.')
  const isForm = /^multipart\/form-data\b/i.test(headers['content-type'])
  const { isUpload = false } = routeOptions.config
  if (isUpload !== 'either' && isForm !== isUpload) {
    return new Problem(415, `This route takes ${isForm ? 'JSON' : 'multipart/form-data'}.`)
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'])?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return new Problem(415, 'The charset must be utf-8.')
  return undefined
}

/** Whether the most specific media range that covers a type has a quality above 0. */
function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept === '*/*' || accept === type) return true
  const quality = new Map<string, number>()
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    quality.set(name, q === undefined ? 1 : Number(q.slice(2)))
  }
  return (quality.get(type) ?? quality.get(type.replace(/\/.*/, '/*')) ?? quality.get('*/*') ?? 0) > 0
}

/** The routes of a part of the server, for everything that is made from them: `Allow`, the document, the isolation matrix. */
export class RouteList {
  readonly routes: RouteOptions[] = []
  #paths: ReturnType<typeof FindMyWay> | undefined

  /** Collects the routes that are registered from now on. */
  static of(app: Api): RouteList {
    const list = new RouteList()
    app.addHook('onRoute', (route) => {
      if (route.method !== 'HEAD') list.routes.push(route)
    })
    return list
  }

  /** The methods that a path supports, OPTIONS included; empty for a path that leads nowhere. */
  allowed(url: string): string[] {
    const [path = ''] = url.split('?')
    this.#paths ??= this.#pathsOfRoutes()
    const paths = this.#paths
    const found = METHODS.filter((method) => paths.find(method, path) !== null)
    return found.length > 0 ? [...found, 'OPTIONS'] : []
  }

  /** Made when it is asked for first: few requests lead nowhere. */
  #pathsOfRoutes() {
    const paths = FindMyWay({ ignoreTrailingSlash: true })
    for (const route of this.routes) {
      for (const method of METHODS) {
        if (method === route.method || (method === 'HEAD' && route.method === 'GET')) {
          paths.on(method, route.url, () => {})
        }
      }
    }
    return paths
  }
}
