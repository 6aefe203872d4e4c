import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { lock } from '../../core/rest/lists/verbs.ts'
import { AWAITING_FULFILLMENT, AWAITING_PAYMENT } from '../../sales/orders/arithmetic/order-status.ts'
import { createRefund } from '../../sales/orders/refunds/refunds.ts'
import { orders } from '../../sales/orders/row/rows.ts'
import { recordPayment } from '../../sales/orders/transactions/payment-record.ts'
import { callGateway } from '../../sales/payments/attempts.ts'
import { TEST_GATEWAY } from '../../sales/payments/gateways/test-gateway.ts'
import type { Gateways } from '../../sales/payments/gateways.ts'
import { toMinor } from '../../sales/payments/minor-units.ts'
import { setUpBankTransfer, setUpTestGateway } from '../../sales/payments/providers-command.ts'

/**
 * Payments of three of the demo orders: one is authorized at the test gateway and waits for its capture, one is
 * refunded in part, one as a whole. The server makes the payments of both refunds when it has started.
 */
export async function moveMoney(tx: Tx, gateways: Gateways) {
  await setUpTestGateway(tx)
  await setUpBankTransfer(tx, 'Please send the total to DK50 0040 0440 1162 43, and name your order.')
  const [unpaid] = await ordersWith(tx, AWAITING_PAYMENT)
  if (unpaid !== undefined) await authorize(tx, gateways, unpaid)
  const [one, other] = await ordersWith(tx, AWAITING_FULFILLMENT)
  if (one !== undefined) await giveBack(tx, gateways, one, 5)
  if (other !== undefined) await giveBack(tx, gateways, other)
}

const ordersWith = async (tx: Tx, status_id: number): Promise<number[]> => {
  const rows = await tx.rows<{ id: number }>(
    sql`select id from orders where store_id = ${tx.store.id} and status_id = ${status_id} and not is_deleted order by id limit 2`,
  )
  return rows.map(({ id }) => id)
}

async function authorize(tx: Tx, gateways: Gateways, id: number) {
  const order = await lock(tx, orders, id)
  const { channel_id, currency_code, currency_decimals, total_inc_tax, billing_address } = order
  const { gatewayTransactionId, outcome } = await callGateway(tx, gateways, {
    key: `demo order ${id}:authorize`,
    orderId: id,
    operation: 'authorize',
    gateway: TEST_GATEWAY,
    channel_id,
    currency: currency_code,
    decimals: currency_decimals,
    amountMinor: toMinor(total_inc_tax, currency_decimals),
    instrument: { type: 'none' },
    billing: billing_address,
    saves: false,
  })
  if (outcome !== 'approved') return
  await recordPayment(tx, order, 'authorization approved', {
    event: 'authorization',
    method: 'credit_card',
    gateway: TEST_GATEWAY,
    amount: total_inc_tax,
    gateway_transaction_id: gatewayTransactionId,
    test: true,
    details: { credit_card: { card_type: 'visa', card_iin: '411111', card_last4: '1111' } },
    keepsStatus: true,
  })
}

/** @param amount all of it if not given */
async function giveBack(tx: Tx, gateways: Gateways, id: number, amount?: number) {
  const given = amount ?? (await lock(tx, orders, id)).total_inc_tax
  await createRefund(tx, { gateways }, id, {
    items: [{ item_type: 'ORDER', item_id: id, amount: given }],
    payments: [{ provider_id: 'custom', amount: given, offline: true }],
    reason: 'Arrived too late',
  })
}
