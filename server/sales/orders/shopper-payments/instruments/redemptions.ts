import { type Db, prepared, type Tx } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { amountOf, larger, textOf, type Units, unitsOf } from '../../../../core/money/units.ts'
import { creditsOf, moveCredit } from '../../../../customers/row/store-credit.ts'
import { type Redemption, redemptionOf } from '../../../carts/checkouts/changes/redemptions.ts'
import { balancesOfCart } from '../../../carts/row/conversion.ts'
import { type Money, PAYMENT_CODES } from '../../../payments/gateways/gateway.ts'
import { toMinor } from '../../../payments/minor-units.ts'
import { findCertificates, moveCertificate, type PayingCertificate } from '../../../promotions/certificate-balance.ts'
import type { OrderRow } from '../../row/rows.ts'
import type { HeldBalance } from '../../transactions/payment-rows.ts'
import type { Due } from '../payable.ts'
import { paymentProblem } from '../refusals.ts'
import { takeBalance } from './balances.ts'
import { GIFT_CERTIFICATE_METHOD, STORE_CREDIT_METHOD } from './methods.ts'

// Balances that a shopper has applied to the checkout of an order (docs/contract/payments.md section 3). They pay together with a gateway: the
// payment takes them from their balances before the call, and gives them back if it is declined.

/** The amounts that balances and a gateway pay. */
export interface PaymentPlan extends Redemption<PayingCertificate> {
  /** The rest, for rows and bodies. */
  amount: number
  /** The rest, for gateways. */
  money: Money
}

/**
 * Divides the amount that an order owes among the balances of its checkout and the gateway.
 * @param now for the expiry of certificates
 */
export async function planBalances(db: Db, order: OrderRow, due: Due, now: Date): Promise<PaymentPlan> {
  const applied = order.cart_id === null ? undefined : await balancesOfCart(db, order.cart_id)
  const none = { certificates: [], credit: 0n, rest: due.units, amount: due.amount, money: due.money }
  if (!applied || (applied.redeemed.length === 0 && !applied.uses_credit)) return none
  const { currency_code, currency_decimals: decimals, default_currency_code, customer_id } = order
  const hasCredit = applied.uses_credit && customer_id > 0 && currency_code === default_currency_code
  const [certificates, credits, sold] = await Promise.all([
    findCertificates(db, applied.redeemed, now),
    hasCredit ? creditsOf(db, [customer_id]) : undefined,
    soldCertificates(db, order.id),
  ])
  const ceiling = larger(due.units - sold, 0n)
  const open = { units: due.units, ceiling, currency_code, decimals }
  const redemption = redemptionOf(open, certificates, credits?.get(customer_id) ?? 0)
  const amount = amountOf(redemption.rest)
  return { ...redemption, amount, money: { ...due.money, amountMinor: toMinor(amount, decimals) } }
}

/** The price of the gift certificates that an order sells. */
async function soldCertificates(db: Db, order_id: number) {
  const { sold } = await db.row<{ sold: number }>(
    prepared(sql`
    select coalesce(sum(price_inc_tax * quantity), 0) as sold from order_products
    where store_id = ${db.store.id} and order_id = ${order_id} and type = 'giftcertificate'`),
  )
  return unitsOf(sold)
}

/**
 * Takes the planned amounts from their balances. They belong to the payment until its gateway answers.
 * @param order locked
 * @throws Problem 422 if a balance has less than when it was read
 */
export async function holdBalances(
  tx: Tx,
  order: OrderRow,
  { certificates, credit }: PaymentPlan,
): Promise<HeldBalance[]> {
  const held: HeldBalance[] = []
  // Every payment locks certificates in the order of their ids.
  const shares = certificates
    .filter(({ used }) => used > 0n)
    .toSorted((one, other) => one.certificate.id - other.certificate.id)
  for (const { certificate, used } of shares) {
    const instrument = { type: 'gift_certificate' as const, gift_certificate_code: certificate.code }
    const taken = await takeBalance(tx, order, used, { instrument, payment_method_id: GIFT_CERTIFICATE_METHOD })
    refuseLess(taken, used)
    held.push({ ...taken, certificate_id: certificate.id })
  }
  if (credit > 0n) {
    const instrument = { type: 'store_credit' as const }
    const taken = await takeBalance(tx, order, credit, { instrument, payment_method_id: STORE_CREDIT_METHOD })
    refuseLess(taken, credit)
    held.push({ ...taken, certificate_id: null })
  }
  return held
}

function refuseLess({ amount }: { amount: number }, planned: Units) {
  if (unitsOf(amount) === planned) return
  throw paymentProblem(
    PAYMENT_CODES.amountsDiffer,
    'A balance has changed since the token was issued: create a new one.',
  )
}

/** Gives balances back after a payment that was not made. A balance that no longer exists takes nothing. @param order locked */
export async function giveBackHeld(tx: Tx, order: OrderRow, held: readonly HeldBalance[]) {
  for (const { amount, certificate_id } of held) {
    const units = unitsOf(amount)
    if (certificate_id === null) await moveCredit(tx, order.customer_id, textOf(units), 'void')
    else await moveCertificate(tx, certificate_id, units, { cause: 'void', order })
  }
}
