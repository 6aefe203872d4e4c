import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { html, type Markup } from '../../../core/markup.ts'
import { packagePath } from '../../../core/package.ts'

/** A page of docs/contract. */
export interface Guide {
  name: string
  title: string
  text: string
}

/** The guides, in the order of their names. An installation without the folder of the docs has none. */
export async function readGuides(): Promise<Guide[]> {
  const folder = packagePath('guides')
  const files = await readdir(folder).catch(() => [])
  const pages = files.filter((file) => /^[\w-]+\.md$/.test(file)).toSorted()
  return Promise.all(
    pages.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return { name: file.replace('.md', ''), title: (/^# (.*)$/m.exec(text)?.[1] ?? file).replaceAll('`', ''), text }
    }),
  )
}

/** The id of a heading, as GitHub makes it. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')

/** The markup of a guide: headings, paragraphs, lists, tables and code, which is all that docs/contract uses. */
export function guideMarkup(text: string): Markup[] {
  const blocks: Markup[] = []
  const lines = text.split('\n')
  let at = 0
  const takeWhile = (belongs: (line: string) => boolean) => {
    const start = at
    while (at < lines.length && belongs(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, marks = '', heading = ''] = /^(#+) (.*)$/.exec(line) ?? []
    if (line.trim() === '') at++
    else if (marks !== '') {
      at++
      if (marks !== '#') blocks.push(html`<h2 id="${idOf(heading)}">${inline(heading)}</h2>`)
    } else if (line.startsWith('```')) {
      at++
      const code = takeWhile((one) => !one.startsWith('```'))
      at++
      blocks.push(html`<pre>${code.join('\n')}</pre>`)
    } else if (line.startsWith('|')) blocks.push(table(takeWhile((one) => one.startsWith('|'))))
    else if (isItem(line)) blocks.push(list(takeWhile((one) => isItem(one) || /^\s+\S/.test(one))))
    else blocks.push(html`<p>${inline(takeWhile((one) => isText(one)).join(' '))}</p>`)
  }
  return blocks
}

const isItem = (line: string) => /^([-*]|\d+\.) /.test(line)
const isText = (line: string) => line.trim() !== '' && !/^(#+ |```|\|)/.test(line) && !isItem(line)

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
