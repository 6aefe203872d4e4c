import { amountOf, roundTo, type Units, unitsOf } from '../../../../../core/money/units.ts'
import { type AmountForm, formatAmount } from '../../../../../shop/channels/currencies/amounts.ts'
import type { Currency } from '../../../../../shop/channels/currencies/shape.ts'

/** The form of amounts of a currency. */
type MoneyForm = AmountForm & Pick<Currency, 'currency_code' | 'decimal_places'>

/** Amounts are stored with at most four decimals. */
const DECIMALS_MAX = 4

/** An amount of a currency, rounded to its decimals. @param amount units of the currency, or whole numbers of 1/10,000 */
export function moneyToAnswer(currency: MoneyForm, amount: number | Units) {
  const decimals = Math.min(currency.decimal_places, DECIMALS_MAX)
  const units = roundTo(typeof amount === 'bigint' ? amount : unitsOf(amount), decimals)
  const formatted = formatAmount(currency, units, decimals)
  return { currencyCode: currency.currency_code, value: amountOf(units), formatted, formattedV2: formatted }
}
