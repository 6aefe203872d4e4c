import { amountOf, minorUnit, roundTo, type Units, unitsOf } from '../../../../../core/money/units.ts'
import type { Currency } from '../../../../../shop/channels/currencies/shape.ts'

/** The form of amounts of a currency. */
type MoneyForm = Pick<
  Currency,
  'currency_code' | 'token' | 'token_location' | 'decimal_token' | 'thousands_token' | 'decimal_places'
>

/** Amounts are stored with at most four decimals. */
const DECIMALS_MAX = 4

/** An amount of a currency, rounded to its decimals. @param amount units of the currency, or whole numbers of 1/10,000 */
export function moneyToAnswer(currency: MoneyForm, amount: number | Units) {
  const decimals = Math.min(currency.decimal_places, DECIMALS_MAX)
  const units = roundTo(typeof amount === 'bigint' ? amount : unitsOf(amount), decimals)
  const formatted = formatAmount(currency, units, decimals)
  return { currencyCode: currency.currency_code, value: amountOf(units), formatted, formattedV2: formatted }
}

/** Writes an amount as the display settings of its currency say: `$1,234.50`. */
function formatAmount(currency: MoneyForm, units: Units, decimals: number): string {
  const minor = (units < 0n ? -units : units) / minorUnit(decimals)
  const digits = String(minor).padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, () => currency.thousands_token)
  const number = fraction === '' ? grouped : `${grouped}${currency.decimal_token}${fraction}`
  const text = currency.token_location === 'left' ? `${currency.token}${number}` : `${number}${currency.token}`
  return units < 0n ? `-${text}` : text
}
