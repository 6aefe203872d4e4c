import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import type { Api, Client } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { MessageProblem } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { DoorState } from '../../../stores/directory/directory.ts'
import { isPlan, type Plan, plans } from '../../../stores/directory/plans.ts'
import {
  beforeCaller,
  type Gate,
  recordFailure,
  refuseClosed,
  refusePath,
  SCOPE_MISSING,
  tooManyFailures,
} from '../../../stores/gate/gate.ts'
import type { FailedLogins } from '../../../stores/quotas/failed-logins.ts'
import { chargeMinute } from '../grammar/windows.ts'
import type { BackendTokens } from '../tokens/backend-tokens.ts'
import { refuseDisabled } from '../tokens/store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sales representative who sends the request and sees only assigned companies; undefined for other callers. */
    salesRep: number | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route needs no token: credentials are in the request itself. */
    isOpen?: boolean
    /** Whether answers contain tokens. They are not stored for an Idempotency-Key. */
    givesTokens?: boolean
    /** Whether pages of any origin may use the route. */
    isForBrowsers?: boolean
  }
}

export interface CompanionGate extends Gate {
  backendTokens: BackendTokens
  /** Refused sign-ins by address. They don't bar the address from the other routes: it may be a server that signs shoppers in. */
  failedSignIns: FailedLogins
}

/** The caller of a request with its store. */
interface Companion {
  db: Db
  client: Client
  state: DoorState
  plan: Plan
  salesRep?: number | undefined
}

/**
 * Authenticates callers of the companion API (docs/contract/b2b.md section 3): an account with `X-Auth-Token` and the hash of its
 * store, or a member of staff with a backend token in the header `authToken`. The first failed check decides the status.
 */
export function guardCompanion(api: Api, gate: CompanionGate) {
  api.decorateRequest('db')
  api.decorateRequest('client')
  api.decorateRequest('salesRep', undefined)
  api.addHook('onRequest', async (request, reply) => {
    const { isOpen = false, givesTokens = false } = request.routeOptions.config
    if (isForBrowsers(request, gate)) reply.headers(request.method === 'OPTIONS' ? PREFLIGHT : ANY_ORIGIN)
    const early = beforeCaller(request, reply, gate)
    if (early === 'answered') return reply
    if (early) throw early
    if (isOpen || givesTokens) delete request.headers['idempotency-key']
    if (isOpen) return refuseSignIn(request.ip, gate)
    const companion = await identify(request, gate)
    const refusal = companion instanceof Problem ? companion : await admit(request, reply, companion, gate)
    if (refusal) throw refusal
    return undefined
  })
  api.addHook('onResponse', (request, reply, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500 && reply.statusCode !== 429
    if (request.routeOptions.config.isOpen && isRefused) gate.failedSignIns.record(request.ip, performance.now())
    done()
  })
}

/** @throws Problem 429 before the body is read, for an address that failed too often */
function refuseSignIn(address: string, { failedLogins, failedSignIns }: CompanionGate): undefined {
  const now = performance.now()
  const ms = Math.max(failedLogins.barredMs(address, now), failedSignIns.barredMs(address, now))
  if (ms > 0) throw tooManyFailures(ms)
  return undefined
}

/** Pages of any origin are allowed, because credentials are in the request itself and cookies are ignored. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' }
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authToken, Authorization, Content-Type, X-Store-Hash',
  'access-control-max-age': '1728000',
}

/** Whether pages may use the route. A preflight has no route, so its path is compared. */
function isForBrowsers({ method, url, routeOptions }: FastifyRequest, { routes }: CompanionGate): boolean {
  if (method !== 'OPTIONS') return routeOptions.config.isForBrowsers ?? false
  const [path] = url.split('?')
  return routes.routes.some((route) => route.url === path && route.config?.isForBrowsers)
}

const UNKNOWN_TOKEN = 'The token of the header X-Auth-Token is not valid.'

async function identify(request: FastifyRequest, gate: CompanionGate): Promise<Companion | Problem> {
  const { 'x-auth-token': token, 'x-store-hash': hash, authtoken } = request.headers
  if (gate.failedLogins.isBarred(request.ip, performance.now())) return refuseUnidentified(request, gate, UNKNOWN_TOKEN)
  if (token !== undefined) return identifyAccount(request, gate, String(token), String(hash ?? ''))
  if (authtoken !== undefined) return identifyStaff(request, gate, String(authtoken))
  return refuseUnidentified(request, gate, 'The headers X-Auth-Token and X-Store-Hash are required.')
}

async function identifyAccount(request: FastifyRequest, gate: CompanionGate, token: string, hash: string) {
  const visitor = token === '' ? undefined : await gate.callers.find(hash, token)
  if (visitor?.kind === 'caller') return visitor
  if (token === '' || !(await gate.callers.isValid(token))) return refuseUnidentified(request, gate, UNKNOWN_TOKEN)
  // The contract answers a hash of another store with 500 (docs/contract/b2b.md section 2).
  return new Problem(
    500,
    hash === ''
      ? 'The header X-Store-Hash is required beside X-Auth-Token.'
      : 'The header X-Store-Hash does not name the store of the token.',
  )
}

async function identifyStaff(
  request: FastifyRequest,
  gate: CompanionGate,
  token: string,
): Promise<Companion | Problem> {
  const found = await gate.backendTokens.find(token)
  if (!found) return refuseUnidentified(request, gate, 'The token of the header authToken is invalid or expired.')
  const { db, state, staff } = found
  return {
    db,
    state,
    plan: plans[isPlan(staff.plan) ? staff.plan : 'standard'],
    client: { id: `staff ${staff.id}`, scopes: new Set(access('b2b').write.config.scopes) },
    salesRep: staff.is_sales_rep ? staff.id : undefined,
  }
}

function refuseUnidentified({ ip }: FastifyRequest, { failedLogins }: CompanionGate, sentence: string): Problem {
  const headers = { 'www-authenticate': 'X-Auth-Token' }
  return recordFailure(ip, failedLogins) ?? new Problem(401, sentence, {}, { headers })
}

/** @returns the refusal of a request, or undefined */
async function admit(request: FastifyRequest, reply: FastifyReply, companion: Companion, gate: CompanionGate) {
  const { db, client, state, plan, salesRep } = companion
  const closing = refuseClosed(state)
  if (closing) return closing
  const refusal = await chargeMinute(db, plan, reply)
  if (refusal) return refusal
  if (request.is404) return refusePath(request, gate)
  const { scopes = [] } = request.routeOptions.config
  if (!scopes.some((scope) => client.scopes.has(scope))) return new MessageProblem(403, SCOPE_MISSING)
  request.db = db
  request.client = client
  request.salesRep = salesRep
  return refuseDisabled(db)
}
