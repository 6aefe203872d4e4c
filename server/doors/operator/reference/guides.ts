import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { html, type Markup } from '../../../core/markup.ts'
import { packagePath } from '../../../core/package.ts'
import { headingId } from './scripts/search-script.js'

/** A page of docs/contract, or one of a library. */
export interface Guide {
  name: string
  title: string
  text: string
}

/** The guides, in the order of their names. An installation without the folder of the docs has none. */
export async function readGuides(): Promise<Guide[]> {
  const folder = packagePath('guides')
  const files = (await readdir(folder).catch(() => [])).filter((file) => /^[\w-]+\.md$/.test(file))
  const places = [...files.map((file) => join(folder, file)), ...BESIDE.map((guide) => packagePath(guide))]
  const names = new Map(places.map((place) => [place, basename(place, '.md')]))
  const read = [...names].map(async ([place, name]) => {
    const text = await readFile(place, 'utf8')
    const title = (/^# (.*)$/m.exec(text)?.[1] ?? name).replaceAll('`', '')
    return { name, title, text: withoutOtherLinks(text, (target) => names.get(join(dirname(place), target))) }
  })
  const guides = files.length === 0 ? [] : await Promise.all(read)
  return guides.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Guides outside of the folder. */
const BESIDE = ['clientGuide', 'testingGuide'] as const

/** A text whose links to other pages lead to guides. Links to pages that are no guides become text. */
const withoutOtherLinks = (text: string, guideAt: (target: string) => string | undefined): string =>
  text.replaceAll(/\[([^\]]+)\]\(([\w./-]+\.md)(#[\w-]+)?\)/g, (_, label: string, target: string, anchor = '') => {
    const name = guideAt(target)
    return name === undefined ? label : `[${label}](${name}.md${anchor})`
  })

/** The guides that a newcomer reads first, in this order. */
const FIRST = [
  'first-steps',
  'auth',
  'conventions',
  'limits',
  'webhook-steps',
  'webhooks',
  'client',
  'testing',
  'files',
  'order-steps',
  'refunds',
  'shopper-steps',
  'storefront-tokens',
  'storefront-graphql',
  'b2b',
  'b2b-graphql',
]

/** The guides in the order in which they are listed. */
export function orderedGuides(guides: readonly Guide[]): { first: Guide[]; others: Guide[] } {
  const first = FIRST.flatMap((name) => guides.filter((guide) => guide.name === name))
  return { first, others: guides.filter((guide) => !first.includes(guide)) }
}

/** Sections beyond these are folded, so that a long page can be overseen. A short page is open as a whole. */
const OPEN_SECTIONS = 3
const SHORT_PAGE = 6_000

/**
 * The markup of a guide: headings, paragraphs, lists, tables and code, which is all that docs/contract uses. Sections are folded from the
 * fourth on, and calls can be sent from the page.
 */
export function guideMarkup(text: string): Markup[] {
  const [head = '', ...written] = text.split(/^(?=## )/m)
  // The sources of a page interest its authors. Readers come for the operations.
  const isAboutPage = (section: string) => section.startsWith('## About this page')
  const sections = [...written.filter((one) => !isAboutPage(one)), ...written.filter(isAboutPage)]
  return [
    ...blocksOf(head),
    ...sections.map((section, i) => {
      const [, heading = ''] = /^## (.*)$/m.exec(section) ?? []
      const isOpen = (i < OPEN_SECTIONS || text.length < SHORT_PAGE) && !isAboutPage(section)
      return html`<details class="fold" id="${headingId(heading)}" ${isOpen ? 'open' : ''}><summary><h2>${inline(heading)}</h2></summary><div class="inner">${blocksOf(section.replace(/^## .*\n/, ''))}</div></details>`
    }),
  ]
}

function blocksOf(text: string): Markup[] {
  const blocks: Markup[] = []
  const lines = text.split('\n')
  let at = 0
  let after: string | undefined
  const takeWhile = (belongs: (line: string) => boolean) => {
    const start = at
    while (at < lines.length && belongs(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, marks = '', heading = ''] = /^(#+) (.*)$/.exec(line) ?? []
    const [, step] = STEP_BEFORE.exec(line) ?? []
    if (step !== undefined) after = step
    if (line.trim() === '' || step !== undefined) at++
    else if (marks !== '') {
      at++
      if (marks !== '#') blocks.push(html`<h3 id="${headingId(heading)}">${inline(heading)}</h3>`)
    } else if (line.startsWith('```')) {
      at++
      const code = takeWhile((one) => !one.startsWith('```'))
      at++
      blocks.push(html`<pre tabindex="0">${code.join('\n')}</pre>`, ...code.flatMap((one) => callForm(one, after)))
      after = undefined
    } else if (line.startsWith('|')) blocks.push(table(takeWhile((one) => one.startsWith('|'))))
    else if (isItem(line)) blocks.push(list(takeWhile((one) => isItem(one) || /^\s+\S/.test(one))))
    else blocks.push(html`<p>${inline(takeWhile((one) => isText(one)).join(' '))}</p>`)
  }
  return blocks
}

/** A line above a call: the heading of the step that must be sent before it. Viewers of Markdown hide it. */
const STEP_BEFORE = /^<!-- after: ([\w-]+) -->$/

/** A command of an example, as README.md of docs/contract describes them. */
const CALL =
  /^curl -s (?:-X (\w+) )?"\$(STORE|B2B|SHOP)(\/[^"$]+)" -H "(?:\$AUTH|Authorization: Bearer \$SHOP_TOKEN)"(?: -H "\$HASH")?(?: (?:--json|-d) '(.+)')?((?: -F \w+=\S+)*)$/

/** The addresses below which calls have their paths, by the variable of a command. */
const SIDES = { STORE: '/stores/{store_hash}', B2B: '/b2b', SHOP: '/storefront/{store_hash}' } as const

const isSide = (name: string): name is keyof typeof SIDES => Object.hasOwn(SIDES, name)

/** A call of a guide. */
interface GuideCall {
  method: string
  side: keyof typeof SIDES
  /** Below the address of its side. */
  path: string
  body: string | undefined
  /** The parts of a form; empty for other calls. */
  parts: FormPart[]
}

/** A part of a form: a text, or a file by its name. */
interface FormPart {
  name: string
  value: string
  isFile: boolean
}

/** @returns the call of a line; undefined for other lines */
export function callOf(line: string): GuideCall | undefined {
  const [, method, side = '', path, body, form = ''] = CALL.exec(line) ?? []
  if (path === undefined || !isSide(side)) return undefined
  const parts = [...form.matchAll(/-F (\w+)=(@?)(\S+)/g)].map(([, name = '', file, value = '']) => ({
    name,
    value,
    isFile: file === '@',
  }))
  const isRead = body === undefined && parts.length === 0
  return { method: method ?? (isRead ? 'GET' : 'POST'), side, path, body, parts }
}

/** A form that sends the call of a line; nothing for other lines. @param after the id of the step that must be sent before it */
function callForm(line: string, after: string | undefined): Markup[] {
  const call = callOf(line)
  if (!call) return []
  const { method, side, path, body, parts } = call
  const type = parts.length > 0 ? 'multipart/form-data' : body === undefined ? '' : 'application/json'
  // The script asks for a storefront token and sends that in place of the account's.
  const mark = { STORE: '', B2B: 'data-store-header', SHOP: 'data-storefront' }[side]
  return [
    html`<form data-method="${method}" data-path="${SIDES[side]}${path}" data-type="${type}" ${mark} ${after === undefined ? '' : html`data-after="${after}"`}>
<p><span class="method ${method.toLowerCase()}">${method}</span> <span class="path">${path}</span></p>
${body === undefined ? '' : html`<textarea name="body" aria-label="Body" spellcheck="false">${asLines(body)}</textarea>`}
${parts.map((part) => html`<p><label>${part.name} ${partInput(part)}</label></p>`)}
<p><button>Send</button> <span class="wait quiet" role="status"></span></p><div role="status" class="answer"></div></form>`,
  ]
}

/** The script fills in a file of its own. */
const partInput = ({ name, value, isFile }: FormPart) =>
  isFile
    ? html`<input type="file" name="file:${name}" accept="application/octet-stream">`
    : html`<input name="part:${name}" value="${value}">`

function asLines(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const isItem = (line: string) => /^([-*]|\d+\.) /.test(line)
const isText = (line: string) => line.trim() !== '' && !/^(#+ |```|\||<!-- )/.test(line) && !isItem(line)

function list(lines: readonly string[]): Markup {
  const items: string[] = []
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^\S+ /, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
}

function table([head = '', , ...rows]: readonly string[]): Markup {
  return html`<div class="table"><table><thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`
}

const cellsOf = (row: string) =>
  row
    .slice(1)
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** A line with its code, links and bold words. Links to other guides lead to their pages; links into the code are text. */
function inline(text: string): Markup[] {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/)
  return pieces.map((piece) => {
    if (/^`.+`$/.test(piece)) return html`<code>${piece.slice(1, -1)}</code>`
    if (/^\*\*.+\*\*$/.test(piece)) return html`<b>${inline(piece.slice(2, -2))}</b>`
    const [, label, target = ''] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(piece) ?? []
    if (label === undefined) return html`${piece}`
    const [, page, anchor] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
    if (page !== undefined) return html`<a href="/docs/guides/${page}${anchor ?? ''}">${inline(label)}</a>`
    return target.startsWith('#') ? html`<a href="${target}">${inline(label)}</a>` : html`${inline(label)}`
  })
}
