import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { fold } from '../../../../../../core/rest/lists/fold.ts'
import { findWhere } from '../../../../../../core/rest/lists/verbs.ts'
import { ordersWithin } from '../../../../../../sales/b2b/orders/company-order.ts'
import type { CompanyCaller } from '../../../../../../sales/b2b/shared/caller.ts'
import { ORDER_STATUSES } from '../../../../../../sales/orders/arithmetic/order-status.ts'
import { orders } from '../../../../../../sales/orders/row/rows.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaEnums } from '../../../schema-types.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../../connections.ts'
import { isShown, momentOf, STATUSES, toView } from './orders.ts'
import type { CompanyCustomer } from './records.ts'

// Orders of companies as their users read them: those that the role of the user reaches.

interface CompanyOrderFilters {
  search?: string | null
  status?: readonly string[] | null
  customerId?: readonly number[] | null
  companyIds?: readonly string[] | null
  dateRange?: { from: string; to?: string | null } | null
}

interface CompanyOrderArgs extends PageArgs {
  filters?: CompanyOrderFilters | null
  sortBy?: SchemaEnums['OrdersSortInput'] | null
}

const rising = (column: string, isText = false): Order => ({ columns: [column, 'id'], isFalling: false, isText })
const falling = (column: string, isText = false): Order => ({ columns: [column, 'id'], isFalling: true, isText })

const SORTS: Readonly<Record<SchemaEnums['OrdersSortInput'], Order>> = {
  CREATED_AT_NEWEST: falling('created'),
  CREATED_AT_OLDEST: rising('created'),
  HIGHEST_TOTAL_INC_TAX: falling('total'),
  LOWEST_TOTAL_INC_TAX: rising('total'),
  ID_A_TO_Z: { columns: ['id'], isFalling: false },
  ID_Z_TO_A: { columns: ['id'], isFalling: true },
  PLACED_BY_A_TO_Z: rising('placed_by', true),
  PLACED_BY_Z_TO_A: falling('placed_by', true),
  REFERENCE_A_TO_Z: rising('reference', true),
  REFERENCE_Z_TO_A: falling('reference', true),
  STATUS_A_TO_Z: rising('status', true),
  STATUS_Z_TO_A: falling('status', true),
}

/** One page of the orders of a company and of those below it, the newest first if no order is given. */
export async function companyOrderConnection(caller: StorefrontCaller, buyer: CompanyCaller, args: CompanyOrderArgs) {
  const { db } = caller.storefront
  const order = SORTS[args.sortBy ?? 'CREATED_AT_NEWEST']
  const plan = planPage(args, order)
  const keys = await db.rows<{ id: number; sort_key: number | string }>(sql`
    select id, ${sql.raw(order.columns[0])} as sort_key from (
      select orders.id, date_part('epoch', orders.date_created)::bigint as created,
        (orders.total_inc_tax * 10000)::bigint as total, lower(record.po_number) as reference,
        (${STATUS_NAMES}::text[])[orders.status_id + 1] collate "C" as status,
        coalesce(person.first_name_key || ' ' || person.last_name_key, '') as placed_by
      from (${recordsOf(caller, buyer)}) record
      join orders on orders.store_id = ${db.store.id} and orders.id = record.order_id
      left join customers person on person.store_id = ${db.store.id} and person.id = record.customer_id
      where ${sql.and([isShown, ...conditionsOf(args.filters)])}
    ) found where ${plan.where} ${plan.tail}`)
  const rows = await findWhere(db, orders, sql`id = any(${keys.map(({ id }) => id)})`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const views = await Promise.all(
    keys.flatMap(({ id, sort_key }) => {
      const row = byId.get(id)
      return row
        ? [toView(caller, row).then((view) => ({ view, key: order.columns.length > 1 ? [sort_key, id] : [id] }))]
        : []
    }),
  )
  return {
    ...keyedConnection(plan, views, { keyOf: ({ key }) => key, nodeOf: ({ view }) => view }),
    collectionInfo: null,
  }
}

const STATUS_NAMES = STATUSES.map((_, i) => ORDER_STATUSES.find(({ id }) => id === i)?.name ?? '')

/** The records that the user may read, as a table. */
const recordsOf = ({ storefront: { db } }: StorefrontCaller, buyer: CompanyCaller): Sql => sql`
  select order_id, company_id, customer_id, po_number from b2b_orders
  where store_id = ${db.store.id} and company_id > 0 and ${ordersWithin(buyer, 'get_orders')}`

function conditionsOf(filters: CompanyOrderFilters | null | undefined): Sql[] {
  if (!filters) return []
  const { search, status, customerId, companyIds, dateRange } = filters
  const conditions: Sql[] = []
  if (search) {
    const text = fold(search.replaceAll('\0', ''))
    conditions.push(sql`(orders.id::text = ${text} or strpos(lower(record.po_number), ${text}) > 0)`)
  }
  if (status?.length) conditions.push(sql`orders.status_id = any(${status.flatMap(statusNamed)}::int[])`)
  if (customerId?.length) conditions.push(sql`record.customer_id = any(${customerId}::int[])`)
  if (companyIds?.length) conditions.push(sql`record.company_id::text = any(${companyIds.filter(isPlain)})`)
  if (dateRange) {
    conditions.push(sql`orders.date_created >= ${momentOf(dateRange.from)}`)
    if (dateRange.to != null) conditions.push(sql`orders.date_created <= ${momentOf(dateRange.to)}`)
  }
  return conditions
}

const isPlain = (text: string) => !text.includes('\0')

/** A status by its name in the schema, or by its words in the store. Another text names none. */
function statusNamed(text: string): number[] {
  const name = text.toLowerCase()
  const found = STATUSES.findIndex(
    (value, i) => name === value?.toLowerCase() || name === STATUS_NAMES[i]?.toLowerCase(),
  )
  return found < 0 ? [] : [found]
}

/** One page of the customers who placed the orders that the user may read. */
export async function orderingCustomers(
  caller: StorefrontCaller,
  buyer: CompanyCaller,
  { filters, ...args }: PageArgs & { filters?: { companyIds?: readonly string[] | null } | null },
) {
  const { db } = caller.storefront
  const plan = planPage(args, { columns: ['id'], isFalling: false })
  const wanted = filters?.companyIds?.length
    ? sql`record.company_id::text = any(${filters.companyIds.filter(isPlain)})`
    : sql`true`
  const rows = await db.rows<Omit<CompanyCustomer, 'entityId'> & { id: number }>(sql`
    select id, first_name as "firstName", last_name as "lastName", email from customers
    where store_id = ${db.store.id} and id in (
      select record.customer_id from (${recordsOf(caller, buyer)}) record
      join orders on orders.store_id = ${db.store.id} and orders.id = record.order_id where ${isShown} and ${wanted}
    ) and ${plan.where} ${plan.tail}`)
  return keyedConnection(plan, rows, {
    keyOf: ({ id }) => [id],
    nodeOf: ({ id, ...person }) => ({ entityId: id, ...person }),
  })
}
