import { expect, test } from 'vitest'
import {
  findStatus,
  type Happening,
  type Hold,
  holdOfStatus,
  isPaidStatus,
  ORDER_STATUSES,
  statusAfter,
} from './order-status.ts'
import { canBeRefunded, PAYMENT_STATUSES, type PaymentEvent, transition } from './payment-status.ts'

// docs/contract/orders.md sections 1, 2 and 5.

test('there are fifteen statuses, six of them paid', () => {
  expect(ORDER_STATUSES.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, id) => id))
  expect(ORDER_STATUSES.map(({ order }) => order).sort((a, b) => a - b)).toEqual(ORDER_STATUSES.map(({ id }) => id))
  expect(ORDER_STATUSES.filter(({ id }) => isPaidStatus(id)).map(({ id }) => id)).toEqual([2, 3, 8, 9, 10, 11])
  expect(findStatus(15)).toBeUndefined()
})

const [all, none, kept]: Hold[] = ['all', 'nothing', 'as before']
test.each<[status: number, placed: Hold | undefined, shipped: Hold | undefined]>([
  [0, none, none],
  [1, none, none],
  [2, all, all],
  [3, all, none],
  [4, none, none],
  [5, none, none],
  [6, none, none],
  [7, all, none],
  [8, all, none],
  [9, all, none],
  [10, all, all],
  [11, all, none],
  [12, all, none],
  [13, all, kept],
  [14, kept, kept],
])('status %i holds %s of stock if orders take it when they are placed, else %s', (status, placed, shipped) => {
  const rules = { refund_order_stock_adjustment: true }
  expect(holdOfStatus(status, { ...rules, update_stock_behavior: 'order_placed' })).toBe(placed)
  expect(holdOfStatus(status, { ...rules, update_stock_behavior: 'order_completed_or_shipped' })).toBe(shipped)
})

test('cancelled and refunded orders keep their stock if the store wants that; declined orders never do', () => {
  const rules = { update_stock_behavior: 'order_placed', refund_order_stock_adjustment: false } as const
  expect([4, 5, 6].map((status) => holdOfStatus(status, rules))).toEqual([kept, kept, none])
})

test.each<[Happening, from: number, to: number, digital?: boolean]>([
  ['purchased', 0, 11],
  ['purchased', 1, 10, true],
  ['authorized', 0, 7],
  ['payment pending', 0, 7],
  ['held for review', 0, 12],
  ['payment failed', 7, 6],
  ['captured', 7, 11],
  ['captured', 7, 10, true],
  ['captured', 9, 9],
  ['voided', 7, 5],
  ['refunded in part', 2, 14],
  ['refunded', 14, 4],
  ['shipped in part', 11, 3],
  ['shipped', 3, 2],
  ['to be collected', 11, 8],
  ['collected', 8, 10],
])('an order that is %s in status %i comes to %i', (happening, status_id, to, order_is_digital = false) => {
  expect(statusAfter(happening, { status_id, order_is_digital })).toBe(to)
})

const allowed: readonly [from: (typeof PAYMENT_STATUSES)[number], event: PaymentEvent, to: string][] = [
  ['', 'authorization approved', 'authorized'],
  ['', 'purchase approved', 'captured'],
  ['', 'paid without a gateway', 'paid'],
  ['', 'answer pending', 'pending'],
  ['', 'held', 'held for review'],
  ['', 'declined', 'declined'],
  ['', 'paid in part', ''],
  ['', 'refunded in part', 'partially refunded'],
  ['', 'refunded', 'refunded'],
  ['pending', 'paid in part', ''],
  ['pending', 'authorization approved', 'authorized'],
  ['pending', 'purchase approved', 'captured'],
  ['pending', 'declined', 'declined'],
  ['held for review', 'authorization approved', 'authorized'],
  ['held for review', 'purchase approved', 'captured'],
  ['held for review', 'rejected', 'void'],
  ['held for review', 'paid in part', ''],
  ['partially refunded', 'refunds failed', 'captured'],
  ['refunded', 'refunds failed', 'captured'],
  ['declined', 'authorization approved', 'authorized'],
  ['declined', 'purchase approved', 'captured'],
  ['declined', 'paid without a gateway', 'paid'],
  ['declined', 'answer pending', 'pending'],
  ['declined', 'held', 'held for review'],
  ['declined', 'declined', 'declined'],
  ['declined', 'paid in part', 'declined'],
  ['declined', 'refunded in part', 'partially refunded'],
  ['declined', 'refunded', 'refunded'],
  ['authorized', 'capture requested', 'capture pending'],
  ['authorized', 'void requested', 'void pending'],
  ['authorized', 'authorization expired', 'void'],
  ['capture pending', 'capture approved', 'captured'],
  ['capture pending', 'capture failed', 'authorized'],
  ['void pending', 'void approved', 'void'],
  ['void pending', 'void failed', 'authorized'],
  ['captured', 'refunded in part', 'partially refunded'],
  ['captured', 'refunded', 'refunded'],
  ['paid', 'refunded in part', 'partially refunded'],
  ['paid', 'refunded', 'refunded'],
  ['partially refunded', 'refunded in part', 'partially refunded'],
  ['partially refunded', 'refunded', 'refunded'],
  ['refunded', 'refunded in part', 'partially refunded'],
  ['refunded', 'refunded', 'refunded'],
  ['void', 'refunded in part', 'partially refunded'],
  ['void', 'refunded', 'refunded'],
]

test('the money of an order moves as the table says, and in no other way', () => {
  const events = [...new Set(allowed.map(([, event]) => event))]
  const found = PAYMENT_STATUSES.flatMap((from) =>
    events.flatMap((event) => {
      const to = transition(from, event)
      return to === undefined ? [] : [[from, event, to]]
    }),
  )
  expect(found.map(String).sort()).toEqual(allowed.map(String).sort())
})

test('R29: nothing is refunded while money is authorized or an answer is missing', () => {
  expect(PAYMENT_STATUSES.filter((status) => !canBeRefunded(status))).toEqual([
    'authorized',
    'capture pending',
    'held for review',
    'pending',
    'void pending',
  ])
})
