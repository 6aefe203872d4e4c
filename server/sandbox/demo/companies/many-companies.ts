import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Collection } from '../../../core/rest/lists/collection.ts'
import { readCounters } from '../../../core/rest/lists/counters.ts'
import { takeIds } from '../../../core/rest/lists/verbs.ts'
import { createCompanies, type NewCompany } from '../../../doors/b2b/companies/new-company.ts'
import { setCompanion } from '../../../doors/b2b/tokens/store.ts'
import { companies } from '../../../sales/b2b/companies/company.ts'
import { type InvoiceRow, invoices } from '../../../sales/b2b/invoices/invoice.ts'
import { textsOfInvoice } from '../../../sales/b2b/invoices/invoice-changes.ts'
import { invoicePayments } from '../../../sales/b2b/invoices/payment.ts'
import { receiptLines, receipts } from '../../../sales/b2b/invoices/receipt.ts'
import { storeTexts } from '../../../sales/b2b/shared/texts.ts'
import { KEPT_PAYINGS, writeInvoices } from './invoices.ts'

/** Companies that one transaction makes. */
const BATCH = 250
/** So many invoices are made as requests would make them, by one transaction; all others are copies of them, as many by each. */
const KINDS = 1_000
const DIGITS = 7

const FIRST_NAMES = ['Ann', 'Bo', 'Cy', 'Dag', 'Eli', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon', 'Kit', 'Liv'] as const
const LAST_NAMES = ['Lee', 'Ek', 'Dahl', 'Lund', 'Ross', 'Wood', 'Hay', 'Moss', 'Toft', 'Friis', 'Bay'] as const
const TRADES = [
  'Cafes',
  'Hotels',
  'Markets',
  'Schools',
  'Gardens',
  'Bakeries',
  'Studios',
  'Clinics',
  'Offices',
] as const
const PLACES = ['Harbour', 'Fjord', 'Dune', 'North', 'Meadow', 'Bridge', 'Mill', 'Castle', 'Lake', 'Forest'] as const

export interface ManyCompanies {
  companies: number
  invoices: number
  /** The number of invoices that are made, and then copied. `invoices` is a multiple of it. */
  kinds?: number
  /** Called before the first transaction and after each, with the number of invoices made so far. */
  progress?: (made: number, count: number) => void
}

/**
 * Fills a store that never had companies with companies, each with its admin, and with invoices of them, which have payments and
 * receipts. Where a run was stopped, the next one goes on behind its last transaction.
 * @throws Error with a sentence for the operator for a store with other companies or invoices
 */
export async function makeManyCompanies(
  db: Db,
  { companies: firms, invoices: count, kinds = KINDS, progress = () => {} }: ManyCompanies,
) {
  let made = await companiesMade(db)
  if (made === 0) await setCompanion(db, true)
  while (made < firms) {
    const size = Math.min(BATCH, firms - made)
    await createCompanies(
      db,
      Array.from({ length: size }, (_, i) => firm(made + i)),
      { clientId: 'seed' },
    )
    made += size
  }
  let written = await invoicesMade(db)
  progress(written, count)
  if (written === 0 && count > 0) {
    const ids = Array.from({ length: firms }, (_, i) => i + 1)
    await db.transaction((tx) => writeInvoices(tx, ids, { count: kinds, numberOf, payings: KEPT_PAYINGS }))
    written = kinds
    progress(written, count)
  }
  while (written < count) {
    const shift = written
    await db.transaction((tx) => copyInvoices(tx, { kinds, shift, firms }))
    written += kinds
    progress(written, count)
  }
}

/** Whether a store has all of these. @throws as `makeManyCompanies` does */
export async function hasManyCompanies(
  db: Db,
  { companies: firms, invoices: count }: Pick<ManyCompanies, 'companies' | 'invoices'>,
): Promise<boolean> {
  return firms === 0 || ((await companiesMade(db)) >= firms && (await invoicesMade(db)) >= count)
}

const numberOf = (n: number) => `INV-${String(n + 1).padStart(DIGITS, '0')}`
const uuidOf = (id: number) => `seed-${id}`

/** The nth company. */
function firm(n: number): NewCompany {
  const host = `firm${n + 1}.example.com`
  const [firstName, lastName] = [FIRST_NAMES[n % FIRST_NAMES.length], LAST_NAMES[n % LAST_NAMES.length]]
  return {
    companyName: `${PLACES[n % PLACES.length]} ${TRADES[n % TRADES.length]} ${n + 1}`,
    companyEmail: `office@${host}`,
    companyPhone: '+45 5550 1234',
    country: 'Denmark',
    city: 'Aarhus',
    uuid: uuidOf(n + 1),
    adminFirstName: firstName ?? '',
    adminLastName: lastName ?? '',
    adminEmail: `${firstName}.${lastName}@${host}`.toLowerCase(),
  }
}

/** The number of companies that an earlier run has made. @throws Error if the last one is another */
async function companiesMade(db: Db): Promise<number> {
  const last = (await readCounters(db)).get(companies.table)?.last_id ?? 0
  if (last === 0) return 0
  const found = await db.maybeRow<{ uuid: string }>(
    sql`select uuid from companies where store_id = ${db.store.id} and id = ${last}`,
  )
  if (found?.uuid === uuidOf(last)) return last
  throw new Error(`The store ${db.store.hash} has companies that are no sample data: no more are made.`)
}

/** The number of invoices that an earlier run has made. @throws Error if the last one is another */
async function invoicesMade(db: Db): Promise<number> {
  const last = (await readCounters(db)).get(invoices.table)?.last_id ?? 0
  if (last === 0) return 0
  const found = await db.maybeRow<{ invoice_number: string }>(
    sql`select invoice_number from b2b_invoices where store_id = ${db.store.id} and id = ${last}`,
  )
  if (found?.invoice_number === numberOf(last - 1)) return last
  throw new Error(`The store ${db.store.hash} has invoices that are no sample data: no more are made.`)
}

interface Copying {
  /** The invoices with the ids from 1 to this are the originals. */
  kinds: number
  /** The number that the copies add to their ids. */
  shift: number
  /** The number of companies. A copy belongs to another one. */
  firms: number
}

/** Copies the first invoices with their payments and receipts. No events are published. */
async function copyInvoices(tx: Tx, { kinds, shift, firms }: Copying) {
  const counts = await countOriginals(tx, kinds)
  const ids = await takeIds(tx, [
    [invoices, kinds],
    [invoicePayments, counts.payments],
    [receipts, counts.receipts],
    [receiptLines, counts.lines],
  ])
  // The ids of the originals begin with 1.
  const shiftOf = (of: Collection) => ids.next(of, 0) - 1
  const blocks = {
    payments: { count: counts.payments, shift: shiftOf(invoicePayments) },
    receipts: { count: counts.receipts, shift: shiftOf(receipts) },
    lines: { count: counts.lines, shift: shiftOf(receiptLines) },
  }
  const company = sql`(company_id - 1 + ${shift}::int) % ${firms}::int + 1`
  const number = (prefix: string) => sql`${prefix}::text || lpad((id + ${shift}::int)::text, ${DIGITS}, '0')`
  const customer = sql`(${company})::text`
  const payment_id = sql`payment_id + ${blocks.payments.shift}::int`
  const invoice_id = sql`invoice_id + ${shift}::int`
  const reference = sql`(${payment_id})::text`
  await copy(
    tx,
    invoices,
    { count: kinds, shift },
    { company_id: company, invoice_number: number('INV-'), invoice_number_key: number('inv-') },
  )
  await copy(tx, invoicePayments, blocks.payments, { company_id: company, payer_customer_id: customer })
  await tx.rows(
    prepared(sql`
    insert into b2b_payment_lines (store_id, payment_id, invoice_id, amount)
    select store_id, ${payment_id}, ${invoice_id}, amount from b2b_payment_lines
    where store_id = ${tx.store.id} and invoice_id <= ${kinds} on conflict do nothing`),
  )
  await copy(tx, receipts, blocks.receipts, {
    company_id: company,
    payment_id,
    payer_customer_id: customer,
    payer_customer_id_key: customer,
    reference_number: reference,
    reference_number_key: reference,
  })
  await copy(tx, receiptLines, blocks.lines, {
    receipt_id: sql`receipt_id + ${blocks.receipts.shift}::int`,
    invoice_id,
  })
  const rows = await tx.rows<InvoiceRow>(
    prepared(sql`
    select id, invoice_number, type, order_number, purchase_order_number, external_customer_id, company_id from b2b_invoices
    where store_id = ${tx.store.id} and id between ${shift + 1} and ${shift + kinds} order by id`),
  )
  await storeTexts(tx, 'invoice', rows.map(textsOfInvoice))
}

/** The numbers of payments, receipts and their lines of the originals. */
const countOriginals = (tx: Tx, kinds: number) =>
  tx.row<Record<'payments' | 'receipts' | 'lines', number>>(
    prepared(sql`
    select
      (select count(distinct payment_id)::int from b2b_payment_lines
        where store_id = ${tx.store.id} and invoice_id <= ${kinds}) as payments,
      (select count(distinct receipt_id)::int from b2b_receipt_lines
        where store_id = ${tx.store.id} and invoice_id <= ${kinds}) as receipts,
      (select count(*)::int from b2b_receipt_lines
        where store_id = ${tx.store.id} and invoice_id <= ${kinds}) as lines`),
  )

/** Copies the rows of a table with the ids from 1 to a number. @param own the columns that differ */
async function copy(
  tx: Tx,
  of: Collection,
  { count, shift }: { count: number; shift: number },
  own: Readonly<Record<string, Sql>>,
) {
  if (count === 0) return
  const values = of.inserted.map((column) => own[column] ?? sql.id(column))
  await tx.rows(
    prepared(sql`
    insert into ${sql.id(of.table)} (store_id, id, ${sql.join(of.inserted.map(sql.id))})
    select store_id, id + ${shift}::int, ${sql.join(values)} from ${sql.id(of.table)}
    where store_id = ${tx.store.id} and id between 1 and ${count} on conflict do nothing`),
  )
}
