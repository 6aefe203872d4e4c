import { createServer, type ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { ann, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { payOrder } from '../../../test/fixtures/orders.ts'
import { LOCAL_ORIGINS, localServices, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { dumpOf, spellings } from '../../../test/harness/administrator.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { SECRET } from '../../../test/harness/postgres.ts'
import { WATCH_TOKEN } from '../../../test/harness/watch.ts'
import { setCarrier } from '../../shipping/carriers/registration.ts'
import { setTaxProvider } from '../../tax/providers/registration.ts'
import { taxDocumentRunner } from '../refunds/tax-documents.ts'

// A tax provider and a carrier that fail in any way, and repeat all that they were sent: no secret of theirs is in a log, an answer, a metric
// or a row of the store, its jobs and its system log among them (C-103, C-132).

const SECRETS = {
  password: 'marked password of the store',
  key: 'marked key of the account',
  taxSecret: 'marked secret that signs documents',
  carrierSecret: 'marked secret that signs parcels',
}

type Fault = (response: ServerResponse, echo: string) => unknown
const FAULTS: Record<string, Fault> = {
  'a refusal': (response, echo) => response.writeHead(400).end(JSON.stringify({ error: echo, messages: [echo] })),
  'a refused login': (response, echo) => response.writeHead(401, { 'x-login': encodeURIComponent(echo) }).end(echo),
  'an error': (response, echo) => response.writeHead(500).end(echo),
  'a redirect': (response, echo) =>
    response.writeHead(302, { location: `http://127.0.0.1:9/${encodeURIComponent(echo)}` }).end(),
  'no JSON': (response, echo) => response.end(echo),
  'a reset': (response) => response.destroy(),
  remarks: (response, echo) =>
    response.end(
      JSON.stringify({
        valid: true,
        quote_id: '1',
        messages: [{ text: echo.slice(0, 400), type: 'ERROR' }],
        carrier_quotes: [],
        documents: [],
      }),
    ),
}

let fault: Fault = () => {}
let received = ''
const service = createServer(async (request, response) => {
  const login = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString()
  const { connection_options: account } = JSON.parse((await textOf(request)) || '{}')
  const echo = `${login} ${JSON.stringify(account ?? {})}`
  received += echo
  fault(response, echo)
})
service.listen(0, '127.0.0.1')
afterAll(() => service.close())

test('C-103: secrets of tax providers and carriers are nowhere in clear, whatever those answer', async () => {
  const { installation, files, renderers, clock } = await theHouse()
  const { secrets, directory } = installation
  let output = ''
  const stream = new Writable({
    write(line, _, done) {
      output += line
      done()
    },
  })
  const services = localServices()
  const { server } = await createApp(
    {
      ...installation,
      files,
      renderers,
      services,
      policy: { addresses: new Addresses([]), origins: LOCAL_ORIGINS },
      log: pino({ level: 'trace' }, stream),
    },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0', WATCH_TOKEN, LOG_LEVEL: 'trace' }),
    'http://shop.test',
  )
  const shop = await openWithShipping()
  const db = await dbOf(shop)
  const address = service.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const [tax, parts] = [
    { id: `tax-${shop.store.hash}`, url, isActive: true },
    { secrets, origins: LOCAL_ORIGINS },
  ]
  await setTaxProvider(db, { ...tax, submitsOrders: true, secret: SECRETS.taxSecret }, parts)
  const urls = { rateUrl: `${url}/rate`, checkUrl: `${url}/check` }
  await setCarrier(db, { id: 'carrier', name: 'Cart', secret: SECRETS.carrierSecret, ...urls }, parts)

  const answers: string[] = []
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const answer = await server.inject({
      method,
      url: `/stores/${shop.store.hash}${path}`,
      headers: { 'x-auth-token': shop.admin.access_token },
      ...(payload ? { payload } : {}),
    })
    answers.push(answer.body, JSON.stringify(answer.headers))
    return answer.statusCode === 204 ? undefined : answer.json()
  }
  const method = { name: 'Cart', type: 'carrier', settings: { carrier_options: {} } }
  for (const [name, made] of Object.entries(FAULTS)) {
    fault = made
    // Nobody is skipped for failures more than a minute ago.
    clock.move(61_000)
    await call('PUT', `/v3/tax/providers/${tax.id}/connection`, { username: 'shop', password: SECRETS.password })
    const connection = { auth_key: SECRETS.key }
    await call('POST', '/v2/shipping/carrier/connection', { carrier_id: 'carrier', connection })
    if (name === 'a refusal') await call('POST', '/v2/shipping/zones/1/methods', method)
    const cart = await createCart(shop, { 1: 2 })
    const { data } = await call('GET', `/v3/carts/${cart}`)
    const line_items = [{ item_id: data.line_items.physical_items[0].id, quantity: 2 }]
    const path = `/v3/checkouts/${cart}/consignments?include=consignments.available_shipping_options`
    await call('POST', path, [{ address: ann, line_items }])
    const billing_address = { zip: '78701', state: 'Texas', country_iso2: 'US' }
    const products = [{ name: 'Lamp', quantity: 1, price_ex_tax: 20, price_inc_tax: 20 }]
    const { id } = await call('POST', '/v2/orders', { billing_address, products, status_id: 7 })
    await payOrder(shop, id)
    await doJobs([taxDocumentRunner({ services, secrets })])
  }
  await call('GET', '/v3/store/systemlogs')
  await call('GET', '/v3/tax/providers')
  const metrics = await server.inject({ url: '/metrics', headers: { authorization: `Bearer ${WATCH_TOKEN}` } })
  expect(metrics.statusCode).toBe(200)
  await server.close()
  await services.close()

  for (const secret of [SECRETS.password, SECRETS.key]) expect(received, 'the service received it').toContain(secret)
  expect(output).toContain('"level"')
  const places = {
    log: output,
    answers: answers.join('\n'),
    metrics: metrics.body,
    rows: await dumpOf(shop.store.id, directory.cells),
  }
  const login = Buffer.from(`shop:${SECRETS.password}`).toString('base64')
  const hidden = [...Object.values(SECRETS).flatMap(spellings), login]
  for (const [place, content] of Object.entries(places)) {
    expect(content.length, place).toBeGreaterThan(1_000)
    expect(
      hidden.filter((spelling) => content.includes(spelling)),
      place,
    ).toEqual([])
  }
})
