import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { sendMail } from '../../../../core/mail/outbox.ts'
import { amountOf } from '../../../../core/money/units.ts'
import { withoutUndefined } from '../../../../core/objects.ts'
import { toSeconds } from '../../../../core/rest/input/dates.ts'
import { ID_MAX } from '../../../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse } from '../../../../core/rest/input/mistakes.ts'
import { itemReader } from '../../../../core/rest/input/validator.ts'
import { Problem, unknownId } from '../../../../core/rest/problem.ts'
import type { CartItem } from '../../../../goods/catalog/product-row/cart-items.ts'
import { APPROVED } from '../../companies/company.ts'
import { claimUniqueValues } from '../../extra-fields/unique.ts'
import { newExtraValues } from '../../extra-fields/values.ts'
import { type Buyer, type Guest, type PlainCustomer, refuseDeed } from '../../shared/caller.ts'
import { NewCompanyQuote } from '../bodies.ts'
import { formattedCurrency } from '../currencies.ts'
import { hasOptions, itemsOfLines } from '../lines.ts'
import { buyerAs, messageOf } from '../messages.ts'
import { type QuoteLine, QuoteOption, type QuoteRow, quotes } from '../quote.ts'
import { channelOf, insertQuote, type QuoteRep } from '../quote-changes.ts'
import { quoteRulesOf } from '../settings.ts'
import { NEW } from '../states.ts'
import { sumOfLines } from '../totals.ts'
import { isSamePrice, pricesOfLines } from './prices.ts'
import { type FaultyLine, FaultyLines } from './problem.ts'

// Buyers ask for quotes (docs/contract/b2b-quotes.md section 10). A buyer names no price: the lines have those of the shop.

/** A message of a buyer. */
export const BuyerMessage = t.String({ minLength: 1, maxLength: 1_000 })

const { properties } = NewCompanyQuote
const AskedLine = t.Object(
  {
    productId: t.Integer({ minimum: 1, maximum: ID_MAX }),
    variantId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, description: '0 for the base variant' })),
    quantity: t.Integer({ minimum: 1, maximum: 1_000_000 }),
    basePrice: t.Optional(t.Number()),
    offeredPrice: t.Optional(t.Number()),
    options: t.Optional(t.Array(QuoteOption, { maxItems: 250 })),
  },
  { title: 'AskedQuoteLine' },
)

/** The request of a buyer. Prices are those that the buyer has seen; they must be those of the shop. */
export const AskedQuote = t.Object(
  {
    channelId: properties.channelId,
    currencyCode: t.Optional(t.String({ maxLength: 3 })),
    contact: properties.contactInfo,
    lines: t.Array(AskedLine, { minItems: 1, maxItems: 500 }),
    quoteTitle: properties.quoteTitle,
    referenceNumber: properties.referenceNumber,
    notes: properties.notes,
    message: t.Optional(BuyerMessage),
    shippingAddress: properties.shippingAddress,
    billingAddress: properties.billingAddress,
    recipients: properties.recipients,
    extraFields: properties.extraFields,
  },
  { title: 'AskedQuote' },
)
export type AskedQuote = Static<typeof AskedQuote>

const readAskedQuote = itemReader(AskedQuote)

/** The person who asks. */
export interface QuoteAsker {
  caller: Buyer | PlainCustomer | Guest
  /** The company that a buyer acts for; 0 for other callers. */
  companyId: number
  /** 0 for a guest. */
  customerId: number
  name: string
}

/** The parts of a request that are decided elsewhere. */
export interface AskingParts {
  /** The representative of the company; undefined for a store without staff. */
  rep: QuoteRep | undefined
  /** The days after which the quote expires. */
  expiryDays: number
  /** Whether a buyer may ask for products that can't be bought. */
  takesUnavailable: boolean
  /** The products of these that the buyer may see. Others are not found. */
  visibleProducts(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>>
}

/**
 * Creates a new quote at the prices that the shop charges the buyer now.
 * @throws FaultyLines 422 for products that can't be bought
 * @throws Problem 422, 403
 */
export async function askForQuote(
  db: Db,
  asker: QuoteAsker,
  request: AskedQuote,
  parts: AskingParts,
): Promise<QuoteRow> {
  const { caller, companyId, customerId, name } = asker
  if (caller.kind === 'buyer') refuseDeed(caller, 'create_quote', companyId, caller.userId)
  else if (companyId !== 0) throw new Problem(422, 'Only a user of a company asks for it.')
  const asked = readAskedQuote(structuredClone(request))
  const mistakes: Mistakes = {}
  const channel_id = await channelOf(db, asked.channelId, mistakes)
  const written = asked.currencyCode === undefined ? {} : { currencyCode: asked.currencyCode }
  const { settings, definitions, currencies } = await quoteRulesOf(db, asked.currencyCode)
  const currency = formattedCurrency(currencies, written, mistakes)
  const extra_values = newExtraValues(definitions, asked.extraFields)
  const found = await linesOf(db, asked.lines, { parts, mistakes })
  refuse(mistakes)
  return db.transaction(async (tx) => {
    const company = await companyOf(tx, companyId)
    const buyer = {
      channelId: channel_id,
      currencyCode: currency.currencyCode,
      group: company?.customer_group_id ?? 0,
      customerId,
    }
    const prices = await pricesOfLines(tx, buyer, found, mistakes)
    refuseOtherPrices(asked.lines, prices, mistakes)
    refuse(mistakes)
    const lines = found.map(
      (line, i): QuoteLine => ({ ...line, basePrice: prices[i] ?? 0, offeredPrice: prices[i] ?? 0 }),
    )
    const total = sumOfLines(lines)
    if (total === undefined) throw new Problem(422, 'The total is too large.')
    const sum = amountOf(total)
    const row = await insertQuote(tx, {
      ...withoutUndefined({
        quote_title: asked.quoteTitle,
        reference_number: asked.referenceNumber,
        notes: asked.notes,
        shipping_address: asked.shippingAddress,
        billing_address: asked.billingAddress,
        recipients: asked.recipients,
      }),
      lines,
      subtotal: sum,
      discount: 0,
      shipping_total: 0,
      tax_total: 0,
      grand_total: sum,
      total_amount: sum,
      status: NEW,
      channel_id,
      company_id: companyId,
      company_name: company?.company_name ?? asked.contact.companyName ?? '',
      user_id: caller.kind === 'buyer' ? caller.userId : 0,
      customer_id: customerId,
      sales_rep: parts.rep?.name ?? '',
      sales_rep_email: parts.rep?.email ?? '',
      created_by: name,
      contact: asked.contact,
      currency_code: currency.currencyCode,
      currency,
      display_discount: settings.showsDiscount,
      allow_checkout: settings.allowsCheckout,
      history: asked.message === undefined ? [] : [messageOf(buyerAs(name), asked.message, tx.now)],
      extra_values,
      seller_mailed_at: parts.rep ? toSeconds(tx.now) : null,
      expires_at: expiryAfter(tx.now, parts.expiryDays),
    })
    await claimUniqueValues(tx, quotes.table, definitions, [row])
    if (parts.rep) {
      const who = [row.created_by, row.company_name].filter(Boolean).join(', ')
      const subject = `New quote ${row.quote_number}`
      await sendMail(tx, { to: parts.rep.email, subject, text: `${who} asks for the quote ${row.quote_number}.\n` })
    }
    return row
  })
}

interface LineParts {
  parts: Pick<AskingParts, 'takesUnavailable' | 'visibleProducts'>
  mistakes: Mistakes
}

/**
 * The lines with the data of their products, before they have prices.
 * @throws FaultyLines
 */
async function linesOf(db: Db, asked: AskedQuote['lines'], { parts, mistakes }: LineParts): Promise<QuoteLine[]> {
  const named = asked.map(({ productId, variantId }) => (variantId ? { productId, variantId } : { productId }))
  const items = await itemsOfLines(db, named)
  const visible = await parts.visibleProducts(
    db,
    named.map(({ productId }) => productId),
  )
  const bases = new Map(
    [...items.values()].flatMap((item) => (item.options.length === 0 ? [[item.product_id, item]] : [])),
  )
  const faulty: FaultyLine[] = []
  const lines = asked.flatMap((line, i) => {
    const item = line.variantId ? items.get(line.variantId) : bases.get(line.productId)
    if (item?.product_id !== line.productId || !visible.has(line.productId)) {
      mistakes[`productList.${i}.productId`] = unknownId('product', line.productId)
      return []
    }
    const options = line.options ?? []
    if (!hasOptions(item, options)) {
      mistakes[`productList.${i}.options`] = 'The variant has options. Send the value of each of them.'
    }
    if (!item.is_available && !parts.takesUnavailable) faulty.push(faultOf(item, i, 'NON_PURCHASABLE'))
    return lineOf(item, line.quantity, options)
  })
  if (!hasAny(mistakes) && faulty.length > 0) throw new FaultyLines(faulty)
  return lines
}

export const faultOf = (item: CartItem, line: number, code: FaultyLine['code']): FaultyLine => ({
  line,
  productId: item.product_id,
  variantId: item.variant_id,
  productName: item.name,
  code,
})

const lineOf = (item: CartItem, quantity: number, options: QuoteLine['options']): QuoteLine => ({
  productId: item.product_id,
  variantId: item.variant_id,
  productName: item.name,
  sku: item.sku,
  basePrice: 0,
  discount: 0,
  offeredPrice: 0,
  quantity,
  orderQuantityMinimum: item.order_quantity_minimum,
  orderQuantityMaximum: item.order_quantity_maximum,
  imageUrl: '',
  options,
  purchasedHandled: !item.is_available,
})

/** @returns undefined without a company @throws Problem 422 for a company that may not buy */
async function companyOf(tx: Tx, id: number) {
  if (id === 0) return undefined
  const [found] = await tx.rows<{ company_name: string; customer_group_id: number; company_status: number }>(sql`
    select company_name, customer_group_id, company_status from companies
    where store_id = ${tx.store.id} and id = ${id} for key share`)
  if (found?.company_status !== APPROVED) throw new Problem(422, 'The company may not ask for quotes.')
  return found
}

function refuseOtherPrices(asked: AskedQuote['lines'], prices: readonly number[], mistakes: Mistakes) {
  for (const [i, price] of prices.entries()) {
    for (const field of ['basePrice', 'offeredPrice'] as const) {
      const sent = asked[i]?.[field]
      if (sent !== undefined && !isSamePrice(sent, price)) {
        mistakes[`productList.${i}.${field}`] = 'This is not the price of the shop.'
      }
    }
  }
}

/** The last second of the day that many days from now, by the clock of the store. */
function expiryAfter(now: Date, days: number): string {
  const day = new Date(now.getTime() + days * 86_400_000)
  return toSeconds(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 23, 59, 59)))
}
