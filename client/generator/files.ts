import { groupsOf } from '../src/groups.ts'
import { methodName } from './names.ts'
import { comment, key, nameOf, type Schema, Types } from './types.ts'

// The generated files of the client: a table of the operations for the runtime, and types of methods, queries, bodies and events.

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema & { maximum?: number; pattern?: string }
}

type Content = Record<string, { schema: Schema; example?: { data: unknown } }>

interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content } | { $ref: string }>
  'x-scopes'?: string[]
  'x-pages'?: string[]
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const HEAD = '// Generated from server/openapi.json by npm run generate. Do not edit.\n'

/** An operation, as the writers of all files need it. */
interface Method {
  groups: string[]
  name: string
  operation: Operation
  /** Its path with `{}` for each parameter, and its entry in the line of that path. */
  template: string
  entry: string
  path: Parameter[]
  query: Parameter[]
  body: Schema | undefined
  isBodyOptional: boolean
  /** The type of its result without the pages or the promise around it. */
  result: string
  /** The types of the results for one item and for a list, if the body may be either. */
  either: [string, string] | undefined
  kind: 'one' | 'pages' | 'counted' | 'text' | 'events'
}

const methodsOf = (document: ApiDocument, types: Types): Method[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => toMethod(document, types, { path, verb, operation })),
  )

/** The names of methods by operation id, those whose result is read row by row apart: the file from which the reference writes calls of this client. */
export function methodFacts(document: ApiDocument): string {
  const methods = methodsOf(document, new Types())
  const isList = ({ kind }: Method) => kind === 'pages' || kind === 'counted'
  const partOf = (name: string, some: Method[]) => {
    const lines = some.map(
      ({ groups, name: own, operation: { operationId } }) => `    "${operationId}": "${[...groups, own].join('.')}"`,
    )
    return `  "${name}": {\n${lines.toSorted().join(',\n')}\n  }`
  }
  const [rows, one] = [methods.filter(isList), methods.filter((method) => !isList(method))]
  return `{\n${partOf('one', one)},\n${partOf('rows', rows)}\n}\n`
}

/** @returns the texts of the files by their names. @throws Error if two operations have the same method */
export function clientFiles(document: ApiDocument): Record<string, string> {
  const types = new Types()
  const methods = methodsOf(document, types)
  const names = new Map<string, string>()
  for (const { groups, name, operation } of methods) {
    const whole = [...groups, name].join('.')
    const other = names.get(whole)
    if (other) throw new Error(`${operation.operationId} and ${other} are both ${whole}: name one in names.ts.`)
    names.set(whole, operation.operationId)
  }
  const queries = methods.filter(({ query }) => query.length > 0)
  const texts = {
    'operations.ts': `${HEAD}\n/** The operations of each path, in the form that table.ts reads. */\nexport const OPERATIONS: string = \`\n${tableOf(methods)}\n\`\n`,
    'queries.ts': `${HEAD}\n${queries.map((method) => declareQuery(types, method)).join('\n')}`,
    'methods.ts': `${HEAD}import type { BodyOptions, Call, CountedPages, EventStream, Options, Pages } from '../calls.ts'\nimport type * as q from './queries.ts'\nimport type * as s from './schemas.ts'\n\n${declareGroups(document, types, methods)}`,
    'events.ts': `${HEAD}\n/** The data of each event by its scope. */\nexport interface EventData {\n${declareEvents(document)}}\n`,
  }
  const declared = new Map<string, string>()
  for (const name of types.used) {
    declared.set(name, types.declare(name, document.components.schemas[name] ?? {}))
  }
  const schemas = [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  const uploads = schemas.some((text) => text.includes('Upload')) ? "import type { Upload } from '../calls.ts'\n" : ''
  return { ...texts, 'schemas.ts': `${HEAD}${uploads}\n${schemas.join('\n')}` }
}

/** The place of an operation in the document. */
interface Place {
  path: string
  verb: string
  operation: Operation
}

/** The letters of verbs in the table. */
const VERBS: Record<string, string> = { get: 'G', post: 'P', put: 'U', delete: 'D' }

/** A line for each path and group: `v3/channels Glist:dqp Pcreate:db`, with `=` and the groups if the path doesn't name them. */
function tableOf(methods: Method[]): string {
  const lines = new Map<string, string[]>()
  for (const { template, groups, entry } of methods) {
    const isNamed = groupsOf(template).join('.') === groups.join('.')
    const begin = isNamed ? template : `${template} =${groups.join('.')}`
    lines.set(begin, [...(lines.get(begin) ?? []), entry])
  }
  return [...lines].map(([begin, entries]) => [begin, ...entries].join(' ')).join('\n')
}

function toMethod(document: ApiDocument, types: Types, place: Place): Method {
  const { path, verb, operation } = place
  const parameters = operation.parameters.map((one) =>
    '$ref' in one ? (document.components.parameters[nameOf(one.$ref)] as Parameter) : one,
  )
  const query = parameters.filter((one) => one.in === 'query')
  const content = operation.requestBody?.content
  const body = content && (content['multipart/form-data'] ?? Object.values(content)[0])?.schema
  const takesList = resolved(document, body)?.type === 'array'
  const named = methodName({ method: verb, path, operationId: operation.operationId, takesList })
  const { result, kind, isWrapped, isEmpty } = resultOf(document, types, operation)
  const marks = [
    isWrapped ? 'd' : '',
    isEmpty ? 'n' : '',
    body ? 'b' : query.length > 0 ? 'q' : '',
    content && !('application/json' in content) ? 'f' : '',
    kind === 'text' ? 't' : kind === 'events' ? 'e' : '',
    kind === 'pages' || kind === 'counted' ? pageMark(operation, named.path, query) : '',
    limitMark(query, kind),
  ].join('')
  return {
    groups: named.groups,
    name: named.name,
    operation,
    template: named.path,
    entry: `${VERBS[verb]}${named.name}${marks === '' ? '' : `:${marks}`}`,
    path: parameters.filter((one) => one.in === 'path' && one.name !== 'store_hash'),
    query,
    body,
    isBodyOptional:
      resolved(document, body)?.properties !== undefined && (resolved(document, body)?.required ?? []).length === 0,
    result,
    kind,
    either: eitherOf(document, types, operation),
  }
}

/** The choices of the bodies and answers that are one item or a list. */
function eitherOf(document: ApiDocument, types: Types, operation: Operation): [string, string] | undefined {
  const body = resolved(document, operation.requestBody?.content['application/json']?.schema)?.anyOf
  const success = Object.entries(operation.responses).find(([status]) => status < '3')?.[1]
  const answer = success && !('$ref' in success) ? Object.values(success.content ?? {})[0]?.schema : undefined
  if (body?.length !== 2 || body[1]?.type !== 'array' || answer === undefined) return undefined
  const data = dataOf(document, answer)
  const [one, list] = data?.anyOf ?? []
  if (data?.anyOf?.length !== 2) return undefined
  return resolved(document, list)?.type === 'array' ? [types.of(one, 's.'), types.of(list, 's.')] : undefined
}

const resolved = (document: ApiDocument, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)]

/**
 * How a list is read completely although rows come and go. `k`: rows with an id above the last one. `c`: the cursor of the last page.
 * `m`: as `k`, by the filter of the older family. `o`: offsets of the companion API. `p`: numbers of pages, for all others.
 */
function pageMark({ 'x-pages': pages = [] }: Operation, path: string, query: Parameter[]): string {
  const has = (name: string) => query.some((one) => one.name === name)
  if (pages.includes('offset')) return 'o'
  if (has('after')) return 'c'
  if (has('id:greater') || has('id:min')) return 'k'
  return path.startsWith('v2/') && has('min_id') ? 'm' : 'p'
}

/** The maximum of a page, if it isn't 250. */
function limitMark(query: Parameter[], kind: Method['kind']): string {
  const maximum = query.find(({ name }) => name === 'limit')?.schema.maximum
  return (kind === 'pages' || kind === 'counted') && maximum !== undefined && maximum !== 250 ? String(maximum) : ''
}

function resultOf(document: ApiDocument, types: Types, operation: Operation) {
  const successes = Object.entries(operation.responses).filter(([status]) => status < '3' && status !== '207')
  const contents = successes.map(([, response]) => ('$ref' in response ? undefined : response.content))
  const [media] = contents.flatMap((content) => Object.entries(content ?? {}))
  const isEmpty = media === undefined
  if (media === undefined) return { result: 'void', kind: 'one' as const, isWrapped: false, isEmpty }
  const [type, { schema }] = media
  if (type === 'text/event-stream') return { result: 'EventStream', kind: 'events' as const, isWrapped: false, isEmpty }
  if (!type.includes('json')) return { result: 'string', kind: 'text' as const, isWrapped: false, isEmpty }
  const data = dataOf(document, schema)
  const row = resolved(document, data ?? schema)
  if (operation['x-pages'] && row?.type === 'array') {
    const isCounted = data !== undefined
    const kind = isCounted ? ('counted' as const) : ('pages' as const)
    return { result: types.of(row.items, 's.'), kind, isWrapped: isCounted, isEmpty }
  }
  const missing = contents.some((content) => content === undefined) ? ' | undefined' : ''
  return {
    result: types.of(data ?? schema, 's.', '  ') + missing,
    kind: 'one' as const,
    isWrapped: data !== undefined,
    isEmpty,
  }
}

/** The schema in the envelope `{ data, meta }`; undefined for an answer without one. */
function dataOf(document: ApiDocument, schema: Schema): Schema | undefined {
  const whole = resolved(document, schema)
  if (whole?.anyOf) {
    const parts = whole.anyOf.map((part) => dataOf(document, part))
    return parts.every((part) => part !== undefined) ? { anyOf: parts } : undefined
  }
  return whole?.properties && 'meta' in whole.properties ? whole.properties.data : undefined
}

const pascal = (groups: string[]) => groups.map((group) => group.charAt(0).toUpperCase() + group.slice(1)).join('')

const queryName = ({ operation: { operationId } }: Method) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`

/** Parameters that pages set. */
const PAGING = new Set(['page', 'limit', 'offset', 'after', 'before'])

function declareQuery(types: Types, method: Method): string {
  const isList = method.kind === 'pages' || method.kind === 'counted'
  const fields = method.query
    .filter(({ name }) => !isList || !PAGING.has(name))
    .map(({ name, description, schema, required }) => {
      const type = types.of(schema)
      const dated = type === 'string' ? 'string | Date' : type
      return `${comment(description, '  ')}  ${key(name)}${required ? '' : '?'}: ${isDate(name, schema) ? dated : type}\n`
    })
  const extra = isList ? '  /** The rows of a page; the maximum, if it is left out. */\n  limit?: number\n' : ''
  return `export interface ${queryName(method)} {\n${fields.join('')}${extra}}\n`
}

const isDate = (name: string, { type, format }: Schema) =>
  type === 'string' && (format?.startsWith('date') || /(date|_at|created|modified)(:|$)/.test(name))

/** An interface for each group of methods, with `Store` for the whole. */
function declareGroups(document: ApiDocument, types: Types, methods: Method[]): string {
  const groups = new Map<string, { groups: string[]; inner: Set<string>; methods: Method[] }>()
  const groupOf = (names: string[]) => {
    const found = groups.get(names.join('.'))
    if (found) return found
    const made = { groups: names, inner: new Set<string>(), methods: [] }
    groups.set(names.join('.'), made)
    if (names.length > 0) groupOf(names.slice(0, -1)).inner.add(names.at(-1) ?? '')
    return made
  }
  for (const method of methods) groupOf(method.groups).methods.push(method)
  return [...groups.values()]
    .sort((a, b) => (a.groups.join('.') < b.groups.join('.') ? -1 : 1))
    .map(({ groups: names, inner, methods: own }) => {
      const clash = own.find(({ name }) => inner.has(name))
      if (clash) throw new Error(`${clash.operation.operationId} has the name of a group.`)
      const members = [...inner].map((name) => `  readonly ${key(name)}: ${pascal([...names, name])}Methods\n`)
      return `${names.length === 0 ? 'export interface Operations' : `interface ${pascal(names)}Methods`} {\n${own.map((method) => declareMethod(document, types, method)).join('')}${members.join('')}}\n`
    })
    .join('\n')
}

function declareMethod(document: ApiDocument, types: Types, method: Method): string {
  const { operation, path, query, body, name, result, kind } = method
  const args = path.map(
    ({ name: parameter, schema }) => `${parameter}: ${schema.type === 'integer' ? 'number' : 'string'}`,
  )
  const isQueried = query.length > 0
  if (body) {
    args.push(`body${method.isBodyOptional ? '?' : ''}: ${types.of(body, 's.', '  ')}`)
    args.push(isQueried ? `options?: BodyOptions<q.${queryName(method)}>` : 'options?: Options')
  } else {
    if (isQueried) args.push(`query${query.some(({ required }) => required) ? '' : '?'}: q.${queryName(method)}`)
    args.push('options?: Options')
  }
  const answer = {
    one: `Call<${result}>`,
    text: 'Call<string>',
    events: 'EventStream',
    pages: `Pages<${result}>`,
    counted: `CountedPages<${result}>`,
  }[kind]
  if (method.either) {
    const choices = resolvedChoices(document, body)
    return choices
      .map((choice, i) =>
        declareMethod(document, types, {
          ...method,
          body: choice,
          either: undefined,
          result: method.either?.[i] ?? result,
        }),
      )
      .join('')
  }
  const scopes = operation['x-scopes']?.length ? ` Scope: ${operation['x-scopes'].join(' or ')}.` : ''
  return `${comment(`${operation.summary}.${operation.description ? ` ${operation.description}` : ''}${scopes}`, '  ')}  ${key(name)}(${args.join(', ')}): ${answer}\n`
}

const resolvedChoices = (document: ApiDocument, body: Schema | undefined) => resolved(document, body)?.anyOf ?? []

/** The data of events, in the form of the examples in the document. */
function declareEvents({ webhooks }: ApiDocument): string {
  return Object.entries(webhooks)
    .map(([scope, { post }]) => {
      const data = post.requestBody.content['application/json']?.example?.data
      const name = scope.includes('{') ? `[scope: \`${scope.replaceAll(/\{\w+\}/g, '$' + '{number}')}\`]` : key(scope)
      return `  ${name}: ${shapeOf(data)}\n`
    })
    .join('')
}

/** The type of an example. Its `type` is a fixed word. */
function shapeOf(value: unknown, name = ''): string {
  if (Array.isArray(value)) return value.length === 0 ? 'number[]' : `${shapeOf(value[0])}[]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([field, inner]) => `${key(field)}: ${shapeOf(inner, field)}`)
    return fields.length === 0 ? 'Record<string, unknown>' : `{ ${fields.join('; ')} }`
  }
  return name === 'type' && value !== '' ? `'${value}'` : typeof value
}
