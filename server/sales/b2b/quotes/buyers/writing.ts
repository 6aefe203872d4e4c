import type { Db } from '../../../../core/db/database.ts'
import { refuse } from '../../../../core/rest/input/mistakes.ts'
import { bodyReader } from '../../../../core/rest/input/validator.ts'
import type { CompanyCaller } from '../../shared/caller.ts'
import { buyerAs, MESSAGES_MAX, mailOtherSide, messageOf } from '../messages.ts'
import { lockQuote, type QuoteRow } from '../quote.ts'
import { refusedDeed, saveQuote } from '../quote-changes.ts'
import { quoteStatusAfter } from '../states.ts'
import { BuyerMessage } from './asking.ts'

const readMessage = bodyReader(BuyerMessage)

/**
 * Adds a message of a buyer to a quote, which the buyer has updated then. The sales representative gets a mail about it.
 * @param writer the name of the buyer
 * @throws Problem 404, 422 for a quote that is not open, and for a text of no or more than 1,000 characters
 */
export async function writeToSeller(
  db: Db,
  caller: CompanyCaller,
  id: number,
  { writer, message }: { writer: string; message: string },
): Promise<QuoteRow> {
  readMessage(message)
  return db.transaction(async (tx) => {
    const quote = await lockQuote(tx, caller, id, 'update_quote_message')
    const status = quoteStatusAfter(quote.status, 'message')
    if (status === undefined) throw refusedDeed(quote.status)
    if (quote.history.length >= MESSAGES_MAX) refuse({ message: `A quote has at most ${MESSAGES_MAX} messages.` })
    const said = messageOf(buyerAs(writer), message, tx.now)
    const mailed = await mailOtherSide(tx, quote, 'buyer', {
      to: quote.sales_rep_email,
      subject: `New message about the quote ${quote.quote_number}`,
      text: `${said.role} wrote about the quote ${quote.quote_number}:\n\n${message}\n`,
    })
    return saveQuote(tx, quote, { status, history: [...quote.history, said], ...mailed })
  })
}
