import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, differences, insertOne, remove, takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { customerNames } from '../../../customers/accounts/lookup.ts'
import type { CartItem } from '../../../goods/catalog/product-row/cart-items.ts'
import { storefronts } from '../../../shop/channels/channels.ts'
import { claimUniqueValues } from '../extra-fields/unique.ts'
import { changedExtraValues, newExtraValues } from '../extra-fields/values.ts'
import { detachAllFromQuote } from '../portal/quote-files.ts'
import { type CompanyCaller, isOfSeller, refuseOutside, SELLER } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import { deleteTexts, storeTexts } from '../shared/texts.ts'
import { amountsIn } from './amounts.ts'
import { type QuoteSites, quoteLinkOf } from './answers.ts'
import type { CompanyQuoteChanges, NewCompanyQuote } from './bodies.ts'
import { currencyOf, formattedCurrency, withFormatOf } from './currencies.ts'
import { itemsOfLines, readLines } from './lines.ts'
import { MESSAGES_MAX, mailOtherSide, messageOf, sellerOf } from './messages.ts'
import { countQuote, lockQuoteOfSeller, publishQuote, type QuoteRow, quotes } from './quote.ts'
import { type QuoteSettings, quoteRulesOf } from './settings.ts'
import { ARCHIVED, DRAFT, endOfDay, IN_PROCESS, ORDERED, type QuoteDeed, quoteStatusAfter } from './states.ts'
import { isGrandTotal, quoteTotal } from './totals.ts'

/** The sales representative of a quote. */
export interface QuoteRep {
  name: string
  email: string
}

/** The parts of a new quote beside its body. */
interface NewQuoteParts {
  /** Undefined for a store without staff. */
  rep: QuoteRep | undefined
  /** Whether no buyer sees it before it is sent by `sendDraft`. */
  isDraft?: boolean
}

/**
 * Creates a quote of the seller, which is in process, or a draft. Buyers ask for theirs by `askForQuote`.
 * @throws Problem 422, 403 for a buyer, and for a representative without the company
 */
export async function createQuote(
  db: Db,
  caller: CompanyCaller,
  body: NewCompanyQuote,
  { rep, isDraft = false }: NewQuoteParts,
): Promise<QuoteRow> {
  const { companyId = 0 } = body
  if (!isOfSeller(caller) || (caller.kind !== 'seller' && companyId === 0)) throw denied()
  refuseOutside(caller, companyId)
  const mistakes: Mistakes = {}
  const channel_id = await channelOf(db, body.channelId, mistakes)
  const { settings, definitions, currencies } = await quoteRulesOf(db, body.currency?.currencyCode)
  const currency = formattedCurrency(currencies, body.currency, mistakes)
  const items = await itemsOfLines(db, body.productList)
  const extra_values = newExtraValues(definitions, body.extraFields)
  return db.transaction(async (tx) => {
    const company = companyId === 0 ? undefined : await companyWithBuyer(tx, companyId, body.contactInfo.email)
    if (companyId !== 0 && !company) mistakes.companyId = unknownId('company', companyId)
    const expires_at = expiryOf(body.expiredAt, tx.now, mistakes)
    const money = moneyOf({ body, currency, items, settings }, mistakes)
    refuse(mistakes)
    refuseTotals(money, true)
    const row = await insertQuote(tx, {
      ...columnsOf(body),
      ...money,
      status: isDraft ? DRAFT : IN_PROCESS,
      channel_id,
      company_id: companyId,
      company_name: company?.company_name ?? body.contactInfo.companyName ?? '',
      user_id: company?.user_id ?? 0,
      customer_id: company?.customer_id ?? 0,
      sales_rep: rep?.name ?? '',
      sales_rep_email: rep?.email ?? '',
      created_by: rep?.name ?? '',
      contact: body.contactInfo,
      currency_code: currency.currencyCode,
      currency,
      display_discount: body.displayDiscount ?? settings.showsDiscount,
      allow_checkout: body.allowCheckout ?? settings.allowsCheckout,
      history: body.message === undefined ? [] : [messageOf(sellerOf(rep), body.message, tx.now)],
      extra_values,
      expires_at,
    })
    await claimUniqueValues(tx, quotes.table, definitions, [row])
    return row
  })
}

/** The columns of a new quote that its writer decides; those of `blank` may be missing. */
type NewQuote = Omit<QuoteRow, keyof Blank | 'id' | 'quote_uuid' | 'quote_number' | 'created_at' | 'updated_at'> &
  Partial<Blank>

/** Stores a new quote with its number and its event. A draft has no event. */
export async function insertQuote(tx: Tx, quote: NewQuote): Promise<QuoteRow> {
  const ids = await takeIds(tx, [[quotes, 1]])
  const id = ids.next(quotes)
  const now = toSeconds(tx.now)
  const row = await insertOne(tx, quotes, {
    ...blank,
    ...quote,
    id,
    quote_uuid: newUuid(),
    quote_number: `QN${String(id).padStart(6, '0')}`,
    created_at: now,
    updated_at: now,
  })
  await storeTextsOf(tx, row)
  await countQuote(tx, row, 1)
  if (row.status !== DRAFT) publishQuote(tx, 'created', row)
  return row
}

/**
 * Sends a draft to its buyer: from now on it is a quote in process.
 * @throws Problem 404, 422 for a quote that is no draft
 */
export const sendDraft = (db: Db, number: string): Promise<QuoteRow> =>
  db.transaction(async (tx) => {
    const found = await tx.maybeRow<{ id: number }>(sql`
      select id from b2b_quotes where store_id = ${tx.store.id} and quote_number_key = ${fold(number)} order by id limit 1`)
    const row = await lockQuoteOfSeller(tx, SELLER, found?.id ?? 0)
    const status = quoteStatusAfter(row.status, 'publish')
    if (status === undefined) throw refusedDeed(row.status)
    const sent = await change(tx, quotes, row, { status, updated_at: toSeconds(tx.now) })
    publishQuote(tx, 'created', sent)
    return sent
  })

type Blank = Pick<
  QuoteRow,
  | 'quote_title'
  | 'reference_number'
  | 'discount_type'
  | 'discount_value'
  | 'notes'
  | 'legal_terms'
  | 'shipping_address'
  | 'billing_address'
  | 'shipping_method'
  | 'recipients'
  | 'order_id'
  | 'read_by_buyer'
  | 'read_by_seller'
  | 'buyer_mailed_at'
  | 'seller_mailed_at'
>

/** The columns of a new quote that its body may omit. */
const blank: Blank = {
  quote_title: '',
  reference_number: '',
  discount_type: 0,
  discount_value: null,
  notes: '',
  legal_terms: '',
  shipping_address: {},
  billing_address: {},
  shipping_method: null,
  recipients: [],
  order_id: 0,
  read_by_buyer: 0,
  read_by_seller: 0,
  buyer_mailed_at: null,
  seller_mailed_at: null,
}

/** The columns of a body that are stored as they are. */
const columnsOf = (body: CompanyQuoteChanges) =>
  withoutUndefined({
    quote_title: body.quoteTitle,
    reference_number: body.referenceNumber,
    discount_type: body.discountType,
    discount_value: body.discountValue,
    notes: body.notes,
    legal_terms: body.legalTerms,
    shipping_address: body.shippingAddress,
    billing_address: body.billingAddress,
    recipients: body.recipients,
  })

/** @returns 0 with a mistake */
export async function channelOf(db: Db, wanted: number | undefined, mistakes: Mistakes): Promise<number> {
  const shops = await storefronts(db)
  const [only, ...others] = shops
  const found = wanted === undefined ? (others.length === 0 ? only : undefined) : shops.find(({ id }) => id === wanted)
  if (!found) {
    mistakes.channelId =
      wanted === undefined ? 'The store has several storefronts. Send the channel.' : unknownId('storefront', wanted)
  }
  return found?.id ?? 0
}

/**
 * Keeps a company from being deleted until the transaction ends, and finds its user with an address.
 * @returns a user of null for a contact who is no user; undefined for an unknown company
 */
async function companyWithBuyer(tx: Tx, id: number, email: string) {
  const [found] = await tx.rows<{ company_name: string; user_id: number | null; customer_id: number | null }>(
    prepared(sql`
    select c.company_name, buyer.user_id, buyer.customer_id
    from companies c left join lateral (
      select u.id as user_id, u.customer_id from company_users u join ${customerNames(tx)} p on p.id = u.customer_id
      where u.store_id = ${tx.store.id} and u.company_id = c.id and p.email_key = ${fold(email)} order by u.id limit 1
    ) buyer on true
    where c.store_id = ${tx.store.id} and c.id = ${id} for key share of c`),
  )
  return found
}

/** @returns the last second of the day; '' with a mistake */
function expiryOf(text: string, now: Date, mistakes: Mistakes): string {
  const end = endOfDay(text)
  if (!end) mistakes.expiredAt = 'Send a day as month/day/year.'
  else if (end < now) mistakes.expiredAt = 'This day is over.'
  else return toSeconds(end)
  return ''
}

/** The amounts and lines of a quote. */
type QuoteMoney = Pick<
  QuoteRow,
  'subtotal' | 'discount' | 'shipping_total' | 'tax_total' | 'grand_total' | 'total_amount' | 'lines'
>

/** A body whose amounts are read. */
interface PricedBody {
  body: CompanyQuoteChanges
  currency: QuoteRow['currency']
  items: ReadonlyMap<number, CartItem>
  settings: QuoteSettings
}

/**
 * The amounts of a quote after a change. Missing ones stay as they are; new lines without a grand total, or with other shipping or tax,
 * get the total with shipping and tax.
 */
function moneyOf({ body, currency, items, settings }: PricedBody, mistakes: Mistakes, before?: QuoteMoney): QuoteMoney {
  const readAmount = amountsIn(currency.currencyCode, mistakes)
  const read = (value: number | string | undefined, field: string, other: number) =>
    value === undefined ? other : readAmount(value, field)
  const rules = { takesCustomItems: settings.takesCustomItems, readAmount }
  const lines = body.productList ? readLines(body.productList, items, rules, mistakes) : (before?.lines ?? [])
  const shipping_total = read(body.shippingTotal, 'shippingTotal', before?.shipping_total ?? 0)
  const tax_total = read(body.taxTotal, 'taxTotal', before?.tax_total ?? 0)
  const total = quoteTotal({ lines, shipping: unitsOf(shipping_total), tax: unitsOf(tax_total) })
  if (total === undefined) mistakes.grandTotal = 'The total is too large.'
  const isRecounted = (body.productList ?? body.shippingTotal ?? body.taxTotal) !== undefined
  const grand_total = read(
    body.grandTotal,
    'grandTotal',
    isRecounted ? amountOf(total ?? 0n) : (before?.grand_total ?? 0),
  )
  const isMoved = grand_total !== before?.grand_total
  return {
    lines,
    subtotal: read(body.subtotal, 'subtotal', before?.subtotal ?? 0),
    discount: read(body.discount, 'discount', before?.discount ?? 0),
    shipping_total,
    tax_total,
    grand_total,
    total_amount: read(body.totalAmount, 'totalAmount', isMoved ? grand_total : (before?.total_amount ?? 0)),
  }
}

/** @throws Problem 422 for a grand total that is neither the sum of the lines nor that with shipping and tax */
function refuseTotals({ lines, shipping_total, tax_total, grand_total }: QuoteMoney, isTotalled: boolean) {
  const parts = { lines, shipping: unitsOf(shipping_total), tax: unitsOf(tax_total) }
  if (isTotalled && !isGrandTotal(unitsOf(grand_total), parts)) {
    throw new Problem(422, 'The grand total must be the sum of the lines, or that with shipping and tax.')
  }
}

/** Stores the texts by which a search finds a quote. */
const storeTextsOf = (tx: Tx, row: QuoteRow) =>
  storeTexts(tx, 'quote', [
    {
      id: row.id,
      texts: [
        row.quote_number,
        row.quote_title,
        row.company_name,
        row.sales_rep,
        row.sales_rep_email,
        row.created_by,
        row.contact.name,
        row.contact.email,
      ],
    },
  ])

/** The deed that a body asks for. */
function deedOf({ status, expiredAt }: CompanyQuoteChanges): QuoteDeed {
  if (status === ARCHIVED || status === String(ARCHIVED) || status === 'archived') return 'archive'
  if (status !== undefined) throw invalid({ status: 'A quote can only be archived: send 6 or archived.' })
  return expiredAt === undefined ? 'change' : 'renew'
}

/**
 * Changes a quote; other fields stay unchanged, and lines are replaced as a whole.
 * @param rep the new representative; undefined to keep it
 * @throws Problem 403, 404, 422 also for a quote that is ordered or archived
 */
export async function changeQuote(
  db: Db,
  caller: CompanyCaller,
  id: number,
  { body, rep, sites }: QuoteSites & { body: CompanyQuoteChanges; rep: QuoteRep | undefined },
): Promise<QuoteRow> {
  const items = await itemsOfLines(db, body.productList ?? [])
  const { settings, definitions } = await quoteRulesOf(db, undefined)
  return db.transaction(async (tx) => {
    const row = await lockQuoteOfSeller(tx, caller, id)
    const next = quoteStatusAfter(row.status, deedOf(body))
    if (next === undefined) throw refusedDeed(row.status)
    const mistakes: Mistakes = {}
    if (body.channelId !== undefined && body.channelId !== row.channel_id) {
      mistakes.channelId = 'A quote stays at its channel.'
    }
    const expires_at = body.expiredAt === undefined ? row.expires_at : expiryOf(body.expiredAt, tx.now, mistakes)
    const currency = body.currency
      ? await currencyOf(tx, withFormatOf(row.currency, body.currency), mistakes)
      : row.currency
    const money = moneyOf({ body, currency, items, settings }, mistakes, row)
    if (body.message !== undefined && row.history.length >= MESSAGES_MAX) {
      mistakes.message = `A quote has at most ${MESSAGES_MAX} messages.`
    }
    if (currency.currencyCode !== row.currency_code && !body.productList) {
      mistakes['currency.currencyCode'] = 'Send the lines in the new currency.'
    }
    refuse(mistakes)
    refuseTotals(money, (body.productList ?? body.grandTotal ?? body.shippingTotal ?? body.taxTotal) !== undefined)
    const isEmpty = Object.keys(body).length === 0
    const saved = await saveQuote(tx, row, {
      ...columnsOf(body),
      ...money,
      ...(rep ? { sales_rep: rep.name, sales_rep_email: rep.email } : {}),
      ...(body.displayDiscount === undefined ? {} : { display_discount: body.displayDiscount }),
      ...(body.allowCheckout === undefined ? {} : { allow_checkout: body.allowCheckout }),
      ...(body.contactInfo ? await contactOf(tx, row, body.contactInfo) : {}),
      ...(body.message === undefined ? {} : await written(tx, row, { message: body.message, rep, sites })),
      ...(body.extraFields
        ? { extra_values: changedExtraValues(definitions, row.extra_values, body.extraFields) }
        : {}),
      currency,
      currency_code: currency.currencyCode,
      expires_at,
      status: isEmpty ? row.status : next,
    })
    await claimUniqueValues(tx, quotes.table, definitions, [saved])
    return saved
  })
}

/** The columns of a quote with a message of the seller. The buyer gets a mail about it. */
async function written(
  tx: Tx,
  row: QuoteRow,
  { message, rep, sites }: QuoteSites & { message: string; rep: QuoteRep | undefined },
): Promise<Partial<QuoteRow>> {
  const writer = sellerOf(rep ?? { name: row.sales_rep })
  const mailed = await mailOtherSide(tx, row, 'seller', {
    to: row.contact.email,
    subject: `New message about your quote ${row.quote_number}`,
    text: `${writer.role} wrote about your quote ${row.quote_number}:\n\n${message}\n\n${await quoteLinkOf(tx, row, { sites })}\n`,
  })
  return { history: [...row.history, messageOf(writer, message, tx.now)], ...mailed }
}

/** The refusal of a deed that a status forbids. */
export function refusedDeed(status: number): Problem {
  if (status === ORDERED) return new Problem(422, 'An ordered quote never changes again.')
  if (status === ARCHIVED) return new Problem(422, 'An archived quote never changes again.')
  return new Problem(422, 'The status of the quote does not allow this.')
}

async function contactOf(tx: Tx, row: QuoteRow, contact: NewCompanyQuote['contactInfo']) {
  const buyer = row.company_id === 0 ? undefined : await companyWithBuyer(tx, row.company_id, contact.email)
  return {
    contact,
    user_id: buyer?.user_id ?? 0,
    customer_id: buyer?.customer_id ?? 0,
    ...(row.company_id === 0 ? { company_name: contact.companyName ?? '' } : {}),
  }
}

/** The columns whose changes publish nothing. */
const SILENT: ReadonlySet<string> = new Set(['history', 'buyer_mailed_at', 'seller_mailed_at'])

/**
 * Stores changes of a locked quote with their events. Without a difference nothing is published.
 * @returns the quote as it is stored
 */
export async function saveQuote(tx: Tx, before: QuoteRow, changes: Partial<QuoteRow>): Promise<QuoteRow> {
  const changed = Object.keys(differences(before, changes))
  if (changed.length === 0) return before
  const row = await change(tx, quotes, before, { ...changes, updated_at: toSeconds(tx.now) })
  await storeTextsOf(tx, row)
  // Messages publish nothing by themselves.
  if (changed.some((field) => !SILENT.has(field))) publishQuote(tx, 'updated', row)
  if (changed.includes('status')) publishQuote(tx, 'statusUpdated', row)
  return row
}

/** @throws Problem 403, 404, 422 for an ordered quote */
export async function deleteQuote(db: Db, files: Pick<Files, 'removeOwner'>, caller: CompanyCaller, id: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [quotes.table])
    const row = await lockQuoteOfSeller(tx, caller, id)
    if (row.status === ORDERED) throw new Problem(422, "An ordered quote can't be deleted.")
    await detachAllFromQuote(tx, files, id)
    await remove(tx, quotes, id)
    await deleteTexts(tx, 'quote', id)
    await countQuote(tx, row, -1)
    if (row.status !== DRAFT) publishQuote(tx, 'deleted', row)
  })
}
