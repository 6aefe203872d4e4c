import type { Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import { ANSWER_KEPT_MS } from '../../../core/rest/idempotency.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { lockCartToPay } from '../../carts/row/conversion.ts'
import type { PaymentAttempt } from '../../payments/attempts.ts'
import { type Instrument, PAYMENT_CODES } from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { type Provider, providersAt } from '../../payments/providers.ts'
import { type PaymentToken, spendTokens, useToken } from '../../payments/tokens.ts'
import { instrumentsAt } from '../../payments/vault.ts'
import type { OrderRow } from '../row/rows.ts'
import { recordPayment } from '../transactions/payment-record.ts'
import {
  findPayment,
  type HeldBalance,
  type InstrumentFacts,
  type PaymentRow,
  type PaymentState,
  paymentOfRequest,
} from '../transactions/payment-rows.ts'
import { lockOrder } from '../writing/archive.ts'
import { releaseReservation, reserveStock, reserveUsesOf } from '../writing/reservations.ts'
import { isByBalance, takeBalance } from './instruments/balances.ts'
import { billingOf, instrumentFacts, newInstrument, type PaymentInstrument } from './instruments/instruments.ts'
import { holdBalances, type PaymentPlan, planBalances } from './instruments/redemptions.ts'
import { rescueLater } from './jobs.ts'
import { dueOf, reasonNotPayable, reasonOfCart } from './payable.ts'
import { paymentProblem } from './refusals.ts'

// Checks a request for a payment and stores the payment before the gateway is called: all in one transaction, with the order locked
// (docs/contract/payments.md section 3).

/** The body of a payment. */
export interface NewPayment {
  instrument: Static<typeof PaymentInstrument>
  payment_method_id: string
  save_instrument?: boolean
}

/** A request of a shopper. Key and hash are empty without an Idempotency-Key. */
interface PaymentRequest {
  token: PaymentToken
  input: NewPayment
  key: string
  hash: string
}

/** An order and the amounts that pay it. */
interface OrderPlan {
  order: OrderRow
  shares: PaymentPlan
}

/** A payment by a gateway: its row, and the call that makes it. */
interface GatewayPayment {
  payment: PaymentRow
  attempt: PaymentAttempt
  customer: number
}

/** The outcome of a request: its answer, or a call of a gateway. */
type Plan = { kind: 'answer'; answer: Answer } | ({ kind: 'call' } & GatewayPayment)

/** Checks with its order locked that a payment may be made, and stores it. */
export async function planPayment(tx: Tx, gateways: Gateways, request: PaymentRequest): Promise<Plan> {
  const { token, input } = request
  const order = await lockOrder(tx, token.order_id).catch((error: unknown) => {
    if (error instanceof Problem) throw orderNotFound(token)
    throw error
  })
  if (order.is_deleted) throw orderNotFound(token)
  const before = await madeBefore(tx, order.id, request)
  if (before) return { kind: 'answer', answer: before }
  await useToken(tx, token)
  await refuseParallel(tx, order.id)
  const due = await dueOf(tx, order)
  const reason = reasonNotPayable(order, due)
  if (reason !== undefined) throw paymentProblem(PAYMENT_CODES.wrongStatus, reason)
  const shares = await planBalances(tx, order, due, tx.now)
  if (shares.money.amountMinor !== token.amount || due.money.currency !== token.currency) {
    throw paymentProblem(
      PAYMENT_CODES.amountsDiffer,
      'The order has changed since the token was issued: create a new one.',
    )
  }
  if (isByBalance(input)) return { kind: 'answer', answer: await payByBalance(tx, { order, shares }, request) }
  const planned = await planCall(tx, gateways, { order, shares }, request)
  await reserve(tx, order)
  const held = await holdBalances(tx, order, shares)
  const payment = await store(tx, {
    ...planned.payment,
    held,
    idempotency_key: request.key,
    request_hash: request.hash,
  })
  await rescueLater(tx, payment.id)
  return { ...planned, kind: 'call', payment }
}

/**
 * Reserves stock and uses for a payment. The cart of the order is locked between both, so that of its orders one is paid.
 * @throws Problem 422 if either is short, or another order of the cart is placed or under payment
 */
export async function reserve(tx: Tx, order: OrderRow) {
  await reserveStock(tx, order)
  if (order.cart_id !== null) {
    await lockCartToPay(tx, order.cart_id)
    const reason = await reasonOfCart(tx, order)
    if (reason !== undefined) throw paymentProblem(PAYMENT_CODES.wrongStatus, reason)
  }
  const usedUp = await reserveUsesOf(tx, order)
  if (usedUp !== undefined) throw paymentProblem(PAYMENT_CODES.invalid, usedUp, { coupons: usedUp })
}

const orderNotFound = ({ order_id }: PaymentToken) =>
  paymentProblem(PAYMENT_CODES.orderNotFound, unknownId('order', order_id))

/** The answer to an earlier request with the same Idempotency-Key. */
async function madeBefore(tx: Tx, order_id: number, { key, hash }: { key: string; hash: string }) {
  const since = new Date(tx.now.getTime() - ANSWER_KEPT_MS)
  const before = key === '' ? undefined : await paymentOfRequest(tx, order_id, key, since)
  if (!before) return undefined
  if (before.request_hash !== hash) {
    throw paymentProblem(PAYMENT_CODES.invalid, 'This Idempotency-Key was used for another request: use a new key.')
  }
  if (before.state === 'open') throw stillRunning()
  const { body, status, headers } = paymentAnswer(before)
  return new Answer(body, status, { ...headers, 'idempotent-replayed': 'true' })
}

const stillRunning = () =>
  paymentProblem(PAYMENT_CODES.duplicate, 'A payment of this order is in progress: wait for its outcome.')

/** An order has one open payment at a time, since its outcome decides the amount that remains. */
async function refuseParallel(tx: Tx, order_id: number) {
  const [open] = await tx.rows(
    sql`select id from payments where store_id = ${tx.store.id} and order_id = ${order_id} and state = 'open'`,
  )
  if (open) throw stillRunning()
}

async function store(tx: Tx, payment: Omit<PaymentRow, 'created_at'>): Promise<PaymentRow> {
  const { instrument, held, ...row } = payment
  const documents = { instrument: JSON.stringify(instrument), held: JSON.stringify(held) }
  await tx.rows(
    sql`insert into payments ${sql.rows([{ store_id: tx.store.id, ...row, ...documents, created_at: tx.now }])}`,
  )
  const stored = await findPayment(tx, payment.id)
  if (!stored) throw new Error('A payment was not stored.')
  return stored
}

const newPayment = ({ token, input }: PaymentRequest, instrument: InstrumentFacts, amount: number) => ({
  id: newUuid(),
  order_id: token.order_id,
  jti: token.jti,
  attempt_key: '',
  payment_method_id: input.payment_method_id,
  operation: 'purchase' as 'authorize' | 'purchase',
  amount,
  instrument,
  state: 'open' as PaymentState,
  transaction_id: null,
  idempotency_key: '',
  request_hash: '',
  held: [] as HeldBalance[],
})

/** Pays with store credit or a gift certificate, besides those of the checkout. The next request pays the rest. */
async function payByBalance(tx: Tx, { order, shares }: OrderPlan, request: PaymentRequest): Promise<Answer> {
  await reserve(tx, order)
  const balances = await holdBalances(tx, order, shares)
  const taken = await takeBalance(tx, order, shares.rest, request.input)
  const outcome = { event: 'purchase' as const, ...taken, balances }
  const recorded = await recordPayment(tx, order, 'paid without a gateway', outcome)
  await releaseReservation(tx, recorded.order)
  await spendTokens(tx, order.id)
  const payment = { ...newPayment(request, { method: taken.method }, taken.amount), state: 'approved' as const }
  return paymentAnswer(await store(tx, { ...payment, idempotency_key: request.key, request_hash: request.hash }))
}

/** The call of the gateway that the method names. */
async function planCall(
  tx: Tx,
  gateways: Gateways,
  { order, shares }: OrderPlan,
  request: PaymentRequest,
): Promise<GatewayPayment> {
  const { input } = request
  const provider = await providerOf(tx, gateways, order, input)
  const operation = provider.mode
  const { instrument, facts } = await instrumentOf(tx, order, provider, input)
  const saves = input.save_instrument === true && input.instrument.type === 'card'
  if (saves) await refuseNoVault(tx, gateways, order, provider)
  const payment = { ...newPayment(request, facts, shares.amount), operation }
  const attempt: PaymentAttempt = {
    ...shares.money,
    key: `${payment.id}:${operation}`,
    orderId: order.id,
    gateway: provider.gateway,
    channel_id: order.channel_id,
    operation,
    instrument,
    billing: billingOf(order),
    saves,
  }
  const row = { ...payment, attempt_key: attempt.key, created_at: '' }
  return { payment: row, attempt, customer: order.customer_id }
}

/** The provider of a method: `testgateway.card` names the gateway testgateway. */
async function providerOf(tx: Tx, gateways: Gateways, order: OrderRow, { payment_method_id }: NewPayment) {
  const [, gateway] = /^([a-z0-9_]+)\.card$/.exec(payment_method_id) ?? []
  const providers = await providersAt(tx, { channel_id: order.channel_id, currency: order.currency_code })
  if (providers.length === 0) {
    throw paymentProblem(
      PAYMENT_CODES.notConfigured,
      'No payment provider is configured for the channel and currency of this order.',
    )
  }
  const provider = providers.find((one) => one.gateway === gateway)
  if (!provider || !gateways.takesCards(provider.gateway)) {
    throw paymentProblem(
      PAYMENT_CODES.notConfigured,
      `The payment method ${payment_method_id} is not configured for this order.`,
    )
  }
  return provider
}

/** @throws Problem 422 for a stored instrument that the customer does not have, or has at another gateway */
async function instrumentOf(
  tx: Tx,
  order: OrderRow,
  { gateway }: Provider,
  { instrument: input }: NewPayment,
): Promise<{ instrument: Instrument; facts: InstrumentFacts }> {
  const { type, token, verification_value } = input
  if (type !== 'stored_card' && type !== 'stored_paypal_account' && type !== 'stored_bank_account') {
    return { instrument: newInstrument(input), facts: instrumentFacts(input) }
  }
  const instruments = await instrumentsAt(tx, order.customer_id)
  const stored = instruments.find((one) => one.token === token && one.type === type && one.gateway === gateway)
  if (!stored) throw paymentProblem(PAYMENT_CODES.notStored, 'The customer of the order has no such stored instrument.')
  const { reference, details } = stored
  const verification = verification_value === undefined ? {} : { verification_value }
  return { instrument: { type, reference, ...verification }, facts: instrumentFacts(input, details) }
}

async function refuseNoVault(tx: Tx, gateways: Gateways, order: OrderRow, provider: Provider) {
  const { capabilities } = await gateways.open(tx, provider)
  if (order.customer_id > 0 && capabilities.storedInstruments.includes('stored_card')) return
  throw paymentProblem(
    PAYMENT_CODES.noVault,
    "Cards can't be saved here: the method does not support it, or a guest has placed the order.",
  )
}

/** @throws Problem 503 for a payment with an unknown outcome */
export function paymentAnswer({ id, operation, state }: PaymentRow, warning?: string): Answer {
  if (state === 'open') {
    throw paymentProblem(
      PAYMENT_CODES.temporary,
      'The gateway has not answered. The outcome of the payment will be looked up.',
    )
  }
  const data = {
    id,
    transaction_type: operation === 'purchase' ? 'purchase' : 'authorization',
    status: state === 'approved' ? 'success' : 'pending',
  }
  return new Answer({ data, meta: warning === undefined ? {} : { warning } }, 201)
}
