import type { RouteOptions } from 'fastify'
import t, { type TSchema } from 'typebox'
import { operationName, tagOf } from '../lists/operation-names.ts'
import { ProblemBody } from '../problem.ts'
import { ProblemListV2 } from '../v2.ts'
import { WebhookCallback, webhooksOf } from './callbacks.ts'
import { describeFields } from './describe.ts'
import type { ApiDocument, Components, DocumentedOperation, JsonSchema } from './document.ts'
import { type ExampleAnswer, showExamples } from './examples.ts'
import { markReadOnly, markSecrets, pagesOf } from './marks.ts'
import { omittedSentence } from './omitted.ts'
import { describeParameter } from './vocabulary.ts'

/** The parts of a route's schema that are described. */
interface RouteSchemas {
  params?: TSchema & { properties?: Record<string, TSchema> }
  querystring?: TSchema & { properties?: Record<string, TSchema>; required?: string[] }
  headers?: TSchema & { properties?: Record<string, TSchema>; required?: string[] }
  body?: TSchema
  response?: Record<string, TSchema>
}

/** How a reader begins. The rules themselves are in docs/contract. */
const introduction = `Every address below needs a token in the header \`X-Auth-Token\`; the scopes of its account say what it may do.

Answers are \`{data, meta}\`. A refusal is a \`Problem\`: \`title\` says what is wrong, \`errors\` at which fields.
Lists come in pages: \`page\` and \`limit\`, and \`meta.pagination\` counts all of it.
Below \`/v2\` answers are bare, and refusals are lists. Below \`/b2b\` answers are \`{code, data, meta}\`.`

/**
 * Makes the OpenAPI document from the routes of the management API; it is the only description of the wire. A schema that has
 * a \`title\` becomes a component of that name wherever it is used.
 * @param routes as they are registered, below \`/stores/:store_hash/{version}\`
 * @throws Error for two schemas with one title, for a route without a summary, and for one without a heading
 */
export function documentApi(
  routes: readonly RouteOptions[],
  {
    version,
    areas,
    companion,
    notes = {},
    events = new Map(),
    examples = new Map(),
    publishes = new Map(),
  }: DocumentFacts,
): ApiDocument {
  const components: Components = { schemas: {}, responses: {} }
  const paths: ApiDocument['paths'] = {}
  const groups: Record<string, string[]> = {}
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}')
    const { family, below } = placeOf(path, companion)
    const place = companion?.family === family ? [family] : below
    const area = areas[place.slice(0, 2).join('/')] ?? areas[place[0] ?? '']
    if (area === undefined) throw new Error(`The reference page has no heading for /${place[0]}.`)
    const operation = operationOf(route, { family, path: `/${below.join('/')}`, companion }, components)
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: operation }
    groups[area] = [...new Set([...(groups[area] ?? []), ...operation.tags])]
  }
  if (events.size > 0) components.schemas.WebhookCallback = WebhookCallback
  markReadOnly({ paths, components })
  markSecrets(components.schemas)
  describeFields({ paths, components })
  showExamples({ paths, components }, examples)
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const scopes = publishes.get(operation.operationId)
    if (scopes) operation['x-publishes'] = scopes
  }
  return {
    openapi: '3.1.0',
    info: { title: 'storeward store administration API', description: introduction, version, license },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ token: [] }],
    tags: tagsWithNotes(Object.values(groups).flat(), notes),
    'x-tagGroups': Object.entries(groups).map(([name, tags]) => ({ name, tags })),
    paths,
    ...(events.size > 0 ? { webhooks: webhooksOf(events) } : {}),
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
      parameters: { IdempotencyKey },
      responses: sorted(components.responses),
      schemas: sorted(components.schemas),
    },
  }
}

interface DocumentFacts {
  /** The version of the product. */
  version: string
  /** The headings of the reference page, by the first two words or the first word of the paths below them, or by the companion's family. */
  areas: Readonly<Record<string, string>>
  companion?: Companion
  /** The use of a group of operations, for groups that can be confused with another one. */
  notes?: Readonly<Record<string, string>>
  /** The data of a sample of each event, by scope. */
  events?: ReadonlyMap<string, object>
  /** Examples of answers, by operation id or by the name of the refusal. */
  examples?: ReadonlyMap<string, ExampleAnswer>
  /** Scopes of the events that follow an operation, by operation id. */
  publishes?: ReadonlyMap<string, readonly string[]>
}

/** A group of the older family without a note has this one. */
const OLDER_ONLY = 'Only the older family has these operations: answers have no envelope, and refusals are lists.'

/** The groups with their notes. @throws Error for a note about a group that does not exist, and for a group in two versions without one */
function tagsWithNotes(tags: readonly string[], notes: Readonly<Record<string, string>>) {
  for (const name of Object.keys(notes)) if (!tags.includes(name)) throw new Error(`There is no group ${name}.`)
  return tags.map((name) => {
    const isOlder = name.endsWith(' (v2)')
    const other = isOlder ? name.replace(' (v2)', '') : `${name} (v2)`
    const description = notes[name] ?? (isOlder ? OLDER_ONLY : undefined)
    if (tags.includes(other) && notes[name] === undefined) throw new Error(`No note says when to use ${name}.`)
    return { name, ...(description === undefined ? {} : { description }) }
  })
}

/** A family of routes whose store comes from a header or a body, and not from the path. */
export interface Companion {
  /** The first word of its heading, and the beginning of its paths: `/b2b/api`. */
  family: string
  place: string
  /** The body of a refusal. */
  refusal: TSchema
  /** The header that names the store, where a token is needed. */
  storeHeader: string
}

/**
 * A path without its family: `/catalog/brands` of `/stores/{store_hash}/v3/catalog/brands`, `/companies` of
 * `/b2b/api/v3/io/companies`.
 */
function placeOf(path: string, companion: Companion | undefined): { family: string; below: string[] } {
  const [, , , family = '', ...below] = path.split('/')
  if (!companion || !path.startsWith(`${companion.place}/`)) return { family, below }
  return { family: companion.family, below: below[0] === 'io' ? below.slice(1) : below }
}

/** @param path below the family, with the names of ids in braces */
function operationOf(
  route: RouteOptions,
  { family, path, companion }: { family: string; path: string; companion: Companion | undefined },
  components: Components,
): DocumentedOperation {
  const own = companion?.family === family ? companion : undefined
  const inHeader = own && route.config?.scopes ? [own.storeHeader] : []
  const method = String(route.method)
  const { summary, description, operationId, tag = tagOf(path) } = route.schema ?? {}
  const schema = (route.schema ?? {}) as RouteSchemas
  if (summary === undefined) throw new Error(`${method} ${path} has no summary.`)
  const parameters = own
    ? [...inHeader.map(storeHeader), ...parametersOf(method, schema, {}, components)]
    : parametersOf(method, schema, { store_hash: StoreHash }, components)
  const pages = method === 'GET' ? pagesOf(parameters) : undefined
  const sentences = [description, omittedSentence(method, schema.body, description)].filter((one) => one !== undefined)
  return {
    operationId:
      operationId ?? operationName(method, path, { takesMany: t.IsArray(schema.body), family: own ? 'v3' : family }),
    summary,
    ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
    tags: [family === 'v2' ? `${tag} (v2)` : tag],
    ...(own && inHeader.length === 0 ? { security: [] } : {}),
    ...(route.config?.scopes ? { 'x-scopes': route.config.scopes } : {}),
    ...(pages ? { 'x-pages': pages } : {}),
    parameters,
    ...bodyOf(route, schema, components),
    responses: {
      ...answersOf(route, schema, components),
      ...refusalsOf(route, own ?? family, schema, components),
    },
  }
}

const storeHeader = (name: string) => ({
  name,
  in: 'header',
  required: true,
  description: 'The hash of the store',
  schema: { type: 'string' },
})

const StoreHash = t.String({ description: 'The hash of the store: the first part of its address' })

const license = { name: 'MIT', identifier: 'MIT' }

const IdempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A request that is sent again with its key is done once, and answered from store.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const sorted = <V>(entries: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1)))

const JSON_TYPE = 'application/json'
/** The media type of a route's errors. */
const errorTypeOf = ({ config }: RouteOptions) => config?.errorType ?? JSON_TYPE

/**
 * The schema as the document shows it. A schema with a title becomes a component and is replaced by its name; words that only
 * this server understands are omitted.
 */
function share(schema: TSchema, components: Components): JsonSchema {
  const shown = Object.fromEntries(
    Object.entries(withoutNullBranch(schema)).flatMap(([word, value]) =>
      ours.has(word) || isColumnBound(word, value) ? [] : [[word, shareIn(word, value, components)]],
    ),
  )
  if (shown.contentMediaType !== undefined) Object.assign(shown, { type: 'string', format: 'binary' })
  const { title, ...component } = shown
  if (title === undefined) return shown
  const name = String(title)
  const other = components.schemas[name]
  if (other && JSON.stringify(other) !== JSON.stringify(component)) {
    throw new Error(`Two schemas of the document have the title ${name}.`)
  }
  components.schemas[name] = component
  return { $ref: `#/components/schemas/${name}` }
}

/** A union of a plain value and null as one schema with two types, which generators of clients understand. */
function withoutNullBranch(schema: TSchema): TSchema {
  const { anyOf, ...rest }: { anyOf?: TSchema[] } = schema
  const [value, ...others] = anyOf?.filter((branch) => !t.IsNull(branch)) ?? []
  if (!value || others.length > 0 || anyOf?.length !== 2) return schema
  const { type, title, enum: words }: { type?: unknown; title?: unknown; enum?: unknown[] } = value
  if (typeof type !== 'string' || title !== undefined || words !== undefined) return schema
  return { ...value, type: [type, 'null'], ...rest }
}

/** Whether a bound is that of a column of four bytes, which is no rule that a client must know. */
const isColumnBound = (word: string, value: unknown) =>
  (word === 'maximum' || word === 'minimum') && [2_147_483_647, 2_147_483_648].includes(Math.abs(Number(value)))

/** Words of schemas that control how the server reads input. */
const ours = new Set(['isAlsoUnix', 'isAmount', 'isFieldName', 'isOneOrMany', 'isReadItemByItem'])

function shareIn(word: string, value: unknown, components: Components): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (word === 'items' || word === 'additionalProperties') return share(value, components)
  if (word === 'anyOf' && Array.isArray(value)) return value.map((branch) => share(branch, components))
  if (word !== 'properties' && word !== 'patternProperties') return value
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, share(property, components)]))
}

function parametersOf(
  method: string,
  { params, querystring, headers }: RouteSchemas,
  above: Record<string, TSchema>,
  components: Components,
): object[] {
  const path = { ...above, ...params?.properties }
  const inPath = Object.entries(path).map(([name, schema]) =>
    parameter({ name, in: 'path', required: true }, schema, components),
  )
  const inQuery = Object.entries(querystring?.properties ?? {}).map(([name, schema]) => {
    const given = parameter(
      { name, in: 'query', required: querystring?.required?.includes(name) === true },
      schema,
      components,
    )
    // Arrays of a query are comma lists. OpenAPI has that beside the schema.
    return t.IsArray(schema) ? { ...given, style: 'form', explode: false } : given
  })
  const inHeaders = Object.entries(headers?.properties ?? {}).map(([name, schema]) =>
    parameter({ name, in: 'header', required: headers?.required?.includes(name) === true }, schema, components),
  )
  const repeatable = method === 'POST' || method === 'PUT' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  return [...inPath, ...inQuery, ...inHeaders, ...repeatable]
}

function parameter(
  named: { name: string; in: 'path' | 'query' | 'header'; required: boolean },
  schema: TSchema,
  components: Components,
) {
  const { description = describeParameter(named.name, named.in), ...shown } = share(schema, components)
  return { ...named, ...(description === undefined ? {} : { description }), schema: shown }
}

function bodyOf({ config }: RouteOptions, { body }: RouteSchemas, components: Components): { requestBody?: object } {
  if (!body) return {}
  const shown = { schema: share(body, components) }
  const isJson = config?.isUpload !== true
  const isForm = config?.isUpload !== undefined && config.isUpload !== false
  const content = {
    ...(isJson ? { 'application/json': shown } : {}),
    ...(isForm ? { 'multipart/form-data': shown } : {}),
  }
  return { requestBody: { required: true, content } }
}

const answers: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: it is done later',
  204: 'Done. The answer has no body',
  207: 'Done in part; the rest is named in the body',
}

function answersOf(route: RouteOptions, { response = { 204: t.Null() } }: RouteSchemas, components: Components) {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => {
      const { description = answers[status] ?? reasons[status]?.[1] ?? '', ...shown } = share(schema, components)
      const type = Number(status) >= 400 ? errorTypeOf(route) : (route.config?.answerType ?? JSON_TYPE)
      return [
        status,
        { description: String(description), ...(t.IsNull(schema) ? {} : { content: { [type]: { schema: shown } } }) },
      ]
    }),
  )
}

/** The name and the description of each refusal among the components. */
const reasons: Readonly<Record<string, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request is malformed'],
  401: ['Unauthorized', 'The token is missing or not valid for this store'],
  403: ['Forbidden', 'A scope is missing, or a platform limit is reached'],
  404: ['NotFound', 'There is no such thing'],
  406: ['NotAcceptable', 'Accept excludes application/json'],
  409: ['Conflict', 'A conflict with what is stored'],
  413: ['TooLarge', 'Too much was asked or sent'],
  414: ['LineTooLong', 'The request line is too long'],
  415: ['UnsupportedType', 'The Content-Type is not supported here'],
  422: ['Invalid', 'The query or the body is not valid'],
  423: ['Locked', 'Other work locks the resource. Send the request again after the seconds of Retry-After'],
  429: ['TooManyRequests', 'Too many requests'],
  500: ['InternalError', 'Internal error'],
  503: ['Unavailable', 'The store or the service is not available'],
  507: ['PlanLimit', 'A limit of the plan is reached'],
}

/** The names of the refusals with this status among the components; each family has bodies of its own. */
export function refusalNames(status: number): Record<'v3' | 'v2' | 'b2b' | 'problem', string> | undefined {
  const [name] = reasons[status] ?? []
  return name === undefined ? undefined : { v3: name, v2: `${name}V2`, b2b: `${name}B2B`, problem: `${name}Problem` }
}

/**
 * The refusals of a route, by its input (docs/contract/conventions.md section 8). Below `/v2` invalid input is 400 (section 13).
 */
function refusalsOf(
  route: RouteOptions,
  family: string | Companion,
  { querystring, body, response }: RouteSchemas,
  components: Components,
) {
  const method = String(route.method)
  // Every route refuses unknown parameters to a client that wants it strict.
  const statuses = [401, 403, 404, 406, 414, 422, 429, 500, 503]
  if (querystring) statuses.push(413)
  if (body) statuses.push(400, 413, 415, 422)
  const { invalidQuery, unknownQuery } = route.config ?? {}
  for (const status of [invalidQuery, unknownQuery]) if (status) statuses.push(status)
  // The companion API also answers 400 to ids of companies that are no number, and to reads that a store does not offer.
  if (typeof family === 'object') statuses.push(400)
  if (method === 'POST' || method === 'PUT') statuses.push(409, 422, 507)
  // A DELETE without a declared body may get one, which is then checked as any other.
  if (method === 'DELETE') statuses.push(400, 409, 413, 415, 422)
  const isOld = family === 'v2'
  const sent = statuses.map((status) => (isOld && status === 422 ? 400 : status))
  return Object.fromEntries(
    sent
      .filter((status) => !response?.[status])
      .map((status) => {
        const [reason = '', description = ''] = reasons[status] ?? []
        const type = errorTypeOf(route)
        const [suffix, schema] =
          typeof family === 'object'
            ? [family.family.toUpperCase(), family.refusal]
            : [isOld ? 'V2' : type === JSON_TYPE ? '' : 'Problem', isOld ? ProblemListV2 : ProblemBody]
        const name = `${reason}${suffix}`
        components.responses[name] ??= { description, content: { [type]: { schema: share(schema, components) } } }
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
  )
}
