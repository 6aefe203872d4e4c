import { prepared, type Tx } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../../core/mail/outbox.ts'
import { sendEmail } from '../../../../shop/emails/sending/send.ts'
import { convertCart } from '../../../carts/row/conversion.ts'
import { activateCertificates, disableCertificates } from '../../../promotions/purchased-certificates.ts'
import { countUses } from '../../../promotions/uses/uses.ts'
import { isPaidStatus, isPlaced, PAID_STATUSES, UNPLACED } from '../../arithmetic/order-status.ts'
import type { OrderRow } from '../../row/rows.ts'
import { MIGRATED } from '../../stock/holds.ts'
import { sendInvoice } from './invoice.ts'
import { moneyFormat } from './mail-data.ts'

/**
 * Applies the effects of a new status on everything besides the order, in the transaction of the change (docs/contract/orders.md section 1).
 * An order that is placed counts the uses of its promotions and coupons and converts its cart, and its shopper gets the invoice. The gift certificates that it
 * sells become active when it is paid, and are disabled if it is cancelled before. Each effect happens once, also if the status changes back
 * and forth. Call it before the change is recorded.
 * @param after as it is stored
 * @returns whether the shopper gets the invoice
 */
export async function placeOrder(tx: Tx, before: OrderRow, after: OrderRow): Promise<boolean> {
  if (before.status_id === after.status_id) return false
  let hasInvoice = false
  if (!isPlaced(before.status_id) && isPlaced(after.status_id) && !(await wasPlaced(tx, after.id))) {
    await countUses(tx, after.id)
    if (after.cart_id !== null) await convertCart(tx, after.cart_id, after.id)
    hasInvoice = after.external_source !== MIGRATED && (await sendInvoice(tx, after))
  }
  if (isPaidStatus(after.status_id) && !isPaidStatus(before.status_id)) await deliverCertificates(tx, after)
  if (!isPlaced(after.status_id)) await disableCertificates(tx, after.id)
  return hasInvoice
}

/** Whether an order was placed before its current status. */
async function wasPlaced(tx: Tx, order_id: number): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    select nr from order_status_changes
    where store_id = ${tx.store.id} and order_id = ${order_id}
      and (previous_status_id <> all(${UNPLACED}::int[]) or status_id <> all(${UNPLACED}::int[])) limit 1`),
  )
  return rows.length > 0
}

/** Whether an order is paid, or was before its current status. */
export async function wasPaid(tx: Tx, { id, status_id }: Pick<OrderRow, 'id' | 'status_id'>): Promise<boolean> {
  if (isPaidStatus(status_id)) return true
  const rows = await tx.rows(
    prepared(sql`
    select nr from order_status_changes
    where store_id = ${tx.store.id} and order_id = ${id}
      and (previous_status_id = any(${PAID_STATUSES}::int[]) or status_id = any(${PAID_STATUSES}::int[])) limit 1`),
  )
  return rows.length > 0
}

/** Makes up for the payment or the end of an order, which certificates have missed that a refund had taken back. */
export async function catchUpCertificates(tx: Tx, order: OrderRow, ids: readonly number[]) {
  if (ids.length === 0) return
  if (await wasPaid(tx, order)) await deliverCertificates(tx, order, ids)
  else if (!isPlaced(order.status_id)) await disableCertificates(tx, order.id, ids)
}

/** Activates certificates that an order sells, and enqueues the e-mails to their recipients. @param ids undefined for all of them */
async function deliverCertificates(tx: Tx, order: OrderRow, ids?: readonly number[]) {
  const money = moneyFormat(order)
  const isAddress = new RegExp(MAIL_ADDRESS, 'u')
  for (const { amount, ...certificate } of await activateCertificates(tx, order.id, ids)) {
    const { to_name, to_email } = certificate
    if (!isAddress.test(to_email)) continue
    await sendEmail(tx, 'giftcertificate_email', {
      to: to_email,
      channel: order.channel_id,
      locale: order.customer_locale,
      context: {
        customer: { first_name: to_name, full_name: to_name, email: to_email, group: [] },
        // There is no storefront page to link to.
        certificate: { ...certificate, amount: money(amount), redeem_link: '' },
      },
    })
  }
}
