import type { Db } from '../../../core/db/database.ts'
import { unitsOf } from '../../../core/money/units.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { storeContextOf } from '../../../shop/emails/sending/store-context.ts'
import { namesOfCompanies } from '../companies/names.ts'
import type { InvoiceRow } from '../invoices/invoice.ts'
import type { QuoteSites } from '../quotes/answers.ts'
import { decimalsOf } from '../shared/exact-money.ts'
import { type AmountWriter, amountWriter, type PrintedDocument, present, printedDay } from './document.ts'

/** An invoice as a document. Prices inside its details are printed as they were written. */
export async function invoiceDocument(
  db: Db,
  row: InvoiceRow,
  { sites, now }: QuoteSites & { now: Date },
): Promise<PrintedDocument> {
  const { store } = await storeContextOf(db, { channel: row.channel_id, locale: 'en', sites, now })
  const company = (await namesOfCompanies(db, [row.company_id])).get(row.company_id) ?? ''
  const write = await writerOf(db, row.currency_code)
  const { header, details } = row.details
  return {
    title: `${row.type === '' ? 'Invoice' : row.type} ${row.invoice_number}`,
    facts: (
      [
        ['Date', printedDay(row.issued_at)],
        ['Due', printedDay(row.due_at)],
        ['Order', row.order_number],
        ['Purchase order', row.purchase_order_number],
      ] as const
    ).filter(([, value]) => value !== ''),
    parties: [
      { heading: 'From', lines: present(store.name, ...store.address.split('\n')) },
      { heading: 'To', lines: present(company) },
      { heading: 'Bill to', lines: addressLines(header?.billingAddress) },
      { heading: 'Ship to', lines: addressLines(header?.shippingAddresses?.[0]) },
    ].filter(({ lines }) => lines.length > 0),
    headings: ['Quantity', 'Price'],
    lines: (details?.lineItems ?? []).map(({ sku, description, comments, quantity, unitPrice }) => ({
      name: present(description)[0] ?? sku,
      note: present(sku, comments).join(', '),
      values: [quantity, `${unitPrice.code} ${unitPrice.value}`],
    })),
    totals: [
      ...(header?.costLines ?? []).map(
        ({ amount, description = '' }) => [description, `${amount.code} ${amount.value}`] as const,
      ),
      ['Total', write(unitsOf(row.original_balance))],
      ['Open', write(unitsOf(row.open_balance))],
    ],
    texts: [{ heading: 'Terms', text: row.terms_conditions }],
  }
}

type InvoiceAddress = NonNullable<InvoiceRow['details']['header']>['billingAddress']

const addressLines = (address: InvoiceAddress): string[] =>
  present(
    present(address?.firstName, address?.lastName).join(' '),
    address?.street1,
    address?.street2,
    present(address?.city, address?.state, address?.zipCode).join(', '),
    address?.country,
  )

/** An invoice may have a currency that the store does not have. Its amounts are written with the code then. */
async function writerOf(db: Db, code: string): Promise<AmountWriter> {
  const { wanted } = await currencyPair(db, code)
  if (wanted) return amountWriter({ ...wanted, decimals: wanted.decimal_places })
  const form = { token: ` ${code}`, token_location: 'right', decimal_token: '.', thousands_token: ',' } as const
  return amountWriter({ ...form, decimals: decimalsOf(code) })
}
