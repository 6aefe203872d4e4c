import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { notFound } from '../../../../../core/rest/problem.ts'
import {
  findReceipt,
  type JoinedLine,
  type ReceiptRow,
  receiptLines,
  receiptLineToAnswer,
  receipts,
  receiptToAnswer,
} from '../../../../../sales/b2b/invoices/receipt.ts'
import { reachableBy } from '../../../../../sales/b2b/shared/caller.ts'
import { findWindow, when } from '../../../../../sales/b2b/shared/pages.ts'
import { type BuyerCaller, buyerOf } from '../../caller.ts'
import type { BuyerFields, QueryFields } from '../../types.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'
import { companyInfoOf } from '../users.ts'

// Receipts of payments (docs/contract/b2b-graphql.md section 12).

declare module '../../types.ts' {
  interface BuyerParents {
    ReceiptType: ReturnType<typeof receiptOf>
  }
}

const CODE = 'get_invoice_payments_history'

interface LineArgs {
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  search?: string | null
  invoiceId?: string | null
  paymentStatus?: readonly (number | null)[] | null
}

export const receiptQueries: QueryFields<'receipts' | 'receipt' | 'allReceiptLines' | 'receiptLine' | 'receiptLines'> =
  {
    async receipts(_, args, caller) {
      const { db } = buyerOf(caller)
      const window = windowOfPage(args)
      const { rows, total } = await findWindow<ReceiptRow>(
        db,
        {
          table: receipts.table,
          columns: sql.join(receipts.columns.map(sql.id)),
          where: [
            sql`company_id = any(${companiesFor(caller, CODE, undefined)}::int[])`,
            ...when(given(args.search), (text) => sql`strpos(reference_number_key, ${fold(text)}) > 0`),
            ...statusCondition(args.paymentStatus),
          ],
          order: sql`id desc`,
        },
        window,
      )
      return buyerConnection(
        rows.map((row) => receiptOf(caller, row)),
        total,
        window,
      )
    },
    async receipt(_, { id }, caller) {
      const buyer = buyerOf(caller)
      return receiptOf(caller, await findReceipt(buyer.db, buyer, id))
    },
    allReceiptLines: (_, args, caller) =>
      linePage(caller, args, [sql`r.company_id = any(${companiesFor(caller, CODE, undefined)}::int[])`]),
    async receiptLine(_, { id }, caller) {
      const { db } = buyerOf(caller)
      const [line] = await linesOf(db, [sql`l.id = ${id}`, reachable(caller)], { limit: 1, offset: 0 })
      if (!line) throw notFound(receiptLines.noun, id)
      const [answer] = await linesToAnswer(db, [line])
      return answer ?? null
    },
    async receiptLines(_, { receiptId, ...args }, caller) {
      const buyer = buyerOf(caller)
      await findReceipt(buyer.db, buyer, receiptId)
      return linePage(caller, args, [sql`l.receipt_id = ${receiptId}`, reachable(caller)])
    },
  }

/** The lines of a receipt. */
export const receiptFields: BuyerFields<'ReceiptType'> = {
  ReceiptType: {
    receiptLineSet: ({ receiptId }, args, caller) =>
      linePage(caller, args, [sql`l.receipt_id = ${receiptId}`, reachable(caller)]),
  },
}

const reachable = (caller: BuyerCaller): Sql => reachableBy(buyerOf(caller), CODE, sql`r.company_id`)

const statusCondition = (statuses: readonly (number | null)[] | null | undefined): Sql[] => {
  const wanted = (statuses ?? []).flatMap((status) => status ?? [])
  return wanted.length > 0 ? [sql`payment_status = any(${wanted}::int[])`] : []
}

/** A receipt. Its lines are read if they are asked for. */
function receiptOf(caller: BuyerCaller, row: ReceiptRow) {
  const { db } = buyerOf(caller)
  const answer = receiptToAnswer(db, row)
  return {
    ...answer,
    id: String(row.id),
    customerId: row.company_id,
    externalId: null,
    externalCustomerId: null,
    totalCode: answer.total.code,
    totalAmount: Number(answer.total.value),
    receiptId: row.id,
  }
}

async function linesOf(db: Db, where: readonly Sql[], { limit, offset }: { limit: number; offset: number }) {
  return db.rows<JoinedLine>(sql`
    select r.*, l.id as line_id, l.invoice_id, l.amount, coalesce(i.invoice_number, '') as invoice_number ${from(db, where)}
    order by l.id desc limit ${limit} offset ${offset}`)
}

const from = (db: Db, where: readonly Sql[]): Sql => sql`
  from b2b_receipt_lines l join b2b_receipts r on r.store_id = ${db.store.id} and r.id = l.receipt_id
  left join b2b_invoices i on i.store_id = ${db.store.id} and i.id = l.invoice_id
  where ${sql.and([sql`l.store_id = ${db.store.id}`, ...where])}`

async function linePage(caller: BuyerCaller, args: LineArgs, within: readonly Sql[]) {
  const { db } = buyerOf(caller)
  const window = windowOfPage(args)
  const invoice = given(args.invoiceId)
  const where = [
    ...within,
    ...when(invoice, (text) => sql`l.invoice_id = ${/^\d{1,9}$/.test(text) ? Number(text) : 0}`),
    ...when(given(args.search), (text) => sql`strpos(r.reference_number_key, ${fold(text)}) > 0`),
    ...statusCondition(args.paymentStatus),
  ]
  const rows = await linesOf(db, where, window)
  const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from(db, where)}`)
  return buyerConnection(await linesToAnswer(db, rows), total, window)
}

async function linesToAnswer(db: Db, rows: readonly JoinedLine[]) {
  const infos = await companyInfoOf(
    db,
    rows.map(({ company_id }) => company_id),
  )
  return rows.map((row) => {
    const answer = receiptLineToAnswer(db, row)
    return {
      ...answer,
      id: String(row.line_id),
      customerId: row.company_id,
      externalId: null,
      externalCustomerId: null,
      amountCode: answer.amount.code,
      companyInfo: infos.get(row.company_id) ?? null,
    }
  })
}
