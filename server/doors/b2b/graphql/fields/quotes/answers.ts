import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { amountOf, sumOf, type Units, unitsOf } from '../../../../../core/money/units.ts'
import { quoteFilesOf, quoteFileUrl } from '../../../../../sales/b2b/portal/quote-files.ts'
import { quoteLinkOf, quoteToAnswer } from '../../../../../sales/b2b/quotes/answers.ts'
import { messagesToAnswer } from '../../../../../sales/b2b/quotes/messages.ts'
import type { QuoteRow } from '../../../../../sales/b2b/quotes/quote.ts'
import { isOpenQuote, quoteStatusAt } from '../../../../../sales/b2b/quotes/states.ts'
import { channelsById } from '../../../../../shop/channels/channels.ts'
import type { BuyerCaller } from '../../caller.ts'
import { intSeconds } from '../connections.ts'
import { companyInfoOf } from '../users.ts'

// Quotes in answers (docs/contract/b2b-graphql.md section 13).

/** Buyers see the three open statuses as one. */
const OPEN = 1

/** A quote of a list: without lines, and with their sums. */
export interface QuoteWithSums extends Omit<QuoteRow, 'lines' | 'history' | 'notes' | 'legal_terms'> {
  /** The sum of the lines at the prices of the shop, and at those that are offered. */
  full: Units
  offered: Units
}

const sumsOfLines = (lines: QuoteRow['lines']) => {
  const sum = (price: (line: QuoteRow['lines'][number]) => number) =>
    sumOf(lines.map((line) => unitsOf(price(line)) * BigInt(line.quantity)))
  return { full: sum(({ basePrice }) => basePrice), offered: sum(({ offeredPrice }) => offeredPrice) }
}

/** The sums of `QuoteWithSums` as columns. */
export const SUMS_OF_LINES: Sql = sql.join(
  (['basePrice', 'offeredPrice'] as const).map(
    (price, i) => sql`(
      select coalesce(sum((line ->> ${price})::numeric * (line ->> 'quantity')::numeric), 0)::text
      from jsonb_array_elements(lines) line
    ) as ${sql.id(i === 0 ? 'full' : 'offered')}`,
  ),
)

/** Quotes of a list, in the same order. */
export async function quotesToBuyers(db: Db, rows: readonly QuoteWithSums[]) {
  const { channels, infos } = await db.together(() => ({
    channels: channelsById(
      db,
      rows.map(({ channel_id }) => channel_id),
    ),
    infos: companyInfoOf(
      db,
      rows.map(({ company_id }) => company_id),
    ),
  }))
  const now = db.now
  return rows.map((row) => {
    const money = (amount: number) => amount.toFixed(row.currency.decimalPlaces)
    const status = quoteStatusAt(row, now)
    const statusForBuyers = isOpenQuote(status) ? OPEN : status
    return {
      id: String(row.id),
      createdAt: intSeconds(row.created_at),
      updatedAt: intSeconds(row.updated_at),
      quoteNumber: row.quote_number,
      quoteTitle: row.quote_title,
      referenceNumber: row.reference_number,
      userEmail: row.contact.email,
      bcCustomerId: row.customer_id,
      createdBy: row.created_by,
      createdByEmail: row.contact.email,
      expiredAt: intSeconds(row.expires_at),
      companyId: null,
      salesRepStatus: status,
      customerStatus: statusForBuyers,
      subtotal: money(amountOf(row.full)),
      discount: money(amountOf(row.full - row.offered)),
      grandTotal: money(row.grand_total),
      cartId: null,
      cartUrl: null,
      checkoutUrl: null,
      bcOrderId: orderOf(row),
      // Clients read the rate as a text.
      currency: { ...row.currency, currencyExchangeRate: String(row.currency.currencyExchangeRate) },
      contactInfo: { companyName: '', phoneNumber: '', ...row.contact },
      trackingHistory: [] as object[],
      extraFields: [] as { fieldName: string; fieldValue: string }[],
      notes: '',
      legalTerms: '',
      shippingTotal: money(row.shipping_total),
      taxTotal: money(row.tax_total),
      totalAmount: money(row.total_amount),
      shippingMethod: row.shipping_method ?? {},
      billingAddress: addressToAnswer(row.billing_address),
      oldSalesRepStatus: null,
      oldCustomerStatus: null,
      recipients: row.recipients,
      discountType: row.discount_type,
      discountValue: String(row.discount_value ?? 0),
      pdfTemplate: null,
      pdfLang: 'en',
      displayDiscount: row.display_discount,
      allowCheckout: row.allow_checkout && isOpenQuote(status),
      status: statusForBuyers,
      company: row.company_name,
      salesRep: row.sales_rep,
      salesRepEmail: row.sales_rep_email,
      orderId: orderOf(row),
      shippingAddress: addressToAnswer(row.shipping_address),
      productsList: [] as Awaited<ReturnType<typeof linesToBuyers>>,
      storefrontAttachFiles: [] as ReturnType<typeof filesToBuyers>,
      backendAttachFiles: [],
      storeInfo: null as null | StoreInfo,
      companyInfo: infos.get(row.company_id) ?? null,
      salesRepInfo: { salesRepName: row.sales_rep, salesRepEmail: row.sales_rep_email, salesRepPhoneNumber: '' },
      quoteLogo: '',
      quoteUrl: '',
      channelId: row.channel_id,
      channelName: channels.get(row.channel_id)?.name ?? '',
      totalIsTbd: false,
      uuid: row.quote_uuid,
    }
  })
}

interface StoreInfo {
  storeName: string
  storeAddress: string
  storeCountry: string
  storeLogo: string
  storeUrl: string
}

/** One quote with its lines, messages and files. */
export async function quoteToBuyer(caller: BuyerCaller, db: Db, row: QuoteRow) {
  const { parts } = caller
  const [head] = await quotesToBuyers(db, [{ ...row, ...sumsOfLines(row.lines) }])
  if (!head) throw new Error('A quote has no answer.')
  const answer = await quoteToAnswer(db, row, { sites: parts.sites, now: db.now })
  const { storeName, storeAddress, storeCountry, storeLogo } = answer.storeInfo
  return {
    ...head,
    notes: row.notes,
    legalTerms: row.legal_terms,
    trackingHistory: messagesToAnswer(row),
    extraFields: answer.extraFields,
    productsList: linesToBuyers(answer.productList, row.currency.decimalPlaces),
    storefrontAttachFiles: filesToBuyers(caller, db, await quoteFilesOf(db, row.id)),
    storeInfo: { storeName, storeAddress, storeCountry, storeLogo, storeUrl: '' },
    quoteLogo: answer.quoteLogo,
    quoteUrl: await quoteLinkOf(db, row, parts),
  }
}

const orderOf = ({ order_id }: Pick<QuoteRow, 'order_id'>): string => (order_id === 0 ? '' : String(order_id))

/** Addresses have the keys of the inputs. */
const addressToAnswer = (address: QuoteRow['billing_address']) => ({
  country: '',
  state: '',
  city: '',
  zipCode: '',
  address: '',
  apartment: '',
  addressId: 0,
  firstName: '',
  lastName: '',
  phoneNumber: '',
  label: '',
  companyName: '',
  addressLabel: address.label ?? '',
  extraFields: [],
  ...address,
})

const linesToBuyers = (lines: Awaited<ReturnType<typeof quoteToAnswer>>['productList'], places: number) =>
  lines.map((line) => ({
    productId: String(line.productId),
    sku: line.sku,
    basePrice: line.basePrice.toFixed(places),
    discount: line.discount.toFixed(places),
    offeredPrice: line.offeredPrice.toFixed(places),
    quantity: line.quantity,
    variantId: line.variantId,
    imageUrl: line.imageUrl,
    orderQuantityMaximum: line.orderQuantityMaximum,
    orderQuantityMinimum: line.orderQuantityMinimum,
    productName: line.productName,
    options: line.options,
    notes: '',
    purchaseHandled: line.purchasedHandled,
    // The seller's cost is not for buyers.
    costPrice: '0',
    inventoryTracking: line.inventoryTracking,
    inventoryLevel: line.inventoryLevel,
    productUrl: line.productUrl,
    type: line.type,
    isFreeShipping: line.isFreeShipping,
    availability: line.availability ? 'available' : 'disabled',
    isPriceHidden: line.isPriceHidden,
    purchasingDisabled: !line.availability,
    backorderMessage: '',
    totalOnHand: line.inventoryLevel,
    quantityBackordered: 0,
    picklistBackorder: [],
  }))

/** Files of a quote with their addresses. */
export function filesToBuyers({ parts }: BuyerCaller, db: Db, files: Awaited<ReturnType<typeof quoteFilesOf>>) {
  return files.map(({ id, secret, file_name, file_type, created_by }) => ({
    id,
    fileName: file_name,
    fileType: file_type,
    fileUrl: quoteFileUrl(parts.publicUrl, db.store, { secret }),
    createdBy: created_by,
  }))
}
