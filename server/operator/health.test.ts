import fastify from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { DatabaseUnavailable } from '../core/db/database.ts'
import { theHouse } from '../test/shop.ts'
import type { Waiting } from '../webhooks/backlog.ts'
import { healthRoutes } from './health.ts'
import { observeWebhooks } from './observe.ts'

const NOTHING: Waiting = { events: 0, lanes: 0, oldestSeconds: 0 }

/** What /readyz says of databases and a backlog that answer so. */
async function readiness({
  warnings = [[]],
  look = async () => NOTHING,
  outgoingSubnets = [],
  webhookOrigins = [],
  isDraining = false,
}: {
  warnings?: (string[] | Error)[]
  look?: () => Promise<Waiting>
  outgoingSubnets?: string[]
  webhookOrigins?: string[]
  isDraining?: boolean
}) {
  const app = fastify()
  healthRoutes(app, {
    databases: warnings.map((answer) => ({
      durabilityWarnings: async () => {
        if (answer instanceof Error) throw answer
        return answer
      },
    })),
    connections: { isDraining },
    backlog: { look },
    registry: new Registry(),
    outgoing: { outgoingSubnets, webhookOrigins },
  })
  const { statusCode, body } = await app.inject('/readyz')
  return [statusCode, JSON.parse(body)]
}

const waitingFor = (oldestSeconds: number) => async () => ({ events: 1, lanes: 1, oldestSeconds })

describe('/readyz', () => {
  test('is ok when nothing is the matter', async () => {
    expect(await readiness({ look: waitingFor(60) })).toEqual([200, { status: 'ok' }])
  })

  test('is unavailable while the server stops, or when a database does not answer', async () => {
    expect(await readiness({ isDraining: true })).toEqual([503, { status: 'unavailable', server: 'stopping' }])
    expect(await readiness({ warnings: [[], new DatabaseUnavailable('gone')] })).toEqual([
      503,
      { status: 'unavailable', database: 'not reachable' },
    ])
  })

  test('warns of what a crash would lose, and of webhooks that wait for more than a minute', async () => {
    expect(await readiness({ warnings: [['fsync'], ['fsync']], look: waitingFor(61.5) })).toEqual([
      200,
      {
        status: 'degraded',
        warning:
          'A crash may lose acknowledged writes: off are fsync. ' +
          'Webhooks have been waiting for 61 s: is a worker running?',
      },
    ])
  })

  test.each([
    ['fails', () => Promise.reject(new DatabaseUnavailable('busy'))],
    ['takes too long', () => new Promise<Waiting>(() => {})],
  ])('does not depend on the count of webhooks, which %s', async (_, look) => {
    expect(await readiness({ look })).toEqual([
      200,
      { status: 'degraded', warning: 'The webhooks that wait could not be counted.' },
    ])
  })

  test('shows what the server may connect to beyond public addresses over https (C-090)', async () => {
    const allowed = { outgoingSubnets: ['10.0.0.0/8'], webhookOrigins: ['http://receiver.internal'] }
    expect(await readiness(allowed)).toEqual([
      200,
      { status: 'ok', outgoing_subnets: ['10.0.0.0/8'], webhook_origins: ['http://receiver.internal'] },
    ])
  })
})

describe('the metrics of webhooks', () => {
  const metrics = async (look: () => Promise<Waiting>, worker?: Parameters<typeof observeWebhooks>[2]) => {
    const registry = new Registry()
    observeWebhooks(registry, { look }, worker)
    return async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }

  test('are what waits and, in a process that sends, attempts and the worst hosts', async () => {
    const attempts = new Map([['delivered', 7]])
    const ratios = new Map(Array.from({ length: 30 }, (_, i) => [`host-${i}.example.com`, 1 - i / 100]))
    const read = await metrics(async () => ({ events: 1, lanes: 2, oldestSeconds: 3.5 }), {
      attempts,
      successRatios: () => ratios,
    })
    const first = await read()
    expect(first.slice(0, 4)).toEqual([
      'storeward_events_waiting 1',
      'storeward_webhook_lanes_waiting 2',
      'storeward_webhook_oldest_waiting_seconds 3.5',
      'storeward_webhook_attempts_total{outcome="delivered"} 7',
    ])
    expect(first.slice(4)).toHaveLength(20)
    expect(first[4]).toBe('storeward_webhook_success_ratio{host="host-29.example.com"} 0.71')

    attempts.set('timeout', 1)
    ratios.clear()
    expect((await read()).slice(4)).toEqual(['storeward_webhook_attempts_total{outcome="timeout"} 1'])
  })

  test('stay readable without the database', async () => {
    const read = await metrics(() => Promise.reject(new DatabaseUnavailable('gone')))
    expect(await read()).toEqual([
      'storeward_events_waiting Nan',
      'storeward_webhook_lanes_waiting Nan',
      'storeward_webhook_oldest_waiting_seconds Nan',
    ])
  })
})

describe('a server that only works', () => {
  const app = (async () => {
    const { installation, files } = await theHouse()
    const config = { ...readConfig({}), role: 'worker' as const }
    return createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://worker.test')
  })()
  afterAll(async () => (await app).server.close())

  test.each(['/healthz', '/readyz', '/metrics'])('answers %s', async (url) => {
    expect((await (await app).server.inject(url)).statusCode).toBe(200)
  })

  test.each(['/openapi.json', '/docs', '/files/a', '/inspect/a', '/stores/abcde/v3/hooks', '/'])(
    'has nothing at %s',
    async (url) => {
      const { server, routes } = await app
      expect(routes).toEqual([])
      const { statusCode, body } = await server.inject({ url, headers: { 'x-auth-token': 'x' } })
      expect(statusCode).toBe(404)
      expect(JSON.parse(body)).toMatchObject({ title: 'There is nothing at this path.' })
    },
  )
})
