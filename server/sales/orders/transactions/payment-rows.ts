import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { NewTransaction } from './transactions.ts'

// Payments that shoppers asked for, as they are stored (docs/contract/payments.md section 3).

/**
 * `open`: sent, or about to be. `pending` and `review`: the gateway decides later. `failed`: not made, for no fault of the shopper's.
 * `returning`: made, but the order has no use for it, so a job gives it back; then `returned`, or `approved` if the gateway refuses.
 */
export type PaymentState = 'open' | 'pending' | 'review' | 'approved' | 'declined' | 'failed' | 'returning' | 'returned'

/** States in which the gateway has still to answer. */
const UNDER_WAY: readonly PaymentState[] = ['open', 'pending', 'review']

/** The part of a shopper's instrument that may be shown. */
export type InstrumentFacts = Pick<NewTransaction, 'method'> &
  Pick<NonNullable<NewTransaction['details']>, 'credit_card'>

/** A payment that a shopper asked for. */
export interface PaymentRow {
  id: string
  order_id: number
  /** The id of the token that it was made with. */
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

export const hasEnded = ({ state }: Pick<PaymentRow, 'state'>) => !UNDER_WAY.includes(state)

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

export const setState = (tx: Tx, id: string, state: PaymentState, transaction_id: number | null) =>
  tx.rows(
    prepared(sql`
      update payments set state = ${state}, transaction_id = ${transaction_id}
      where store_id = ${tx.store.id} and id = ${id} returning id`),
  )

/** Which of these orders have a payment that waits for its gateway. */
export async function ordersUnderWay(db: Db, orderIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ order_id: number }>(
    prepared(sql`
    select order_id from payments
    where store_id = ${db.store.id} and order_id = any(${orderIds}) and state = any(${UNDER_WAY})`),
  )
  return new Set(rows.map(({ order_id }) => order_id))
}

/** @throws Error if the payment does not exist */
export async function mustFindPayment(db: Db, id: string): Promise<PaymentRow> {
  const payment = await findPayment(db, id)
  if (!payment) throw new Error(`The payment ${id} does not exist.`)
  return payment
}

/** The payment whose receipt is this transaction, while it is returned or after. */
export const paymentOfTransaction = (db: Db, order_id: number, id: number): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`
    select ${columns} from payments
    where store_id = ${db.store.id} and order_id = ${order_id} and transaction_id = ${id}`)
