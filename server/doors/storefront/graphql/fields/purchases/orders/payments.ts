import type { TransactionRow } from '../../../../../../sales/orders/transactions/transactions.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaEnums } from '../../../schema-types.ts'
import { transactionLoad } from './parts.ts'
import type { OrderView } from './view.ts'

// The payments of an order: transactions that brought in money, or failed to. Captures, voids and refunds are not payments.

type Status = SchemaEnums['PaymentResultStatus']

const EVENTS: readonly TransactionRow['event'][] = ['authorization', 'purchase', 'pending']

function statusOf({ event, status }: TransactionRow): Status {
  if (status === 'error') return 'FAILURE'
  return event === 'pending' ? 'PENDING' : 'SUCCESS'
}

/** @param status of the payments to return; undefined for all that did not fail: public shops list them as the ways in which the order was paid */
export async function paymentsOf(caller: StorefrontCaller, { order, money }: OrderView, status: Status | undefined) {
  const rows = (await transactionLoad.find(caller, order.id, undefined)) ?? []
  // The outcome of a pending payment is a transaction of its own.
  const decided = new Set(rows.map(({ reference_transaction_id }) => reference_transaction_id))
  return rows
    .filter(({ id, event }) => EVENTS.includes(event) && !(event === 'pending' && decided.has(id)))
    .filter((row) => (status === undefined ? statusOf(row) !== 'FAILURE' : statusOf(row) === status))
    .map((row) => ({
      paymentMethodId: row.payment_method_id,
      paymentMethodName: BALANCES[row.method] ?? order.payment_method,
      amount: money(row.amount),
      detail: detailOf(row),
    }))
}

const BALANCES: Readonly<Partial<Record<TransactionRow['method'], string>>> = {
  gift_certificate: 'Gift certificate',
  store_credit: 'Store credit',
}

function detailOf({ details: { gift_certificate, credit_card } }: TransactionRow) {
  if (gift_certificate) return { __typename: 'GiftCertificatePaymentInstrument' as const, code: gift_certificate.code }
  if (!credit_card) return null
  const { card_type = '', card_last4 = '' } = credit_card
  return { __typename: 'CreditCardPaymentInstrument' as const, brand: card_type, last4: card_last4 }
}
