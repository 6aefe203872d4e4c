import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { invalid } from '../../../core/rest/problem.ts'
import { PdfCurrency, type PdfParts, quotePdfUrl } from '../../../sales/b2b/documents/pdf-files.ts'
import {
  CompanyQuote,
  ListedQuote,
  type QuoteSites,
  quotesToAnswer,
  quoteToAnswer,
  quoteUrlOf,
} from '../../../sales/b2b/quotes/answers.ts'
import { CompanyQuoteChanges, NewCompanyQuote } from '../../../sales/b2b/quotes/bodies.ts'
import { checkOutQuote, markOrdered, type QuoteCartParts } from '../../../sales/b2b/quotes/checkout.ts'
import { markRead } from '../../../sales/b2b/quotes/messages.ts'
import {
  findQuote,
  type QuoteRow,
  quotes,
  quotesWithin,
  seesManyCompanies,
  totalOfCompanies,
} from '../../../sales/b2b/quotes/quote.ts'
import { changeQuote, createQuote, deleteQuote } from '../../../sales/b2b/quotes/quote-changes.ts'
import {
  customMethodsOf,
  removeShipping,
  ShippingChoice,
  ShippingRate,
  setShipping,
  shippingRatesOf,
} from '../../../sales/b2b/quotes/shipping.ts'
import { EXPIRED, isOpenQuote, QUOTE_STATUSES, quoteStatusAt } from '../../../sales/b2b/quotes/states.ts'
import { findWindow, orderBy, when } from '../../../sales/b2b/shared/pages.ts'
import { MessageProblem } from '../../../sales/b2b/shared/refusals.ts'
import { havingText } from '../../../sales/b2b/shared/texts.ts'
import type { CarrierDesk } from '../../../sales/shipping/carriers/quotes.ts'
import { shippingByRequest } from '../../../sales/shipping/parcels/shipping-quotes.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import { answering, companionAnswer, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'
import { repOf } from '../staff/staff.ts'
import { messageAnswer, messageListAnswer, messaging, messagingList } from './message.ts'

const { write } = access('b2b')

const SORTED = {
  company: 'company_name_key',
  status: 'status',
  salesRep: 'sales_rep_key',
  createdAt: 'created_at',
  expiredAt: 'expires_at',
  updatedAt: 'updated_at',
} as const
/** Filters that look texts up. */
const SEARCHES = ['q', 'quoteNumber', 'company', 'salesRep', 'quoteTitle', 'createdBy'] as const
const Time = t.Optional(t.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Unix seconds' }))

const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(Object.keys(SORTED) as (keyof typeof SORTED)[], { default: 'updatedAt' })),
  q: t.Optional(t.String({ description: 'Part of the number, title, company, representative or buyer' })),
  quoteNumber: t.Optional(t.String({ description: 'Part of the number' })),
  company: t.Optional(t.String({ description: 'Part of the name of the company' })),
  salesRep: t.Optional(t.String({ description: 'Part of the name of the representative' })),
  quoteTitle: t.Optional(t.String({ description: 'Part of the title' })),
  createdBy: t.Optional(t.String({ description: 'Part of the name of the creator' })),
  status: t.Optional(t.Integer({ minimum: 0, maximum: 7 })),
  minCreated: Time,
  maxCreated: Time,
  minModified: Time,
  maxModified: Time,
  minExpired: Time,
  maxExpired: Time,
  channelIds: t.Optional(t.Union([t.String(), t.Array(t.String(), { maxItems: 100 })])),
})

const tag = 'Quotes'
const Made = t.Object({ quoteId: Id, quoteUrl: t.String() }, { title: 'CreatedQuote' })
const Cart = t.Object({ checkoutUrl: t.String(), cartUrl: t.String(), cartId: t.String() }, { title: 'QuoteCart' })
const Ordered = t.Object(
  {
    orderId: t.Union([t.String({ minLength: 1, maxLength: 20 }), Id], {
      description: 'The id of an order of the store',
    }),
  },
  { title: 'OrderedQuote', examples: [{ orderId: '1' }] },
)
const PdfLink = t.Object({ url: t.String({ description: 'A link that works for 24 hours' }) }, { title: 'QuotePdf' })
const CustomMethod = t.Object({ customShippingMethodName: t.String() }, { title: 'CustomShippingMethod' })

/** Parts of other areas. */
export type QuoteAreaParts = QuoteSites &
  QuoteCartParts &
  PdfParts & {
    files: Pick<Files, 'removeOwner'>
    /** The carriers. */
    desk: CarrierDesk
  }

/** Quotes (docs/contract/b2b-quotes.md). */
export function companyQuoteRoutes(api: Api, parts: QuoteAreaParts) {
  const place = '/v3/io/rfq'
  const one = `${place}/${idSegment('quote_id')}`
  const params = t.Object({ quote_id: Id })
  const shippingOf = shippingByRequest(parts.desk)

  extraFieldRoutes(api, { kind: 'quote', path: place, name: 'Quote' })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the quotes',
        operationId: 'listCompanyQuotes',
        description: 'The one that was changed last comes first, unless sortBy is given.',
        tag,
        querystring: Query,
        ...messagingList(ListedQuote),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const now = db.now
      const caller = companyReaderOf(db, salesRep)
      const where = conditionsOf(db, query, now)
      const staff = caller.kind === 'staff' && where.length === 0 ? caller : undefined
      const own = caller.kind === 'seller' ? [] : [quotesWithin(caller, 'get_quotes')]
      // As a value, the condition is looked up for each row in a table of the ids. PostgreSQL joins the companies otherwise.
      const isByTime = staff !== undefined && (await seesManyCompanies(db, staff.assigned))
      const { rows, total } = await findWindow<QuoteRow>(
        db,
        {
          table: quotes.table,
          columns: listColumns,
          where: [...(isByTime ? own.map((condition) => sql`(${condition}) is true`) : own), ...where],
          order: orderBy(SORTED, query.sortBy ?? 'updatedAt', query.orderBy),
          foundOnceBy: SEARCHES.some((name) => query[name]) ? SORTED[query.sortBy ?? 'updatedAt'] : undefined,
          idsFirst: isByTime,
          total: staff && totalOfCompanies(db, staff.assigned),
        },
        window,
      )
      const current = rows.map((row) => ({ ...row, status: quoteStatusAt(row, now) }))
      return messageListAnswer(await quotesToAnswer(db, current), total, window)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create a quote',
        operationId: 'createCompanyQuote',
        description: 'The buyer sees it at once. Only companyId links it to a company.',
        tag,
        body: NewCompanyQuote,
        ...messaging(Made),
      },
    },
    async ({ db, body, salesRep }) => {
      const rep = await repOf(db, body.userEmail)
      const quote = await createQuote(db, await callerOf(db, salesRep), body, { rep })
      return messageAnswer({ quoteId: quote.id, quoteUrl: await quoteUrlOf(db, quote, parts) })
    },
  )

  api.get(
    `${place}/custom/shipping-methods`,
    {
      ...write,
      schema: {
        summary: 'List the custom shipping methods',
        operationId: 'listCustomShippingMethods',
        description: 'Not paged.',
        tag,
        ...answering(t.Array(CustomMethod)),
      },
    },
    async ({ db }) => companionAnswer((await customMethodsOf(db)).map((name) => ({ customShippingMethodName: name }))),
  )

  api.get(
    one,
    {
      ...write,
      schema: { summary: 'Get a quote', operationId: 'getCompanyQuote', tag, params, ...answering(CompanyQuote) },
    },
    async ({ db, params, salesRep }) => {
      const now = db.now
      const quote = await findQuote(db, await callerOf(db, salesRep), { id: params.quote_id, now })
      const answer = await quoteToAnswer(db, quote, { ...parts, now })
      await markRead(db, quote, 'seller')
      return companionAnswer(answer)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a quote',
        operationId: 'updateCompanyQuote',
        description: 'Other fields stay unchanged; a productList replaces all lines. The quote is then in process.',
        tag,
        params,
        body: CompanyQuoteChanges,
        ...messaging(Made),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const rep = body.userEmail === undefined ? undefined : await repOf(db, body.userEmail)
      const quote = await changeQuote(db, await callerOf(db, salesRep), params.quote_id, {
        body,
        rep,
        sites: parts.sites,
      })
      return messageAnswer({ quoteId: quote.id, quoteUrl: await quoteUrlOf(db, quote, parts) })
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a quote',
        operationId: 'deleteCompanyQuote',
        description: 'Refused for an ordered quote.',
        tag,
        params,
        ...messaging(t.Object({})),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteQuote(db, parts.files, await callerOf(db, salesRep), params.quote_id)
      return messageAnswer({})
    },
  )

  api.post(
    `${one}/checkout`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Check out a quote',
        operationId: 'checkOutQuote',
        description: 'Makes a new cart at the offered prices, which are final. The quote stays as it is.',
        tag,
        params,
        body: t.Object({}, { title: 'QuoteCheckout', examples: [{}] }),
        ...messaging(Cart),
      },
    },
    async ({ db, params, salesRep }) =>
      messageAnswer(await checkOutQuote(db, await callerOf(db, salesRep), params.quote_id, parts)),
  )

  api.post(
    `${one}/ordered`,
    {
      ...write,
      schema: {
        summary: 'Mark a quote as ordered',
        operationId: 'markQuoteAsOrdered',
        description: 'Links it to an order of the store. It can never be changed again.',
        tag,
        params,
        body: Ordered,
        ...messaging(t.Object({})),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await markOrdered(db, await callerOf(db, salesRep), params.quote_id, String(body.orderId))
      return messageAnswer({})
    },
  )

  api.post(
    `${one}/pdf-export`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Export a quote as PDF',
        operationId: 'exportQuotePdf',
        description: 'The currency converts the amounts of this file only.',
        tag,
        params,
        body: t.Object(
          { currency: t.Optional(PdfCurrency) },
          { title: 'QuotePdfExport', examples: [{ currency: { currencyCode: 'USD' } }] },
        ),
        ...messaging(PdfLink),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const wanted = { id: params.quote_id, currency: body?.currency }
      return messageAnswer({ url: await quotePdfUrl(db, await callerOf(db, salesRep), wanted, parts) })
    },
  )

  api.get(
    `${one}/shipping-rates`,
    {
      ...write,
      schema: {
        summary: 'List the shipping rates of a quote',
        operationId: 'listQuoteShippingRates',
        description: 'Those of the store and of its carriers for the lines and the address; none without a country.',
        tag,
        params,
        ...answering(t.Array(ShippingRate)),
      },
    },
    async (request) => {
      const { db, params, salesRep } = request
      const wanted = { id: params.quote_id, now: db.now, shipping: shippingOf(request) }
      return companionAnswer(await shippingRatesOf(db, await callerOf(db, salesRep), wanted))
    },
  )

  api.put(
    `${one}/shipping-rate`,
    {
      ...write,
      schema: {
        summary: 'Set the shipping of a quote',
        operationId: 'setQuoteShipping',
        description: 'The choice replaces the former one. The totals become those of the lines with shipping and tax.',
        tag,
        params,
        body: ShippingChoice,
        ...answering(t.Object({})),
      },
    },
    async (request) => {
      const { db, params, body, salesRep } = request
      const caller = await callerOf(db, salesRep)
      const shipping = shippingOf(request)
      await db.transaction((tx) => setShipping(tx, caller, params.quote_id, { body, shipping }))
      return companionAnswer({})
    },
  )

  api.delete(
    `${one}/shipping-rate`,
    {
      ...write,
      schema: {
        summary: 'Remove the shipping of a quote',
        operationId: 'removeQuoteShipping',
        tag,
        params,
        response: { 204: t.Null() },
      },
    },
    async ({ db, params, salesRep }) => {
      await removeShipping(db, await callerOf(db, salesRep), params.quote_id)
      return noContent()
    },
  )
}

/** The columns without those of long texts and lists. */
const listColumns = sql.join(
  quotes.columns.filter((column) => !['lines', 'notes', 'legal_terms', 'history'].includes(column)).map(sql.id),
)

const momentOf = (seconds: number) => toSeconds(new Date(seconds * 1_000))

/** The conditions of the filters. */
function conditionsOf(db: Db, query: Static<typeof Query>, now: Date): Sql[] {
  return [
    ...when(query.q || undefined, (text) => havingText(db, 'quote', text)),
    ...containing(db, 'quote_number_key', query.quoteNumber),
    ...containing(db, 'company_name_key', query.company),
    ...containing(db, 'sales_rep_key', query.salesRep),
    ...containing(db, 'quote_title_key', query.quoteTitle),
    ...containing(db, 'created_by_key', query.createdBy),
    ...when(query.status, (status) => ofStatus(status, now)),
    ...when(query.minCreated, (time) => sql`created_at >= ${momentOf(time)}`),
    ...when(query.maxCreated, (time) => sql`created_at <= ${momentOf(time)}`),
    ...when(query.minModified, (time) => sql`updated_at >= ${momentOf(time)}`),
    ...when(query.maxModified, (time) => sql`updated_at <= ${momentOf(time)}`),
    ...when(query.minExpired, (time) => sql`expires_at >= ${momentOf(time)}`),
    ...when(query.maxExpired, (time) => sql`expires_at <= ${momentOf(time)}`),
    ...when(query.channelIds, (ids) => sql`channel_id = any(${channelsIn(ids)}::bigint[])`),
  ]
}

/** Matches a piece of one text. The n-grams of all texts find the rows first. */
const containing = (db: Db, column: string, text: string | undefined): Sql[] =>
  text === undefined || text === ''
    ? []
    : [sql`(${havingText(db, 'quote', text)} and strpos(${sql.id(column)}, ${fold(text)}) > 0)`]

/** An open quote whose last day is over counts as expired. @throws Problem 422 */
function ofStatus(status: number, now: Date): Sql {
  const at = toSeconds(now)
  if (!QUOTE_STATUSES.some((known) => known === status)) throw invalid({ status: 'This is no status of a quote.' })
  if (status === EXPIRED) return sql`(status = ${EXPIRED} or (status in (0, 2, 3) and expires_at < ${at}))`
  return isOpenQuote(status) ? sql`(status = ${status} and expires_at >= ${at})` : sql`status = ${status}`
}

/** The ids in a list that is separated by commas. @throws MessageProblem 400 for other text */
function channelsIn(written: string | string[]): number[] {
  const texts = [written].flat().flatMap((text) => text.split(','))
  if (texts.some((text) => !/^\d{1,15}$/.test(text.trim()))) {
    throw new MessageProblem(400, 'Bad Requests Error', { channel_id_list: 'Send whole numbers with commas between.' })
  }
  return texts.map(Number)
}
