import { UNITS_MAX, type Units } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

// The arithmetic of invoices and payments (docs/contract/b2b-invoices.md sections 3 and 4). Pure.

const OPEN = 0
const PARTIALLY_PAID = 1
const COMPLETED_INVOICE = 2

export interface Balance {
  original: Units
  open: Units
}

/** The status of an invoice always follows from its balances. */
export function invoiceStatus({ original, open }: Balance): number {
  if (open <= 0n) return COMPLETED_INVOICE
  return open < original ? PARTIALLY_PAID : OPEN
}

const AWAITING = 1
const PROCESSING = 2
export const PAYMENT_COMPLETED = 3
export const REFUNDED = 4

/** The state of a payment. While it is applied, its amounts are deducted from its invoices. */
export interface InvoicePaymentState {
  processing: number
  isApplied: boolean
}

/** The receipt that a change of a payment writes or deletes. */
type ReceiptEffect = 'none' | 'paid' | 'deleted' | 'refund'

export interface PaymentMove {
  to: InvoicePaymentState
  receipt: ReceiptEffect
}

/**
 * The effect of a new processing status.
 * @returns undefined for a status that the payment can't have
 */
export function moveTo({ processing, isApplied }: InvoicePaymentState, wanted: number): PaymentMove | undefined {
  if (!statusesAfter(processing).includes(wanted)) return undefined
  if (wanted === processing) return { to: { processing, isApplied }, receipt: 'none' }
  if (wanted === PAYMENT_COMPLETED) return { to: { processing: wanted, isApplied: true }, receipt: 'paid' }
  const receipt = !isApplied ? 'none' : wanted === REFUNDED ? 'refund' : 'deleted'
  return { to: { processing: wanted, isApplied: false }, receipt }
}

/** The statuses that a payment may change to. A refunded payment is final. */
export const statusesAfter = (processing: number): number[] =>
  processing === REFUNDED ? [] : [AWAITING, PROCESSING, PAYMENT_COMPLETED, REFUNDED]

const APPLY = 0
const REVERT = 1

/** The operations that a payment allows: 0 applies it, 1 reverts it. */
export function operationsOf({ processing, isApplied }: InvoicePaymentState): number[] {
  if (isApplied) return [REVERT]
  return processing === PAYMENT_COMPLETED ? [APPLY] : []
}

/** The effect of an operation; undefined for one that the payment does not allow. */
export function moveBy(state: InvoicePaymentState, operation: number): PaymentMove | undefined {
  if (!operationsOf(state).includes(operation)) return undefined
  const isApplied = operation === APPLY
  return { to: { ...state, isApplied }, receipt: isApplied ? 'paid' : 'deleted' }
}

const isPending = ({ processing }: InvoicePaymentState): boolean => processing === AWAITING || processing === PROCESSING

export interface PaymentLine {
  invoice_id: number
  amount: Units
}

/** A payment with its lines at one moment. */
export interface PaymentSide {
  state: InvoicePaymentState
  lines: readonly PaymentLine[]
}

/** An invoice as far as payments change it. */
export interface PayableInvoice extends Balance {
  id: number
  /** The number of its pending payments. */
  pending: number
}

/**
 * The invoices after a change of one payment: amounts that were applied are added back, then the new ones are deducted.
 * @param before undefined for a new payment
 * @param after undefined for a deleted payment
 * @param isNew whether the lines are new, so that each must fit the open balance in any status
 * @returns the invoices, and mistakes by the path of a line's amount
 */
export function rebalance(
  invoices: readonly PayableInvoice[],
  { before, after, isNew }: { before?: PaymentSide | undefined; after?: PaymentSide | undefined; isNew: boolean },
): { invoices: PayableInvoice[]; mistakes: Mistakes } {
  const changed = new Map(invoices.map((invoice) => [invoice.id, { ...invoice }]))
  const mistakes: Mistakes = {}
  for (const { invoice_id, amount } of before?.lines ?? []) {
    const invoice = changed.get(invoice_id)
    if (!invoice || !before) continue
    if (before.state.isApplied) invoice.open += amount
    if (isPending(before.state)) invoice.pending--
  }
  const isChecked = isNew || (after?.state.isApplied && !before?.state.isApplied)
  for (const [i, { invoice_id, amount }] of (after?.lines ?? []).entries()) {
    const invoice = changed.get(invoice_id)
    if (!invoice || !after) continue
    if (isChecked && amount > invoice.open)
      mistakes[`lineItems.${i}.amount`] = 'This is more than the open balance of the invoice.'
    if (after.state.isApplied) invoice.open -= amount
    if (isPending(after.state)) invoice.pending++
  }
  for (const { id, open } of changed.values()) {
    if (open > UNITS_MAX) mistakes[`invoice ${id}`] = 'The open balance of the invoice would be too large.'
  }
  return { invoices: [...changed.values()], mistakes }
}
