import { once } from 'node:events'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { expect } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { CUSTOMER, makeToken, SITE } from '../../test/fixtures/storefront.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { SECRET } from '../../test/harness/postgres.ts'

testInBrowser('a page reads a storefront of another origin with a storefront token only', async (browser) => {
  const { installation, files } = await theHouse()
  const shop = await openShop({ name: 'Fern & Co' })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0' }),
    'http://shop.test',
  )
  const api = await server.listen({ host: '127.0.0.1', port: 0 })
  const pages = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end('<p>A shop</p>'))
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const address = pages.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

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
  pages.close()
  await server.close()
})
