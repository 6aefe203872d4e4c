import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html, Markup, NO_ICON } from '../../../../core/markup.ts'
import type { Storefront } from '../../storefronts.ts'
import type { ShopFace } from './face.ts'

/** The style of the checkout page. It needs no script, and nothing from another host. */
const style = `
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff}
a{color:var(--accent)}header,main,footer{max-width:68rem;margin:0 auto;padding:1rem}header img{max-height:3rem;max-width:14rem}
header a{font-size:1.25rem;font-weight:600;color:inherit;text-decoration:none}h1{font-size:1.5rem;margin:.5rem 0 1rem}h2{font-size:1.15rem;margin:0}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 22rem;gap:2rem;align-items:start}
.step{border-top:1px solid #d0d7de;padding:1rem 0}.step>div:first-child{display:flex;justify-content:space-between;gap:1rem}.step p{margin:.25rem 0;color:#424a53;overflow-wrap:anywhere}
form{margin:.75rem 0 0}.field{margin:0 0 .9rem}label{display:block;font-weight:600;margin-bottom:.25rem}.choice label{display:inline;font-weight:400}.choice{margin:.5rem 0}
input[type=text],input[type=email],input[type=tel],select,textarea{width:100%;font:inherit;padding:.6rem;border:1px solid #6e7781;border-radius:.3rem;background:#fff;color:inherit}
form [aria-invalid=true]{border:2px solid #b3261e}.step .error,.error{color:#b3261e;margin:.25rem 0 0;font-weight:600}
.notice{border:2px solid #b3261e;border-radius:.3rem;padding:.75rem 1rem;margin:0 0 1rem;background:#fdf3f2}
button{font:inherit;font-weight:600;padding:.75rem 1.5rem;border:0;border-radius:.3rem;background:var(--accent);color:#fff;cursor:pointer}
button.small{padding:.35rem .75rem;background:#e7ecf1;color:#1b1f24}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
p.instructions{white-space:pre-line;margin:.25rem 0 0 1.75rem}fieldset{border:0;margin:0 0 1rem;padding:0}legend{font-weight:600;padding:0;margin-bottom:.4rem}form:has([name=method]:checked):not(:has(.by-card:checked)) .card{display:none}
.summary{background:#f6f8fa;border-radius:.5rem;padding:1rem}.summary ul{list-style:none;margin:0;padding:0}.summary li{display:flex;gap:.75rem;padding:.5rem 0;border-bottom:1px solid #d0d7de}
.summary img{width:3.5rem;height:3.5rem;object-fit:contain;background:#fff}.summary .what{flex:1;min-width:0;overflow-wrap:anywhere}.summary small{display:block;color:#424a53}
dl{display:grid;grid-template-columns:1fr auto;gap:.3rem 1rem;margin:.75rem 0}dd{margin:0;text-align:right}dt.total,dd.total{font-weight:700;font-size:1.1rem}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}summary{cursor:pointer;font-weight:600;padding:.5rem 0}.phone{display:none}
@media(max-width:48rem){.columns{grid-template-columns:minmax(0,1fr)}.wide{display:none}.phone{display:block;margin-bottom:1rem}.pair{grid-template-columns:1fr}button[type=submit].main{width:100%}}
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const HASH = hashOf(style)

/** The colour of the shop, in a style of its own: its hash differs between shops. */
const styleOf = ({ accent }: Pick<ShopFace, 'accent'>) => `:root{--accent:${accent}}`

/** The headers of the page: no script runs, and nothing comes from another host. The shop itself may frame it. */
const headersFor = ({ origin }: Pick<Storefront, 'origin'>, face: ShopFace) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${HASH} ${hashOf(styleOf(face))}; img-src 'self' data:; base-uri 'none'; form-action 'self'; ` +
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
<style>${new Markup(styleOf(face))}</style>
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
  return reply.status(status).headers(headersFor(storefront, face)).send(page.text)
}
