import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../../core/clock.ts'
import type { Db, Store } from '../../../core/db/database.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { isSameSignature } from '../../../core/secrets/signature.ts'
import { ConcurrencyLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { findInvoice } from '../invoices/invoice.ts'
import type { QuoteSites } from '../quotes/answers.ts'
import { currencyOf, withFormatOf } from '../quotes/currencies.ts'
import { findQuote, QuoteCurrency, type QuoteRow } from '../quotes/quote.ts'
import { type CompanyCaller, SELLER } from '../shared/caller.ts'
import type { PrintedDocument } from './document.ts'
import { invoiceDocument } from './invoice-document.ts'
import { makePdf } from './pdf.ts'
import { quoteDocument } from './quote-document.ts'

// PDF files of quotes and invoices (docs/decisions/083-pdf-files.md). No file is stored: a signed link names the quote or invoice, and
// the file is made when the link is opened. So a link to a deleted quote ends at once, and no copy outlives its data.

const VALID_MS = 86_400_000
/** Files that a process makes at once for a store. */
const FILES_AT_ONCE = 2

export interface PdfParts extends QuoteSites {
  secrets: Pick<Secrets, 'linkSignature'>
  clock: Clock
  /** The address of the server as clients see it. */
  publicUrl: string
}

/** The currency of one file: the format, and the exchange rate as text. */
export const PdfCurrency = t.Object(
  {
    ...t.Partial(QuoteCurrency).properties,
    currencyExchangeRate: t.Optional(t.String({ pattern: '^\\d{1,9}(\\.\\d{1,10})?$', maxLength: 20 })),
  },
  { title: 'QuotePdfCurrency' },
)
type PdfCurrency = Static<typeof PdfCurrency>

/**
 * A link to the PDF of a quote. It works without a token, for 24 hours.
 * @param currency converts the amounts in this file only
 * @throws Problem 403, 404, 422 for a currency that the store does not have
 */
export async function quotePdfUrl(
  db: Db,
  caller: CompanyCaller,
  { id, currency }: { id: number; currency?: PdfCurrency | undefined },
  parts: PdfParts,
): Promise<string> {
  const quote = await findQuote(db, caller, { id, now: db.now, code: 'get_quote_pdf' })
  await fileCurrency(db, quote.currency, currency)
  return linkTo(parts, db.store, `quote-${id}`, currency)
}

/**
 * A link to the PDF of an invoice, for 24 hours, and the address of the file of an external system.
 * @throws Problem 403, 404
 */
export async function invoicePdfUrls(db: Db, caller: CompanyCaller, id: number, parts: PdfParts) {
  const invoice = await findInvoice(db, caller, id, 'get_invoice_pdf')
  return { url: linkTo(parts, db.store, `invoice-${id}`), externalPdfUrl: invoice.external_pdf_url }
}

async function fileCurrency(db: Db, own: QuoteCurrency, { currencyExchangeRate: rate, ...format }: PdfCurrency = {}) {
  const mistakes: Record<string, string> = {}
  if (rate !== undefined && Number(rate) === 0) mistakes['currency.currencyExchangeRate'] = 'Send a rate above 0.'
  const written = { ...format, ...(rate === undefined ? {} : { currencyExchangeRate: Number(rate) }) }
  const currency = await currencyOf(db, withFormatOf(own, written), mistakes)
  refuse(mistakes)
  return currency
}

function linkTo({ secrets, clock, publicUrl }: PdfParts, { hash }: Store, file: string, currency?: PdfCurrency) {
  const expires = String(Math.ceil((clock.now().getTime() + VALID_MS) / 1_000))
  const format = currency ? Buffer.from(JSON.stringify(currency)).toString('base64url') : ''
  const signature = sign(secrets, hash, { file, expires, format })
  return `${publicUrl}/b2b/documents/${hash}/${file}.pdf?expires=${expires}&format=${format}&signature=${signature}`
}

/** The signed parts of a link. */
interface LinkedFile {
  /** `quote-1` or `invoice-1`. */
  file: string
  expires: string
  /** The currency of the file, or empty. */
  format: string
}

const sign = (secrets: PdfParts['secrets'], hash: string, { file, expires, format }: LinkedFile): string =>
  secrets.linkSignature(`company document ${hash} ${file} ${expires} ${format}`)

/** Whether a link is one of ours that has not expired. */
export const isValidLink = (
  { secrets, clock }: PdfParts,
  hash: string,
  { signature, ...linked }: LinkedFile & { signature: string },
): boolean =>
  isSameSignature(signature, sign(secrets, hash, linked)) && Number(linked.expires) * 1_000 > clock.now().getTime()

const limit = new ConcurrencyLimit(FILES_AT_ONCE)

/** The file of a valid link. @throws Problem 404 for a deleted quote or invoice, 429 while too many are made */
export function linkedPdf(db: Db, { file, format }: LinkedFile, parts: PdfParts): Promise<Buffer> {
  const [, kind, id] = /^(quote|invoice)-(\d{1,9})$/.exec(file) ?? []
  if (id === undefined) throw new Problem(404, 'There is no such document.')
  return limit.run(db.store, async () => {
    const now = db.now
    const printed = await (kind === 'quote'
      ? printedQuote(db, Number(id), format, { ...parts, now })
      : invoiceDocument(db, await findInvoice(db, SELLER, Number(id)), { ...parts, now }))
    return makePdf(printed, now)
  })
}

/** The PDF of a quote in its own currency. @throws Problem 429 while too many are made */
export const quotePdf = (db: Db, row: QuoteRow, { sites, now }: QuoteSites & { now: Date }): Promise<Buffer> =>
  limit.run(db.store, async () => makePdf(await quoteDocument(db, row, { sites, now, currency: row.currency }), now))

async function printedQuote(
  db: Db,
  id: number,
  format: string,
  { sites, now }: QuoteSites & { now: Date },
): Promise<PrintedDocument> {
  const row = await findQuote(db, SELLER, { id, now })
  const written =
    format === '' ? undefined : Value.Parse(PdfCurrency, JSON.parse(Buffer.from(format, 'base64url').toString()))
  return quoteDocument(db, row, { sites, now, currency: await fileCurrency(db, row.currency, written) })
}
