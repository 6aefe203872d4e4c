import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { WorkBudget } from '../../../core/graphql/cost/budget.ts'
import { openedOnce } from '../../../core/graphql/opening.ts'
import { readGraphRequest } from '../../../core/graphql/request.ts'
import { parseJson } from '../../../core/rest/bodies/body.ts'
import { complaintOf, Problem, toProblem } from '../../../core/rest/problem.ts'
import { refusalB2b } from '../grammar/envelope.ts'
import type { SignInParts } from '../tokens/sign-in.ts'
import { type BuyerParts, readCaller } from './caller.ts'

export interface BuyerDoorParts extends SignInParts, BuyerParts {
  requireHttps: boolean
  /** Whether clients may ask for the schema. */
  introspection: boolean
}

/** The prefix of the API of buyers. */
export const BUYERS = '/b2b'

const BODY_MAX = 256 * 1024
/** Pages of any origin are allowed, because credentials are in the request itself and cookies are ignored. */
const CORS = { 'access-control-allow-origin': '*' }
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers':
    'authToken, Authorization, Content-Type, X-Store-Hash, Store-Hash, BC-Channel-Id, Accept-Language',
  'access-control-max-age': '1728000',
}

/** Answers a preflight. Its headers are set by `guardBuyers`. */
export const CORS_PREFLIGHT = (_request: FastifyRequest, reply: FastifyReply) => reply.status(204).send()

/** The error of a token that is not valid any more, as the engine writes it. */
export const ENDED = { message: 'The authToken has expired or was revoked.', extensions: { code: 40_101 } }

/** Refuses requests without https, and allows pages of any origin. */
export function guardBuyers(door: FastifyInstance, { requireHttps }: Pick<BuyerDoorParts, 'requireHttps'>) {
  door.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', ...(request.method === 'OPTIONS' ? PREFLIGHT : CORS) })
    if (requireHttps && request.protocol === 'http') {
      throw new Problem(403, 'Tokens and passwords are accepted by https only.')
    }
  })
}

/** Reads bodies as JSON, and answers errors as clients of this API read them: a sentence, and the status as a number. */
export function speakBuyerGraphql(door: FastifyInstance) {
  door.removeAllContentTypeParsers()
  door.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    door.bodies.read(request, payload, { max: BODY_MAX, parse: parseJson }),
  )
  door.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
    const { detail: message } = refusalB2b(problem).body
    const errors = [{ message, extensions: { code: problem.status } }]
    return reply.status(problem.status).headers(problem.headers).send({ data: null, errors })
  })
}

/** The GraphQL of buyers (docs/contract/b2b-graphql.md). */
export function buyerGraphRoutes(door: FastifyInstance, parts: BuyerDoorParts) {
  const budget = new WorkBudget()
  const openEngine = openedOnce(async () => (await import('./open.ts')).openBuyerEngine(parts))

  door.options('/graphql', CORS_PREFLIGHT)
  door.post('/graphql', async (request, reply) => {
    const operation = readGraphRequest(request.body)
    const caller = await readCaller(parts, tokenIn(request.headers.authorization), request.ip)
    const { shopper } = caller
    const client = { store: shopper?.db.store.id ?? 0, id: shopper?.jti ?? request.ip, isServer: false }
    budget.admit(client, performance.now())
    const { body, work } = await (await openEngine()).run(operation, caller)
    budget.charge(client, work, performance.now())
    return typeof body === 'string' ? reply.type('application/json; charset=utf-8').send(body) : body
  })
}

/** The token of a request. Public clients write two blanks before it, and `undefined` or `null` if they have none. */
export function tokenIn(authorization: string | undefined): string | undefined {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return token === undefined || token === 'undefined' || token === 'null' ? undefined : token
}
