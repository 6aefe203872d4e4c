import t from 'typebox'
import { type Db, type JsonRows, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { JsonBytes, type JsonPieces, joined } from '../../../core/rest/answer.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import type { ListQuery } from '../../../core/rest/lists/collection.ts'
import { conditionsOf, type Filter } from '../../../core/rest/lists/filters.ts'
import { offsetOf } from '../../../core/rest/lists/pages/order.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { jsonListV2, pageStatementV2, queryV2 } from '../../../core/rest/v2.ts'
import { ORDER_STATUSES } from '../arithmetic/order-status.ts'
import { fees, type LineRow, type OrderRow, orderAddresses, orders, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { spanMeets } from '../stock/spans.ts'
import { readRequest, requestedUntil } from '../writing/archive.ts'
import {
  type ConsignmentLine,
  type CountedLine,
  consignmentsV2,
  feeV2,
  isUnplaced,
  LINE_COLUMNS,
  type Links,
  lineTemplate,
  linkedOrderTemplate,
  orderTemplate,
  RATED_TOTALS,
  UNRATED,
} from './show.ts'

// Lists of orders (docs/contract/orders.md section 6).

const range = (column: string, kind: Filter['kind'], name = column): Filter[] => [
  { name: `min_${name}`, column, operator: 'min', kind },
  { name: `max_${name}`, column, operator: 'max', kind },
]
const equal = (column: string, kind: Filter['kind']): Filter => ({ name: column, column, operator: 'equals', kind })

const filters: readonly Filter[] = [
  ...range('id', 'integer'),
  ...range('total_inc_tax', 'number', 'total'),
  ...range('date_created', 'date'),
  ...range('date_modified', 'date'),
  equal('customer_id', 'integer'),
  equal('email', 'text'),
  equal('status_id', 'integer'),
  // An id as text, compared exactly.
  equal('cart_id', 'choice'),
  equal('payment_method', 'text'),
  equal('channel_id', 'number'),
  equal('external_order_id', 'text'),
  equal('is_deleted', 'boolean'),
]

const SORTS = ['id', 'customer_id', 'date_created', 'date_modified', 'status_id', 'channel_id', 'external_id'] as const

/** Refuses fractions, which the filter of a number would accept. */
const channel_id = t.Optional(t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** The sub-resources that replace links. */
export const includes = {
  include: t.Optional(t.Array(t.Enum(['consignments', 'consignments.line_items', 'fees']))),
  consignment_structure: t.Optional(t.Enum(['object'])),
}
export interface Includes {
  include?: readonly string[]
}

export const ordersQuery = queryV2(filters, SORTS, { ...includes, channel_id })
export const countQuery = queryV2(filters, [], { channel_id })

interface Archived {
  query: ListQuery
  where: Sql
}

/** Lists omit archived orders unless is_deleted is true, and also those that a request to archive all orders includes. */
async function withArchive(db: Db, { is_deleted = false, ...query }: ListQuery): Promise<Archived> {
  if (!is_deleted) return { query, where: sql`orders.is_deleted = false and orders.id > ${requestedUntil(db)}` }
  const until = await readRequest(db)
  if (until === 0) return { query, where: sql`orders.is_deleted = true` }
  return { query, where: sql`(orders.is_deleted or orders.id <= ${until})` }
}

/** Whether an order has only links. */
const isPlain = ({ include = [] }: Includes) => include.length === 0

/** The columns of an order in answers: its id, whether its prices include tax, its date_modified, and those of the template. */
const shownOf = (db: Db, { base }: Links): Sql => sql`
  id, is_tax_inclusive_pricing::int, extract(epoch from date_modified)::bigint,
  ${sql.join(orders.columns.map((column) => (column === 'is_deleted' ? isArchived(db) : sql.id(column))))}, ${base}::text`

/** Whether an order is archived, or a request to archive all orders includes it. */
const isArchived = (db: Db): Sql => sql`(is_deleted or id <= ${requestedUntil(db)})`

/** A page of orders as a bare list. */
export async function listOrders(db: Db, query: ListQuery, links: Links) {
  const { sort = 'id', min_date_created, max_date_created, min_date_modified } = query
  const isDated = [min_date_created, max_date_created, min_date_modified].some((date) => date !== undefined)
  const archived = await withArchive(db, query)
  const page =
    isDated && sort.startsWith('id') && !FEW.some((filter) => query[filter] !== undefined)
      ? pageDated(db, archived, links)
      : pageStatementV2(db, { collection: orders, filters, ...archived, selected: shownOf(db, links) })
  if (isPlain(query)) return jsonListV2(await db.jsonRows(page, linkedOrderTemplate))
  const found = await db.jsonRows(page, orderTemplate)
  const ids = found.before.map(([id]) => id ?? 0)
  const inclusive = found.before.flatMap(([id, isInclusive]) => (isInclusive === 1 ? [id ?? 0] : []))
  const isInclusive = sql`order_id = ${sql.anyOf(inclusive)}`
  const parts = await partsOf(db, ids, isInclusive, shownBy(query, links))
  return jsonListV2(withParts(found, parts, links))
}

/** Filters that match so few orders that each can be read. */
const FEW = ['customer_id', 'email', 'cart_id', 'external_order_id']

/**
 * A page, sorted by id, of orders that were created between two dates or changed since a date. It reads only spans that may have such
 * orders.
 */
function pageDated(db: Db, { query, where }: Archived, links: Links): Sql {
  const order = sql.raw((query.sort?.split(':')[1] ?? query.direction) === 'desc' ? 'desc' : 'asc')
  const meets = spanMeets({
    placedAfter: momentOf(query.min_date_created),
    placedBefore: momentOf(query.max_date_created),
    changedAfter: momentOf(query.min_date_modified),
  })
  return sql`
    with page as (
      select orders.id from order_spans span
      join orders on orders.store_id = ${db.store.id} and ${meets}
      where span.store_id = ${db.store.id} and ${sql.and([where, ...conditionsOf(filters, query)])}
      order by span.first_id ${order}, orders.id ${order} limit ${query.limit} offset ${offsetOf(query)}
    )
    select ${shownOf(db, links)} from orders
    where store_id = ${db.store.id} and id = any(array(select id from page)) order by id ${order}`
}

const momentOf = (filter: unknown): string | undefined => {
  const moment = typeof filter === 'string' ? parseDate(filter) : undefined
  return moment && toSeconds(moment.at)
}

/** Returns the JSON of an order and its date_modified. @throws Problem 404 */
export async function showOrder(db: Db, id: number, query: Includes, links: Links) {
  const statement = prepared(
    sql`select ${shownOf(db, links)} from orders where store_id = ${db.store.id} and id = ${id}`,
  )
  const isInclusive = sql`(select is_tax_inclusive_pricing from orders where store_id = ${db.store.id} and id = ${id})`
  const { found, parts } = isPlain(query)
    ? { found: await db.jsonByKey(statement, linkedOrderTemplate), parts: undefined }
    : await db.together(() => ({
        found: db.jsonRows(statement, orderTemplate),
        parts: partsOf(db, [id], isInclusive, shownBy(query, links)),
      }))
  const [order] = found.before
  if (!order) throw notFound(orders.noun, id)
  const [, , modified] = order
  return {
    json: parts ? joined(withParts(found, parts, links).flat()) : new JsonBytes(found.take()),
    modified: new Date((modified ?? 0) * 1_000).toISOString(),
  }
}

/** The sub-resources that replace links, and the function that makes links. */
interface Shown {
  consignments: boolean
  /** Whether consignments have lines instead of links. */
  withLines: boolean
  fees: boolean
  links: Links
}

function shownBy({ include = [] }: Includes, links: Links): Shown {
  const withLines = include.includes('consignments.line_items')
  return {
    consignments: withLines || include.includes('consignments'),
    withLines,
    fees: include.includes('fees'),
    links,
  }
}

/** The sub-resources that replace links, by order; undefined for a link. */
interface ShownParts {
  consignments: ReadonlyMap<number, JsonPieces> | undefined
  fees: ReadonlyMap<number, JsonPieces> | undefined
}

/** @param isInclusive for a line, whether the prices of its order include tax */
async function partsOf(db: Db, ids: readonly number[], isInclusive: Sql, shown: Shown): Promise<ShownParts> {
  const { consignments, rows } = await db.together(() => ({
    consignments: shown.consignments
      ? consignmentsOf(db, ids, shown.withLines ? isInclusive : undefined, shown.links)
      : undefined,
    rows: shown.fees ? rowsOfOrders(db, fees, ids) : undefined,
  }))
  const feesBy = rows && byOrder(rows)
  return {
    consignments,
    fees: feesBy && new Map(ids.map((id) => [id, [JSON.stringify((feesBy.get(id) ?? []).map(feeV2))]])),
  }
}

/** The JSON of orders with their included sub-resources. */
function withParts(found: JsonRows, parts: ShownParts, links: Links): JsonPieces[] {
  const rows = found.takeEach()
  return found.before.map(([id], i) => {
    const part = (name: keyof ShownParts) => [
      `,"${name}":`,
      ...(parts[name]?.get(id ?? 0) ?? [JSON.stringify(links(`/orders/${id}/${name}`))]),
    ]
    return [rows[i]?.subarray(0, -1) ?? '', ...part('consignments'), ...part('fees'), '}']
  })
}

const byOrder = <Row extends { order_id: number }>(rows: readonly Row[]) => Map.groupBy(rows, (row) => row.order_id)

/**
 * The consignments of orders.
 * @param isInclusive for a line, whether the prices of its order include tax; undefined if lines are shown as links
 */
export async function consignmentsOf(
  db: Db,
  ids: readonly number[],
  isInclusive: Sql | undefined,
  links: Links,
): Promise<ReadonlyMap<number, JsonPieces>> {
  const { ofLines, ofAddresses, ofPickups } = await db.together(() => ({
    ofLines: isInclusive ? linesInPlace(db, ids, isInclusive) : linkedLines(db, ids, links),
    ofAddresses: rowsOfOrders(db, orderAddresses, ids),
    ofPickups: rowsOfOrders(db, pickupConsignments, ids),
  }))
  const unplaced = [...new Set(ofLines.filter(isUnplaced).map(({ order_id }) => order_id))]
  const { emails, recipients } = await db.together(() => ({
    emails: emailsOf(db, unplaced),
    recipients: recipientsOf(db, unplaced),
  }))
  const [linesBy, addressesBy, pickupsBy] = [byOrder(ofLines), byOrder(ofAddresses), byOrder(ofPickups)]
  const partsOf = (id: number) => ({
    lines: linesBy.get(id) ?? [],
    addresses: addressesBy.get(id) ?? [],
    pickups: pickupsBy.get(id) ?? [],
    email: emails.get(id) ?? '',
    recipients,
  })
  return new Map(ids.map((id) => [id, consignmentsV2(partsOf(id), links)]))
}

const COUNTED = sql`id, order_id, order_address_id, order_pickup_method_id, quantity, quantity_shipped`

async function linkedLines(db: Db, orderIds: readonly number[], links: Links): Promise<ConsignmentLine[]> {
  const rows = await db.rows<CountedLine>(
    prepared(sql`
    select ${COUNTED} from order_products
    where store_id = ${db.store.id} and order_id = ${sql.anyOf(orderIds)} order by order_id, id`),
  )
  return rows.map((line) => ({
    ...line,
    json: [JSON.stringify(links(`/orders/${line.order_id}/products/${line.id}`))],
  }))
}

async function linesInPlace(db: Db, orderIds: readonly number[], isInclusive: Sql): Promise<ConsignmentLine[]> {
  const found = await db.jsonRows(
    prepared(sql`
    select ${COUNTED}, ${lineColumns(isInclusive)} from order_products
    where store_id = ${db.store.id} and order_id = ${sql.anyOf(orderIds)} order by order_id, id`),
    lineTemplate,
  )
  const lines = found.takeEach()
  return found.before.map((counted, i) => {
    const [id = 0, order_id = 0, order_address_id = 0, order_pickup_method_id = 0, quantity = 0, quantity_shipped = 0] =
      counted.map(Number)
    return {
      id,
      order_id,
      order_address_id,
      order_pickup_method_id,
      quantity,
      quantity_shipped,
      json: [lines[i] ?? 'null'],
    }
  })
}

/** The columns of the template of lines. @param isInclusive whether the prices of the order include tax */
export const lineColumns = (isInclusive: Sql): Sql =>
  sql.join([
    ...LINE_COLUMNS.map((column) => {
      if (column === 'product_options') return OPTIONS
      if (column === 'applied_discounts') return DISCOUNTS
      return RATED_TOTALS.has(column) ? sql`coalesce(${sql.id(column)}, ${sql.raw(String(UNRATED))})` : sql.id(column)
    }),
    isInclusive,
  ])

/** Options have the id of their line. They are stored before the line has an id. */
const OPTIONS = sql`case when product_options = '[]' then product_options else (
  select jsonb_agg(option || jsonb_build_object('order_product_id', order_products.id) order by place)
  from jsonb_array_elements(product_options) with ordinality as stored (option, place)
) end`

/** A share of the discounts of the order counts as one discount. */
const DISCOUNTS = sql`coalesce(applied_discounts, case when discount = 0 then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
  'id', 'manual-discount', 'amount', to_char(discount, 'FM99999999990.0000'), 'name', 'Manual Discount', 'code', null, 'target', 'order'
)) end)`

async function emailsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Pick<OrderRow, 'id' | 'email'>>(
    prepared(sql`select id, email from orders where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** The e-mail addresses that the gift certificates of orders are sent to, by line. */
async function recipientsOf(db: Db, orderIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db.rows<Pick<LineRow, 'id' | 'recipient_email'>>(
    prepared(sql`
    select id, recipient_email from order_products
    where store_id = ${db.store.id} and order_id = ${sql.anyOf(orderIds)} and recipient_email <> ''`),
  )
  return new Map(rows.map(({ id, recipient_email }) => [id, recipient_email]))
}

export const OrderCount = t.Object(
  {
    statuses: t.Array(
      t.Object({
        id: t.Integer(),
        name: t.String(),
        system_label: t.String(),
        custom_label: t.String(),
        system_description: t.String(),
        count: t.Integer(),
        sort_order: t.Integer(),
      }),
    ),
    count: t.Integer(),
  },
  { title: 'OrderCount' },
)

/** Counts the orders of a list by status. */
export async function countOrders(db: Db, query: ListQuery) {
  const archived = await withArchive(db, query)
  const counted = await db.rows<{ status_id: number; count: number }>(sql`
    select status_id, count(*)::int as count from orders
    where store_id = ${db.store.id} and ${sql.and([archived.where, ...conditionsOf(filters, archived.query)])} group by status_id`)
  const counts = new Map(counted.map(({ status_id, count }) => [status_id, count]))
  const statuses = ORDER_STATUSES.map(({ id, name, order, system_description }) => ({
    id,
    name,
    system_label: name,
    custom_label: name,
    system_description,
    count: counts.get(id) ?? 0,
    sort_order: order,
  }))
  return { statuses, count: statuses.reduce((sum, { count }) => sum + count, 0) }
}
