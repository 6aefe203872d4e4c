import { expect, test } from 'vitest'
import { sampleEventData, samples } from '../../../core/events/scopes.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { eventId } from '../sending/event-id.ts'
import { trigger } from './trigger.ts'

// server/process/roles.test.ts tests the delivery of a triggered event, with a running worker.

test.each([
  ['store/order/created', 'store/order/created', { type: 'order', id: 0 }],
  ['store/channel/{channel_id}/cart/created', 'store/channel/7/cart/created', { cart_id: '' }],
  ['store/channel/*/cart/created', 'store/channel/7/cart/created', { cart_id: '' }],
  ['store/channel/3/cart/created', 'store/channel/3/cart/created', { cart_id: '' }],
  [
    'store/channel/*/inventory/product/stock_changed',
    'store/channel/*/inventory/product/stock_changed',
    { variant_id: 0, product_id: 0, location_id: 0 },
  ],
])('%s in channel 7 is %s', async (given, scope, data) => {
  const shop = await openShop()
  const triggered = await trigger(await dbOf(shop), given, '7')
  const [event] = await rowsOf(shop, 'events')
  const { seq, ms, nonce } = { seq: Number(event?.seq), ms: Number(event?.ms), nonce: Number(event?.nonce) }
  expect(triggered).toEqual({ id: eventId({ seq, ms, nonce }), scope, data })
  expect(event).toMatchObject({ scope, data: JSON.stringify(data), client_id: null })
})

test('every scope has a sample, and no sample delays another', async () => {
  const shop = await openShop()
  const db = await dbOf(shop)
  for (const scope of samples.keys()) await trigger(db, scope, '1')
  const events = await rowsOf(shop, 'events')
  expect(events).toHaveLength(samples.size)
  expect(events.filter(({ scope }) => String(scope).includes('{') || !sampleEventData(String(scope)))).toEqual([])
  expect(events.map(({ resource }) => String(resource)).every((resource) => /^sample \d+$/.test(resource))).toBe(true)
})

test.each([
  [
    'store/shipment/*',
    '1',
    /^No event has the scope "store\/shipment\/\*"\. Scopes of this family: store\/shipment\/created, /,
  ],
  ['store/order/eaten', '1', /^No event has the scope "store\/order\/eaten"\.$/],
  ['store/{channel_id}/order', '1', /^No event has the scope "store\/\{channel_id\}\/order"\.$/],
  ['store/channel/*/cart/created', '*', /^The channel must be a number, not "\*"\.$/],
])('%s in channel %s is refused', async (scope, channel, sentence) => {
  const shop = await openShop()
  await expect(trigger(await dbOf(shop), scope, channel)).rejects.toThrow(sentence)
  expect(await rowsOf(shop, 'events')).toEqual([])
})
