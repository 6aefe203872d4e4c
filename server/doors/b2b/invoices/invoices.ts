import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { parseDate, parseUnix, toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { ofCompaniesNamed } from '../../../sales/b2b/companies/names.ts'
import { invoicePdfUrls, type PdfParts } from '../../../sales/b2b/documents/pdf-files.ts'
import {
  findInvoice,
  Invoice,
  type InvoiceRow,
  invoices,
  invoicesToAnswer,
} from '../../../sales/b2b/invoices/invoice.ts'
import {
  changeInvoice,
  createInvoice,
  deleteInvoice,
  InvoiceChanges,
  NewInvoice,
} from '../../../sales/b2b/invoices/invoice-changes.ts'
import { createInvoiceOfOrder } from '../../../sales/b2b/invoices/order-invoice.ts'
import { type CompanyReader, within } from '../../../sales/b2b/shared/caller.ts'
import { containing, findWindow, orderBy, when } from '../../../sales/b2b/shared/pages.ts'
import { havingText } from '../../../sales/b2b/shared/texts.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import { answering, companionAnswer, companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'

const { write } = access('b2b')

const ORDERS = {
  id: 'id',
  invoiceNumber: 'invoice_number_key',
  createdAt: 'created_at',
  customerId: 'company_id',
  externalCustomerId: 'external_customer_id_key',
  dueDate: 'due_at',
  updatedAt: 'updated_at',
  isPendingPayment: 'pending_payments',
  openBalance: 'open_balance',
  originalBalance: 'original_balance',
  status: 'status',
} as const
const SEARCHED = {
  invoiceNumber: sql`invoice_number_key`,
  type: sql`type_key`,
  orderNumber: sql`order_number_key`,
  purchaseOrderNumber: sql`purchase_order_number_key`,
  customerId: sql`company_id::text`,
  externalCustomerId: sql`external_customer_id_key`,
}
const Day = t.String({ format: 'date-time-or-unix', description: 'A day, a date with time, or Unix seconds' })

const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(Object.keys(ORDERS) as (keyof typeof ORDERS)[])),
  searchBy: t.Optional(t.Enum(Object.keys(SEARCHED) as (keyof typeof SEARCHED)[])),
  q: t.Optional(t.String({ description: 'Part of a text; of any searched field without searchBy' })),
  customerName: t.Optional(t.String({ description: 'Part of the name of the company' })),
  customerId: t.Optional(t.String({ description: 'The id of the company' })),
  status: t.Optional(t.Integer({ minimum: 0, maximum: 2 })),
  beginDateAt: t.Optional(Day),
  endDateAt: t.Optional(Day),
  externalId: t.Optional(t.Array(t.String(), { maxItems: 100 })),
  isIncludeExtraFields: t.Optional(t.Boolean()),
  channelIds: t.Optional(t.Array(ChannelId, { maxItems: 100 })),
})

const tag = 'Invoices'
const Made = t.Object({ id: t.Integer(), invoiceId: t.Integer() }, { title: 'CreatedInvoice' })
const MadeOfOrder = t.Object({ invoiceNumber: t.String(), invoiceId: t.Integer() }, { title: 'OrderInvoice' })
const Reference = t.Object({ id: t.Integer() }, { title: 'InvoiceReference' })
const PdfLinks = t.Object(
  { url: t.String({ description: 'A link that works for 24 hours' }), externalPdfUrl: t.String() },
  { title: 'InvoicePdf' },
)

/** Invoices (docs/contract/b2b-invoices.md section 3). */
export function invoiceRoutes(api: Api, parts: PdfParts) {
  const place = '/v3/io/ip/invoices'
  const one = `${place}/${idSegment('invoice_id')}`
  const params = t.Object({ invoice_id: Id })

  extraFieldRoutes(api, { kind: 'invoice', path: place, name: 'Invoice' })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the invoices',
        description: 'Newest first, unless sortBy is given.',
        tag,
        querystring: Query,
        ...listing(Invoice),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const { rows, total } = await findWindow<InvoiceRow>(
        db,
        {
          table: invoices.table,
          columns: sql.join(invoices.columns.map(sql.id)),
          where: conditionsOf(db, query, companyReaderOf(db, salesRep)),
          order: orderBy(ORDERS, query.sortBy, query.orderBy),
          foundOnceBy: query.q ? ORDERS[query.sortBy ?? 'id'] : undefined,
        },
        window,
      )
      const withExtraFields = query.isIncludeExtraFields ?? false
      return companionListAnswer(await invoicesToAnswer(db, rows, { withExtraFields }), total, window)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create an invoice',
        description: 'Without dueDate it is due after the payment terms of the company.',
        tag,
        body: NewInvoice,
        ...answering(Made),
      },
    },
    async ({ db, body, salesRep }) => {
      const { id } = await createInvoice(db, await callerOf(db, salesRep), body)
      return companionAnswer({ id, invoiceId: id })
    },
  )

  api.get(
    one,
    { ...write, schema: { summary: 'Get an invoice', tag, params, ...answering(Invoice) } },
    async ({ db, params, salesRep }) => {
      const row = await findInvoice(db, await callerOf(db, salesRep), params.invoice_id)
      const [invoice] = await invoicesToAnswer(db, [row], { withExtraFields: true })
      return companionAnswer(invoice)
    },
  )

  api.post(
    `/v3/io/ip/orders/${idSegment('company_order_id')}/invoices`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Create the invoice of an order',
        operationId: 'createInvoiceOfOrder',
        description: 'The path has the id of the record of the order. An order has one invoice.',
        tag,
        params: t.Object({ company_order_id: Id }),
        body: t.Object({}, { title: 'NewOrderInvoice', examples: [{}] }),
        ...answering(MadeOfOrder),
      },
    },
    async ({ db, params, salesRep }) => {
      const made = await createInvoiceOfOrder(db, await callerOf(db, salesRep), params.company_order_id)
      return companionAnswer({ invoiceNumber: made.invoice_number, invoiceId: made.id })
    },
  )

  api.get(
    `${one}/download-pdf`,
    {
      ...write,
      schema: {
        summary: 'Get the PDF of an invoice',
        operationId: 'getInvoicePdf',
        tag,
        params,
        ...answering(PdfLinks),
      },
    },
    async ({ db, params, salesRep }) =>
      companionAnswer(await invoicePdfUrls(db, await callerOf(db, salesRep), params.invoice_id, parts)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an invoice',
        description: 'Other fields stay unchanged. The details are replaced as a whole.',
        tag,
        params,
        body: InvoiceChanges,
        ...answering(Reference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await changeInvoice(db, await callerOf(db, salesRep), params.invoice_id, body)
      return companionAnswer({ id: params.invoice_id })
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete an invoice',
        description: 'Refused while payments name it.',
        tag,
        params,
        ...answering(Reference),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteInvoice(db, await callerOf(db, salesRep), params.invoice_id)
      return companionAnswer({ id: params.invoice_id })
    },
  )
}

function conditionsOf(db: Db, query: Static<typeof Query>, caller: CompanyReader): Sql[] {
  const { q, searchBy, customerName, customerId, status, beginDateAt, endDateAt, externalId, channelIds } = query
  return [
    ...within(caller, 'get_invoices', sql`company_id`),
    ...when(q || undefined, (text) => havingText(db, 'invoice', text)),
    ...(searchBy === undefined ? [] : containing(SEARCHED, q, searchBy)),
    ...when(customerName, (name) => ofCompaniesNamed(db, sql`company_id`, name)),
    ...when(customerId, (id) => sql`company_id = ${Number(/^\d{1,9}$/.exec(id)?.[0] ?? 0)}`),
    ...when(status, (value) => sql`status = ${value}`),
    ...when(beginDateAt, (text) => sql`created_at >= ${momentIn(text, 0)}`),
    ...when(endDateAt, (text) => sql`created_at <= ${momentIn(text, LAST_SECOND)}`),
    ...when(externalId, (ids) => sql`external_id = any(${ids}) and external_id <> ''`),
    ...when(channelIds, (ids) => sql`channel_id = any(${ids}::bigint[])`),
  ]
}

const LAST_SECOND = 86_399

/** @param ofDay the second of a day that is meant by a day without time */
function momentIn(text: string, ofDay: number): string {
  const read = parseDate(text) ?? parseUnix(text)
  if (!read) throw new Error('The schema has checked the date.')
  return toSeconds(new Date(read.at.getTime() + (read.wholeDay ? ofDay * 1_000 : 0)))
}
