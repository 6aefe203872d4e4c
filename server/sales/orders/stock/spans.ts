import { prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { change } from '../../../core/rest/lists/verbs.ts'
import { followOrder } from '../row/followers.ts'
import { type OrderRow, orders } from '../row/rows.ts'

// Spans of order ids, each with the range of dates of its orders. Dates mostly rise with ids, but a client may set any date_created. A list
// by id with a filter by date skips the spans outside of the filter and reads the orders of the others
// (docs/decisions/033-lists-of-orders.md).

/** The ids in a span. */
const SPAN = 250

const firstIdOf = (id: number) => Math.floor((id - 1) / SPAN) * SPAN + 1

/** A span stores its last change this much ahead, so that most changes don't update its row. */
const AHEAD_MS = 10 * 60_000

const ahead = (tx: Tx) => toSeconds(new Date(tx.now.getTime() + AHEAD_MS))

/** Adds a new order to its span. Most often the row of the span does not change. */
export const addToSpan = (tx: Tx, { id, date_created, date_modified }: OrderRow) =>
  tx.rows(
    prepared(sql`
    insert into order_spans as span (store_id, first_id, last_id, earliest, latest, latest_change)
    values (${tx.store.id}, ${firstIdOf(id)}, ${firstIdOf(id) + SPAN - 1}, ${date_created}, ${date_created}, ${ahead(tx)})
    on conflict (store_id, first_id) do update set
      earliest = least(span.earliest, excluded.earliest), latest = greatest(span.latest, excluded.latest),
      latest_change = greatest(span.latest_change, excluded.latest_change)
    where excluded.earliest < span.earliest or excluded.latest > span.latest or ${date_modified} > span.latest_change`),
  )

/** Stores changes of an order with the current date_modified, and updates its span. @param before locked */
export async function saveOrder(tx: Tx, before: OrderRow, changes: Partial<OrderRow>): Promise<OrderRow> {
  const date_modified = toSeconds(tx.now)
  const { changed } = await tx.together(() => ({
    changed: change(tx, orders, before, { ...changes, date_modified }),
    span: tx.rows(
      prepared(sql`
      update order_spans set latest_change = ${ahead(tx)}
      where store_id = ${tx.store.id} and first_id = ${firstIdOf(before.id)} and latest_change < ${date_modified}
      returning first_id`),
    ),
  }))
  await followOrder(tx, before, changed)
  return changed
}

/** Records in their spans that orders were changed now. @param changed in the order of their ids */
export async function touchSpans(tx: Tx, changed: readonly Pick<OrderRow, 'id'>[]) {
  const firstIds = [...new Set(changed.map(({ id }) => firstIdOf(id)))]
  if (firstIds.length === 0) return
  await tx.rows(sql`
    update order_spans set latest_change = ${ahead(tx)}
    where store_id = ${tx.store.id} and first_id = any(${firstIds}) and latest_change < ${toSeconds(tx.now)}
    returning first_id`)
}

/** Adds orders with consecutive ids to their spans. */
export const addToSpans = (tx: Tx, first: number, count: number) =>
  tx.rows(
    prepared(sql`
    insert into order_spans as span (store_id, first_id, last_id, earliest, latest, latest_change)
    select ${tx.store.id}, first_id, first_id + ${SPAN - 1}::int, min(date_created), max(date_created), max(date_modified)
    from (
      select (id - 1) / ${SPAN}::int * ${SPAN}::int + 1 as first_id, date_created, date_modified from orders
      where store_id = ${tx.store.id} and id between ${first} and ${first + count - 1}
    ) placed
    group by first_id order by first_id
    on conflict (store_id, first_id) do update set
      earliest = least(span.earliest, excluded.earliest), latest = greatest(span.latest, excluded.latest),
      latest_change = greatest(span.latest_change, excluded.latest_change)`),
  )

/** Bounds as columns have them; undefined without a bound. */
interface DateBounds {
  placedAfter: string | undefined
  placedBefore: string | undefined
  changedAfter: string | undefined
}

/** The condition that a span may have orders within these dates, for a statement that joins orders with their spans. */
export const spanMeets = ({ placedAfter, placedBefore, changedAfter }: DateBounds): Sql =>
  sql.and([
    sql`orders.id between span.first_id and span.last_id`,
    ...(placedAfter === undefined ? [] : [sql`span.latest >= ${placedAfter}`]),
    ...(placedBefore === undefined ? [] : [sql`span.earliest <= ${placedBefore}`]),
    ...(changedAfter === undefined ? [] : [sql`span.latest_change >= ${changedAfter}`]),
  ])
