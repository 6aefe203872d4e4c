import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { NewTransaction } from './transactions.ts'

// Shopper payments as they are stored (docs/contract/payments.md section 3).
//
// A shopper payment is one try of a shopper to pay an order with a payment access token. It is stored before the gateway is called, with the
// order locked and its stock reserved; an order has one open payment at a time. Store credit is paid at once, without a gateway. The answer
// of the gateway, a callback or a job settles the payment, whichever comes first: the payment gets its state and its transaction, and the
// order moves. A decline leaves the order open for another try. A payment with an unknown outcome is looked up for seven days and then
// given up. If the gateway approves it after that, it pays its order, or is returned if the order no longer needs it. Numbers of cards
// are never stored. A payment never changes its amount, and it is never deleted.

/**
 * `open`: sent, or about to be sent. `pending` and `review`: the gateway decides later. `failed`: not made, for a reason that is not the
 * shopper's. `returning`: made, but not needed by the order, so a job returns it; then `returned`, or `approved` if the gateway refuses.
 */
export type PaymentState = 'open' | 'pending' | 'review' | 'approved' | 'declined' | 'failed' | 'returning' | 'returned'

/** States of payments that wait for the gateway. */
const UNDER_WAY: readonly PaymentState[] = ['open', 'pending', 'review']

/** The data of an instrument that may be shown. */
export type InstrumentFacts = Pick<NewTransaction, 'method'> &
  Pick<NonNullable<NewTransaction['details']>, 'credit_card'>

/** A shopper payment. */
export interface PaymentRow {
  id: string
  order_id: number
  /** The id of its payment access token. */
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
  /** Balances that pay the rest of the order, taken until the gateway answers. */
  held: HeldBalance[]
  created_at: string
}

/** Money of a balance that was taken for a payment: its transaction, once the payment is made. */
export type HeldBalance = Required<Pick<NewTransaction, 'method' | 'amount' | 'gateway' | 'payment_method_id'>> & {
  details: NonNullable<NewTransaction['details']>
  /** The certificate; null for store credit. */
  certificate_id: number | null
}

export const hasEnded = ({ state }: Pick<PaymentRow, 'state'>) => !UNDER_WAY.includes(state)

const columns = sql`id, order_id, jti, attempt_key, payment_method_id, operation, amount, instrument, state, transaction_id,
  idempotency_key, request_hash, held, created_at`

export const findPayment = (db: Db, id: string): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`select ${columns} from payments where store_id = ${db.store.id} and id = ${id}`)

/** The payment of an attempt. Captures and refunds have none. */
export const paymentOfAttempt = (db: Db, key: string): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`select ${columns} from payments where store_id = ${db.store.id} and attempt_key = ${key}`)

/** The payment of a request with this Idempotency-Key. @param since the key of an earlier request has expired */
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

/** Records that the balances of a payment were returned, or became transactions. */
export const releaseHeldBalances = (tx: Tx, id: string) =>
  tx.rows(prepared(sql`update payments set held = '[]' where store_id = ${tx.store.id} and id = ${id} returning id`))

/** Returns those of some orders that have a payment waiting for its gateway. */
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

/** The payment with this transaction, while it is returned or after. */
export const paymentOfTransaction = (db: Db, order_id: number, id: number): Promise<PaymentRow | undefined> =>
  db.maybeRow<PaymentRow>(sql`
    select ${columns} from payments
    where store_id = ${db.store.id} and order_id = ${order_id} and transaction_id = ${id}`)
