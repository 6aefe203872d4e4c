import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { unitsOf } from '../../../core/money/units.ts'
import { ID_MAX, Id, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { epochSeconds, TextOf } from '../companies/company.ts'
import { type CompanyCaller, reachableBy, unreachable } from '../shared/caller.ts'
import { ExactMoney, moneyOf } from '../shared/exact-money.ts'
import { type InvoicePaymentState, operationsOf, statusesAfter } from './balances.ts'
import { namesFor } from './invoice.ts'

/**
 * A payment of invoices of one company, in one currency.
 *
 * The seller records it for money that arrived outside the store. It has a line with an amount for each invoice. When it is completed,
 * it is applied: its amounts are deducted from the open balances, and a receipt is written. Moving it back to awaiting or processing
 * reverts it: the amounts are added back, and the receipt is deleted. A refund adds the amounts back too, keeps the receipt and adds
 * another one; after it the payment is final. So the applied amounts always are the sum of the lines of `Paid` receipts, less those
 * of `Refund` receipts.
 */
const Row = t.Object({
  id: Id,
  company_id: Id,
  currency_code: t.String(),
  total: t.Number(),
  payer_name: TextOf(255),
  payer_customer_id: TextOf(255),
  external_id: TextOf(255),
  external_customer_id: TextOf(255),
  memo: TextOf(65_535),
  module_name: t.String(),
  processing_status: t.Integer(),
  applied_status: t.Integer(),
  funding_status: t.Integer(),
  channel_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  created_at: Moment,
  updated_at: Moment,
})
export type InvoicePaymentRow = Static<typeof Row>

export const invoicePayments = collection('b2b_payments', Row, {
  noun: 'payment',
  filters: '',
  twins: ['payer_name', 'external_id', 'external_customer_id'],
})

/** The module of payments that the seller records. Only these can be replaced. */
export const OFFLINE = 'offline'

export const stateOf = ({ processing_status, applied_status }: InvoicePaymentRow): InvoicePaymentState => ({
  processing: processing_status,
  isApplied: applied_status === 1,
})

const columns = sql.join(invoicePayments.columns.map(sql.id))

/** @param code the permission that a buyer needs @throws Problem 403, 404 */
export async function findInvoicePayment(
  db: Db,
  caller: CompanyCaller,
  id: number,
  code = 'get_invoice_payments_history',
): Promise<InvoicePaymentRow> {
  const found = await db.maybeRow<InvoicePaymentRow>(sql`
    select ${columns} from b2b_payments
    where store_id = ${db.store.id} and id = ${id} and ${reachableBy(caller, code, sql`company_id`)}`)
  if (!found) throw unreachable(caller, notFound(invoicePayments.noun, id))
  return found
}

const Seconds = t.Integer({ description: 'Unix seconds' })
const Transaction = t.Object(
  { memo: t.String(), type: t.String(), rawTransaction: t.String() },
  { title: 'InvoicePaymentTransaction' },
)

/** A payment in answers (docs/contract/b2b-invoices.md section 4). */
export const Payment = t.Object(
  {
    id: Id,
    createdAt: Seconds,
    updatedAt: Seconds,
    storeHash: t.String(),
    customerId: t.String({ description: 'The id of the company' }),
    externalId: t.Union([t.String(), t.Null()]),
    externalCustomerId: t.Union([t.String(), t.Null()]),
    payerName: t.String(),
    payerCustomerId: t.String(),
    details: t.Object({ memo: t.String() }, { title: 'InvoicePaymentDetails' }),
    moduleName: t.String(),
    fees: t.Array(t.Number(), { maxItems: 0 }),
    moduleData: t.Object({ transactions: t.Array(Transaction) }, { title: 'InvoicePaymentModule' }),
    processingStatus: t.Integer({
      description: '0 incomplete, 1 awaiting, 2 processing, 3 completed, 4 refunded',
    }),
    appliedStatus: t.Integer({ description: '1 while its amounts are deducted from its invoices' }),
    fundingStatus: t.Integer(),
    total: ExactMoney,
    lineItems: t.Array(
      t.Object(
        { paymentId: Id, invoiceId: Id, invoiceNumber: t.String(), amount: ExactMoney },
        { title: 'InvoicePaymentLine' },
      ),
    ),
    customerName: t.String(),
    allowedOperations: t.Array(t.Integer(), { description: '0 applies the payment, 1 reverts it' }),
    allowedStatuses: t.Array(t.Integer()),
    channelId: t.String(),
    channelName: t.String(),
  },
  { title: 'InvoicePayment' },
)

export const transactionOf = ({ memo }: Pick<InvoicePaymentRow, 'memo'>) => ({
  memo,
  type: 'OfflineTransaction',
  rawTransaction: '',
})

/** An empty text is null in answers. */
export const textOrNull = (text: string): string | null => (text === '' ? null : text)

/** Payments in answers, in the same order. */
export async function paymentsToAnswer(db: Db, rows: readonly InvoicePaymentRow[]): Promise<Static<typeof Payment>[]> {
  const names = await namesFor(db, rows)
  const lines = await db.rows<{ payment_id: number; invoice_id: number; invoice_number: string; amount: number }>(sql`
    select l.payment_id, l.invoice_id, i.invoice_number, l.amount
    from b2b_payment_lines l join b2b_invoices i on i.store_id = ${db.store.id} and i.id = l.invoice_id
    where l.store_id = ${db.store.id} and l.payment_id = any(${rows.map(({ id }) => id)})
    order by l.payment_id, l.invoice_id`)
  const linesOf = Map.groupBy(lines, ({ payment_id }) => payment_id)
  return rows.map((row) => ({
    id: row.id,
    createdAt: epochSeconds(row.created_at),
    updatedAt: epochSeconds(row.updated_at),
    storeHash: db.store.hash,
    customerId: String(row.company_id),
    externalId: textOrNull(row.external_id),
    externalCustomerId: textOrNull(row.external_customer_id),
    payerName: row.payer_name,
    payerCustomerId: row.payer_customer_id,
    details: { memo: row.memo },
    moduleName: row.module_name,
    fees: [],
    moduleData: { transactions: [transactionOf(row)] },
    processingStatus: row.processing_status,
    appliedStatus: row.applied_status,
    fundingStatus: row.funding_status,
    total: moneyOf(row.currency_code, unitsOf(row.total)),
    lineItems: (linesOf.get(row.id) ?? []).map(({ invoice_id, invoice_number, amount }) => ({
      paymentId: row.id,
      invoiceId: invoice_id,
      invoiceNumber: invoice_number,
      amount: moneyOf(row.currency_code, unitsOf(amount)),
    })),
    allowedOperations: operationsOf(stateOf(row)),
    allowedStatuses: statusesAfter(row.processing_status),
    ...names(row),
  }))
}
