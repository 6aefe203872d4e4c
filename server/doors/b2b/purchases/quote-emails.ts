import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { emailQuote, QuoteEmail } from '../../../sales/b2b/emails/quote-email.ts'
import type { QuoteSites } from '../../../sales/b2b/quotes/answers.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf } from '../grammar/caller.ts'
import { messageAnswer, messaging } from './message.ts'

const { write } = access('b2b')

/** E-mails of quotes (docs/contract/b2b-quotes.md section 11). */
export function quoteEmailRoutes(api: Api, parts: QuoteSites) {
  api.post(
    '/v3/io/rfq/emails',
    {
      ...write,
      schema: {
        summary: 'Send a quote by e-mail',
        operationId: 'emailQuote',
        description: 'To the buyer, and copies to others. The quote stays as it is.',
        tag: 'Quotes',
        body: QuoteEmail,
        ...messaging(t.Object({})),
      },
    },
    async ({ db, body, salesRep }) => {
      await emailQuote(db, await callerOf(db, salesRep), body, parts)
      return messageAnswer({})
    },
  )
}
