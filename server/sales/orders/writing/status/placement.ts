import { prepared, type Tx } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../../core/mail/outbox.ts'
import { sendEmail } from '../../../../shop/emails/sending/send.ts'
import { convertCart } from '../../../carts/row/conversion.ts'
import { activateCertificates, disableCertificates } from '../../../promotions/purchased-certificates.ts'
import { countUses } from '../../../promotions/uses/uses.ts'
import { isPaidStatus, isPlaced, UNPLACED } from '../../arithmetic/order-status.ts'
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
 */
export async function placeOrder(tx: Tx, before: OrderRow, after: OrderRow) {
  if (before.status_id === after.status_id) return
  if (!isPlaced(before.status_id) && isPlaced(after.status_id) && !(await wasPlaced(tx, after.id))) {
    await countUses(tx, after.id)
    if (after.cart_id !== null) await convertCart(tx, after.cart_id, after.id)
    if (after.external_source !== MIGRATED) await sendInvoice(tx, after)
  }
  if (isPaidStatus(after.status_id) && !isPaidStatus(before.status_id)) await deliverCertificates(tx, after)
  if (!isPlaced(after.status_id)) await disableCertificates(tx, after.id)
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

/** Activates the certificates that an order sells, and enqueues the e-mails to their recipients. */
async function deliverCertificates(tx: Tx, order: OrderRow) {
  const money = moneyFormat(order)
  const isAddress = new RegExp(MAIL_ADDRESS, 'u')
  for (const { amount, ...certificate } of await activateCertificates(tx, order.id)) {
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
