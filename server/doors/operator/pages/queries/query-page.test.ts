import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../../process/app.ts'
import { readConfig } from '../../../../process/config.ts'
import { DEMO_STORE } from '../../../../test/fixtures/demo-store.ts'
import { openShop, type Shop, theHouse } from '../../../../test/fixtures/shop.ts'
import { makeToken } from '../../../../test/fixtures/storefront.ts'
import { testInBrowser } from '../../../../test/harness/browser.ts'
import { SECRET } from '../../../../test/harness/postgres.ts'
import type { DemoStore } from '../../demo-store.ts'

let shop: Shop
let origin: string
let demo: DemoStore | undefined
let server: Awaited<ReturnType<typeof createApp>>['server']

beforeAll(async () => {
  shop = await openShop({ name: 'Fern & Co' })
  const { installation, files } = await theHouse()
  const app = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }), findDemoStore: () => demo },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0' }),
    'http://shop.test',
  )
  server = app.server
  origin = await server.listen({ host: '127.0.0.1', port: 0 })
  const token = await makeToken(shop, 'storefront', { allowed_cors_origins: [origin] })
  demo = { ...DEMO_STORE, store_hash: shop.store.hash, storefront_token: token }
})
afterAll(() => server.close())

const opened = { accept: 'text/html,*/*;q=0.8' }

describe('the page for queries', () => {
  test('is at /graphql of the server, loads and asks this server only, and stands in no other page', async () => {
    const { statusCode, headers } = await server.inject({ url: '/graphql', headers: opened })
    expect([statusCode, headers['content-type'], headers.vary]).toEqual([200, 'text/html; charset=utf-8', 'accept'])
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy.join()).not.toMatch(/https?:|\*|unsafe/)
    const script = await server.inject({ url: '/graphql/script.js' })
    expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript'])
  })

  test('programs and the hosts of sites keep their 405, and servers without a demo store have no page', async () => {
    const site = { ...opened, host: `store-${shop.store.hash}.shop.test` }
    for (const headers of [{ accept: '*/*' }, site]) {
      const { statusCode, headers: answered, body } = await server.inject({ url: '/graphql', headers })
      expect([statusCode, answered.allow]).toEqual([405, 'POST, OPTIONS'])
      expect(body).toContain('GraphQL requests use POST.')
    }
    for (const url of ['/graphql', '/graphql/script.js', '/graphql/demo-store']) {
      const answer = await (await theHouse()).server.inject({ url, headers: opened })
      expect([url, answer.statusCode]).toEqual([url, 404])
    }
  })

  test('only its own script on this machine gets the tokens of the demo store', async () => {
    const ask = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await server.inject({ url: '/graphql/demo-store', headers, remoteAddress })).json()
    const own = { host: '127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }
    expect(await ask(own)).toEqual({
      store_hash: shop.store.hash,
      storefront_token: demo?.storefront_token,
      buyer: DEMO_STORE.buyer,
    })
    expect(await ask({ ...own, host: 'evil.example.com' })).toEqual({})
    expect(await ask({ ...own, 'sec-fetch-site': 'cross-site' })).toEqual({})
    expect(await ask({ ...own, 'x-forwarded-for': '192.0.2.7' })).toEqual({})
    expect(await ask({ host: own.host })).toEqual({})
    expect(await ask(own, '192.0.2.7')).toEqual({})
  })
})

testInBrowser(
  'the page sends a query with the token, shows the answer and the fields at the cursor',
  async (browser) => {
    const tab = await browser.newPage()
    const requests: string[] = []
    tab.on('request', (request) => requests.push(request.url()))
    await tab.goto(`${origin}/graphql`)
    await expect.poll(() => tab.locator('#here').textContent(), { timeout: 60_000 }).toBe('Query')
    expect(await tab.locator('#token').inputValue()).toBe(demo?.storefront_token)

    await tab.fill('#query', '{ site { settings { storeName ')
    await expect.poll(() => tab.locator('#here').textContent()).toBe('Settings')
    await tab.click('#fields button[title="Insert status"]')
    expect(await tab.locator('#query').inputValue()).toBe('{ site { settings { storeName status ')
    await tab.locator('#query').press('End')
    await tab.locator('#query').pressSequentially('} } }')
    await tab.locator('#query').press('Control+Enter')
    await expect.poll(() => tab.locator('#facts').textContent()).toMatch(/^Status 200, .*complexity 2$/)
    const answer = await tab.locator('#result').textContent()
    expect(JSON.parse(answer ?? '')).toEqual({
      data: { site: { settings: { storeName: 'Fern & Co', status: 'LAUNCHED' } } },
    })

    // The address keeps the operation.
    await tab.reload()
    expect(await tab.locator('#query').inputValue()).toBe('{ site { settings { storeName status } } }')
    await tab.fill('#variables', '{')
    await tab.click('#run')
    expect(await tab.locator('#facts').textContent()).toMatch(/^The variables are not valid JSON/)
    await tab.fill('#filter', 'hexcolors')
    await expect.poll(() => tab.locator('#fields').textContent()).toContain('SwatchOptionValue.hexColors')
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
    await tab.close()
  },
)
