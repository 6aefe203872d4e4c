import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoreClocks } from '../../core/db/store-clocks.ts'
import { type Api, METHODS, type RouteList } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Caller, Callers, Visitor } from '../accounts/callers.ts'
import { spanOf } from '../clocks/clocks.ts'
import type { Directory, DoorState } from '../directory/directory.ts'
import { isLimited } from '../directory/plans.ts'
import { cutAnswers, occurFault } from '../faults/faults.ts'
import type { FailedLogins } from '../quotas/failed-logins.ts'
import { type Quotas, WINDOW_MS } from '../quotas/quotas.ts'
import type { SharedCounts } from '../quotas/shared-counts.ts'

export interface Gate {
  callers: Callers
  directory: Directory
  quotas: Quotas
  /** The counts of other processes. */
  counts: Pick<SharedCounts, 'learn'>
  failedLogins: FailedLogins
  routes: RouteList
  /** Returns the sentence for a path that clients of this version know but that this server does not support. */
  leftOut?: (path: string) => string | undefined
  requireHttps: boolean
  /** Origin of redirects to https. Undefined means the host of the request, which a proxy may have rewritten. */
  httpsBase: string | undefined
  /** Prefix of the contract's own headers: `X-Svc`. */
  headerPrefix: string
  /** The moved clocks of test stores. */
  clocks: Pick<StoreClocks, 'find'>
}

const methods = new Set<string>(METHODS)

/** Bytes of method, address and protocol together (docs/contract/conventions.md section 11). */
export const REQUEST_LINE_MAX = 16 * 1024
const lineOf = ({ method, url }: FastifyRequest) => method.length + url.length + ' '.length + ' HTTP/1.1'.length

/** Makes browsers use https only, for a year (docs/contract/conventions.md section 9). */
const STAY_WITH_HTTPS = 'max-age=31536000'

/**
 * Steps 1 to 9 of docs/contract/conventions.md section 1 in their order: the first failure decides the status. An admitted
 * request gets the `db` of its store and its `client`.
 */
export function guard(app: Api, gate: Gate) {
  app.decorateRequest('db')
  app.decorateRequest('client')
  app.decorateRequest('known')
  cutAnswers(app)
  app.addHook('onRequest', (request, reply, done) => {
    const early = beforeCaller(request, reply, gate)
    if (early === 'answered') return
    if (early) return done(early)
    const visitor = identify(request, gate)
    const entered =
      visitor instanceof Promise
        ? visitor.then((found) => enterCounted(request, reply, found, gate))
        : enterCounted(request, reply, visitor, gate)
    if (!(entered instanceof Promise)) return done(entered)
    entered.then((refusal) => {
      if (refusal !== 'cut') done(refusal)
    }, done)
  })
}

/**
 * Checks that come before the identification of the client.
 * @returns the refusal, or `answered` if the response was sent
 */
export function beforeCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  gate: Pick<Gate, 'routes' | 'requireHttps' | 'httpsBase'>,
): Problem | 'answered' | undefined {
  reply.header('cache-control', 'no-store')
  if (request.protocol === 'https') reply.header('strict-transport-security', STAY_WITH_HTTPS)
  if (lineOf(request) > REQUEST_LINE_MAX) {
    return new Problem(414, `The request line is longer than ${REQUEST_LINE_MAX} bytes.`)
  }
  if (gate.requireHttps && request.protocol === 'http') {
    reply.redirect(`${gate.httpsBase ?? `https://${request.host}`}${request.url}`, 301)
    return 'answered'
  }
  if (!methods.has(request.method)) return new Problem(501, `The method ${request.method} is not supported.`)
  if (request.method !== 'OPTIONS') return undefined
  answerOptions(request, reply, gate)
  return 'answered'
}

function answerOptions(request: FastifyRequest, reply: FastifyReply, { routes }: Pick<Gate, 'routes'>) {
  const allowed = routes.allowed(request.url)
  if (allowed.length > 0) reply.status(204).header('allow', allowed.join(', ')).send()
  else reply.send(new Problem(404, 'There is nothing at this path.'))
}

function identify(request: FastifyRequest, { callers, failedLogins }: Gate): Visitor | Promise<Visitor> {
  const token = request.headers['x-auth-token']
  if (failedLogins.isBarred(request.ip, performance.now())) return { kind: 'stranger' }
  if (token === undefined || token === '') return { kind: 'stranger' }
  return callers.find(storeHash(request), String(token))
}

function storeHash({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'store_hash' in params ? String(params.store_hash) : ''
}

/** Admits a request when the counts of its store at other processes are known. They matter to plans with limits. */
function enterCounted(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, gate: Gate) {
  const learning =
    visitor.kind === 'caller' && isLimited(visitor.plan) ? gate.counts.learn(visitor.db.store.id) : undefined
  return learning ? learning.then(() => enter(request, reply, visitor, gate)) : enter(request, reply, visitor, gate)
}

/**
 * Admits a request, and lets a fault of its store occur.
 * @returns the refusal, undefined if the request goes on, or 'cut' if a fault has closed its connection
 */
function enter(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, gate: Gate) {
  const refusal = admit(request, reply, visitor, gate)
  if (visitor.kind !== 'caller' || !visitor.db.store.isTest) return refusal
  const { faults, db } = visitor
  const clock = gate.clocks.find(db.store.id)
  const powers = [
    ...(clock ? [`clock=${clock.standsAt ? db.now.toISOString() : `+${spanOf(clock.aheadMs / 1_000)}`}`] : []),
    ...(faults === undefined ? [] : [`faults=${faults.length}`]),
  ]
  if (powers.length > 0) reply.header(`${gate.headerPrefix}-test`, powers.join('; '))
  if (faults === undefined) return refusal
  return refusal ?? occurFault(request, reply, { database: gate.directory.database, store: db.store.id, faults })
}

/**
 * Admits a request to its route.
 * @returns the refusal, or undefined if the request is admitted
 */
function admit(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, gate: Gate): Problem | undefined {
  if (visitor.kind !== 'caller') {
    return visitor.kind === 'lost' ? new Problem(403, SCOPE_MISSING) : refuseStranger(request, gate)
  }
  request.known = { store: visitor.db.store.id, client: visitor.client }
  // Every answer to a valid token costs one request of the quota and carries its numbers, also if the store is closed.
  const refusal = charge(reply, visitor, gate)
  const closing = refuseClosed(visitor.state)
  if (closing) return closing
  if (refusal) return refusal
  if (request.is404) return refusePath(request, gate)
  const { scopes } = request.routeOptions.config
  if (!scopes?.some((scope) => visitor.client.scopes.has(scope))) {
    return new Problem(403, SCOPE_MISSING, {}, { detail: `One of these scopes is needed: ${scopes?.join(', ')}.` })
  }
  request.db = visitor.db
  request.client = visitor.client
  return undefined
}

export const SCOPE_MISSING = "You don't have a required scope to access the endpoint"

const closed = {
  maintenance: 'down for maintenance',
  upgrading: 'being upgraded',
  suspended: 'suspended',
  active: 'open',
  test: 'a test store, which this server does not open',
}

/** The refusal of a store that its operator has closed. */
export const refuseClosed = (state: DoorState): Problem | undefined =>
  state === 'active'
    ? undefined
    : new Problem(503, `The store is ${closed[state]}.`, {}, { headers: { 'retry-after': '60' } })

/**
 * Counts a failed authentication of an address.
 * @returns 429 if the address is barred after too many failures
 */
export function recordFailure(address: string, failedLogins: FailedLogins): Problem | undefined {
  const now = performance.now()
  if (failedLogins.record(address, now)) return undefined
  return tooManyFailures(failedLogins.barredMs(address, now))
}

/** The refusal of an address that stays barred for this many milliseconds. */
export const tooManyFailures = (barredMs: number) =>
  new Problem(429, 'Too many requests', {}, { headers: { 'retry-after': String(Math.ceil(barredMs / 1_000)) } })

function refuseStranger(request: FastifyRequest, { failedLogins }: Gate): Problem {
  const barred = recordFailure(request.ip, failedLogins)
  if (barred) return barred
  const title =
    request.headers['x-auth-token'] === undefined
      ? 'The header X-Auth-Token is required.'
      : 'Unauthorized: client or token not valid for this store'
  return new Problem(401, title, {}, { headers: { 'www-authenticate': 'X-Auth-Token' } })
}

/** Charges one request, whether it succeeds or not. */
function charge(reply: FastifyReply, caller: Caller, { quotas, headerPrefix }: Gate) {
  const use = quotas.charge(caller.db.store.id, caller.client.id, caller.plan, performance.now())
  reply.header('x-rate-limit-time-window-ms', WINDOW_MS)
  reply.header('x-rate-limit-time-reset-ms', use.resetMs)
  reply.header('x-rate-limit-requests-quota', use.quota)
  reply.header('x-rate-limit-requests-left', use.left)
  reply.header(`${headerPrefix}-apilimit-remaining`, use.hourLeft)
  if (use.allowed) return undefined
  return new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': String(use.retryAfter) } })
}

/** The refusal of a request without a route: 405 if its path has routes for other methods, else 404. */
export function refusePath(request: FastifyRequest, { routes, leftOut }: Pick<Gate, 'routes' | 'leftOut'>): Problem {
  const allowed = routes.allowed(request.url)
  if (allowed.length === 0) {
    // Without `/stores/{store_hash}/v2`.
    const [, path = ''] = /^\/stores\/[^/]*\/[^/]*([^?]*)/.exec(request.url) ?? []
    return new Problem(404, leftOut?.(path) ?? 'There is nothing at this path.')
  }
  const allow = allowed.join(', ')
  return new Problem(405, `${request.method} is not supported here; ${allow} are.`, {}, { headers: { allow } })
}
