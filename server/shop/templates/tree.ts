/** The tree of a template. It has only the elements listed here. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly value: TemplateValue; readonly isEscaped: boolean }
  | {
      readonly kind: 'block'
      readonly helper: BlockHelper
      readonly subject: TemplateValue
      /** `{{#if count includeZero=true}}`: zero counts as something. */
      readonly includeZero: TemplateValue | undefined
      /** The names behind `as |item index|`. */
      readonly names: readonly string[]
      readonly body: readonly TemplatePiece[]
      readonly otherwise: readonly TemplatePiece[]
    }

export type TemplateValue =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  /** `a.b`, `../a.b`: of the context, or of one that many levels up. */
  | { readonly kind: 'path'; readonly up: number; readonly names: readonly string[] }
  /** `@index`, `@../index`, `@root.a`. */
  | { readonly kind: 'data'; readonly up: number; readonly names: readonly string[] }
  /** A path that may begin with a name given by `as |item|`. */
  | { readonly kind: 'named'; readonly name: string; readonly names: readonly string[] }
  | {
      readonly kind: 'call'
      readonly helper: InlineHelper
      readonly values: readonly TemplateValue[]
      readonly named: readonly (readonly [name: string, value: TemplateValue])[]
    }

export const BLOCK_HELPERS = ['if', 'unless', 'each', 'with'] as const
export type BlockHelper = (typeof BLOCK_HELPERS)[number]

/** The renderer has these; a work names those that its templates may use. */
export const INLINE_HELPERS = ['lang', 'eq', 'ne', 'gt', 'lt', 'and', 'or', 'not', 'lookup'] as const
export type InlineHelper = (typeof INLINE_HELPERS)[number]
