import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { keyOf } from '../../../core/rest/lists/filters.ts'
import { notFound } from '../../../core/rest/problem.ts'
import {
  deleteReceipt,
  deleteReceiptLine,
  findReceipt,
  type JoinedLine,
  Receipt,
  ReceiptLine,
  type ReceiptRow,
  receiptLines,
  receiptLineToAnswer,
  receipts,
  receiptsWithin,
  receiptToAnswer,
} from '../../../sales/b2b/invoices/receipt.ts'
import { type CompanyReader, unreachable } from '../../../sales/b2b/shared/caller.ts'
import { containing, findWindow, orderBy, type Window, when } from '../../../sales/b2b/shared/pages.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import { answering, companionAnswer, companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'

const { write } = access('b2b')

const PaymentStatuses = t.Optional(t.Array(t.Integer({ minimum: 0, maximum: 4 }), { maxItems: 5 }))
const q = t.Optional(t.String({ description: 'Part of a text; of any searched field without searchBy' }))

const SORTED = {
  customerId: 'company_id',
  externalCustomerId: 'external_customer_id_key',
  paymentId: 'payment_id',
  total: 'total',
  transactionType: 'transaction_type',
  referenceNumber: 'reference_number_key',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const
const SEARCHED = {
  payerName: sql`payer_name_key`,
  referenceNumber: sql`reference_number_key`,
  customerId: sql`company_id::text`,
  externalId: sql`external_id_key`,
  externalCustomerId: sql`external_customer_id_key`,
}
const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(Object.keys(SORTED) as (keyof typeof SORTED)[])),
  searchBy: t.Optional(t.Enum(Object.keys(SEARCHED) as (keyof typeof SEARCHED)[])),
  q,
  paymentStatus: PaymentStatuses,
})

const SORTED_LINES = {
  customerId: 'company_id',
  externalCustomerId: 'external_customer_id_key',
  receiptId: 'receipt_id',
  invoiceId: 'invoice_id',
  amount: 'amount',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const
const SEARCHED_LINES = {
  customerId: sql`company_id::text`,
  externalId: sql`external_id_key`,
  externalCustomerId: sql`external_customer_id_key`,
  payerName: sql`payer_name_key`,
  payerCustomerId: sql`payer_customer_id_key`,
  referenceNumber: sql`reference_number_key`,
  invoiceId: sql`invoice_id::text`,
}
const LineQuery = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(Object.keys(SORTED_LINES) as (keyof typeof SORTED_LINES)[])),
  searchBy: t.Optional(t.Enum(Object.keys(SEARCHED_LINES) as (keyof typeof SEARCHED_LINES)[])),
  q,
  paymentStatus: PaymentStatuses,
})
type LineQuery = Static<typeof LineQuery>

const tag = 'Receipts'
const Reference = t.Object({ id: t.Integer() }, { title: 'ReceiptReference' })

/** Receipts of payments and their lines (docs/contract/b2b-invoices.md section 5). */
export function receiptRoutes(api: Api) {
  const place = '/v3/io/ip/receipts'
  const one = `${place}/${idSegment('receipt_id')}`
  const line = `${one}/lines/${idSegment('receipt_line_id')}`
  const params = t.Object({ receipt_id: Id })
  const lineParams = t.Object({ receipt_id: Id, receipt_line_id: Id })

  api.get(
    place,
    { ...write, schema: { summary: 'List the receipts', tag, querystring: Query, ...listing(Receipt) } },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const where = [
        ...receiptsWithin(companyReaderOf(db, salesRep)),
        ...containing(SEARCHED, query.q, query.searchBy),
        ...when(query.paymentStatus, (statuses) => sql`payment_status = any(${statuses})`),
      ]
      const order = orderBy(SORTED, query.sortBy ?? 'createdAt', query.orderBy)
      const columns = sql.join(receipts.columns.map(sql.id))
      const { rows, total } = await findWindow<ReceiptRow>(db, { table: receipts.table, columns, where, order }, window)
      return companionListAnswer(
        rows.map((row) => receiptToAnswer(db, row)),
        total,
        window,
      )
    },
  )

  api.get(
    one,
    { ...write, schema: { summary: 'Get a receipt', tag, params, ...answering(Receipt) } },
    async ({ db, params, salesRep }) =>
      companionAnswer(receiptToAnswer(db, await findReceipt(db, await callerOf(db, salesRep), params.receipt_id))),
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a receipt',
        description: 'Deletes the record only: balances stay.',
        tag,
        params,
        ...answering(Reference),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteReceipt(db, await callerOf(db, salesRep), params.receipt_id)
      return companionAnswer({ id: params.receipt_id })
    },
  )

  api.get(
    '/v3/io/ip/receipt-lines',
    {
      ...write,
      schema: {
        summary: 'List the lines of all receipts',
        operationId: 'listAllReceiptLines',
        tag,
        querystring: LineQuery,
        ...listing(ReceiptLine),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const { rows, total } = await findLines(db, linesOf(companyReaderOf(db, salesRep), query), query, window)
      return companionListAnswer(rows, total, window)
    },
  )

  api.get(
    `${one}/lines`,
    {
      ...write,
      schema: { summary: 'List the lines of a receipt', tag, params, querystring: LineQuery, ...listing(ReceiptLine) },
    },
    async ({ db, params, query, salesRep }) => {
      const caller = await callerOf(db, salesRep)
      const { id } = await findReceipt(db, caller, params.receipt_id)
      const window = windowOf(query)
      const where = [...linesOf(caller, query), sql`receipt_id = ${id}`]
      const { rows, total } = await findLines(db, where, query, window)
      return companionListAnswer(rows, total, window)
    },
  )

  api.get(
    line,
    { ...write, schema: { summary: 'Get a line of a receipt', tag, params: lineParams, ...answering(ReceiptLine) } },
    async ({ db, params, salesRep }) => {
      const caller = await callerOf(db, salesRep)
      const { id } = await findReceipt(db, caller, params.receipt_id)
      const where = [sql`receipt_id = ${id}`, sql`line_id = ${params.receipt_line_id}`]
      const { rows } = await findLines(db, where, {}, { limit: 1, offset: 0 })
      const [found] = rows
      if (!found) throw unreachable(caller, notFound(receiptLines.noun, params.receipt_line_id))
      return companionAnswer(found)
    },
  )

  api.delete(
    line,
    {
      ...write,
      schema: {
        summary: 'Delete a line of a receipt',
        description: 'Deletes the record only: balances stay. The last line takes the receipt with it.',
        tag,
        params: lineParams,
        ...answering(Reference),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteReceiptLine(db, await callerOf(db, salesRep), params.receipt_id, params.receipt_line_id)
      return companionAnswer({ id: params.receipt_line_id })
    },
  )
}

function linesOf(caller: CompanyReader, query: LineQuery): Sql[] {
  return [
    ...receiptsWithin(caller),
    ...containing(SEARCHED_LINES, query.q, query.searchBy),
    ...when(query.paymentStatus, (statuses) => sql`payment_status = any(${statuses})`),
  ]
}

/** Lines with their receipts. Conditions name the columns of receipts, and `line_id`, `receipt_id`, `invoice_id` and `amount`. */
async function findLines(db: Db, where: readonly Sql[], query: LineQuery, { limit, offset }: Window) {
  const names = [...receipts.columns, ...receipts.folded.map(keyOf)]
  const columns = sql.join(names.map((column) => sql`r.${sql.id(column)}`))
  const joined = sql`
    select ${columns}, l.id as line_id, l.receipt_id, l.invoice_id, l.amount, i.invoice_number
    from b2b_receipt_lines l
    join b2b_receipts r on r.store_id = ${db.store.id} and r.id = l.receipt_id
    join b2b_invoices i on i.store_id = ${db.store.id} and i.id = l.invoice_id
    where l.store_id = ${db.store.id}`
  const direction = query.orderBy?.toUpperCase() === 'ASC' ? 'asc' : 'desc'
  const order = sql.raw(`${SORTED_LINES[query.sortBy ?? 'createdAt']} ${direction}, line_id ${direction}`)
  const from = sql`from (${joined}) lines where ${sql.and(where)}`
  const rows = await db.rows<JoinedLine>(sql`select * ${from} order by ${order} limit ${limit} offset ${offset}`)
  const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from}`)
  return { rows: rows.map((row) => receiptLineToAnswer(db, row)), total }
}
