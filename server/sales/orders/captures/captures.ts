import t, { type Static } from 'typebox'
import { type Db, prepared, StatementTimeout, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, type Outcome, runner, task } from '../../../core/jobs/task.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callGateway } from '../../payments/attempts.ts'
import type { Capabilities, GatewayResult } from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { toMinor } from '../../payments/minor-units.ts'
import { providerAt } from '../../payments/providers.ts'
import { type Happening, statusAfter } from '../arithmetic/order-status.ts'
import { canBeRefunded, type PaymentEvent, transition } from '../arithmetic/payment-status.ts'
import { gatewayRetryDelay, retryOutcome } from '../row/retries.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { withNote } from '../row/staff-notes.ts'
import { returnBalances } from '../transactions/returned-balances.ts'
import { returnAgain } from '../transactions/returns.ts'
import { openAuthorizations } from '../transactions/tenders.ts'
import { resultDetails, type TransactionRow, writeTransaction } from '../transactions/transactions.ts'
import { lockOrder } from '../writing/archive.ts'
import { orderSubject } from '../writing/events.ts'
import { moveOrder } from '../writing/move.ts'

// Captures and voids of authorizations (docs/contract/order-payments.md section 4).
//
// A capture takes the money that an authorization has reserved; a void releases it. A client requests one while the payment of the order
// is authorized. The request sets the payment status to `capture pending` or `void pending` and enqueues a job. The job calls the gateway, and
// one transaction stores the outcome: a transaction of the order, its payment status, its status and its stock. If the gateway declines,
// the order is authorized again and its staff notes say why, so that the merchant can try again. The amount is always that of the
// whole authorization. Jobs of one order run one after another, so the gateway never has two calls for an order at once. An archived order
// refuses both.

const operations = ['capture', 'void'] as const
type Operation = (typeof operations)[number]

/** The events of an operation, the capability that it needs, and its effect on the order. */
const facts: Readonly<
  Record<
    Operation,
    {
      title: string
      needs: keyof Pick<Capabilities, 'delayedCapture' | 'void'>
      requested: PaymentEvent
      approved: PaymentEvent
      failed: PaymentEvent
      happening: Happening
    }
  >
> = {
  capture: {
    title: 'Capture the payment of an order',
    needs: 'delayedCapture',
    requested: 'capture requested',
    approved: 'capture approved',
    failed: 'capture failed',
    happening: 'captured',
  },
  void: {
    title: 'Void the payment of an order',
    needs: 'void',
    requested: 'void requested',
    approved: 'void approved',
    failed: 'void failed',
    happening: 'voided',
  },
}

export const authorizationTask = task(
  'settle_authorization',
  t.Object({ order_id: t.Integer(), operation: t.Enum([...operations]), key: t.String() }),
  // A call may take 25 s, and looking up its outcome another 25 s.
  { maxMs: 60_000, retryDelay: gatewayRetryDelay },
)
type Payload = Static<typeof authorizationTask.payload>

/**
 * Locks an order for a movement of its money. Archived orders are refused (docs/contract/order-payments.md section 4).
 * @throws Problem 404, 423 if another transaction locks the order for more than five seconds, the longest that a statement may take
 */
export async function lockForMoney(tx: Tx, order_id: number): Promise<OrderRow> {
  const order = await lockOrder(tx, order_id).catch((error) => {
    if (error instanceof StatementTimeout) throw lockedTooLong()
    throw error instanceof Problem ? noSuchOrder(order_id) : error
  })
  if (order.is_deleted) throw noSuchOrder(order_id)
  return order
}

const lockedTooLong = () =>
  new Problem(423, 'Another action on this order takes too long.', {}, { headers: { 'retry-after': '10' } })

export const noSuchOrder = (id: number) => new Problem(404, `Order with id [${id}] not found`)

export interface MoneyParts {
  gateways: Gateways
}

/** Routes that capture and void authorizations. */
export function captureRoutes(api: Api, parts: MoneyParts) {
  const { write } = access('refunds')
  const Requested = t.Object({ order_id: Id, payment_status: t.String() }, { title: 'OrderPaymentAction' })

  for (const operation of operations) {
    api.post(
      `/orders/${idSegment('order_id')}/payment_actions/${operation}`,
      {
        ...write,
        schema: {
          summary: facts[operation].title,
          operationId: `${operation}Order`,
          description: `The request is accepted and processed later. payment_status is "${operation} pending" until the gateway has answered.`,
          params: t.Object({ order_id: Id }),
          response: { 201: envelope(Requested), 423: ProblemBody },
        },
      },
      async ({ db, params: { order_id } }) => {
        const { id, payment_status } = await db.transaction((tx) => request(tx, parts, order_id, operation))
        return new Answer({ data: { order_id: id, payment_status }, meta: {} }, 201)
      },
    )
  }
}

/** @throws Problem 404, 423, 422 in the order of docs/contract/order-payments.md section 4 */
async function request(tx: Tx, { gateways }: MoneyParts, order_id: number, operation: Operation): Promise<OrderRow> {
  const { requested, needs } = facts[operation]
  const order = await lockForMoney(tx, order_id)
  const payment_status = transition(order.payment_status, requested)
  if (payment_status === undefined) {
    if (operation === 'void' && canBeRefunded(order.payment_status) && (await returnAgain(tx, order))) return order
    refuse({ payment_status: `${operation} is not allowed while payment is '${order.payment_status}'` })
  }
  const authorization = await findAuthorization(tx, order_id)
  if (!authorization) throw new Problem(422, NO_AUTHORIZATION, { transaction: NO_AUTHORIZATION })
  const provider = await providerAt(tx, authorization.gateway, placeOf(order))
  if (!provider) refuse({ provider: `The provider ${authorization.gateway} is no longer configured.` })
  else if (!(await gateways.open(tx, provider)).capabilities[needs]) {
    refuse({ provider: `The provider ${authorization.gateway} does not support a later ${operation}.` })
  }
  const key = await keyOf(tx, authorization, operation)
  await enqueue(tx, authorizationTask, { key: orderSubject(order), payload: { order_id, operation, key } })
  return moveOrder(tx, order, { payment_status })
}

const NO_AUTHORIZATION = 'The order has no successful authorization.'

const placeOf = ({ channel_id, currency_code }: OrderRow) => ({ channel_id, currency: currency_code })

/** The authorization that a request captures or voids: the last open one. */
const findAuthorization = async (db: Db, order_id: number): Promise<TransactionRow | undefined> =>
  (await openAuthorizations(db, order_id)).at(-1)

/** The authorization in the key of a job. Undefined after it was captured or voided. */
const authorizationOf = async (db: Db, { order_id, key }: Payload): Promise<TransactionRow | undefined> =>
  (await openAuthorizations(db, order_id)).find(({ id }) => id === Number.parseInt(key, 10))

/**
 * The key of a request at the gateway: `5:capture` for the first capture of the transaction 5, `5:capture:2` for the one after that has
 * failed. Lock the order first: the key remains the same until the outcome is stored.
 */
async function keyOf(db: Db, { id, order_id }: TransactionRow, operation: Operation): Promise<string> {
  const { failures } = await db.row<{ failures: number }>(
    prepared(sql`
    select count(*)::int as failures from order_transactions
    where store_id = ${db.store.id} and order_id = ${order_id} and event = ${operation} and reference_transaction_id = ${id}`),
  )
  return failures === 0 ? `${id}:${operation}` : `${id}:${operation}:${failures + 1}`
}

/** Calls the gateway and stores the outcome. It may run again at any time: then the gateway returns the same result and nothing changes. */
export const captureRunner = ({ gateways }: MoneyParts) =>
  runner(authorizationTask, async ({ db, payload, attempt, signal }) => {
    const order = await findOne(db, orders, payload.order_id)
    const authorization = await authorizationOf(db, payload)
    if (!authorization || !(await isOpen(db, order, authorization, payload))) return done
    const result = await callGateway(
      db,
      gateways,
      {
        ...placeOf(order),
        key: payload.key,
        orderId: order.id,
        operation: payload.operation,
        gateway: authorization.gateway,
        reference: authorization.gateway_transaction_id,
        amountMinor: toMinor(authorization.amount, order.currency_decimals),
        decimals: order.currency_decimals,
        reason: '',
      },
      signal,
    )
    return (await retryOutcome(db, payload.key, result, attempt)) ?? settle(db, payload, result)
  })

/** Whether a request still waits for its outcome. */
const isOpen = async (db: Db, order: OrderRow, authorization: TransactionRow, { operation, key }: Payload) =>
  transition(order.payment_status, facts[operation].approved) !== undefined &&
  (await keyOf(db, authorization, operation)) === key

const settle = (db: Db, payload: Payload, result: GatewayResult): Promise<Outcome> =>
  db.transaction(async (tx) => {
    const order = await lock(tx, orders, payload.order_id)
    const authorization = await authorizationOf(tx, payload)
    if (!authorization || !(await isOpen(tx, order, authorization, payload))) return done
    const { operation } = payload
    const { approved, failed, happening } = facts[operation]
    const isApproved = result.outcome === 'approved'
    const { credit_card } = authorization.details
    await writeTransaction(tx, order, {
      event: operation,
      method: authorization.method,
      amount: authorization.amount,
      gateway: authorization.gateway,
      gateway_transaction_id: result.gatewayTransactionId,
      test: authorization.test,
      status: isApproved ? 'ok' : 'error',
      reference_transaction_id: authorization.id,
      payment_method_id: authorization.payment_method_id,
      details: {
        ...resultDetails(result),
        ...(credit_card ? { credit_card } : {}),
      },
    })
    // An order rarely has two open authorizations: one that it didn't need, and that its gateway refused to void.
    const isLast = (await openAuthorizations(tx, order.id)).length === 0
    if (isApproved && isLast && operation === 'void') await returnBalances(tx, order)
    const payment_status = transition(order.payment_status, isApproved && isLast ? approved : failed)
    await moveOrder(tx, order, {
      ...(payment_status === undefined ? {} : { payment_status }),
      ...(isApproved
        ? { status_id: isLast ? statusAfter(happening, order) : order.status_id }
        : { staff_notes: withNote(order, `The ${operation} of ${authorization.amount} failed: ${result.message}`) }),
    })
    return done
  })
