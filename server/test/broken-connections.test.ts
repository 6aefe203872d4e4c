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
const requests: [
  what: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: () => object,
  keyed?: boolean,
][] = [
  ['an order', 'POST', 'v2/orders', order],
  ['an order with an Idempotency-Key', 'POST', 'v2/orders', order, true],
  ['a product', 'POST', 'v3/catalog/products', () => ({ name: `p ${++names}`, type: 'physical', weight: 1, price: 1 })],
  ['a brand', 'POST', 'v3/catalog/brands', () => ({ name: `b ${++names}` })],
  ['a change', 'PUT', 'v3/catalog/brands/1', () => ({ page_title: `t ${++names}` })],
  [
    'a batch',
    'POST',
    'v3/catalog/brands/metafields',
    () =>
      [1, 1].map((resource_id) => ({
        resource_id,
        key: `k ${++names}`,
        value: 'v',
        namespace: 'n',
        permission_set: 'read',
      })),
  ],
  ['a list', 'GET', 'v3/catalog/brands'],
  ['a read by id', 'GET', 'v3/catalog/brands/1'],
  ['a deletion by filter', 'DELETE', 'v3/catalog/brands?name=nothing'],
]

describe.each(BREAKS)('%s', (how) => {
  test.each(requests)('a break in the middle of %s is a 503', async (_, method, path, body, keyed = false) => {
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
    const { statusCode } = await ask()
    expect(statusCode).toBeLessThan(300)
  })
})
