import type { Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sendMail } from '../../../core/mail/outbox.ts'
import { abandonedCartSettings } from '../../../shop/settings/carts/cart-settings.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'

// E-mails to the merchant about abandoned carts, and about those that became orders (docs/contract/carts.md section 13). Each cart is a row
// first. A worker reads the settings: the rows of a channel become an e-mail each, one e-mail as soon as there are as many as the settings
// say, or nothing.

/** E-mails for one cart each that a transaction sends. */
const MAILS_AT_ONCE = 20

type Kind = 'abandoned' | 'converted'
type Settings = Static<typeof abandonedCartSettings.shape>

const isReported = (settings: Settings, kind: Kind): boolean =>
  settings.enable_notification &&
  settings.merchant_email_address !== '' &&
  (kind === 'abandoned'
    ? settings.email_merchant_when_cart_is_abandoned
    : settings.email_merchant_when_cart_is_converted)

/** A cart to report. */
interface ReportedCart {
  channel_id: number
  cart_id: string
  spell: number
  customer_id: number
  /** 0 for a cart without an order. */
  order_id: number
}

/** Stores the carts that the merchant may want to hear of, in the transaction of the change. */
export async function reportCarts(tx: Tx, kind: Kind, carts: readonly ReportedCart[]) {
  const [first, ...others] = carts.map((cart) => ({ store_id: tx.store.id, kind, created_at: tx.now, ...cart }))
  if (first) await tx.rows(sql`insert into cart_reports ${sql.rows([first, ...others])} on conflict do nothing`)
}

/** Sends the e-mails that are due in a store. */
export async function sendReports(db: Db) {
  const groups = await db.rows<{ channel_id: number; kind: Kind; count: number }>(
    prepared(sql`
    select channel_id, kind, count(*)::int as count from cart_reports
    where store_id = ${db.store.id} group by channel_id, kind order by channel_id, kind`),
  )
  for (const { channel_id, kind, count } of groups) {
    const settings = await settingsOf(db, abandonedCartSettings, channel_id)
    const pieces = piecesOf(settings, kind, count)
    for (const size of pieces) await db.transaction((tx) => sendPiece(tx, { channel_id, kind }, settings, size))
  }
}

/** The numbers of rows that transactions take. Pure. */
function piecesOf(settings: Settings, kind: Kind, count: number): number[] {
  const each = settings.merchant_abandoned_cart_digest_email_frequency
  const isDigest = isReported(settings, kind) && settings.merchant_abandoned_cart_email_frequency_type === 'digest'
  if (isDigest) return Array.from({ length: Math.floor(count / each) }, () => each)
  return Array.from({ length: Math.ceil(count / MAILS_AT_ONCE) }, () => MAILS_AT_ONCE)
}

/** Takes some rows and sends their e-mails. Rows that the settings don't ask for any more are deleted. */
async function sendPiece(
  tx: Tx,
  { channel_id, kind }: { channel_id: number; kind: Kind },
  settings: Settings,
  size: number,
) {
  const carts = await tx.rows<ReportedCart>(
    prepared(sql`
    with piece as materialized (
      select cart_id, spell from cart_reports
      where store_id = ${tx.store.id} and channel_id = ${channel_id} and kind = ${kind}
      order by created_at, cart_id limit ${size} for update skip locked
    )
    delete from cart_reports report using piece
    where report.store_id = ${tx.store.id} and report.channel_id = ${channel_id} and report.kind = ${kind}
      and report.cart_id = piece.cart_id and report.spell = piece.spell
    returning report.channel_id, report.cart_id, report.spell, report.customer_id, report.order_id`),
  )
  if (carts.length === 0 || !isReported(settings, kind)) return
  const to = settings.merchant_email_address
  if (settings.merchant_abandoned_cart_email_frequency_type === 'digest') {
    const subject = `${carts.length} carts were ${kind}`
    await sendMail(tx, { to, subject, text: `${carts.map((cart) => sentenceOf(kind, cart)).join('\n')}\n` })
    return
  }
  for (const cart of carts) {
    await sendMail(tx, { to, subject: `A cart was ${kind}`, text: `${sentenceOf(kind, cart)}\n` })
  }
}

/** Names the customer by the id only: the address of a shopper stays in the rows that its erasure finds. */
function sentenceOf(kind: Kind, { cart_id, customer_id, order_id, channel_id }: ReportedCart): string {
  const owner = customer_id === 0 ? 'a guest' : `customer ${customer_id}`
  const end = kind === 'abandoned' ? 'was abandoned' : `became the order ${order_id}`
  return `The cart ${cart_id} of ${owner} in channel ${channel_id} ${end}.`
}
