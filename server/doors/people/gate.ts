import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { beforeCaller, type Gate, recordFailure, refusePath, tooManyFailures } from '../../stores/gate/gate.ts'
import type { OperatorKeys } from '../../stores/operators/keys.ts'
import { isOfThisMachine } from '../operator/demo-store.ts'
import { cookieIn } from '../storefront/sessions/cookies.ts'
import { type Audit, isChange } from './audit.ts'
import { isForEverybody, rolesFor } from './roles.ts'
import type { PersonSessions, SignedIn } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the operator key, or the e-mail address of the person. Empty at the routes of strangers. */
    operator: string
    /** The person who sent the request; undefined with an operator key. */
    signedIn: SignedIn | undefined
    /** The record of the action in the audit. */
    auditId: string | undefined
  }
  interface FastifyContextConfig {
    /** Whether strangers may send the request, such as a sign-in. */
    isForStrangers?: boolean
    /** Whether only people may send the request, and no program with an operator key. */
    isForPeople?: boolean
    /** Whether a person must have given the password in the last ten minutes. */
    needsConfirmation?: boolean
    /** Whether the body has a secret, so that no digest of it is recorded. */
    hasSecretBody?: boolean
    /** Reads the object of the action for the audit, without secrets; undefined if there is none. */
    readObject?(request: FastifyRequest): Promise<unknown>
  }
}

export type OperatorGate = Pick<Gate, 'routes' | 'failedLogins' | 'requireHttps' | 'httpsBase'> & {
  operatorKeys: OperatorKeys
  sessions: PersonSessions
  audit: Audit
  /** The address of the server as browsers see it. */
  publicUrl: string
}

/** The cookie of a session. */
const SESSION_COOKIE = 'storeward_person'
const COOKIE_PATH = '/operator'

/** A page of another host can't set it: the browser would ask this server first, which never allows it. */
const CONSOLE_HEADER = 'x-console'

/** Confirmations of identity are recognized by this key of `errors`. */
const CONFIRMATION_MISSING = new Problem(403, 'Confirm your identity with your password first.', {
  confirmation: 'The last confirmation is older than ten minutes.',
})

/**
 * Admits requests with an operator key as their bearer token, or with the session of a person whose role opens the route. A failure
 * counts for its address like that of any token. Actions, and refused ones, are recorded.
 */
export function guardOperators(api: Api, gate: OperatorGate) {
  api.decorateRequest('operator', '')
  api.decorateRequest('signedIn')
  api.decorateRequest('auditId')
  api.addHook('onRequest', async (request, reply) => {
    const early = beforeCaller(request, reply, gate)
    if (early === 'answered') return reply
    if (early) throw early
    // An answer can have secrets, such as the token of a new account. It is never stored.
    delete request.headers['idempotency-key']
    await enter(request, gate)
    if (request.is404) throw refusePath(request, gate)
    return undefined
  })
  api.addHook('preHandler', async (request) => {
    if (!isAction(request)) return
    const before = await request.routeOptions.config.readObject?.(request)
    request.auditId = await gate.audit.begin({ ...actionOf(request), before })
  })
  api.addHook('onSend', async (request, reply) => {
    if (!isAction(request) || request.operator === '') return
    const wasRefusedEarly = request.auditId === undefined
    request.auditId ??= await gate.audit.begin(actionOf(request))
    // The action has had its effect, so its answer does not depend on this read.
    const after = wasRefusedEarly
      ? undefined
      : await request.routeOptions.config.readObject?.(request).catch(() => undefined)
    await gate.audit.finish(request.auditId, reply.statusCode, after)
  })
}

/** @throws Problem 401 without a valid key or session, 403 for a role that doesn't open the route, 404 for another's store */
async function enter(request: FastifyRequest, gate: OperatorGate) {
  const { failedLogins } = gate
  if (failedLogins.isBarred(request.ip, performance.now())) {
    throw tooManyFailures(failedLogins.barredMs(request.ip, performance.now()))
  }
  const { isForStrangers, isForPeople, needsConfirmation } = request.routeOptions.config
  if (request.headers.authorization !== undefined) {
    request.operator = await keyName(request, gate)
    if (isForPeople) throw new Problem(403, 'Only people may send this request, and no program with an operator key.')
    return
  }
  if (isForStrangers) return refuseForeignPages(request, gate)
  const secret = cookieIn(request.headers.cookie, SESSION_COOKIE)
  if (secret === undefined) throw STRANGER
  refuseForeignPages(request, gate)
  const signedIn = await gate.sessions.find(secret)
  if (!signedIn) throw refuse(request, gate)
  request.signedIn = signedIn
  request.operator = signedIn.person.email
  if (request.is404) return
  refuseRole(request, signedIn)
  if (needsConfirmation && !signedIn.isConfirmed) throw CONFIRMATION_MISSING
}

/**
 * @throws Problem 403 for a role that doesn't open the route, or for a route about all stores if the person has some; 404 for a store that
 * is not the person's
 */
function refuseRole({ method, routeOptions, params }: FastifyRequest, { person: { role, stores } }: SignedIn) {
  const operation = `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`
  if (!rolesFor(operation).includes(role)) throw new Problem(403, `The role ${role} does not open this route.`)
  if (stores === null) return
  const hash = hashIn(params)
  if (hash === '' && !isForEverybody(operation)) {
    throw new Problem(403, 'The route is about all stores, and you have some.')
  }
  if (hash !== '' && !stores.includes(hash)) throw new Problem(404, 'There is no such store.')
}

const hashIn = (params: unknown): string => valueIn(params, 'store_hash')

/** A value of the path; empty without one. */
const valueIn = (params: unknown, name: string): string => {
  const found = Object.entries(typeof params === 'object' && params !== null ? params : {}).find(
    ([key]) => key === name,
  )
  return found ? String(found[1]) : ''
}

/** A value of the path for `readObject`, which does not know the shape of its route; empty without one. */
export const pathValue = ({ params }: FastifyRequest, name: string): string => valueIn(params, name)

/**
 * Refuses requests that a page of another host has caused. The host of the request must be that of the server, because the name of
 * another host can be made to lead here (DNS rebinding).
 * @throws Problem 403
 */
function refuseForeignPages(request: FastifyRequest, { publicUrl }: OperatorGate) {
  const { host, headers } = request
  const isOurs = host.toLowerCase() === new URL(publicUrl).host || isOfThisMachine(request)
  const { origin } = headers
  const isOwnOrigin = origin === undefined || URL.parse(String(origin))?.host === host.toLowerCase()
  if (isOurs && isOwnOrigin && headers[CONSOLE_HEADER] === '1') return
  throw new Problem(403, 'Only the console of this server may use the session of a person.')
}

/** The person of a request to a route for people. */
export function signedInOf({ signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new Error('The route is not for people only.')
  return signedIn
}

/** @throws Problem 401 without a valid key, 429 after too many failures */
async function keyName(request: FastifyRequest, gate: OperatorGate): Promise<string> {
  const [, key] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const found = key === undefined ? undefined : await gate.operatorKeys.find(key)
  if (!found) throw refuse(request, gate)
  return found.name
}

/** The refusal of a request without a credential. It guesses nothing, for example when a browser opens the console. */
const STRANGER = new Problem(
  401,
  'Send an operator key as a bearer token.',
  {},
  { headers: { 'www-authenticate': 'Bearer' } },
)

/** The refusal of a wrong credential, which counts for the address. */
const refuse = ({ ip }: FastifyRequest, { failedLogins }: OperatorGate): Problem =>
  recordFailure(ip, failedLogins) ?? STRANGER

/** Sets the cookie of a session. Scripts can't read it, and browsers don't send it with requests of other pages. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string) {
  reply.header('set-cookie', cookie(request, secret))
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  reply.header('set-cookie', `${cookie(request, '')}; Max-Age=0`)
}

const cookie = ({ protocol }: FastifyRequest, value: string) =>
  `${SESSION_COOKIE}=${value}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Strict${protocol === 'https' ? '; Secure' : ''}`

const isAction = (request: FastifyRequest) => isChange(request) && !request.routeOptions.config.isForStrangers

const actionOf = ({ method, routeOptions, url, params, body, operator, signedIn, id }: FastifyRequest) => ({
  kind: signedIn ? ('person' as const) : ('key' as const),
  actor: operator,
  store_hash: hashIn(params),
  action: `${method} ${routeOptions.url}`,
  object: url,
  body: routeOptions.config.hasSecretBody ? undefined : body,
  request_id: String(id),
})
