import type { Db, Tx } from '../../../core/db/database.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { callGateway, type PaymentAttempt } from '../../payments/attempts.ts'
import { TEST_GATEWAY } from '../../payments/gateways/test-gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { providerAt } from '../../payments/providers.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import type { NewOrder } from '../calculation/bodies.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { recordPayment } from '../transactions/payment-record.ts'
import { createOrder } from '../writing/create.ts'
import { billingOf } from './instruments/instruments.ts'
import { dueOf } from './payable.ts'

/** The payment method of an order that is paid for a test when it is created (docs/contract/payments.md section 6). */
const METHOD = 'Test Payment Gateway'

const OPERATIONS: Readonly<Record<string, PaymentAttempt['operation']>> = {
  authorized: 'authorize',
  captured: 'purchase',
}

/**
 * Creates an order. If its payment method is the test gateway and its body has a `payment_status`, it is paid at once; no other body's
 * payment status is read. The order keeps the status of the body.
 */
export function createOrderWithPayment(
  db: Db,
  body: NewOrder,
  { gateways, quotes }: { gateways: Gateways; quotes: TaxQuotes },
): Promise<OrderRow> {
  const { payment_method, payment_status } = body
  const operation = typeof payment_status === 'string' ? OPERATIONS[payment_status] : undefined
  if (payment_method !== METHOD || operation === undefined) return createOrder(db, body, { quotes })
  // The test gateway is in the same database, so one transaction stores the order, the entry of the gateway and the payment.
  return db.transaction(async (tx) => {
    const order = await createOrder(tx, body, { quotes })
    return (await payForTest(tx, gateways, order.id, operation)) ?? order
  })
}

/** @returns undefined if the order is free, or the store has no test gateway for its channel and currency */
async function payForTest(tx: Tx, gateways: Gateways, id: number, operation: PaymentAttempt['operation']) {
  const order = await lock(tx, orders, id)
  const scope = { channel_id: order.channel_id, currency: order.currency_code }
  const { amount, money } = await dueOf(tx, order)
  if (money.amountMinor === 0 || !(await providerAt(tx, TEST_GATEWAY, scope))) return undefined
  const result = await callGateway(tx, gateways, {
    ...money,
    ...scope,
    key: `order ${id}:${operation}`,
    orderId: id,
    gateway: TEST_GATEWAY,
    operation,
    instrument: { type: 'none' },
    billing: billingOf(order),
    saves: false,
  })
  if (result.outcome !== 'approved') throw new Error(`The test gateway did not approve a test: ${result.message}`)
  const recorded = await recordPayment(
    tx,
    order,
    operation === 'authorize' ? 'authorization approved' : 'purchase approved',
    {
      event: operation === 'authorize' ? 'authorization' : 'purchase',
      method: 'credit_card',
      amount,
      gateway: TEST_GATEWAY,
      gateway_transaction_id: result.gatewayTransactionId,
      payment_method_id: `${TEST_GATEWAY}.card`,
      test: true,
      keepsStatus: true,
    },
  )
  return recorded.order
}
