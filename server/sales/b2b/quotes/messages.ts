import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS, sendMail } from '../../../core/mail/outbox.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import type { QuoteMessageRow, QuoteRow } from './quote.ts'

// Messages between the buyer and the seller of a quote (docs/contract/b2b-quotes.md section 10).

/** Messages of a quote. */
export const MESSAGES_MAX = 500
/** The time between two mails about the messages of a quote to the same side. */
const MAILED_EVERY_MS = 3_600_000

export type QuoteSide = QuoteMessageRow['by']

/** A message in answers. */
export const QuoteMessage = t.Object(
  {
    date: t.Integer({ description: 'Unix seconds' }),
    role: t.String(),
    message: t.String(),
    read: t.Boolean({ description: 'Whether the other side has read it' }),
  },
  { title: 'QuoteMessage' },
)

/** The messages of a quote, oldest first. */
export const messagesToAnswer = ({
  history,
  read_by_buyer,
  read_by_seller,
}: Pick<QuoteRow, 'history' | 'read_by_buyer' | 'read_by_seller'>): Static<typeof QuoteMessage>[] =>
  history.map(({ date, role, message, by }, i) => ({
    date,
    role,
    message,
    read: i < (by === 'buyer' ? read_by_seller : read_by_buyer),
  }))

/** The writer of a message. */
interface Writer {
  by: QuoteSide
  /** The name as clients show it. */
  role: string
}

const SALES_REP = 'Sales rep'

/** The seller as a writer: clients look for the first words. */
export const sellerOf = (rep: { name: string } | undefined): Writer => ({
  by: 'seller',
  role: rep && rep.name !== '' ? `${SALES_REP}: ${rep.name}` : SALES_REP,
})

/** A buyer as a writer. No name of a buyer looks like a sales representative. */
export const buyerAs = (name: string): Writer => ({
  by: 'buyer',
  role: name.replace(/^(\s*sales\s*rep\s*:?)+/i, '').trim(),
})

/** A new message. */
export const messageOf = ({ by, role }: Writer, message: string, now: Date): QuoteMessageRow => ({
  date: Math.floor(now.getTime() / 1_000),
  role,
  message,
  by,
})

/** Marks the messages of the other side as read. It publishes nothing, and writes only if some are new. */
export async function markRead(db: Db, { id, history, ...quote }: QuoteRow, side: QuoteSide) {
  const read = side === 'buyer' ? quote.read_by_buyer : quote.read_by_seller
  if (!history.slice(read).some(({ by }) => by !== side)) return
  const column = sql.id(`read_by_${side}`)
  await db.transaction((tx) =>
    tx.rows(
      prepared(sql`
      update b2b_quotes set ${column} = greatest(${column}, ${history.length}::int)
      where store_id = ${tx.store.id} and id = ${id} returning id`),
    ),
  )
}

/** A mail about a message. */
interface MessageMail {
  to: string
  subject: string
  text: string
}

/**
 * Sends a mail about a message to the other side, at most once an hour for each quote.
 * @param by the side that wrote the message
 * @returns the columns of the quote that record it
 */
export async function mailOtherSide(
  tx: Tx,
  quote: Pick<QuoteRow, 'buyer_mailed_at' | 'seller_mailed_at'>,
  by: QuoteSide,
  { to, subject, text }: MessageMail,
): Promise<Partial<QuoteRow>> {
  const column = by === 'buyer' ? 'seller_mailed_at' : 'buyer_mailed_at'
  const last = quote[column]
  const isMailed = last !== null && Date.parse(last) > tx.now.getTime() - MAILED_EVERY_MS
  if (isMailed || !new RegExp(MAIL_ADDRESS, 'u').test(to)) return {}
  await sendMail(tx, { to, subject, text })
  return { [column]: toSeconds(tx.now) }
}
