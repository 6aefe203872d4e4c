import type { Tx } from '../../../../core/db/database.ts'
import { amountOf, minorUnit, smaller, textOf, type Units, unitsOf } from '../../../../core/money/units.ts'
import { moveCredit } from '../../../../customers/row/store-credit.ts'
import { PAYMENT_CODES } from '../../../payments/gateways/gateway.ts'
import { lockCertificate, moveCertificate, type PayingCertificate } from '../../../promotions/certificate-balance.ts'
import { GIFT_CERTIFICATE_PROVIDER, STORE_CREDIT_PROVIDER } from '../../arithmetic/refund-methods.ts'
import type { OrderRow } from '../../row/rows.ts'
import type { NewTransaction } from '../../transactions/transactions.ts'
import { paymentProblem } from '../refusals.ts'
import type { PaymentInstrument } from './instruments.ts'
import { GIFT_CERTIFICATE_METHOD, STORE_CREDIT_METHOD } from './methods.ts'

// Payments from balances that this server keeps: store credit and gift certificates (docs/contract/payments.md section 3). They are made at
// once, without a gateway. Each takes as much as there is; the next request pays the rest.

/** A payment from a balance, as its transaction. */
export type BalancePayment = Required<
  Pick<NewTransaction, 'method' | 'amount' | 'gateway' | 'payment_method_id' | 'details'>
>

interface BalanceInput {
  instrument: PaymentInstrument
  payment_method_id: string
}

const isByCertificate = ({ instrument, payment_method_id }: BalanceInput) =>
  instrument.type === 'gift_certificate' || payment_method_id === GIFT_CERTIFICATE_METHOD

/** Whether a payment is from a balance, by its instrument or by its method. */
export const isByBalance = (input: BalanceInput): boolean =>
  isByCertificate(input) || input.instrument.type === 'store_credit' || input.payment_method_id === STORE_CREDIT_METHOD

/**
 * Takes money from a balance for an order.
 * @param due the amount that the order owes
 * @throws Problem 422 if the balance can't pay
 */
export const takeBalance = (tx: Tx, order: OrderRow, due: Units, input: BalanceInput): Promise<BalancePayment> =>
  isByCertificate(input)
    ? takeFromCertificate(tx, order, due, input.instrument.gift_certificate_code)
    : takeCredit(tx, order, due)

async function takeCredit(tx: Tx, order: OrderRow, due: Units): Promise<BalancePayment> {
  if (order.customer_id === 0) throw noCredit('A guest has no store credit.')
  if (order.currency_code !== order.default_currency_code) {
    throw noCredit(`Store credit pays orders in ${order.default_currency_code}.`)
  }
  const paid = payable(await moveCredit(tx, order.customer_id, '0.0000', 'payment'), due, order)
  if (paid <= 0n) throw noCredit('The customer has no store credit.')
  const left = await moveCredit(tx, order.customer_id, textOf(-paid), 'payment')
  return {
    method: 'store_credit',
    amount: amountOf(paid),
    gateway: STORE_CREDIT_PROVIDER,
    payment_method_id: STORE_CREDIT_METHOD,
    details: { store_credit: { remaining_balance: left ?? 0 } },
  }
}

const noCredit = (reason: string) =>
  paymentProblem(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', { 'payment.instrument.type': reason })

async function takeFromCertificate(tx: Tx, order: OrderRow, due: Units, code = ''): Promise<BalancePayment> {
  if (code === '') throw noCertificate('error.path.missing')
  const certificate = await lockCertificate(tx, code)
  if (!certificate) throw noCertificate(`There is no gift certificate ${code}.`)
  const paid = payable(certificate.balance, due, order)
  const reason = reasonNotToPay(certificate, order, paid)
  if (reason !== undefined) throw noCertificate(reason)
  const move = await moveCertificate(tx, certificate.id, -paid, { cause: 'payment', order })
  if (!move) throw new Error(`The gift certificate ${certificate.id} is locked and could not pay ${amountOf(paid)}.`)
  return {
    method: 'gift_certificate',
    amount: amountOf(paid),
    gateway: GIFT_CERTIFICATE_PROVIDER,
    payment_method_id: GIFT_CERTIFICATE_METHOD,
    details: { gift_certificate: move.certificate },
  }
}

/** Returns the reason why a certificate can't pay an order; undefined if it can. Pure. */
function reasonNotToPay(
  { code, status, currency_code }: PayingCertificate,
  order: OrderRow,
  paid: Units,
): string | undefined {
  if (status === 'expired') return `The gift certificate ${code} has expired.`
  if (status !== 'active') return `The gift certificate ${code} is ${status}.`
  if (currency_code !== order.currency_code) return `The gift certificate ${code} pays orders in ${currency_code}.`
  return paid <= 0n ? `The gift certificate ${code} has no balance.` : undefined
}

const noCertificate = (reason: string) =>
  paymentProblem(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', {
    'payment.instrument.gift_certificate_code': reason,
  })

/** The part of a balance that pays. A balance has four decimals. Only whole minor units are paid, so that a card can pay the rest. */
function payable(balance: number | undefined, due: Units, { currency_decimals }: OrderRow): Units {
  const most = unitsOf(balance ?? 0)
  return smaller(most - (most % minorUnit(currency_decimals)), due)
}
