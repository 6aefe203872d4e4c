import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { type StatementUse, statementUse } from '../../core/db/wire/statement-use.ts'
import type { StoreSeeds } from '../../core/secrets/row-ids.ts'
import { operationOf } from '../../stores/faults/faults.ts'
import type { KeptBody, RequestRecorder } from '../../stores/requests/recorder.ts'
import { hidesBodies, loggedPath } from '../../stores/requests/secrecy.ts'
import { isCorrelationId, type OnEnd, storeOfRequest } from '../operator/observe.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The statements that the request has sent. */
    use: StatementUse | undefined
    /** The beginnings of the bodies, if the request log stores them. */
    keptRequest: KeptBody | undefined
    keptAnswer: KeptBody | undefined
    /** Whether it has its row. An answer can be finished and then closed. */
    isLogged: boolean
  }
}

/**
 * Counts the statements of each request, and keeps the beginnings of its bodies if the log of its store has them.
 * @returns puts a request that has ended into the log of its store
 */
export function logRequests(app: FastifyInstance, recorder: RequestRecorder, seeds: StoreSeeds): OnEnd {
  app.decorateRequest('use')
  app.decorateRequest('isLogged', false)
  app.decorateRequest('keptRequest')
  app.decorateRequest('keptAnswer')
  app.addHook('onRequest', (request, _reply, done) => {
    const correlation = request.headers['x-correlation-id']
    const origin = isCorrelationId(correlation) ? correlation : String(request.id)
    const use: StatementUse = { statements: 0, ms: 0, origin }
    request.use = use
    // What follows runs in this context.
    statementUse.run(use, done)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const store = storeIdOf(request)
    if (request.use && store !== undefined) request.use.ids = seeds.of(store)
    done()
  })
  recordBodies(app, recorder)
  return (request, end) => recordRequest(recorder, request, end)
}

/** The requests of clients of a store. Those of the operator are in the audit. */
const OF_OPERATOR = /^\/operator\//

/** Puts a request into the log of its store. */
function recordRequest(recorder: RequestRecorder, request: FastifyRequest, { status, ms }: Parameters<OnEnd>[1]) {
  if (request.isLogged) return
  request.isLogged = true
  const { url = '' } = request.routeOptions
  const store = storeIdOf(request) ?? storeOfRequest(request)
  const client = request.client ?? request.known?.client
  if (store === undefined || OF_OPERATOR.test(url)) return
  if (recorder.levelOf(typeof store === 'number' ? store : undefined) === 'off') return
  const { 'x-correlation-id': correlation, 'user-agent': agent } = request.headers
  recorder.record({
    request_id: String(request.id),
    correlation_id: isCorrelationId(correlation) ? correlation : undefined,
    store,
    client_id: client?.id,
    person: client?.person,
    operation: request.is404 ? `${request.method} unknown` : nameOf(request.method, url),
    path: loggedPath(request.url, url).replace(STORE_PREFIX, ''),
    status,
    ms,
    statements: request.use?.statements ?? 0,
    statement_ms: request.use?.ms ?? 0,
    address: request.ip,
    agent,
    request: request.keptRequest,
    answer: request.keptAnswer,
  })
}

/** The store of a request, also of one that the gate refuses because of its scope; undefined for strangers. */
const storeIdOf = ({ db, known }: FastifyRequest): number | undefined => db?.store.id ?? known?.store

const STORE_PREFIX = /^\/stores\/[^/?]*/
const names = new Map<string, string>()

function nameOf(method: string, url: string): string {
  const key = `${method} ${url}`
  let name = names.get(key)
  if (name === undefined) {
    name = operationOf(method, url)
    names.set(key, name)
  }
  return name
}

/** Bytes of a body that the log stores. */
const BODY_KEPT = 8 * 1024

const beginningOf = (body: Buffer | string): KeptBody =>
  typeof body === 'string'
    ? { text: Buffer.from(body.slice(0, BODY_KEPT)).toString('utf8', 0, BODY_KEPT), bytes: Buffer.byteLength(body) }
    : { text: body.toString('utf8', 0, BODY_KEPT), bytes: body.length }

/** Records the beginnings of bodies for the log, before they are compressed. */
function recordBodies(app: FastifyInstance, recorder: RequestRecorder) {
  const isKept = (request: FastifyRequest) => {
    const store = storeIdOf(request)
    const { url = '' } = request.routeOptions
    return store !== undefined && recorder.levelOf(store) === 'bodies' && !hidesBodies(url) && !OF_OPERATOR.test(url)
  }
  app.bodies.onRead = (request, bytes) => {
    if (isKept(request)) request.keptRequest = beginningOf(bytes)
  }
  app.addHook('onSend', (request, _reply, payload, done) => {
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && isKept(request)) {
      request.keptAnswer = beginningOf(payload)
    }
    done(null, payload)
  })
}

/** Registers the counts of rows. */
export function observeLog(registry: Registry, { counts }: Pick<RequestRecorder, 'counts'>) {
  for (const [outcome, help] of [
    ['written', 'Rows of the request log that this process has stored.'],
    [
      'dropped',
      'Rows of the request log that this process has lost, because too many waited or the database did not answer.',
    ],
  ] as const) {
    new Gauge({
      name: `storeward_request_log_${outcome}_total`,
      help,
      registers: [registry],
      collect() {
        this.set(counts[outcome])
      },
    })
  }
}
