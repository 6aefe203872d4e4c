import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { change, lock } from '../../core/rest/verbs.ts'
import { type AttemptRow, findAttempt } from '../../payments/attempts.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { providerAt } from '../../payments/providers.ts'
import { returnTry, spendTokens } from '../../payments/tokens.ts'
import { recordPayment } from '../payment-record.ts'
import { type OrderRow, orders } from '../rows.ts'
import { findTransaction, type NewTransaction, saidBy, settleTransaction } from '../transactions.ts'

/**
 * `open`: sent, or about to be. `pending` and `review`: the gateway decides later. `failed`: certainly not made, for no fault of the
 * shopper's.
 */
export type PaymentState = 'open' | 'pending' | 'review' | 'approved' | 'declined' | 'failed'

/** What may be shown of what a shopper paid with. */
export type InstrumentFacts = Pick<NewTransaction, 'method'> &
  Pick<NonNullable<NewTransaction['details']>, 'credit_card'>

/** A payment that a shopper asked for. */
export interface PaymentRow {
  id: string
  order_id: number
  /** Of the token that it was made with. */
  jti: string
  attempt_key: string
  payment_method_id: string
  operation: 'authorize' | 'purchase'
  amount: number
  instrument: InstrumentFacts
  state: PaymentState
  transaction_id: number | null
  idempotency_key: string
  request_hash: string
  created_at: string
}

export const hasEnded = ({ state }: Pick<PaymentRow, 'state'>) =>
  state === 'approved' || state === 'declined' || state === 'failed'

const columns = sql`id, order_id, jti, attempt_key, payment_method_id, operation, amount, instrument, state, transaction_id,
  idempotency_key, request_hash, created_at`

export const findPayment = (db: Db, id: string): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`select ${columns} from payments where store_id = ${db.store.id} and id = ${id}`)

/** The payment that an attempt is of; captures and refunds have none. */
export const paymentOfAttempt = (db: Db, key: string): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`select ${columns} from payments where store_id = ${db.store.id} and attempt_key = ${key}`)

/** The payment of an order that a request with this key began. @param since requests before are forgotten */
export const paymentOfRequest = (db: Db, order_id: number, key: string, since: Date): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`
    select ${columns} from payments
    where store_id = ${db.store.id} and order_id = ${order_id} and idempotency_key = ${key} and created_at > ${since}
      and state not in ('declined', 'failed')
    order by created_at desc limit 1`)

/**
 * Brings a payment and its order to where its attempt is: writes the transaction, moves the order, ends the tokens
 * (docs/contract/payments.md section 3). It may be called at any time and by whomever hears first, be it the request, the callback or
 * the job that asks: each step is made once.
 * @returns the payment as it stands then
 */
export function settlePayment(db: Db, gateways: Gateways, id: string): Promise<PaymentRow> {
  return db.transaction(async (tx) => {
    const { order_id } = await mustFind(tx, id)
    const order = await lock(tx, orders, order_id)
    const payment = await mustFind(tx, id)
    const attempt = await findAttempt(tx, payment.attempt_key)
    if (hasEnded(payment) || !attempt || attempt.outcome === null) return payment
    const state = attempt.outcome === 'error' ? 'failed' : attempt.outcome
    if (state === payment.state) return payment
    if (state === 'failed' && payment.state === 'open') {
      await returnTry(tx, payment.jti)
      await setState(tx, id, 'failed', null)
    } else await record(tx, gateways, order, payment, attempt, state === 'failed' ? 'declined' : state)
    return mustFind(tx, id)
  })
}

async function mustFind(tx: Tx, id: string): Promise<PaymentRow> {
  const payment = await findPayment(tx, id)
  if (!payment) throw new Error(`The payment ${id} is not there.`)
  return payment
}

const setState = (tx: Tx, id: string, state: PaymentState, transaction_id: number | null) =>
  tx.rows(
    prepared(sql`
      update payments set state = ${state}, transaction_id = ${transaction_id}
      where store_id = ${tx.store.id} and id = ${id} returning id`),
  )

/** What a gateway can say of a payment that reached it. */
type Verdict = Exclude<PaymentState, 'open' | 'failed'>

/** Writes down what a gateway has told of a payment. */
async function record(
  tx: Tx,
  gateways: Gateways,
  before: OrderRow,
  payment: PaymentRow,
  attempt: AttemptRow,
  state: Verdict,
) {
  const isWaiting = state === 'pending' || state === 'review'
  if (payment.transaction_id !== null) await endWaiting(tx, payment.transaction_id, attempt)
  // What waited and still does, such as a pending payment that is under review now, has its transaction.
  if (isWaiting && payment.transaction_id !== null) return setState(tx, payment.id, state, payment.transaction_id)
  const event = payment.operation === 'purchase' ? 'purchase' : 'authorization'
  const { method, credit_card } = payment.instrument
  const provider = await providerAt(tx, attempt.gateway, attempt)
  const order = await named(tx, before, provider && (await gateways.open(tx, provider)).name)
  const isRejected = state === 'declined' && order.payment_status === 'held for review'
  const outcome = isRejected ? 'rejected' : OUTCOMES[state === 'approved' ? event : state]
  const { transaction } = await recordPayment(tx, order, outcome, {
    event: isWaiting ? 'pending' : event,
    method,
    amount: payment.amount,
    gateway: attempt.gateway,
    gateway_transaction_id: attempt.gateway_transaction_id,
    payment_method_id: payment.payment_method_id,
    test: provider?.is_test ?? false,
    status: state === 'declined' ? 'error' : 'ok',
    fraud_review: state === 'review',
    reference_transaction_id: payment.transaction_id,
    details: { ...detailsOf(attempt), ...(credit_card ? { credit_card } : {}) },
  })
  if (state !== 'declined') await spendTokens(tx, order.id)
  return setState(tx, payment.id, state, isWaiting ? transaction.id : null)
}

const OUTCOMES = {
  purchase: 'purchase approved',
  authorization: 'authorization approved',
  pending: 'answer pending',
  review: 'held',
  declined: 'declined',
} as const

const detailsOf = ({ checks: { avs, cvv }, ...said }: AttemptRow): NonNullable<NewTransaction['details']> => ({
  ...saidBy(said),
  ...(avs ? { avs_result: { ...avs, street_match: '', postal_match: '' } } : {}),
  ...(cvv ? { cvv_result: cvv } : {}),
})

/** The transaction that waited tells how it ended. */
async function endWaiting(tx: Tx, id: number, attempt: AttemptRow) {
  await settleTransaction(tx, await findTransaction(tx, id), {
    status: attempt.outcome === 'declined' || attempt.outcome === 'error' ? 'error' : 'ok',
    gateway_transaction_id: attempt.gateway_transaction_id,
    details: detailsOf(attempt),
  })
}

/** An order without a payment method is called by what it was paid with. */
const named = async (tx: Tx, order: OrderRow, payment_method: string | undefined): Promise<OrderRow> =>
  order.payment_method === '' && payment_method !== undefined ? change(tx, orders, order, { payment_method }) : order
