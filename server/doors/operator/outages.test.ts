import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { DatabaseUnavailable, StatementTimeout } from '../../core/db/database.ts'
import { ALL_IN_USE } from '../../core/db/wire/failures.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, openStaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { openLog } from './log.ts'
import { Outages } from './outages.ts'

/** A log whose lines are kept, of a server whose databases answer as `isBack` says. */
function logOf(isBack: () => boolean) {
  const lines: { msg: string; level: number; err?: object; errors?: number; because?: string }[] = []
  const outages = new Outages()
  const log = openLog('info', outages, { write: (line: string) => void lines.push(JSON.parse(line)) })
  outages.watch(log, async () => {
    if (!isBack()) throw new Error('gone')
  })
  return { log, lines }
}

describe('the log of an outage', () => {
  test('has one line when the database goes and one when it is back, and none for each request', async () => {
    let isBack = false
    const { log, lines } = logOf(() => isBack)
    const gone = () => new DatabaseUnavailable(new Error('connect ECONNREFUSED'))
    for (let i = 0; i < 40; i++) log.child({ request_id: i }).error({ err: gone() }, 'request failed')
    log.info({ status: 503 })
    isBack = true
    await expect.poll(() => lines.length).toBe(3)
    expect(lines).toMatchObject([
      {
        level: 50,
        because: 'connect ECONNREFUSED',
        msg: 'the database is not available: requests are answered with 503',
      },
      { level: 30, status: 503 },
      { level: 40, errors: 40, msg: 'the database is available again' },
    ])
    isBack = false
    log.error({ err: gone() }, 'request failed')
    expect(lines.length, 'the next outage has a line of its own').toBe(4)
  })

  test.each([
    ['a slow statement', new StatementTimeout('57014')],
    ['a busy server', new DatabaseUnavailable(ALL_IN_USE)],
    ['a mistake of ours', new TypeError('undefined is no function')],
  ])('%s is no outage', (_, err) => {
    const { log, lines } = logOf(() => true)
    log.error({ err }, 'request failed')
    log.error({ err }, 'request failed')
    expect(lines.map(({ msg, err }) => [msg, err === undefined])).toEqual([
      ['request failed', false],
      ['request failed', false],
    ])
  })
})

/** A server on the database of the tests, with its log. */
async function server(settings: Record<string, string> = {}) {
  const { installation, files } = await theHouse()
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { server } = await createApp(
    { ...installation, files, log },
    readConfig({ SECRET, ...settings }),
    'http://shop.test',
  )
  return { server, lines }
}

test('a limit of the plan is a refusal: no error in the log', async () => {
  const shop = await openShop({ limits: { brands: 1 } })
  const { server: app, lines } = await server()
  const create = (name: string) =>
    app.inject({
      method: 'POST',
      url: `/stores/${shop.store.hash}/v3/catalog/brands`,
      headers: { 'x-auth-token': shop.admin.access_token },
      payload: { name },
    })
  expect((await create('first')).statusCode).toBe(200)
  expect((await create('second')).statusCode).toBe(507)
  await expect.poll(() => lines.some(({ status }) => status === 507)).toBe(true)
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
  await app.close()
})

test('the line of a refused token has the address of the client, other lines have none', async () => {
  const shop = await openStaffedShop()
  const { server: app, lines } = await server({ FAILED_LOGINS_MAX: '2', TRUST_PROXY: '1' })
  const ask = (token: string, url = '/catalog/brands', method: 'GET' | 'POST' = 'GET') =>
    app.inject({
      method,
      url: `/stores/${shop.store.hash}/v3${url}`,
      headers: { 'x-auth-token': token, 'x-forwarded-for': '203.0.113.7' },
      ...(method === 'POST' ? { payload: { name: 'x' } } : {}),
    })
  const statuses = [
    (await ask(shop.admin.access_token)).statusCode,
    (await ask(shop.readonly.access_token, '/catalog/brands', 'POST')).statusCode,
    (await ask('wrong')).statusCode,
    (await ask('wrong')).statusCode,
    (await ask('wrong')).statusCode,
  ]
  expect(statuses).toEqual([200, 403, 401, 401, 429])
  // An injected request also closes before its answer is written, which a socket does not.
  const addresses = () =>
    lines.flatMap(({ status, address }) => (status === undefined || status === 499 ? [] : [[status, address]]))
  await expect.poll(addresses).toEqual([
    [200, undefined],
    [403, '203.0.113.7'],
    [401, '203.0.113.7'],
    [401, '203.0.113.7'],
    [429, '203.0.113.7'],
  ])
  await app.close()
})
