import { createRequire } from 'node:module'
import type { FastifySchemaCompiler } from 'fastify'
import { closestMatch } from 'leven'
import t, { type Static, type TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { isObject } from '../../objects.ts'
import { unstorableTexts } from '../bodies/body.ts'
import { invalid, Problem, QueryProblem, REPORTED_MAX } from '../problem.ts'
import { amountReader } from './amounts.ts'
import { parseDate, parseUnix } from './dates.ts'
import { NOT_BLANK } from './fields.ts'

/**
 * The part of the library that checks values, of 380 modules: loaded with the first request that has something to check, since a
 * server that starts has other work.
 */
const library = atFirstUse(() => {
  const require = createRequire(import.meta.url)
  const { Compile }: typeof import('typebox/compile') = require('typebox/compile')
  const { Value }: typeof import('typebox/value') = require('typebox/value')
  const { Settings }: typeof import('typebox/system') = require('typebox/system')
  const { Format }: typeof import('typebox/format') = require('typebox/format')
  // The contract wants every failing field of a request at once; the default is 8. Unions are cleaned in the order in which
  // they are written: sorting them by precision took a tenth of the time of a create.
  Settings.Set({ maxErrors: REPORTED_MAX, unionPrioritySort: false })
  // A date in any spelling that filters and bodies accept (docs/contract/conventions.md sections 5 and 12).
  Format.Set('date-time', (text) => parseDate(text) !== undefined)
  Format.Set('date-time-or-unix', (text) => (parseDate(text) ?? parseUnix(text)) !== undefined)
  // An absolute http or https address (docs/contract/conventions.md section 12).
  Format.Set('uri', (text) => URL.canParse(text) && /^https?:\/\//i.test(text))
  return { Compile, Value }
})

const compile = (schema: TSchema) => library().Compile(schema)

/**
 * Fastify's part of the checks: path parameters. Queries and bodies pass here; `queryReader` and `bodyReader` check them later,
 * because the contract wants the query checked before the body, and an Idempotency-Key looked up before both.
 */
export const validator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'params') return () => true
  const check = atFirstUse(() => compile(schema))
  const read = textReader(schema)
  return (input) => {
    const { value } = read(input)
    return check().Check(value) ? { value } : { error: new Problem(404, 'There is nothing at this path.') }
  }
}

/**
 * Reads the texts of a query into the types of its schema: step 14 of docs/contract/conventions.md section 1.
 * @returns a function that throws Problem 422, or 413 for too much. If it is strict, it refuses names that the schema does not have.
 */
export function queryReader(schema: TSchema): (texts: unknown, isStrict?: boolean) => Record<string, unknown> {
  const check = atFirstUse(() => compile(schema))
  const facts: SchemaFacts = schema
  const read = textReader(facts)
  const compared = Object.entries(facts.properties ?? {}).filter(([, { items }]) => items?.isFieldName !== true)
  const comparedNames = compared.map(([name]) => name)
  return (texts, isStrict = false) => {
    const { value, unknown: ignored } = read(texts)
    const unknown = isStrict || facts.additionalProperties === false ? ignored : []
    const withNul = comparedNames.filter((name) => hasNul(value[name]))
    if (unknown.length === 0 && withNul.length === 0 && check().Check(value)) return value
    const names = Object.keys(facts.properties ?? {})
    throw refuseQuery({ errors: check().Errors(value), value, unknown, withNul, names })
  }
}

/**
 * Checks a body and drops the keys that its schema does not name: step 15 of docs/contract/conventions.md section 1.
 * @returns a function that throws Problem 422 with all failing fields, 413 for an array over its maximum, 400 for nothing. If it is
 *   strict, unknown keys are failing fields too.
 */
export function bodyReader(schema: TSchema): (body: unknown, isStrict?: boolean) => unknown {
  if (isOneOrMany(schema)) {
    const [one, many] = schema.anyOf.map(bodyReader)
    return (body, isStrict) => (Array.isArray(body) ? many?.(body, isStrict) : one?.(body, isStrict))
  }
  const { maxItems = Number.POSITIVE_INFINITY }: SchemaFacts = schema
  if (ITEM_BY_ITEM in schema) return (body) => listIn(body, maxItems)
  const read = atFirstUse(() => ({
    check: compile(schema),
    clean: cleaner(schema),
    readAmounts: amountReader(schema),
  }))
  const findErrors = atFirstUse(() => errorFinder(schema))
  const findUnknown = atFirstUse(() => unknownFinder(schema))
  return (body, isStrict) => {
    refuseMissingOrLong(body, maxItems)
    const { check, clean, readAmounts } = read()
    const unknown = new Map<string, string>()
    if (isStrict) findUnknown()?.(body, '', unknown)
    // Drops unknown keys first: their values are no mistakes.
    const known = clean ? clean(body) : body
    readAmounts?.(known)
    const unstorable = unstorableTexts(known)
    if (check.Check(known) && unstorable === undefined && unknown.size === 0) return known
    const errors: TLocalizedValidationError[] = []
    findErrors()(known, '', errors)
    throw refuseBody(errors, known, { ...Object.fromEntries(unknown), ...unstorable })
  }
}

function refuseMissingOrLong(body: unknown, maxItems: number) {
  if (body === undefined) {
    throw new Problem(400, 'The body is missing.', {}, { detail: 'This request needs a JSON body.' })
  }
  // Before anything looks at the items (docs/contract/conventions.md section 1, step 15).
  if (Array.isArray(body) && body.length > maxItems) {
    throw new Problem(413, `At most ${maxItems} objects may be sent at once.`)
  }
}

const ITEM_BY_ITEM = 'isReadItemByItem'

/**
 * A list whose items the handler reads one by one (`itemReader`), so that a faulty item leaves the others as they are. The body itself
 * is only checked to be a list of at most so many items.
 */
export const itemByItem = (item: TSchema, max: number, examples: unknown[]) =>
  t.Unsafe<unknown[]>(t.Array(item, { minItems: 1, maxItems: max, [ITEM_BY_ITEM]: true, examples }))

/** Reads one item of such a list. @returns a function that throws Problem 422 with all failing fields of the item */
export const itemReader = <Item extends TSchema>(item: Item) => bodyReader(item) as ItemReader<Item>

type ItemReader<Item extends TSchema> = (value: unknown, isStrict?: boolean) => Static<Item>

function listIn(body: unknown, maxItems: number): unknown[] {
  refuseMissingOrLong(body, maxItems)
  if (!Array.isArray(body)) throw invalid({ '': 'error.expected.jsarray' })
  if (body.length === 0) throw invalid({ '': 'The body must hold at least 1.' })
  return body
}

/** Compiled at its first use: most routes of a process are never called, and compiling all of them delays its start. */
function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Adds the mistakes of a value, up to the most that a refusal reports. */
type ErrorFinder = (value: unknown, path: string, found: TLocalizedValidationError[]) => void

/**
 * As the library's own list of errors, item by item: the library goes on to the last item after its list is full, and takes a
 * microsecond and 300 bytes for each.
 */
function errorFinder(schema: TSchema): ErrorFinder {
  if (t.IsArray(schema)) return errorsOfList(schema)
  if (t.IsObject(schema) && !('additionalProperties' in schema)) return errorsOfObject(schema)
  return ownErrors(schema)
}

function errorsOfList({ items, ...list }: t.TArray): ErrorFinder {
  const check = compile(items)
  const [ofList, ofItem] = [ownErrors(list), errorFinder(items)]
  return (value, path, found) => {
    ofList(value, path, found)
    if (!Array.isArray(value)) return
    for (let i = 0; i < value.length && found.length < REPORTED_MAX; i++) {
      if (!check.Check(value[i])) ofItem(value[i], `${path}/${i}`, found)
    }
  }
}

function errorsOfObject({ properties, ...object }: t.TObject): ErrorFinder {
  const ofObject = ownErrors(object)
  const ofProperties = Object.entries(properties).map(([name, property]) => ({ name, find: errorFinder(property) }))
  return (value, path, found) => {
    ofObject(value, path, found)
    if (Array.isArray(value)) return
    for (const { name, find } of ofProperties) {
      const item = child(value, name)
      if (item !== undefined) find(item, `${path}/${name}`, found)
    }
  }
}

const ownErrors =
  (schema: TSchema): ErrorFinder =>
  (value, path, found) => {
    for (const error of library().Value.Errors(schema, value))
      found.push({ ...error, instancePath: `${path}${error.instancePath}` })
  }

const ONE_OR_MANY = 'isOneOrMany'

/** A body that is one item or a list of items: it is checked in its form, and the paths of its fields follow that form. */
export const oneOrMany = <One extends TSchema>(one: One, max: number, examples: unknown[]) =>
  t.Union([one, t.Array(one, { minItems: 1, maxItems: max })], { [ONE_OR_MANY]: true, examples })

/** A body that is one item, or a list whose items the handler reads one by one (`itemByItem`). */
export const oneOrEach = <One extends TSchema>(one: One, max: number, examples: unknown[]) =>
  t.Union([one, itemByItem(one, max, [])], { [ONE_OR_MANY]: true, examples })

const isOneOrMany = (schema: TSchema): schema is TSchema & { anyOf: [TSchema, TSchema] } => ONE_OR_MANY in schema

/**
 * Drops fields that a schema does not name. `Value.Clean` does the same, and examines the schema again for each body.
 * @returns undefined if nothing can be dropped
 */
function cleaner(schema: TSchema): ((value: unknown) => unknown) | undefined {
  if (t.IsArray(schema)) {
    const clean = cleaner(schema.items)
    if (!clean) return undefined
    return (value) => {
      if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = clean(value[i])
      return value
    }
  }
  if (t.IsObject(schema) && !('additionalProperties' in schema)) return objectCleaner(schema)
  const isPlain = t.IsString(schema) || t.IsNumber(schema) || t.IsInteger(schema) || t.IsBoolean(schema)
  return isPlain ? undefined : (value) => library().Value.Clean(schema, value)
}

function objectCleaner({ properties }: t.TObject): (value: unknown) => unknown {
  const cleaners = new Map(Object.entries(properties).map(([name, property]) => [name, cleaner(property)]))
  return (value) => {
    if (!isObject(value)) return value
    let isKnown = true
    for (const name in value) {
      const clean = cleaners.get(name)
      if (clean) value[name] = clean(value[name])
      else isKnown &&= cleaners.has(name)
    }
    if (isKnown) return value
    // A new object: one that loses keys is slow from then on.
    return Object.fromEntries(Object.entries(value).filter(([name]) => cleaners.has(name)))
  }
}

/** Adds the fields of a value that a schema does not name, by path, up to the most that a refusal reports. */
type UnknownFinder = (value: unknown, path: string, found: Map<string, string>) => void

/** @returns undefined if there can be none, or if several objects match */
function unknownFinder(schema: TSchema): UnknownFinder | undefined {
  if (t.IsArray(schema)) {
    const find = unknownFinder(schema.items)
    if (!find) return undefined
    return (value, path, found) => {
      if (!Array.isArray(value)) return
      for (let i = 0; i < value.length && found.size < REPORTED_MAX; i++) find(value[i], `${path}${i}.`, found)
    }
  }
  if (t.IsUnion(schema)) {
    const [find, ...others] = schema.anyOf.flatMap((branch) => unknownFinder(branch) ?? [])
    return others.length === 0 ? find : undefined
  }
  return t.IsObject(schema) && !('additionalProperties' in schema) ? unknownFinderOfObject(schema) : undefined
}

function unknownFinderOfObject({ properties }: t.TObject): UnknownFinder {
  const finders = new Map(Object.entries(properties).map(([name, property]) => [name, unknownFinder(property)]))
  const names = [...finders.keys()]
  return (value, path, found) => {
    if (!isObject(value)) return
    for (const [name, item] of Object.entries(value)) {
      if (found.size >= REPORTED_MAX) return
      if (finders.has(name)) finders.get(name)?.(item, `${path}${name}.`, found)
      else found.set(`${path}${name}`, unknownSentence(found.size < HINTS_MAX ? nearest(name, names) : undefined))
    }
  }
}

const unknownSentence = (meant: string | undefined) =>
  meant === undefined ? 'There is no such field.' : `There is no such field; did you mean ${meant}?`

/** The parts of a schema that the readers below need. */
interface SchemaFacts {
  type?: string
  properties?: Record<string, SchemaFacts>
  items?: SchemaFacts
  default?: unknown
  additionalProperties?: boolean
  maxItems?: number
  /** Whether it names a field of the answer: unknown names are ignored, and none is compared with stored texts. */
  isFieldName?: boolean
}

/**
 * Reads the texts of a query or path into the types of their schema. The last of a repeated scalar wins; arrays are comma lists,
 * and repeats are united. Unknown names are returned.
 */
function textReader(schema: SchemaFacts) {
  const properties = new Map(Object.entries(schema.properties ?? {}))
  const defaults = [...properties].filter(([, property]) => property.default !== undefined)
  return (input: unknown) => {
    const value: Record<string, unknown> = {}
    const unknown: string[] = []
    // In the order of the request, which is that of its links too.
    for (const [name, given] of Object.entries(input as Record<string, string | string[]>)) {
      const property = properties.get(name)
      if (property) {
        const typed = fromText(property, given)
        if (typed !== undefined) value[name] = typed
      } else unknown.push(name)
    }
    for (const [name, property] of defaults) value[name] ??= property.default
    return { value, unknown }
  }
}

function fromText(property: SchemaFacts, given: string | string[]): unknown {
  if (property.type === 'array') {
    const items = (Array.isArray(given) ? given : [given]).flatMap((list) => list.split(',')).map((item) => item.trim())
    // A list that is empty as a whole is an absent parameter where the schema allows that, and refused where it does not.
    if (items.every((item) => item === '')) return 'minItems' in property ? [] : undefined
    return [...new Set(items)].map((item) => scalar(property.items ?? {}, item))
  }
  const last = Array.isArray(given) ? given.at(-1) : given
  return scalar(property, last ?? '')
}

/** The words of a truth in a query or a form. Python's clients write them with a capital. */
export const truths: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  '1': true,
  false: false,
  False: false,
  '0': false,
}

/** Malformed values stay text, so that the check refuses them and can quote them. */
function scalar({ type }: SchemaFacts, text: string): unknown {
  // An integer of any length is one, and too large for its bounds: a `limit` of 20 digits is 413, not 422.
  if (type === 'integer') return /^-?\d{1,300}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return Object.hasOwn(truths, text) ? truths[text] : text
  return text
}

/** Whether a text or a list has U+0000. No stored text has it, and PostgreSQL refuses a statement with it. */
const hasNul = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : Array.isArray(value) && value.some(hasNul)

interface RefusedQuery {
  errors: TLocalizedValidationError[]
  value: unknown
  /** Names that the schema does not have. */
  unknown: readonly string[]
  withNul: readonly string[]
  /** All names of the schema. */
  names: readonly string[]
}

/** A query is refused in the title, which names every parameter and its bad input; `errors` stays empty (conventions.md section 3). */
function refuseQuery({ errors, value, unknown, withNul, names }: RefusedQuery): Problem {
  const issues = withoutUnions(errors)
  const described = issues.flatMap((issue) => messages(issue, value, wrongText))
  const undescribed = withNul.filter((name) => described.every(([path]) => path.split('.')[0] !== name))
  const faults = [...described, ...undescribed.map((name) => [name, `${name} must not hold U+0000.`] as const)]
  const sentences = [
    ...(unknown.length === 1 ? [`${show(unknown[0])} is not a parameter here`] : []),
    ...(unknown.length > 1 ? [`${unknown.map(show).join(', ')} are not parameters here`] : []),
    ...faults.map(([name, sentence]) => (sentence === MISSING ? `${name} is missing` : sentence.replace(/\.$/, ''))),
  ]
  const tooMany = (issue: TLocalizedValidationError) =>
    issue.keyword === 'maxItems' || (issue.keyword === 'maximum' && issue.instancePath === '/limit')
  const status = unknown.length === 0 && undescribed.length === 0 && issues.every(tooMany) ? 413 : 422
  const hints = unknown.slice(0, HINTS_MAX).flatMap((name) => nearest(name, names) ?? [])
  const detail = hints.length > 0 ? `Did you mean ${hints.join(', ')}?` : undefined
  const title = `The query is not valid: ${sentences.join('; ')}.`
  return new QueryProblem(status, title, Object.fromEntries(faults), { detail, hasUnknownNames: unknown.length > 0 })
}

const HINTS_MAX = 5
const HINTED_NAME_MAX = 50

/** The known name that is like a misspelt one; undefined if none is. */
function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > HINTED_NAME_MAX) return undefined
  return closestMatch(name, names, { maxDistance: Math.ceil(name.length / 3) })
}

/** 422 with all failing fields. */
function refuseBody(errors: TLocalizedValidationError[], body: unknown, others: Record<string, string>): Problem {
  const sentences = withoutUnions(errors).flatMap((issue) => messages(issue, body, wrongJson))
  return invalid({ ...Object.fromEntries(sentences), ...others })
}

const MISSING = 'error.path.missing'

/** Drops the error of a union if one of its branches has a better one. */
function withoutUnions(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  const isUnion = ({ keyword }: TLocalizedValidationError) => keyword === 'anyOf'
  const spoken = new Set(errors.filter((error) => !isUnion(error)).map(({ instancePath }) => instancePath))
  return errors.filter((error) => !isUnion(error) || !spoken.has(error.instancePath))
}

type WrongType = (type: string, name: string, found: unknown) => string

/** A wrong JSON type has a code of its own (docs/contract/conventions.md section 7). */
const wrongJson: WrongType = (type, name, found) => {
  if (typeof found !== 'number') return `error.expected.js${type === 'integer' ? 'number' : type}`
  if (type === 'integer') return `${name} must be a whole number, not ${show(found)}.`
  return type === 'number' ? `${name} is too large a number.` : `error.expected.js${type}`
}

const wrongText: WrongType = (type, name, found) =>
  `${name} must be ${type === 'integer' ? 'an integer' : `a ${type}`}, not ${show(found)}`

/** A schema error as field paths with sentences. */
function messages(
  error: TLocalizedValidationError,
  value: unknown,
  wrongType: WrongType,
): [path: string, sentence: string][] {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => [[...keys, name].join('.'), MISSING])
  }
  const found = keys.reduce<unknown>(child, value)
  // The sentence about an item of a list names the list.
  const name = keys.findLast((key) => !/^\d+$/.test(key)) ?? 'The body'
  return [[keys.join('.'), sentence(error, name, found, wrongType)]]
}

const child = (parent: unknown, key: string): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined

/** The bad input, short enough for a title. */
function show(found: unknown): string {
  const text = typeof found === 'number' ? String(found) : (JSON.stringify(found) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Counted without a copy: the text may be as long as a body. */
function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) {
      count--
      i++
    }
  }
  return count
}

function sentence(error: TLocalizedValidationError, name: string, found: unknown, wrongType: WrongType): string {
  switch (error.keyword) {
    case 'type':
      // A field that may be null is described by its other type.
      return wrongType(String([error.params.type].flat()[0]), name, found)
    case 'enum': {
      const { allowedValues } = error.params
      const type = typeof allowedValues[0]
      return typeof found === type
        ? `${name} must be one of ${allowedValues.map(String).join(', ')}, not ${show(found)}.`
        : wrongType(type, name, found)
    }
    case 'minLength':
      return `${name} must have at least ${error.params.limit} character${error.params.limit === 1 ? '' : 's'}.`
    case 'maxLength':
      return `${name} must have at most ${error.params.limit} characters, not ${codePoints(String(found))}.`
    case 'minimum':
      return `${name} must be at least ${error.params.limit}, not ${show(found)}.`
    case 'maximum':
      return `${name} must be at most ${error.params.limit}, not ${show(found)}.`
    case 'minItems':
      return `${name} must hold at least ${error.params.limit}.`
    case 'maxItems':
      return `${name} must hold at most ${error.params.limit}.`
    case 'minProperties':
      return `${name} must have at least ${error.params.limit} field${error.params.limit === 1 ? '' : 's'}.`
    case 'pattern':
      return String(error.params.pattern) === NOT_BLANK
        ? `${name} must not be blank.`
        : `${name} is not well formed: ${show(found)}.`
    case 'format':
      return `${name} must be a ${error.params.format}, not ${show(found)}.`
    default:
      return `${name} ${error.message}, not ${show(found)}.`
  }
}
