import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { change, findOne, findWhere, insert } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { orderSubject } from '../writing/events.ts'

const Text = nullable(t.String())

const TRANSACTION_EVENTS = ['purchase', 'authorization', 'capture', 'refund', 'void', 'pending', 'settled'] as const
const TRANSACTION_METHODS = [
  'credit_card',
  'electronic_wallet',
  'gift_certificate',
  'store_credit',
  'apple_pay_card',
  'apple_pay_token',
  'bigpay_token',
  'token',
  'custom',
  'offsite',
  'offline',
  'nonce',
] as const

/** The stored data of a card: nothing that could be charged. */
const Card = t.Object(
  {
    card_type: t.Optional(t.String()),
    card_iin: t.Optional(t.String()),
    card_last4: t.Optional(t.String()),
    card_expiry_month: t.Optional(t.Integer()),
    card_expiry_year: t.Optional(t.Integer()),
  },
  { title: 'OrderTransactionCard' },
)

/** Further data of a transaction. Each field belongs to some methods only. */
const TransactionDetails = t.Partial(
  t.Object({
    /** The code and the sentence of the provider. */
    code: t.String(),
    message: t.String(),
    credit_card: Card,
    store_credit: t.Object({ remaining_balance: Amount() }),
    gift_certificate: t.Object({
      code: t.String(),
      original_balance: Amount(),
      starting_balance: Amount(),
      remaining_balance: Amount(),
      status: t.String(),
    }),
    offline: t.Object({ display_name: t.String() }),
    custom: t.Object({ payment_method: t.String() }),
    avs_result: t.Object({
      code: t.String(),
      message: t.String(),
      street_match: t.String(),
      postal_match: t.String(),
    }),
    cvv_result: t.Object({ code: t.String(), message: t.String() }),
  }),
)

/**
 * A transaction (docs/contract/order-payments.md section 1): the record of one movement of an order's money, such as an authorization, a
 * purchase, a capture, a void or a refund. It is stored with the outcome of the call, in the transaction that moves the order, and its
 * event is published. Declined calls are recorded too, with status `error`. A capture, void or refund references the transaction that
 * it follows. Amount and currency are those of the order. Only one change is possible: a provider reports the outcome of a pending
 * transaction, or the late failure of a refund. Clients read transactions and never write them. A transaction is never deleted.
 */
export const TransactionRow = t.Object({
  id: Id,
  order_id: Id,
  event: t.Enum([...TRANSACTION_EVENTS]),
  method: t.Enum([...TRANSACTION_METHODS]),
  amount: Amount(),
  currency: t.String(),
  gateway: t.String(),
  gateway_transaction_id: t.String(),
  test: t.Boolean(),
  status: t.Enum(['ok', 'error']),
  fraud_review: t.Boolean(),
  reference_transaction_id: nullable(t.Integer()),
  payment_method_id: t.String(),
  date_created: Moment,
  details: TransactionDetails,
})
export type TransactionRow = Static<typeof TransactionRow>

export const transactions = collection('order_transactions', TransactionRow, { noun: 'transaction', filters: '' })

const { details: _, ...columns } = TransactionRow.properties
const { properties: parts } = TransactionDetails
/** A transaction as answers show it. */
export const Transaction = t.Object(
  {
    ...columns,
    order_id: t.String(),
    message: nullable({ ...t.String(), description: 'The message of the provider' }),
    offline: nullable(parts.offline),
    custom: nullable(parts.custom),
    credit_card: nullable(parts.credit_card),
    store_credit: nullable(parts.store_credit),
    gift_certificate: nullable(parts.gift_certificate),
    avs_result: nullable(parts.avs_result),
    cvv_result: nullable(parts.cvv_result),
    payment_instrument_token: Text,
    provider_instrument_token: Text,
    provider_customer_id: Text,
    custom_provider_field_result: nullable(t.Object({}, { additionalProperties: true })),
  },
  { title: 'OrderTransaction' },
)

const transactionToAnswer = ({ details, ...row }: TransactionRow): Static<typeof Transaction> => ({
  ...row,
  order_id: String(row.order_id),
  message: details.message ?? null,
  offline: details.offline ?? null,
  custom: details.custom ?? null,
  credit_card: details.credit_card ?? null,
  store_credit: details.store_credit ?? null,
  gift_certificate: details.gift_certificate ?? null,
  avs_result: details.avs_result ?? null,
  cvv_result: details.cvv_result ?? null,
  payment_instrument_token: null,
  provider_instrument_token: null,
  provider_customer_id: null,
  custom_provider_field_result: null,
})

export function transactionRoutes(api: Api) {
  const { read } = access('transactions')

  api.get(
    `/orders/${idSegment('order_id')}/transactions`,
    {
      ...read,
      schema: {
        summary: 'List the transactions of an order',
        params: t.Object({ order_id: Id }),
        querystring: t.Unsafe<ListQuery>(t.Object(paging, { additionalProperties: false })),
        response: { 200: t.Object({ data: t.Array(Transaction), meta: PageMeta }), 204: t.Null() },
      },
    },
    async ({ db, params: { order_id }, query }) => {
      await findOne(db, orders, order_id)
      const { data, meta } = await findRows(db, transactions, query, sql`order_id = ${order_id}`)
      // All columns were asked for.
      const rows = data as TransactionRow[]
      return rows.length === 0 ? noContent() : new Answer({ data: rows.map(transactionToAnswer), meta })
    },
  )
}

/** Returns transactions of orders in the order of their ids. @param where a condition in SQL */
export const findTransactionsOf = (db: Db, orderIds: readonly number[], where: Sql): Promise<TransactionRow[]> =>
  findWhere(db, transactions, sql`order_id = any(${orderIds}) and ${where}`)

/** A transaction to store. Missing fields get the values that most transactions have. */
export interface NewTransaction
  extends Pick<TransactionRow, 'event' | 'method' | 'amount' | 'gateway'>,
    Partial<
      Pick<
        TransactionRow,
        | 'gateway_transaction_id'
        | 'test'
        | 'status'
        | 'fraud_review'
        | 'reference_transaction_id'
        | 'payment_method_id'
        | 'date_created'
        | 'details'
      >
    > {}

/** The code and message of a result, without empty ones. */
export const resultDetails = ({ code, message }: { code: number; message: string }): TransactionRow['details'] => ({
  ...(code === 0 ? {} : { code: String(code) }),
  ...(message === '' ? {} : { message }),
})

/**
 * Stores a transaction and publishes its event. It changes neither status nor payment status of the order: `recordPayment` of
 * `payment-record.ts` does.
 * @param order locked, so that its transactions follow each other
 * @param transaction its amount is in the currency of the order and more than 0
 */
export async function writeTransaction(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'currency_code'>,
  transaction: NewTransaction,
): Promise<TransactionRow> {
  const row = await insert(tx, transactions, {
    gateway_transaction_id: '',
    test: false,
    status: 'ok',
    fraud_review: false,
    reference_transaction_id: null,
    payment_method_id: '',
    date_created: toSeconds(tx.now),
    details: {},
    ...transaction,
    order_id: order.id,
    currency: order.currency_code,
  })
  publishTransaction(tx, 'created', row)
  return row
}

/** @throws Problem 404 */
export const findTransaction = (db: Db, id: number): Promise<TransactionRow> => findOne(db, transactions, id)

/** Stores the later outcome of a transaction. This is the only change of a transaction. */
export async function settleTransaction(
  tx: Tx,
  row: TransactionRow,
  { details, ...changes }: Partial<Pick<TransactionRow, 'status' | 'gateway_transaction_id' | 'details'>>,
): Promise<TransactionRow> {
  const changed = await change(tx, transactions, row, { ...changes, details: { ...row.details, ...details } })
  if (changed !== row) publishTransaction(tx, 'updated', changed)
  return changed
}

/** Has the order as its subject, so that hooks receive it in sequence (docs/contract/webhooks.md section 6). */
function publishTransaction(tx: Tx, action: 'created' | 'updated', row: TransactionRow) {
  const { id, order_id, event, status, details, gateway_transaction_id } = row
  publish(tx, `store/order/transaction/${action}`, orderSubject({ id: order_id }), {
    type: 'transaction',
    order_id: String(order_id),
    transaction_id: String(id),
    transaction_status: status === 'error' ? 'error' : event === 'pending' ? 'pending' : 'complete',
    transaction_type: event,
    result: { code: details.code ?? '', message: details.message ?? '', type: status === 'ok' ? 'success' : 'error' },
    platform_transaction_id: String(id),
    provider_transaction_id: gateway_transaction_id,
  })
}
