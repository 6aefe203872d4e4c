import type { ApiDocument, DocumentedOperation, JsonSchema } from './document.ts'

// Marks of the document that follow from several operations together.

/** The ways in which a list is paged, by the parameters that choose a page; undefined for an operation without pages. */
export function pagesOf(parameters: readonly object[]): string[] | undefined {
  const names = new Set(parameters.map((parameter) => ('name' in parameter ? parameter.name : '')))
  const ways = [
    ...(names.has('page') ? ['page'] : []),
    ...(names.has('before') && names.has('after') ? ['cursor'] : []),
    ...(names.has('offset') ? ['offset'] : []),
  ]
  return ways.length > 0 ? ways : undefined
}

interface Described {
  paths: ApiDocument['paths']
  components: { schemas: Record<string, JsonSchema> }
}

/** Marks the fields of resources that no body can set. Resources that clients can't write have no marks. */
export function markReadOnly({ paths, components }: Described) {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = nameOf(schema)
    return name === undefined ? schema : (components.schemas[name] ?? {})
  }
  const written = new Map<string, Set<string>>()
  for (const [path, methods] of Object.entries(paths)) {
    const place = path.replace(/\/\{\w+\}$/, '')
    const fields = written.get(place) ?? new Set()
    written.set(place, fields)
    for (const { requestBody } of Object.values(methods)) {
      for (const schema of schemasIn(requestBody)) addFields(schema, resolve, fields)
    }
  }
  const writable = new Map<string, Set<string>>()
  for (const [path, methods] of Object.entries(paths)) {
    const fields = written.get(path.replace(/\/\{\w+\}$/, ''))
    if (!fields || fields.size === 0) continue
    for (const name of Object.values(methods).flatMap((operation) => resourcesOf(operation, resolve))) {
      writable.set(name, new Set([...(writable.get(name) ?? []), ...fields]))
    }
  }
  const inBodies = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const name = nameOf(value)
    if (name !== undefined) {
      if (inBodies.has(name)) return
      inBodies.add(name)
      visit(components.schemas[name])
    }
    for (const part of Object.values(value)) visit(part)
  }
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) visit(requestBody)
  for (const [name, fields] of writable) {
    const { properties } = components.schemas[name] ?? {}
    if (inBodies.has(name) || !isRecord(properties)) continue
    for (const [field, schema] of Object.entries(properties)) {
      if (!fields.has(field) && isRecord(schema)) properties[field] = { ...schema, readOnly: true }
    }
  }
}

/** Secrets that clients send and that no answer has. */
const SECRETS = new Set(['password', 'new_password', 'password_confirmation', 'private_key'])

/** Marks the secrets of bodies. */
export function markSecrets(schema: unknown) {
  if (typeof schema !== 'object' || schema === null) return
  if ('properties' in schema && isRecord(schema.properties)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      if (SECRETS.has(name) && isRecord(field)) schema.properties[name] = { ...field, writeOnly: true }
    }
  }
  for (const part of Object.values(schema)) markSecrets(part)
}

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameOf = (schema: object): string | undefined =>
  '$ref' in schema ? String(schema.$ref).split('/schemas/')[1] : undefined

/** The schemas of all media types of a body or an answer. */
const schemasIn = (message: unknown): JsonSchema[] =>
  isRecord(message) && isRecord(message.content)
    ? Object.values(message.content).flatMap((type) => (isRecord(type) && isRecord(type.schema) ? [type.schema] : []))
    : []

const partsOf = ({ anyOf, items }: JsonSchema): JsonSchema[] => [
  ...(Array.isArray(anyOf) ? anyOf.filter(isRecord) : []),
  ...(isRecord(items) ? [items] : []),
]

/** Adds the names of the fields that a body can set, those of the items of lists included. */
function addFields(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema, fields: Set<string>) {
  const whole = resolve(schema)
  if (isRecord(whole.properties)) for (const name of Object.keys(whole.properties)) fields.add(name)
  for (const part of partsOf(whole)) addFields(part, resolve, fields)
}

/** The names of the resources that an operation answers with, alone, in lists or in an envelope. */
function resourcesOf({ responses }: DocumentedOperation, resolve: (schema: JsonSchema) => JsonSchema): string[] {
  const namesIn = (schema: JsonSchema): string[] => {
    const name = nameOf(schema)
    if (name !== undefined) return [name]
    const { properties } = resolve(schema)
    const data = isRecord(properties) && isRecord(properties.data) ? [properties.data] : []
    return [...data, ...partsOf(schema)].flatMap(namesIn)
  }
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, answer]) => schemasIn(answer).flatMap(namesIn))
}
