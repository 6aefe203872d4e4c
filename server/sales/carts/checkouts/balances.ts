import type { Db } from '../../../core/db/database.ts'
import { larger, sumOf, unitsOf } from '../../../core/money/units.ts'
import { creditsOf } from '../../../customers/row/store-credit.ts'
import { defaultCurrency } from '../../../shop/channels/currencies/shape.ts'
import { type AppliedCertificate, findCertificates } from '../../promotions/certificate-balance.ts'
import type { CartWithResult } from '../changes/change.ts'
import { type Redemption, redemptionOf } from './changes/redemptions.ts'

/** The balances of a checkout, and the store credit that its customer could use. */
export interface CheckoutBalances extends Redemption<AppliedCertificate> {
  /** The whole store credit of the customer in the currency of the checkout; 0 for none. */
  available: number
}

/**
 * Reads how the applied gift certificates and the store credit would pay a checkout now. Store credit pays in the default currency of the store.
 * @param now for the expiry of certificates
 */
export async function balancesOfCheckout(
  db: Db,
  { cart, result }: Pick<CartWithResult, 'cart' | 'result'>,
  now: Date,
): Promise<CheckoutBalances> {
  const { customer_id, currency_code, document } = cart
  const { redeemed = [], uses_credit = false, certificates: sold } = document
  const { certificates, credits, standard } = await db.together(() => ({
    certificates: findCertificates(db, redeemed, now),
    credits: customer_id > 0 ? creditsOf(db, [customer_id]) : undefined,
    standard: customer_id > 0 ? defaultCurrency(db) : undefined,
  }))
  const units = result.grandTotal
  const ceiling = larger(units - sumOf(sold.map(({ amount }) => unitsOf(amount))), 0n)
  const available = standard?.currency_code === currency_code ? (credits?.get(customer_id) ?? 0) : 0
  const open = { units, ceiling, currency_code, decimals: result.decimals }
  return { ...redemptionOf(open, certificates, uses_credit ? available : 0), available }
}
