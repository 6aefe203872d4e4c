import { pino } from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'

const { server, installation, files } = await theHouse()
const log = pino({ level: 'silent' })

let headers: Record<string, string>
beforeAll(async () => {
  headers = { authorization: `Bearer ${(await installation.operatorKeys.create('figures')).key}` }
})

type Process = typeof server

async function read(process: Process, path: string) {
  const answer = await process.inject({ url: `/operator/v1${path}`, headers })
  return { status: answer.statusCode, data: answer.json().data }
}

const sum = (spans: { requests: number }[]) => spans.reduce((total, { requests }) => total + requests, 0)

describe('the figures of the server', () => {
  test('are those of all processes, also of one that has ended', async () => {
    const shop = await openShop()
    const second = await createApp({ ...installation, files, log }, readConfig({ SECRET }), 'http://127.0.0.1')
    await second.server.ready()
    const before = (await read(server, '/server')).data
    for (let i = 0; i < 5; i++) {
      const { access_token } = shop.admin
      const url = `/stores/${shop.store.hash}/v3/catalog/brands`
      expect((await second.server.inject({ url, headers: { 'x-auth-token': access_token } })).statusCode).toBe(200)
    }
    await second.server.close()
    await installation.directory.database.system(sql`
      insert into directory.processes (id, host, pid, role, public_url, seen_at) values
        ('fresh', 'shelf', 7, 'worker', '', now()), ('gone', 'shelf', 8, 'worker', '', now() - interval '1 hour')
      returning id`)
    const { data } = await read(server, '/server')
    expect(data).toEqual({
      version: expect.any(String),
      node: process.version,
      started_at: expect.any(String),
      warnings: expect.any(Array),
      hour: expect.any(Array),
      day: expect.any(Array),
      stores: expect.any(Array),
      processes: expect.any(Number),
      running: expect.arrayContaining([{ host: 'shelf', pid: 7, role: 'worker', seen_at: expect.any(String) }]),
    })
    expect(data.running.map(({ pid }: { pid: number }) => pid)).not.toContain(8)
    expect(data.hour.at(-1)).toEqual({
      at: expect.any(Number),
      requests: expect.any(Number),
      errors: expect.any(Number),
      p50_ms: expect.any(Number),
      p99_ms: expect.any(Number),
      memory_mib: expect.any(Number),
      delay_ms: expect.any(Number),
      pool: expect.any(Number),
      backlog: expect.any(Number),
    })
    expect(data.processes).toBeGreaterThanOrEqual(2)
    // The first read is counted with the second one.
    expect(sum(data.hour) - sum(before.hour)).toBeGreaterThanOrEqual(6)
    expect(sum(data.day)).toBeGreaterThanOrEqual(6)
    // The list has the ten busiest stores, and other tests may have busier ones.
    const counts: number[] = data.stores.map(({ requests }: { requests: number }) => requests)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const [counted] = await installation.directory.database.system<{ requests: number }>(sql`
      select sum((stores ->> ${shop.store.hash})::int)::int as requests from directory.process_figures`)
    expect(counted).toEqual({ requests: 5 })
  })

  test('stand beside the findings of doctor, if a command has started the server', async () => {
    const findings = [{ state: 'mend', of: 'mail', says: 'The mail server cannot be used.' }]
    const examine = async () => findings
    const started = await createApp(
      { ...installation, files, log, examine },
      readConfig({ SECRET }),
      'http://127.0.0.1',
    )
    onTestFinished(() => started.server.close())
    const both = await Promise.all([read(started.server, '/server/findings'), read(started.server, '/server/findings')])
    expect(both).toEqual([
      { status: 200, data: findings },
      { status: 200, data: findings },
    ])
    expect((await read(server, '/server/findings')).status).toBe(404)
  })

  test('are not there without a console', async () => {
    const config = readConfig({ SECRET, CONSOLE: 'false' })
    const { server: plain } = await createApp({ ...installation, files, log }, config, 'http://127.0.0.1')
    onTestFinished(() => plain.close())
    expect((await read(plain, '/server')).status).toBe(404)
    expect((await read(plain, '/stores')).status).toBe(200)
  })
})

describe('the overview of a store', () => {
  test('counts its requests of a day, and its refusals by operation, status and sentence', async () => {
    const shop = await openShop({ isTest: true })
    const path = `/stores/${shop.store.hash}`
    const put = await server.inject({
      method: 'PUT',
      url: `/operator/v1${path}/request-log`,
      headers,
      payload: { level: 'bodies' },
    })
    expect(put.statusCode).toBe(200)
    expect((await read(server, `${path}/overview`)).data.today).toEqual({
      requests: 0,
      errors: 0,
      p50_ms: null,
      p99_ms: null,
      is_cut: false,
      refusals: [],
    })
    await shop.call('POST', '/catalog/brands', { name: 'Ours' })
    for (let i = 0; i < 2; i++) expect((await shop.call('POST', '/catalog/brands', { name: 'Ours' })).status).toBe(409)
    const missing = await shop.call('GET', '/catalog/brands/99')
    expect(missing.status).toBe(404)
    const lost = await shop.call('GET', '/orders/99', undefined, { version: 'v2' })
    expect(lost.status).toBe(404)
    const { data } = await read(server, `${path}/overview`)
    expect(data).toEqual({
      hooks: 0,
      hooks_off: 0,
      hooks_failing: 0,
      jobs_failed: 0,
      jobs_held: 0,
      jobs_waiting: expect.any(Number),
      quota: { in_30_seconds: null, in_an_hour: null, is_shared: false },
      today: {
        requests: 5,
        errors: 4,
        p50_ms: expect.any(Number),
        p99_ms: expect.any(Number),
        is_cut: false,
        refusals: [
          {
            operation: 'POST /v3/catalog/brands',
            status: 409,
            title: 'A brand with this name already exists.',
            count: 2,
            request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          },
          {
            operation: 'GET /v2/orders/{order_id}',
            status: 404,
            title: lost.body[0].message,
            count: 1,
            request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          },
          {
            operation: 'GET /v3/catalog/brands/{brand_id}',
            status: 404,
            title: missing.body.title,
            count: 1,
            request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          },
        ],
      },
    })
    const other = await openShop()
    expect((await read(server, `/stores/${other.store.hash}/overview`)).data.today.requests).toBe(0)
  })
})
