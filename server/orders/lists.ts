import t from 'typebox'
import type { Db } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import type { ListQuery } from '../core/rest/collection.ts'
import { parseDate, toSeconds } from '../core/rest/dates.ts'
import { conditionsOf, type Filter } from '../core/rest/filters.ts'
import { offsetOf } from '../core/rest/pages/order.ts'
import { queryV2, rowsV2 } from '../core/rest/v2.ts'
import { findOne } from '../core/rest/verbs.ts'
import { partsOfOrders } from './change.ts'
import { addresses, fees, lines, type OrderRow, orders, pickups } from './rows.ts'
import type { OrderV2 } from './shapes-v2.ts'
import { consignmentsV2, feeV2, type Links, orderV2 } from './show.ts'
import { spanMeets } from './spans.ts'
import { ORDER_STATUSES } from './states/order-status.ts'

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
  // An id as text: compared as it is.
  equal('cart_id', 'choice'),
  equal('payment_method', 'text'),
  equal('channel_id', 'number'),
  equal('external_order_id', 'text'),
  equal('is_deleted', 'boolean'),
]

const SORTS = ['id', 'customer_id', 'date_created', 'date_modified', 'status_id', 'channel_id', 'external_id'] as const

/** A fraction is no id: the filter of a number would let it through. */
const channel_id = t.Optional(t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** What is shown in place of a link. */
export const includes = {
  include: t.Optional(t.Array(t.Enum(['consignments', 'consignments.line_items', 'fees']))),
  consignment_structure: t.Optional(t.Enum(['object'])),
}
export interface Includes {
  include?: readonly string[]
}

export const ordersQuery = queryV2(filters, SORTS, { ...includes, channel_id })
export const countQuery = queryV2(filters, [], { channel_id })

/** Archived orders are in no list that does not ask for them. */
const withArchive = (query: ListQuery): ListQuery => ({ is_deleted: false, ...query })

export async function listOrders(db: Db, query: ListQuery, links: Links): Promise<OrderV2[]> {
  const { sort = 'id', min_date_created, max_date_created, min_date_modified } = query
  const isDated = [min_date_created, max_date_created, min_date_modified].some((date) => date !== undefined)
  const rows =
    isDated && sort.startsWith('id') && !FEW.some((filter) => query[filter] !== undefined)
      ? await rowsDated(db, withArchive(query))
      : await rowsV2(db, orders, filters, withArchive(query), sql`true`)
  return showOrders(db, rows, query, links)
}

/** Filters that leave so few orders that each of them can be looked at. */
const FEW = ['customer_id', 'email', 'cart_id', 'external_order_id']

/**
 * A page in the order of ids of orders that were placed between two dates, or changed since one: only spans that may have such orders
 * are looked into.
 */
function rowsDated(db: Db, query: ListQuery): Promise<OrderRow[]> {
  const order = sql.raw((query.sort?.split(':')[1] ?? query.direction) === 'desc' ? 'desc' : 'asc')
  const meets = spanMeets({
    placedAfter: momentOf(query.min_date_created),
    placedBefore: momentOf(query.max_date_created),
    changedAfter: momentOf(query.min_date_modified),
  })
  return db.rows<OrderRow>(sql`
    with page as (
      select orders.id from order_spans span
      join orders on orders.store_id = ${db.store.id} and ${meets}
      where span.store_id = ${db.store.id} and ${sql.and(conditionsOf(filters, query))}
      order by span.first_id ${order}, orders.id ${order} limit ${query.limit} offset ${offsetOf(query)}
    )
    select ${sql.join(orders.columns.map(sql.id))} from orders
    where store_id = ${db.store.id} and id = any(array(select id from page)) order by id ${order}`)
}

const momentOf = (filter: unknown): string | undefined => {
  const moment = typeof filter === 'string' ? parseDate(filter) : undefined
  return moment && toSeconds(moment.at)
}

export const getOrder = async (db: Db, id: number, query: Includes, links: Links): Promise<OrderV2> => {
  const [order] = await showOrders(db, [await findOne(db, orders, id)], query, links)
  if (!order) throw new Error('An order was not shown.')
  return order
}

/** Orders with what is to be shown in place: one statement for each kind of part. */
export async function showOrders(
  db: Db,
  rows: readonly OrderRow[],
  { include = [] }: Includes,
  links: Links,
): Promise<OrderV2[]> {
  const ids = rows.map(({ id }) => id)
  const withLines = include.includes('consignments.line_items')
  const withConsignments = withLines || include.includes('consignments')
  const [ofLines, ofAddresses, ofPickups, ofFees] = await Promise.all([
    withConsignments ? partsOfOrders(db, lines, ids) : [],
    withConsignments ? partsOfOrders(db, addresses, ids) : [],
    withConsignments ? partsOfOrders(db, pickups, ids) : [],
    include.includes('fees') ? partsOfOrders(db, fees, ids) : [],
  ])
  const [linesBy, addressesBy, pickupsBy, feesBy] = [
    Map.groupBy(ofLines, ({ order_id }) => order_id),
    Map.groupBy(ofAddresses, ({ order_id }) => order_id),
    Map.groupBy(ofPickups, ({ order_id }) => order_id),
    Map.groupBy(ofFees, ({ order_id }) => order_id),
  ]
  return rows.map((order) => {
    const { id } = order
    const parts = {
      lines: linesBy.get(id) ?? [],
      addresses: addressesBy.get(id) ?? [],
      pickups: pickupsBy.get(id) ?? [],
    }
    return orderV2(order, links, {
      ...(withConsignments ? { consignments: consignmentsV2(order, parts, links, withLines) } : {}),
      ...(include.includes('fees') ? { fees: (feesBy.get(id) ?? []).map(feeV2) } : {}),
    })
  })
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

/** How many orders a list would have, by status. */
export async function countOrders(db: Db, query: ListQuery) {
  const counted = await db.rows<{ status_id: number; count: number }>(sql`
    select status_id, count(*)::int as count from orders
    where store_id = ${db.store.id} and ${sql.and(conditionsOf(filters, withArchive(query)))} group by status_id`)
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
