import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { ofCompaniesNamed } from '../../../sales/b2b/companies/names.ts'
import { operationsOf, statusesAfter } from '../../../sales/b2b/invoices/balances.ts'
import {
  findInvoicePayment,
  type InvoicePaymentRow,
  invoicePayments,
  Payment,
  paymentsToAnswer,
  stateOf,
  transactionOf,
} from '../../../sales/b2b/invoices/payment.ts'
import {
  changeProcessingStatus,
  createOfflinePayment,
  deletePayment,
  NewOfflinePayment,
  OfflinePaymentChanges,
  operate,
  replaceOfflinePayment,
} from '../../../sales/b2b/invoices/payment-changes.ts'
import { type CompanyReader, within } from '../../../sales/b2b/shared/caller.ts'
import { containing, findWindow, orderBy, when } from '../../../sales/b2b/shared/pages.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import { answering, companionAnswer, companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'

const { write } = access('b2b')

const SORTED = {
  moduleName: 'module_name',
  processingStatus: 'processing_status',
  appliedStatus: 'applied_status',
  createdAt: 'created_at',
  customerId: 'company_id',
  externalCustomerId: 'external_customer_id_key',
  fundingStatus: 'funding_status',
  updatedAt: 'updated_at',
  totalAmount: 'total',
} as const
const SEARCHED = {
  id: sql`id::text`,
  customerId: sql`company_id::text`,
  externalId: sql`external_id_key`,
  externalCustomerId: sql`external_customer_id_key`,
}
const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(['id', ...Object.keys(SORTED)] as (keyof typeof SORTED | 'id')[])),
  searchBy: t.Optional(t.Enum(Object.keys(SEARCHED) as (keyof typeof SEARCHED)[])),
  q: t.Optional(t.String({ description: 'Part of a text; of any searched field without searchBy' })),
  customerName: t.Optional(t.String({ description: 'Part of the name of the company' })),
  invoiceId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
  processingStatus: t.Optional(t.Integer({ minimum: 0, maximum: 4 })),
  channelIds: t.Optional(t.Array(ChannelId, { maxItems: 100 })),
})

const tag = 'Invoice payments'
const Made = t.Object({ paymentId: t.Integer() }, { title: 'CreatedInvoicePayment' })
const Reference = t.Object({ id: t.Integer() }, { title: 'InvoicePaymentReference' })
const Operations = t.Object(
  { allowedOperations: t.Array(t.Integer()), allowedStatuses: t.Array(t.Integer()) },
  { title: 'InvoicePaymentOperations' },
)
const Transaction = t.Object({ type: t.String(), rawTransaction: t.String() }, { title: 'OfflineTransaction' })
const NewOperation = t.Object(
  { operationCode: t.Integer({ minimum: 0, maximum: 3, description: '0 applies the payment, 1 reverts it' }) },
  { title: 'InvoicePaymentOperation', examples: [{ operationCode: 1 }] },
)
const NewStatus = t.Object(
  { processingStatus: t.Integer() },
  { title: 'ProcessingStatusChange', examples: [{ processingStatus: 2 }] },
)

/** Payments of invoices (docs/contract/b2b-invoices.md section 4). */
export function invoicePaymentRoutes(api: Api) {
  const place = '/v3/io/ip/payments'
  const one = `${place}/${idSegment('payment_id')}`
  const offline = `${place}/offline`
  const params = t.Object({ payment_id: Id })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the payments of invoices',
        operationId: 'listInvoicePayments',
        tag,
        querystring: Query,
        ...listing(Payment),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const { rows, total } = await findWindow<InvoicePaymentRow>(
        db,
        {
          table: invoicePayments.table,
          columns: sql.join(invoicePayments.columns.map(sql.id)),
          where: conditionsOf(db, query, companyReaderOf(db, salesRep)),
          order: orderBy({ id: 'id', ...SORTED }, query.sortBy, query.orderBy),
        },
        window,
      )
      return companionListAnswer(await paymentsToAnswer(db, rows), total, window)
    },
  )

  api.get(
    one,
    {
      ...write,
      schema: {
        summary: 'Get a payment of invoices',
        operationId: 'getInvoicePayment',
        tag,
        params,
        ...answering(Payment),
      },
    },
    async ({ db, params, salesRep }) => {
      const row = await findInvoicePayment(db, await callerOf(db, salesRep), params.payment_id)
      const [payment] = await paymentsToAnswer(db, [row])
      return companionAnswer(payment)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a payment of invoices',
        description: 'Applied amounts are added back to the open balances. Its receipts are deleted.',
        operationId: 'deleteInvoicePayment',
        tag,
        params,
        ...answering(Reference),
      },
    },
    async ({ db, params, salesRep }) => {
      await deletePayment(db, await callerOf(db, salesRep), params.payment_id)
      return companionAnswer({ id: params.payment_id })
    },
  )

  api.get(
    `${one}/operations`,
    {
      ...write,
      schema: {
        summary: 'List the operations that a payment allows',
        operationId: 'listInvoicePaymentOperations',
        tag,
        params,
        ...answering(Operations),
      },
    },
    async ({ db, params, salesRep }) => {
      const row = await findInvoicePayment(db, await callerOf(db, salesRep), params.payment_id)
      return companionAnswer({
        allowedOperations: operationsOf(stateOf(row)),
        allowedStatuses: statusesAfter(row.processing_status),
      })
    },
  )

  api.post(
    `${one}/operations`,
    {
      ...write,
      schema: {
        summary: 'Apply or revert a payment',
        operationId: 'operateInvoicePayment',
        tag,
        params,
        body: NewOperation,
        ...answering(Reference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await operate(db, await callerOf(db, salesRep), params.payment_id, body.operationCode)
      return companionAnswer({ id: params.payment_id })
    },
  )

  api.put(
    `${one}/processing-status`,
    {
      ...write,
      schema: {
        summary: 'Change the processing status of a payment',
        operationId: 'updateInvoicePaymentStatus',
        tag,
        params,
        body: NewStatus,
        ...answering(Reference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await changeProcessingStatus(db, await callerOf(db, salesRep), params.payment_id, body.processingStatus)
      return companionAnswer({ id: params.payment_id })
    },
  )

  api.get(
    `${one}/transactions`,
    {
      ...write,
      schema: {
        summary: 'List the transactions of a payment',
        operationId: 'listInvoicePaymentTransactions',
        tag,
        params,
        ...answering(t.Array(Transaction)),
      },
    },
    async ({ db, params, salesRep }) => {
      const { type, rawTransaction } = transactionOf(
        await findInvoicePayment(db, await callerOf(db, salesRep), params.payment_id),
      )
      return companionAnswer([{ type, rawTransaction }])
    },
  )

  api.post(
    offline,
    {
      ...write,
      schema: {
        summary: 'Record an offline payment',
        description: 'It is applied at once, unless processingStatus says otherwise.',
        operationId: 'createOfflinePayment',
        tag,
        body: NewOfflinePayment,
        ...answering(Made),
      },
    },
    async ({ db, body, salesRep }) => {
      const { id } = await createOfflinePayment(db, await callerOf(db, salesRep), body)
      return companionAnswer({ paymentId: id })
    },
  )

  api.put(
    `${offline}/${idSegment('payment_id')}`,
    {
      ...write,
      schema: {
        summary: 'Replace an offline payment',
        description: 'Reverts its amounts and applies the new ones.',
        operationId: 'replaceOfflinePayment',
        tag,
        params,
        body: OfflinePaymentChanges,
        ...answering(Made),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await replaceOfflinePayment(db, await callerOf(db, salesRep), params.payment_id, body)
      return companionAnswer({ paymentId: params.payment_id })
    },
  )
}

function conditionsOf(db: Db, query: Static<typeof Query>, caller: CompanyReader): Sql[] {
  const { q, searchBy, customerName, invoiceId, processingStatus, channelIds } = query
  return [
    ...within(caller, 'get_invoice_payments_history', sql`company_id`),
    ...containing(SEARCHED, q, searchBy),
    ...when(customerName, (name) => ofCompaniesNamed(db, sql`company_id`, name)),
    ...when(
      invoiceId,
      (id) => sql`id = any(array(
        select payment_id from b2b_payment_lines where store_id = ${db.store.id} and invoice_id = ${id}))`,
    ),
    ...when(processingStatus, (status) => sql`processing_status = ${status}`),
    ...when(channelIds, (ids) => sql`channel_id = any(${ids}::bigint[])`),
  ]
}
