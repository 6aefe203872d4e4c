import { html, type Markup } from '../../../../core/markup.ts'
import type { ApiDocument } from '../../../../core/rest/document/document.ts'
import { readClientCalls } from '../facts/client-calls.ts'
import { guidesOf } from '../facts/contract-pages.ts'
import { marksOf } from '../facts/marks.ts'
import type { Guide } from '../guides.ts'
import { type Frame, framedPage, slugOf } from '../layout.ts'
import { methodMark } from '../operations.ts'

/**
 * The sources of the API: for each page of the contract its rules by source, and for each of its operations whether a public client calls
 * it in the tests. The counts are those of the pages, so they change with them.
 */
export function parityPage(frame: Frame, guides: readonly Guide[]): string {
  const calls = readClientCalls()
  const rows = pagesIn(frame.document, calls)
  const texts = new Map(guides.map(({ name, title, text }) => [name, { title, text }]))
  const sum = (count: (page: PageOfContract) => number) => rows.reduce((total, row) => total + count(row), 0)
  return framedPage(
    'Parity',
    frame,
    html`<p>Each rule of the <a href="/docs/guides">guides</a> has its source: the founding document, public documentation or a public client of the same API, or a choice of ours where
both are silent. A rule with several sources counts for each. ${sum(({ called }) => called)} of ${sum(({ operations }) => operations.length)} operations are called in the tests by public clients,
which know nothing of this server. Operations that are not built are in no list.</p>
<table><thead><tr><th>Guide</th><th>Operations</th><th>Called by a public client</th><th>Spec</th><th>Documented</th><th>Our choice</th></tr></thead>
<tbody>${rows.map((row) => pageRow(row, texts.get(row.page)))}</tbody></table>
${rows.map(({ page, operations }) => operationList(texts.get(page)?.title ?? page, operations))}`,
  )
}

interface ListedOperation {
  method: string
  path: string
  tag: string
  summary: string
  operationId: string
  isCalled: boolean
}

interface PageOfContract {
  page: string
  operations: ListedOperation[]
  called: number
}

/** The pages of operations, in the order of the document. */
function pagesIn({ paths }: ApiDocument, calls: ReadonlySet<string>): PageOfContract[] {
  const found = new Map<string, ListedOperation[]>()
  for (const [path, methods] of Object.entries(paths)) {
    const below = path.replace('/stores/{store_hash}', '')
    const [page = ''] = guidesOf(below) ?? []
    for (const [method, { summary, operationId, tags }] of Object.entries(methods)) {
      const isCalled = calls.has(`${method.toUpperCase()} ${below}`)
      const operation = { method, path: below, tag: tags[0] ?? '', summary, operationId, isCalled }
      found.set(page, [...(found.get(page) ?? []), operation])
    }
  }
  return [...found].map(([page, operations]) => ({
    page,
    operations,
    called: operations.filter(({ isCalled }) => isCalled).length,
  }))
}

function pageRow(
  { page, operations, called }: PageOfContract,
  guide: Pick<Guide, 'title' | 'text'> | undefined,
): Markup {
  const { spec, documented, ours } = marksOf(guide?.text ?? '')
  const name = guide?.title ?? page
  return html`<tr><td><a href="/docs/guides/${page}">${name}</a></td><td><a href="#${slugOf(name)}">${operations.length}</a></td><td>${called}</td>
<td>${spec}</td><td>${documented}</td><td>${ours}</td></tr>`
}

const operationList = (title: string, operations: readonly ListedOperation[]): Markup =>
  html`<details class="fold" id="${slugOf(title)}"><summary><h2>${title}</h2> <span class="quiet">${operations.length}</span></summary>
<div class="inner"><ul class="plain">${operations.map(
    ({ method, path, tag, summary, operationId, isCalled }) =>
      html`<li>${methodMark(method)} <a href="/docs/${slugOf(tag)}#${operationId}">${summary}</a> <span class="path">${path}</span>${isCalled ? html` <span class="quiet">called by a public client</span>` : ''}</li>`,
  )}</ul></div></details>`
