import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import type { Sql } from '../../../core/db/sql.ts'
import { AMOUNT_MAX, Amount } from '../../../core/rest/input/amounts.ts'
import { Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { TakenCertificate } from '../../promotions/purchased-certificates.ts'

// Refunds and repayments, as they are stored and as answers show them (docs/contract/refunds.md section 5).
//
// A refund returns money of a paid order for some of its items, for an amount of the order, or for tax that was charged too much. A client asks
// for it, often after a quote, and names the payments that return the money; these are the repayments. The amounts are calculated with the
// order locked, or set by the merchant. Units and money are reserved at once, so that two refunds can't return the same; a job then makes the
// repayments one after another. Each outcome is a transaction of the order and moves its payment status, its status and its refunded
// amount. If all repayments are declined, the refund is declined and its units can be refunded again. A gateway can report the failure of
// a repayment that it had approved; then the money belongs to the order again. A refund returns no stock. It is never changed by clients
// and never deleted.

export const ITEM_TYPES = ['PRODUCT', 'GIFT_WRAPPING', 'SHIPPING', 'HANDLING', 'FEE', 'ORDER', 'TAX'] as const

const Signed = Amount({ minimum: -AMOUNT_MAX })
const Adjustments = t.Array(t.Object({ amount: Signed, description: t.String() }))

const StoredItem = t.Object({
  item_type: t.Enum([...ITEM_TYPES]),
  item_id: Id,
  quantity: nullable(t.Integer()),
  requested_amount: nullable(t.Number()),
  reason: t.String(),
  adjustments: Adjustments,
  // The amount with tax before rounding. Lines show it.
  exact_amount: t.Number(),
})
export type StoredItem = Static<typeof StoredItem>

const RefundRow = t.Object({
  id: Id,
  order_id: Id,
  created: Moment,
  reason: t.String(),
  total_amount: Amount(),
  total_tax: Signed,
  uses_merchant_override_values: t.Boolean(),
  items: t.Array(StoredItem),
  exact_amount: Signed,
  exact_tax: Signed,
  item_amount: Signed,
  item_tax: Signed,
  // Of exact_tax, the difference that the answer of a tax provider made.
  tax_correction: Signed,
  is_plain: t.Boolean(),
  is_declined: t.Boolean(),
  certificates: t.Array(TakenCertificate),
})
export type RefundRow = Static<typeof RefundRow>

/** The items of a refund, as far as they reduce an order. */
export interface RefundedItems {
  items: readonly Pick<StoredItem, 'item_type' | 'item_id' | 'quantity' | 'requested_amount'>[]
}

export const refunds = collection('order_refunds', RefundRow, { noun: 'refund', filters: 'order_id:in id:in' })

const RepaymentRow = t.Object({
  id: Id,
  refund_id: Id,
  order_id: Id,
  provider_id: t.String(),
  amount: Amount(),
  offline: t.Boolean(),
  state: t.Enum(['waiting', 'settled', 'declined']),
  declined_message: t.String(),
  transaction_id: nullable(t.Integer()),
})
export type RepaymentRow = Static<typeof RepaymentRow>

export const repayments = collection('order_refund_payments', RepaymentRow, { noun: 'refund payment', filters: '' })

/** Returns repayments in the order of their ids. @param where a condition in SQL */
export const findRepayments = (db: Db, where: Sql): Promise<RepaymentRow[]> => findWhere(db, repayments, where)

const { exact_amount: _, ...shownItem } = StoredItem.properties
export const Refund = t.Object(
  {
    id: Id,
    order_id: Id,
    user_id: t.Integer({ description: 'Always 0: API accounts are not users' }),
    created: t.String({ format: 'date-time', description: 'With milliseconds' }),
    reason: t.String(),
    total_amount: t.Number(),
    total_tax: t.Number(),
    uses_merchant_override_values: t.Boolean(),
    items: t.Array(
      t.Object(
        {
          ...shownItem,
          quantity: nullable({ ...t.Integer(), description: 'For products; else null' }),
          requested_amount: nullable({ ...t.Number(), description: 'The amount in the request; else null' }),
        },
        { title: 'RefundItem' },
      ),
    ),
    payments: t.Array(
      t.Object(
        {
          id: Id,
          provider_id: t.String(),
          amount: t.Number(),
          offline: t.Boolean(),
          is_declined: t.Boolean(),
          declined_message: t.String(),
          transaction_id: nullable({ ...t.String(), description: 'null until the payment is settled or declined' }),
        },
        { title: 'RefundPayment' },
      ),
    ),
  },
  { title: 'Refund' },
)

export const refundToAnswer = (row: RefundRow, payments: readonly RepaymentRow[]): Static<typeof Refund> => ({
  id: row.id,
  order_id: row.order_id,
  user_id: 0,
  created: new Date(row.created).toISOString(),
  reason: row.reason,
  total_amount: row.total_amount,
  total_tax: row.total_tax,
  uses_merchant_override_values: row.uses_merchant_override_values,
  items: row.items.map(({ exact_amount: _, ...item }) => ({
    ...item,
    quantity: item.item_type === 'PRODUCT' ? item.quantity : null,
  })),
  payments: payments.map(({ id, provider_id, amount, offline, state, declined_message, transaction_id }) => ({
    id,
    provider_id,
    amount,
    offline,
    is_declined: state === 'declined',
    declined_message,
    transaction_id: transaction_id === null ? null : String(transaction_id),
  })),
})
