import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, sumOf, textOf, unitsOf } from '../../../core/money/units.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, insertAll, lock, type NewIds, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, unknownId } from '../../../core/rest/problem.ts'
import { ChannelId, knownChannels } from '../../../shop/channels/channels.ts'
import { TextOf } from '../companies/company.ts'
import { companyIdIn } from '../companies/names.ts'
import { type CompanyCaller, mayDo, refuseOutside } from '../shared/caller.ts'
import { AmountText, currencyCode, readAmount } from '../shared/exact-money.ts'
import { denied, MessageProblem } from '../shared/refusals.ts'
import {
  type InvoicePaymentState,
  invoiceStatus,
  moveBy,
  moveTo,
  PAYMENT_COMPLETED,
  type PayableInvoice,
  type PaymentLine,
  type PaymentMove,
  type PaymentSide,
  REFUNDED,
  rebalance,
} from './balances.ts'
import { invoices } from './invoice.ts'
import { findInvoicePayment, type InvoicePaymentRow, invoicePayments, OFFLINE, stateOf } from './payment.ts'
import { deleteReceiptsOf, receiptLines, receipts, writeReceipt } from './receipt.ts'

const LINES_MAX = 100

const fields = {
  lineItems: t.Array(t.Object({ invoiceId: Id, amount: AmountText }, { title: 'NewPaymentLine' }), {
    minItems: 1,
    maxItems: LINES_MAX,
  }),
  currency: t.String({ minLength: 3, maxLength: 3 }),
  details: t.Object({ memo: t.Optional(TextOf(65_535)) }, { title: 'NewPaymentDetails' }),
  externalId: t.Optional(TextOf(255)),
  customerId: t.String({ minLength: 1, maxLength: 20, description: 'The id of the company' }),
  externalCustomerId: t.Optional(TextOf(255)),
  payerName: t.Optional(TextOf(255)),
  payerCustomerId: t.Optional(TextOf(255)),
  processingStatus: t.Optional(t.Integer({ minimum: 1, maximum: 4, default: PAYMENT_COMPLETED })),
  channelId: t.Optional(ChannelId),
}
const example = {
  lineItems: [{ invoiceId: 1, amount: '10.00' }],
  currency: 'USD',
  details: { memo: 'Cheque 7' },
  customerId: '1',
}
export const NewOfflinePayment = t.Object(fields, { title: 'NewOfflinePayment', examples: [example] })
const { channelId: _, ...replaceable } = fields
export const OfflinePaymentChanges = t.Object(
  { ...replaceable, fundingStatus: t.Optional(t.Integer({ minimum: 0, maximum: 3 })) },
  { title: 'OfflinePaymentChanges', examples: [example] },
)
type PaymentBody = Static<typeof NewOfflinePayment> & { fundingStatus?: number }

const PAYER = 'Store offline payment'
const FUNDED = 2

/** A body with its parts read. */
interface ReadPayment {
  companyId: number
  currency: string
  lines: PaymentLine[]
  state: InvoicePaymentState
}

/** @throws Problem 403, 422 for amounts, currency or an invoice that is named twice */
function readPayment(caller: CompanyCaller, body: PaymentBody): ReadPayment {
  const companyId = companyIdIn(body.customerId) ?? 0
  refuseOutside(caller, companyId)
  if (!mayDo(caller, 'pay_invoice', companyId)) throw denied()
  if (companyId === 0) throw invalid({ customerId: unknownId('company', body.customerId) })
  const currency = currencyCode(body.currency)
  if (currency === undefined) throw invalid({ currency: 'This is no currency of ISO 4217.' })
  const mistakes: Mistakes = repeated(
    body.lineItems,
    ({ invoiceId }) => String(invoiceId),
    (i) => `lineItems.${i}.invoiceId`,
    'Another line has this invoice.',
  )
  const lines = body.lineItems.map(({ invoiceId, amount: written }, i) => {
    const amount = readAmount(written, currency)
    if (typeof amount === 'string') mistakes[`lineItems.${i}.amount`] = amount
    else if (amount <= 0n) mistakes[`lineItems.${i}.amount`] = 'The amount must be greater than 0.'
    return { invoice_id: invoiceId, amount: typeof amount === 'string' ? 0n : amount }
  })
  refuse(mistakes)
  const processing = body.processingStatus ?? PAYMENT_COMPLETED
  return { companyId, currency, lines, state: { processing, isApplied: processing === PAYMENT_COMPLETED } }
}

/** The columns of a payment from a body. */
const columnsOf = (body: PaymentBody, { companyId, currency, lines, state }: ReadPayment) => ({
  company_id: companyId,
  currency_code: currency,
  total: amountOf(sumOf(lines.map(({ amount }) => amount))),
  payer_name: body.payerName ?? PAYER,
  payer_customer_id: body.payerCustomerId ?? body.customerId,
  external_id: body.externalId ?? '',
  external_customer_id: body.externalCustomerId ?? '',
  memo: body.details.memo ?? '',
  processing_status: state.processing,
  applied_status: state.isApplied ? 1 : 0,
  funding_status: body.fundingStatus ?? FUNDED,
})

/**
 * Records a payment that was made outside the store.
 * @throws Problem 403, 422 for an unknown invoice or one of another company or currency, and for more than an open balance
 */
export async function createOfflinePayment(
  db: Db,
  caller: CompanyCaller,
  body: PaymentBody,
): Promise<InvoicePaymentRow> {
  const read = readPayment(caller, body)
  const { channelId } = body
  if (channelId !== undefined && !(await knownChannels(db, [channelId])).has(channelId)) {
    throw invalid({ channelId: unknownId('channel', channelId) })
  }
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[invoicePayments, 1], ...idsOfReceipt(read.state.isApplied, read.lines.length)])
    const after = { state: read.state, lines: read.lines }
    await moveBalances(tx, await lockInvoices(tx, read.lines, read), { after, isNew: true })
    const now = toSeconds(tx.now)
    const [payment] = await insertAll(tx, invoicePayments, [
      {
        ...columnsOf(body, read),
        id: ids.next(invoicePayments),
        module_name: OFFLINE,
        channel_id: channelId ?? 0,
        created_at: now,
        updated_at: now,
      },
    ])
    if (!payment) throw new Error('A payment was not stored.')
    await insertLines(tx, payment.id, read.lines)
    if (read.state.isApplied) await writeReceipt(tx, ids, { payment, lines: read.lines, isRefund: false })
    return payment
  })
}

/** The ids that the receipt of an application needs. */
const idsOfReceipt = (isWritten: boolean, lines: number) =>
  isWritten
    ? ([
        [receipts, 1],
        [receiptLines, lines],
      ] as const)
    : []

async function insertLines(tx: Tx, payment_id: number, lines: readonly PaymentLine[]) {
  const rows = lines.map(({ invoice_id, amount }) => ({ invoice_id, amount: textOf(amount) }))
  await tx.rows(sql`
    insert into b2b_payment_lines (store_id, payment_id, invoice_id, amount)
    select ${tx.store.id}, ${payment_id}::int, invoice_id, amount
    from ${sql.table('line', rows, { invoice_id: 'int', amount: 'numeric' })} returning invoice_id`)
}

interface LockedInvoice extends PayableInvoice {
  companyId: number
  currency: string
}

/**
 * Locks the invoices of lines in the order of their ids, so that no two payments wait for each other.
 * @param required the company and the currency of new lines; undefined for lines that are stored
 * @throws Problem 422, the same for an unknown invoice and one of another company
 */
async function lockInvoices(
  tx: Tx,
  lines: readonly PaymentLine[],
  required?: { companyId: number; currency: string; lines: readonly PaymentLine[] },
): Promise<PayableInvoice[]> {
  const wanted = [...new Set(lines.map(({ invoice_id }) => invoice_id))]
  const rows = await tx.rows<{
    id: number
    company_id: number
    currency_code: string
    original_balance: number
    open_balance: number
    pending_payments: number
  }>(sql`
    select id, company_id, currency_code, original_balance, open_balance, pending_payments from b2b_invoices
    where store_id = ${tx.store.id} and id = any(${wanted}) order by id for update`)
  const found = rows.map(
    (row): LockedInvoice => ({
      id: row.id,
      companyId: row.company_id,
      currency: row.currency_code,
      original: unitsOf(row.original_balance),
      open: unitsOf(row.open_balance),
      pending: row.pending_payments,
    }),
  )
  if (required) refuseForeignInvoices(found, required)
  return found
}

function refuseForeignInvoices(
  found: readonly LockedInvoice[],
  { companyId, currency, lines }: { companyId: number; currency: string; lines: readonly PaymentLine[] },
) {
  const own = new Map(
    found.filter((invoice) => invoice.companyId === companyId).map((invoice) => [invoice.id, invoice]),
  )
  const mistakes: Mistakes = {}
  for (const [i, { invoice_id }] of lines.entries()) {
    const invoice = own.get(invoice_id)
    if (!invoice) mistakes[`lineItems.${i}.invoiceId`] = unknownId(invoices.noun, invoice_id)
    else if (invoice.currency !== currency) mistakes.currency = `The invoice ${invoice_id} is in ${invoice.currency}.`
  }
  refuse(mistakes)
}

/** Stores the balances of locked invoices after the change of a payment. @throws Problem 422 */
async function moveBalances(
  tx: Tx,
  locked: readonly PayableInvoice[],
  sides: { before?: PaymentSide; after?: PaymentSide; isNew: boolean },
) {
  const { invoices: changed, mistakes } = rebalance(locked, sides)
  refuse(mistakes)
  const rows = changed.map((invoice) => ({
    id: invoice.id,
    open: textOf(invoice.open),
    status: invoiceStatus(invoice),
    pending: invoice.pending,
  }))
  await tx.rows(sql`
    update b2b_invoices set
      open_balance = moved.open, status = moved.status, pending_payments = moved.pending, updated_at = ${toSeconds(tx.now)}
    from ${sql.table('moved', rows, { id: 'int', open: 'numeric', status: 'int', pending: 'int' })}
    where store_id = ${tx.store.id} and b2b_invoices.id = moved.id returning b2b_invoices.id`)
}

/** Reads and locks a payment with its lines. The caller may see it, and the counters are locked. */
async function lockPayment(tx: Tx, id: number): Promise<{ payment: InvoicePaymentRow; side: PaymentSide }> {
  const payment = await lock(tx, invoicePayments, id)
  const lines = await tx.rows<{ invoice_id: number; amount: number }>(sql`
    select invoice_id, amount from b2b_payment_lines
    where store_id = ${tx.store.id} and payment_id = ${id} order by invoice_id`)
  const read = lines.map(({ invoice_id, amount }) => ({ invoice_id, amount: unitsOf(amount) }))
  return { payment, side: { state: stateOf(payment), lines: read } }
}

const COUNTERS = [invoicePayments.table, receipts.table, receiptLines.table]

/** Changes one payment in a transaction that has locked the counters before the payment. @throws Problem 403, 404 */
async function changing(
  db: Db,
  caller: CompanyCaller,
  id: number,
  work: (tx: Tx, locked: { payment: InvoicePaymentRow; side: PaymentSide }) => Promise<void>,
) {
  await findInvoicePayment(db, caller, id, 'pay_invoice')
  await db.transaction(async (tx) => {
    await lockCounters(tx, COUNTERS)
    await work(tx, await lockPayment(tx, id))
  })
}

/**
 * Changes the processing status.
 * @throws Problem 400 for a status that is not allowed, 403, 404, 422 for more than an open balance
 */
export const changeProcessingStatus = (db: Db, caller: CompanyCaller, id: number, wanted: number) =>
  changing(db, caller, id, async (tx, { payment, side }) => {
    const move = moveTo(side.state, wanted)
    if (!move) throw new Problem(400, `The payment can't change to the processing status ${wanted}.`)
    await apply(tx, payment, side, move)
  })

/** Runs an operation of a payment. @throws Problem 400 for one that is not allowed, 403, 404, 422 */
export const operate = (db: Db, caller: CompanyCaller, id: number, operation: number) =>
  changing(db, caller, id, async (tx, { payment, side }) => {
    const move = moveBy(side.state, operation)
    // The contract has this message for a refused operation (docs/contract/b2b-invoices.md section 4).
    if (!move)
      throw new MessageProblem(400, 'Not Found Error', { operationCode: 'The payment does not allow this operation.' })
    await apply(tx, payment, side, move)
  })

async function apply(tx: Tx, payment: InvoicePaymentRow, before: PaymentSide, { to, receipt }: PaymentMove) {
  const after = { state: to, lines: before.lines }
  const changes = { processing_status: to.processing, applied_status: to.isApplied ? 1 : 0 }
  await moveBalances(tx, await lockInvoices(tx, before.lines), { before, after, isNew: false })
  await change(tx, invoicePayments, payment, { ...changes, updated_at: toSeconds(tx.now) })
  if (receipt === 'deleted') await deletePaidReceipt(tx, payment.id)
  if (receipt === 'paid' || receipt === 'refund') {
    const ids = await takeIds(tx, idsOfReceipt(true, before.lines.length))
    await writeReceipt(tx, ids, { payment, lines: before.lines, isRefund: receipt === 'refund' })
  }
}

const deletePaidReceipt = (tx: Tx, paymentId: number) => deleteReceiptsOf(tx, paymentId, sql`transaction_type = 'Paid'`)

/**
 * Replaces an offline payment: reverts its amounts, then applies the new ones.
 * @throws Problem 400 after a refund, 403, 404, 422
 */
export async function replaceOfflinePayment(db: Db, caller: CompanyCaller, id: number, body: PaymentBody) {
  const read = readPayment(caller, body)
  await changing(db, caller, id, async (tx, { payment, side: before }) => {
    if (payment.module_name !== OFFLINE) throw new Problem(422, 'Only offline payments can be replaced.')
    if (before.state.processing === REFUNDED) throw new Problem(400, 'A refunded payment is final.')
    if (before.state.isApplied) await deletePaidReceipt(tx, id)
    const after = { state: read.state, lines: read.lines }
    await moveBalances(tx, await lockInvoices(tx, [...before.lines, ...read.lines], read), {
      before,
      after,
      isNew: true,
    })
    await tx.rows(sql`
      delete from b2b_payment_lines where store_id = ${tx.store.id} and payment_id = ${id} returning invoice_id`)
    await insertLines(tx, id, read.lines)
    const replaced = await change(tx, invoicePayments, payment, {
      ...columnsOf({ ...body, fundingStatus: body.fundingStatus ?? payment.funding_status }, read),
      updated_at: toSeconds(tx.now),
    })
    if (!read.state.isApplied) return
    const ids: NewIds = await takeIds(tx, idsOfReceipt(true, read.lines.length))
    await writeReceipt(tx, ids, { payment: replaced, lines: read.lines, isRefund: false })
  })
}

/** Deletes a payment with its receipts; applied amounts are added back. @throws Problem 403, 404 */
export const deletePayment = (db: Db, caller: CompanyCaller, id: number) =>
  changing(db, caller, id, async (tx, { side: before }) => {
    await moveBalances(tx, await lockInvoices(tx, before.lines), { before, isNew: false })
    await deleteReceiptsOf(tx, id)
    await removeAll(tx, invoicePayments, sql`id = ${id}`)
  })
