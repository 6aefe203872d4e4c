import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { unitsOf } from '../../../core/money/units.ts'
import { ID_MAX, Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { channelsById } from '../../../shop/channels/channels.ts'
import { epochSeconds, TextOf } from '../companies/company.ts'
import { namesOfCompanies } from '../companies/names.ts'
import { extraFieldsIn } from '../extra-fields/definitions.ts'
import { ExtraFieldValues, ExtraValues, extraValuesToAnswer } from '../extra-fields/values.ts'
import { type CompanyCaller, reachableBy, unreachable } from '../shared/caller.ts'
import { ExactMoney, moneyOf } from '../shared/exact-money.ts'
import { InvoiceDetails } from './details.ts'

/**
 * An invoice: a debt of a company.
 *
 * The seller writes it, with the amount and the part of it that is open. Its number is unique within the store. Payments lower the
 * open balance when they are applied, and raise it again when they are reverted or refunded; the seller may also set it. The status
 * follows from the two balances: open, partially paid, or completed as soon as nothing is open. While a payment is awaited or in
 * process, the invoice is pending. An invoice with payments can't be deleted, and stays with its company and currency. It outlives
 * its company.
 */
const Row = t.Object({
  id: Id,
  company_id: Id,
  invoice_number: NeededText(255),
  type: TextOf(255),
  status: t.Integer(),
  order_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  order_number: TextOf(255),
  purchase_order_number: TextOf(255),
  external_id: TextOf(255),
  external_customer_id: TextOf(255),
  channel_id: t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency_code: t.String(),
  original_balance: t.Number(),
  open_balance: t.Number(),
  pending_payments: t.Integer(),
  source: t.Integer(),
  details: InvoiceDetails,
  extra_values: ExtraValues,
  external_pdf_url: TextOf(2_048),
  terms_conditions: TextOf(65_535),
  issued_at: Moment,
  due_at: Moment,
  created_at: Moment,
  updated_at: Moment,
})
export type InvoiceRow = Static<typeof Row>

export const invoices = collection('b2b_invoices', Row, {
  noun: 'invoice',
  filters: '',
  twins: ['invoice_number', 'type', 'order_number', 'purchase_order_number', 'external_id', 'external_customer_id'],
  conflicts: { b2b_invoices_number_unique: ['Another invoice has this number.', 'invoiceNumber'] },
})

const columns = sql.join(invoices.columns.map(sql.id))

/** @param code the permission that a buyer needs @throws Problem 404, 403 */
export const findInvoice = (db: Db, caller: CompanyCaller, id: number, code = 'get_invoice_detail') =>
  reachableInvoice(db, caller, { id, code }, sql.raw(''))

/**
 * Locks an invoice for a change. The lock checks the company again, since another transaction may move the invoice to another one.
 * @throws Problem 404, 403
 */
export const lockInvoice = (tx: Tx, caller: CompanyCaller, id: number) =>
  reachableInvoice(tx, caller, { id, code: 'get_invoice_detail' }, sql.raw('for update'))

async function reachableInvoice(
  db: Db,
  caller: CompanyCaller,
  { id, code }: { id: number; code: string },
  tail: Sql,
): Promise<InvoiceRow> {
  const found = await db.maybeRow<InvoiceRow>(sql`
    select ${columns} from b2b_invoices
    where store_id = ${db.store.id} and id = ${id} and ${reachableBy(caller, code, sql`company_id`)} ${tail}`)
  if (!found) throw unreachable(caller, notFound(invoices.noun, id))
  return found
}

const Seconds = t.Integer({ description: 'Unix seconds' })

/** An invoice in answers (docs/contract/b2b-invoices.md section 3). */
export const Invoice = t.Object(
  {
    id: Id,
    customerId: t.String({ description: 'The id of the company' }),
    externalCustomerId: t.String(),
    externalId: t.String(),
    invoiceNumber: t.String(),
    type: t.String(),
    dueDate: Seconds,
    issuedAt: Seconds,
    status: t.Integer({ description: '0 open, 1 partially paid, 2 completed' }),
    orderNumber: t.String(),
    purchaseOrderNumber: t.String(),
    details: InvoiceDetails,
    isPendingPayment: t.Integer({ description: '1 while a payment is awaited or in process' }),
    source: t.Integer(),
    originalBalance: ExactMoney,
    openBalance: ExactMoney,
    customerName: t.String(),
    createdAt: t.String({ description: 'Unix seconds' }),
    updatedAt: t.String({ description: 'Unix seconds' }),
    channelId: t.String(),
    channelName: t.String(),
    termsConditions: t.String(),
    extraFields: t.Optional(ExtraFieldValues),
  },
  { title: 'Invoice' },
)

/** The names of companies and channels that rows mention. */
export async function namesFor(db: Db, rows: readonly { company_id: number; channel_id: number }[]) {
  const companies = await namesOfCompanies(
    db,
    rows.map(({ company_id }) => company_id),
  )
  const channels = await channelsById(
    db,
    rows.map(({ channel_id }) => channel_id),
  )
  return ({ company_id, channel_id }: { company_id: number; channel_id: number }) => ({
    customerName: companies.get(company_id) ?? '',
    channelId: channel_id === 0 ? '' : String(channel_id),
    channelName: channels.get(channel_id)?.name ?? '',
  })
}

/** Invoices in answers, in the same order. */
export async function invoicesToAnswer(
  db: Db,
  rows: readonly InvoiceRow[],
  { withExtraFields }: { withExtraFields: boolean },
): Promise<Static<typeof Invoice>[]> {
  const names = await namesFor(db, rows)
  const fields = withExtraFields ? await extraFieldsIn(db, 'invoice', rows) : []
  return rows.map((row) => {
    const { customerName, channelId, channelName } = names(row)
    return {
      id: row.id,
      customerId: String(row.company_id),
      externalCustomerId: row.external_customer_id,
      externalId: row.external_id,
      invoiceNumber: row.invoice_number,
      type: row.type,
      dueDate: epochSeconds(row.due_at),
      issuedAt: epochSeconds(row.issued_at),
      status: row.status,
      orderNumber: row.order_number,
      purchaseOrderNumber: row.purchase_order_number,
      details: row.details,
      isPendingPayment: row.pending_payments > 0 ? 1 : 0,
      source: row.source,
      originalBalance: moneyOf(row.currency_code, unitsOf(row.original_balance)),
      openBalance: moneyOf(row.currency_code, unitsOf(row.open_balance)),
      customerName,
      createdAt: String(epochSeconds(row.created_at)),
      updatedAt: String(epochSeconds(row.updated_at)),
      channelId,
      channelName,
      termsConditions: row.terms_conditions,
      ...(withExtraFields ? { extraFields: extraValuesToAnswer(fields, row.extra_values) } : {}),
    }
  })
}
