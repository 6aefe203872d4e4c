import { samples } from '../../../../core/events/scopes.ts'
import { html, type Markup } from '../../../../core/markup.ts'
import type { ApiDocument, DocumentedOperation } from '../../../../core/rest/document/document.ts'
import { schemaOfEvent } from '../../../../core/rest/document/event-fields.ts'
import { type Frame, framedPage, slugOf } from '../layout.ts'
import { shapeOf } from '../shapes.ts'

/** The events that hooks can subscribe to, by family: the callback of each, and operations that publish it. */
export function eventsPage(frame: Frame): string {
  const callbacks = callbacksIn(frame.document)
  const publishers = publishersIn(frame.document)
  const families = Object.entries(Object.groupBy(callbacks, ({ scope }) => familyOf(scope)))
  return framedPage(
    'Events',
    frame,
    html`<p>A webhook sends a callback for each event of its scope. The scope <code>store/order/*</code> stands for all events of orders. The ids are those of
the changed resource: read it to learn its state. A test event has the ids 0. <a href="/docs/webhooks#createWebhook">Create a webhook</a>,
<a href="/docs/guides/webhook-steps">receive and verify its callbacks</a>, or <a href="/docs/webhooks#testWebhook">send a test event</a>.</p>
${families.map(
  ([
    family,
    some = [],
  ]) => html`<details class="fold" id="family-${slugOf(family)}"><summary><h2>${family}</h2> <span class="quiet">${some.length}</span></summary>
<div class="inner">${some.map((callback) => eventSection(callback, publishers.get(callback.scope) ?? []))}</div></details>`,
)}`,
  )
}

interface Callback {
  scope: string
  body: unknown
}

/** The samples of callbacks, in the order of the document. */
const callbacksIn = ({ webhooks = {} }: ApiDocument): Callback[] =>
  Object.entries(webhooks).map(([scope, { post }]) => ({
    scope,
    body: post.requestBody.content['application/json'].example,
  }))

/** The first word of a scope that names a resource: `order` for `store/order/refund/created`. */
const familyOf = (scope: string) => scope.replace(/^store\/(channel\/[^/]+\/)?/, '').split('/')[0] ?? ''

interface Publisher {
  summary: string
  address: string
}

function publishersIn({ paths }: ApiDocument): Map<string, Publisher[]> {
  const found = new Map<string, Publisher[]>()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const scope of operation['x-publishes'] ?? []) {
      found.set(scope, [...(found.get(scope) ?? []), publisherOf(operation)])
    }
  }
  return found
}

const publisherOf = ({ summary, operationId, tags: [tag = ''] }: DocumentedOperation): Publisher => ({
  summary: tag.endsWith(' (v2)') ? `${summary} (v2)` : summary,
  address: `/docs/${slugOf(tag)}#${operationId}`,
})

const eventSection = ({ scope, body }: Callback, publishers: readonly Publisher[]): Markup =>
  html`<details class="fold" id="${scope}"><summary><h3>${scope}</h3></summary><div class="inner">
<pre tabindex="0">${JSON.stringify(body, null, 2)}</pre>
${fieldsOf(scope)}
${publishers.length > 0 ? html`<p>Published by, among others:</p><ul class="plain">${publishers.map(({ summary, address }) => html`<li><a href="${address}">${summary}</a></li>`)}</ul>` : ''}
</div></details>`

function fieldsOf(scope: string): Markup {
  const data = schemaOfEvent(samples.get(scope))
  if (!data.properties && !data.items) return html`<p class="quiet">The data are empty: the scope says everything.</p>`
  return html`<h4>Fields of data</h4>${shapeOf(data)}`
}
