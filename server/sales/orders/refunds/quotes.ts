import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { offlineGateway } from '../../payments/gateways/offline.ts'
import type { QuotesOf, TaxQuotes } from '../../tax/estimates/quote.ts'
import { type PaymentOption, refundMethods } from '../arithmetic/refund-methods.ts'
import { isPayable, overchargedTax, type Quote, quoteRefund, remainingOf } from '../arithmetic/refund-quote.ts'
import { type MoneyParts, noSuchOrder } from '../captures/captures.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { requestedUntil } from '../writing/archive.ts'
import { itemsIn, NewQuote, NewQuotes, numberOf, refuseUnclear } from './bodies.ts'
import { findRefundable, type Refundable, refuseUnpaid } from './refundable.ts'
import { withSpent } from './sold-certificates.ts'
import { NO_TAX_ANSWER, taxCorrections } from './tax-corrections.ts'

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
    errors: t.Array(t.Object({ order_id: Id, status: t.Integer(), error: t.String() }, { title: 'RefundQuoteError' })),
    meta: t.Object({ total: t.Integer(), success: t.Integer(), failure: t.Integer() }),
  },
  { title: 'RefundQuotes' },
)

/** Routes of quotes. They store nothing (docs/contract/refunds.md section 5). */
export function quoteRoutes(api: Api, parts: MoneyParts, quotesOf: QuotesOf) {
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
    async (request) => {
      const { db, params, body } = request
      const { order_id } = params
      refuseUnclear(body)
      const open = await findOpen(db, [order_id])
      const refundable = (await findRefundable(db, parts, open, db.now)).get(order_id)
      if (!refundable) throw noSuchOrder(order_id)
      const quote = await taxedQuote(db, quotesOf(request), refundable, withSpent(refundable, body))
      return new Answer({ data: quoteToAnswer(refundable, quote), meta: {} }, 201)
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
        response: {
          201: Quotes,
          207: Quotes,
          422: t.Union([Quotes, ProblemBody]),
          503: t.Union([Quotes, ProblemBody]),
        },
      },
    },
    async (request) => {
      const { db, body } = request
      const open = await findOpen(
        db,
        body.map(({ order_id }) => order_id),
      )
      const found = await findRefundable(db, parts, open, db.now)
      const checked = body.map(({ order_id, ...asked }) =>
        orProblem(() => {
          refuseUnclear(asked)
          const refundable = found.get(order_id)
          if (!refundable) throw noSuchOrder(order_id)
          const wanted = withSpent(refundable, asked)
          quoteOf(refundable, wanted)
          return { refundable, wanted, items: itemsIn(wanted) }
        }),
      )
      const valid = checked.flatMap((one) => (one instanceof Problem ? [] : [one]))
      const corrections = await taxCorrections(db, quotesOf(request), valid)
      const correctionOf = new Map(valid.map((one, i) => [one, corrections[i]]))
      const quoted = checked.map((one) =>
        one instanceof Problem
          ? one
          : orProblem(() => correctedQuote(one.refundable, one.wanted, correctionOf.get(one))),
      )
      return answerOfQuotes(body, quoted)
    },
  )
}

type QuoteInAnswer = Static<typeof RefundQuote>

function correctedQuote(refundable: Refundable, wanted: NewQuote, correction: Units | undefined): QuoteInAnswer {
  if (correction === undefined) throw NO_TAX_ANSWER
  return quoteToAnswer(refundable, quoteOf(refundable, wanted, correction))
}

/** @param quoted in the order of the body */
function answerOfQuotes(body: Static<typeof NewQuotes>, quoted: readonly (QuoteInAnswer | Problem)[]) {
  const data = quoted.flatMap((one) => (one instanceof Problem ? [] : [one]))
  const errors = quoted.flatMap((one, i) =>
    one instanceof Problem
      ? [
          {
            order_id: body[i]?.order_id ?? 0,
            status: one.status,
            error: Object.values(one.errors)[0] ?? one.message,
          },
        ]
      : [],
  )
  const meta = { total: body.length, success: data.length, failure: errors.length }
  const ifNone = errors.every(({ status }) => status === NO_TAX_ANSWER.status) ? NO_TAX_ANSWER.status : 422
  return new Answer({ data, errors, meta }, errors.length === 0 ? 201 : data.length === 0 ? ifNone : 207)
}

function orProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/**
 * Returns the quote of a request that `refuseUnclear` has passed, with the tax of the provider that has taxed the order.
 * @throws Problem 422, 503 without an answer of the provider, NeedsPreparation
 */
export async function taxedQuote(
  db: Db,
  quotes: TaxQuotes | undefined,
  refundable: Refundable,
  body: NewQuote,
): Promise<Quote> {
  const quote = quoteOf(refundable, body)
  const [correction] = await taxCorrections(db, quotes, [{ refundable, items: itemsIn(body) }])
  if (correction === undefined) throw NO_TAX_ANSWER
  return correction === 0n ? quote : quoteOf(refundable, body, correction)
}

/** Reads the orders that exist and are not archived. They are not locked: a quote waits for no other request. */
const findOpen = (db: Db, ids: readonly number[]): Promise<OrderRow[]> =>
  findWhere(db, orders, sql`id = any(${[...new Set(ids)]}) and not is_deleted and id > ${requestedUntil(db)}`)

/**
 * Returns the quote of a request that `refuseUnclear` has passed.
 * @param correction of its tax (`taxCorrections`)
 * @throws Problem 422 with all mistakes
 */
export function quoteOf(refundable: Refundable, body: NewQuote, correction: Units = 0n): Quote {
  refuseUnpaid(refundable)
  if (body.tax_adjustment_amount !== undefined) return quoteTax(refundable, numberOf(body.tax_adjustment_amount))
  const outcome = quoteRefund(refundable.order, itemsIn(body), correction)
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
  correction: 0n,
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
