import { readFileSync } from 'node:fs'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import '../../core/rest/input/validator.ts'

type Content = Record<string, { schema: TSchema; example?: unknown }>

interface Operation {
  operationId: string
  parameters: { name: string; in: string; schema: { type?: unknown } }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** openapi.json with every reference replaced by its target. */
export const document: ResolvedDocument = whole(
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')),
)

interface ResolvedDocument {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Content }> }
}

/**
 * The document with every reference replaced by its target. Fails for references without a target and for circular
 * ones.
 */
function whole<D>(document: D): D {
  const placed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(placed)
    if (typeof part !== 'object' || part === null) return part
    if ('$ref' in part) return placed(named(String(part.$ref)))
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, placed(inner)]))
  }
  const named = (ref: string) => {
    const found = ref
      .split('/')
      .slice(1)
      .reduce<unknown>((place, key) => Reflect.get(Object(place), key), document)
    if (found === undefined) throw new Error(`openapi.json names ${ref}, and has no such component.`)
    return found
  }
  return placed(document) as D
}

const operations = FindMyWay({ ignoreTrailingSlash: true })
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const numbers = new Set(
      operation.parameters.flatMap(({ name, in: place, schema }) =>
        place === 'path' && schema.type === 'integer' ? [name] : [],
      ),
    )
    operations.on(
      method.toUpperCase() as HTTPMethod,
      path.replaceAll(/\{(\w+)\}/g, (_, name) => (numbers.has(name) ? `:${name}(^[1-9]\\d{0,9}$)` : `:${name}`)),
      () => {},
      operation,
    )
  }
}

/** The operation of an address. Undefined for unknown addresses, and for HEAD. */
export function operationAt(method: string, url: string): Operation | undefined {
  const [path = ''] = url.split('?')
  const route = method === 'HEAD' ? null : operations.find(method as HTTPMethod, path)
  return route ? (route.store as Operation) : undefined
}

const validators = new WeakMap<object, Validator>()
const validatorsOfSomeFields = new WeakMap<object, Validator>()

/**
 * Differences between an answer and openapi.json: an undocumented status, another shape of the body, an undocumented
 * field. Empty if they agree. Unknown paths and methods may answer with the statuses of any path.
 */
export function mismatch(method: string, url: string, { status, body }: { status: number; body: unknown }): unknown[] {
  const { responses } = operationAt(method, url) ?? {}
  if (!responses) return []
  const response = responses[status]
  if (status === 304) return body === undefined ? [] : ['a body with 304']
  if (!response) return [`the status ${status} is not documented`]
  const [[type, content] = []] = Object.entries(response.content ?? {})
  // The texts of other types have no form to compare.
  if (type !== undefined && !type.endsWith('json')) return body === undefined ? [] : ['JSON where a text is documented']
  const schema = content?.schema
  if (!schema || ('type' in schema && schema.type === 'null'))
    return body === undefined ? [] : ['a body where none is documented']
  // The document describes resources with all their fields; a query for single fields leaves out others.
  const hasSomeFields = /[?&](?:in|ex)clude_fields=/.test(url)
  const known = hasSomeFields ? validatorsOfSomeFields : validators
  let validator = known.get(schema)
  if (!validator) {
    validator = Compile(closed(schema, hasSomeFields))
    known.set(schema, validator)
  }
  return validator.Check(body) ? [] : validator.Errors(body)
}

/** The same schema without additional fields. */
function closed(schema: TSchema, areFieldsOptional: boolean): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part) =>
    typeof part === 'object' &&
    part !== null &&
    part.type === 'object' &&
    part.properties &&
    part.additionalProperties === undefined
      ? { ...part, additionalProperties: false, ...(areFieldsOptional ? { required: [] } : {}) }
      : part,
  )
}
