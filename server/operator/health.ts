import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../core/db/database.ts'
import type { Backlog } from '../webhooks/backlog.ts'

/** Webhooks that could leave and have not left for this long are something to look after. */
const WAITING_SECONDS_MAX = 60
/** Readiness does not wait for the count of webhooks any longer: a busy server is ready. */
const COUNT_MS = 500

interface Parts {
  databases: readonly Pick<Database, 'durabilityWarnings'>[]
  connections: { readonly isDraining: boolean }
  backlog: Pick<Backlog, 'look'>
  registry: Registry
  /** What the server may connect to beyond public addresses over https: for all who look after it to see. */
  outgoing: { outgoingSubnets: readonly string[]; webhookOrigins: readonly string[] }
}

/** What keeps the server running asks: is it alive, may it have requests, what does it measure. */
export function healthRoutes(app: FastifyInstance, { databases, connections, backlog, registry, outgoing }: Parts) {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  const allowed = {
    ...(outgoing.outgoingSubnets.length > 0 ? { outgoing_subnets: outgoing.outgoingSubnets } : {}),
    ...(outgoing.webhookOrigins.length > 0 ? { webhook_origins: outgoing.webhookOrigins } : {}),
  }
  // A busy server is ready: one that is taken away from its clients only makes the others busier.
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (connections.isDraining) return reply.status(503).send({ status: 'unavailable', server: 'stopping' })
    const [answers, late] = await Promise.all([
      Promise.allSettled(databases.map((database) => database.durabilityWarnings())),
      lateness(backlog),
    ])
    if (answers.some(({ status }) => status === 'rejected')) {
      return reply.status(503).send({ status: 'unavailable', database: 'not reachable' })
    }
    const unsafe = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    const warnings = [
      ...(unsafe.size > 0 ? [`A crash may lose acknowledged writes: off are ${[...unsafe].join(', ')}.`] : []),
      ...(late === undefined ? [] : [late]),
    ]
    if (warnings.length === 0) return { status: 'ok', ...allowed }
    return { status: 'degraded', warning: warnings.join(' '), ...allowed }
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

/** A sentence if webhooks wait too long, or if nobody knows. */
async function lateness(backlog: Pick<Backlog, 'look'>): Promise<string | undefined> {
  const unknown = 'The webhooks that wait could not be counted.'
  return Promise.race([
    backlog.look().then(
      ({ oldestSeconds }) =>
        oldestSeconds > WAITING_SECONDS_MAX
          ? `Webhooks have been waiting for ${Math.floor(oldestSeconds)} s: is a worker running?`
          : undefined,
      () => unknown,
    ),
    sleep(COUNT_MS, unknown, { ref: false }),
  ])
}
