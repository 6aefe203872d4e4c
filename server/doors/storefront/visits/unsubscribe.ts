import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../../core/markup.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { addressOfLink, endReminders, UNSUBSCRIBE_PAGE } from '../../../sales/carts/time/unsubscribe.ts'
import { STOREFRONT_PREFIXES } from '../storefronts.ts'
import { sendPage, textsIn } from './pages.ts'

/**
 * The page that ends the reminders of carts to an address (docs/contract/carts.md section 13). Its button posts to the address of the page: a
 * program that only follows the link ends nothing.
 */
export function unsubscribeRoutes(
  pages: FastifyInstance,
  { secrets }: { secrets: Pick<Secrets, 'linkSignature' | 'tokenHash'> },
) {
  const emailOf = ({ query, storefront }: FastifyRequest): string => {
    const { address, signature } = textsIn(query)
    const email = addressOfLink(storefront.db.store, { address, signature }, secrets)
    if (email === undefined) throw new Problem(404, 'Please use the link in the e-mail that you have received.')
    return email
  }

  const ask = async (request: FastifyRequest, reply: FastifyReply) => {
    const email = emailOf(request)
    return sendPage(
      reply,
      'Stop reminders about your cart',
      html`<p>This shop will not send reminders about carts to <strong>${email}</strong> any more.</p>
<form method="post"><button>Stop reminders</button></form>`,
    )
  }

  const end = async (request: FastifyRequest, reply: FastifyReply) => {
    const email = emailOf(request)
    await request.storefront.db.transaction((tx) => endReminders(tx, email, secrets))
    return sendPage(
      reply,
      'Reminders are stopped',
      html`<p>This shop sends no more reminders about carts to <strong>${email}</strong>.</p>`,
    )
  }

  // Browsers send the form as such; its fields don't matter.
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    async () => ({}),
  )
  for (const prefix of STOREFRONT_PREFIXES) {
    pages.get(prefix + UNSUBSCRIBE_PAGE, ask)
    pages.post(prefix + UNSUBSCRIBE_PAGE, end)
  }
}
