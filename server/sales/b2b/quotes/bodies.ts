import t, { type Static } from 'typebox'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { ID_MAX, Id, NeededText, nullable } from '../../../core/rest/input/fields.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { TextOf } from '../companies/company.ts'
import { WrittenExtraFields } from '../extra-fields/values.ts'
import { AmountText } from '../shared/exact-money.ts'
import { QuoteAddress, QuoteCurrency, QuoteOption } from './quote.ts'

// Quotes in bodies (docs/contract/b2b-quotes.md section 3).

/** Lines of a quote. */
const QUOTE_LINES_MAX = 500

const NewLine = t.Object(
  {
    productId: Id,
    sku: t.String({ maxLength: 255 }),
    basePrice: AmountText,
    discount: AmountText,
    offeredPrice: AmountText,
    quantity: t.Integer({ minimum: 1, maximum: ID_MAX }),
    productName: t.Optional(NeededText(250)),
    variantId: t.Optional(Id),
    orderQuantityMinimum: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
    orderQuantityMaximum: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
    imageUrl: t.Optional(TextOf(2_048)),
    options: t.Optional(t.Array(QuoteOption, { maxItems: 250 })),
  },
  { title: 'NewQuoteLine' },
)
export type NewQuoteLine = Static<typeof NewLine>

const Email = t.String({ maxLength: 255, pattern: MAIL_ADDRESS })
const Contact = t.Object(
  {
    name: NeededText(255),
    email: Email,
    companyName: t.Optional(TextOf(255)),
    phoneNumber: t.Optional(TextOf(50)),
  },
  { title: 'NewQuoteContact' },
)

const optional = {
  channelId: t.Optional(ChannelId),
  quoteTitle: t.Optional(TextOf(255)),
  referenceNumber: t.Optional(TextOf(255)),
  currency: t.Optional(t.Object(t.Partial(QuoteCurrency).properties, { title: 'NewQuoteCurrency' })),
  extraFields: t.Optional(WrittenExtraFields),
  notes: t.Optional(TextOf(65_535)),
  legalTerms: t.Optional(TextOf(65_535)),
  displayDiscount: t.Optional(t.Boolean()),
  allowCheckout: t.Optional(t.Boolean()),
  discountType: t.Optional(t.Integer({ minimum: 0, maximum: 2 })),
  discountValue: t.Optional(nullable(t.Number({ minimum: 0, maximum: 99_999_999_999 }))),
  shippingTotal: t.Optional(AmountText),
  taxTotal: t.Optional(AmountText),
  totalAmount: t.Optional(AmountText),
  shippingAddress: t.Optional(QuoteAddress),
  billingAddress: t.Optional(QuoteAddress),
  message: t.Optional(NeededText(2_000)),
  userEmail: t.Optional(Email),
  recipients: t.Optional(t.Array(Email, { maxItems: 20 })),
}
const needed = {
  subtotal: AmountText,
  discount: AmountText,
  grandTotal: AmountText,
  expiredAt: t.String({ maxLength: 10, description: 'The last day, as month/day/year' }),
  contactInfo: Contact,
  productList: t.Array(NewLine, { minItems: 1, maxItems: QUOTE_LINES_MAX }),
}
const line = {
  productId: 1,
  variantId: 1,
  sku: 'MUG',
  basePrice: 40,
  discount: 5,
  offeredPrice: 35,
  quantity: 1,
  options: [
    { optionId: 1, optionValue: '1' },
    { optionId: 2, optionValue: '3' },
  ],
}
const example = {
  subtotal: 35,
  discount: 5,
  grandTotal: 35,
  expiredAt: '12/31/2099',
  contactInfo: { name: 'Ann Lee', email: 'ann@example.com' },
  productList: [line],
}
export const NewCompanyQuote = t.Object(
  { ...needed, ...optional, companyId: t.Optional(Id) },
  { title: 'NewCompanyQuote', examples: [example] },
)
export type NewCompanyQuote = Static<typeof NewCompanyQuote>

export const CompanyQuoteChanges = t.Object(
  {
    ...t.Partial(t.Object(needed)).properties,
    ...optional,
    status: t.Optional(t.Union([t.Integer(), t.String({ maxLength: 20 })], { description: '6 or archived' })),
  },
  { title: 'CompanyQuoteChanges', examples: [{ notes: 'Free delivery in May' }] },
)
export type CompanyQuoteChanges = Static<typeof CompanyQuoteChanges>
