import { readFileSync } from 'node:fs'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import '../../core/rest/input/validator.ts'

type Content = Record<string, { schema: TSchema }>

interface Operation {
  parameters: { name: string; in: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** openapi.json, with what it names in place of each name. */
export const document: { paths: Record<string, Record<string, Operation>> } = whole(
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')),
)

/** The document with what it names in place of each name, so that one that leads nowhere, or back to itself, is a failure. */
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
    operations.on(
      method.toUpperCase() as HTTPMethod,
      path.replaceAll(/\{(\w+)\}/g, (_, name) => (name.endsWith('_id') ? `:${name}(^[1-9]\\d{0,9}$)` : `:${name}`)),
      () => {},
      operation,
    )
  }
}

const validators = new WeakMap<object, Validator>()

/**
 * Where an answer differs from what openapi.json says of it: an undocumented status, a body of another shape, a field that
 * is not documented. Empty when it agrees. Paths and methods that lead nowhere answer as every path can.
 */
export function mismatch(method: string, url: string, { status, body }: { status: number; body: unknown }): unknown[] {
  const [path = ''] = url.split('?')
  const route = operations.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path)
  if (!route || method === 'HEAD') return []
  const { responses } = route.store as Operation
  const response = responses[status]
  if (status === 304) return body === undefined ? [] : ['a body with 304']
  if (!response) return [`the status ${status} is not documented`]
  const [content] = Object.values(response.content ?? {})
  const schema = content?.schema
  if (!schema || ('type' in schema && schema.type === 'null'))
    return body === undefined ? [] : ['a body where none is documented']
  let validator = validators.get(schema)
  if (!validator) {
    validator = Compile(closed(schema))
    validators.set(schema, validator)
  }
  return validator.Check(body) ? [] : validator.Errors(body)
}

/** The same schema, with no field allowed that it does not name. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part) =>
    typeof part === 'object' &&
    part !== null &&
    part.type === 'object' &&
    part.properties &&
    part.additionalProperties === undefined
      ? { ...part, additionalProperties: false }
      : part,
  )
}
