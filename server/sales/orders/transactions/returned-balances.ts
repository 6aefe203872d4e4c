import type { Tx } from '../../../core/db/database.ts'
import { amountOf, smaller, textOf, type Units } from '../../../core/money/units.ts'
import { moveCredit } from '../../../customers/row/store-credit.ts'
import { giveBack, lockSpendings, returnableTo } from '../../promotions/certificate-balance.ts'
import { GIFT_CERTIFICATE_PROVIDER, STORE_CREDIT_PROVIDER } from '../arithmetic/refund-methods.ts'
import type { OrderRow } from '../row/rows.ts'
import { tendersOf } from './tenders.ts'
import { writeTransaction } from './transactions.ts'

export const CERTIFICATE_GONE = 'The gift certificate was deleted, or its currency was changed.'

/**
 * Returns the gift certificates and the store credit that paid a part of an order after the rest of the payment failed: voided, rejected, or
 * declined late (docs/contract/order-payments.md section 4). Money whose customer or certificate no longer exists remains with the order,
 * and can be refunded in another way.
 * @param order locked
 */
export async function returnBalances(tx: Tx, order: OrderRow) {
  for (const { provider_id, captured, refunded } of await tendersOf(tx, order)) {
    const amount = captured - refunded
    if (amount <= 0n) continue
    if (provider_id === STORE_CREDIT_PROVIDER) await returnCredit(tx, order, amount)
    if (provider_id === GIFT_CERTIFICATE_PROVIDER) await returnToCertificates(tx, order, amount)
  }
}

async function returnCredit(tx: Tx, order: OrderRow, credit: Units) {
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

/** Stores a transaction for each certificate, and one for the amount that none can take. */
async function returnToCertificates(tx: Tx, order: OrderRow, amount: Units) {
  const spendings = await lockSpendings(tx, order)
  const returned = smaller(amount, returnableTo(spendings))
  const base = { event: 'refund', method: 'gift_certificate', gateway: GIFT_CERTIFICATE_PROVIDER } as const
  for (const { by, certificate } of await giveBack(tx, order, spendings, { amount: returned, cause: 'void' })) {
    await writeTransaction(tx, order, { ...base, amount: amountOf(by), details: { gift_certificate: certificate } })
  }
  if (returned === amount) return
  const rest = amountOf(amount - returned)
  await writeTransaction(tx, order, { ...base, amount: rest, status: 'error', details: { message: CERTIFICATE_GONE } })
}
