import t, { type Static } from 'typebox'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { RefundItem } from '../arithmetic/refund-quote.ts'
import { ITEM_TYPES } from './rows.ts'

// What requests for quotes and refunds say (docs/contract/refunds.md sections 1 and 5).

/** More than an order can have: 500 products, each with its wrapping, 50 fees, and what there is one of. */
const ITEMS_MAX = 1_100

/** A number, or the same as text. It is taken as it is: too many decimals are refused, not rounded. */
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
      quantity: t.Optional(t.Integer({ minimum: 0, description: 'Of PRODUCT and GIFT_WRAPPING' })),
      amount: t.Optional({ ...Money, description: 'Of all others' }),
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

const what = {
  items: t.Optional(Items),
  tax_adjustment_amount: t.Optional({ ...Money, description: 'Tax that was charged too much, in place of items' }),
}
const example = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]

export const NewQuote = t.Object(what, { title: 'NewRefundQuote', examples: [{ items: example }] })
export type NewQuote = Static<typeof NewQuote>

export const NewQuotes = t.Array(t.Object({ order_id: Id, ...what }, { title: 'NewRefundQuoteOfOrder' }), {
  minItems: 1,
  maxItems: 100,
  examples: [[{ order_id: 1, items: example }]],
})

export const NewRefund = t.Object(
  {
    ...what,
    reason: t.Optional(Reason),
    payments: t.Optional(
      t.Array(
        t.Object(
          {
            provider_id: t.String({ minLength: 1, maxLength: 255 }),
            amount: Money,
            offline: t.Optional(
              t.Boolean({
                description: 'Whether it is only booked here; if left out, so are those of offline providers',
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

/** An amount of a body as a number. */
export const numberOf = (money: number | string): number => Number(money) + 0

/** The items of a request, as the calculation takes them. */
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

/** A request is about items, or about tax alone. @throws Problem 422 */
export function refuseUnclear({ items, tax_adjustment_amount }: NewQuote) {
  if (tax_adjustment_amount !== undefined && items !== undefined) {
    throw invalid({ items: 'Send items or tax_adjustment_amount, not both.' })
  }
  if (tax_adjustment_amount === undefined && (items ?? []).length === 0) {
    throw invalid({ items: 'At least one item has to be refunded.' })
  }
}
