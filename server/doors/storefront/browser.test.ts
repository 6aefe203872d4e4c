import { once } from 'node:events'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { CUSTOMER, makeToken, SITE } from '../../test/fixtures/storefront.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { SECRET } from '../../test/harness/postgres.ts'

testInBrowser('a page reads a storefront of another origin with a storefront token only', async (browser) => {
  const shop = await openShop({ name: 'Fern & Co' })
  const api = await openServer()
  const origin = await openPages()

  const token = await makeToken(shop, 'storefront', { allowed_cors_origins: [origin] })
  const elsewhere = await makeToken(shop, 'storefront')
  const secret = await makeToken(shop, 'private')
  const impersonating = await makeToken(shop, 'impersonation')
  const tab = await browser.newPage()
  await tab.goto(origin)
  /** Sends a request from the page itself. */
  const ask = (token: string, query: string) =>
    tab.evaluate(
      async ({ url, token, query }) => {
        try {
          const answer = await fetch(url, {
            method: 'POST',
            credentials: 'include',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ query }),
          })
          return {
            status: answer.status,
            cost: answer.headers.get('x-svc-graphql-complexity'),
            body: await answer.json(),
          }
        } catch (error) {
          return String(error)
        }
      },
      { url: `${api}/storefront/${shop.store.hash}/graphql`, token, query },
    )

  expect(await ask(token, SITE)).toEqual({
    status: 200,
    cost: '3',
    body: {
      data: {
        site: {
          settings: {
            storeName: 'Fern & Co',
            url: { vanityUrl: `https://store-${shop.store.hash}.shop.test` },
            status: 'LAUNCHED',
          },
        },
      },
    },
  })
  // The browser withholds other answers from the page.
  for (const refused of [elsewhere, secret, impersonating]) {
    expect(await ask(refused, SITE)).toBe('TypeError: Failed to fetch')
  }
  // A browser on the same host keeps the cookie of a login. The page can't read it.
  await shop.call('POST', '/customers', [
    {
      email: 'ann@example.com',
      first_name: 'Ann',
      last_name: 'Lee',
      authentication: { new_password: 'correct horse 7' },
    },
  ])
  const login = 'mutation { login(email: "ann@example.com", password: "correct horse 7") { customer { entityId } } }'
  expect(await ask(token, login)).toMatchObject({ body: { data: { login: { customer: { entityId: 1 } } } } })
  expect(await tab.evaluate('document.cookie')).toBe('')
  expect(await ask(token, CUSTOMER)).toMatchObject({ body: { data: { customer: { email: 'ann@example.com' } } } })
  await tab.close()
})

testInBrowser(
  'a page of a site searches for pickup points, and a page of another origin is refused',
  async (browser) => {
    const shop = await openShop()
    const coordinates = { latitude: 30.2672, longitude: -97.7431 }
    const address = { address1: '1 Main Street', city: 'Austin', state: 'TX', zip: '78701', country_code: 'US' }
    const place = { ...address, email: 'shop@example.com', geo_coordinates: coordinates }
    await shop.call('POST', '/inventory/locations', [{ code: 'near', label: 'A shop', address: place, enabled: true }])
    await shop.call('POST', '/pickup/methods', [{ location_id: 2, display_name: 'Counter' }])
    const product = { name: 'Print', type: 'physical', weight: 1, price: 1, inventory_tracking: 'none' }
    await shop.call('POST', '/catalog/products', product)
    const [api, origin, elsewhere] = [await openServer(), await openPages(), await openPages()]
    const site = await fetch(`${api}/stores/${shop.store.hash}/v3/channels/1/site`, {
      method: 'PUT',
      headers: { 'x-auth-token': shop.admin.access_token, 'content-type': 'application/json' },
      body: JSON.stringify({ url: origin }),
    })
    expect(site.status).toBe(200)

    const tab = await browser.newPage()
    const search = async (page: string) => {
      await tab.goto(page)
      return tab.evaluate(
        async ({ url, body }) => {
          try {
            const headers = { 'content-type': 'application/json' }
            const answer = await fetch(url, { method: 'POST', headers, body })
            return { status: answer.status, body: await answer.text() }
          } catch (error) {
            return String(error)
          }
        },
        {
          url: `${api}/storefront/${shop.store.hash}/api/storefront/pickup-options`,
          body: JSON.stringify({
            searchArea: { coordinates, radius: { value: 10, unit: 'KM' } },
            items: [{ variantId: 1, quantity: 1 }],
          }),
        },
      )
    }
    expect(await search(origin)).toEqual({ status: 200, body: expect.stringContaining('"displayName":"Counter"') })
    expect(await search(elsewhere)).toBe('TypeError: Failed to fetch')
    await tab.close()
  },
)

const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

/** Opens a server to the databases of the tests. @returns its origin */
async function openServer(): Promise<string> {
  const { installation, files } = await theHouse()
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0', ALLOW_SITE_PORTS: 'true' }),
    'http://shop.test',
  )
  closers.push(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

/** Opens the origin of a shop's pages. */
async function openPages(): Promise<string> {
  const pages = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end('<p>A shop</p>'))
  closers.push(() => pages.close())
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const address = pages.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
