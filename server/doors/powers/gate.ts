import type { FastifyRequest } from 'fastify'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { beforeCaller, type Gate, recordFailure, refusePath, tooManyFailures } from '../../stores/gate/gate.ts'
import type { OperatorKeys } from '../../stores/operators/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the operator key of the request. */
    operator: string
  }
}

export type OperatorGate = Pick<Gate, 'routes' | 'failedLogins' | 'requireHttps' | 'httpsBase'> & {
  operatorKeys: OperatorKeys
}

/** Admits requests with an operator key as their bearer token. A failure counts for its address like that of any token. */
export function guardOperators(api: Api, gate: OperatorGate) {
  api.decorateRequest('operator', '')
  api.addHook('onRequest', async (request, reply) => {
    const early = beforeCaller(request, reply, gate)
    if (early === 'answered') return reply
    if (early) throw early
    // An answer can have secrets, such as the token of a new account. It is never stored.
    delete request.headers['idempotency-key']
    request.operator = await nameOf(request, gate)
    if (request.is404) throw refusePath(request, gate)
    return undefined
  })
}

/** @throws Problem 401 without a valid key, 429 after too many failures */
async function nameOf({ headers, ip }: FastifyRequest, { failedLogins, operatorKeys }: OperatorGate): Promise<string> {
  if (failedLogins.isBarred(ip, performance.now())) {
    throw tooManyFailures(failedLogins.barredMs(ip, performance.now()))
  }
  const [, key] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const found = key === undefined ? undefined : await operatorKeys.find(key)
  if (found) return found.name
  const title = 'Send an operator key as a bearer token.'
  throw recordFailure(ip, failedLogins) ?? new Problem(401, title, {}, { headers: { 'www-authenticate': 'Bearer' } })
}
