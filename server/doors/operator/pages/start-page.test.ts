import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_STORE } from '../../../test/fixtures/demo-store.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import type { DemoStore } from '../demo-store.ts'
import { startPage } from './start-page.ts'

/** The headers of a browser in which a person opens an address. */
const OPENED = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const SECRET_WORDS = /[A-Z]+_TOKEN|home\/you/

type Ask = { headers?: Record<string, string>; method?: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS' }

async function ask(url: string, { headers = {}, method = 'GET' }: Ask = {}) {
  const { server } = await theHouse()
  return server.inject({ url, method, headers: { host: 'shop.test', ...headers } })
}

/** The answer of an unknown path, without the header that the start page adds for caches. */
async function expectNothing(url: string, asked: Ask = {}) {
  const [found, unknown] = [await ask(url, asked), await ask('/nowhere', asked)]
  expect(found.statusCode).toBe(404)
  expect(found.headers['content-type']).toBe('application/json; charset=utf-8')
  expect([found.statusCode, found.body]).toEqual([unknown.statusCode, unknown.body])
  expect(Object.keys(found.headers).filter((name) => name !== 'vary')).toEqual(Object.keys(unknown.headers))
}

describe('the start page of a server', () => {
  test.each(['/', '/?a=b'])('%s is a page in a browser', async (url) => {
    const { statusCode, headers, body } = await ask(url, { headers: OPENED })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(String(headers.vary)).toMatch(/\baccept\b(?!-)/)
    const policy = String(headers['content-security-policy'])
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"]),
    )
    expect(policy).not.toMatch(/script-src|https?:|\*|unsafe/)
    expect(body).toContain('<h1>storeward</h1>')
    expect(body).toContain('store create')
    expect(body).not.toMatch(/undefined|\[object|[Ss]andbox/)
    const links = [...body.matchAll(/ href="(\/[^"]*)"/g)].map(([, href = '']) => href)
    expect(links).toEqual(expect.arrayContaining(['/docs', '/docs/errors', '/openapi.json']))
    for (const href of links) expect((await ask(href, { headers: OPENED })).statusCode, href).toBe(200)
  })

  test('HEAD has the headers of the page and no body', async () => {
    const page = await ask('/', { headers: OPENED })
    const { statusCode, headers, body } = await ask('/', { headers: OPENED, method: 'HEAD' })
    expect([statusCode, body]).toEqual([200, ''])
    expect(headers['content-type']).toBe(page.headers['content-type'])
    expect(headers['content-security-policy']).toBe(page.headers['content-security-policy'])
  })

  test.each([
    ['no Accept', {}],
    ['everything', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['text of any kind', { accept: 'text/*' }],
    ['another type that begins alike', { accept: 'text/html-sandboxed' }],
    ['HTML excluded', { accept: 'text/html;q=0, application/json' }],
    ['HTML excluded in another spelling', { accept: 'application/json, TEXT/HTML ; Q=0.00' }],
  ])('a client that accepts %s gets the 404 of an unknown path', async (_, headers: Record<string, string>) => {
    await expectNothing('/', { headers })
    await expectNothing('/', { headers, method: 'HEAD' })
  })

  test.each(['text/html', 'TEXT/HTML;q=0.1', 'application/json,text/html;charset=utf-8;q=1'])(
    'a client that accepts %s gets the page',
    async (accept) => {
      expect((await ask('/', { headers: { accept } })).statusCode).toBe(200)
    },
  )

  test('other methods and paths are unknown, also to browsers', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS'] as const) {
      await expectNothing('/', { headers: OPENED, method })
      await expectNothing('/favicon.ico', { method })
    }
    for (const url of ['/index.html', '/b2b', '/storefront/demostore']) {
      await expectNothing(url, { headers: OPENED })
    }
  })

  test('/favicon.ico is an answer without a picture, which browsers keep', async () => {
    const { statusCode, headers, body } = await ask('/favicon.ico', { headers: { accept: 'image/*' } })
    expect([statusCode, body, headers['cache-control']]).toEqual([204, '', 'public, max-age=86400'])
  })

  test('the hosts of sites have no start page; other names of the server have one', async () => {
    const shop = await openShop()
    const made = await shop.call('POST', '/channels', { name: 'Outlet', type: 'storefront', platform: 'custom' })
    const host = `www.outlet-${shop.store.hash}.example.com`
    const site = await shop.call('POST', '/sites', { url: `https://${host}`, channel_id: made.body.data.id })
    expect(site.status).toBe(201)
    const bare = host.replace('www.', '')
    const given = `store-${shop.store.hash}.shop.test`
    for (const at of [host, bare, `${host}:443`, host.toUpperCase(), given, `${given}:80`, 'store-zzzzz.shop.test']) {
      for (const url of ['/', '/console', '/favicon.ico']) {
        await expectNothing(url, { headers: { ...OPENED, host: at } })
      }
    }
    for (const at of ['SHOP.test', '127.0.0.1:8080', 'localhost:8080', '[::1]:8080', 'other.example.com']) {
      expect((await ask('/', { headers: { ...OPENED, host: at } })).statusCode, at).toBe(200)
      expect((await ask('/favicon.ico', { headers: { host: at } })).statusCode, at).toBe(204)
    }
    // The site keeps its requests.
    const { body } = await ask('/graphql', { method: 'POST', headers: { host } })
    expect(body).toContain('Credentials are missing')
  })
})

describe('the pages of a sandbox', () => {
  const server = fastify()
  let demo: DemoStore | undefined = DEMO_STORE
  beforeAll(async () => {
    const { directory } = (await theHouse()).installation
    const sites = { domain: 'localhost', publicUrl: 'http://127.0.0.1:8080', allowsPorts: false }
    startPage(server, { directory, sites, docsBase: '', findDemoStore: () => demo })
  })
  afterAll(() => server.close())

  const own = { ...OPENED, host: '127.0.0.1:8080' }
  const visit = (url: string, headers: Record<string, string> = own, remoteAddress = '127.0.0.1') =>
    server.inject({ url, headers, remoteAddress })

  test('the start page shows all that was printed, with links to pages', async () => {
    const { body, statusCode } = await visit('/')
    expect(statusCode).toBe(200)
    const { headline, addresses, tokens, record, chapters } = DEMO_STORE.welcome
    const text = body.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    const says = chapters.flatMap((chapter) => [chapter.says, ...chapter.commands])
    for (const said of [headline, record, ...says, ...tokens.flatMap(({ token, says }) => [token, says])]) {
      expect(text).toContain(said)
    }
    for (const address of addresses) expect(body).toContain(`<a href="${address.url}">`)
  })

  test('the addresses of storefront and companion API explain themselves', async () => {
    const storefront = await visit('/storefront/demostore')
    expect([storefront.statusCode, storefront.body]).toEqual([200, expect.stringContaining('STOREFRONT_TOKEN')])
    expect(storefront.body).not.toContain('BUYER_TOKEN')
    const companion = await visit('/b2b')
    expect([companion.statusCode, companion.body]).toEqual([200, expect.stringContaining('BUYER_TOKEN')])
    expect((await visit('/storefront/another')).statusCode).toBe(404)
    expect((await visit('/storefront/demostore', { host: own.host, accept: '*/*' })).statusCode).toBe(404)
  })

  test.each([
    ['by a name of this machine', { ...own, host: 'localhost:8080' }, '::1'],
    ['by IPv6', { ...own, host: '[::1]:8080' }, '::ffff:127.0.0.1'],
    ['from another page of the server', { ...own, 'sec-fetch-site': 'same-origin' }, '127.0.0.1'],
    ['in a browser without Fetch Metadata', { accept: 'text/html', host: own.host }, '127.0.0.1'],
  ])('tokens are shown when a page is opened %s', async (_, headers, remoteAddress) => {
    const { body, headers: answered } = await visit('/', headers, remoteAddress)
    expect(body).toMatch(SECRET_WORDS)
    expect(answered['cache-control']).toBe('no-store')
  })

  test.each([
    ['another machine', own, '192.0.2.7'],
    ['another machine, by an IPv6 address', own, '2001:db8::1'],
    ['a name that was made to lead here', { ...own, host: 'evil.example.com:8080' }, '127.0.0.1'],
    ['a name that begins like this machine', { ...own, host: '127.0.0.1.example.com' }, '127.0.0.1'],
    ['a name that ends like this machine', { ...own, host: 'evil.localhost:8080' }, '127.0.0.1'],
    ['a page of another site', { ...own, 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
    ['a page of another port', { ...own, 'sec-fetch-site': 'same-site' }, '127.0.0.1'],
    ['a script', { ...own, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }, '127.0.0.1'],
    ['a frame', { ...own, 'sec-fetch-dest': 'iframe' }, '127.0.0.1'],
    ['a request with an origin', { ...own, origin: 'http://127.0.0.1:8080' }, '127.0.0.1'],
    ['a tunnel', { ...own, 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1'],
    ['a proxy', { ...own, via: '1.1 proxy' }, '127.0.0.1'],
    ['another proxy', { ...own, forwarded: 'for=192.0.2.7' }, '127.0.0.1'],
  ])('no token is shown to %s', async (_, headers, remoteAddress) => {
    for (const url of ['/', '/b2b', '/storefront/demostore']) {
      const { statusCode, body } = await visit(url, headers, remoteAddress)
      expect(statusCode, url).toBe(200)
      expect(body).not.toMatch(SECRET_WORDS)
      if (url === '/') expect(body).toContain('Its tokens stand in the terminal')
    }
  })

  test('until the demo store is made there is a page without it', async () => {
    demo = undefined
    const { statusCode, body } = await visit('/')
    expect([statusCode, body]).toEqual([200, expect.stringContaining('reload this page')])
    expect((await visit('/storefront/demostore')).statusCode).toBe(404)
    demo = DEMO_STORE
  })
})
