import type { Tx } from '../../../core/db/database.ts'
import { createInvoice } from '../../../sales/b2b/invoices/invoice-changes.ts'
import { changeProcessingStatus, createOfflinePayment } from '../../../sales/b2b/invoices/payment-changes.ts'
import { SELLER } from '../../../sales/b2b/shared/caller.ts'

const INVOICES = 60
const DAY_SECONDS = 86_400
const [AWAITING, PROCESSING, COMPLETED, REFUNDED] = [1, 2, 3, 4]

/** The payment of an invoice: its part in tenths, its status, and the status that it changes to. */
interface Paying {
  tenths: number
  status: number
  end?: number
}

/** The invoices take turns: open, partially paid, completed, awaited, in process, refunded, reverted, overdue. */
const PAYINGS: readonly (Paying | undefined)[] = [
  undefined,
  { tenths: 4, status: COMPLETED },
  { tenths: 10, status: COMPLETED },
  { tenths: 10, status: AWAITING },
  { tenths: 5, status: PROCESSING },
  { tenths: 10, status: COMPLETED, end: REFUNDED },
  { tenths: 3, status: COMPLETED, end: AWAITING },
  undefined,
]
const OVERDUE = 7

/** Invoices of companies in every state, with payments and receipts. */
export async function writeInvoices(tx: Tx, companies: readonly number[]) {
  const today = Math.floor(tx.now.getTime() / 1_000)
  for (let i = 0; i < INVOICES; i++) {
    const turn = i % PAYINGS.length
    const customerId = String(companies[i % companies.length] ?? 0)
    const amount = 40 + 15 * i
    const balance = { code: 'USD', value: String(amount) }
    const issuedAt = today - (INVOICES - i) * DAY_SECONDS
    const { id } = await createInvoice(tx, SELLER, {
      invoiceNumber: `INV-${String(i + 1).padStart(4, '0')}`,
      customerId,
      originalBalance: balance,
      openBalance: balance,
      purchaseOrderNumber: `PO-${1_000 + i}`,
      issuedAt,
      dueDate: turn === OVERDUE ? issuedAt : today + 30 * DAY_SECONDS,
    })
    const paying = PAYINGS[turn]
    if (!paying) continue
    const payment = await createOfflinePayment(tx, SELLER, {
      lineItems: [{ invoiceId: id, amount: String((amount * paying.tenths) / 10) }],
      currency: 'USD',
      details: { memo: `Transfer ${i + 1}` },
      customerId,
      processingStatus: paying.status,
    })
    if (paying.end !== undefined) await changeProcessingStatus(tx, SELLER, payment.id, paying.end)
  }
}
