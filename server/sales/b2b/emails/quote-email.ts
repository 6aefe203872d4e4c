import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { MAIL_ADDRESS, sendMail } from '../../../core/mail/outbox.ts'
import { type Units, unitsOf } from '../../../core/money/units.ts'
import { addressOfPicture } from '../../../core/rest/input/picture-addresses.ts'
import { invalid } from '../../../core/rest/problem.ts'
import { findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import { storeContextOf } from '../../../shop/emails/sending/store-context.ts'
import { amountWriter } from '../documents/document.ts'
import { quotePdf } from '../documents/pdf-files.ts'
import { type QuoteSites, quoteLinkOf } from '../quotes/answers.ts'
import { findQuote, type QuoteRow } from '../quotes/quote.ts'
import { isOpenQuote } from '../quotes/states.ts'
import type { CompanyCaller } from '../shared/caller.ts'
import { EMAIL_DESIGNS } from './designs.ts'
import { type MailedQuote, writeQuoteMail } from './quote-mail.ts'
import { EMAIL_LANGUAGES } from './words.ts'

/** The copies of a mail. */
const COPIES_MAX = 10

const ADDRESS = { maxLength: 255, pattern: MAIL_ADDRESS }

/** A mail of a quote in a body. */
export const QuoteEmail = t.Object(
  {
    quoteId: t.Union([t.Integer({ minimum: 1 }), t.String({ pattern: '^[1-9]\\d{0,8}$' })], {
      description: 'The id of the quote',
    }),
    email: t.String({ ...ADDRESS, description: 'The e-mail address of the contact of the quote' }),
    withAttach: t.Boolean({ description: 'Whether the mail has the PDF of the quote' }),
    emailTemplate: t.Enum([...EMAIL_DESIGNS], { description: 'The design of the mail' }),
    ccTo: t.Optional(
      t.Array(t.String(ADDRESS), { maxItems: COPIES_MAX, description: 'Each receives a mail of its own' }),
    ),
    emailLang: t.Optional(t.Enum([...EMAIL_LANGUAGES], { default: 'en', description: 'The language of the mail' })),
  },
  {
    title: 'QuoteEmail',
    examples: [{ quoteId: '1', email: 'ann@acme.example.com', withAttach: false, emailTemplate: 'Simple' }],
  },
)
export type QuoteEmail = Static<typeof QuoteEmail>

/**
 * Sends a quote to its buyer, and copies of the mail to others. Each receives a mail of its own. The quote stays as it is.
 * @throws Problem 403, 404, 422 for another address than that of the buyer, 429 while too many files are made
 */
export async function emailQuote(
  db: Db,
  caller: CompanyCaller,
  { quoteId, email, withAttach, emailTemplate, ccTo = [], emailLang = 'en' }: QuoteEmail,
  parts: QuoteSites,
) {
  const { now } = db
  const quote = await findQuote(db, caller, { id: Number(quoteId), now, code: 'get_quote_pdf' })
  if (quote.contact.email.toLowerCase() !== email.toLowerCase()) {
    throw invalid({ email: 'This is not the e-mail address of the buyer.' })
  }
  const mail = writeQuoteMail(await mailedQuote(db, quote, { ...parts, now }), emailTemplate, emailLang)
  // The file is made before the transaction, which only stores it.
  const attachment = withAttach
    ? { name: `${quote.quote_number}.pdf`, content: await quotePdf(db, quote, { ...parts, now }) }
    : undefined
  await db.transaction(async (tx) => {
    for (const to of new Set([email, ...ccTo]))
      await sendMail(tx, { to, ...mail, ...(attachment ? { attachment } : {}) })
  })
}

async function mailedQuote(db: Db, quote: QuoteRow, { sites, now }: QuoteSites & { now: Date }): Promise<MailedQuote> {
  const { store } = await storeContextOf(db, { channel: quote.channel_id, locale: 'en', sites, now })
  const variants = quote.lines.map(({ variantId }) => variantId)
  const items = await findCartItems(db, { variants, products: [], customFields: false })
  const { token, location, decimalToken, thousandsToken, decimalPlaces } = quote.currency
  const write = amountWriter({
    token,
    token_location: location,
    decimal_token: decimalToken,
    thousands_token: thousandsToken,
    decimals: decimalPlaces,
  })
  const positive = (amount: number) => (amount > 0 ? write(unitsOf(amount)) : undefined)
  const total = (units: Units, quantity: number) => write(units * BigInt(quantity))
  return {
    number: quote.quote_number,
    seller: store.name,
    buyer: quote.contact.name,
    expiresAt: new Date(quote.expires_at),
    lines: quote.lines.map((line) => ({
      name: line.productName,
      sku: line.sku,
      quantity: line.quantity,
      price: write(unitsOf(line.offeredPrice)),
      total: total(unitsOf(line.offeredPrice), line.quantity),
      picture: pictureOf(
        line.imageUrl || addressOfPicture(sites.publicUrl, items.get(line.variantId)?.image_url ?? ''),
      ),
    })),
    amounts: {
      subtotal: write(unitsOf(quote.subtotal)),
      discount: quote.display_discount ? positive(quote.discount) : undefined,
      shipping: positive(quote.shipping_total),
      tax: positive(quote.tax_total),
      grandTotal: write(unitsOf(quote.grand_total)),
    },
    notes: quote.notes,
    terms: quote.legal_terms,
    link: quote.allow_checkout && isOpenQuote(quote.status) ? await quoteLinkOf(db, quote, { sites }) : undefined,
  }
}

const pictureOf = (address: string): string => (/^https?:\/\//.test(address) ? address : '')
