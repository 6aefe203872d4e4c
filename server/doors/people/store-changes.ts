import type { FastifyRequest } from 'fastify'
import type { Api } from '../../core/rest/api.ts'
import { operationOf } from '../../stores/faults/faults.ts'
import { hidesBodies, loggedPath } from '../../stores/requests/secrecy.ts'
import { type Audit, isChange } from './audit.ts'
import { pathValue } from './gate.ts'

/**
 * Records the changes of people to the data of a store, and the refused ones. The console sends them to the API of the store like any other
 * client, with a token of the person. The changes of other clients are in the request log only.
 */
export function auditPeople(api: Api, audit: Audit) {
  api.decorateRequest('auditId')
  api.addHook('preHandler', (request, _reply, done) => {
    const person = personOf(request)
    if (person === undefined) return done()
    begin(audit, request, person).then((id) => {
      request.auditId = id
      done()
    }, done)
  })
  api.addHook('onSend', (request, reply, _payload, done) => {
    const person = personOf(request)
    if (person === undefined) return done()
    const begun = request.auditId === undefined ? begin(audit, request, person) : Promise.resolve(request.auditId)
    begun.then((id) => audit.finish(id, reply.statusCode)).then(() => done(), done)
  })
}

/** The person who changes something by a request; undefined for reads and for other clients. */
function personOf(request: FastifyRequest): string | undefined {
  const person = (request.client ?? request.known?.client)?.person
  return person !== undefined && isChange(request) ? person : undefined
}

const begin = (audit: Audit, request: FastifyRequest, person: string): Promise<string> => {
  const { method, routeOptions, url, headers, body, id } = request
  const template = routeOptions.url ?? ''
  return audit.begin({
    kind: 'person',
    actor: person,
    // The companion API names the store by a header.
    store_hash: pathValue(request, 'store_hash') || String(headers['x-store-hash'] ?? ''),
    action: operationOf(method, template),
    object: loggedPath(url, template),
    body: hidesBodies(template) ? undefined : body,
    request_id: String(id),
  })
}
