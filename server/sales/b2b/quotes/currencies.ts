import type { Db } from '../../../core/db/database.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { type Currency, currencyPair, type pairOf } from '../../../shop/channels/currencies/shape.ts'
import type { CompanyQuoteChanges, NewCompanyQuote } from './bodies.ts'
import type { QuoteCurrency } from './quote.ts'

/** The currency of a body, with the format of the store's own currency for missing fields. */
export const currencyOf = async (
  db: Db,
  written: NewCompanyQuote['currency'],
  mistakes: Mistakes,
): Promise<QuoteCurrency> => formattedCurrency(await currencyPair(db, written?.currencyCode), written, mistakes)

/** The same from the rows that `currencyPair` reads. */
export function formattedCurrency(
  { standard, wanted }: ReturnType<typeof pairOf>,
  written: NewCompanyQuote['currency'],
  mistakes: Mistakes,
): QuoteCurrency {
  if (!wanted) mistakes['currency.currencyCode'] = 'The store does not have this currency.'
  const format = formatOf(wanted ?? standard)
  return { ...format, ...withoutUndefined(written ?? {}), currencyCode: format.currencyCode }
}

const formatOf = (currency: Currency): QuoteCurrency => ({
  token: currency.token,
  location: currency.token_location,
  currencyCode: currency.currency_code,
  decimalToken: currency.decimal_token,
  decimalPlaces: currency.decimal_places,
  thousandsToken: currency.thousands_token,
  currencyExchangeRate: Number(currency.currency_exchange_rate),
})

/** A written currency; the format of the quote's own one fills missing fields, unless the currency changes. */
export const withFormatOf = (
  stored: QuoteCurrency,
  written: NonNullable<CompanyQuoteChanges['currency']>,
): CompanyQuoteChanges['currency'] =>
  (written.currencyCode ?? stored.currencyCode).toUpperCase() === stored.currencyCode
    ? { ...stored, ...withoutUndefined(written) }
    : written
