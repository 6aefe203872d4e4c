import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { ID_MAX, Id, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { ExtraValues } from '../extra-fields/values.ts'
import { type CompanyCaller, type CompanyReader, reachableBy, unreachable } from '../shared/caller.ts'
import { keepWithoutCompanion } from './without-companion.ts'

/**
 * The companion record of an order: its company, its purchase order number and its extra fields.
 *
 * A store with the companion API has a record for every order, with an id of its own. The transaction that stores an order creates the
 * record or follows the change (`follow.ts`), and a job creates those of the orders that a store had before. The company is that of the
 * customer when the order was created; orders of guests and of plain customers have none. The orders of a customer who becomes a user
 * move to the company. A record outlives its company.
 */
const Row = t.Object({
  id: Id,
  order_id: Id,
  company_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  customer_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  channel_id: t.Integer(),
  po_number: t.String(),
  extra_values: ExtraValues,
  credit_used: t.Number(),
  credit_currency: t.String(),
  created_at: Moment,
  updated_at: Moment,
})
export type CompanyOrderRow = Static<typeof Row>

export const companyOrders = collection('b2b_orders', Row, { noun: 'order', filters: '' })

const columns = sql.join(companyOrders.columns.map(sql.id))

/** The records that a caller may read. */
export const ordersWithin = (caller: CompanyReader, code: string): Sql =>
  reachableBy(caller, code, sql`company_id`, userOfOrder)

/** The user of the customer of an order, as an expression on its record. */
const userOfOrder = sql`(
  select u.id from company_users u where u.store_id = b2b_orders.store_id and u.customer_id = b2b_orders.customer_id
)`

/** An order by its id in the store, or by that of its record. */
export type WantedOrder = { orderId: number } | { recordId: number }

/** @param code the permission that a buyer needs @throws Problem 404, 403 */
export const findCompanyOrder = (
  db: Db,
  caller: CompanyCaller,
  wanted: WantedOrder,
  code = 'get_order_detail',
): Promise<CompanyOrderRow> => reachableOrder(db, caller, wanted, { code, tail: sql.empty })

/** Locks the record of an order until the transaction ends. @throws Problem 404, 403 */
export const lockCompanyOrder = (tx: Tx, caller: CompanyCaller, wanted: WantedOrder): Promise<CompanyOrderRow> =>
  reachableOrder(tx, caller, wanted, { code: 'get_order_detail', tail: sql`for update` })

async function reachableOrder(
  db: Db,
  caller: CompanyCaller,
  wanted: WantedOrder,
  { code, tail }: { code: string; tail: Sql },
): Promise<CompanyOrderRow> {
  const isWanted = 'orderId' in wanted ? sql`order_id = ${wanted.orderId}` : sql`id = ${wanted.recordId}`
  const found = await db.maybeRow<CompanyOrderRow>(sql`
    select ${columns} from b2b_orders
    where store_id = ${db.store.id} and ${isWanted} and ${ordersWithin(caller, code)} ${tail}`)
  const id = 'orderId' in wanted ? wanted.orderId : wanted.recordId
  if (!found) throw unreachable(caller, notFound(companyOrders.noun, id))
  return found
}

/** The order as far as its record copies it. */
export interface RecordedOrder {
  id: number
  customer_id: number
  channel_id: number
  date_created: string
  date_modified: string
}

/** Creates the record of a new order if the store has the companion API. @returns undefined without it */
export async function recordNewOrder(tx: Tx, order: RecordedOrder): Promise<CompanyOrderRow | undefined> {
  const [row] = await tx.rows<CompanyOrderRow>(
    prepared(sql`
    with next as (
      insert into counters as counter (store_id, resource, last_id, total, version)
      select ${tx.store.id}, 'b2b_orders', 1, 1, 1 from b2b_settings where store_id = ${tx.store.id} and is_enabled
      on conflict (store_id, resource) do update set
        last_id = counter.last_id + 1, total = counter.total + 1, version = counter.version + 1
      returning last_id
    )
    insert into b2b_orders (store_id, id, order_id, company_id, customer_id, channel_id, po_number, created_at, updated_at)
    select ${tx.store.id}, last_id, ${order.id}, coalesce((
      select company_id from company_users where store_id = ${tx.store.id} and customer_id = ${order.customer_id}
    ), 0), ${order.customer_id}, ${order.channel_id}, '', ${order.date_created}, ${order.date_modified} from next
    returning ${columns}`),
  )
  if (!row) keepWithoutCompanion(tx.store.id)
  return row
}

/** Copies a change of an order into its record, which stays locked. @returns undefined for an order without a record */
export async function recordChangedOrder(tx: Tx, order: RecordedOrder): Promise<CompanyOrderRow | undefined> {
  const { is_enabled, id, ...row } = await tx.row<FollowedRow>(
    prepared(sql`
    with changed as (
      update b2b_orders set customer_id = ${order.customer_id}, channel_id = ${order.channel_id},
        created_at = ${order.date_created}, updated_at = ${order.date_modified}
      where store_id = ${tx.store.id} and order_id = ${order.id} returning ${columns}
    )
    select changed.*, exists (
      select from b2b_settings where store_id = ${tx.store.id} and is_enabled
    ) as is_enabled from (select) one left join changed on true`),
  )
  if (!is_enabled) keepWithoutCompanion(tx.store.id)
  return id === null ? undefined : { ...row, id }
}

/** The id is null for an order without a record. */
type FollowedRow = Omit<CompanyOrderRow, 'id'> & { id: number | null; is_enabled: boolean }
