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

/** The invoices take turns: open, partially paid, completed, awaited, in process, refunded, reverted, and at last overdue. */
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

interface Writing {
  count: number
  /** The number of the nth invoice. */
  numberOf: (n: number) => string
  payings: readonly (Paying | undefined)[]
}
const FEW: Writing = { count: INVOICES, numberOf: (n) => `INV-${String(n + 1).padStart(4, '0')}`, payings: PAYINGS }

/** Ways of payment that delete no receipt, so that the ids of receipts follow each other. */
export const KEPT_PAYINGS = PAYINGS.filter((paying) => paying?.end !== AWAITING)

/** Invoices of companies in every state, with payments and receipts. @returns the id of the first */
export async function writeInvoices(
  tx: Tx,
  companies: readonly number[],
  { count, numberOf, payings }: Writing = FEW,
): Promise<number> {
  const today = Math.floor(tx.now.getTime() / 1_000)
  let first = 0
  for (let i = 0; i < count; i++) {
    const turn = i % payings.length
    const customerId = String(companies[i % companies.length] ?? 0)
    const amount = 40 + 15 * i
    const balance = { code: 'USD', value: String(amount) }
    const issuedAt = today - (count - i) * DAY_SECONDS
    const { id } = await createInvoice(tx, SELLER, {
      invoiceNumber: numberOf(i),
      customerId,
      originalBalance: balance,
      openBalance: balance,
      purchaseOrderNumber: `PO-${1_000 + i}`,
      issuedAt,
      dueDate: turn === payings.length - 1 ? issuedAt : today + 30 * DAY_SECONDS,
    })
    if (first === 0) first = id
    const paying = payings[turn]
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
  return first
}
