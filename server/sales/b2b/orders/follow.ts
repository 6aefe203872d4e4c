import type { Tx } from '../../../core/db/database.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { change } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { isPlaced } from '../../orders/arithmetic/order-status.ts'
import type { OrderRow } from '../../orders/row/rows.ts'
import { payingIn } from '../../pricing/gather.ts'
import { lockCredit, takeCredit } from '../credit/credit.ts'
import { orderQuoteOfCart } from '../quotes/checkout.ts'
import { type CompanyOrderRow, companyOrders, recordChangedOrder, recordNewOrder } from './company-order.ts'
import { creditUse } from './credit-use.ts'
import { recordOrderedProducts } from './ordered-products.ts'
import { isWithoutCompanion } from './without-companion.ts'

/**
 * Follows every order of a store with the companion API: keeps its record, ends the quote that it was placed from, and takes its total
 * from the credit of its company (docs/contract/b2b-orders.md).
 * @returns whether the store has the companion API
 * @throws Problem 422 for a purchase that the credit of the company refuses
 */
export async function followOrderOfCompany(tx: Tx, before: OrderRow | undefined, after: OrderRow): Promise<boolean> {
  if (isWithoutCompanion(tx.store.id)) return false
  const record = before ? await recordChangedOrder(tx, after) : await recordNewOrder(tx, after)
  if (!record) return false
  const isPlacedNow = isPlaced(after.status_id) && !(before && isPlaced(before.status_id))
  if (isPlacedNow) await orderQuoteOfCart(tx, after)
  const isOfGuest = record.company_id === 0 && after.customer_id === 0
  if (isPlacedNow && !isOfGuest) await recordOrderedProducts(tx, record.company_id, after)
  if (record.company_id !== 0) await chargeCredit(tx, record, after, isPlacedNow)
  return true
}

/**
 * Brings the credit that an order takes up to date. The locked row of the credit decides, so that of two orders for the last of it only
 * one is placed.
 */
async function chargeCredit(tx: Tx, record: CompanyOrderRow, order: OrderRow, isPlacedNow: boolean) {
  const mayUse = creditUse(order, { order: 1n, credit: 1n }) > 0n || record.credit_used > 0
  if (!mayUse && !isPlacedNow) return
  const credit = await lockCredit(tx, record.company_id)
  if (!credit) return
  if (isPlacedNow && credit.is_on_hold) throw new Problem(422, 'The company may not buy: its credit is on hold.')
  if (!mayUse) return
  const currency = record.credit_currency === '' ? credit.currency_code : record.credit_currency
  const used = unitsOf(record.credit_used)
  const wanted = creditUse(order, await ratesOf(tx, order, currency))
  // Another currency of the credit leaves the credit of older orders alone.
  if (wanted === used || currency !== credit.currency_code) return
  const taken = wanted - used
  if (taken > 0n && credit.limit_purchases && taken > unitsOf(credit.available)) {
    throw new Problem(422, 'The available credit of the company is too low for this purchase order.')
  }
  await takeCredit(tx, record.company_id, taken)
  await change(tx, companyOrders, record, { credit_used: amountOf(wanted), credit_currency: currency })
}

/** The rate of an order is that of its creation, and the rate of the credit the current one. */
async function ratesOf(tx: Tx, order: OrderRow, code: string) {
  if (order.currency_code === code) return { order: 1n, credit: 1n }
  const { wanted, standard } = await currencyPair(tx, code)
  const own = payingIn({ ...standard, currency_exchange_rate: order.currency_exchange_rate })
  const other = payingIn(wanted ?? standard)
  return { order: own.rate * other.one, credit: other.rate * own.one }
}
