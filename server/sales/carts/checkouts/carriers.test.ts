import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestCarrier } from '../../../sandbox/services/test-carrier.ts'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { LOCAL_ORIGINS, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { setCarrier } from '../../shipping/carriers/registration.ts'

// Checkouts in a store with a carrier (docs/contract/shipping.md section 4). No transaction waits for it: the harness fails the file if
// one does.

const carrier = await startTestCarrier()
afterAll(() => carrier.close())

let shop: Shop
let checkout: ReturnType<typeof checkoutOf>
let lamp = ''
let first = 0
const calls = () => carrier.requests.length - first
beforeEach(async () => {
  shop = await openWithShipping()
  const { secrets } = (await theHouse()).installation
  const wish = { id: 'testcarrier', name: 'Test', rateUrl: `${carrier.url}/rate`, secret: 'signs' }
  await setCarrier(await dbOf(shop), wish, { secrets, origins: LOCAL_ORIGINS })
  const v2 = (path: string, body: object) => shop.call('POST', path, body, { version: 'v2' })
  await v2('/shipping/carrier/connection', { carrier_id: 'testcarrier', connection: { auth_key: 'a-secret-key' } })
  await v2('/shipping/zones/1/methods', { name: 'Test', type: 'testcarrier', settings: { carrier_options: {} } })
  checkout = checkoutOf(shop, await createCart(shop, { 1: 2 }))
  lamp = (await checkout.lines())[1] ?? ''
  first = carrier.requests.length
})

const create = (headers: Record<string, string> = {}) =>
  shop.call(
    'POST',
    `/checkouts/${checkout.id}/consignments?include=consignments.available_shipping_options`,
    [{ address: ann, line_items: [{ item_id: lamp, quantity: 2 }] }],
    { headers },
  )

test('its quotes are options, and a chosen one keeps its cost from request to request', async () => {
  const { status, body } = await create()
  expect(status).toBe(200)
  const [{ id, available_shipping_options: options }] = body.data.consignments
  const quoted = options.find(({ description }: { description: string }) => description === 'Test carrier (Standard)')
  expect(quoted).toMatchObject({ type: 'testcarrier', transit_time: '3 business days' })
  expect(calls()).toBe(1)
  const chosen = await checkout.call('PUT', `/consignments/${id}`, { shipping_option_id: quoted.id })
  expect(chosen.body.data.consignments[0].selected_shipping_option).toMatchObject({ id: quoted.id, cost: quoted.cost })
  expect((await checkout.call('PUT', '', { customer_message: 'x' })).body.data.shipping_cost_total_ex_tax).toBe(
    quoted.cost,
  )
  // The answers of carriers are kept for 15 minutes.
  expect(calls()).toBe(1)
  const item = `/carts/${checkout.id}/items/${lamp}`
  expect((await shop.call('PUT', item, { line_item: { quantity: 1 } })).status).toBe(200)
  expect(calls()).toBe(2)
})

test('a repeated request with an Idempotency-Key creates one consignment', async () => {
  const headers = { 'idempotency-key': 'consignment' }
  const first = await create(headers)
  const second = await create(headers)
  expect(second.body).toEqual(first.body)
  expect((await checkout.get()).version).toBe(2)
})

test('a read that includes the options asks for them', async () => {
  await shop.call('POST', `/checkouts/${checkout.id}/consignments`, [
    { address: ann, line_items: [{ item_id: lamp, quantity: 2 }] },
  ])
  expect(calls()).toBe(0)
  await checkout.get()
  expect(calls()).toBe(0)
  const { consignments } = await checkout.get('consignments.available_shipping_options')
  expect(consignments[0].available_shipping_options).toHaveLength(4)
  expect(calls()).toBe(1)
})
