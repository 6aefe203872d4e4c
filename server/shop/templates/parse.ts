import Handlebars from 'handlebars'
import { BLOCK_HELPERS, type BlockHelper, type InlineHelper, type TemplatePiece, type TemplateValue } from './tree.ts'

const DEPTH_MAX = 20
const NODES_MAX = 2_000

/** Names that lead from JavaScript objects to their classes. No context has them, so only an attack uses them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** A mistake in a template and its position, as a sentence for the answer. */
export class TemplateMistake extends Error {
  /**
   * Of several mistakes the one with the lowest rank is reported (docs/contract/email-templates.md section 4, the order of the
   * checks).
   */
  readonly rank: number

  constructor(sentence: string, { rank = 0, at }: { rank?: number; at?: TextPosition | undefined } = {}) {
    super(at ? `line ${at.line}, column ${at.column + 1}: ${sentence}` : sentence)
    this.rank = rank
  }
}

/** The parts of Handlebars that differ between templates. */
export interface TemplateLanguage {
  /** Whether `{{{ }}}` may print without escaping. */
  allowsRaw: boolean
  helpers: readonly InlineHelper[]
}

/** A position in a template. */
interface TextPosition {
  line: number
  /** Of the first character: 0. */
  column: number
}

const RANKS = { helper: 1, syntax: 2, size: 3 } as const

/**
 * Reads a template. Handlebars parses it; then its tree is translated into ours, which has no partials, decorators and unknown
 * helpers, because these could reach beyond the template's data.
 * @throws TemplateMistake
 */
export function parse(text: string, language: TemplateLanguage): readonly TemplatePiece[] {
  refuseSize(text)
  const program = programOf(text)
  const translation = new Translation(language)
  const pieces = translation.pieces(program, [])
  const [first] = translation.mistakes.toSorted((a, b) => a.rank - b.rank)
  if (first) throw first
  return pieces
}

/**
 * Estimates the size of a template before it is parsed: Handlebars takes 3 s for 2,000 nested blocks, and 43 s for 5,000 nested
 * parentheses. The time limit of the renderer stops templates that pass this check.
 */
function refuseSize(text: string) {
  let nodes = 0
  let depth = 0
  for (const [tag] of text.matchAll(/\{\{[^}]*/g)) {
    if (/^\{\{~?!/.test(tag)) continue
    nodes += tag.match(/[^\s.()/={}]+/g)?.length ?? 0
    if (/^\{\{(\{\{|~?[#^]~?\s*[^\s~}])/.test(tag)) depth++
    if (/^\{\{~?\//.test(tag)) depth--
    if (depth + deepestParenthesis(tag) > DEPTH_MAX) throw tooDeep()
    if (nodes > NODES_MAX) throw tooLarge()
  }
}

function deepestParenthesis(tag: string): number {
  let depth = 0
  let deepest = 0
  for (const [mark] of tag.matchAll(/[()]/g)) {
    depth += mark === '(' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const tooDeep = (at?: TextPosition) =>
  new TemplateMistake(`blocks are nested more than ${DEPTH_MAX} deep`, { rank: RANKS.size, at })
const tooLarge = () => new TemplateMistake(`the template has more than ${NODES_MAX} expressions`, { rank: RANKS.size })

function programOf(text: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text)
  } catch (error) {
    // Far too deep for the parser, in a way that the quick look above does not see.
    if (error instanceof RangeError) throw tooDeep()
    throw new TemplateMistake(sentenceOf(error, text), { at: placeOf(error) })
  }
}

/** A sentence for the author of a template: Handlebars' own words are about its grammar. */
function sentenceOf(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : ''
  const mismatch = /^(.*) doesn't match (.*?) - \d+:\d+$/s.exec(said)
  if (mismatch) return `block ${mismatch[1]} is closed as ${mismatch[2]}`
  if (said.startsWith('Invalid path')) return said.replace(/ - \d+:\d+$/, '').replace('Invalid', 'invalid')
  if (/got 'EOF'$/.test(said)) {
    const open = lastOpenBlock(text)
    return open === undefined ? 'an expression is not closed' : `block ${open} is not closed`
  }
  if (said.startsWith('Lexical error') || /got 'INVALID'$/.test(said)) {
    return 'an expression is not closed, or has a character that it may not have'
  }
  const got = /got '([A-Z_]+)'$/.exec(said)?.[1]
  if (got === 'OPEN_ENDBLOCK') return 'a block is closed that is not open'
  return 'an expression is not well formed'
}

/** The name of the block that a template ends in. */
function lastOpenBlock(text: string): string | undefined {
  const open: string[] = []
  for (const [, mark, name = ''] of text.matchAll(/\{\{~?([#^/])~?\s*([\w.@-]+)/g)) {
    if (mark === '/') open.pop()
    else open.push(name)
  }
  return open.at(-1)
}

interface Lexer {
  yylloc: { last_line: number; first_line: number; first_column: number }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const hasLexer = (parser: unknown): parser is { lexer: Lexer } => isObject(parser) && 'lexer' in parser

/** The parser reports a line and no column. Its lexer still has the position where it stopped. */
function placeOf(error: unknown): TextPosition | undefined {
  if (error instanceof Handlebars.Exception && typeof error.lineNumber === 'number') {
    return { line: error.lineNumber, column: Number(error.column) }
  }
  const parser: unknown = Reflect.get(Handlebars, 'Parser')
  if (!hasLexer(parser)) return undefined
  const { first_line, first_column } = parser.lexer.yylloc
  return { line: first_line, column: first_column }
}

// Handlebars' types know a node by the text of its type only.
const isText = (node: hbs.AST.Node): node is hbs.AST.ContentStatement => node.type === 'ContentStatement'
const isPrint = (node: hbs.AST.Node): node is hbs.AST.MustacheStatement => node.type === 'MustacheStatement'
const isBlock = (node: hbs.AST.Node): node is hbs.AST.BlockStatement => node.type === 'BlockStatement'
const isPath = (node: hbs.AST.Node): node is hbs.AST.PathExpression => node.type === 'PathExpression'
const isCall = (node: hbs.AST.Node): node is hbs.AST.SubExpression => node.type === 'SubExpression'
const isLiteral = (
  node: hbs.AST.Node,
): node is hbs.AST.StringLiteral | hbs.AST.NumberLiteral | hbs.AST.BooleanLiteral =>
  node.type === 'StringLiteral' || node.type === 'NumberLiteral' || node.type === 'BooleanLiteral'

const isBlockHelper = (name: string): name is BlockHelper => BLOCK_HELPERS.some((helper) => helper === name)

const ARGUMENTS: Readonly<Record<InlineHelper, readonly [min: number, max: number]>> = {
  lang: [1, 1],
  eq: [2, 2],
  ne: [2, 2],
  gt: [2, 2],
  lt: [2, 2],
  and: [1, 10],
  or: [1, 10],
  not: [1, 1],
  lookup: [2, 2],
}

const NOTHING: TemplateValue = { kind: 'literal', value: undefined }

interface Call {
  path: hbs.AST.Node
  params: hbs.AST.Expression[]
  hash?: hbs.AST.Hash
  loc: hbs.AST.SourceLocation
}

/** Translates the tree of Handlebars into ours, and collects unsupported elements. */
class Translation {
  readonly mistakes: TemplateMistake[] = []
  readonly #language: TemplateLanguage
  #nodes = 0
  #depth = 0

  constructor(language: TemplateLanguage) {
    this.#language = language
  }

  /** @param names those that the blocks around it gave with `as |name|` */
  pieces(program: hbs.AST.Program | undefined, names: readonly string[]): TemplatePiece[] {
    return (program?.body ?? []).flatMap((statement) => this.#statement(statement, names))
  }

  #statement(node: hbs.AST.Statement, names: readonly string[]): TemplatePiece[] {
    this.#count()
    if (isText(node)) return node.value === '' ? [] : [{ kind: 'text', text: node.value }]
    if (isPrint(node)) {
      if (!node.escaped && !this.#language.allowsRaw)
        this.#refuse('{{{ }}} may only be used in HTML', node, RANKS.syntax)
      return [{ kind: 'print', value: this.#print(node, names), isEscaped: node.escaped }]
    }
    if (isBlock(node)) return this.#block(node, names)
    if (node.type === 'CommentStatement') return []
    const kind = node.type.startsWith('Partial') ? 'partials ({{> name}})' : 'decorators ({{* name}})'
    this.#refuse(`${kind} are not supported`, node, RANKS.syntax)
    return []
  }

  #block(node: hbs.AST.BlockStatement, names: readonly string[]): TemplatePiece[] {
    const name = nameOf(node.path)
    if (name === undefined || !isBlockHelper(name)) {
      this.#refuse(`there is no block helper ${spellingOf(node.path)}`, node, RANKS.helper)
    } else if (node.params.length !== 1) {
      this.#refuse(`#${name} needs exactly one argument`, node, RANKS.helper)
    }
    // An {{else if}} nests in the tree and not in the text, so it does not count as depth. The number of nodes bounds a chain.
    const isChained = (program: hbs.AST.Program | undefined) =>
      program && 'chained' in program && program.chained === true
    return this.#deeper(node, () => {
      const [subject] = node.params
      const own = node.program?.blockParams ?? node.inverse?.blockParams ?? []
      const values = this.#namedValues(node.hash, names)
      const block = {
        subject: subject ? this.#value(subject, names) : NOTHING,
        includeZero: values.find(([key]) => key === 'includeZero')?.[1],
        names: own,
        body: this.pieces(node.program, [...names, ...own]),
      }
      const otherwise = () => this.pieces(node.inverse, names)
      const kept = isChained(node.inverse) ? this.#shallower(otherwise) : otherwise()
      return name !== undefined && isBlockHelper(name)
        ? [{ kind: 'block', helper: name, ...block, otherwise: kept }]
        : []
    })
  }

  /** An expression between braces: a call if it has arguments or the name of a helper, else a value. */
  #print(node: hbs.AST.MustacheStatement, names: readonly string[]): TemplateValue {
    const name = nameOf(node.path)
    const hasArguments = node.params.length > 0 || (node.hash?.pairs.length ?? 0) > 0
    if (hasArguments || (name !== undefined && (this.#helper(name) || isBlockHelper(name)))) {
      return this.#call(node, names)
    }
    if (isLiteral(node.path)) return this.#lookUp({ names: [String(node.path.value)] }, node, names)
    // {{null}} and {{undefined}} are read as names too.
    return isPath(node.path) ? this.#value(node.path, names) : NOTHING
  }

  #call({ path, params, hash, loc }: Call, names: readonly string[]): TemplateValue {
    const name = nameOf(path)
    const values = params.map((param) => this.#value(param, names))
    const named = this.#namedValues(hash, names)
    const helper = this.#helper(name)
    if (helper) {
      const [min, max] = ARGUMENTS[helper]
      if (values.length < min || values.length > max) {
        this.#refuse(`${helper} needs ${min === max ? min : `${min} to ${max}`} argument${max === 1 ? '' : 's'}`, {
          loc,
        })
      }
      return { kind: 'call', helper, values, named }
    }
    const isMisplaced = name !== undefined && isBlockHelper(name)
    this.#refuse(
      isMisplaced ? `${name} is a block: write {{#${name} ...}}` : `there is no helper ${spellingOf(path)}`,
      {
        loc,
      },
    )
    return NOTHING
  }

  #helper(name: string | undefined): InlineHelper | undefined {
    return this.#language.helpers.find((helper) => helper === name)
  }

  #namedValues(hash: hbs.AST.Hash | undefined, names: readonly string[]): [string, TemplateValue][] {
    return (hash?.pairs ?? []).map(({ key, value }) => {
      this.#count()
      return [key, this.#value(value, names)]
    })
  }

  #value(node: hbs.AST.Expression, names: readonly string[]): TemplateValue {
    this.#count()
    if (isLiteral(node)) return { kind: 'literal', value: node.value }
    if (node.type === 'NullLiteral') return { kind: 'literal', value: null }
    if (isPath(node)) {
      return this.#lookUp(
        { names: node.parts, up: node.depth, isData: node.data, original: node.original },
        node,
        names,
      )
    }
    if (isCall(node)) return this.#deeper(node, () => this.#call(node, names))
    return NOTHING
  }

  #lookUp(
    path: { names: readonly string[]; up?: number; isData?: boolean; original?: string },
    node: { loc: hbs.AST.SourceLocation },
    given: readonly string[],
  ): TemplateValue {
    const { names, up = 0, isData = false, original = '' } = path
    const bad = names.find((name) => FORBIDDEN.has(name))
    if (bad !== undefined) this.#refuse(`${bad} can't be read`, node)
    if (isData) return { kind: 'data', up, names }
    const [first, ...rest] = names
    const isScoped = /^(\.|this\b)/.test(original)
    if (first !== undefined && up === 0 && !isScoped && given.includes(first)) {
      return { kind: 'named', name: first, names: rest }
    }
    return { kind: 'path', up, names }
  }

  #count() {
    this.#nodes++
    if (this.#nodes > NODES_MAX) throw tooLarge()
  }

  #deeper<T>(node: { loc: hbs.AST.SourceLocation }, work: () => T): T {
    this.#depth++
    if (this.#depth > DEPTH_MAX) throw tooDeep(node.loc.start)
    const done = work()
    this.#depth--
    return done
  }

  #shallower<T>(work: () => T): T {
    this.#depth--
    const done = work()
    this.#depth++
    return done
  }

  #refuse(sentence: string, { loc }: { loc: hbs.AST.SourceLocation }, rank: number = RANKS.helper) {
    this.mistakes.push(new TemplateMistake(sentence, { rank, at: loc.start }))
  }
}

/** The name of a helper, which is a single word: `lang`, and neither `a.lang` nor `./lang`. */
function nameOf(path: hbs.AST.Node): string | undefined {
  if (!isPath(path) || path.data || path.depth > 0 || path.parts.length !== 1) return undefined
  const [name] = path.parts
  return name === path.original ? name : undefined
}

const spellingOf = (path: hbs.AST.Node) => (isPath(path) || isLiteral(path) ? `"${path.original}"` : 'of this form')
