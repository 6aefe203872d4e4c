import t from 'typebox'
import { textOf, UNITS_MAX, type Units } from '../../../core/money/units.ts'
import { CURRENCY_CODES } from '../../../shop/channels/currencies/iso-4217.ts'

// Amounts of invoices, payments and receipts: four decimals, exact (docs/contract/b2b-invoices.md section 2).

/** An amount in a body: a number, or the same as text. */
export const AmountText = t.Union([t.Number(), t.String({ maxLength: 40 })])

/** An amount with its currency in a body. */
export const MoneyInput = t.Object(
  { code: t.String({ maxLength: 3 }), value: AmountText },
  { title: 'CompanionMoneyInput' },
)

/** An amount with its currency in answers. */
export const ExactMoney = t.Object(
  { code: t.String(), value: t.String({ description: 'With four decimals' }) },
  { title: 'CompanionMoney' },
)

export const moneyOf = (code: string, units: Units) => ({ code, value: textOf(units) })

const EXACT = /^(-?)(\d{1,11})(?:\.(\d{1,4}))?$/

/**
 * Reads an amount of a currency.
 * @param currency a code of ISO 4217
 * @returns a sentence about the mistake, instead of the amount
 */
export function readAmount(value: string | number, currency: string): Units | string {
  const [, sign, whole = '', fraction = ''] = EXACT.exec(String(value)) ?? []
  if (sign === undefined) return 'Send a plain decimal number with at most 11 digits and four decimals.'
  if (Number(fraction) > 0 && decimalsOf(currency) === 0) return `Amounts in ${currency} have no decimals.`
  const units = BigInt(`${whole}${fraction.padEnd(4, '0')}`)
  return units > UNITS_MAX ? 'This amount is too large.' : sign === '-' ? -units : units
}

/** The decimals of a currency by ISO 4217. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** The code of a currency in capitals; undefined for an unknown one. */
export function currencyCode(text: string): string | undefined {
  const code = text.toUpperCase()
  return CURRENCY_CODES.has(code) ? code : undefined
}
