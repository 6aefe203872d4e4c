import t, { type Static } from 'typebox'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { RefundItem } from '../arithmetic/refund-quote.ts'
import { ITEM_TYPES } from './rows.ts'

// Bodies of requests for quotes and refunds (docs/contract/refunds.md sections 1 and 5).

/** More than the components of an order: 500 products with their wrapping, 50 fees, shipping, handling, ORDER and TAX. */
const ITEMS_MAX = 1_100

/** A number, or a text with a number. Too many decimals are refused, not rounded. */
const Money = t.Unsafe<number | string>({
  type: ['number', 'string'],
  minimum: -AMOUNT_MAX,
  maximum: AMOUNT_MAX,
  pattern: '^-?\\d{1,11}(\\.\\d{1,4}0*)?$',
})
const Reason = t.String({ maxLength: 1_000 })

const Items = t.Array(
  t.Object(
    {
      item_type: t.Enum([...ITEM_TYPES]),
      item_id: Id,
      quantity: t.Optional(t.Integer({ minimum: 0, description: 'For PRODUCT and GIFT_WRAPPING' })),
      amount: t.Optional({ ...Money, description: 'For all other types' }),
      reason: t.Optional(Reason),
      adjustments: t.Optional(
        t.Array(
          t.Object(
            { amount: Money, description: t.Optional(t.String({ maxLength: 255 })) },
            { title: 'RefundAdjustment' },
          ),
          { maxItems: 50 },
        ),
      ),
    },
    { title: 'NewRefundItem' },
  ),
  { maxItems: ITEMS_MAX },
)

const subject = {
  items: t.Optional(Items),
  tax_adjustment_amount: t.Optional({ ...Money, description: 'Tax that was charged too much, instead of items' }),
}
const example = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]

export const NewQuote = t.Object(subject, { title: 'NewRefundQuote', examples: [{ items: example }] })
export type NewQuote = Static<typeof NewQuote>

export const NewQuotes = t.Array(t.Object({ order_id: Id, ...subject }, { title: 'NewRefundQuoteOfOrder' }), {
  minItems: 1,
  maxItems: 100,
  examples: [[{ order_id: 1, items: example }]],
})

export const NewRefund = t.Object(
  {
    ...subject,
    reason: t.Optional(Reason),
    payments: t.Optional(
      t.Array(
        t.Object(
          {
            provider_id: t.String({ minLength: 1, maxLength: 255 }),
            amount: Money,
            offline: t.Optional(
              t.Boolean({
                description: 'Whether the payment is only recorded. The default is true for offline providers',
              }),
            ),
          },
          { title: 'NewRefundPayment' },
        ),
        { minItems: 1, maxItems: 50 },
      ),
    ),
    merchant_calculated_override: t.Optional(
      t.Object({ total_amount: Money, total_tax: Money }, { title: 'RefundOverride' }),
    ),
  },
  {
    title: 'NewRefund',
    examples: [{ items: example, payments: [{ provider_id: 'custom', amount: 37.5, offline: true }] }],
  },
)
export type NewRefund = Static<typeof NewRefund>

/** Reads an amount of a body as a number. Adding 0 turns -0 into 0. */
export const numberOf = (money: number | string): number => Number(money) + 0

/** Reads the items of a request for the calculation. */
export const itemsIn = ({ items = [] }: NewQuote): RefundItem[] =>
  items.map(({ item_type, item_id, quantity, amount, adjustments }) => ({
    item_type,
    item_id,
    ...(quantity === undefined ? {} : { quantity }),
    ...(amount === undefined ? {} : { amount: numberOf(amount) }),
    ...(adjustments === undefined
      ? {}
      : { adjustments: adjustments.map((adjustment) => ({ amount: numberOf(adjustment.amount) })) }),
  }))

/** Refuses a request with both items and tax, or neither. @throws Problem 422 */
export function refuseUnclear({ items, tax_adjustment_amount }: NewQuote) {
  if (tax_adjustment_amount !== undefined && items !== undefined) {
    throw invalid({ items: 'Send items or tax_adjustment_amount, not both.' })
  }
  if (tax_adjustment_amount === undefined && (items ?? []).length === 0) {
    throw invalid({ items: 'Send at least one item.' })
  }
}
