import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { Addresses } from '../../../core/net/addresses.ts'
import { ServiceClient } from '../../../core/net/service-client.ts'
import { startTestCarrier } from '../../../sandbox/services/test-carrier.ts'
import { LOCAL_ORIGINS, localServices, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import type { Consignment, ConsignmentItem } from '../consignment.ts'
import { shippingOptions } from '../parcels/shipping-options.ts'
import { CarrierDesk } from './quotes.ts'
import { setCarrier } from './registration.ts'

// Quotes of a real carrier, `testcarrier` of the sandbox (docs/contract/shipping.md sections 4 and 5).

const carrier = await startTestCarrier()
const { clock, installation } = await theHouse()
const { secrets } = installation
const origins = LOCAL_ORIGINS
const services = localServices(clock.limit)
afterAll(async () => {
  await services.close()
  await carrier.close()
})

let shop: Shop
let desk: CarrierDesk
beforeEach(async () => {
  shop = await openShop()
  desk = new CarrierDesk({ services, secrets, clock })
  await setCarrier(
    await dbOf(shop),
    { id: 'testcarrier', name: 'Test', rateUrl: `${carrier.url}/rate`, secret: 'signs' },
    { secrets, origins },
  )
  const connection = { auth_key: 'a-secret-key' }
  expect((await call('POST', '/shipping/carrier/connection', { carrier_id: 'testcarrier', connection })).status).toBe(
    204,
  )
  await call('POST', '/shipping/zones', { name: 'World', type: 'global' })
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const ask = (carrier_options: object, more: object = {}) =>
  call('POST', '/shipping/zones/1/methods', {
    name: 'Test',
    type: 'testcarrier',
    settings: { carrier_options },
    ...more,
  })
const fallback = () =>
  call('POST', '/shipping/zones/1/methods', {
    name: 'Post',
    type: 'perorder',
    settings: { rate: 9 },
    is_fallback: true,
  })

const line = (more: Partial<ConsignmentItem> = {}): ConsignmentItem => ({
  product_id: 1,
  variant_id: 2,
  sku: 'MUG',
  name: 'Mug',
  quantity: 2,
  weight: 8,
  length: 10,
  width: 8,
  height: 9,
  value: unitsOf(40),
  list_price: unitsOf(25),
  is_free_shipping: false,
  fixed_cost: 0n,
  ...more,
})
const toDenmark = (more: Partial<Consignment> = {}): Consignment => ({
  lines: [line()],
  channel: 1,
  cart_id: 'cart-1',
  origin: { zip: '10115', country_iso2: 'DE', state_iso2: '' },
  destination: { zip: '1051', country_iso2: 'DK', state_iso2: '' },
  customer: { id: 0 },
  currency: 'USD',
  ...more,
})
const options = async (consignment = toDenmark()) =>
  (await shippingOptions(await dbOf(shop), desk, consignment)).options
const costs = async (consignment = toDenmark()) => (await options(consignment)).map(({ cost }) => amountOf(cost))
const logs = async (): Promise<{ summary: string; message: string }[]> =>
  (await shop.call('GET', '/store/systemlogs?type=shipping')).body.data
const calls = () => carrier.requests.length
const POLL = { timeout: 60_000 }

/** A carrier that answers as it likes, with its connections. */
async function openHostile(answer: (response: ServerResponse) => unknown) {
  const sockets: Socket[] = []
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' ? address?.port : 0, sockets }
}

/** Sends a blank from time to time. */
function drip(response: ServerResponse) {
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

/** Sends blanks as fast as they are taken. */
function flood(response: ServerResponse) {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 32)));
  }
  response.on('drain', more)
  more()
}

describe('the quotes of a carrier', () => {
  test('are options with the names of its services, and its request has all of section 4', async () => {
    await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 8, price: 25 })
    const metafield = { namespace: 'shipping_carrier_testcarrier', key: 'fragile', value: 'yes' }
    await shop.call('POST', '/catalog/products/1/metafields', { ...metafield, permission_set: 'read' })
    await shop.call('POST', '/catalog/products/1/metafields', { ...metafield, key: 'own', permission_set: 'app_only' })
    await shop.call('POST', '/catalog/products/1/metafields', { ...metafield, namespace: 'x', permission_set: 'read' })
    await ask({ note: 'by hand' })
    // Two mugs of 8 oz each, which the store enters in ounces by default.
    const found = await options()
    expect(found).toMatchObject([
      {
        method_id: 1,
        description: 'Test carrier (Standard)',
        additional_description: 'By road',
        type: 'testcarrier',
        handling_cost: 0n,
        transit_time: '3 business days',
      },
      { description: 'Test carrier (Express)', transit_time: '1 business day' },
    ])
    expect(found[0]?.id).toMatch(/^[0-9a-f]{32}$/)
    const [standard, express] = found.map(({ cost }) => cost)
    expect(express).toBe(2n * (standard ?? 0n))
    const body: object = Object(carrier.requests.at(-1)?.body)
    expect(body).toEqual({
      base_options: {
        origin: { address_type: 'COMMERCIAL', zip: '10115', country_iso2: 'DE', state_iso2: '' },
        destination: { address_type: 'RESIDENTIAL', form_fields: {}, zip: '1051', country_iso2: 'DK', state_iso2: '' },
        items: [
          {
            sku: 'MUG',
            variant_id: '2',
            product_id: '1',
            name: 'Mug',
            length: expect.objectContaining({ value: 10 }),
            width: expect.objectContaining({ value: 8 }),
            height: expect.objectContaining({ value: 9 }),
            weight: { units: expect.stringMatching(/^(g|oz)$/), value: expect.any(Number) },
            discounted_price: { currency: 'USD', amount: 20 },
            declared_value: { currency: 'USD', amount: 25 },
            quantity: 2,
            attributes: [{ ...metafield, resource_type: 'product', resource_id: '1', attribute_type: 'metafield' }],
          },
        ],
        customer: { customer_id: 0, customer_groups: [] },
        store_id: shop.store.hash,
        request_context: {
          reference_values: [
            { name: 'cart_id', value: 'cart-1' },
            { name: 'channel_id', value: '1' },
          ],
        },
      },
      connection_options: { auth_key: 'a-secret-key' },
      zone_options: { note: 'by hand' },
      rate_options: [],
    })
  })

  test('V10: are asked for once within their time, also by another cart and side by side', async () => {
    await ask({ ttl: 60 })
    const before = calls()
    await Promise.all([options(), options(toDenmark({ cart_id: 'cart-2' }))])
    clock.move(59_000)
    await options()
    expect(calls() - before).toBe(1)
    clock.move(2_000)
    await options()
    expect(calls() - before).toBe(2)
    await options(toDenmark({ lines: [line({ quantity: 3 })] }))
    expect(calls() - before).toBe(3)
  })

  test('are kept for each store apart', async () => {
    await ask({})
    const before = calls()
    await options()
    const first = shop
    shop = await openShop()
    expect(await options()).toEqual([])
    shop = first
    await options()
    expect(calls() - before).toBe(1)
  })

  test('S10: do not come in time, so the fallback is offered alone', async () => {
    await ask({ behaviour: 'hang' })
    await fallback()
    const before = calls()
    const found = costs()
    await expect.poll(() => calls() - before, POLL).toBe(1)
    clock.move(5_000)
    expect(await found).toEqual([9])
    expect((await logs()).map(({ summary }) => summary)).toEqual(['The carrier testcarrier gave no quotes: timeout.'])
  })

  test.each(['error', 'reset', 'redirect', 'text', 'long', 'negative', 'huge', 'large', 'nan', 'none'])(
    'of a carrier that answers with "%s" are none, for 30 s (C-132)',
    async (behaviour) => {
      await ask({ behaviour })
      await fallback()
      const before = calls()
      expect(await costs()).toEqual([9])
      clock.move(29_000)
      expect(await costs()).toEqual([9])
      expect(calls() - before).toBe(1)
      clock.move(2_000)
      expect(await costs()).toEqual([9])
      expect(calls() - before).toBe(behaviour === 'none' ? 1 : 2)
      const log = await logs()
      expect(JSON.stringify(log)).not.toContain('a-secret-key')
      expect(log).toHaveLength(behaviour === 'none' ? 0 : 1)
    },
  )

  test.each<[string, string, (response: ServerResponse) => unknown]>([
    ['drips', 'timeout', drip],
    ['sends a gigabyte', 'unreadable', flood],
    [
      'resets after half an answer',
      'unreachable',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
    ],
    [
      'redirects inward',
      'status 307',
      (response) => response.writeHead(307, { location: `${carrier.url}/rate` }).end(),
    ],
  ])('of a carrier that %s are none, and nothing else is asked (C-132)', async (_, reason, answer) => {
    const { port, sockets } = await openHostile(answer)
    const rateUrl = `http://127.0.0.1:${port}/rate`
    // Others have all of the time, since a busy machine is slow too.
    const time = reason === 'timeout' ? { rateMs: 200 } : {}
    await setCarrier(await dbOf(shop), { id: 'testcarrier', rateUrl, ...time }, { secrets, origins })
    await ask({})
    await fallback()
    const before = calls()
    expect(await costs()).toEqual([9])
    expect((await logs()).map(({ summary }) => summary)).toEqual([`The carrier testcarrier gave no quotes: ${reason}.`])
    expect(calls()).toBe(before)
    // A mebibyte is read, and the system keeps what the connection holds.
    const sent = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  test('go to no address that the name of the carrier has only the second time (C-132, C-087)', async () => {
    const quotes = JSON.stringify({ quote_id: '1', messages: [], carrier_quotes: [] })
    const { port, sockets } = await openHostile((response) => response.setHeader('connection', 'close').end(quotes))
    let lookups = 0
    const resolve = async () => [++lookups === 1 ? '127.0.0.1' : '127.0.0.2']
    const client = new ServiceClient({
      addresses: new Addresses(['127.0.0.1/32'], resolve),
      origins: ['http://carrier.test:*'],
    })
    onTestFinished(() => client.close())
    await setCarrier(
      await dbOf(shop),
      { id: 'testcarrier', rateUrl: `http://carrier.test:${port}/rate` },
      { secrets, origins: ['http://carrier.test:*'] },
    )
    desk = new CarrierDesk({ services: client, secrets, clock })
    await ask({})
    await fallback()
    expect(await costs()).toEqual([9])
    expect(await costs(toDenmark({ lines: [line({ quantity: 5 })] }))).toEqual([9])
    expect([lookups, sockets.length]).toEqual([2, 1])
    expect((await logs()).map(({ summary }) => summary)).toEqual(['The carrier testcarrier gave no quotes: forbidden.'])
  })

  test('in other money are converted if the store has it, else they are dropped', async () => {
    await call('POST', '/currencies', {
      currency_code: 'EUR',
      currency_exchange_rate: '0.5',
      name: 'Euro',
      token: '€',
      token_location: 'left',
      decimal_token: '.',
      thousands_token: ',',
      decimal_places: 2,
      enabled: true,
      is_transactional: true,
    })
    await fallback()
    await ask({ currency: 'EUR' })
    const inDollars = await costs()
    const inEuros = await costs(toDenmark({ currency: 'EUR' }))
    expect(inDollars).toEqual(inEuros.map((cost) => 2 * cost))
    await call('DELETE', '/shipping/zones/1/methods/2')
    await ask({ currency: 'SEK' })
    expect(await costs()).toEqual([9])
    expect(await costs(toDenmark({ currency: 'EUR' }))).toEqual([4.5])
  })

  test('leave remarks in the system log, once in a minute', async () => {
    await ask({ behaviour: 'warn' })
    await options()
    await options(toDenmark({ lines: [line({ quantity: 7 })] }))
    expect(await logs()).toMatchObject([
      { summary: 'The carrier testcarrier has remarks.', message: 'WARNING: The tariff ends soon.' },
    ])
  })

  test('are not asked for lines that do not pay by the method', async () => {
    await ask({})
    const before = calls()
    expect(await costs(toDenmark({ lines: [line({ fixed_cost: unitsOf(4) })] }))).toEqual([8])
    expect(calls()).toBe(before)
  })

  test('of two methods come side by side', async () => {
    await ask({ delay_ms: 300, nth: 1 })
    await ask({ delay_ms: 300, nth: 2 })
    await setCarrier(await dbOf(shop), { id: 'testcarrier', isMulti: true }, { secrets, origins })
    const found = await options()
    expect(found.map(({ description }) => description)).toEqual(['Standard', 'Standard', 'Express', 'Express'])
    expect(new Set(found.map(({ id }) => id)).size).toBe(4)
  })

  test('of a carrier that fails five times within a minute are not asked for during 30 s', async () => {
    await ask({ behaviour: 'error' })
    await fallback()
    const before = calls()
    const skipped = () => services.calls.ended().find(({ outcome }) => outcome === 'skipped')?.count ?? 0
    const skippedBefore = skipped()
    for (const quantity of [1, 2, 3, 4, 5, 6, 7]) {
      expect(await costs(toDenmark({ lines: [line({ quantity })] }))).toEqual([9])
    }
    expect([calls() - before, skipped() - skippedBefore]).toEqual([5, 2])
    clock.move(30_000)
    await options(toDenmark({ lines: [line({ quantity: 8 })] }))
    expect(calls() - before).toBe(6)
  })

  test('of a carrier that hangs in one store, with all of its calls, cost another store nothing (C-132)', async () => {
    const hanging = await openHangingStore()
    const before = calls()
    const waits = Array.from({ length: 8 }, (_, i) =>
      shippingOptions(hanging, desk, toDenmark({ lines: [line({ quantity: i + 1 })] })),
    )
    await expect.poll(() => calls() - before, POLL).toBe(8)
    await ask({})
    expect(await options()).toHaveLength(2)
    clock.move(5_000)
    const ended = await Promise.all(waits)
    expect(ended.map(({ options }) => options.length)).toEqual(Array(8).fill(0))
  })

  /** A store whose carrier never answers. */
  async function openHangingStore() {
    const other = await openShop()
    const db = await dbOf(other)
    const send = (path: string, body: object) => other.call('POST', path, body, { version: 'v2' })
    await setCarrier(db, { id: 'testcarrier', rateUrl: `${carrier.url}/rate` }, { secrets, origins })
    await send('/shipping/carrier/connection', { carrier_id: 'testcarrier', connection: {} })
    await send('/shipping/zones', { name: 'World', type: 'global' })
    const settings = { carrier_options: { behaviour: 'hang' } }
    await send('/shipping/zones/1/methods', { name: 'Test', type: 'testcarrier', settings })
    return db
  }
})
