import type { Db } from '../../../core/db/database.ts'
import { ratio, roundTo, type Units, unitsOf } from '../../../core/money/units.ts'
import { storeContextOf } from '../../../shop/emails/sending/store-context.ts'
import type { QuoteSites } from '../quotes/answers.ts'
import type { QuoteCurrency, QuoteLine, QuoteRow } from '../quotes/quote.ts'
import { type AmountWriter, amountWriter, type PrintedDocument, present, printedDay } from './document.ts'

interface PrintedQuote extends QuoteSites {
  now: Date
  /** The currency of the file, by default that of the quote. Amounts are converted by the two exchange rates. */
  currency: QuoteCurrency
}

/** A quote as a document. It has the data of this quote only. */
export async function quoteDocument(db: Db, row: QuoteRow, { sites, now, currency }: PrintedQuote) {
  const { store } = await storeContextOf(db, { channel: row.channel_id, locale: 'en', sites, now })
  return documentOf(row, { name: store.name, address: store.address }, currency)
}

function documentOf(row: QuoteRow, seller: { name: string; address: string }, currency: QuoteCurrency) {
  const write = writerOf(row, currency)
  const printed: PrintedDocument = {
    title: `Quote ${row.quote_number}`,
    facts: [
      ['Date', printedDay(row.created_at)],
      ['Valid until', printedDay(row.expires_at)],
      ...pairs(['Title', row.quote_title], ['Reference', row.reference_number], ['Sales rep', row.sales_rep]),
    ],
    parties: [
      { heading: 'From', lines: present(seller.name, ...seller.address.split('\n')) },
      {
        heading: 'To',
        lines: present(row.company_name, row.contact.name, row.contact.email, row.contact.phoneNumber),
      },
      { heading: 'Bill to', lines: addressLines(row.billing_address) },
      { heading: 'Ship to', lines: addressLines(row.shipping_address) },
    ].filter(({ lines }) => lines.length > 0),
    headings: ['Quantity', 'Price', 'Total'],
    lines: row.lines.map((line) => lineOf(line, write)),
    totals: [
      ['Subtotal', write(unitsOf(row.subtotal))],
      ...(row.display_discount && row.discount > 0 ? [['Discount', write(unitsOf(row.discount))] as const] : []),
      ...(row.shipping_total > 0 ? [['Shipping', write(unitsOf(row.shipping_total))] as const] : []),
      ...(row.tax_total > 0 ? [['Tax', write(unitsOf(row.tax_total))] as const] : []),
      ['Grand total', write(unitsOf(row.grand_total))],
    ],
    texts: [
      { heading: 'Notes', text: row.notes },
      { heading: 'Terms', text: row.legal_terms },
    ],
  }
  return printed
}

const pairs = (...all: readonly (readonly [string, string])[]) => all.filter(([, value]) => value.trim() !== '')

const lineOf = ({ productName, sku, options, quantity, offeredPrice }: QuoteLine, write: AmountWriter) => ({
  name: productName,
  note: present(sku, ...options.map(({ optionName, optionLabel }) => optionLabel ?? optionName)).join(', '),
  values: [String(quantity), write(unitsOf(offeredPrice)), write(unitsOf(offeredPrice) * BigInt(quantity))],
})

const addressLines = (address: QuoteRow['shipping_address']): string[] =>
  present(
    present(address.firstName, address.lastName).join(' '),
    address.address,
    address.apartment,
    present(address.city, address.state, address.zipCode).join(', '),
    address.country,
  )

const RATE_UNITS = 1e10

function writerOf(row: QuoteRow, currency: QuoteCurrency): AmountWriter {
  const [from, to] = [row.currency.currencyExchangeRate, currency.currencyExchangeRate].map((rate) =>
    BigInt(Math.round(rate * RATE_UNITS)),
  )
  const isConverted = currency.currencyCode !== row.currency_code && !!from && !!to
  const write = amountWriter({
    token: currency.token,
    token_location: currency.location,
    decimal_token: currency.decimalToken,
    thousands_token: currency.thousandsToken,
    decimals: currency.decimalPlaces,
  })
  return (amount: Units) => write(isConverted ? ratio(amount, to, from) : roundTo(amount, 4))
}
