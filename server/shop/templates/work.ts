import { parse, TemplateMistake } from './parse.ts'
import { type Bounds, type Context, Rendering, type Translation } from './render.ts'
import { textFrom } from './text.ts'
import type { InlineHelper, TemplatePiece, TemplateValue } from './tree.ts'

/** A template of a work. */
interface TemplateText {
  text: string
  /** `text` prints values without escaping them, and refuses `{{{ }}}`. */
  prints: 'html' | 'text'
}

/** Templates that share their data and their steps. It is JSON, because it is sent to another process. */
export interface Work {
  /** By field, in the order in which they are rendered. Mistakes are reported by field too. */
  templates: Readonly<Record<string, TemplateText>>
  /** The helpers that print a value. Block helpers are the same for all templates. */
  helpers: readonly InlineHelper[]
  translations: readonly Translation[]
  /** The locale of the output, whose phrases are preferred. */
  locale: string
  context: Context
  bounds: Bounds
  /** The field whose output is also converted to plain text. */
  plainTextOf?: string
}

interface Rendered {
  /** By field. */
  outputs: Readonly<Record<string, string>>
  /** Empty if the work asks for none. */
  plainText: string
  /** The phrases that templates name by a text of their own. */
  phrases: readonly string[]
}

export type RenderingOutcome =
  | { ok: true; rendered: Rendered }
  | {
      ok: false
      /** Mistakes by field. */
      faults: Readonly<Record<string, string>>
    }

/** Renders any templates. The caller limits the time. */
export function render({ templates, helpers, plainTextOf, ...work }: Work): RenderingOutcome {
  const faults: Record<string, string> = {}
  const attempt = <T>(field: string, action: () => T): T | undefined => {
    try {
      return action()
    } catch (error) {
      if (!(error instanceof TemplateMistake || error instanceof RangeError)) throw error
      faults[field] = error instanceof TemplateMistake ? error.message : 'rendering goes too deep'
      return undefined
    }
  }
  const trees = Object.entries(templates).flatMap(([field, { text, prints }]) => {
    const pieces = attempt(field, () => parse(text, { allowsRaw: prints === 'html', helpers }))
    return pieces ? [{ field, pieces: prints === 'html' ? pieces : withoutEscaping(pieces) }] : []
  })
  const rendering = new Rendering(work.context, work.translations, work.locale, work.bounds)
  const outputs = trees.map(
    ({ field, pieces }) => [field, attempt(field, () => rendering.print(pieces)) ?? ''] as const,
  )
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  const rendered = Object.fromEntries(outputs)
  const plainText = plainTextOf === undefined ? '' : textFrom(rendered[plainTextOf] ?? '')
  const phrases = [...new Set(trees.flatMap(({ pieces }) => [...phrasesIn(pieces)]))]
  return { ok: true, rendered: { outputs: rendered, plainText, phrases } }
}

const withoutEscaping = (pieces: readonly TemplatePiece[]): TemplatePiece[] =>
  pieces.map((piece) => {
    if (piece.kind === 'print') return { ...piece, isEscaped: false }
    if (piece.kind !== 'block') return piece
    return { ...piece, body: withoutEscaping(piece.body), otherwise: withoutEscaping(piece.otherwise) }
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
