import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup, NO_ICON, pageHeadersFor, pageText } from '../../../core/markup.ts'
import { isObject } from '../../../core/objects.ts'
import type { Problem } from '../../../core/rest/problem.ts'

// The plain pages of a storefront. They load and run nothing, and send no referrer.

const style = `
  body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; } table { width: 100%; border-collapse: collapse; }
  th { text-align: left; font-weight: normal; color: #59636e; } th, td { padding: .5rem .75rem .5rem 0; vertical-align: top; overflow-wrap: anywhere; }
  .amount { text-align: right; white-space: nowrap; } tbody tr, tfoot tr:first-child { border-top: 1px solid #d0d7de; }
  .total { font-weight: bold; } button { font: inherit; padding: .5rem 1rem; }
`
const headers = pageHeadersFor(style, { forms: true })

/** Answers with a page. */
export const sendPage = (reply: FastifyReply, title: string, content: Markup) =>
  reply.headers(headers).send(pageText(title, style, html`<main><h1>${title}</h1>\n${content}</main>`, NO_ICON))

/** Answers with the reason why there is no page, and with a way back to the shop if there is one. */
export function sendRefusal({ storefront }: FastifyRequest, reply: FastifyReply, { status, message }: Problem) {
  const title = status < 500 ? 'This page does not work any more' : 'Please try again'
  const way = storefront ? html`<p><a href="${storefront.url}">Back to the shop</a></p>` : ''
  return sendPage(reply.status(status), title, html`<p>${message}</p>${way}`)
}

/** The parameters of an address. The first one counts if a name is repeated. */
export function textsIn(query: FastifyRequest['query']): Record<string, string> {
  if (!isObject(query)) return {}
  const pairs = Object.entries(query).map(([name, value]) => [name, String(Array.isArray(value) ? value[0] : value)])
  return Object.fromEntries(pairs)
}
