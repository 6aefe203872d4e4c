import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { CUSTOMER, makeToken, ORIGIN, SITE } from '../../test/fixtures/storefront.ts'
import { SECRET } from '../../test/harness/postgres.ts'

// Requests of Node's own `fetch` over a socket, which adds headers of its own.

let shop: Shop
let address: string
let close: () => Promise<void>

beforeAll(async () => {
  const { installation, files } = await theHouse()
  shop = await openShop({ name: 'Fern & Co' })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0' }),
    'http://shop.test',
  )
  address = await server.listen({ host: '127.0.0.1', port: 0 })
  close = () => server.close()
})
afterAll(() => close())

async function fetchGraph(token: string, query: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${address}/storefront/${shop.store.hash}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return { status: answer.status, body: await answer.json() }
}

test("Node's fetch counts as a server for all three types of tokens", async () => {
  await shop.call('POST', '/customers', [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }])
  for (const kind of ['storefront', 'private', 'impersonation'] as const) {
    const token = await makeToken(shop, kind)
    const answer = await fetchGraph(token, SITE)
    expect(answer, kind).toMatchObject({
      status: 200,
      body: { data: { site: { settings: { storeName: 'Fern & Co' } } } },
    })
  }
  const acting = await fetchGraph(await makeToken(shop, 'impersonation'), CUSTOMER, { 'x-svc-customer-id': '1' })
  expect(acting).toMatchObject({ status: 200, body: { data: { customer: { email: 'ann@example.com' } } } })
})

test("Node's fetch with an Origin counts as a browser", async () => {
  const origin = { origin: ORIGIN }
  expect((await fetchGraph(await makeToken(shop, 'storefront'), SITE, origin)).status).toBe(200)
  for (const kind of ['private', 'impersonation'] as const) {
    expect((await fetchGraph(await makeToken(shop, kind), SITE, origin)).status).toBe(403)
  }
})

test("Node's fetch adds Sec-Fetch-Mode, and no other header of a browser", async () => {
  let seen: IncomingHttpHeaders = {}
  const echo = createServer((request, answer) => {
    seen = request.headers
    answer.end()
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const at = echo.address()
  await fetch(`http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`)
  echo.close()
  expect(Object.keys(seen).filter((name) => name.startsWith('sec-fetch-'))).toEqual(['sec-fetch-mode'])
})
