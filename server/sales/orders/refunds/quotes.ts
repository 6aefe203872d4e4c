import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { offlineGateway } from '../../payments/gateways/offline.ts'
import { type PaymentOption, refundMethods } from '../arithmetic/refund-methods.ts'
import { isPayable, overchargedTax, type Quote, quoteRefund, remainingOf } from '../arithmetic/refund-quote.ts'
import { type MoneyParts, noSuchOrder } from '../captures/captures.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { requestedUntil } from '../writing/archive.ts'
import { itemsIn, NewQuote, NewQuotes, numberOf, refuseUnclear } from './bodies.ts'
import { findRefundable, type Refundable, refuseUnpaid } from './refundable.ts'

const Option = t.Object(
  {
    provider_id: t.String(),
    provider_description: t.String(),
    amount: t.Number(),
    offline: t.Boolean(),
    offline_provider: t.Boolean(),
    offline_reason: t.String(),
  },
  { title: 'RefundPaymentOption' },
)
const RefundQuote = t.Object(
  {
    order_id: Id,
    total_refund_amount: t.Number(),
    total_refund_tax_amount: t.Number(),
    order_level_refund_amount: t.Number(),
    rounding: t.Number(),
    adjustment: t.Number(),
    tax_inclusive: t.Boolean(),
    is_tax_included: t.Boolean(),
    refund_methods: t.Array(t.Array(Option), { description: 'A refund makes all payments of one method' }),
  },
  { title: 'RefundQuote' },
)
const Quotes = t.Object(
  {
    data: t.Array(RefundQuote),
    errors: t.Array(t.Object({ order_id: Id, status: t.Integer(), error: t.String() }, { title: 'FailedRefundQuote' })),
    meta: t.Object({ total: t.Integer(), success: t.Integer(), failure: t.Integer() }),
  },
  { title: 'RefundQuotes' },
)

/** Routes of quotes. They store nothing (docs/contract/refunds.md section 5). */
export function quoteRoutes(api: Api, parts: MoneyParts) {
  const { write } = access('refunds')

  api.post(
    `/orders/${idSegment('order_id')}/payment_actions/refund_quotes`,
    {
      ...write,
      schema: {
        summary: 'Quote a refund',
        operationId: 'createRefundQuote',
        description: 'Returns the amounts and the methods of a refund. It stores nothing.',
        params: t.Object({ order_id: Id }),
        body: NewQuote,
        response: { 201: envelope(RefundQuote) },
      },
    },
    async ({ db, params: { order_id }, body }) => {
      refuseUnclear(body)
      const open = await findOpen(db, [order_id])
      const refundable = (await findRefundable(db, parts, open, api.clock.now())).get(order_id)
      if (!refundable) throw noSuchOrder(order_id)
      return new Answer({ data: quoteToAnswer(refundable, quoteOf(refundable, body)), meta: {} }, 201)
    },
  )

  api.post(
    '/orders/payment_actions/refund_quotes',
    {
      ...write,
      schema: {
        summary: 'Quote refunds of several orders',
        operationId: 'createRefundQuotes',
        body: NewQuotes,
        response: { 201: Quotes, 207: Quotes, 422: t.Union([Quotes, ProblemBody]) },
      },
    },
    async ({ db, body }) => {
      const open = await findOpen(
        db,
        body.map(({ order_id }) => order_id),
      )
      const found = await findRefundable(db, parts, open, api.clock.now())
      const data: Static<typeof RefundQuote>[] = []
      const errors: Static<typeof Quotes>['errors'] = []
      for (const { order_id, ...wanted } of body) {
        try {
          refuseUnclear(wanted)
          const refundable = found.get(order_id)
          if (!refundable) throw noSuchOrder(order_id)
          data.push(quoteToAnswer(refundable, quoteOf(refundable, wanted)))
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          errors.push({ order_id, status: error.status, error: Object.values(error.errors)[0] ?? error.message })
        }
      }
      const meta = { total: body.length, success: data.length, failure: errors.length }
      return new Answer({ data, errors, meta }, errors.length === 0 ? 201 : data.length === 0 ? 422 : 207)
    },
  )
}

/** Reads the orders that exist and are not archived. They are not locked: a quote waits for no other request. */
const findOpen = (db: Db, ids: readonly number[]): Promise<OrderRow[]> =>
  findWhere(db, orders, sql`id = any(${[...new Set(ids)]}) and not is_deleted and id > ${requestedUntil(db)}`)

/** Returns the quote of a request that `refuseUnclear` has passed. @throws Problem 422 with all mistakes */
export function quoteOf(refundable: Refundable, body: NewQuote): Quote {
  refuseUnpaid(refundable)
  if (body.tax_adjustment_amount !== undefined) return quoteTax(refundable, numberOf(body.tax_adjustment_amount))
  const outcome = quoteRefund(refundable.order, itemsIn(body))
  if ('mistakes' in outcome) throw invalid(outcome.mistakes)
  return outcome.quote
}

/** Quotes the tax that was charged too much. The request must name its exact amount (docs/contract/refunds.md section 4). */
function quoteTax({ order }: Refundable, amount: number): Quote {
  const overcharged = overchargedTax(order)
  if (amount <= 0 || !isPayable(amount, order.decimals) || unitsOf(amount) !== overcharged) {
    throw invalid({ tax_adjustment_amount: `The tax that was charged too much is ${amountOf(overcharged)}.` })
  }
  if (overcharged > remainingOf(order)) {
    throw invalid({ tax_adjustment_amount: `Only ${amountOf(remainingOf(order))} can still be refunded.` })
  }
  return outsideQuote({ total: overcharged, tax: overcharged, moves: [] })
}

/** A quote with amounts that were not calculated from items. */
export const outsideQuote = ({ total, tax, moves }: Pick<Quote, 'total' | 'tax' | 'moves'>): Quote => ({
  total,
  tax,
  moves,
  orderLevel: 0n,
  rounding: 0n,
  adjustment: 0n,
  precise: 0n,
  preciseTax: 0n,
  itemPart: 0n,
  itemTax: 0n,
  isPlain: false,
})

/** The methods to refund the total of a quote. */
export const methodsOf = ({ paid }: Refundable, { total }: Quote): PaymentOption[][] =>
  total > 0n ? refundMethods(paid, total) : []

function quoteToAnswer(refundable: Refundable, quote: Quote): Static<typeof RefundQuote> {
  const { row, names } = refundable
  const nameOf = (provider_id: string) => names.get(provider_id) ?? offlineGateway(provider_id).name
  return {
    order_id: row.id,
    total_refund_amount: amountOf(quote.total),
    total_refund_tax_amount: amountOf(quote.tax),
    order_level_refund_amount: amountOf(quote.orderLevel),
    rounding: amountOf(quote.rounding),
    adjustment: amountOf(quote.adjustment),
    tax_inclusive: row.is_tax_inclusive_pricing,
    is_tax_included: row.is_tax_inclusive_pricing,
    refund_methods: methodsOf(refundable, quote).map((method) =>
      method.map(({ amount, ...option }) => ({
        ...option,
        amount: amountOf(amount),
        provider_description: nameOf(option.provider_id),
      })),
    ),
  }
}
