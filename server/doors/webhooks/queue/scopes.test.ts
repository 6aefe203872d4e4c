import { expect, test } from 'vitest'
import { type EventScope, isEventScope, sampleEventData, samples } from '../../../core/events/scopes.ts'
import { isScope, listening } from './scopes.ts'

test('there are the 179 scopes of the contract, each with its sample', () => {
  expect(samples.size).toBe(179)
})

test.each([
  'store/order/created',
  'store/order/*',
  'store/order/metafield/*',
  'store/brand/metafield/*',
  'store/channel/*',
  'store/channel/7/order/*',
  'store/channel/*/order/created',
  'store/channel/664159/cart/lineItem/*',
  'store/channel/*/inventory/product/stock_changed',
  'store/hook/deliveryException',
])('%s can be listened to', (scope) => {
  expect(isScope(scope)).toBe(true)
})

test.each([
  '',
  'store',
  'store/*',
  '*',
  'store/orders/created',
  'store/order/created/',
  'STORE/order/created',
  'store/order/*/created',
  'store/channel/7/inventory/product/stock_changed',
  'store/channel/7/created',
  'store/channel/x/order/created',
  '__proto__',
  'constructor',
])('%s is no scope', (scope) => {
  expect(isScope(scope)).toBe(false)
  expect(sampleEventData(scope)).toBeUndefined()
})

test('an event is heard under its scope and under every family above it', () => {
  expect(listening('store/cart/lineItem/created')).toEqual([
    'store/cart/lineItem/created',
    'store/cart/*',
    'store/cart/lineItem/*',
  ])
})

test("a channel's event is also heard under all channels", () => {
  expect(listening('store/channel/5/order/created')).toEqual([
    'store/channel/5/order/created',
    'store/channel/*',
    'store/channel/5/*',
    'store/channel/5/order/*',
    'store/channel/*/order/created',
    'store/channel/*/*',
    'store/channel/*/order/*',
  ])
})

test('the scope of an event is one of the table: a typo does not compile', () => {
  const scopes: EventScope[] = ['store/order/created', 'store/channel/5/order/created']
  expect(scopes.every(isEventScope)).toBe(true)
  const mistakes: EventScope[] = [
    // @ts-expect-error: it is created.
    'store/order/create',
    // @ts-expect-error: a family is no event.
    'store/order/*',
    // @ts-expect-error: a channel has a number.
    'store/channel/{channel_id}/order/created',
  ]
  expect(mistakes.some(isEventScope)).toBe(false)
})
