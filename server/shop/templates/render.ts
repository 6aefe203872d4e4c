import { TemplateMistake } from './parse.ts'
import type { BlockHelper, InlineHelper, TemplatePiece, TemplateValue } from './tree.ts'

/** The limits of a rendering. A template beyond them is refused. */
export interface Bounds {
  /** Evaluated pieces and values. */
  steps: number
  /** UTF-8 bytes of the output of one template. */
  bytes: number
  /** Processor time in milliseconds. */
  ms: number
}

/** Static texts of a template, by locale. */
export interface Translation {
  locale: string
  keys: Readonly<Record<string, string>>
}

/** The data for a template: JSON. */
export type Context = Readonly<Record<string, unknown>>

interface Scope {
  readonly context: unknown
  /** Around this one: `../`. */
  readonly outer: Scope | undefined
  readonly data: Data
  readonly named: ReadonlyMap<string, unknown>
}

/** `@index` and the like, of one turn of an each. */
interface Data {
  readonly values: Readonly<Record<string, unknown>>
  readonly outer: Data | undefined
}

/**
 * Renders templates that share a context, phrases and steps. It walks the tree and makes no code of it. It reads own properties of
 * JSON values, so it reaches nothing outside the context.
 */
export class Rendering {
  readonly #root: Context
  readonly #phrases: readonly Readonly<Record<string, string>>[]
  readonly #bounds: Bounds
  #steps: number
  #bytes = 0
  #printed: string[] = []

  /** @param locale of the output */
  constructor(context: Context, translations: readonly Translation[], locale: string, bounds: Bounds) {
    this.#root = context
    this.#phrases = chainOf(translations, locale)
    this.#bounds = bounds
    this.#steps = bounds.steps
  }

  /** @throws TemplateMistake beyond a bound */
  print(pieces: readonly TemplatePiece[]): string {
    this.#printed = []
    this.#bytes = this.#bounds.bytes
    const data = { values: { root: this.#root }, outer: undefined }
    this.#pieces(pieces, { context: this.#root, outer: undefined, data, named: new Map() })
    return this.#printed.join('')
  }

  #pieces(pieces: readonly TemplatePiece[], scope: Scope) {
    for (const piece of pieces) {
      this.#step()
      if (piece.kind === 'text') this.#write(piece.text)
      else if (piece.kind === 'block') this.#block(piece, scope)
      else {
        const text = textOf(this.#value(piece.value, scope))
        this.#write(piece.isEscaped ? escaped(text) : text)
      }
    }
  }

  #block(piece: TemplatePiece & { kind: 'block' }, scope: Scope) {
    const subject = this.#value(piece.subject, scope)
    const includeZero = piece.includeZero && this.#value(piece.includeZero, scope)
    const blocks: Record<BlockHelper, () => boolean> = {
      if: () => this.#when(isSomething(subject, includeZero), piece.body, scope),
      unless: () => this.#when(!isSomething(subject, includeZero), piece.body, scope),
      with: () => {
        if (isEmpty(subject)) return false
        this.#pieces(
          piece.body,
          within(scope, { context: subject, data: scope.data, names: piece.names, values: [subject] }),
        )
        return true
      },
      each: () => this.#each(subject, piece, scope),
    }
    if (!blocks[piece.helper]()) this.#pieces(piece.otherwise, scope)
  }

  #when(isSo: boolean, body: readonly TemplatePiece[], scope: Scope): boolean {
    if (isSo) this.#pieces(body, scope)
    return isSo
  }

  #each(subject: unknown, { body, names }: TemplatePiece & { kind: 'block' }, scope: Scope): boolean {
    if (typeof subject !== 'object' || subject === null) return false
    const entries = Array.isArray(subject) ? [...subject.entries()] : Object.entries(subject)
    for (const [index, [key, item]] of entries.entries()) {
      this.#step()
      const turn = { ...scope.data.values, key, index, first: index === 0, last: index === entries.length - 1 }
      this.#pieces(
        body,
        within(scope, { context: item, data: { values: turn, outer: scope.data }, names, values: [item, key] }),
      )
    }
    return entries.length > 0
  }

  #value(value: TemplateValue, scope: Scope): unknown {
    this.#step()
    switch (value.kind) {
      case 'literal':
        return value.value
      case 'path': {
        let at: Scope | undefined = scope
        for (let up = value.up; up > 0 && at; up--) at = at.outer
        return walk(at?.context, value.names)
      }
      case 'data': {
        let at: Data | undefined = scope.data
        for (let up = value.up; up > 0 && at; up--) at = at.outer
        return walk(at?.values, value.names)
      }
      case 'named':
        return walk(scope.named.get(value.name), value.names)
      case 'call': {
        const values = value.values.map((one) => this.#value(one, scope))
        if (value.helper !== 'lang') return helpers[value.helper](values)
        const [name] = values
        const named = new Map(value.named.map(([key, one]) => [key, textOf(this.#value(one, scope))]))
        return this.#phrase(textOf(name), named)
      }
    }
  }

  /** In the first locale of the chain that has the phrase; its name if none has. */
  #phrase(name: string, named: ReadonlyMap<string, string>): string {
    const phrase = this.#phrases.find((keys) => Object.hasOwn(keys, name))?.[name] ?? name
    const filled = phrase.replaceAll(
      /\{\{ *([\w.-]+) *\}\}|\{ *([\w.-]+) *\}/g,
      (whole, twice, once) => named.get(twice ?? once) ?? whole,
    )
    // Filled in again and again, a value could outgrow all bounds before it is written.
    this.#step(Math.ceil(filled.length / 100))
    return filled
  }

  #step(count = 1) {
    this.#steps -= count
    if (this.#steps < 0) throw new TemplateMistake('rendering takes more steps than allowed')
  }

  #write(text: string) {
    this.#bytes -= Buffer.byteLength(text)
    if (this.#bytes < 0) throw new TemplateMistake('the output is longer than allowed')
    this.#printed.push(text)
  }
}

/**
 * Where a phrase is looked for: the locale itself, its language, `en`, then the first that there is
 * (docs/contract/email-templates.md section 4).
 */
function chainOf(translations: readonly Translation[], locale: string) {
  const find = (name: string) => translations.find((one) => one.locale.toLowerCase() === name)
  const wanted = locale.toLowerCase()
  const chain = [find(wanted), find(wanted.split('-')[0] ?? ''), find('en'), translations[0]]
  return chain.flatMap((found) => (found ? [found.keys] : []))
}

/** The context of a block body, and the values of the names behind `as`. */
interface Inner {
  context: unknown
  data: Data
  names: readonly string[]
  values: unknown[]
}

/** The scope of a block body. Handlebars adds a level only if the context changes: an `if` adds none. */
const within = (scope: Scope, { context, data, names, values }: Inner): Scope => ({
  context,
  outer: context === scope.context ? scope.outer : scope,
  data,
  named:
    names.length === 0 ? scope.named : new Map([...scope.named, ...names.map((name, i) => [name, values[i]] as const)]),
})

/** Reads own properties only. Inherited ones belong to JavaScript, and templates must not see them. */
function walk(value: unknown, names: readonly string[]): unknown {
  let found = value
  for (const name of names) {
    if (found === null || found === undefined) return undefined
    const holder: object = Object(found)
    found = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined
  }
  return found
}

const isEmpty = (value: unknown): boolean => (!value && value !== 0) || (Array.isArray(value) && value.length === 0)

const isSomething = (value: unknown, includeZero: unknown): boolean => !((!includeZero && !value) || isEmpty(value))

/** Never asks an object for its own text: JSON may hold a `toString` that is no function. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' ? '[object Object]' : String(value)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
}

const escaped = (text: string) => text.replaceAll(/[&<>"'`=]/g, (character) => ENTITIES[character] ?? character)

const isTrue = (value: unknown) => isSomething(value, false)

/** Of two texts or two numbers; anything else is in no order. */
function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other
  return typeof one === 'string' && typeof other === 'string' && one < other
}

const helpers: Readonly<Record<Exclude<InlineHelper, 'lang'>, (values: readonly unknown[]) => unknown>> = {
  eq: ([one, other]) => one === other,
  ne: ([one, other]) => one !== other,
  gt: ([one, other]) => isLess(other, one),
  lt: ([one, other]) => isLess(one, other),
  and: (values) => values.every(isTrue),
  or: (values) => values.some(isTrue),
  not: ([value]) => !isTrue(value),
  lookup: ([value, name]) => walk(value, [textOf(name)]),
}
