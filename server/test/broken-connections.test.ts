import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../process/app.ts'
import { readConfig } from '../process/config.ts'
import { openInstallation } from '../process/installation.ts'
import { openShop, type Shop, theHouse } from './fixtures/shop.ts'
import { SECRET } from './harness/postgres.ts'
import { BREAKS, BreakingProxy } from './servers/breaking-proxy.ts'

// A database connection may break at any point of a request. The answer is then the usual one or a 503.

let proxy: BreakingProxy
let server: FastifyInstance
let shop: Shop
let lastError = ''
let close: () => Promise<void>

function keepError(line: string) {
  lastError = line
}

beforeAll(async () => {
  const house = await theHouse()
  shop = await openShop()
  proxy = new BreakingProxy(house.url)
  await proxy.listen()
  const config = { ...readConfig({ SECRET, FAILED_LOGINS_MAX: '0', POOL_SIZE: '2' }), databaseUrl: proxy.url }
  const installation = await openInstallation(config)
  const log = pino({ level: 'error' }, { write: keepError })
  server = (await createApp({ ...installation, files: house.files, log }, config, 'http://shop.test')).server
  close = async () => {
    await server.close()
    await installation.close()
    await proxy.close()
  }
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
})
afterAll(() => close())

let names = 0
const order = () => ({
  billing_address: { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' },
  products: [{ name: 'Print', quantity: 1, price_ex_tax: 10, price_inc_tax: 10 }],
})

interface AnyRequest {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: () => object
  /** Whether it has an `Idempotency-Key`. */
  keyed?: boolean
}

const metafields = () =>
  [1, 1].map((resource_id) => ({
    resource_id,
    key: `k ${++names}`,
    value: 'v',
    namespace: 'n',
    permission_set: 'read',
  }))
const product = () => ({ name: `p ${++names}`, type: 'physical', weight: 1, price: 1 })

const requests: AnyRequest[] = [
  { name: 'an order', method: 'POST', path: 'v2/orders', body: order },
  { name: 'an order with an Idempotency-Key', method: 'POST', path: 'v2/orders', body: order, keyed: true },
  { name: 'a product', method: 'POST', path: 'v3/catalog/products', body: product },
  { name: 'a brand', method: 'POST', path: 'v3/catalog/brands', body: () => ({ name: `b ${++names}` }) },
  { name: 'a change', method: 'PUT', path: 'v3/catalog/brands/1', body: () => ({ page_title: `t ${++names}` }) },
  { name: 'a batch', method: 'POST', path: 'v3/catalog/brands/metafields', body: metafields },
  { name: 'a list', method: 'GET', path: 'v3/catalog/brands' },
  { name: 'a read by id', method: 'GET', path: 'v3/catalog/brands/1' },
  { name: 'a deletion by filter', method: 'DELETE', path: 'v3/catalog/brands?name=nothing' },
]

describe.each(BREAKS)('%s', (how) => {
  test.each(requests)('a break in the middle of $name is a 503', async ({ method, path, body, keyed = false }) => {
    const ask = () =>
      server.inject({
        method,
        url: `/stores/${shop.store.hash}/${path}`,
        headers: {
          'x-auth-token': shop.admin.access_token,
          ...(keyed ? { 'idempotency-key': `key ${++names}` } : {}),
        },
        ...(body ? { payload: body() } : {}),
      })
    for (let at = 1; ; at++) {
      proxy.arm(at, how)
      lastError = ''
      const { statusCode, body: text, headers } = await ask()
      const came = proxy.disarm()
      if (statusCode >= 300)
        expect({ at, statusCode, text, lastError, headers }).toMatchObject({
          statusCode: 503,
          headers: { 'retry-after': '1' },
        })
      if (!came) break
      expect(at).toBeLessThan(200)
    }
    // Connections that broke meanwhile are replaced.
    await expect.poll(async () => (await ask()).statusCode, { timeout: 60_000 }).toBeLessThan(300)
  })
})
