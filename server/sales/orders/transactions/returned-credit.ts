import type { Tx } from '../../../core/db/database.ts'
import { amountOf, textOf } from '../../../core/money/units.ts'
import { moveCredit } from '../../../customers/row/store-credit.ts'
import { STORE_CREDIT_PROVIDER } from '../arithmetic/refund-methods.ts'
import type { OrderRow } from '../row/rows.ts'
import { tendersOf } from './tenders.ts'
import { writeTransaction } from './transactions.ts'

/**
 * Returns the store credit that paid a part of an order after the rest of the payment failed: voided, rejected, or declined late
 * (docs/contract/order-payments.md section 4). Without a customer the credit remains, and can be refunded outside of this server.
 * @param order locked
 */
export async function returnCredit(tx: Tx, order: OrderRow) {
  const tender = (await tendersOf(tx, order)).find(({ provider_id }) => provider_id === STORE_CREDIT_PROVIDER)
  const credit = tender ? tender.captured - tender.refunded : 0n
  if (credit <= 0n) return
  const remaining_balance = await moveCredit(tx, order.customer_id, textOf(credit), 'void')
  await writeTransaction(tx, order, {
    event: 'refund',
    method: 'store_credit',
    amount: amountOf(credit),
    gateway: STORE_CREDIT_PROVIDER,
    ...(remaining_balance === undefined
      ? { status: 'error', details: { message: 'The customer no longer exists.' } }
      : { details: { store_credit: { remaining_balance } } }),
  })
}
