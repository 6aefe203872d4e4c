import { hash } from 'node:crypto'
import t, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { type Filter, filterOf, filterSchema, keyOf, kindOf } from './filters.ts'
import { capitalized } from './operation-names.ts'
import { CursorPagination, PageMeta, Pagination, paging, pagingWithoutDefault } from './paging.ts'

/** A resource as data. The verbs read it; it never calls anything. */
export interface Facts {
  /** The contract's word for one of them, as it stands in sentences. */
  noun: string
  /** The contract's own row of filters, word for word, separated by blanks. */
  filters: string
  /** `name` (then `direction` applies) or `name:asc`, as the contract spells it. */
  sort?: readonly string[]
  /** A field that is unique in a store. Lists sorted by it need no second key. */
  unique?: string
  /** How many rows a store may hold; one more is 403 (docs/contract/limits.md). */
  max?: number
  /** Whether a list of all rows reads its total from the counter: for lists that may pass 10,000. */
  counted?: boolean
  /** The order of a list whose query has no sort; the id comes last. */
  order?: string
  /** Columns that the wire does not show, such as the id of the owner; a new row gives them beside its fields. */
  hidden?: readonly string[]
  /** Sub-resources in the answer that are no columns of the table; the handler adds them. */
  parts?: TProperties
  /** Text columns that have a folded twin, though only another collection of the same table filters or sorts by them. */
  twins?: readonly string[]
  /** Further names that a list's query may have; the handler makes conditions of them. */
  queries?: TProperties
  /** The names that `include` takes, with their shapes (docs/contract/conventions.md section 6). */
  includes?: TProperties
  /**
   * Whether lists take `before` and `after` beside pages (docs/contract/conventions.md section 4), and which pages return the
   * cursors of their rows: the first one (docs/contract/customers.md section 1), every one, or the
   * only page of a query without `page`, while a query with `page` gets none (docs/contract/price-lists.md section 1).
   */
  cursors?: 'first page' | 'every page' | 'without page'
  /** For each unique rule of the table, by its name: the sentence for a caller who breaks it, and the field. */
  conflicts?: Readonly<Record<string, readonly [sentence: string, field?: string]>>
}

/** A validated list query: paging, field selection, order and the filters by their contract names. */
export interface ListQuery extends AskedPage {
  page: number
}

/** The same of a list whose `page` has no default. */
export interface AskedPage {
  page?: number
  limit: number
  include?: string[]
  include_fields?: string[]
  exclude_fields?: string[]
  sort?: string
  direction?: 'asc' | 'desc'
  before?: string
  after?: string
  [filter: string]: unknown
}

export interface FieldsQuery {
  include?: string[]
  include_fields?: string[]
  exclude_fields?: string[]
}

/** Every row has an id; the rest is the resource's shape. */
export interface RowWithId {
  id: number
}

type Shape = TObject<TProperties & { id: TSchema }>

export interface Collection<Row extends RowWithId = RowWithId> extends Facts {
  readonly table: string
  /** One of them, as answers show it. A query for single fields leaves out others; the shape does not model that. */
  readonly shape: TSchema
  /** Phantom: exists only for its type, that of a row. */
  readonly row?: Row
  /** Wire fields are columns of the same name, in the order of the shape. */
  readonly columns: readonly string[]
  /** Text columns that filter or sort, each with a folded twin. */
  readonly folded: readonly string[]
  /** Columns that hold JSON. */
  readonly json: ReadonlySet<string>
  /** Columns that may be null. */
  readonly nullable: ReadonlySet<string>
  readonly filterList: readonly Filter[]
  /** The resource as sentences name it: `brand metafields`. */
  readonly title: string
  readonly byId: { readonly name: string; readonly text: string }
  /** The columns that a new row gives, in order, after the store, the maximum and the id. */
  readonly inserted: readonly string[]
  readonly insertion: { readonly name: string; readonly text: string }
  /** Stores a row that has its id: $1 is the store, $2 the id, then come the columns of `inserted` in order. */
  readonly insertionOfOne: { readonly name: string; readonly text: string }
  /** Stores rows that have their ids: those of `$3`, a JSON list, each with the values of `$2` that it has not itself. */
  readonly insertionOfAll: { readonly name: string; readonly text: string }
  /** Schemas of a list route: query and answer. */
  readonly list: { querystring: ReturnType<typeof listQuery>; response: Record<number, TSchema> }
  /** Schemas of a route that reads one. */
  readonly one: { querystring: ReturnType<typeof fieldsQuery>; response: Record<number, TSchema> }
  /** Schema of a route that answers with one whole resource. */
  readonly answersOne: { response: Record<number, TSchema> }
}

/** @param table its name is also that of the resource's counter */
export function collection<S extends Shape>(table: string, shape: S, facts: Facts): Collection<Static<S> & RowWithId> {
  const properties: Record<string, TSchema> = shape.properties
  const title = 'title' in shape ? String(shape.title) : capitalized(facts.noun)
  const includes = t.Partial(t.Object(facts.includes ?? {})).properties
  const answered = t.Object({ ...shape.properties, ...facts.parts, ...includes }, { title })
  const columns = Object.keys(properties)
  const filterList = facts.filters
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) => filterOf(properties, name))
  const sorted = (facts.sort ?? []).map((name) => name.split(':')[0] ?? '')
  const compared = new Set([...filterList.map((filter) => filter.column), ...sorted, ...(facts.twins ?? [])])
  const typesOf = (column: string) => [(properties[column] as { type?: string | string[] }).type].flat()
  const isText = (column: string) => properties[column] !== undefined && kindOf(properties[column]) === 'text'
  const isJson = (column: string) => typesOf(column).some((type) => type === 'array' || type === 'object')
  const folded = columns.filter((column) => compared.has(column) && isText(column))
  const inserted = [...columns.filter((column) => column !== 'id'), ...(facts.hidden ?? []), ...folded.map(keyOf)]
  return {
    ...facts,
    table,
    shape: answered,
    title: table.replaceAll('_', ' '),
    columns,
    folded,
    inserted,
    insertion: named(insertion({ table, columns, inserted })),
    insertionOfOne: named(insertionOfOne({ table, columns, inserted })),
    insertionOfAll: named(insertionOfAll({ table, columns, inserted })),
    json: new Set(columns.filter(isJson)),
    nullable: new Set(columns.filter((column) => typesOf(column).includes('null'))),
    filterList,
    byId: named(`select ${columns.join(', ')} from ${table} where store_id = $1 and id = $2`),
    list: { querystring: listQuery(table, facts, filterList), response: { 200: listAnswer(answered, facts) } },
    one: { querystring: fieldsQuery(facts), response: { 200: envelope(answered) } },
    answersOne: { response: { 200: envelope(answered) } },
  }
}

/** A statement under a name of its own: two collections of one table may read different columns. */
const named = (text: string) => ({ name: hash('sha1', text), text })

/**
 * The statement that takes the next id under the maximum and inserts. $1 is the store, $2 the maximum, then come the
 * columns of `inserted` in order.
 */
const insertion = ({ table, columns, inserted }: Pick<Collection, 'table' | 'columns' | 'inserted'>) => `
  with next as (
    insert into counters as counter (store_id, resource, last_id, total, version)
    select $1, '${table}', 1, 1, 1 where $2::bigint > 0
    on conflict (store_id, resource) do update set
      last_id = counter.last_id + 1, total = counter.total + 1, version = counter.version + 1
      where counter.total < $2
    returning last_id
  )
  insert into ${table} (store_id, id, ${inserted.join(', ')})
  select $1, last_id, ${inserted.map((_, i) => `$${i + 3}`).join(', ')} from next
  returning ${columns.join(', ')}`

const insertionOfOne = ({ table, columns, inserted }: Pick<Collection, 'table' | 'columns' | 'inserted'>) => `
  insert into ${table} (store_id, id, ${inserted.join(', ')})
  values ($1, $2, ${inserted.map((_, i) => `$${i + 3}`).join(', ')})
  returning ${columns.join(', ')}`

const insertionOfAll = ({ table, columns, inserted }: Pick<Collection, 'table' | 'columns' | 'inserted'>) => `
  insert into ${table} (store_id, id, ${inserted.join(', ')})
  select $1, id, ${inserted.join(', ')}
  from json_populate_recordset(json_populate_record(null::${table}, $2::json), $3::json)
  returning ${columns.join(', ')}`

export const Meta = t.Object(
  {},
  { additionalProperties: true, title: 'Meta', description: 'Empty, or facts about the answer' },
)
/** The meta of a list that takes cursors beside pages. */
export const CursorMeta = t.Object(
  { pagination: t.Optional(Pagination), cursor_pagination: t.Optional(CursorPagination) },
  { title: 'CursorMeta', description: 'The position of the page, by number or by cursors' },
)

/** `{data, meta}` as a schema. */
export const envelope = <D extends TSchema>(data: D) => t.Object({ data, meta: Meta })

const listAnswer = (shown: TSchema, { cursors }: Facts) =>
  t.Object({ data: t.Array(shown), meta: cursors ? CursorMeta : PageMeta })

const FieldName = t.String({ isFieldName: true })
const fields = {
  include_fields: t.Optional(t.Array(FieldName, { description: 'The only fields to show; the id always is' })),
  exclude_fields: t.Optional(t.Array(FieldName, { description: 'Fields not to show' })),
}

const includeOf = ({ includes }: Facts): TProperties =>
  includes ? { include: t.Optional(t.Array(t.Enum(Object.keys(includes)))) } : {}

const fieldsQuery = (facts: Facts) => t.Unsafe<FieldsQuery>(t.Object({ ...fields, ...includeOf(facts) }))

/** Unknown names are refused on a list (docs/contract/conventions.md section 5), so no further property is allowed. */
function listQuery(table: string, facts: Facts, filters: readonly Filter[]) {
  const { sort = [], cursors, queries = {} } = facts
  const hasDirection = sort.every((name) => !name.includes(':'))
  return t.Unsafe<ListQuery>(
    t.Object(
      {
        ...Object.fromEntries(filters.map((filter) => [filter.name, t.Optional(filterSchema(filter))])),
        ...queries,
        ...fields,
        ...includeOf(facts),
        ...(sort.length > 0 ? { sort: t.Optional(t.Enum([...sort])) } : {}),
        ...(hasDirection ? { direction: t.Optional(t.Enum(['asc', 'desc'])) } : {}),
        ...(cursors ? { before: t.Optional(t.String()), after: t.Optional(t.String()) } : {}),
        ...(cursors === 'without page' ? pagingWithoutDefault : paging),
      },
      // The table is named for the test of the indexes of filters.
      { additionalProperties: false, table },
    ),
  )
}
