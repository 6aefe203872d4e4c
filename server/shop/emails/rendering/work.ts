import { parse, TemplateMistake } from './parse.ts'
import { type Bounds, type Context, Rendering, type Translation } from './render.ts'
import { textFrom } from './text.ts'
import type { TemplatePiece, TemplateValue } from './tree.ts'

/** A template and its data. It is JSON, because it is sent to another process. */
export interface Work {
  subject: string
  body: string
  translations: readonly Translation[]
  /** The locale of the message, whose phrases are preferred. */
  locale: string
  context: Context
  bounds: Bounds
}

export interface Rendered {
  subject: string
  html: string
  text: string
  /** The phrases that the template names by a text of its own. */
  phrases: string[]
}

/** Mistakes in a template by field. */
type Faults = { subject?: string; body?: string }

export type RenderingOutcome = { ok: true; mail: Rendered } | { ok: false; faults: Faults }

/** Renders an e-mail from any template. The caller limits the time. */
export function render(work: Work): RenderingOutcome {
  const faults: Faults = {}
  const attempt = <T>(field: keyof Faults, action: () => T): T | undefined => {
    try {
      return action()
    } catch (error) {
      if (!(error instanceof TemplateMistake || error instanceof RangeError)) throw error
      faults[field] = error instanceof TemplateMistake ? error.message : 'rendering goes too deep'
      return undefined
    }
  }
  const body = attempt('body', () => parse(work.body, { allowsRaw: true }))
  const subject = attempt('subject', () => parse(work.subject, { allowsRaw: false }))
  const rendering = new Rendering(withTranslations(work), work.translations, work.locale, work.bounds)
  // Always one line, because a mail header has no entities.
  const line =
    subject && attempt('subject', () => rendering.print(plain(subject)).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' '))
  const html = body && attempt('body', () => rendering.print(body))
  if (line === undefined || html === undefined || subject === undefined || body === undefined)
    return { ok: false, faults }
  const phrases = [...new Set([...phrasesIn(subject), ...phrasesIn(body)])]
  return { ok: true, mail: { subject: line.trim(), html, text: textFrom(html), phrases } }
}

/** Templates can also name phrases by locale: `translations.en.title`. */
const withTranslations = ({ context, translations }: Work): Context => ({
  ...context,
  translations: Object.fromEntries(translations.map(({ locale, keys }) => [locale, keys])),
})

/** The same pieces without escaping: a subject is text and no HTML. */
const plain = (pieces: readonly TemplatePiece[]): TemplatePiece[] =>
  pieces.map((piece) => {
    if (piece.kind === 'print') return { ...piece, isEscaped: false }
    if (piece.kind === 'block') return { ...piece, body: plain(piece.body), otherwise: plain(piece.otherwise) }
    return piece
  })

/** The names that stand literally behind `lang`. */
function* phrasesIn(pieces: readonly TemplatePiece[]): Generator<string> {
  for (const piece of pieces) {
    if (piece.kind === 'text') continue
    if (piece.kind === 'print') {
      yield* phrasesOf(piece.value)
      continue
    }
    yield* phrasesOf(piece.subject)
    yield* phrasesIn(piece.body)
    yield* phrasesIn(piece.otherwise)
  }
}

function* phrasesOf(value: TemplateValue): Generator<string> {
  if (value.kind !== 'call') return
  const [first] = value.values
  if (value.helper === 'lang' && first?.kind === 'literal') yield String(first.value)
  for (const one of value.values) yield* phrasesOf(one)
  for (const [, one] of value.named) yield* phrasesOf(one)
}
