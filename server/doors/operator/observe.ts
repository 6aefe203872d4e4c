import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../../core/db/database.ts'
import type { Backlog, BacklogCounts } from '../webhooks/queue/backlog.ts'
import type { Worker } from '../webhooks/worker/worker.ts'

const CORRELATION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CLIENT_CLOSED = 499
/** Statuses of requests that may guess tokens: the log names their addresses. */
const SUSPICIOUS: ReadonlySet<number> = new Set([401, 403, 429])
// How often the delay of the event loop is measured. Each time wakes an idle server.
const LOOP_LOOK_MS = 100

/** Receives a request that has ended. */
export type OnEnd = (request: FastifyRequest, end: { status: number; ms: number }) => void

/**
 * Gives every answer its request id, and writes one log line and one count for every request: store, client, route
 * template, status, time, ids, and the client's address if the request was refused. Never a secret, a path with its values, or a body.
 * @param onEnd called for each request that has ended, also for those whose client went away
 * @returns the registry that `/metrics` shows
 */
export function observe(app: FastifyInstance, databases: readonly Database[], onEnd: OnEnd = () => {}): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS })
  const count = countRequests(registry)
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

  const ofPools = (kind: string, help: string, of: (use: Database['use']) => number) => {
    new Gauge({
      name: `storeward_pool_${kind}`,
      help,
      registers: [registry],
      collect() {
        this.set(databases.reduce((sum, { use }) => sum + of(use), 0))
      },
    })
    new Gauge({
      name: `storeward_node_pool_${kind}`,
      help: `${help.slice(0, -1)}, for each node of a cluster.`,
      labelNames: ['node'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { nodeUses } of databases) for (const [node, use] of nodeUses) this.inc({ node }, of(use))
      },
    })
  }
  ofPools('waiting', 'Statements that wait for a database connection.', ({ waiting }) => waiting)
  ofPools('in_use', 'Database connections that run a statement or transaction.', ({ inUse }) => inUse)

  const note = (request: FastifyRequest, status: number, ms: number) => {
    const route = request.is404 ? 'unknown' : templateOf(request.routeOptions.url)
    count(request.method, route, status)
    durations.observe(ms / 1_000)
    const { 'x-correlation-id': correlation, 'user-agent': agent } = request.headers
    request.log.info({
      store: storeOfRequest(request),
      client: request.client?.id,
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      correlation_id: isCorrelationId(correlation) ? correlation : undefined,
      agent,
      address: SUSPICIOUS.has(status) ? request.ip : undefined,
    })
    onEnd(request, { status, ms })
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const correlation = request.headers['x-correlation-id']
    if (isCorrelationId(correlation)) reply.header('x-correlation-id', correlation)
    // The client went away before it had the answer. The framework says so only while the body is being read.
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

/** Counts in a map of our own: the library puts the labels of a metric together at every change, which costs more than the count. */
function countRequests(registry: Registry) {
  const requests = new Map<string, { labels: { method: string; route: string; status: number }; count: number }>()
  new Counter({
    name: 'storeward_http_requests_total',
    help: 'Requests by method, route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, count } of requests.values()) this.inc(labels, count)
    },
  })
  return (method: string, route: string, status: number) => {
    const key = `${method} ${status} ${route}`
    const known = requests.get(key)
    if (known) known.count++
    else requests.set(key, { labels: { method, route, status }, count: 1 })
  }
}

/** Only the worst hosts are shown: clients choose them, and each is a series of its own. */
const HOSTS_MAX = 20

/**
 * Registers metrics of webhooks (docs/contract/webhooks.md section 7). Each scrape counts waiting events and callbacks in the
 * databases, so these agree in all processes; attempts are those of this process.
 * @param worker undefined in a process that sends no callbacks
 */
export function observeWebhooks(
  registry: Registry,
  backlog: Pick<Backlog, 'look'>,
  worker: Pick<Worker, 'attempts' | 'successRatios'> | undefined,
) {
  const registers = [registry]
  const waiting = (name: string, help: string, of: (waiting: BacklogCounts) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // Without its database a server still reports its own measurements.
        this.set(await backlog.look().then(of, () => Number.NaN))
      },
    })
  waiting('storeward_events_waiting', 'Events not yet dispatched to webhooks, in all stores.', ({ events }) => events)
  waiting('storeward_webhook_lanes_waiting', 'Hook and resource pairs with a callback due.', ({ lanes }) => lanes)
  waiting(
    'storeward_webhook_oldest_waiting_seconds',
    'Waiting time of the oldest event or callback. Retries do not count.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  if (!worker) return
  new Gauge({
    name: 'storeward_webhook_attempts_total',
    help: 'Callbacks of this process by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      for (const [outcome, count] of worker.attempts) this.set({ outcome }, count)
    },
  })
  new Gauge({
    name: 'storeward_webhook_success_ratio',
    help: `Accepted share of callbacks by host, for the ${HOSTS_MAX} worst hosts of this process in the last two minutes.`,
    labelNames: ['host'],
    registers,
    collect() {
      this.reset()
      const worst = [...worker.successRatios()].toSorted(([, a], [, b]) => a - b).slice(0, HOSTS_MAX)
      for (const [host, ratio] of worst) this.set({ host }, ratio)
    },
  })
}

const templates = new Map<string | undefined, string>([[undefined, 'unknown']])

/** The path of a route for people: without the patterns of its segments. */
function templateOf(url: string | undefined): string {
  let template = templates.get(url)
  if (template === undefined) {
    template = String(url).replaceAll(/\([^/]*\)/g, '')
    templates.set(url, template)
  }
  return template
}

export const isCorrelationId = (text: string | string[] | undefined): text is string =>
  typeof text === 'string' && CORRELATION_ID.test(text)

/** The store of a request: that of the caller, or the one in the path of an unidentified request. */
export function storeOfRequest({ db, params }: Partial<FastifyRequest>): string | undefined {
  if (db) return db.store.hash
  return typeof params === 'object' && params !== null && 'store_hash' in params ? String(params.store_hash) : undefined
}
