import { createHash } from 'node:crypto'

/** The headers of a page of ours: it loads and runs nothing. Frames and forms of this server are allowed if the page has some. */
export const pageHeadersFor = (style: string, { frames = false, forms = false } = {}) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    `${frames ? "frame-src 'self'; " : ''}base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

/** A piece of markup that was made here. Everything else is text, and is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | readonly Markup[] | string | number

export const html = (strings: readonly string[], ...pieces: readonly Piece[]): Markup =>
  new Markup(strings.reduce((text, string, i) => text + markup(pieces[i - 1] ?? '') + string))

function markup(piece: Piece): string {
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('')
  return shown(String(piece))
}

/** For the head of a page that allows no picture: browsers ask for no icon then. */
export const NO_ICON = html`<link rel="icon" href="data:,">`

/**
 * A page of ours, whole.
 * @param style as its headers allow it (`pageHeadersFor`)
 * @param head further elements of its head
 */
export const pageText = (title: string, style: string, body: Markup, head: Markup | '' = ''): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${new Markup(style)}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`.text

/** A sentence whose words in backticks are code. */
export const withCode = (text: string): Markup[] =>
  text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))

/** Text that stays text. Characters that change the direction or are invisible are shown by their numbers. */
const shown = (text: string) =>
  text
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are to be shown
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
