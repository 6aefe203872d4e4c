import t, { type TProperties } from 'typebox'
import { type Db, type JsonPiece, type JsonRows, type NamedQuery, prepared } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { VERSION } from '../package.ts'
import { Answer, commaSeparated, JsonBytes, type JsonPieces, joined, noContent } from './answer.ts'
import type { Api } from './api.ts'
import type { Collection, ListQuery, RowWithId } from './lists/collection.ts'
import { names } from './lists/columns.ts'
import { conditionsOf, type Filter, filterSchema } from './lists/filters.ts'
import { offsetOf } from './lists/pages/order.ts'
import { paging } from './lists/paging.ts'
import type { Problem } from './problem.ts'

/** Every error below `/v2`, as old clients read it: the first element and its `message`. */
export const ProblemListV2 = t.Array(
  t.Object({
    status: t.Integer(),
    message: t.String(),
    details: t.Optional(t.Record(t.String(), t.String())),
  }),
  { title: 'ProblemListV2' },
)

/**
 * The status and the body of a refusal below `/v2`, where failed validations are 400 (docs/contract/conventions.md section 13).
 */
export function refusalV2({ status, message, errors }: Problem) {
  const said = status === 422 ? 400 : status
  return {
    status: said,
    body: [{ status: said, message, ...(Object.keys(errors).length > 0 ? { details: errors } : {}) }],
  }
}

/** The query of a list below `/v2`. Names that it does not know are ignored: old clients know no other. */
export const pageV2 = t.Unsafe<ListQuery>(t.Object(paging))

/**
 * The query of a list below `/v2` with filters. A range has two names of its own there: `min_id`, `max_id`.
 * @param sorts columns that it may be sorted by: `date_created`, or `date_created:desc`
 */
export function queryV2(filters: readonly Filter[], sorts: readonly string[] = [], more: TProperties = {}) {
  const spelled = sorts.flatMap((sort) => [sort, `${sort}:asc`, `${sort}:desc`])
  return t.Unsafe<ListQuery>(
    t.Object({
      ...Object.fromEntries(filters.map((filter) => [filter.name, t.Optional(filterSchema(filter))])),
      ...(sorts.length > 0
        ? { sort: t.Optional(t.Enum(spelled)), direction: t.Optional(t.Enum(['asc', 'desc'])) }
        : {}),
      ...more,
      ...paging,
    }),
  )
}

interface PageV2<Row extends RowWithId> {
  collection: Collection<Row>
  filters?: readonly Filter[]
  query: ListQuery
  /** Another condition of the rows. */
  where?: Sql
  /** The selected columns; all if not given. */
  selected?: Sql
}

/**
 * The statement of a page below `/v2`, where nothing is counted. Rows with the same value of the column that sorts come in the order of
 * their ids, in the same direction: so an index has all of them one after another. Keys are found first, by an index alone; only the
 * rows of the page are read.
 */
export function pageStatementV2<Row extends RowWithId>(
  db: Db,
  { collection: { table, columns }, filters = [], query, where = sql`true`, selected }: PageV2<Row>,
): Sql | NamedQuery {
  const [sort = 'id', spelled = query.direction ?? 'asc'] = query.sort?.split(':') ?? []
  // A name from our source goes into the statement, and never one of a request.
  const column = columns.find((name) => name === sort) ?? 'id'
  const keys = sql.join(
    [...new Set([column, 'id'])].map((key) => sql`${sql.id(key)} ${sql.raw(spelled === 'desc' ? 'desc' : 'asc')}`),
  )
  const conditions = conditionsOf(filters, query)
  const page = sql`
    with page as (
      select id from ${sql.id(table)} where store_id = ${db.store.id} and ${sql.and([where, ...conditions])}
      order by ${keys} limit ${query.limit} offset ${offsetOf(query)}
    )
    select ${selected ?? names(columns)} from ${sql.id(table)}
    where store_id = ${db.store.id} and id = any(array(select id from page)) order by ${keys}`
  // For a list in the order of ids one index is right in every store (docs/decisions/008-lists-planned-once.md).
  return column === 'id' && conditions.length === 0 ? prepared(page) : page
}

/** The rows of a page below `/v2`. */
export const rowsV2 = <Row extends RowWithId>(db: Db, page: PageV2<Row>): Promise<Row[]> =>
  db.rows<Row>(pageStatementV2(db, page))

/** A bare list of rows that are JSON, as they came from the database or each in pieces; 204 for an empty one. */
export function jsonListV2(rows: JsonRows | readonly JsonPieces[]) {
  const isWhole = 'before' in rows
  if ((isWhole ? rows.before : rows).length === 0) return noContent()
  return new Answer(
    isWhole ? new JsonBytes(rows.take(LIST_BEGIN, LIST_END)) : joined(['[', ...commaSeparated(rows), ']']),
  )
}
const LIST_BEGIN = Buffer.from('[')
const LIST_END = Buffer.from(']')

/** A bare list; 204 for an empty one. */
export const listV2 = (rows: readonly unknown[]) => (rows.length === 0 ? noContent() : new Answer(rows))

/** A time as `/v2` writes it: `Tue, 12 Jun 2018 14:41:56 +0000`. @param moment as rows have it */
export const dateV2 = (moment: string): string => new Date(moment).toUTCString().replace('GMT', '+0000')

/** A column with a time, as `dateV2` writes it; an empty text for null. */
export const mailDate = (column: string): JsonPiece => ({ column, as: 'mail date' })

/** A column with an amount, as `/v2` writes money: `"68.5000"`. */
export const moneyText = (column: string): JsonPiece => ({ column, as: 'money' })

const SUFFIXED = /^(\/stores\/[^/?]+\/v2\/[^?]*[^/?])\.json\/?(?=\?|$)/

/** The address without the suffix that every path below `/v2` may have; any other address as it is. */
export const withoutSuffix = (url: string): string => (url.includes('.json') ? url.replace(SUFFIXED, '$1') : url)

/**
 * The headers of answers below `/v2`: the version of the product, and the path that was meant where the suffix was sent.
 * @param prefix of the contract's own headers
 */
export function headersV2(app: Api, prefix: string) {
  app.addHook('onRequest', ({ url, originalUrl }, reply, done) => {
    reply.header(`${prefix}-store-version`, VERSION)
    if (url !== originalUrl) reply.header('content-location', url.split('?')[0])
    done()
  })
}
