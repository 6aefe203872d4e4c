import { statfs } from 'node:fs/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../core/db/database.ts'
import { logIn } from '../../core/db/setup/prepare.ts'
import type { TaskBacklog } from '../../core/jobs/backlog.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { CITUS_URL } from '../../test/citus/cluster.ts'
import { theHouse } from '../../test/fixtures/shop.ts'
import { WATCH_TOKEN, watching } from '../../test/harness/watch.ts'
import type { BacklogCounts } from '../webhooks/queue/backlog.ts'
import { healthRoutes, type PowersInUse, watchersWith } from './health.ts'
import { jobWarning, observeJobs } from './jobs.ts'
import { observeWebhooks } from './observe.ts'

const NOTHING: BacklogCounts = { events: 0, lanes: 0, oldestSeconds: 0 }

interface World {
  warnings?: (string[] | Error)[]
  look?: () => Promise<BacklogCounts>
  jobs?: () => Promise<string | undefined>
  outgoingSubnets?: string[]
  webhookOrigins?: string[]
  isDraining?: boolean
  connectAnew?: () => Promise<void>
  freeBytes?: () => Promise<number>
  watchToken?: string | undefined
  powers?: PowersInUse
}

/** A server that has only /readyz, with databases and a backlog that answer so. */
function healthApp({
  warnings = [[]],
  look = async () => NOTHING,
  jobs = async () => undefined,
  outgoingSubnets = [],
  webhookOrigins = [],
  isDraining = false,
  connectAnew = async () => {},
  freeBytes = async () => 2 ** 40,
  watchToken = WATCH_TOKEN,
  powers = {},
}: World) {
  const app = fastify()
  healthRoutes(app, {
    databases: warnings.map((answer) => ({
      durabilityWarnings: async () => {
        if (answer instanceof Error) throw answer
        return answer
      },
    })),
    connectAnew,
    connections: { isDraining },
    backlog: { look },
    jobWarning: jobs,
    freeBytes,
    registry: new Registry(),
    isWatcher: watchersWith(watchToken),
    docsBase: '/docs',
    outgoing: { outgoingSubnets, webhookOrigins },
    powers: async () => powers,
  })
  return app
}

/** The answer of /readyz, to the operator if no headers are given. */
const readiness = (world: World, headers: Record<string, string> = watching) => readinessOf(healthApp(world), headers)

async function readinessOf(app: FastifyInstance, headers: Record<string, string> = watching) {
  const { statusCode, body } = await app.inject({ url: '/readyz', headers })
  return [statusCode, JSON.parse(body)]
}

const waitingFor = (oldestSeconds: number) => async () => ({ events: 1, lanes: 1, oldestSeconds })

describe('/readyz', () => {
  test('is degraded when the folder of uploads is nearly full, or its free space is unknown', async () => {
    expect(await readiness({ freeBytes: async () => 2 ** 30 })).toEqual([200, { status: 'ok' }])
    const full = 'The folder of uploads has 0.5 GiB left: uploads are refused when it is full.'
    expect(await readiness({ freeBytes: async () => 2 ** 29 })).toEqual([200, { status: 'degraded', warning: full }])
    const unknown = 'The free space for uploads could not be measured.'
    const gone = async () => {
      throw new Error('ENOENT')
    }
    expect(await readiness({ freeBytes: gone })).toEqual([200, { status: 'degraded', warning: unknown }])
  })

  test('is ok on a folder with space, whose free bytes are a metric', async () => {
    const { server, files } = await theHouse()
    const { bavail, bsize } = await statfs(files.folder)
    const { body } = await server.inject({ url: '/metrics', headers: watching })
    const free = Number(/^storeward_files_free_bytes (\S+)$/m.exec(body)?.[1])
    expect(free / (bavail * bsize)).toBeCloseTo(1, 1)
  })

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

  // A cluster for tests asks for no password.
  test.skipIf(CITUS_URL !== undefined)(
    'is unavailable when the database refuses the password of the server, while open connections go on',
    async () => {
      const wrong = new URL(inject('postgresUrl'))
      wrong.password = 'another'
      const app = healthApp({ connectAnew: () => logIn(wrong.href) })
      // The first answers don't wait for a database that is busy.
      await expect
        .poll(() => readinessOf(app))
        .toEqual([503, { status: 'unavailable', database: 'refuses the password that follows from SECRET' }])
    },
  )

  test('warns when the database takes no new connections, and does not wait for one that hangs', async () => {
    expect(await readiness({ connectAnew: () => Promise.reject(new Error('too many clients')) })).toEqual([
      200,
      { status: 'degraded', warning: 'The database takes no new connections.' },
    ])
    expect(await readiness({ connectAnew: () => new Promise(() => {}) })).toEqual([200, { status: 'ok' }])
  })

  test('asks for a new connection at most every ten seconds, and a second after one that failed', async () => {
    let asked = 0
    let fails = false
    const app = healthApp({
      async connectAnew() {
        asked++
        if (fails) throw new Error('too many clients')
      },
    })
    const now = vi.spyOn(performance, 'now')
    const askAt = async (ms: number) => {
      now.mockReturnValue(ms)
      return [JSON.parse((await app.inject({ url: '/readyz', headers: watching })).body).status, asked]
    }
    expect(await askAt(1_000)).toEqual(['ok', 1])
    expect(await askAt(10_999)).toEqual(['ok', 1])
    fails = true
    expect(await askAt(11_000)).toEqual(['degraded', 2])
    expect(await askAt(11_999)).toEqual(['degraded', 2])
    fails = false
    expect(await askAt(12_000)).toEqual(['ok', 3])
    now.mockRestore()
  })

  test('warns of settings that risk writes in a crash, and of webhooks that wait for more than a minute', async () => {
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

  test('warns of jobs that need the operator, or that could not be counted', async () => {
    expect(await readiness({ jobs: async () => 'Jobs have been waiting.' })).toEqual([
      200,
      { status: 'degraded', warning: 'Jobs have been waiting.' },
    ])
    expect(await readiness({ jobs: () => Promise.reject(new DatabaseUnavailable('busy')) })).toEqual([
      200,
      { status: 'degraded', warning: 'Waiting jobs could not be counted.' },
    ])
  })

  test.each([
    ['fails', () => Promise.reject(new DatabaseUnavailable('busy'))],
    ['takes too long', () => new Promise<BacklogCounts>(() => {})],
  ])('does not depend on the count of webhooks, which %s', async (_, look) => {
    expect(await readiness({ look })).toEqual([
      200,
      { status: 'degraded', warning: 'Waiting webhooks could not be counted.' },
    ])
  })

  test('shows the permitted connections beyond public addresses over https (C-090)', async () => {
    const allowed = { outgoingSubnets: ['10.0.0.0/8'], webhookOrigins: ['http://receiver.internal'] }
    expect(await readiness(allowed)).toEqual([
      200,
      { status: 'ok', outgoing_subnets: ['10.0.0.0/8'], webhook_origins: ['http://receiver.internal'] },
    ])
  })
})

describe('without the token of the operator', () => {
  const strangers: [string, Record<string, string>][] = [
    ['no token', {}],
    ['another token', { authorization: `Bearer ${WATCH_TOKEN}x` }],
    ['the token without its scheme', { authorization: WATCH_TOKEN }],
    ['the header of an API account', { 'x-auth-token': WATCH_TOKEN }],
  ]

  test.each(strangers)('%s sees whether the server is ready, and no details', async (_, headers) => {
    const late = { look: waitingFor(99), outgoingSubnets: ['10.0.0.0/8'] }
    expect(await readiness(late)).toEqual([200, expect.objectContaining({ status: 'degraded' })])
    expect(await readiness(late, headers)).toEqual([200, { status: 'ok' }])
    expect(await readiness({ isDraining: true }, headers)).toEqual([503, { status: 'unavailable' }])
    const gone = { warnings: [new DatabaseUnavailable('gone')] }
    expect(await readiness(gone, headers)).toEqual([503, { status: 'unavailable' }])
  })

  test.each(strangers)('%s sees no metrics', async (_, headers) => {
    const { statusCode, headers: answered, json } = await healthApp({}).inject({ url: '/metrics', headers })
    expect([statusCode, answered['www-authenticate'], json().title]).toEqual([
      401,
      'Bearer',
      'Send the WATCH_TOKEN of this server as a bearer token.',
    ])
  })

  test('nobody sees details of a server without WATCH_TOKEN', async () => {
    const app = fastify()
    const isWatcher = watchersWith(undefined)
    app.get('/', (request) => ({ isWatcher: isWatcher(request) }))
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer undefined']) {
      expect((await app.inject({ url: '/', headers: { authorization } })).json()).toEqual({ isWatcher: false })
    }
  })
})

describe('the metrics of webhooks', () => {
  const metrics = async (look: () => Promise<BacklogCounts>, worker?: Parameters<typeof observeWebhooks>[2]) => {
    const registry = new Registry()
    observeWebhooks(registry, { look }, worker)
    return async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }

  test('show the backlog and, in a sending process, attempts and the worst hosts', async () => {
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

describe('jobs', () => {
  const NONE: TaskBacklog = { due: 0, oldestSeconds: 0, failed: 0, held: 0 }
  const backlogOf = (tasks: Record<string, Partial<TaskBacklog>>) => ({
    look: async () => new Map(Object.entries(tasks).map(([task, counts]) => [task, { ...NONE, ...counts }])),
  })

  test.each<[string, Record<string, Partial<TaskBacklog>>, string | undefined]>([
    ['nothing', {}, undefined],
    ['jobs that are due for a minute', { capture: { due: 9, oldestSeconds: 60 } }, undefined],
    [
      'jobs that are due for longer',
      { capture: { due: 9, oldestSeconds: 61.5 }, refund: { oldestSeconds: 2 } },
      'Jobs have been waiting for 61 s: is a worker running?',
    ],
    ['failed jobs', { capture: { failed: 5 } }, undefined],
    [
      'failed jobs that keep others waiting',
      { capture: { failed: 5, held: 1 }, refund: { held: 1 } },
      '2 failed jobs keep others waiting: see storeward jobs list --state held.',
    ],
    ['jobs that this installation is not set up for', { send_mail: { due: 9, oldestSeconds: 999 } }, undefined],
  ])('%s', async (_, tasks, warning) => {
    expect(await jobWarning(backlogOf(tasks), ['send_mail'])).toBe(warning)
  })

  test('are counted by task, and attempts by their outcome', async () => {
    const registry = new Registry()
    observeJobs(registry, backlogOf({ capture: { due: 3, oldestSeconds: 1.5, failed: 2, held: 1 } }), {
      running: () => new Map([['capture', 4]]),
      attempts: () => [{ task: 'capture', outcome: 'try again', count: 7 }],
    })
    expect((await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      'storeward_jobs_due{task="capture"} 3',
      'storeward_jobs_oldest_due_seconds{task="capture"} 1.5',
      'storeward_jobs_failed{task="capture"} 2',
      'storeward_jobs_held{task="capture"} 1',
      'storeward_jobs_running{task="capture"} 4',
      'storeward_job_attempts_total{task="capture",outcome="try again"} 7',
    ])
  })
})

describe('a server that only works', () => {
  const app = (async () => {
    const { installation, files } = await theHouse()
    const config = { ...readConfig({ WATCH_TOKEN }), role: 'worker' as const }
    return createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://worker.test')
  })()
  afterAll(async () => (await app).server.close())

  test.each(['/healthz', '/readyz', '/metrics'])('answers %s', async (url) => {
    expect((await (await app).server.inject({ url, headers: watching })).statusCode).toBe(200)
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
