import { expect, test } from 'vitest'
import { type EventScope, isEventScope, sampleEventData, samples } from '../../../core/events/scopes.ts'
import { isScope, listening } from './scopes.ts'

test('the contract has 179 scopes, each with its sample', () => {
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
])('a hook may have the scope %s', (scope) => {
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
])('%s is refused as a scope', (scope) => {
  expect(isScope(scope)).toBe(false)
  expect(sampleEventData(scope)).toBeUndefined()
})

test('an event has its scope and every family above it', () => {
  expect(listening('store/cart/lineItem/created')).toEqual([
    'store/cart/lineItem/created',
    'store/cart/*',
    'store/cart/lineItem/*',
  ])
})

test('an event of a channel also has the scopes of all channels', () => {
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

test('a misspelled scope of an event does not compile', () => {
  const scopes: EventScope[] = ['store/order/created', 'store/channel/5/order/created']
  expect(scopes.every(isEventScope)).toBe(true)
  const mistakes: EventScope[] = [
    // @ts-expect-error: it is created.
    'store/order/create',
    // @ts-expect-error: events have no family scope.
    'store/order/*',
    // @ts-expect-error: a channel has a number.
    'store/channel/{channel_id}/order/created',
  ]
  expect(mistakes.some(isEventScope)).toBe(false)
})
