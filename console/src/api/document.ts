import { send } from './operator.ts'

/** A schema of the API document, as far as the console reads it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  readOnly?: boolean
  writeOnly?: boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface RawOperation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  parameters?: (Parameter & { $ref?: string })[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
  'x-scopes'?: string[]
  'x-pages'?: string[]
}

interface RawDocument {
  paths: Record<string, Partial<Record<Method, RawOperation>>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
  'x-tagGroups'?: { name: string; tags: string[] }[]
  webhooks?: Record<string, unknown>
}

const METHODS = ['get', 'post', 'put', 'delete'] as const
type Method = (typeof METHODS)[number]

interface Operation {
  id: string
  method: string
  /** Below `/stores/{store_hash}`. */
  path: string
  summary: string
  description: string
  tag: string
  parameters: Parameter[]
  body: Schema | undefined
  answer: Schema | undefined
  scopes: string[]
}

/** A list with everything that its pages need. */
export interface Resource {
  list: Operation
  /** The name of the path parameter that names one entry; undefined if there is no such path. */
  idName: string | undefined
  get: Operation | undefined
  create: Operation | undefined
  update: Operation | undefined
  remove: Operation | undefined
  /** Updates entries by a list of bodies, each with its id. */
  updateMany: Operation | undefined
  /** Path parameters of the list itself, such as `product_id`. */
  parents: string[]
  /** Lists below one entry. */
  children: string[]
  columns: Column[]
  item: Schema
}

export interface Column {
  name: string
  schema: Schema
}

export interface ApiIndex {
  resources: ReadonlyMap<string, Resource>
  groups: { name: string; resources: Resource[] }[]
  operations: readonly Operation[]
  /** The scopes of events, some with `{channel_id}`. */
  scopes: readonly string[]
  resolve(schema: Schema | undefined): Schema
}

const PREFIX = '/stores/{store_hash}'
let loading: Promise<ApiIndex> | undefined

/** The API document, read once. */
export function apiIndex(): Promise<ApiIndex> {
  loading ??= send<RawDocument>('GET', '/openapi.json').then(({ body }) => indexOf(body))
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

function indexOf(document: RawDocument): ApiIndex {
  const resolve = (schema: Schema | undefined): Schema => resolveIn(document, schema)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith(PREFIX)
      ? METHODS.flatMap((method) => {
          const raw = item[method]
          return raw ? [operationOf(document, path.slice(PREFIX.length), method, raw)] : []
        })
      : [],
  )
  const byPlace = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const lists = operations.filter(({ method, answer }) => method === 'GET' && listItem(resolve, answer) !== undefined)
  const resources = new Map(
    lists.map((list) => [list.id, resourceOf(list, { operations, byPlace, lists, resolve })] as const),
  )
  const tops = [...resources.values()].filter(({ parents }) => parents.length === 0)
  const groups = (document['x-tagGroups'] ?? []).map(({ name, tags }) => ({
    name,
    resources: tops.filter(({ list }) => tags.includes(list.tag)),
  }))
  const scopes = Object.keys(document.webhooks ?? {})
  return { resources, operations, scopes, resolve, groups: groups.filter(({ resources }) => resources.length > 0) }
}

function operationOf(document: RawDocument, path: string, method: Method, raw: RawOperation): Operation {
  const ok = Object.entries(raw.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    tag: raw.tags?.[0] ?? '',
    parameters: (raw.parameters ?? []).map((parameter) =>
      parameter.$ref === undefined
        ? parameter
        : (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? parameter),
    ),
    body: raw.requestBody?.content?.['application/json']?.schema,
    answer: ok?.content?.['application/json']?.schema ?? Object.values(ok?.content ?? {})[0]?.schema,
    scopes: raw['x-scopes'] ?? [],
  }
}

/** The schema of an entry of a list answer: of `data` in the newer family, of the array itself in the older one. */
function listItem(resolve: ApiIndex['resolve'], answer: Schema | undefined): Schema | undefined {
  const whole = resolve(answer)
  const data = whole.type === 'array' ? whole : resolve(whole.properties?.data)
  if (data.type !== 'array') return undefined
  const item = resolve(data.items)
  return item.properties?.id ? item : undefined
}

const parametersIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function resourceOf(
  list: Operation,
  all: {
    operations: readonly Operation[]
    byPlace: ReadonlyMap<string, Operation>
    lists: readonly Operation[]
    resolve: ApiIndex['resolve']
  },
): Resource {
  const { operations, byPlace, lists, resolve } = all
  const oneOf = (path: string) => new RegExp(`^${list.path.replaceAll(/[{}]/g, '\\$&')}/\\{(\\w+)\\}$`).exec(path)?.[1]
  const one = operations.find(({ path }) => oneOf(path) !== undefined)
  const at = (method: string) => (one ? byPlace.get(`${method} ${one.path}`) : undefined)
  const putMany = byPlace.get(`PUT ${list.path}`)
  const item = listItem(resolve, list.answer) ?? {}
  return {
    list,
    idName: one && oneOf(one.path),
    get: at('GET'),
    create: byPlace.get(`POST ${list.path}`),
    update: at('PUT'),
    remove: at('DELETE'),
    updateMany: putMany && resolve(putMany.body).type === 'array' ? putMany : undefined,
    parents: parametersIn(list.path),
    children: one
      ? lists
          .filter(
            ({ path }) =>
              path.startsWith(`${one.path}/`) && parametersIn(path).length === parametersIn(one.path).length,
          )
          .map(({ id }) => id)
      : [],
    columns: columnsOf(resolve, item),
    item,
  }
}

/** The lists whose entries have a page of their own, with the folder of that page. */
const OWN_PAGES: Readonly<Record<string, string>> = {
  '/v2/orders': 'orders',
  '/v3/catalog/products': 'products',
  '/v3/customers': 'customers',
}

/** The page of an entry of a list without parents. */
export const pageOfEntry = (hash: string, { list }: Resource, id: string) => {
  const own = OWN_PAGES[list.path]
  return own === undefined ? `/stores/${hash}/lists/${list.id}/${id}` : `/stores/${hash}/${own}/${id}`
}

const COLUMNS_MAX = 8
/** Columns that help to recognize an entry come first. */
const FIRST = [
  'id',
  'name',
  'title',
  'email',
  'first_name',
  'last_name',
  'company',
  'code',
  'sku',
  'status',
  'total_inc_tax',
  'price',
]

function columnsOf(resolve: ApiIndex['resolve'], item: Schema): Column[] {
  const plain = Object.entries(item.properties ?? {}).flatMap(([name, schema]) => {
    const resolved = resolve(schema)
    return isPlain(resolved) ? [{ name, schema: resolved }] : []
  })
  const rank = ({ name }: Column) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return plain.toSorted((a, b) => rank(a) - rank(b))
}

/** The columns that a list shows before a person has chosen others. */
export const defaultColumns = ({ columns }: Resource): string[] => columns.slice(0, COLUMNS_MAX).map(({ name }) => name)

export const typesOf = (schema: Schema): string[] => {
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.enum) return [...new Set(schema.enum.map((value) => typeof value as string))]
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(typesOf)
}

export const isPlain = (schema: Schema): boolean => {
  const types = typesOf(schema)
  return types.length > 0 && !types.some((type) => type === 'object' || type === 'array')
}

function resolveIn(document: RawDocument, schema: Schema | undefined, depth = 0): Schema {
  if (schema === undefined || depth > 8) return {}
  if (schema.$ref !== undefined) {
    const { $ref: _, ...beside } = schema
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return { ...resolveIn(document, target, depth + 1), ...beside }
  }
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => resolveIn(document, part, depth + 1))
  return {
    ...schema,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: parts.flatMap(({ required = [] }) => required),
  }
}
