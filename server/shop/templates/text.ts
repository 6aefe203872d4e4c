const HIDDEN = new Set(['head', 'style', 'script', 'title', 'template'])
const LINES = new Set(['br', 'tr', 'table', 'div', 'p', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'hr', 'blockquote'])
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'table', 'ul', 'ol', 'blockquote', 'hr'])

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
}

/** Converts a mail to plain text, for programs without HTML and for spam filters. The address of a link follows its text. */
export function textFrom(html: string): string {
  const lines: string[] = []
  let line = ''
  let link: { href: string; from: number } | undefined
  const endLine = (isParagraph = false) => {
    const text = line.replaceAll(/\s+/g, ' ').trim()
    if (text !== '' || (isParagraph && lines.at(-1) !== '')) lines.push(text)
    if (isParagraph && lines.at(-1) !== '') lines.push('')
    line = ''
    if (link) link.from = 0
  }
  for (const { text, tag } of tokens(html)) {
    if (tag === undefined) {
      line += decoded(text)
      continue
    }
    const { name, isEnd } = tag
    if (LINES.has(name)) {
      endLine(PARAGRAPHS.has(name) && name !== 'table' ? isEnd || name === 'hr' : name === 'table' && isEnd)
      if (name === 'li' && !isEnd) line += '- '
    } else if (name === 'td' || name === 'th') {
      line += ' '
    } else if (name === 'a' && !isEnd) {
      link = { href: hrefOf(text), from: line.length }
    } else if (name === 'a' && link) {
      const { href, from } = link
      if (href !== '' && line.slice(from).trim() !== href) line += ` (${href})`
      link = undefined
    }
  }
  endLine()
  return `${lines.join('\n').trim()}\n`
}

interface Token {
  text: string
  /** Undefined for text between tags. */
  tag?: { name: string; isEnd: boolean }
}

/** Visible tags and the text between them, in one pass from left to right. */
function* tokens(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) return yield { text: html.slice(at) }
    if (open > at) yield { text: html.slice(at, open) }
    const isComment = html.startsWith('<!--', open)
    const close = html.indexOf(isComment ? '-->' : '>', open)
    // An unclosed angle bracket ends the text, because anything may follow.
    if (close === -1) return
    at = close + (isComment ? 3 : 1)
    const text = html.slice(open, at)
    const [, slash, name] = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(text) ?? []
    if (name === undefined) continue
    if (slash === '' && HIDDEN.has(name.toLowerCase())) {
      // Its content may have angle brackets that are not tags.
      const end = new RegExp(`</${name}`, 'gi')
      end.lastIndex = at
      const found = end.exec(html)
      if (!found) return
      at = found.index
    } else yield { text, tag: { name: name.toLowerCase(), isEnd: slash === '/' } }
  }
}

function hrefOf(tag: string): string {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? []
  return decoded(double ?? single ?? '').trim()
}

const decoded = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const point = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : ''
  })
