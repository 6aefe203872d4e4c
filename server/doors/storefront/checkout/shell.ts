import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html, Markup, NO_ICON } from '../../../core/markup.ts'
import type { Storefront } from '../storefronts.ts'
import type { ShopFace } from './state.ts'
import { style } from './style.ts'

const HASH = createHash('sha256').update(style).digest('base64')

/** The headers of the page: no script runs, and nothing comes from another host. The shop itself may frame it. */
const headersFor = ({ origin }: Pick<Storefront, 'origin'>) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${HASH}'; img-src 'self' data:; base-uri 'none'; form-action 'self'; ` +
    `frame-ancestors 'self' ${origin}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

/** Answers with a page of the checkout. */
export function sendCheckoutPage(
  reply: FastifyReply,
  { storefront, face, status = 200 }: { storefront: Storefront; face: ShopFace; status?: number },
  { title, content }: { title: string; content: Markup },
) {
  const { texts, code } = face.language
  const brand = face.logo === '' ? html`${face.name}` : html`<img src="${face.logo}" alt="${face.name}">`
  const page = html`<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${face.name}</title>
<style>${new Markup(style)}</style>
${NO_ICON}
</head>
<body>
<header><a href="${face.url}">${brand}</a></header>
<main>
<h1>${title}</h1>
${content}
</main>
<footer><a href="${face.url}">${texts.backToShop}</a></footer>
</body>
</html>
`
  return reply.status(status).headers(headersFor(storefront)).send(page.text)
}
