import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, textOf, unitsOf } from '../../../core/money/units.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { invalid, notFound, unknownId } from '../../../core/rest/problem.ts'
import { createCart } from '../../carts/carts.ts'
import type { CartParts } from '../../carts/changes/change.ts'
import { issueRedirectUrls, type RedirectParts } from '../../carts/views/redirect-urls.ts'
import { isPaidStatus } from '../../orders/arithmetic/order-status.ts'
import type { FollowOrder } from '../../orders/row/followers.ts'
import { type CompanyCaller, mayDo, SELLER } from '../shared/caller.ts'
import { readAmount } from '../shared/exact-money.ts'
import { PAYMENT_COMPLETED } from './balances.ts'
import { invoices } from './invoice.ts'
import { findInvoicePayment } from './payment.ts'
import { changeProcessingStatus, createOfflinePayment, deletePayment } from './payment-changes.ts'

/**
 * A cart with which a buyer pays invoices of its company. It has a custom item for each invoice, which is neither taxed nor shipped, and no
 * promotion applies. Its order
 * makes a payment, so the invoices are pending; once the order is paid, the payment is completed and a receipt is written. A cancelled or
 * declined order takes its payment back.
 */
export interface PaymentCartRequest {
  lines: readonly { invoiceId: number; amount: string }[]
  currency: string
  channel: number
  payer: { id: number; name: string }
}

/** The lines of one cart. */
const LINES_MAX = 100

interface PayableRow {
  id: number
  company_id: number
  invoice_number: string
  currency_code: string
  open_balance: number
  pending_payments: number
}

/** @throws Problem 404 for an invoice that the caller may not pay, 422 for amounts, currencies and pending payments */
export function createPaymentCart(
  db: Db,
  caller: CompanyCaller,
  { lines, currency, channel, payer }: PaymentCartRequest,
  parts: Omit<CartParts, 'quotesOf'> & RedirectParts,
) {
  if (lines.length === 0 || lines.length > LINES_MAX) {
    throw invalid({ lineItems: `A payment has 1 to ${LINES_MAX} invoices.` })
  }
  return db.transaction(async (tx) => {
    const found = await lockPayable(
      tx,
      lines.map(({ invoiceId }) => invoiceId),
    )
    const rows = lines.map(({ invoiceId }) => {
      const row = found.get(invoiceId)
      if (!row || !mayDo(caller, 'pay_invoice', row.company_id)) throw notFound(invoices.noun, invoiceId)
      return row
    })
    const mistakes: Mistakes = {}
    if (found.size < lines.length) mistakes.lineItems = 'An invoice is named twice.'
    if (new Set(rows.map(({ company_id }) => company_id)).size > 1)
      mistakes.lineItems = 'The invoices are of several companies.'
    const amounts = rows.map((row, i) => {
      const at = `lineItems.${i}.amount`
      const amount = readAmount(lines[i]?.amount ?? '', row.currency_code)
      if (typeof amount === 'string') mistakes[at] = amount
      else if (amount <= 0n || amount > unitsOf(row.open_balance)) {
        mistakes[at] = 'The amount must be greater than 0 and at most the open balance.'
      }
      if (row.currency_code !== currency) mistakes.currency = `The invoice ${row.id} is in ${row.currency_code}.`
      if (row.pending_payments > 0) mistakes[`lineItems.${i}.invoiceId`] = 'A payment of this invoice is pending.'
      return typeof amount === 'string' ? 0n : amount
    })
    refuse(mistakes)
    const [first] = rows
    if (!first) throw invalid({ lineItems: unknownId(invoices.noun, 0) })
    const body = {
      customer_id: payer.id,
      channel_id: channel,
      currency: { code: currency },
      custom_items: rows.map((row, i) => ({
        name: `Invoice ${row.invoice_number}`,
        sku: `INVOICE-${row.id}`,
        quantity: 1,
        list_price: amountOf(amounts[i] ?? 0n),
      })),
    }
    const { cart } = await createCart(tx, parts, body, { manual: { order: 0, lines: [] }, pays_invoices: true })
    const row = {
      store_id: tx.store.id,
      cart_id: cart.id,
      company_id: first.company_id,
      currency_code: currency,
      lines: JSON.stringify(rows.map(({ id }, i) => ({ invoiceId: id, amount: textOf(amounts[i] ?? 0n) }))),
      payer_name: payer.name,
      payer_customer_id: payer.id,
      payment_id: 0,
      created_at: toSeconds(tx.now),
    }
    await tx.rows(sql`insert into b2b_payment_carts ${sql.rows([row])} returning cart_id`)
    const { cart_url, checkout_url } = await issueRedirectUrls(tx, cart, parts)
    return { cartId: cart.id, cartUrl: cart_url, checkoutUrl: checkout_url }
  })
}

/** Locks invoices in the order of their ids. */
async function lockPayable(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, PayableRow>> {
  const rows = await tx.rows<PayableRow>(sql`
    select id, company_id, invoice_number, currency_code, open_balance, pending_payments from b2b_invoices
    where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]}::int[]) order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}

interface PaymentCartRow {
  company_id: number
  currency_code: string
  lines: { invoiceId: number; amount: string }[]
  payer_name: string
  payer_customer_id: number
  payment_id: number
}

/** Statuses in which an order takes its payment back: cancelled and declined. */
const ENDED = new Set([5, 6])

/** Follows the order of a payment cart. @throws Problem 422 for an open balance that is too low by now */
export const followPaymentOrder: FollowOrder = async (tx, before, after) => {
  if (after.cart_id === null || (before && before.status_id === after.status_id)) return
  const [cart] = await tx.rows<PaymentCartRow>(sql`
    select company_id, currency_code, lines, payer_name, payer_customer_id, payment_id from b2b_payment_carts
    where store_id = ${tx.store.id} and cart_id = ${after.cart_id} for update`)
  if (!cart) return
  if (ENDED.has(after.status_id)) {
    if (cart.payment_id === 0) return
    await deletePayment(tx, SELLER, cart.payment_id)
    await setPayment(tx, after.cart_id, 0)
    return
  }
  const id = cart.payment_id === 0 ? await payBy(tx, after.cart_id, after.id, cart) : cart.payment_id
  if (!isPaidStatus(after.status_id) || (before && isPaidStatus(before.status_id))) return
  const payment = await findInvoicePayment(tx, SELLER, id)
  if (payment.processing_status !== PAYMENT_COMPLETED) await changeProcessingStatus(tx, SELLER, id, PAYMENT_COMPLETED)
}

const AWAITING = 1

async function payBy(tx: Tx, cartId: string, orderId: number, cart: PaymentCartRow): Promise<number> {
  const { id } = await createOfflinePayment(tx, SELLER, {
    lineItems: cart.lines,
    currency: cart.currency_code,
    details: { memo: `Order ${orderId}` },
    customerId: String(cart.company_id),
    payerName: cart.payer_name,
    payerCustomerId: String(cart.payer_customer_id),
    processingStatus: AWAITING,
  })
  await setPayment(tx, cartId, id)
  return id
}

const setPayment = (tx: Tx, cartId: string, payment: number) =>
  tx.rows(sql`
    update b2b_payment_carts set payment_id = ${payment}
    where store_id = ${tx.store.id} and cart_id = ${cartId} returning cart_id`)
