import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { NeededText } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, insert, remove } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { ChannelId, knownChannels } from '../../../shop/channels/channels.ts'
import { TextOf } from '../companies/company.ts'
import { companyIdIn } from '../companies/names.ts'
import { termsOf } from '../credit/payment-terms.ts'
import { extraFieldsOf } from '../extra-fields/definitions.ts'
import { claimUniqueValues } from '../extra-fields/unique.ts'
import { changedExtraValues, newExtraValues, WrittenExtraFields } from '../extra-fields/values.ts'
import { type CompanyCaller, refuseOutside } from '../shared/caller.ts'
import { currencyCode, MoneyInput, readAmount } from '../shared/exact-money.ts'
import { deleteTexts, type OwnTexts, storeTexts } from '../shared/texts.ts'
import { invoiceStatus } from './balances.ts'
import { InvoiceDetails } from './details.ts'
import { type InvoiceRow, invoices, lockInvoice } from './invoice.ts'

const Time = t.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Unix seconds' })

const fields = {
  invoiceNumber: NeededText(255),
  type: t.Optional(TextOf(255)),
  dueDate: t.Optional(Time),
  status: t.Optional(
    t.Integer({ minimum: 0, maximum: 2, description: 'Ignored: the status follows from the balances' }),
  ),
  orderNumber: t.Optional(TextOf(255)),
  purchaseOrderNumber: t.Optional(TextOf(255)),
  originalBalance: MoneyInput,
  openBalance: MoneyInput,
  issuedAt: t.Optional(Time),
  details: t.Optional(InvoiceDetails),
  source: t.Optional(t.Integer({ minimum: 0, maximum: 1, description: '1 for an invoice of an external system' })),
  customerId: t.String({ minLength: 1, maxLength: 20, description: 'The id of the company' }),
  externalId: t.Optional(TextOf(255)),
  externalCustomerId: t.Optional(TextOf(255)),
  channelId: t.Optional(ChannelId),
  externalPdfUrl: t.Optional(t.String({ maxLength: 2_048, pattern: '^(https?://\\S+)?$' })),
  termsConditions: t.Optional(TextOf(65_535)),
  extraFields: t.Optional(WrittenExtraFields),
}
const example = {
  invoiceNumber: 'INV-1',
  customerId: '1',
  originalBalance: { code: 'USD', value: '100.00' },
  openBalance: { code: 'USD', value: '100.00' },
}
export const NewInvoice = t.Object(fields, { title: 'NewInvoice', examples: [example] })
export const InvoiceChanges = t.Object(t.Partial(t.Object(fields)).properties, {
  title: 'InvoiceChanges',
  examples: [{ purchaseOrderNumber: 'PO-7' }],
})
type InvoiceBody = Static<typeof InvoiceChanges>

export const DAY_MS = 86_400_000

/**
 * Creates an invoice. Without `dueDate` it is due after the payment terms of the company.
 * @throws Problem 400 for a number in use, 403, 422
 */
export async function createInvoice(
  db: Db,
  caller: CompanyCaller,
  body: Static<typeof NewInvoice>,
): Promise<InvoiceRow> {
  const { originalBalance, openBalance } = body
  const companyId = companyOf(caller, body.customerId)
  const balances = readBalances({ originalBalance, openBalance })
  await refuseUnknownChannel(db, body.channelId)
  const definitions = await extraFieldsOf(db, 'invoice')
  const extra_values = newExtraValues(definitions, body.extraFields)
  return db.transaction(async (tx) => {
    await lockCompany(tx, companyId)
    const { paymentTerms } = await termsOf(tx, companyId)
    const now = toSeconds(tx.now)
    const stored = await refuseUsedNumber(() =>
      insert(tx, invoices, {
        ...NO_DETAILS,
        ...columnsOf(body),
        ...balances,
        invoice_number: body.invoiceNumber,
        company_id: companyId,
        extra_values,
        issued_at: body.issuedAt === undefined ? now : timeOf(body.issuedAt),
        due_at:
          body.dueDate === undefined
            ? toSeconds(new Date(tx.now.getTime() + paymentTerms * DAY_MS))
            : timeOf(body.dueDate),
        created_at: now,
        updated_at: now,
      }),
    )
    await claimUniqueValues(tx, invoices.table, definitions, [stored])
    await storeInvoiceTexts(tx, stored)
    return stored
  })
}

/** Stores the texts by which a search finds an invoice. */
export const storeInvoiceTexts = (tx: Tx, row: InvoiceRow) => storeTexts(tx, 'invoice', [textsOfInvoice(row)])

type TextColumn = 'invoice_number' | 'type' | 'order_number' | 'purchase_order_number' | 'external_customer_id'

/** The texts by which a search finds an invoice. */
export const textsOfInvoice = (row: Pick<InvoiceRow, 'id' | 'company_id' | TextColumn>): OwnTexts => ({
  id: row.id,
  texts: [
    row.invoice_number,
    row.type,
    row.order_number,
    row.purchase_order_number,
    row.external_customer_id,
    String(row.company_id),
  ],
})

/** The columns of a new invoice that its body may omit. */
export const NO_DETAILS = {
  type: 'Invoice',
  order_id: 0,
  order_number: '',
  purchase_order_number: '',
  external_id: '',
  external_customer_id: '',
  channel_id: 0,
  pending_payments: 0,
  source: 0,
  details: {},
  external_pdf_url: '',
  terms_conditions: '',
}

const timeOf = (seconds: number) => toSeconds(new Date(seconds * 1_000))

/** The columns of a body, without those of its balances and its company. Missing fields are left out. */
function columnsOf(body: InvoiceBody) {
  const columns = {
    invoice_number: body.invoiceNumber,
    type: body.type,
    order_number: body.orderNumber,
    purchase_order_number: body.purchaseOrderNumber,
    external_id: body.externalId,
    external_customer_id: body.externalCustomerId,
    channel_id: body.channelId,
    source: body.source,
    details: body.details,
    external_pdf_url: body.externalPdfUrl,
    terms_conditions: body.termsConditions,
  }
  return withoutUndefined(columns)
}

/** @throws Problem 422 for a malformed id, 403 for a company of others */
function companyOf(caller: CompanyCaller, customerId: string): number {
  const id = companyIdIn(customerId)
  if (id === undefined) {
    refuseOutside(caller, 0)
    throw unknownCompany(customerId)
  }
  refuseOutside(caller, id)
  return id
}

const unknownCompany = (id: string | number) => new Problem(422, '', { customerId: unknownId('company', id) })

/** Locks a company against deletion. @throws Problem 422 */
async function lockCompany(tx: Tx, id: number) {
  const found = await tx.rows(sql`
    select id from companies where store_id = ${tx.store.id} and id = ${id} for key share`)
  if (found.length === 0) throw unknownCompany(id)
}

async function refuseUnknownChannel(db: Db, id: number | undefined) {
  if (id !== undefined && !(await knownChannels(db, [id])).has(id)) refuse({ channelId: unknownId('channel', id) })
}

/** Balances in bodies. */
type WrittenBalances = Pick<InvoiceBody, 'originalBalance' | 'openBalance'>

/**
 * Reads both balances. A missing one stays as it is in the row.
 * @returns the columns of the balances, with the status that follows from them
 * @throws Problem 422
 */
function readBalances(body: WrittenBalances, row?: InvoiceRow) {
  const mistakes: Mistakes = {}
  const read = (field: keyof WrittenBalances, stored: number): { code: string; units: Units } => {
    const written = body[field]
    if (!written) return { code: row?.currency_code ?? '', units: unitsOf(stored) }
    const code = currencyCode(written.code)
    if (code === undefined) {
      mistakes[`${field}.code`] = 'This is no currency of ISO 4217.'
      return { code: '', units: 0n }
    }
    const units = readAmount(written.value, code)
    if (typeof units !== 'string') return { code, units }
    mistakes[`${field}.value`] = units
    return { code, units: 0n }
  }
  const original = read('originalBalance', row?.original_balance ?? 0)
  const open = read('openBalance', row?.open_balance ?? 0)
  refuse(mistakes)
  if (original.code !== open.code) throw new Problem(422, 'Both balances must have the same currency.')
  if (open.units > original.units && (body.openBalance || body.originalBalance)) {
    throw new Problem(422, 'The open balance must not exceed the original balance.')
  }
  return {
    currency_code: original.code,
    original_balance: amountOf(original.units),
    open_balance: amountOf(open.units),
    status: invoiceStatus({ original: original.units, open: open.units }),
  }
}

/**
 * Changes an invoice; other fields stay unchanged.
 * @throws Problem 400 for a number in use, 403, 404, 422
 */
export async function changeInvoice(db: Db, caller: CompanyCaller, id: number, body: InvoiceBody) {
  const company_id = body.customerId === undefined ? undefined : companyOf(caller, body.customerId)
  await refuseUnknownChannel(db, body.channelId)
  const definitions = body.extraFields ? await extraFieldsOf(db, 'invoice') : []
  await db.transaction(async (tx) => {
    const row = await lockInvoice(tx, caller, id)
    if (company_id !== undefined) await lockCompany(tx, company_id)
    const balances = body.originalBalance || body.openBalance ? readBalances(body, row) : {}
    const changes = {
      ...columnsOf(body),
      ...balances,
      company_id,
      extra_values: body.extraFields && changedExtraValues(definitions, row.extra_values, body.extraFields),
      ...(body.dueDate === undefined ? {} : { due_at: timeOf(body.dueDate) }),
      ...(body.issuedAt === undefined ? {} : { issued_at: timeOf(body.issuedAt) }),
    }
    const moves = (changes.company_id ?? row.company_id) !== row.company_id
    const converts = 'currency_code' in changes && changes.currency_code !== row.currency_code
    if ((moves || converts) && (await hasPayments(tx, id))) {
      throw new Problem(422, 'An invoice with payments stays with its company and currency.')
    }
    const changed = await refuseUsedNumber(() =>
      change(tx, invoices, row, { ...changes, updated_at: toSeconds(tx.now) }),
    )
    await claimUniqueValues(tx, invoices.table, definitions, [changed])
    await storeInvoiceTexts(tx, changed)
  })
}

async function hasPayments(tx: Tx, id: number): Promise<boolean> {
  const found = await tx.rows(sql`
    select payment_id from b2b_payment_lines where store_id = ${tx.store.id} and invoice_id = ${id} limit 1`)
  return found.length > 0
}

/** @throws Problem 400 while payments name the invoice, 403, 404 */
export async function deleteInvoice(db: Db, caller: CompanyCaller, id: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [invoices.table])
    await lockInvoice(tx, caller, id)
    if (await hasPayments(tx, id)) throw new Problem(400, 'The invoice has payments. Delete them first.')
    await remove(tx, invoices, id)
    await deleteTexts(tx, 'invoice', id)
  })
}

/** @throws Problem 400 for a number in use (docs/contract/b2b-invoices.md section 3) */
async function refuseUsedNumber<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.status === 409) throw new Problem(400, error.message, error.errors)
    throw error
  }
}
