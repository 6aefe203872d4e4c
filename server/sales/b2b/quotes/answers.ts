import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { amountOf, roundTo, unitsOf } from '../../../core/money/units.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { addressOfPicture } from '../../../core/rest/input/picture-addresses.ts'
import { findQuotedItems, type QuotedItem } from '../../../goods/catalog/variants/quoted.ts'
import { ChannelId, channelsById } from '../../../shop/channels/channels.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { siteUrlOf } from '../../../shop/channels/sites/shape.ts'
import { storeContextOf } from '../../../shop/emails/sending/store-context.ts'
import { companiesById, epochSeconds } from '../companies/company.ts'
import { extraFieldsIn, extraFieldsOf } from '../extra-fields/definitions.ts'
import { ExtraFieldDefinition, extraFieldToAnswer } from '../extra-fields/field.ts'
import { ExtraFieldValues, extraValuesToAnswer } from '../extra-fields/values.ts'
import { quoteFilesOf, quoteFileUrl } from '../portal/quote-files.ts'
import { decimalsOf } from '../shared/exact-money.ts'
import { hasOptions } from './lines.ts'
import { messagesToAnswer, QuoteMessage } from './messages.ts'
import {
  QuoteAddress,
  QuoteContact,
  QuoteCurrency,
  type QuoteLine,
  QuoteOption,
  type QuoteRow,
  QuoteShipping,
} from './quote.ts'

// Quotes in answers (docs/contract/b2b-quotes.md section 3).

const Seconds = t.Integer({ description: 'Unix seconds' })
const listed = {
  quoteNumber: t.String(),
  quoteTitle: t.String(),
  referenceNumber: t.String(),
  status: t.Integer({
    description: '0 new, 2 in process, 3 updated by the customer, 4 ordered, 5 expired, 6 archived, 7 draft',
  }),
  bcOrderId: t.String({ description: 'The id of its order, or empty' }),
  orderId: t.String({ description: 'As bcOrderId' }),
  channelId: ChannelId,
  channelName: t.String(),
  createdBy: t.String(),
  subtotal: t.Number(),
  discount: t.Number(),
  grandTotal: t.Number(),
  totalAmount: t.Number(),
  currency: QuoteCurrency,
  extraFields: ExtraFieldValues,
  createdAt: Seconds,
  expiredAt: t.Integer({ description: 'Unix seconds: the last second of its last day' }),
}

export const ListedQuote = t.Object(
  { quoteId: Id, ...listed, company: t.String(), salesRep: t.String(), updatedAt: Seconds },
  { title: 'ListedQuote' },
)

const AnsweredLine = t.Object(
  {
    productId: Id,
    productName: t.String(),
    variantId: Id,
    sku: t.String(),
    basePrice: t.Number(),
    discount: t.Number(),
    offeredPrice: t.Number(),
    quantity: t.Integer(),
    orderQuantityMaximum: t.Integer(),
    orderQuantityMinimum: t.Integer(),
    imageUrl: t.String(),
    options: t.Array(QuoteOption),
    costPrice: t.Number(),
    inventoryTracking: t.String(),
    inventoryLevel: t.Integer(),
    purchasedHandled: t.Boolean({ description: 'Whether carts have it as a custom item' }),
    type: t.String(),
    isFreeShipping: t.Boolean(),
    availability: t.Boolean(),
    isPriceHidden: t.Boolean(),
    purchasingDisabled: t.String({ description: 'available or disabled' }),
    foundInBc: t.Boolean({ description: 'Whether the catalog still has the variant' }),
    hasInvalidOptions: t.Boolean(),
    productUrl: t.String(),
  },
  { title: 'QuoteLine' },
)

const File = t.Object(
  { id: Id, fileName: t.String(), fileType: t.String(), fileUrl: t.String() },
  { title: 'QuoteFile' },
)

export const CompanyQuote = t.Object(
  {
    quoteId: Id,
    quoteUuid: t.String(),
    ...listed,
    notes: t.String(),
    legalTerms: t.String(),
    displayDiscount: t.Boolean(),
    allowCheckout: t.Boolean(),
    productList: t.Array(AnsweredLine),
    shippingAddress: QuoteAddress,
    billingAddress: QuoteAddress,
    contactInfo: QuoteContact,
    discountType: t.Integer(),
    discountValue: t.Union([t.Number(), t.Null()]),
    shippingTotal: t.Number(),
    taxTotal: t.Number(),
    quoteLogo: t.String(),
    shippingMethod: t.Union([QuoteShipping, t.Object({})]),
    storeInfo: t.Object(
      { storeName: t.String(), storeAddress: t.String(), storeCountry: t.String(), storeLogo: t.String() },
      { title: 'QuoteStore' },
    ),
    companyInfo: t.Object(
      {
        companyId: t.Integer(),
        companyName: t.String(),
        companyAddress: t.String(),
        companyCity: t.String(),
        companyState: t.String(),
        companyZipCode: t.String(),
        companyCountry: t.String(),
        companyphoneNumber: t.String(),
      },
      { title: 'QuoteCompany' },
    ),
    salesRepInfo: t.Object(
      { salesRepName: t.String(), salesRepEmail: t.String(), salesRepPhoneNumber: t.String() },
      { title: 'QuoteSalesRep' },
    ),
    storefrontAttachFiles: t.Array(File),
    backendAttachFiles: t.Array(File),
    trackingHistory: t.Array(QuoteMessage),
    extraFieldsInfo: t.Array(ExtraFieldDefinition),
    recipients: t.Array(t.String()),
    updatedAt: Seconds,
  },
  { title: 'CompanyQuote' },
)

/** An amount with the decimals of a currency. */
const rounding = (currency: string) => {
  const decimals = decimalsOf(currency)
  return (amount: number) => amountOf(roundTo(unitsOf(amount), decimals))
}

type Listed = Omit<QuoteRow, 'lines' | 'notes' | 'legal_terms' | 'history'>

/** Quotes of a list, in the same order. Lists read no lines. */
export async function quotesToAnswer(db: Db, rows: readonly Listed[]): Promise<Static<typeof ListedQuote>[]> {
  const toAnswer = await headsOf(db, rows)
  return rows.map((row) => ({
    quoteId: row.id,
    ...toAnswer(row),
    company: row.company_name,
    salesRep: row.sales_rep,
    updatedAt: epochSeconds(row.updated_at),
  }))
}

/** The fields that quotes have in lists and alone. */
async function headsOf(db: Db, rows: readonly Listed[]) {
  const { channels, fields } = await db.together(() => ({
    channels: channelsById(
      db,
      rows.map(({ channel_id }) => channel_id),
    ),
    fields: extraFieldsIn(db, 'quote', rows),
  }))
  return (row: Listed) => {
    const round = rounding(row.currency_code)
    const order = row.order_id === 0 ? '' : String(row.order_id)
    return {
      quoteNumber: row.quote_number,
      quoteTitle: row.quote_title,
      referenceNumber: row.reference_number,
      status: row.status,
      bcOrderId: order,
      orderId: order,
      channelId: row.channel_id,
      channelName: channels.get(row.channel_id)?.name ?? '',
      createdBy: row.created_by,
      subtotal: round(row.subtotal),
      discount: round(row.discount),
      grandTotal: round(row.grand_total),
      totalAmount: round(row.total_amount),
      currency: row.currency,
      extraFields: extraValuesToAnswer(fields, row.extra_values),
      createdAt: epochSeconds(row.created_at),
      expiredAt: epochSeconds(row.expires_at),
    }
  }
}

/** The parts of the installation that addresses depend on. */
export interface QuoteSites {
  sites: AddressRules
}

/** One quote with its lines. */
export async function quoteToAnswer(
  db: Db,
  row: QuoteRow,
  { sites, now }: QuoteSites & { now: Date },
): Promise<Static<typeof CompanyQuote>> {
  const items = await findQuotedItems(
    db,
    row.lines.map(({ variantId }) => variantId),
  )
  const toAnswer = await headsOf(db, [row])
  const { store } = await storeContextOf(db, { channel: row.channel_id, locale: 'en', sites, now })
  const definitions = await extraFieldsOf(db, 'quote')
  const files = await quoteFilesOf(db, row.id)
  const round = rounding(row.currency_code)
  return {
    quoteId: row.id,
    quoteUuid: row.quote_uuid,
    ...toAnswer(row),
    notes: row.notes,
    legalTerms: row.legal_terms,
    displayDiscount: row.display_discount,
    allowCheckout: row.allow_checkout,
    productList: row.lines.map((line) =>
      lineToAnswer(line, { item: items.get(line.variantId), round, sites, siteUrl: store.path.replace(/\/$/, '') }),
    ),
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    contactInfo: row.contact,
    discountType: row.discount_type,
    discountValue: row.discount_value,
    shippingTotal: round(row.shipping_total),
    taxTotal: round(row.tax_total),
    quoteLogo: store.logo.url,
    shippingMethod: row.shipping_method ?? {},
    storeInfo: { storeName: store.name, storeAddress: store.address, storeCountry: '', storeLogo: store.logo.url },
    companyInfo: await companyInfoOf(db, row),
    salesRepInfo: { salesRepName: row.sales_rep, salesRepEmail: row.sales_rep_email, salesRepPhoneNumber: '' },
    storefrontAttachFiles: files.map((file) => ({
      id: file.id,
      fileName: file.file_name,
      fileType: file.file_type,
      fileUrl: quoteFileUrl(sites.publicUrl, db.store, file),
    })),
    backendAttachFiles: [],
    trackingHistory: messagesToAnswer(row),
    extraFieldsInfo: definitions.map(extraFieldToAnswer),
    recipients: row.recipients,
    updatedAt: epochSeconds(row.updated_at),
  }
}

interface LineParts extends QuoteSites {
  item: QuotedItem | undefined
  round: (amount: number) => number
  siteUrl: string
}

const lineToAnswer = (line: QuoteLine, { item, round, sites, siteUrl }: LineParts) => ({
  productId: line.productId,
  productName: line.productName,
  variantId: line.variantId,
  sku: line.sku,
  basePrice: round(line.basePrice),
  discount: round(line.discount),
  offeredPrice: round(line.offeredPrice),
  quantity: line.quantity,
  orderQuantityMaximum: line.orderQuantityMaximum,
  orderQuantityMinimum: line.orderQuantityMinimum,
  imageUrl: line.imageUrl === '' ? addressOfPicture(sites.publicUrl, item?.image_url ?? '') : line.imageUrl,
  options: line.options,
  costPrice: round(item?.cost_price ?? 0),
  inventoryTracking: item?.inventory_tracking ?? 'none',
  inventoryLevel: item?.inventory_level ?? 0,
  purchasedHandled: line.purchasedHandled,
  type: item?.type ?? 'physical',
  isFreeShipping: item?.is_free_shipping ?? false,
  availability: item?.is_available ?? false,
  isPriceHidden: item?.is_price_hidden ?? false,
  purchasingDisabled: item?.is_available ? 'available' : 'disabled',
  foundInBc: item !== undefined,
  hasInvalidOptions: item === undefined || !hasOptions(item, line.options),
  productUrl: item ? `${siteUrl}${item.path}` : '',
})

async function companyInfoOf(db: Db, { company_id, company_name }: QuoteRow) {
  const company = (await companiesById(db, [company_id])).get(company_id)
  return {
    companyId: company_id,
    companyName: company_name,
    companyAddress: company?.address_line1 ?? '',
    companyCity: company?.city ?? '',
    companyState: company?.state ?? '',
    companyZipCode: company?.zip_code ?? '',
    companyCountry: company?.country ?? '',
    companyphoneNumber: company?.company_phone ?? '',
  }
}

/** The address at which the buyer's portal shows a quote. */
export const quoteUrlOf = async (
  db: Db,
  { id, channel_id }: Pick<QuoteRow, 'id' | 'channel_id'>,
  { sites }: QuoteSites,
): Promise<string> => `${await siteUrlOf(db, channel_id, sites)}/#/quoteDetail/${id}`

/** The same for a mail: a guest opens its quote by the time and the UUID in the link. */
export async function quoteLinkOf(
  db: Db,
  quote: Pick<QuoteRow, 'id' | 'channel_id' | 'company_id' | 'customer_id' | 'created_at' | 'quote_uuid'>,
  parts: QuoteSites,
): Promise<string> {
  const url = await quoteUrlOf(db, quote, parts)
  const isOfGuest = quote.company_id === 0 && quote.customer_id === 0
  return isOfGuest ? `${url}?date=${epochSeconds(quote.created_at)}&uuid=${quote.quote_uuid}` : url
}
