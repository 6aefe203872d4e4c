import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { amountOf, sumOf, unitsOf } from '../../../core/money/units.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { insertAll, type NewIds, remove, removeAll } from '../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { epochSeconds, TextOf } from '../companies/company.ts'
import { type CompanyCaller, type CompanyReader, reachableBy, unreachable, within } from '../shared/caller.ts'
import { ExactMoney, moneyOf } from '../shared/exact-money.ts'
import { PAYMENT_COMPLETED, type PaymentLine, REFUNDED } from './balances.ts'
import { type InvoicePaymentRow, textOrNull } from './payment.ts'

/**
 * A receipt: the record of one application or one refund of a payment, with a line for each invoice.
 *
 * Only changes of a payment write receipts. A receipt copies the payer and the references of the payment at that moment. The seller
 * may delete receipts and lines; that changes no balance. A receipt without lines is deleted.
 */
const Row = t.Object({
  id: Id,
  payment_id: Id,
  company_id: Id,
  currency_code: t.String(),
  total: t.Number(),
  transaction_type: t.String(),
  payment_type: t.String(),
  reference_number: TextOf(255),
  payment_status: t.Integer(),
  payer_name: TextOf(255),
  payer_customer_id: TextOf(255),
  external_id: TextOf(255),
  external_customer_id: TextOf(255),
  memo: TextOf(65_535),
  created_at: Moment,
  updated_at: Moment,
})
export type ReceiptRow = Static<typeof Row>

export const receipts = collection('b2b_receipts', Row, {
  noun: 'receipt',
  filters: '',
  twins: ['reference_number', 'payer_name', 'payer_customer_id', 'external_id', 'external_customer_id'],
})

const LineRow = t.Object({ id: Id, receipt_id: Id, invoice_id: Id, amount: t.Number() })
export const receiptLines = collection('b2b_receipt_lines', LineRow, { noun: 'receipt line', filters: '' })

const PAYMENT_TYPE = 'Offline'

/** Writes the receipt of a payment that was applied or refunded. The ids are already taken. */
export async function writeReceipt(
  tx: Tx,
  ids: NewIds,
  { payment, lines, isRefund }: { payment: InvoicePaymentRow; lines: readonly PaymentLine[]; isRefund: boolean },
) {
  const now = toSeconds(tx.now)
  const { external_id, external_customer_id, payer_name, payer_customer_id, memo, company_id, currency_code } = payment
  const receipt = {
    id: ids.next(receipts),
    payment_id: payment.id,
    company_id,
    currency_code,
    total: amountOf(sumOf(lines.map(({ amount }) => amount))),
    transaction_type: isRefund ? 'Refund' : 'Paid',
    payment_type: PAYMENT_TYPE,
    reference_number: external_id === '' ? String(payment.id) : external_id,
    payment_status: isRefund ? REFUNDED : PAYMENT_COMPLETED,
    payer_name,
    payer_customer_id,
    external_id,
    external_customer_id,
    memo,
    created_at: now,
    updated_at: now,
  }
  await insertAll(tx, receipts, [receipt])
  const first = ids.next(receiptLines, lines.length)
  await insertAll(
    tx,
    receiptLines,
    lines.map(({ invoice_id, amount }, i) => ({
      id: first + i,
      receipt_id: receipt.id,
      invoice_id,
      amount: amountOf(amount),
    })),
  )
}

/** Deletes receipts of a payment. The caller has locked the counters. @param where a condition on receipts */
export async function deleteReceiptsOf(tx: Tx, paymentId: number, where: Sql = sql.raw('true')) {
  const matching = sql`payment_id = ${paymentId} and ${where}`
  await removeAll(
    tx,
    receiptLines,
    sql`receipt_id = any(array(select id from b2b_receipts where store_id = ${tx.store.id} and ${matching}))`,
  )
  await removeAll(tx, receipts, matching)
}

const CODE = 'get_invoice_payments_history'
const columns = sql.join(receipts.columns.map(sql.id))

/** The conditions on receipts of a list for a caller. */
export const receiptsWithin = (caller: CompanyReader): Sql[] => within(caller, CODE, sql`company_id`)

/** @throws Problem 403, 404 */
export async function findReceipt(db: Db, caller: CompanyCaller, id: number): Promise<ReceiptRow> {
  const found = await db.maybeRow<ReceiptRow>(sql`
    select ${columns} from b2b_receipts where store_id = ${db.store.id} and id = ${id} and ${reachableBy(caller, CODE, sql`company_id`)}`)
  if (!found) throw unreachable(caller, notFound(receipts.noun, id))
  return found
}

/** Deletes the record; balances stay. @throws Problem 403, 404 */
export async function deleteReceipt(db: Db, caller: CompanyCaller, id: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [receipts.table, receiptLines.table])
    await findReceipt(tx, caller, id)
    await removeAll(tx, receiptLines, sql`receipt_id = ${id}`)
    await remove(tx, receipts, id)
  })
}

/** Deletes a line; the last one takes its receipt along. Balances stay. @throws Problem 403, 404 */
export async function deleteReceiptLine(db: Db, caller: CompanyCaller, receiptId: number, id: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [receipts.table, receiptLines.table])
    await findReceipt(tx, caller, receiptId)
    const gone = await removeAll(tx, receiptLines, sql`receipt_id = ${receiptId} and id = ${id}`)
    if (gone.length === 0) throw unreachable(caller, notFound(receiptLines.noun, id))
    const [left] = await tx.rows(sql`
      select id from b2b_receipt_lines where store_id = ${tx.store.id} and receipt_id = ${receiptId} limit 1`)
    if (!left) await remove(tx, receipts, receiptId)
  })
}

const Seconds = t.Integer({ description: 'Unix seconds' })
const shared = {
  id: Id,
  createdAt: Seconds,
  updatedAt: Seconds,
  storeHash: t.String(),
  customerId: t.String({ description: 'The id of the company' }),
  externalId: t.Union([t.String(), t.Null()]),
  externalCustomerId: t.Union([t.String(), t.Null()]),
  paymentId: Id,
  paymentType: t.String(),
  referenceNumber: t.String(),
  transactionType: t.String({ description: 'Paid or Refund' }),
}

/** A receipt in answers (docs/contract/b2b-invoices.md section 5). */
export const Receipt = t.Object(
  {
    ...shared,
    payerName: t.String(),
    payerCustomerId: t.String(),
    details: t.Object(
      { paymentDetails: t.Object({ memo: t.String() }, { title: 'ReceiptPaymentDetails' }) },
      { title: 'ReceiptDetails' },
    ),
    total: ExactMoney,
  },
  { title: 'Receipt' },
)

/** A line of a receipt in answers. */
export const ReceiptLine = t.Object(
  {
    ...shared,
    receiptId: Id,
    invoiceId: Id,
    invoiceNumber: t.String(),
    amount: ExactMoney,
    paymentStatus: t.Integer({ description: '3 paid, 4 refunded' }),
  },
  { title: 'ReceiptLine' },
)

const sharedToAnswer = (db: Db, row: ReceiptRow) => ({
  createdAt: epochSeconds(row.created_at),
  updatedAt: epochSeconds(row.updated_at),
  storeHash: db.store.hash,
  customerId: String(row.company_id),
  externalId: textOrNull(row.external_id),
  externalCustomerId: textOrNull(row.external_customer_id),
  paymentId: row.payment_id,
  paymentType: row.payment_type,
  referenceNumber: row.reference_number,
  transactionType: row.transaction_type,
})

export const receiptToAnswer = (db: Db, row: ReceiptRow): Static<typeof Receipt> => ({
  id: row.id,
  ...sharedToAnswer(db, row),
  payerName: row.payer_name,
  payerCustomerId: row.payer_customer_id,
  details: { paymentDetails: { memo: row.memo } },
  total: moneyOf(row.currency_code, unitsOf(row.total)),
})

/** A line with its receipt and the number of its invoice. */
export interface JoinedLine extends ReceiptRow {
  line_id: number
  invoice_id: number
  invoice_number: string
  amount: number
}

export const receiptLineToAnswer = (db: Db, row: JoinedLine): Static<typeof ReceiptLine> => ({
  id: row.line_id,
  ...sharedToAnswer(db, row),
  receiptId: row.id,
  invoiceId: row.invoice_id,
  invoiceNumber: row.invoice_number,
  amount: moneyOf(row.currency_code, unitsOf(row.amount)),
  paymentStatus: row.payment_status,
})
