import { html, type Markup } from '../../../../core/markup.ts'
import type { ApiDocument } from '../../../../core/rest/document/document.ts'
import { type Frame, framedPage, slugOf } from '../layout.ts'
import { methodMark } from '../operations.ts'

/** The scopes of API accounts, with the operations that each opens. */
export function scopesPage(frame: Frame): string {
  return framedPage(
    'Scopes',
    frame,
    html`<p>The token of an API account opens the operations of its scopes. One of the scopes of an operation is enough; a scope whose name ends
in <code>_read_only</code> opens reads alone. An account gets its scopes when it is made, and <code>storeward account change</code> changes them:
<a href="/docs/guides/auth#5-scope-semantics">how scopes work</a>.</p>
${scopesIn(frame.document).map(
  ({
    scope,
    operations,
  }) => html`<details class="fold" id="${scope}"><summary><h2>${scope}</h2> <span class="quiet">${operations.length}: ${[...new Set(operations.map(({ tag }) => tag))].join(', ')}</span></summary>
<div class="inner"><ul class="plain">${operations.map(operationLine)}</ul></div></details>`,
)}`,
  )
}

interface Opened {
  method: string
  path: string
  tag: string
  summary: string
  operationId: string
}

const operationLine = ({ method, path, tag, summary, operationId }: Opened): Markup =>
  html`<li>${methodMark(method)} <a href="/docs/${slugOf(tag)}#${operationId}">${summary}</a> <span class="path">${path}</span></li>`

/** The scopes by name, each with its operations in the order of the document. */
export function scopesIn({ paths }: ApiDocument): { scope: string; operations: Opened[] }[] {
  const found = new Map<string, Opened[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { summary, operationId, tags, 'x-scopes': scopes = [] }] of Object.entries(methods)) {
      const opened = { method, path, tag: tags[0] ?? '', summary, operationId }
      for (const scope of scopes) found.set(scope, [...(found.get(scope) ?? []), opened])
    }
  }
  return [...found]
    .map(([scope, operations]) => ({ scope, operations }))
    .toSorted((one, other) => (one.scope < other.scope ? -1 : 1))
}
