import { minorUnit, smaller, sumOf, type Units, unitsOf } from '../../../../core/money/units.ts'
import { fold } from '../../../../core/rest/lists/fold.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { type PayingCertificate, storedCode } from '../../../promotions/certificate-balance.ts'
import type { CartDocument } from '../../row/document.ts'

// Gift certificates and store credit that shoppers apply to a checkout (docs/contract/storefront-purchases.md section 8). They are no discounts:
// totals and taxes stay, and the order is paid with them. Nothing is taken from a balance before the payment. Pure.

/** Most gift certificates of a checkout. */
const CERTIFICATES_MAX = 10

/** The open amount of an order or a checkout. */
interface OpenAmount {
  units: Units
  /** The part that certificates can pay: gift certificates are not bought with others. */
  ceiling: Units
  currency_code: string
  decimals: number
}

/** A certificate with the amount that it pays. */
interface CertificateShare<Certificate> {
  certificate: Certificate
  used: Units
}

/** The shares of an order that balances pay. */
export interface Redemption<Certificate> {
  certificates: CertificateShare<Certificate>[]
  credit: Units
  /** The amount that is left to pay. */
  rest: Units
}

/**
 * Divides an open amount: certificates pay first, in the order in which they were applied, then store credit. Balances have four decimals;
 * only whole minor units pay, so that a card can pay the rest.
 * @param credit the store credit; 0 if the shopper doesn't use it
 */
export function redemptionOf<Certificate extends Pick<PayingCertificate, 'status' | 'balance' | 'currency_code'>>(
  { units, ceiling, currency_code, decimals }: OpenAmount,
  certificates: readonly Certificate[],
  credit: number,
): Redemption<Certificate> {
  let left = smaller(units, ceiling)
  const shares = certificates.map((certificate) => {
    const pays = certificate.status === 'active' && certificate.currency_code === currency_code
    const used = pays ? smaller(whole(unitsOf(certificate.balance), decimals), left) : 0n
    left -= used
    return { certificate, used }
  })
  const open = units - sumOf(shares.map(({ used }) => used))
  const byCredit = smaller(whole(unitsOf(credit), decimals), open)
  return { certificates: shares, credit: byCredit, rest: open - byCredit }
}

const whole = (balance: Units, decimals: number): Units => balance - (balance % minorUnit(decimals))

/** Codes are compared without case. */
const isSameCertificate = (one: string, other: string): boolean => fold(storedCode(one)) === fold(storedCode(other))

/**
 * Applies a gift certificate. One that is applied already changes nothing.
 * @param found the certificate with the code
 * @throws Problem 422
 */
export function withCertificate(
  document: CartDocument,
  found: PayingCertificate | undefined,
  { code, currency_code }: { code: string; currency_code: string },
): CartDocument {
  const { redeemed = [] } = document
  if (!found) throw refusal(`There is no gift certificate ${storedCode(code)}.`)
  if (redeemed.some((one) => isSameCertificate(one, found.code))) return document
  const reason = reasonNotToApply(found, currency_code)
  if (reason !== undefined) throw refusal(reason)
  if (redeemed.length >= CERTIFICATES_MAX) {
    throw refusal(`A checkout can have at most ${CERTIFICATES_MAX} gift certificates.`)
  }
  return { ...document, redeemed: [...redeemed, found.code] }
}

function reasonNotToApply({ code, status, balance, currency_code }: PayingCertificate, wanted: string) {
  if (status === 'expired') return `The gift certificate ${code} has expired.`
  if (status !== 'active') return `The gift certificate ${code} can not be used.`
  if (currency_code !== wanted) return `The gift certificate ${code} pays orders in ${currency_code}.`
  return balance > 0 ? undefined : `The gift certificate ${code} has no balance.`
}

/** The applied certificates of two checkouts. */
export const joinedCertificates = (own: readonly string[], others: readonly string[]): string[] =>
  [...own, ...others.filter((code) => !own.some((one) => isSameCertificate(one, code)))].slice(0, CERTIFICATES_MAX)

const refusal = (sentence: string) => new Problem(422, sentence, { gift_certificate_code: sentence })

/** Removes a gift certificate. @throws Problem 404 */
export function withoutCertificate(document: CartDocument, code: string): CartDocument {
  const { redeemed = [] } = document
  const left = redeemed.filter((one) => !isSameCertificate(one, code))
  if (left.length === redeemed.length) throw new Problem(404, `This checkout has no gift certificate ${code}.`)
  return { ...document, redeemed: left }
}

/** The document without balances: those of a customer pay no cart of somebody else. */
export const withoutBalances = ({ redeemed: _, uses_credit: __, ...document }: CartDocument): CartDocument => document
