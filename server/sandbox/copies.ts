import { type Db, prepared, type Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import type { Collection } from '../core/rest/lists/collection.ts'
import { takeIds } from '../core/rest/lists/verbs.ts'
import { orderPickups as handovers } from '../sales/orders/fulfilment/pickups.ts'
import { shipments } from '../sales/orders/fulfilment/shipments-v2.ts'
import { fees, lines, orderAddresses, orders, pickupConsignments, taxes } from '../sales/orders/row/rows.ts'
import { pickupItems } from '../sales/orders/stock/picked.ts'
import { addToSpans } from '../sales/orders/stock/spans.ts'
import { transactions } from '../sales/orders/transactions/transactions.ts'
import { messages } from '../sales/orders/v2/messages-v2.ts'

// Copies of orders, for sample data: many more than could be made one by one.

/** A table of which copies have rows of their own, as far as a copy differs from its original. */
interface CopiedTable {
  of: Collection
  /** The columns that name rows which are copied too; 0 and null name none. */
  refs: Readonly<Record<string, Collection>>
  moments: readonly string[]
}

const inOrder = { order_id: orders }
const atPlace = { ...inOrder, order_address_id: orderAddresses, order_pickup_method_id: pickupConsignments }

const TABLES: readonly CopiedTable[] = [
  { of: orders, refs: {}, moments: ['date_created', 'date_modified', 'date_shipped'] },
  { of: lines, refs: atPlace, moments: [] },
  { of: orderAddresses, refs: inOrder, moments: [] },
  { of: pickupConsignments, refs: inOrder, moments: [] },
  { of: fees, refs: inOrder, moments: [] },
  { of: taxes, refs: { ...atPlace, order_product_id: lines }, moments: [] },
  { of: shipments, refs: { ...inOrder, order_address_id: orderAddresses }, moments: ['date_created'] },
  { of: messages, refs: inOrder, moments: ['date_created'] },
  { of: transactions, refs: { ...inOrder, reference_transaction_id: transactions }, moments: ['date_created'] },
  { of: handovers, refs: inOrder, moments: ['ready_at', 'collected_at', 'created_at', 'updated_at'] },
  { of: pickupItems, refs: { ...inOrder, pickup_id: handovers, order_product_id: lines }, moments: [] },
]

/** Rows whose ids follow each other. */
interface Rows {
  first: number
  count: number
}

/** Orders whose ids follow each other, with the rows of all that is copied with them, by table. */
export type OrderBlock = ReadonlyMap<string, Rows>

/**
 * Finds a block of orders that were made by one transaction: their parts have ids that follow each other.
 * @throws Error where they do not
 */
export async function findBlock(db: Db, first: number, count: number): Promise<OrderBlock> {
  const block = new Map<string, Rows>()
  for (const { of } of TABLES) {
    const column = of === orders ? sql`id` : sql`order_id`
    const rows = await db.row<Rows & { last: number }>(sql`
      select coalesce(min(id), 0)::int as first, coalesce(max(id), -1)::int as last, count(*)::int as count
      from ${sql.id(of.table)} where store_id = ${db.store.id} and ${column} between ${first} and ${first + count - 1}`)
    if (rows.count !== rows.last - rows.first + 1) throw new Error(`Ids of ${of.title} do not follow each other.`)
    block.set(of.table, rows)
  }
  return block
}

/** How copies differ from their originals. */
export interface Differences {
  /** How much later everything happened. */
  seconds: number
  /**
   * The beginning of `external_order_id`, in lower case; the position of the order in the block follows, from 1.
   * Without it copies keep the value of their original.
   */
  prefix?: string
}

/**
 * Stores copies of all orders of a block with their sub-resources, except coupons, refunds and metafields. They move no
 * stock and publish no events.
 */
export async function copyOrders(tx: Tx, block: OrderBlock, { seconds, prefix }: Differences) {
  const rowsOf = ({ table }: Collection) => block.get(table) ?? { first: 0, count: 0 }
  const ids = await takeIds(
    tx,
    TABLES.map(({ of }) => [of, rowsOf(of).count]),
  )
  const shifts = new Map(TABLES.map(({ of }) => [of.table, ids.next(of) - rowsOf(of).first]))
  const shiftOf = ({ table }: Collection) => shifts.get(table) ?? 0
  const { first, count } = rowsOf(orders)
  const own = new Map([['order_shipments items', shippedItems(shiftOf(lines))]])
  if (prefix !== undefined) {
    const number = sql`${prefix}::text || (id + ${shiftOf(orders)}::int - ${first - 1}::int)`
    own.set('orders external_order_id', number).set('orders external_order_id_key', number)
  }
  for (const { of, refs, moments } of TABLES) {
    const rows = rowsOf(of)
    const copied = (name: string): Sql => {
      const column = sql.id(name)
      const target = refs[name]
      if (target) return sql`case when ${column} > 0 then ${column} + ${shiftOf(target)}::int else ${column} end`
      return moments.includes(name) ? later(column, seconds) : (own.get(`${of.table} ${name}`) ?? column)
    }
    if (rows.count === 0) continue
    await tx.rows(
      prepared(sql`
      insert into ${sql.id(of.table)} (store_id, id, ${sql.join(of.inserted.map(sql.id))})
      select ${tx.store.id}, id + ${shiftOf(of)}::int, ${sql.join(of.inserted.map(copied))}
      from ${sql.id(of.table)} where store_id = ${tx.store.id} and id between ${rows.first} and ${rows.first + rows.count - 1}
      on conflict do nothing`),
    )
  }
  await tx.rows(
    prepared(sql`
    insert into order_status_changes (store_id, order_id, nr, previous_status_id, status_id, changed_at)
    select ${tx.store.id}, order_id + ${shiftOf(orders)}::int, nr, previous_status_id, status_id, ${later(sql`changed_at`, seconds)}
    from order_status_changes where store_id = ${tx.store.id} and order_id between ${first} and ${first + count - 1}
    on conflict do nothing`),
  )
  await addToSpans(tx, first + shiftOf(orders), count)
}

const later = (column: Sql, seconds: number) => sql`${column} + ${seconds}::float8 * interval '1 second'`

/** The items of a shipment: each names a line of the order. */
const shippedItems = (shift: number) => sql`(
  select jsonb_agg(item || jsonb_build_object('order_product_id', (item ->> 'order_product_id')::int + ${shift}::int))
  from jsonb_array_elements(items) item)`

/** Says of parts of orders that they came about at other times, as those of orders that were made in the past. */
export async function datePast(tx: Tx, dates: readonly { id: number; at: Date }[]) {
  const [ids, times] = [dates.map(({ id }) => id), dates.map(({ at }) => at.toISOString())]
  const given = sql`unnest(${ids}::int[], ${times}::timestamptz[]) as given (order_id, at)`
  for (const { of, moments } of TABLES) {
    const set = moments.map((name) => {
      const column = sql.id(name)
      return sql`${column} = case when ${column} > given.at then given.at else ${column} end`
    })
    if (set.length === 0) continue
    const key = of === orders ? sql`id` : sql`order_id`
    await tx.rows(sql`
      update ${sql.id(of.table)} set ${sql.join(set)} from ${given}
      where store_id = ${tx.store.id} and ${sql.id(of.table)}.${key} = given.order_id`)
  }
  await tx.rows(sql`
    update order_status_changes set changed_at = given.at from ${given}
    where store_id = ${tx.store.id} and order_status_changes.order_id = given.order_id`)
}
