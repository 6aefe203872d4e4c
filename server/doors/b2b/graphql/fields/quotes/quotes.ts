import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { MAIL_ADDRESS, sendMail } from '../../../../../core/mail/outbox.ts'
import { unitsOf } from '../../../../../core/money/units.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { invalid, notFound } from '../../../../../core/rest/problem.ts'
import { countCall, countLookUp, uncountLookUp } from '../../../../../customers/logins/attempts.ts'
import { epochSeconds } from '../../../../../sales/b2b/companies/company.ts'
import { quotePdfUrl } from '../../../../../sales/b2b/documents/pdf-files.ts'
import { attachToQuote, detachFromQuote, quoteFilesOf } from '../../../../../sales/b2b/portal/quote-files.ts'
import { portalSettingsOf } from '../../../../../sales/b2b/portal/settings.ts'
import { quoteLinkOf } from '../../../../../sales/b2b/quotes/answers.ts'
import { askForQuote, type QuoteAsker } from '../../../../../sales/b2b/quotes/buyers/asking.ts'
import { checkOutForBuyer } from '../../../../../sales/b2b/quotes/buyers/checkout.ts'
import { FaultyLines } from '../../../../../sales/b2b/quotes/buyers/problem.ts'
import { writeToSeller } from '../../../../../sales/b2b/quotes/buyers/writing.ts'
import { markOrdered } from '../../../../../sales/b2b/quotes/checkout.ts'
import { markRead } from '../../../../../sales/b2b/quotes/messages.ts'
import { findQuote, lockQuote, type QuoteRow, quotes, quotesWithin } from '../../../../../sales/b2b/quotes/quote.ts'
import { ARCHIVED, EXPIRED, isOpenQuote } from '../../../../../sales/b2b/quotes/states.ts'
import { findWindow, type Window, when } from '../../../../../sales/b2b/shared/pages.ts'
import { listStaff } from '../../../staff/staff.ts'
import { guesserAt } from '../../../tokens/sign-in.ts'
import { type BuyerCaller, buyerOf, channelHere, signedIn, storeOf } from '../../caller.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { uploadIn } from '../companies/registration.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'
import { itemShopper, visibleProducts } from '../products/items.ts'
import { filesToBuyers, type QuoteWithSums, quotesToBuyers, quoteToBuyer, SUMS_OF_LINES } from './answers.ts'

// Quotes of buyers, customers and guests (docs/contract/b2b-graphql.md section 13).

export const quoteQueries: QueryFields<'quotes' | 'customerQuotes' | 'quote'> = {
  async quotes(_, args, caller) {
    const buyer = buyerOf(caller)
    const wanted = companiesFor(caller, 'get_quotes', undefined)
    return quotePage(buyer.db, args, [sql`company_id = any(${wanted}::int[])`, quotesWithin(buyer, 'get_quotes')])
  },
  async customerQuotes(_, args, caller) {
    const { db, customer } = signedIn(caller)
    return quotePage(db, args, [quotesWithin({ kind: 'customer', customerId: customer.id }, 'get_quotes')])
  },
  async quote(_, { id, storeHash, date, uuid }, caller) {
    const { db, as } = await actorOf(caller, storeHash, uuid)
    const row = await openQuote(caller, { db, as }, { id, code: 'get_quote_detail', date })
    await markRead(db, row, 'buyer')
    return quoteToBuyer(caller, db, row)
  },
}

export const quoteMutations: MutationFields<
  | 'quoteCreate'
  | 'quoteUpdate'
  | 'quoteCheckout'
  | 'quoteOrdered'
  | 'quoteEmail'
  | 'quotePdfExport'
  | 'quoteFrontendPdf'
  | 'quoteAttachFileCreate'
  | 'quoteAttachFileDelete'
> = {
  async quoteCreate(_, { quoteData }, caller) {
    const { db, asker } = await askerOf(caller, quoteData)
    const channel = channelHere(caller, quoteData.channelId)
    const settings = await portalSettingsOf(db, channel)
    const setting = {
      buyer: 'quote_for_b2b',
      customer: 'quote_for_individual_customer',
      guest: 'quote_for_guest',
    } as const
    if (!settings.isOn(setting[asker.caller.kind]))
      throw new GraphRefusal('The store does not take such requests.', 403)
    if (asker.caller.kind === 'guest') await countCall(db, guesserAt(caller))
    const shopper = itemShopper(caller, db, channel)
    const parts = {
      rep: (await listStaff(db)).find(({ role }) => role === 'owner'),
      expiryDays: Number(settings.textOf('quote_expiration_days')),
      takesUnavailable: settings.isOn('buyer_non_purchasable_quote'),
      visibleProducts: async (at: Db, ids: readonly number[]) =>
        new Set((await visibleProducts({ ...shopper, db: at }, ids)).keys()),
    }
    const items = quoteData.productList.flatMap((product) => product ?? [])
    const row = await naming(items, () =>
      db.transaction(async (tx) => {
        const quote = await askForQuote(tx, asker, requestOf(quoteData, channel), parts)
        await attachToQuote(tx, caller.parts.files, {
          quoteId: quote.id,
          uploads: uploadsIn(quoteData.fileList),
          customer: caller.shopper?.customer.id ?? null,
          by: asker.name,
        })
        return quote
      }),
    )
    return { quote: await quoteToBuyer(caller, db, row) }
  },
  async quoteUpdate(_, { id, quoteData }, caller) {
    const { db, as } = await actorOf(caller, quoteData.storeHash, undefined)
    const message = given(quoteData.message)
    const before = await openQuote(caller, { db, as }, { id, code: 'update_quote_message' })
    if (message === undefined) return { quote: await quoteToBuyer(caller, db, before) }
    return {
      quote: await quoteToBuyer(caller, db, await writeToSeller(db, as, id, { writer: nameOf(caller), message })),
    }
  },
  async quoteCheckout(_, { id, storeHash, uuid }, caller) {
    const { db, as } = await actorOf(caller, storeHash, uuid)
    const row = await openQuote(caller, { db, as }, { id, code: 'checkout_with_quote' })
    const { selling } = caller.parts
    const items = row.lines.map(({ productId }, i) => ({ itemId: String(i), productId }))
    const quoteCheckout = await naming(items, () =>
      checkOutForBuyer(
        db,
        as,
        { id, customerId: caller.shopper?.customer.id ?? 0 },
        { ...selling.carts, ...selling.redirects },
      ),
    )
    return { quoteCheckout }
  },
  async quoteOrdered(_, { id, orderedData }, caller) {
    const { db, as } = await actorOf(caller, orderedData.storeHash, undefined)
    await openQuote(caller, { db, as }, { id, code: 'checkout_with_quote' })
    await markOrdered(db, as, id, orderedData.orderId)
    return { message: 'Success' }
  },
  async quoteEmail(_, { emailData: { email, quoteId } }, caller) {
    const { db, as } = await actorOf(caller, undefined, undefined)
    await countCall(db, guesserAt(caller))
    if (!new RegExp(MAIL_ADDRESS, 'u').test(email)) throw invalid({ email: 'This is no e-mail address.' })
    const quote = await openQuote(caller, { db, as }, { id: quoteId, code: 'get_quote_pdf' })
    const known = [signedIn(caller).customer.email, quote.contact.email, ...quote.recipients].map(fold)
    if (!known.includes(fold(email))) throw invalid({ email: 'Only the people of the quote receive it.' })
    const link = await quoteLinkOf(db, quote, caller.parts)
    const subject = `Quote ${quote.quote_number}`
    await db.transaction((tx) => sendMail(tx, { to: email, subject, text: `${subject} is here: ${link}\n` }))
    return { message: 'Success' }
  },
  async quotePdfExport(_, { currency, quoteId, storeHash }, caller) {
    const { db, as } = await actorOf(caller, storeHash, undefined)
    await openQuote(caller, { db, as }, { id: quoteId, code: 'get_quote_pdf' })
    const rate = {
      currencyExchangeRate: currency.currencyExchangeRate,
      ...withoutUndefined({ token: currency.token ?? undefined }),
    }
    return { url: await quotePdfUrl(db, as, { id: quoteId, currency: rate }, caller.parts) }
  },
  async quoteFrontendPdf(_, { quoteId, storeHash, createdAt }, caller) {
    const { db, as } = await actorOf(caller, storeHash, undefined)
    await openQuote(caller, { db, as }, { id: quoteId, code: 'get_quote_pdf', date: String(createdAt) })
    return { url: await quotePdfUrl(db, as, { id: quoteId }, caller.parts), content: '' }
  },
  async quoteAttachFileCreate(_, { fileList, quoteId }, caller) {
    const buyer = await actorOf(caller, undefined, undefined)
    const { customer } = signedIn(caller)
    await buyer.db.transaction(async (tx) => {
      await lockQuote(tx, buyer.as, quoteId, 'create_quote')
      await attachToQuote(tx, caller.parts.files, {
        quoteId,
        uploads: uploadsIn(fileList),
        customer: customer.id,
        by: nameOf(caller),
      })
    })
    return { attachFiles: filesToBuyers(caller, buyer.db, await quoteFilesOf(buyer.db, quoteId)) }
  },
  async quoteAttachFileDelete(_, { fileId, quoteId }, caller) {
    const buyer = await actorOf(caller, undefined, undefined)
    await buyer.db.transaction(async (tx) => {
      await lockQuote(tx, buyer.as, quoteId, 'create_quote')
      await detachFromQuote(tx, caller.parts.files, quoteId, fileId)
    })
    return { message: 'Success' }
  },
}

type Actor = QuoteAsker['caller']

/** The caller as the functions of quotes take it: a user of a company, a customer who acts for none, or a guest who knows a UUID. */
async function actorOf(
  caller: BuyerCaller,
  storeHash: string | null | undefined,
  uuid: string | null | undefined,
): Promise<{ db: Db; as: Actor }> {
  const db = await storeOf(caller, storeHash)
  const { shopper } = caller
  if (!shopper) return { db, as: { kind: 'guest', quote: uuid ?? '' } }
  const isAlone = !shopper.buyer && shopper.superAdmin === undefined
  return { db, as: isAlone ? { kind: 'customer', customerId: shopper.customer.id } : buyerOf(caller) }
}

const nameOf = ({ shopper }: BuyerCaller): string =>
  shopper ? `${shopper.customer.firstName} ${shopper.customer.lastName}`.trim() : 'Guest'

async function askerOf(caller: BuyerCaller, { storeHash, companyId, contactInfo }: SchemaInputs['QuoteInputType']) {
  const { db, as } = await actorOf(caller, storeHash, undefined)
  const asker: QuoteAsker = {
    caller: as,
    companyId: as.kind === 'buyer' ? (companyId ?? buyerOf(caller).acting) : 0,
    customerId: caller.shopper?.customer.id ?? 0,
    name: caller.shopper ? nameOf(caller) : contactInfo.name,
  }
  return { db, asker }
}

/**
 * A quote that the caller may see. Archived quotes and drafts are nowhere for buyers.
 * @param date that a guest must know besides the UUID
 * @throws Problem 404, 429 for a guest who guesses
 */
async function openQuote(
  caller: BuyerCaller,
  { db, as }: { db: Db; as: Actor },
  { id, code, date }: { id: number; code: string; date?: string },
): Promise<QuoteRow> {
  const isGuest = as.kind === 'guest'
  // It is counted first, so that a guess past the limit does not show whether it is right.
  if (isGuest) await countLookUp(db, guesserAt(caller))
  const row = await findQuote(db, as, { id, now: db.now, code })
  if (isGuest && date !== undefined && date !== String(epochSeconds(row.created_at))) throw notFound(quotes.noun, id)
  if (isGuest) await uncountLookUp(db, guesserAt(caller))
  return row
}

/** Passes faulty lines on in the form that clients read. */
async function naming<T>(
  items: readonly { itemId?: string | null; productId: number }[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FaultyLines)) throw error
    throw new GraphRefusal(error.message, 422, {
      productValidationErrors: error.lines.map(({ line, productId, variantId, productName, code }) => ({
        itemId: items[line]?.itemId ?? '',
        productId,
        variantId,
        responseType: 'ERROR',
        code,
        productName,
      })),
    })
  }
}

type FileInput = readonly (SchemaInputs['QuoteFileListInputType'] | null)[] | null | undefined

const uploadsIn = (list: FileInput) =>
  (list ?? []).flatMap((file) =>
    file ? [{ upload: uploadIn(file.fileUrl), name: file.fileName, type: file.fileType }] : [],
  )

/** The request as the functions of quotes read it. Clients send blanks for fields left empty. */
function requestOf(data: SchemaInputs['QuoteInputType'], channelId: number) {
  const { contactInfo } = data
  return {
    channelId,
    contact: {
      name: contactInfo.name,
      email: contactInfo.email,
      ...withoutUndefined({ companyName: given(contactInfo.companyName), phoneNumber: given(contactInfo.phoneNumber) }),
    },
    lines: data.productList.flatMap((line) =>
      line
        ? [
            {
              productId: line.productId,
              variantId: line.variantId,
              quantity: line.quantity,
              // Prices are numbers, or null for a blank.
              ...withoutUndefined({
                basePrice: line.basePrice ?? undefined,
                offeredPrice: line.offeredPrice ?? undefined,
              }),
              options: (line.options ?? []).flatMap((option) =>
                option?.optionId
                  ? [
                      {
                        optionId: option.optionId,
                        optionValue: option.optionValue ?? '',
                        ...withoutUndefined({
                          optionLabel: option.optionLabel ?? undefined,
                          optionName: option.optionName ?? undefined,
                        }),
                      },
                    ]
                  : [],
              ),
            },
          ]
        : [],
    ),
    shippingAddress: addressOf(data.shippingAddress),
    billingAddress: addressOf(data.billingAddress),
    recipients: (data.recipients ?? []).flatMap((one) => (typeof one === 'string' && one !== '' ? [one] : [])),
    extraFields: (data.extraFields ?? []).flatMap((field) =>
      field?.fieldName && given(field.value) !== undefined
        ? [{ fieldName: field.fieldName, fieldValue: field.value ?? '' }]
        : [],
    ),
    ...withoutUndefined({
      currencyCode: given(data.currency.currencyCode),
      quoteTitle: given(data.quoteTitle),
      referenceNumber: given(data.referenceNumber),
      notes: given(data.notes),
      message: given(data.message),
    }),
  }
}

const addressOf = (address: SchemaInputs['ShippingAddressInputType'] | SchemaInputs['BillingAddressInputType']) =>
  withoutUndefined({
    address: address.address ?? address.addressLine1 ?? undefined,
    apartment: address.apartment ?? address.addressLine2 ?? undefined,
    city: address.city ?? undefined,
    state: address.state ?? undefined,
    zipCode: address.zipCode ?? undefined,
    country: address.country ?? undefined,
    label: address.label ?? undefined,
    firstName: address.firstName ?? undefined,
    lastName: address.lastName ?? undefined,
    addressId: address.addressId ?? undefined,
  })

interface QuoteArgs {
  channelId?: number | null
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  search?: string | null
  orderBy?: string | null
  quoteNumber?: string | null
  company?: string | null
  salesRep?: string | null
  status?: number | null
  quoteTitle?: string | null
  createdBy?: string | null
  email?: string | null
  dateCreatedBeginAt?: string | null
  dateCreatedEndAt?: string | null
  dateUpdatedBeginAt?: string | null
  dateUpdatedEndAt?: string | null
  dateExpiredBeginAt?: string | null
  dateExpiredEndAt?: string | null
}

const ORDERS: Readonly<Record<string, string>> = {
  id: 'id',
  quoteNumber: 'id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expiredAt: 'expires_at',
  company: 'company_name_key',
  companyName: 'company_name_key',
  createdBy: 'created_by_key',
  salesRep: 'sales_rep_key',
  quoteTitle: 'quote_title_key',
  status: 'status',
  grandTotal: 'grand_total',
  totalAmount: 'total_amount',
}

/** The columns of a list, which reads no lines. */
const LISTED = quotes.columns.filter((column) => !['lines', 'notes', 'legal_terms', 'history'].includes(column))

async function quotePage(db: Db, args: QuoteArgs, within: readonly Sql[]) {
  const window: Window = windowOfPage(args)
  const now = db.now
  const has = (column: string, text: string | null | undefined) =>
    when(given(text), (part) => sql`strpos(${sql.id(column)}, ${fold(part)}) > 0`)
  const between = (column: string, begin: string | null | undefined, end: string | null | undefined) => [
    ...when(given(begin), (day) => sql`${sql.id(column)} >= ${`${day}T00:00:00Z`}::timestamptz`),
    ...when(given(end), (day) => sql`${sql.id(column)} < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`),
  ]
  const where = [
    ...within,
    sql`status < ${ARCHIVED}`,
    ...when(args.channelId ?? undefined, (channel) => sql`channel_id = ${channel}`),
    ...has('quote_number_key', args.quoteNumber),
    ...has('company_name_key', args.company),
    ...has('sales_rep_key', args.salesRep),
    ...has('quote_title_key', args.quoteTitle),
    ...has('created_by_key', args.createdBy),
    ...when(given(args.search), (text) => {
      const columns = ['quote_number_key', 'quote_title_key', 'company_name_key', 'created_by_key', 'sales_rep_key']
      return sql`(${sql.join(
        columns.map((column) => sql`strpos(${sql.id(column)}, ${fold(text)}) > 0`),
        ' or ',
      )})`
    }),
    ...when(given(args.email), (text) => sql`lower(contact ->> 'email') = ${text.toLowerCase()}`),
    ...when(given(args.status), (status) => statusCondition(status, now)),
    ...between('created_at', args.dateCreatedBeginAt, args.dateCreatedEndAt),
    ...between('updated_at', args.dateUpdatedBeginAt, args.dateUpdatedEndAt),
    ...between('expires_at', args.dateExpiredBeginAt, args.dateExpiredEndAt),
  ]
  const named = ORDERS[(args.orderBy ?? '').replace(/^-/, '')]
  const direction = named === undefined || args.orderBy?.startsWith('-') ? 'desc' : 'asc'
  const column = named ?? 'id'
  const { rows, total } = await findWindow<Omit<QuoteWithSums, 'full' | 'offered'> & { full: string; offered: string }>(
    db,
    {
      table: quotes.table,
      columns: sql.join([...LISTED.map(sql.id), SUMS_OF_LINES]),
      where,
      order: sql.raw(`${column} ${direction}, id ${direction}`),
      foundOnceBy: column,
    },
    window,
  )
  const listed = rows.map((row) => ({ ...row, full: unitsOf(Number(row.full)), offered: unitsOf(Number(row.offered)) }))
  return buyerConnection(await quotesToBuyers(db, listed), total, window)
}

/** Buyers see the three open statuses as one. An open quote whose last day is over counts as expired. */
function statusCondition(status: number, now: Date): Sql {
  const isOpen = sql`status in (0, 2, 3)`
  if (status === 1) return sql`(${isOpen} and expires_at >= ${now})`
  if (status === EXPIRED) return sql`(status = ${EXPIRED} or (${isOpen} and expires_at < ${now}))`
  // They never see these three apart.
  return isOpenQuote(status) ? sql.raw('false') : sql`status = ${status}::numeric`
}
