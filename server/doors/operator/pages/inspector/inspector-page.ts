import { html, type Markup, pageHeadersFor, pageText } from '../../../../core/markup.ts'
import type { Bin, ReceivedRequest, ScriptedAnswer } from './bins.ts'

const REFRESH_SECONDS = 2

const style = `
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; }
  article { margin: 1.5rem 0; border: 1px solid #d0d7de; border-radius: 6px; overflow: hidden; }
  h2 { margin: 0; padding: .5rem 1rem; background: #f6f8fa; font-size: 1rem; font-weight: normal; }
  pre, table { margin: .75rem 1rem; font: 13px/1.45 ui-monospace, monospace; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
  th { padding: 0 1rem 0 0; text-align: left; vertical-align: top; font-weight: normal; color: #59636e; }
  td { overflow-wrap: anywhere; unicode-bidi: isolate; }
  .valid { color: #1a7f37; } .wrong { color: #cf222e; } .quiet { color: #59636e; }
`

/** Even unescaped content of foreign requests could run nothing on this page. */
export const pageHeaders = pageHeadersFor(style)

/** @param isStill whether the page stops refreshing itself */
export function pageOf(name: string, { received, script }: Readonly<Bin>, { isStill }: { isStill: boolean }): string {
  return pageText(
    `${received.length} in ${name}`,
    style,
    html`<h1>Webhooks sent to <code>/inspect/${name}</code></h1>
<p class="quiet">
${isStill ? html`<a href="/inspect/${name}">Resume refreshing</a>` : html`Refreshed every ${REFRESH_SECONDS} s. <a href="?still">Pause</a>`} ·
<a href="/inspect/${name}/requests">As JSON</a> · The next answer is ${answerOf(script[0] ?? {})}.
</p>
${received.length === 0 ? html`<p>No requests yet.</p>` : received.map(articleOf)}`,
    isStill ? '' : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
  )
}

const answerOf = ({ status = 204, delay_ms = 0, reset }: ScriptedAnswer) =>
  `${reset ? 'a cut connection' : status}${delay_ms > 0 ? `, after ${delay_ms} ms` : ''}`

const classes = { valid: 'valid', 'not valid': 'wrong', missing: 'wrong', 'not checked': 'quiet' } as const

function articleOf({
  received_at,
  method,
  webhook_id,
  attempt,
  signature,
  answer,
  headers,
  body,
}: ReceivedRequest): Markup {
  const facts = { 'webhook-id': webhook_id ?? 'none', attempt: attempt ?? 'none', answered: answer }
  const row = ([name, value]: [string, string]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`
  return html`<article>
<h2>${method} at ${received_at}, signature <strong class="${classes[signature]}">${signature}</strong></h2>
<table>${Object.entries(facts).map(row)}</table>
<pre>${pretty(body)}</pre>
<table>${Object.entries(headers).map(row)}</table>
</article>
`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
