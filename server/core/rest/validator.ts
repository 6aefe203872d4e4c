import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'
import { parseDate } from './dates.ts'
import { invalid, Problem } from './problem.ts'

// The contract wants every failing field of a request at once; the default is 8.
Settings.Set({ maxErrors: 1_000 })

/** A date in any spelling that filters and bodies accept (docs/contract/conventions.md sections 5 and 12). */
Format.Set('date-time', (text) => parseDate(text) !== undefined)

/** An absolute http or https address (docs/contract/conventions.md section 12). */
Format.Set('uri', (text) => URL.canParse(text) && /^https?:\/\//i.test(text))

/** Checks bodies, queries and path parameters with TypeBox's own compiler; Fastify calls it once for each route and part. */
export const validator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema)
  if (httpPart === 'body') {
    return (body) => {
      if (body === undefined || body === null) {
        return { error: new Problem(400, 'The body is missing.', {}, { detail: 'This request needs a JSON body.' }) }
      }
      if (check.Check(body)) return { value: Value.Clean(schema, body) }
      return { error: refuseBody(check.Errors(body), body) }
    }
  }
  const read = textReader(schema)
  return (input) => {
    const { value, unknown } = read(input)
    if (unknown.length === 0 && check.Check(value)) return { value }
    if (httpPart === 'params') return { error: new Problem(404, 'There is nothing at this path.') }
    return { error: refuseQuery(check.Errors(value), value, unknown) }
  }
}

/** What a schema says of itself, as far as the readers below need it. */
interface Described {
  type?: string
  properties?: Record<string, Described>
  items?: Described
  default?: unknown
  additionalProperties?: boolean
  maxItems?: number
}

/**
 * Reads the texts of a query or path into the types of their schema. Of a repeated scalar the last wins; arrays are comma
 * lists, and repeats are united. Where the schema forbids additional properties, unknown names are returned.
 */
function textReader(schema: Described) {
  const properties = Object.entries(schema.properties ?? {})
  const names = new Set(properties.map(([name]) => name))
  const strict = schema.additionalProperties === false
  return (input: unknown) => {
    const texts = input as Record<string, string | string[]>
    const value: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const given = texts[name]
      if (given !== undefined) {
        const typed = fromText(property, given)
        if (typed !== undefined) value[name] = typed
      }
      if (value[name] === undefined && property.default !== undefined) value[name] = property.default
    }
    return { value, unknown: strict ? Object.keys(texts).filter((name) => !names.has(name)) : [] }
  }
}

function fromText(property: Described, given: string | string[]): unknown {
  if (property.type === 'array') {
    const items = (Array.isArray(given) ? given : [given]).flatMap((list) => list.split(',')).map((item) => item.trim())
    // A list that is empty as a whole is an absent parameter where the schema allows that, and refused where it does not.
    if (items.every((item) => item === '')) return 'minItems' in property ? [] : undefined
    return [...new Set(items)].map((item) => scalar(property.items ?? {}, item))
  }
  const last = Array.isArray(given) ? given.at(-1) : given
  return scalar(property, last ?? '')
}

const truths: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

/** What can't be read stays text, so that the check refuses it and can say what came. */
function scalar({ type }: Described, text: string): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return Object.hasOwn(truths, text) ? truths[text] : text
  return text.normalize('NFC')
}

/** A query is refused in the title, which names every parameter and its bad input; `errors` stays empty (conventions.md section 3). */
function refuseQuery(errors: TLocalizedValidationError[], value: unknown, unknown: string[]): Problem {
  const issues = errors.filter(isOutermost)
  const sentences = [
    ...unknown.map((name) => `${show(name)} is not a parameter here`),
    ...issues.flatMap((issue) =>
      messages(issue, value, wrongText).map(([name, sentence]) =>
        sentence === MISSING ? `${name} is missing` : sentence.replace(/\.$/, ''),
      ),
    ),
  ]
  const tooMany = (issue: TLocalizedValidationError) =>
    issue.keyword === 'maxItems' || (issue.keyword === 'maximum' && issue.instancePath === '/limit')
  const status = unknown.length === 0 && issues.every(tooMany) ? 413 : 422
  return new Problem(status, `The query is not valid: ${sentences.join('; ')}.`)
}

/** 422 with all failing fields; 413 for a body that is an array over its maximum. */
function refuseBody(errors: TLocalizedValidationError[], body: unknown): Problem {
  const issues = errors.filter(isOutermost)
  const tooLong = issues.find((issue) => issue.keyword === 'maxItems' && issue.instancePath === '')
  if (tooLong?.keyword === 'maxItems') {
    return new Problem(413, `At most ${tooLong.params.limit} objects may be sent at once.`)
  }
  return invalid(Object.fromEntries(issues.flatMap((issue) => messages(issue, body, wrongJson))))
}

const MISSING = 'error.path.missing'

/** Of a union the branches report too; only the union itself says what is wrong. */
const isOutermost = (error: TLocalizedValidationError) => !/\/anyOf\/\d+/.test(error.schemaPath)

type WrongType = (type: string, name: string, found: unknown) => string

/** A wrong JSON type has a code of its own (docs/contract/conventions.md section 7). */
const wrongJson: WrongType = (type, name, found) => {
  if (typeof found !== 'number') return `error.expected.js${type === 'integer' ? 'number' : type}`
  if (type === 'integer') return `${name} must be a whole number, not ${show(found)}.`
  return type === 'number' ? `${name} is too large a number.` : `error.expected.js${type}`
}

const wrongText: WrongType = (type, name, found) =>
  `${name} must be ${type === 'integer' ? 'an integer' : `a ${type}`}, not ${show(found)}`

/** A schema error as field paths and what to say about them. */
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
  // An item of a list is told by the name of the list.
  const name = keys.findLast((key) => !/^\d+$/.test(key)) ?? 'The body'
  return [[keys.join('.'), sentence(error, name, found, wrongType)]]
}

const child = (parent: unknown, key: string): unknown =>
  typeof parent === 'object' && parent !== null ? Object.entries(parent).find(([name]) => name === key)?.[1] : undefined

/** The bad input, short enough for a title. */
function show(found: unknown): string {
  const text = JSON.stringify(found) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Pattern of a text that needs more than blanks. */
export const NOT_BLANK = '\\S'

function sentence(error: TLocalizedValidationError, name: string, found: unknown, wrongType: WrongType): string {
  switch (error.keyword) {
    case 'type':
      // Of a field that may be null too, the other type is meant.
      return wrongType(String([error.params.type].flat()[0]), name, found)
    case 'enum':
      return typeof found === 'string'
        ? `${name} must be one of ${error.params.allowedValues.join(', ')}, not ${show(found)}.`
        : wrongType('string', name, found)
    case 'minLength':
      return `${name} must have at least ${error.params.limit} character${error.params.limit === 1 ? '' : 's'}.`
    case 'maxLength':
      return `${name} must have at most ${error.params.limit} characters, not ${[...String(found)].length}.`
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
