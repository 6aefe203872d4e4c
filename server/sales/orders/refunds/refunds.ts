import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { amountOf, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { Answer, answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { parseDate } from '../../../core/rest/input/dates.ts'
import { Id, IdList, idSegment } from '../../../core/rest/input/fields.ts'
import { envelope, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging, pagingUpTo } from '../../../core/rest/lists/paging.ts'
import { findOne, insertAll, insertOne, takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { QuotesOf, TaxQuotes } from '../../tax/estimates/quote.ts'
import { transition } from '../arithmetic/payment-status.ts'
import {
  isOfflineProvider,
  NO_CREDIT_FOR_GUESTS,
  NO_SUCH_METHOD,
  paymentMistakes,
} from '../arithmetic/refund-methods.ts'
import { isPayable, type Quote, remainingOf } from '../arithmetic/refund-quote.ts'
import { lockForMoney, type MoneyParts } from '../captures/captures.ts'
import { orders } from '../row/rows.ts'
import { writeTransaction } from '../transactions/transactions.ts'
import { orderSubject } from '../writing/events.ts'
import { moveOrder } from '../writing/move.ts'
import { itemsIn, NewRefund, numberOf, refuseUnclear } from './bodies.ts'
import { methodsOf, outsideQuote, quoteOf, taxedQuote } from './quotes.ts'
import { findRefundable, type Refundable, refuseUnpaid } from './refundable.ts'
import { countRefunded } from './refunded-units.ts'
import { refundTask } from './repayments.ts'
import { findRepayments, Refund, type RefundRow, refunds, refundToAnswer, repayments } from './rows.ts'
import { lockSold, takeBackSold, withSpent } from './sold-certificates.ts'

/** Most refunds of one order, declined ones included. All of them fit on a page. */
const REFUNDS_MAX = 1_000

/** Routes of refunds. Jobs make the payments (docs/contract/refunds.md section 5). */
export function refundRoutes(api: Api, parts: MoneyParts, quotesOf: QuotesOf) {
  const { read, write } = access('refunds')
  const ofOrder = `/orders/${idSegment('order_id')}/payment_actions/refunds`
  const params = t.Object({ order_id: Id })
  const transaction_id = t.Optional({ ...Id, description: 'The transaction of a payment of the refund' })

  api.post(
    ofOrder,
    {
      ...write,
      schema: {
        summary: 'Create a refund',
        operationId: 'createRefund',
        description:
          'Refunds units of lines, and amounts of other items, to `payments`: one of the `refund_methods` of a refund quote for the same items. The payments are made later; refunds of an order one after another.',
        params,
        body: NewRefund,
        response: { 201: envelope(Refund), 423: ProblemBody },
      },
    },
    async (request) => {
      const { db, params, body } = request
      const quotes = quotesOf(request)
      const { refund, payments } = await db.transaction((tx) =>
        createRefund(tx, { ...parts, quotes }, params.order_id, body),
      )
      return new Answer({ data: refundToAnswer(refund, payments), meta: {} }, 201)
    },
  )

  api.get(
    ofOrder,
    {
      ...read,
      schema: {
        summary: 'List the refunds of an order',
        operationId: 'listOrderRefunds',
        description: 'All refunds are on one page unless the query has a limit.',
        params,
        querystring: t.Unsafe<ListQuery>(
          t.Object({ transaction_id, ...pagingUpTo(REFUNDS_MAX, REFUNDS_MAX) }, { additionalProperties: false }),
        ),
        response: { 200: t.Object({ data: t.Array(Refund), meta: PageMeta }) },
      },
    },
    async ({ db, params: { order_id }, query }) => {
      await findOne(db, orders, order_id)
      return listRefunds(db, query, sql`order_id = ${order_id} and ${settledBy(db, query.transaction_id)}`)
    },
  )

  api.get(
    '/orders/payment_actions/refunds',
    {
      ...read,
      schema: {
        summary: 'List the refunds of all orders',
        operationId: 'listRefunds',
        querystring: t.Unsafe<ListQuery>(
          t.Object(
            {
              'order_id:in': t.Optional(IdList),
              'id:in': t.Optional(IdList),
              'created:min': t.Optional(t.String({ format: 'date-time' })),
              'created:max': t.Optional(t.String({ format: 'date-time' })),
              transaction_id,
              ...paging,
            },
            { additionalProperties: false },
          ),
        ),
        response: { 200: t.Object({ data: t.Array(Refund), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { transaction_id, 'created:min': min, 'created:max': max } = query
      const conditions = [
        settledBy(db, transaction_id),
        ...(min === undefined ? [] : [sql`created >= ${toMilliseconds(String(min))}`]),
        ...(max === undefined ? [] : [sql`created <= ${toMilliseconds(String(max))}`]),
      ]
      return listRefunds(db, query, sql.and(conditions))
    },
  )

  api.get(
    `/orders/payment_actions/refunds/${idSegment('refund_id')}`,
    {
      ...read,
      schema: {
        summary: 'Get a refund',
        operationId: 'getRefund',
        params: t.Object({ refund_id: Id }),
        response: { 200: envelope(Refund) },
      },
    },
    async ({ db, params: { refund_id } }) => {
      const row = await findOne(db, refunds, refund_id)
      return answer(refundToAnswer(row, await findRepayments(db, sql`refund_id = ${refund_id}`)))
    },
  )
}

async function listRefunds(db: Db, query: ListQuery, where: Sql) {
  const { data, meta } = await findRows(db, refunds, query, where)
  // The query selects all columns.
  return new Answer({ data: await withPayments(db, data as RefundRow[]), meta })
}

/** Matches refunds that have a payment with this transaction. */
const settledBy = (db: Db, transaction_id: unknown): Sql =>
  transaction_id === undefined
    ? sql`true`
    : sql`id in (
        select refund_id from order_refund_payments
        where store_id = ${db.store.id} and transaction_id = ${Number(transaction_id)}
      )`

/** Reads a date with its milliseconds, so that a filter can have a `created` of an answer (docs/contract/conventions.md section 12). */
function toMilliseconds(text: string): string {
  const at = parseDate(text)?.at ?? new Date(0)
  const [, fraction = ''] = /\.(\d{1,3})/.exec(text) ?? []
  return new Date(at.getTime() + Number(fraction.padEnd(3, '0'))).toISOString()
}

async function withPayments(db: Db, rows: readonly RefundRow[]) {
  const ids = rows.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await findRepayments(db, sql`refund_id = any(${ids})`)
  const paymentsBy = Map.groupBy(found, ({ refund_id }) => refund_id)
  return rows.map((row) => refundToAnswer(row, paymentsBy.get(row.id) ?? []))
}

interface RefundParts extends MoneyParts {
  /** Answers of the store's tax provider in this request. Without them shares of the recorded tax count. */
  quotes?: TaxQuotes
}

/**
 * Accepts a refund: calculates its quote with the order locked, reserves the money and the units, takes sold gift certificates back, and enqueues a
 * job.
 * @throws Problem 404, 403 for too many, 422, 423 if another transaction locks the order for more than five seconds, 503 without an
 * answer of the tax provider
 */
export async function createRefund(tx: Tx, parts: RefundParts, order_id: number, wanted: NewRefund) {
  refuseUnclear(wanted)
  const locked = await lockForMoney(tx, order_id)
  const found = (await findRefundable(tx, parts, [locked], tx.now)).get(order_id)
  if (!found) throw new Error('An order that is locked was not found.')
  const refundable = { ...found, sold: await lockSold(tx, found) }
  const body = withSpent(refundable, wanted)
  if (refundable.count >= REFUNDS_MAX) throw new Problem(403, `An order can have at most ${REFUNDS_MAX} refunds.`)
  const quote = await checkedQuote(tx, parts.quotes, refundable, body)
  const repaid = wantedPayments(refundable, quote, body)

  const ids = await takeIds(tx, [
    [refunds, 1],
    [repayments, repaid.length],
  ])
  const id = ids.next(refunds)
  const certificates = await takeBackSold(tx, refundable, quote)
  const row = { ...refundRow(quote, body, { id, order_id, now: tx.now }), certificates }
  const { refund, payments } = await tx.together(() => ({
    refund: insertOne(tx, refunds, row),
    payments: insertAll(
      tx,
      repayments,
      repaid.map(({ provider_id, amount, offline }) => ({
        id: ids.next(repayments),
        refund_id: id,
        order_id,
        provider_id,
        amount,
        offline,
        state: 'waiting' as const,
        declined_message: '',
        transaction_id: null,
      })),
    ),
    lines: countRefunded(tx, row.items, 1),
  }))
  await settleImplicit(tx, refundable)
  await enqueue(tx, refundTask, { key: orderSubject({ id: order_id }), payload: { order_id, refund_id: id } })
  publish(tx, 'store/order/refund/created', orderSubject({ id: order_id }), {
    type: 'order',
    id: order_id,
    refund: { refund_id: id },
  })
  publish(tx, `store/channel/${locked.channel_id}/order/refund/created`, orderSubject({ id: order_id }), { order_id })
  return { refund, payments }
}

/** The quote of a refund, with calculated amounts or those of the merchant. @throws Problem 422, 503, NeedsPreparation */
async function checkedQuote(
  tx: Tx,
  quotes: TaxQuotes | undefined,
  refundable: Refundable,
  body: NewRefund,
): Promise<Quote> {
  const { merchant_calculated_override: override } = body
  if (!override) {
    const quote = await taxedQuote(tx, quotes, refundable, body)
    if (quote.total <= 0n) throw invalid({ items: 'The total of these items is 0: there is nothing to refund.' })
    return quote
  }
  const { order } = refundable
  // The items must be refundable even if the merchant sets the amounts.
  const moves = movesOf(refundable, body)
  const [total, tax] = [numberOf(override.total_amount), numberOf(override.total_tax)]
  const recorded = sumOf(order.components.map((component) => component.tax))
  const mistakes: Record<string, string> = {}
  const at = (field: string) => `merchant_calculated_override.${field}`
  if (total <= 0 || !isPayable(total, order.decimals)) {
    mistakes[at('total_amount')] = `total_amount must be more than 0, with at most ${order.decimals} decimals.`
  } else if (unitsOf(total) > remainingOf(order)) {
    mistakes[at('total_amount')] = `Only ${amountOf(remainingOf(order))} can still be refunded.`
  }
  if (!isPayable(Math.abs(tax), order.decimals) || unitsOf(tax) < -recorded || tax > total) {
    mistakes[at('total_tax')] = `total_tax must be from ${amountOf(-recorded)} to total_amount.`
  }
  if (Object.keys(mistakes).length > 0) throw invalid(mistakes)
  return outsideQuote({ total: unitsOf(total), tax: unitsOf(tax), moves })
}

/** The units of a refund whose amounts the merchant sets. A refund of tax alone has none. */
function movesOf(refundable: Refundable, body: NewRefund): Quote['moves'] {
  if (body.tax_adjustment_amount === undefined) return quoteOf(refundable, body).moves
  refuseUnpaid(refundable)
  return []
}

/** The payments of a refund, all those of one method. @throws Problem 422 */
function wantedPayments(refundable: Refundable, quote: Quote, body: NewRefund) {
  const methods = methodsOf(refundable, quote)
  const wanted = body.payments?.map(({ provider_id, amount, offline = isOfflineProvider(provider_id) }) => ({
    provider_id,
    amount: numberOf(amount),
    offline,
  }))
  if (!wanted) {
    const [only, ...others] = refundable.tenders
    const original = methods.find((method) => method.length === 1 && method[0]?.provider_id === only?.provider_id)
    if (body.tax_adjustment_amount === undefined || !original || others.length > 0) {
      throw invalid({ payments: 'error.path.missing' })
    }
    return original.map(({ provider_id, amount, offline }) => ({ provider_id, amount: amountOf(amount), offline }))
  }
  const { payments: mistake } = paymentMistakes(refundable.paid, methods, wanted)
  if (mistake !== undefined) {
    throw new Problem(422, mistake === NO_CREDIT_FOR_GUESTS ? mistake : NO_SUCH_METHOD, { payments: mistake })
  }
  return wanted
}

function refundRow(quote: Quote, body: NewRefund, { id, order_id, now }: { id: number; order_id: number; now: Date }) {
  const amounts = itemsIn(body)
  const amountFor = (type: string, item: number): Units =>
    quote.moves.find(({ component }) => component.type === type && component.id === item)?.amount ?? 0n
  return {
    id,
    order_id,
    created: now.toISOString(),
    reason: body.reason ?? '',
    total_amount: amountOf(quote.total),
    total_tax: amountOf(quote.tax),
    uses_merchant_override_values: body.merchant_calculated_override !== undefined,
    items: (body.items ?? []).map(({ item_type, item_id, reason = '', adjustments = [] }, i) => {
      const isCounted = item_type === 'PRODUCT' || item_type === 'GIFT_WRAPPING'
      return {
        item_type,
        item_id,
        quantity: isCounted ? (amounts[i]?.quantity ?? null) : null,
        requested_amount: isCounted ? null : (amounts[i]?.amount ?? null),
        exact_amount: amountOf(amountFor(item_type, item_id)),
        reason,
        adjustments: adjustments.map(({ amount, description = '' }) => ({ amount: numberOf(amount), description })),
      }
    }),
    exact_amount: amountOf(quote.precise),
    exact_tax: amountOf(quote.preciseTax),
    item_amount: amountOf(quote.itemPart),
    item_tax: amountOf(quote.itemTax),
    tax_correction: amountOf(quote.correction),
    is_plain: quote.isPlain,
    is_declined: false,
  }
}

/**
 * Records the payment of an order that counts as paid by its status. From now on its tenders come from transactions
 * (docs/contract/order-payments.md section 2).
 */
async function settleImplicit(tx: Tx, { row, tenders }: Refundable) {
  for (const { provider_id, captured, isImplicit } of tenders) {
    if (!isImplicit) continue
    const details = { offline: { display_name: row.payment_method || 'Manual payment' } }
    await writeTransaction(tx, row, {
      event: 'purchase',
      method: 'offline',
      gateway: provider_id,
      amount: amountOf(captured),
      details,
    })
  }
  if (!tenders.some(({ isImplicit }) => isImplicit)) return
  const payment_status = transition(row.payment_status, 'paid without a gateway')
  if (payment_status !== undefined) await moveOrder(tx, row, { payment_status })
}
