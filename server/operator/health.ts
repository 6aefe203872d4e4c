import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../core/db/database.ts'

/** What keeps the server running asks: is it alive, may it have requests, what does it measure. */
export function healthRoutes(
  app: FastifyInstance,
  databases: readonly Database[],
  connections: { readonly isDraining: boolean },
  registry: Registry,
) {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  // A busy server is ready: one that is taken away from its clients only makes the others busier.
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (connections.isDraining) return reply.status(503).send({ status: 'unavailable', server: 'stopping' })
    const answers = await Promise.allSettled(databases.map((database) => database.durabilityWarnings()))
    if (answers.some(({ status }) => status === 'rejected')) {
      return reply.status(503).send({ status: 'unavailable', database: 'not reachable' })
    }
    const unsafe = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    if (unsafe.size === 0) return { status: 'ok' }
    return { status: 'degraded', warning: `A crash may lose acknowledged writes: off are ${[...unsafe].join(', ')}.` }
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
