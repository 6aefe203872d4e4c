import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../core/db/database.ts'

const CORRELATION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CLIENT_CLOSED = 499

/**
 * Gives every answer its request id, and writes one log line and one count for every request: store, client, route
 * template, status, time, ids. Never a secret, a path with its values, or a body.
 * @returns the registry that `/metrics` shows
 */
export function observe(app: FastifyInstance, databases: readonly Database[]): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'storeward_http_requests_total',
    help: 'Requests by method, route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'storeward_http_request_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'storeward_transaction_retries_total',
    help: 'Transactions that ran again after a deadlock or a serialization failure.',
    registers: [registry],
    collect() {
      this.set(databases.reduce((sum, { retries }) => sum + retries.count, 0))
    },
  })

  const note = (request: FastifyRequest, status: number, ms: number) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    requests.inc({ method: request.method, route, status })
    durations.observe(ms / 1_000)
    const { 'x-correlation-id': correlation, 'user-agent': agent } = request.headers
    request.log.info({
      store: storeOf(request),
      client: request.client?.id,
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      request_id: request.id,
      correlation_id: isCorrelationId(correlation) ? correlation : undefined,
      agent,
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const correlation = request.headers['x-correlation-id']
    if (isCorrelationId(correlation)) reply.header('x-correlation-id', correlation)
    // Whoever goes away before the answer is out: also when a body had been read, of which the framework says nothing.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) note(request, CLIENT_CLOSED, reply.elapsedTime)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply.statusCode, reply.elapsedTime)
    done()
  })
  return registry
}

const isCorrelationId = (text: string | string[] | undefined): text is string =>
  typeof text === 'string' && CORRELATION_ID.test(text)

/** Of a stranger's request only the path knows it, and the checked parameters of a route leave it out. */
function storeOf({ db, params }: Partial<FastifyRequest>): string | undefined {
  if (db) return db.store.hash
  return typeof params === 'object' && params !== null && 'store_hash' in params ? String(params.store_hash) : undefined
}
