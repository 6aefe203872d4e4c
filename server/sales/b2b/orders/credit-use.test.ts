import { expect, test } from 'vitest'
import { unitsOf } from '../../../core/money/units.ts'
import { type CreditOrder, creditUse } from './credit-use.ts'

// docs/contract/b2b-orders.md section 4.

const order: CreditOrder = {
  status_id: 11,
  payment_method: 'Purchase Order',
  total_inc_tax: 60,
  refunded_amount: 0,
  store_credit_amount: 0,
  gift_certificate_amount: 0,
}
const same = { order: 1n, credit: 1n }

test.each<[more: Partial<CreditOrder>, expected: number]>([
  [{}, 60],
  [{ payment_method: ' purchase_order ' }, 60],
  [{ payment_method: 'PURCHASE-ORDER' }, 60],
  [{ payment_method: 'po' }, 60],
  [{ payment_method: 'Purchase' }, 0],
  [{ payment_method: 'Post' }, 0],
  [{ payment_method: '' }, 0],
  [{ status_id: 0 }, 0],
  [{ status_id: 1 }, 60],
  [{ status_id: 4 }, 0],
  [{ status_id: 5 }, 0],
  [{ status_id: 6 }, 0],
  [{ status_id: 14, refunded_amount: 20.5 }, 39.5],
  [{ refunded_amount: 60 }, 0],
  [{ refunded_amount: 70 }, 0],
  [{ store_credit_amount: 10, gift_certificate_amount: 5 }, 45],
])('%j takes %d', (more, expected) => {
  expect(creditUse({ ...order, ...more }, same)).toBe(unitsOf(expected))
})

test('an order in another currency takes its value in that of the credit, rounded once', () => {
  expect(creditUse({ ...order, total_inc_tax: 100 }, { order: 3n, credit: 2n })).toBe(unitsOf(66.6667))
})
