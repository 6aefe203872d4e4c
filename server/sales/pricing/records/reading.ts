import t from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import { ListOf } from '../../../core/rest/input/fields.ts'
import { type AskedPage, CursorMeta } from '../../../core/rest/lists/collection.ts'
import { ComparedText, conditionsOf, filterOf, filterSchema } from '../../../core/rest/lists/filters.ts'
import { cursorMeta } from '../../../core/rest/lists/pages/cursor.ts'
import { decodeKeyedCursor, encodeCursor, pagination, pagingWithoutDefault } from '../../../core/rest/lists/paging.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { skusOfVariants, variantsOfProducts, variantsWithSkus } from '../../../goods/catalog/variants/references.ts'
import { liveIn } from './sets.ts'
import { AnsweredRecord, PriceRecord, type RecordRow } from './shape.ts'

const PRICES = ['price', 'sale_price', 'retail_price', 'map_price', 'calculated_price']
const DATES = ['date_created', 'date_modified']
const filters = ['variant_id:in', ...[...PRICES, ...DATES].flatMap((name) => [name, `${name}:min`, `${name}:max`])].map(
  (name) => filterOf(PriceRecord.properties, name),
)

const INCLUDES = ['bulk_pricing_tiers', 'sku']
/** Unknown names are ignored, unlike those of other lists (docs/contract/price-lists.md section 3). */
const include = t.Optional(t.Array(t.String({ isFieldName: true }), { description: INCLUDES.join(', ') }))
const paged = { ...pagingWithoutDefault, before: t.Optional(ComparedText), after: t.Optional(ComparedText) }

/** The filters that name variants and currencies, as lists and deletions have them. */
const Skus = ListOf(ComparedText)
export const RecordsQuery = t.Unsafe<RecordsQuery>(
  t.Object(
    {
      ...Object.fromEntries(filters.map((filter) => [filter.name, t.Optional(filterSchema(filter))])),
      'product_id:in': t.Optional(ListOf(PriceRecord.properties.product_id)),
      sku: t.Optional(ComparedText),
      'sku:in': t.Optional(Skus),
      currency: t.Optional(ComparedText),
      'currency:in': t.Optional(Skus),
      include,
      ...paged,
    },
    { additionalProperties: false, table: 'price_records' },
  ),
)
export interface RecordsQuery extends AskedPage, Named {}

/** The filters of a query that name variants and currencies. */
export interface Named {
  currency?: string
  'currency:in'?: string[]
  sku?: string
  'sku:in'?: string[]
  'product_id:in'?: number[]
}

export const VariantRecordsQuery = t.Unsafe<AskedPage>(
  t.Object({ include, ...paged }, { additionalProperties: false, table: 'price_records' }),
)
export const IncludeQuery = t.Unsafe<Pick<AskedPage, 'include'>>(t.Object({ include }))

export const RecordList = t.Object({ data: t.Array(AnsweredRecord), meta: CursorMeta })

/** The conditions of the filters that need more than their column. */
function namedConditions(db: Pick<Db, 'store'>, query: Named): Sql[] {
  const { currency, sku, 'currency:in': currencies, 'sku:in': skus, 'product_id:in': products } = query
  return [
    ...(currency === undefined ? [] : [sql`currency = ${currency.toLowerCase()}`]),
    ...(currencies === undefined ? [] : [sql`currency = any(${currencies.map((code) => code.toLowerCase())})`]),
    ...(sku === undefined ? [] : [sql`variant_id in (${variantsWithSkus(db, [sku])})`]),
    ...(skus === undefined ? [] : [sql`variant_id in (${variantsWithSkus(db, skus)})`]),
    ...(products === undefined ? [] : [sql`variant_id in (${variantsOfProducts(db, products)})`]),
  ]
}

const columns = Object.keys(PriceRecord.properties)

/** A page of the records of a list, by variant and currency. @param where further conditions */
export async function findRecords(
  db: Db,
  list: number,
  asked: RecordsQuery,
  where: readonly Sql[] = [],
): Promise<FoundList> {
  const conditions = [...conditionsOf(filters, asked), ...namedConditions(db, asked), ...where]
  const query = { ...asked, page: asked.page ?? 1 }
  if (asked.before !== undefined || asked.after !== undefined) return findByPlace(db, list, asked, conditions)
  const { counted, found } = await db.together(() => ({
    counted: db.row<{ total: number }>(totalOf(db, list, asked, conditions)),
    found: readRecords(db, list, conditions, {
      order: sql`variant_id, currency`,
      window: sql`limit ${query.limit} offset ${(query.page - 1) * query.limit}`,
    }),
  }))
  const { total } = counted
  const cursors = cursorsOf(found)
  const meta = {
    pagination: pagination({ total, count: found.length, page: query.page, limit: query.limit }, asked),
    ...(asked.page === undefined
      ? {
          cursor_pagination: cursorMeta(cursors, asked, {
            hasPrevious: false,
            hasNext: query.limit < total,
            current: {},
          }),
        }
      : {}),
  }
  return answerList(await withParts(db, found, asked), meta)
}

/** The piece of a list behind or before a cursor. */
async function findByPlace(db: Db, list: number, query: RecordsQuery, conditions: readonly Sql[]) {
  const { before, after, limit } = query
  if (before !== undefined && after !== undefined) {
    throw new Problem(422, 'The query is not valid: before and after must not be sent together.')
  }
  const isBackwards = before !== undefined
  const { id, key } = decodeKeyedCursor(before ?? after ?? '')
  const place = sql`(${id}::int, ${key}::text)`
  const found = await readRecords(
    db,
    list,
    [...conditions, isBackwards ? sql`(variant_id, currency) < ${place}` : sql`(variant_id, currency) > ${place}`],
    {
      order: isBackwards ? sql`variant_id desc, currency desc` : sql`variant_id, currency`,
      window: sql`limit ${limit + 1}`,
    },
  )
  const hasMore = found.length > limit
  const rows = found.slice(0, limit)
  if (isBackwards) rows.reverse()
  const meta = {
    cursor_pagination: cursorMeta(cursorsOf(rows), query, {
      hasPrevious: isBackwards ? hasMore : true,
      hasNext: isBackwards ? true : hasMore,
      current: isBackwards ? { before } : { after: after ?? '' },
    }),
  }
  return answerList(await withParts(db, rows, query), meta)
}

type FoundRecord = PriceRecord & Pick<RecordRow, 'bulk_pricing_tiers'>

function readRecords(
  db: Db,
  list: number,
  conditions: readonly Sql[],
  { order, window }: { order: Sql; window: Sql },
): Promise<FoundRecord[]> {
  return db.rows<FoundRecord>(sql`
    select ${sql.join(columns.map(sql.id))}, bulk_pricing_tiers from price_records ${liveIn(db, list)}
    where store_id = ${db.store.id} and price_list_id = ${list} and ${sql.and(conditions)}
    order by ${order} ${window}`)
}

/** A list without filters, or filtered by currencies alone, is not counted: its sets have their totals. */
function totalOf(db: Db, list: number, query: RecordsQuery, conditions: readonly Sql[]): Sql {
  const { currency, 'currency:in': currencies } = query
  const ofCurrencies = namedConditions(db, {
    ...(currency === undefined ? {} : { currency }),
    ...(currencies === undefined ? {} : { 'currency:in': currencies }),
  })
  const here = sql`store_id = ${db.store.id} and price_list_id = ${list}`
  return ofCurrencies.length === conditions.length
    ? sql`select coalesce(sum(total), 0)::int as total from price_record_sets where ${here} and ${sql.and(conditions)}`
    : sql`select count(*)::int as total from price_records ${liveIn(db, list)} where ${here} and ${sql.and(conditions)}`
}

const cursorsOf = (rows: readonly PriceRecord[]) =>
  rows.map(({ variant_id, currency }) => encodeCursor(variant_id, currency))

/** Records with the sub-resources that a query includes. */
async function withParts(db: Db, rows: readonly FoundRecord[], { include = [] }: Pick<AskedPage, 'include'>) {
  const skus = include.includes('sku')
    ? await skusOfVariants(
        db,
        rows.map(({ variant_id }) => variant_id),
      )
    : undefined
  return rows.map(({ bulk_pricing_tiers, ...record }) => ({
    ...record,
    ...(skus ? { sku: skus.get(record.variant_id) ?? '' } : {}),
    ...(include.includes('bulk_pricing_tiers') ? { bulk_pricing_tiers } : {}),
  }))
}

interface FoundList {
  answer: Answer
  isEmpty: boolean
}

const answerList = (data: readonly object[], meta: object): FoundList => ({
  answer: new Answer({ data, meta }),
  isEmpty: data.length === 0,
})

/** A record with the included sub-resources; undefined if it is missing. @param currency in lower case */
export async function findRecord(
  db: Db,
  key: { list: number; variant: number; currency: string },
  query: Pick<AskedPage, 'include'>,
) {
  const row = await rowOf(db, key)
  return row && (await withParts(db, [row], query))[0]
}

/** The row of a record that readers see. */
async function rowOf(db: Db, { list, variant, currency }: { list: number; variant: number; currency: string }) {
  const [row] = await db.rows<FoundRecord>(
    prepared(sql`
    select ${sql.join(columns.map(sql.id))}, bulk_pricing_tiers from price_records ${liveIn(db, list)}
    where store_id = ${db.store.id} and price_list_id = ${list} and variant_id = ${variant} and currency = ${currency}`),
  )
  return row
}
