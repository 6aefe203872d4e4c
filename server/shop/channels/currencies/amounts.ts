import { minorUnit, type Units } from '../../../core/money/units.ts'
import type { Currency } from './shape.ts'

/** The display settings of a currency. */
export type AmountForm = Pick<Currency, 'token' | 'token_location' | 'decimal_token' | 'thousands_token'>

/** Writes an amount as the display settings of its currency say: `$1,234.50`. @param decimals at most four */
export function formatAmount(form: AmountForm, units: Units, decimals: number): string {
  const minor = (units < 0n ? -units : units) / minorUnit(decimals)
  const digits = String(minor).padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, () => form.thousands_token)
  const number = fraction === '' ? grouped : `${grouped}${form.decimal_token}${fraction}`
  const text = form.token_location === 'left' ? `${form.token}${number}` : `${number}${form.token}`
  return units < 0n ? `-${text}` : text
}
